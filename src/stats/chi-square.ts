// Owns the chi-square distribution.

import { lowerGamma, upperGamma } from "./incomplete-gamma.ts";

/** `P(X <= x)` with `df > 0` degrees of freedom. */
export function chiSquareCdf(x: number, df: number): number {
  return lowerGamma(df / 2, x / 2);
}

/** `P(X >= x)`: the p-value of a chi-square statistic. */
export function chiSquareTail(x: number, df: number): number {
  return upperGamma(df / 2, x / 2);
}

/** The `x` with `P(X <= x) = p`, for `0 < p < 1`. */
export function chiSquareQuantile(p: number, df: number): number {
  let lower = 0;
  let upper = Math.max(df, 1);
  while (chiSquareCdf(upper, df) < p) upper *= 2;
  for (let round = 0; round < 1100; round += 1) {
    const middle = (lower + upper) / 2;
    if (middle === lower || middle === upper) break;
    if (chiSquareCdf(middle, df) < p) lower = middle;
    else upper = middle;
  }
  return (lower + upper) / 2;
}
