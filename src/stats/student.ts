// Owns Student's t distribution; the degrees of freedom need not be whole.

import { betaQuantile, incompleteBeta } from "./incomplete-beta.ts";

/** `P(|T| >= |t|)` with `df > 0` degrees of freedom. */
export function studentTwoSided(t: number, df: number): number {
  if (t === Number.POSITIVE_INFINITY || t === Number.NEGATIVE_INFINITY) return 0;
  return incompleteBeta(df / 2, 0.5, df / (df + t * t));
}

/** `P(T <= t)`. */
export function studentCdf(t: number, df: number): number {
  const tail = studentTwoSided(t, df) / 2;
  return t <= 0 ? tail : 1 - tail;
}

/** The `t` with `P(T <= t) = p`, for `0 < p < 1`. */
export function studentQuantile(p: number, df: number): number {
  if (p === 0.5) return 0;
  if (p < 0.5) return -studentQuantile(1 - p, df);
  const both = 2 * (1 - p);
  // Each branch keeps clear of where its own beta variable, or the chance asked of it, rounds to 1.
  if (both < 1e-6 || (both < 0.5 && df < 1e4)) {
    const x = betaQuantile(both, df / 2, 0.5);
    return Math.sqrt((df * (1 - x)) / x);
  }
  const y = betaQuantile(1 - both, 0.5, df / 2);
  return Math.sqrt((df * y) / (1 - y));
}

/** The number of standard errors on either side of a two-sided t interval: 2.262 at 0.95 with 9 degrees of freedom. */
export function tOf(level: number, df: number): number {
  return studentQuantile(1 - (1 - level) / 2, df);
}
