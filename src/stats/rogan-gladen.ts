// Owns the pass rate corrected for the known errors of a judge.

import { requireLevel } from "./argument.ts";
import { requireCounted, type Counted } from "./counted.ts";
import { clip, type Interval } from "./interval.ts";
import { newcombe } from "./newcombe.ts";
import { zOf } from "./normal.ts";

export interface JudgedRun {
  /** Of the judgments of this run, those that the judge passed. */
  readonly judged: Counted;
  /** Of the labels that people passed, those that the judge passed too (its true positive rate). */
  readonly sensitivity: Counted;
  /** Of the labels that people failed, those that the judge failed too (its true negative rate). */
  readonly specificity: Counted;
}

export interface CorrectedRate {
  /** The share that the judge passed. */
  readonly raw: number;
  /** The corrected share, from 0 to 1. */
  readonly estimate: number;
  /** By the delta method, about `estimate`. */
  readonly deltaStandardError: number;
  /** Lee's interval, from 0 to 1. */
  readonly interval: Interval;
  /** The standard error of Lee's interval. */
  readonly standardError: number;
  /** The middle of Lee's interval before its shift, and the shift. */
  readonly adjusted: { readonly estimate: number; readonly shift: number };
  /** Sensitivity + specificity - 1: how far the judge is from a coin. */
  readonly informedness: number;
  /** Human labels behind it. */
  readonly labels: number;
  readonly warnings: readonly string[];
}

/**
 * The pass rate that a judge with known error rates stands for: `θ = (p + q0 - 1) / (q0 + q1 - 1)`, cut to 0..1, `p` the raw share, `q1` the
 * sensitivity, `q0` the specificity.
 *
 * The delta error is `√(p(1-p)/n + (1-θ)² q0(1-q0)/m0 + θ² q1(1-q1)/m1) / (q0 + q1 - 1)`. The interval is that of Lee et al. (2025, arXiv
 * 2511.21140): the same with `p̃ = (np + z²/2)/(n + z²)`, `q̃ = (mq + 1)/(m + 2)`, `ñ = n + z²`, `m̃ = m + 2`, moved by `2z² (-(1-θ̃) q̃0(1-q̃0)/m̃0
 * + θ̃ q̃1(1-q̃1)/m̃1)`.
 *
 * For labels made once and used for many runs; it assumes that the judge errs on this run as it did on them, so a changed model, request or kind of
 * claim voids it. Labels of this very run say more (`ppi`). Rogan and Gladen 1978. `null` when nothing was judged, when either kind of label is
 * missing, and when the judge is no better than a coin (`q0 + q1 <= 1`). Throws `value_invalid` unless each `count` is whole and from 0 to its `of`.
 */
export function roganGladen(run: JudgedRun, level = 0.95): CorrectedRate | null {
  const { judged, sensitivity, specificity } = run;
  requireCounted("roganGladen", "judged", judged);
  requireCounted("roganGladen", "sensitivity", sensitivity);
  requireCounted("roganGladen", "specificity", specificity);
  requireLevel("roganGladen", level);
  if (judged.of === 0 || sensitivity.of === 0 || specificity.of === 0) return null;
  const p = judged.count / judged.of;
  const q1 = sensitivity.count / sensitivity.of;
  const q0 = specificity.count / specificity.of;
  const informedness = q0 + q1 - 1;
  if (informedness <= 1e-12) return null;
  const estimate = Math.min(1, Math.max(0, (p + q0 - 1) / informedness));

  const z = zOf(level);
  const n = judged.of + z ** 2;
  const m1 = sensitivity.of + 2;
  const m0 = specificity.of + 2;
  const pNear = (judged.count + z ** 2 / 2) / n;
  const q1Near = (sensitivity.count + 1) / m1;
  const q0Near = (specificity.count + 1) / m0;
  const nearInformedness = q0Near + q1Near - 1;
  if (nearInformedness <= 1e-12) return null;
  const near = (pNear + q0Near - 1) / nearInformedness;
  const shift = 2 * z ** 2 * ((-(1 - near) * q0Near * (1 - q0Near)) / m0 + (near * q1Near * (1 - q1Near)) / m1);
  const standardError = spread(pNear, n, q0Near, m0, q1Near, m1, near) / nearInformedness;

  const warnings: string[] = [];
  // `newcombe` of the judge's pass rate on both kinds of label: whether it can be told from a coin at all.
  const apart = newcombe(sensitivity.count, sensitivity.of, specificity.of - specificity.count, specificity.of, level);
  if (apart !== null && apart[0] <= 0) warnings.push("the labels do not show that the judge is better than a coin; the corrected rate may be far off");
  return {
    raw: p,
    estimate,
    deltaStandardError: spread(p, judged.of, q0, specificity.of, q1, sensitivity.of, estimate) / informedness,
    interval: clip([near + shift - z * standardError, near + shift + z * standardError], 0, 1),
    standardError,
    adjusted: { estimate: near, shift },
    informedness,
    labels: sensitivity.of + specificity.of,
    warnings,
  };
}

function spread(p: number, n: number, q0: number, m0: number, q1: number, m1: number, theta: number): number {
  return Math.sqrt((p * (1 - p)) / n + ((1 - theta) ** 2 * q0 * (1 - q0)) / m0 + (theta ** 2 * q1 * (1 - q1)) / m1);
}
