// Owns McNemar's test: whether scenarios of one trial flip one way more often than the other.

import { requireCount } from "./argument.ts";
import { binomialCdf } from "./binomial.ts";
import { binomialProbability } from "./binomial-probability.ts";
import { chiSquareTail } from "./chi-square.ts";

/**
 * The exact two-sided p-value: `min(1, 2 P(Bin(b + c, ½) <= min(b, c)))`; `b` scenarios pass before and fail after, `c` the reverse.
 *
 * It is the sign test on the flips. It never cries too often, and so finds less: for gates of release and safety. McNemar 1947. Without a flip it is
 * 1, never `null`. Throws `value_invalid` unless both are whole numbers from 0.
 */
export function mcnemarExact(b: number, c: number): number {
  requireCount("mcnemarExact", "b", b);
  requireCount("mcnemarExact", "c", c);
  return Math.min(1, 2 * binomialCdf(Math.min(b, c), b + c, 0.5));
}

/**
 * The mid-p value: the exact one less `P(Bin(b + c, ½) = b)`. The default for runs of one trial at any number of scenarios; it errs by little and
 * finds more than the exact one.
 *
 * Fagerland, Lydersen, Laake 2013. Without a flip it is 1, never `null`. Throws `value_invalid` unless both are whole numbers from 0.
 */
export function mcnemarMidP(b: number, c: number): number {
  const exact = mcnemarExact(b, c);
  return b + c === 0 ? 1 : Math.max(0, exact - binomialProbability(b, b + c, 0.5));
}

export interface ChiSquareTest {
  readonly statistic: number;
  readonly p: number;
}

/**
 * The chi-square form with one degree of freedom: `(b - c)² / (b + c)`, or with the continuity correction `(|b - c| - 1)² / (b + c)`.
 *
 * An approximation for `b + c >= 25`; use `mcnemarMidP`. `null` without a flip. Throws `value_invalid` unless both are whole numbers from 0.
 */
export function mcnemarChiSquare(b: number, c: number, options: { readonly continuity?: boolean } = {}): ChiSquareTest | null {
  requireCount("mcnemarChiSquare", "b", b);
  requireCount("mcnemarChiSquare", "c", c);
  if (b + c === 0) return null;
  const gap = Math.abs(b - c) - (options.continuity === true ? 1 : 0);
  const statistic = gap ** 2 / (b + c);
  return { statistic, p: chiSquareTail(statistic, 1) };
}
