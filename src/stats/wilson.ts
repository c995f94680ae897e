// Owns Wilson's interval, the default for a share of passed cases.

import { requireCountOf, requireLevel } from "./argument.ts";
import { clip, type Interval } from "./interval.ts";
import { zOf } from "./normal.ts";

/** Wilson's interval of a share `p` observed over an effective number `n > 0` of cases, which need not be whole. */
export function wilsonOfShare(p: number, n: number, z: number): Interval {
  const square = z * z;
  const middle = p + square / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + square / (4 * n * n));
  const scale = 1 + square / n;
  // At the ends the formula is exact on paper and off by a rounding here.
  return clip([p === 0 ? 0 : (middle - half) / scale, p === 1 ? 1 : (middle + half) / scale], 0, 1);
}

/**
 * Wilson's score interval of a share, from 0 to 1: `(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)`, `p = k/n`.
 *
 * For `k` of `n` independent cases, each right or wrong, at any `n`; the default here, since the textbook interval covers only 65 % at 9 of 10. Not
 * for trials of one scenario counted as if they were scenarios (`nestedRate`). Wilson 1927; Brown, Cai, DasGupta 2001. `null` when `n` is 0. Throws
 * `value_invalid` unless `0 <= k <= n`, both whole.
 */
export function wilson(k: number, n: number, level = 0.95): Interval | null {
  requireCountOf("wilson", "k", k, "n", n);
  requireLevel("wilson", level);
  return n === 0 ? null : wilsonOfShare(k / n, n, zOf(level));
}
