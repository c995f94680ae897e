// Owns the mean of a list and what is known of it when its entries are independent.

import { requireLevel, requireNumbers, requireSameLength } from "./argument.ts";
import type { Interval } from "./interval.ts";
import { tOf } from "./student.ts";

/** The sum by Neumaier's compensation, so that a million equal scores have exactly their own value as mean. */
export function sum(values: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/** The arithmetic mean, in the unit of the values. `null` of an empty list. Throws `value_invalid` for a value that is not finite. */
export function mean(values: readonly number[]): number | null {
  requireNumbers("mean", "values", values);
  return values.length === 0 ? null : sum(values) / values.length;
}

/** The sample variance, divided by `n - 1`. `null` of fewer than two values. Throws `value_invalid` for a value that is not finite. */
export function variance(values: readonly number[]): number | null {
  requireNumbers("variance", "values", values);
  if (values.length < 2) return null;
  const middle = sum(values) / values.length;
  return sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
}

/**
 * The standard error of a mean of independent values: `s/√n`, `s` with `n - 1`. `null` of fewer than two values (one value says nothing of its
 * spread). Throws `value_invalid` for a value that is not finite.
 */
export function standardError(values: readonly number[]): number | null {
  const spread = variance(values);
  return spread === null ? null : Math.sqrt(spread / values.length);
}

/**
 * Student's interval of a mean: `x̄ ± t(n-1) s/√n`, in the unit of the values and not cut to 0..1.
 *
 * For scores that are not just right or wrong; for those use `wilson`, since this one reaches beyond 1 and covers too little. Student 1908; Miller
 * 2024 (arXiv 2411.00640). `null` of fewer than two values. Throws `value_invalid` for a value that is not finite.
 */
export function meanInterval(values: readonly number[], level = 0.95): Interval | null {
  requireLevel("meanInterval", level);
  const error = standardError(values);
  if (error === null) return null;
  const middle = sum(values) / values.length;
  const half = tOf(level, values.length - 1) * error;
  return [middle - half, middle + half];
}

/** Pearson's correlation, from -1 to 1. `null` of fewer than two pairs or where one list does not vary. */
export function correlation(a: readonly number[], b: readonly number[]): number | null {
  requireSameLength("correlation", "a", a, "b", b);
  requireNumbers("correlation", "a", a);
  requireNumbers("correlation", "b", b);
  if (a.length < 2) return null;
  const middleA = sum(a) / a.length;
  const middleB = sum(b) / b.length;
  const products = sum(a.map((value, index) => (value - middleA) * ((b[index] as number) - middleB)));
  const squares = sum(a.map((value) => (value - middleA) ** 2)) * sum(b.map((value) => (value - middleB) ** 2));
  return squares === 0 ? null : Math.max(-1, Math.min(1, products / Math.sqrt(squares)));
}
