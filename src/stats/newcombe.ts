// Owns the interval of a difference of two shares over different scenarios.

import { requireCountOf, requireLevel } from "./argument.ts";
import { clip, type Interval } from "./interval.ts";
import { wilson } from "./wilson.ts";

/**
 * Newcombe's hybrid interval, from -1 to 1, of `p1 - p2`, `p = k/n`: with Wilson's ends `l` and `u` of each share it is `[Δ - √((p1-l1)² + (u2-p2)²),
 * Δ + √((u1-p1)² + (p2-l2)²)]`.
 *
 * For two runs whose scenarios differ, and so cannot be paired; the same scenarios deserve `tango`. Newcombe 1998, method 10. `null` when `n1` or
 * `n2` is 0. Throws `value_invalid` unless `0 <= k <= n`, all whole.
 */
export function newcombe(k1: number, n1: number, k2: number, n2: number, level = 0.95): Interval | null {
  requireCountOf("newcombe", "k1", k1, "n1", n1);
  requireCountOf("newcombe", "k2", k2, "n2", n2);
  requireLevel("newcombe", level);
  const first = wilson(k1, n1, level);
  const second = wilson(k2, n2, level);
  if (first === null || second === null) return null;
  const p1 = k1 / n1;
  const p2 = k2 / n2;
  return clip([p1 - p2 - Math.hypot(p1 - first[0], second[1] - p2), p1 - p2 + Math.hypot(first[1] - p1, p2 - second[0])], -1, 1);
}
