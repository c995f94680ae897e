// Owns the error that `runEvals` throws for an item where its caller wants errors thrown: Mastra's id, and what really happened as its cause.

import { EntailError, ERROR_CODES, type ErrorCode, isEntailError } from "../core/error.ts";
import type { ScenarioReport } from "../core/report.ts";
import type { Attempt } from "./compile-data.ts";
import type { Measured } from "./score-conversation.ts";

export function thrownError(report: ScenarioReport, attempt: Attempt | undefined): EntailError {
  if (isEntailError(attempt?.thrown)) return attempt.thrown;
  const broken = attempt?.measured?.find(({ record }) => record.error !== undefined);
  if (report.error?.stage === "score" && broken !== undefined) return scorerError(broken, report, attempt?.speaker.kind === "workflow");
  const code = report.error?.code;
  const known = (ERROR_CODES as readonly string[]).includes(code ?? "") ? (code as ErrorCode) : "hook_threw";
  return new EntailError(known, `item ${JSON.stringify(report.id)}: ${report.error?.message ?? "it could not be measured"}`, report.error === undefined ? {} : { stage: report.error.stage });
}

function scorerError({ measure, record, turn, error }: Measured, { id }: ScenarioReport, workflow: boolean): EntailError {
  // Mastra leaves these two as the scorer threw them.
  if (error !== undefined && (turn !== undefined || measure.group === "workflow")) return error;
  const which = measure.group === "steps" ? "STEP_RESULT" : measure.group === "trajectory" ? (workflow ? "WORKFLOW_TRAJECTORY" : "TRAJECTORY") : "RESULT";
  return new EntailError("scorer_failed", `item ${JSON.stringify(id)}: ${record.error ?? ""}`, { stage: "score", id: `RUN_EXPERIMENT_SCORER_FAILED_TO_SCORE_${which}`, ...(error !== undefined && { cause: error }) });
}
