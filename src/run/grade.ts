// Owns the grade of one attempt: what its checks, claims and scores come to.

import type { Check } from "../core/check.ts";
import type { Claim } from "../core/claim.ts";
import type { Judgment } from "../core/judgment.ts";
import type { ReportJudgment } from "../core/report.ts";
import { meetsThreshold, type HookScore, type ScoreRecord } from "../core/score.ts";

export interface Grade {
  readonly outcome: "passed" | "scored" | "failed";
  /** False where there was no check, no claim and no threshold: nothing could have been missed. */
  readonly required: boolean;
}

export interface Graded {
  readonly checks?: readonly Check[] | undefined;
  readonly claims?: readonly Claim[] | undefined;
  readonly judgments: readonly ReportJudgment[];
  readonly scores: readonly ScoreRecord[];
}

/** Checks, claims and gates are hard, thresholds soft. Nothing required is `scored`, never `passed`. What could not be scored requires nothing. */
export function grade({ checks = [], claims = [], judgments, scores }: Graded): Grade {
  const isGate = ({ kind }: ScoreRecord): boolean => kind === "gate";
  const required = checks.length > 0 || claims.length > 0 || scores.some((score) => score.passed !== undefined);
  const broken = scores.some((score) => isGate(score) && score.passed === false);
  if (broken || !checks.every((check) => check.passed) || judgments.length !== claims.length || !judgments.every((judgment) => judgment.passed)) {
    return { outcome: "failed", required };
  }
  if (!required || scores.some((score) => score.passed === false)) return { outcome: "scored", required };
  return { outcome: "passed", required };
}

/** A judge's answer as a report holds it, in the order of the claims. `judgments` must be valid for `claims`. */
export function reportJudgments(claims: readonly Claim[], judgments: readonly Judgment[]): readonly ReportJudgment[] {
  const byClaim = new Map(judgments.map((judgment) => [judgment.claimId, judgment]));
  return claims.flatMap((claim) => {
    const judgment = byClaim.get(claim.id);
    return judgment === undefined ? [] : [reportJudgment(claim, judgment, judgment.label === (claim.expect ?? "entailed"))];
  });
}

/** The judgments of an output that is empty: it fails every claim, whatever the claim expects. */
export function emptyOutputJudgments(claims: readonly Claim[]): readonly ReportJudgment[] {
  return claims.map((claim) => reportJudgment(claim, { claimId: claim.id, label: "not_addressed", rationale: "There was no output to judge." }, false));
}

function reportJudgment({ expect }: Claim, judgment: Judgment, passed: boolean): ReportJudgment {
  return Object.freeze({ ...judgment, ...(expect !== undefined && expect !== "entailed" && { expect }), passed });
}

/** A hook's own scores as records. */
export function scoreRecords(scores: readonly HookScore[]): readonly ScoreRecord[] {
  return scores.map(({ id, score, threshold, reason }) =>
    Object.freeze({
      id,
      base: id,
      kind: "scorer" as const,
      score,
      ...(threshold !== undefined && { threshold, passed: meetsThreshold(score, threshold) }),
      ...(reason !== undefined && { reason }),
    }),
  );
}
