// Owns what is known of a rate while some of its cases are undecided.

import { requireCount, requireCountOf, requireLevel } from "./argument.ts";
import type { Interval } from "./interval.ts";
import { zOf } from "./normal.ts";
import { wilsonOfShare } from "./wilson.ts";

export interface IndeterminateBounds {
  /** The rate if every undecided case failed, and if every one passed. Gate on the first. */
  readonly bounds: Interval;
  /** The bounds widened by Wilson's interval on either side. */
  readonly interval: Interval;
  /** The rate over the decided cases; `null` where none is. It is an assumption, not an answer. */
  readonly completeCase: number | null;
  /** The share that is decided. */
  readonly coverage: number;
}

/**
 * The pass rate, from 0 to 1, where a judge said `indeterminate` of some: `[passed/n, (passed + indeterminate)/n]`.
 *
 * No statistic narrows it: more runs do not decide what cannot be decided. Manski 2003. `null` without a case. Throws `value_invalid` unless all are
 * whole numbers from 0.
 */
export function indeterminateBounds(counts: { readonly passed: number; readonly failed: number; readonly indeterminate: number }, level = 0.95): IndeterminateBounds | null {
  for (const name of ["passed", "failed", "indeterminate"] as const) requireCount("indeterminateBounds", name, counts[name]);
  requireLevel("indeterminateBounds", level);
  const { passed, failed, indeterminate } = counts;
  const n = passed + failed + indeterminate;
  if (n === 0) return null;
  const z = zOf(level);
  const lower = passed / n;
  const upper = (passed + indeterminate) / n;
  return {
    bounds: [lower, upper],
    interval: [wilsonOfShare(lower, n, z)[0], wilsonOfShare(upper, n, z)[1]],
    completeCase: passed + failed === 0 ? null : passed / (passed + failed),
    coverage: (passed + failed) / n,
  };
}

export interface SelectiveAccuracy {
  /** The share that was judged at all. */
  readonly coverage: number;
  /** The share of those judged that was right; `null` where none was judged. */
  readonly accuracy: number | null;
  /** The share of all that was right, an abstention being wrong. */
  readonly overall: number;
}

/**
 * How often a judge that may abstain is right, from 0 to 1: coverage, accuracy where it spoke, and both together. `null` when `of` is 0. Throws
 * `value_invalid` unless `0 <= correct <= judged <= of`, all whole.
 */
export function selectiveAccuracy(counts: { readonly correct: number; readonly judged: number; readonly of: number }): SelectiveAccuracy | null {
  requireCountOf("selectiveAccuracy", "judged", counts.judged, "of", counts.of);
  requireCountOf("selectiveAccuracy", "correct", counts.correct, "judged", counts.judged);
  if (counts.of === 0) return null;
  return { coverage: counts.judged / counts.of, accuracy: counts.judged === 0 ? null : counts.correct / counts.judged, overall: counts.correct / counts.of };
}
