// Owns what may be said when nothing failed.

import { requireCount, requireLevel } from "./argument.ts";

/**
 * The upper bound of a failure rate, from 0 to 1, after `n` cases without one: `1 - α^(1/n)`, one-sided, which is about `3/n` at 0.95.
 *
 * For claims of the kind "it never does X". Hanley and Lippman-Hand 1983. `null` when `n` is 0. Throws `value_invalid` unless `n` is a whole number
 * from 0.
 */
export function zeroFailures(n: number, level = 0.95): number | null {
  requireCount("zeroFailures", "n", n);
  requireLevel("zeroFailures", level);
  return n === 0 ? null : -Math.expm1(Math.log(1 - level) / n);
}

/** The rule of three, `3/n`, cut to 1: the same bound at 0.95 by mental arithmetic. `null` when `n` is 0. */
export function ruleOfThree(n: number): number | null {
  requireCount("ruleOfThree", "n", n);
  return n === 0 ? null : Math.min(1, 3 / n);
}
