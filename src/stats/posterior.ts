// Owns the Bayesian answer for a share: a beta posterior.

import { requireAbove, requireCountOf, requireLevel } from "./argument.ts";
import { betaQuantile } from "./incomplete-beta.ts";
import type { Interval } from "./interval.ts";

/** Beta(1, 1): every share equally likely beforehand. */
export const UNIFORM_PRIOR: readonly [number, number] = [1, 1];
/** Beta(½, ½): Jeffreys. */
export const JEFFREYS_PRIOR: readonly [number, number] = [0.5, 0.5];

export interface Posterior {
  /** `(a + k) / (a + b + n)`. */
  readonly mean: number;
  /** The equal-tailed interval, from 0 to 1. */
  readonly interval: Interval;
  /** The parameters of the posterior, to go on from when more cases come in. */
  readonly beta: readonly [number, number];
}

/**
 * The posterior Beta(a + k, b + n - k) of a share: its mean and its equal-tailed interval.
 *
 * For small `n`, and where knowledge is added up run by run (the posterior is the next prior). Brown, Cai, DasGupta 2001. Never `null`: with `n = 0`
 * it is the prior. Throws `value_invalid` unless `0 <= k <= n`, both whole, and both parameters of the prior are above 0.
 */
export function posterior(k: number, n: number, prior: readonly [number, number] = UNIFORM_PRIOR, level = 0.95): Posterior {
  requireCountOf("posterior", "k", k, "n", n);
  requireAbove("posterior", "prior[0]", prior[0], 0);
  requireAbove("posterior", "prior[1]", prior[1], 0);
  requireLevel("posterior", level);
  const a = prior[0] + k;
  const b = prior[1] + n - k;
  const tail = (1 - level) / 2;
  return { mean: a / (a + b), interval: [betaQuantile(tail, a, b), 1 - betaQuantile(tail, b, a)], beta: [a, b] };
}
