// Owns the cumulative binomial distribution.

import { incompleteBeta } from "./incomplete-beta.ts";

/** `P(X <= k)` of a binomial with whole `n`. */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return 1 - incompleteBeta(k + 1, n - k, p);
}
