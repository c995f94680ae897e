// Owns the regularised incomplete beta function and its inverse: the beta, binomial and Student distributions all come from it.

import { binomialProbability } from "./binomial-probability.ts";

const TINY = 1e-300;

/** The continued fraction of the incomplete beta, by Lentz's method; quick for `x < (a + 1) / (a + b + 2)`. */
function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < TINY ? TINY : d);
  let result = d;
  for (let m = 1; m <= 100_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d;
    c = 1 + even / c;
    d = 1 / (Math.abs(d) < TINY ? TINY : d);
    if (Math.abs(c) < TINY) c = TINY;
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d;
    c = 1 + odd / c;
    d = 1 / (Math.abs(d) < TINY ? TINY : d);
    if (Math.abs(c) < TINY) c = TINY;
    const step = d * c;
    result *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return result;
}

/** The density of Beta(a, b) at `x`, times `x (1 - x)`. */
function kernel(a: number, b: number, x: number): number {
  return ((a * b) / (a + b)) * binomialProbability(a, a + b, x);
}

/** `I_x(a, b)`, the chance that a Beta(a, b) is at most `x`, for `a, b > 0`. */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - (kernel(a, b, x) * fraction(b, a, 1 - x)) / b;
  return (kernel(a, b, x) * fraction(a, b, x)) / a;
}

/** The `x` with `I_x(a, b) = p`: Newton's steps, kept inside a bracket that only ever shrinks. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  let lower = 0;
  let upper = 1;
  let x = a / (a + b);
  for (let round = 0; round < 1100; round += 1) {
    const gap = incompleteBeta(a, b, x) - p;
    if (gap === 0) return x;
    if (gap > 0) upper = x;
    else lower = x;
    const slope = kernel(a, b, x) / (x * (1 - x));
    let next = slope > 0 ? x - gap / slope : Number.NaN;
    if (!(next > lower && next < upper)) next = (lower + upper) / 2;
    if (Math.abs(next - x) <= 1e-16 * x || next === lower || next === upper) return next;
    x = next;
  }
  return x;
}
