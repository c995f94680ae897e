// Owns the pass rate from labels that were drawn by the judge's verdict: so many of what it passed, so many of what it failed.

import { requireCount, requireLevel } from "./argument.ts";
import { requireCounted, type Counted } from "./counted.ts";
import { clip, type Interval } from "./interval.ts";
import { zOf } from "./normal.ts";
import { wilsonOfShare } from "./wilson.ts";

export interface VerdictAudit {
  /** Judgments of the run that the judge passed, and failed. */
  readonly judgedPassed: number;
  readonly judgedFailed: number;
  /** Of the labelled ones that it passed, those that people pass too. */
  readonly passedSample: Counted;
  /** Of the labelled ones that it failed, those that people fail too. */
  readonly failedSample: Counted;
}

export interface AuditedRate {
  readonly estimate: number;
  readonly standardError: number;
  /** From 0 to 1. */
  readonly interval: Interval;
  readonly labels: number;
}

/**
 * `θ = w₊ PPV + w₋ (1 - NPV)`, from 0 to 1, `w` the shares that the judge passed and failed, PPV and NPV how often it was right about them, with `SE
 * = √(w₊² PPV(1-PPV)/n₊ + w₋² NPV(1-NPV)/n₋)`. The interval joins Wilson's of both (MOVER), since `z SE` has no width where the judge was right each
 * time.
 *
 * For the cheapest audit of one run: labels drawn at random *within* each verdict. Cochran 1977, 5A.2; Zou and Donner 2008. `null` when nothing was
 * judged, or a verdict that was given has no label. Throws `value_invalid` unless all are whole and each `count` is at most its `of`.
 */
export function verdictAudit(audit: VerdictAudit, level = 0.95): AuditedRate | null {
  requireCount("verdictAudit", "judgedPassed", audit.judgedPassed);
  requireCount("verdictAudit", "judgedFailed", audit.judgedFailed);
  requireCounted("verdictAudit", "passedSample", audit.passedSample);
  requireCounted("verdictAudit", "failedSample", audit.failedSample);
  requireLevel("verdictAudit", level);
  const judged = audit.judgedPassed + audit.judgedFailed;
  if (judged === 0) return null;
  const z = zOf(level);
  let estimate = 0;
  let squared = 0;
  let below = 0;
  let above = 0;
  for (const [of, sample, passes] of [
    [audit.judgedPassed, audit.passedSample, audit.passedSample.count],
    [audit.judgedFailed, audit.failedSample, audit.failedSample.of - audit.failedSample.count],
  ] as const) {
    if (of === 0) continue;
    if (sample.of === 0) return null;
    const weight = of / judged;
    const share = passes / sample.of;
    const [lower, upper] = wilsonOfShare(share, sample.of, z);
    estimate += weight * share;
    squared += (weight ** 2 * share * (1 - share)) / sample.of;
    below += (weight * (share - lower)) ** 2;
    above += (weight * (upper - share)) ** 2;
  }
  return {
    estimate,
    standardError: Math.sqrt(squared),
    interval: clip([estimate - Math.sqrt(below), estimate + Math.sqrt(above)], 0, 1),
    labels: audit.passedSample.of + audit.failedSample.of,
  };
}
