// Owns the walk over what a report holds of judging: every claim that a judge labelled, with what it was shown.

import type { Claim } from "../core/claim.ts";
import type { Label } from "../core/label.ts";
import type { ReportJudgment, ScenarioReport } from "../core/report.ts";

export interface JudgedClaim {
  readonly scenario: string;
  /** Counts from 1. */
  readonly trial: number;
  readonly turn?: number;
  readonly claim: Claim;
  /** The label that passes it. */
  readonly expect: Label;
  readonly output: string;
  readonly reference: string;
  readonly judgment: ReportJudgment;
}

interface Part {
  readonly claims?: readonly Claim[] | undefined;
  readonly output?: string | undefined;
  readonly reference?: string | undefined;
  readonly judgments?: readonly ReportJudgment[] | undefined;
}

/** Of every trial of `report` and every turn. What had no output was not judged, and is left out. */
export function* judgedClaims(report: ScenarioReport): Generator<JudgedClaim, void, undefined> {
  for (const trial of report.trials ?? [{ ...report, trial: 1 }]) {
    yield* ofPart(report.id, trial.trial, undefined, { ...trial.result, judgments: trial.judgments });
    for (const turn of trial.turns ?? []) yield* ofPart(report.id, trial.trial, turn.turn, turn);
  }
}

function* ofPart(scenario: string, trial: number, turn: number | undefined, { claims = [], output = "", reference = "", judgments = [] }: Part): Generator<JudgedClaim, void, undefined> {
  if (output === "") return;
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  for (const judgment of judgments) {
    const { claimId, expect = "entailed" } = judgment;
    yield { scenario, trial, ...(turn !== undefined && { turn }), claim: byId.get(claimId) ?? { id: claimId, text: "" }, expect, output, reference, judgment };
  }
}
