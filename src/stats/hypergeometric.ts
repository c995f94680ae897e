// Owns the hypergeometric probability.

import { binomialProbability } from "./binomial-probability.ts";

/** The chance of `x` marked in a draw of `drawn`, where `marked` of `total` are marked. */
export function hypergeometricProbability(x: number, drawn: number, marked: number, total: number): number {
  if (x < 0 || x > drawn || x > marked || drawn - x > total - marked) return 0;
  // Ratio of three binomials of one common p; any p gives the same answer, this one keeps all three away from zero.
  const p = drawn / total;
  if (p === 0 || p === 1) return 1;
  return (binomialProbability(x, marked, p) * binomialProbability(drawn - x, total - marked, p)) / binomialProbability(drawn, total, p);
}
