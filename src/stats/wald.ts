// Owns the textbook interval of a share, which is here for comparison only.

import { requireCountOf, requireLevel } from "./argument.ts";
import type { Interval } from "./interval.ts";
import { zOf } from "./normal.ts";

/**
 * `p ± z √(p(1-p)/n)`, not cut to 0..1.
 *
 * Never a default: it has no width at 0 and at `n`, and covers too little near them. Use `wilson`. `null` when `n` is 0. Throws `value_invalid`
 * unless `0 <= k <= n`, both whole.
 */
export function wald(k: number, n: number, level = 0.95): Interval | null {
  requireCountOf("wald", "k", k, "n", n);
  requireLevel("wald", level);
  if (n === 0) return null;
  const p = k / n;
  const half = zOf(level) * Math.sqrt((p * (1 - p)) / n);
  return [p - half, p + half];
}
