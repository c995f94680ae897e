// Owns prediction-powered inference: a mean from few human labels and many judgments of the same run.

import { requireLevel, requireSameLength, requireShare, requireShares } from "./argument.ts";
import { clip, type Interval } from "./interval.ts";
import { sum } from "./mean.ts";
import { zOf } from "./normal.ts";
import { tOf } from "./student.ts";

export interface PpiSample {
  /** What people say of the labelled ones, from 0 to 1. They must be drawn at random from this run. */
  readonly labels: readonly number[];
  /** What the judge says of the same ones, in the same order. */
  readonly judged: readonly number[];
  /** What the judge says of all others. */
  readonly rest: readonly number[];
}

export interface PpiOptions {
  /** How far the judge is relied on, from 0 (not) to 1; the best by the data when absent. */
  readonly lambda?: number;
  readonly level?: number;
  /** `t` with `n - 1` degrees of freedom below 100 labels and `normal` from there on, when absent. */
  readonly quantile?: "t" | "normal";
}

export interface PpiRate {
  readonly estimate: number;
  readonly standardError: number;
  /** From 0 to 1. */
  readonly interval: Interval;
  readonly lambda: number;
  /** The labels alone. */
  readonly human: { readonly estimate: number; readonly standardError: number };
  /** The judge alone, over the rest. */
  readonly judge: number;
  readonly labels: number;
}

function average(values: readonly number[]): number {
  return sum(values) / values.length;
}

function products(a: readonly number[], b: readonly number[]): number {
  const middleA = average(a);
  const middleB = average(b);
  return sum(a.map((value, index) => (value - middleA) * ((b[index] as number) - middleB)));
}

/**
 * `θ = λ mean(U) + mean(Y - λŶ)`, from 0 to 1, with `Var = λ² Var(U)/N + Var(Y - λŶ)/n`: `Y` the labels, `Ŷ` the judge on them, `U` the judge on the
 * rest, and `λ = Cov(Y, Ŷ) / ((1 + n/N) Var(Ŷ and U))`, cut to 0..1 (variances over `n`, that of the denominator over `n - 1`).
 *
 * The narrowest of the corrections for the labels of one run; with labels of other runs use `roganGladen`. Angelopoulos, Duchi, Zrnic 2023 (arXiv
 * 2311.01453). `null` with fewer than two labels or nothing else judged. Throws `value_invalid` for lists of different length and for a number
 * outside 0..1.
 */
export function ppi(sample: PpiSample, options: PpiOptions = {}): PpiRate | null {
  const { labels, judged, rest } = sample;
  requireSameLength("ppi", "labels", labels, "judged", judged);
  requireShares("ppi", "labels", labels);
  requireShares("ppi", "judged", judged);
  requireShares("ppi", "rest", rest);
  const { level = 0.95, quantile = labels.length < 100 ? "t" : "normal" } = options;
  requireLevel("ppi", level);
  if (options.lambda !== undefined) requireShare("ppi", "lambda", options.lambda);
  const n = labels.length;
  const N = rest.length;
  if (n < 2 || N === 0) return null;
  const all = [...judged, ...rest];
  const spread = products(all, all) / (all.length - 1);
  const lambda = options.lambda ?? (spread === 0 ? 0 : Math.min(1, Math.max(0, products(labels, judged) / n / ((1 + n / N) * spread))));
  const gaps = labels.map((label, index) => label - lambda * (judged[index] as number));
  const estimate = lambda * average(rest) + average(gaps);
  const standardError = Math.sqrt((lambda ** 2 * products(rest, rest)) / N ** 2 + products(gaps, gaps) / n ** 2);
  const half = (quantile === "t" ? tOf(level, n - 1) : zOf(level)) * standardError;
  return {
    estimate: Math.min(1, Math.max(0, estimate)),
    standardError,
    interval: clip([estimate - half, estimate + half], 0, 1),
    lambda,
    human: { estimate: average(labels), standardError: Math.sqrt(products(labels, labels)) / n },
    judge: average(rest),
    labels: n,
  };
}
