// Owns the exact interval of a share.

import { requireCountOf, requireLevel } from "./argument.ts";
import { betaQuantile } from "./incomplete-beta.ts";
import type { Interval } from "./interval.ts";

/**
 * The exact interval of a share, from 0 to 1: `[Beta(α/2; k, n-k+1), Beta(1-α/2; k+1, n-k)]`, with 0 for `k = 0` and 1 for `k = n`.
 *
 * It never covers less than `level`, and mostly more: for gates of safety and release. Clopper and Pearson 1934. `null` when `n` is 0. Throws
 * `value_invalid` unless `0 <= k <= n`, both whole.
 */
export function clopperPearson(k: number, n: number, level = 0.95): Interval | null {
  requireCountOf("clopperPearson", "k", k, "n", n);
  requireLevel("clopperPearson", level);
  if (n === 0) return null;
  const tail = (1 - level) / 2;
  return [k === 0 ? 0 : betaQuantile(tail, k, n - k + 1), k === n ? 1 : 1 - betaQuantile(tail, n - k, k + 1)];
}
