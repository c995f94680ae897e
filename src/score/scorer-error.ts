// Owns the errors of scorers: one that was declared wrongly, and one that broke while it ran.

import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import type { ScorerResult, ScorerStepName } from "../core/scorer.ts";

/** The error of a declaration; `id` is Mastra's, where it has one. */
export function scorerInvalid(message: string, id?: string): EntailError {
  return new EntailError("scorer_invalid", message, { stage: "score", ...(id === undefined ? {} : { id }) });
}

/** An `EntailError` that also says at which step a scorer broke and what it had until then. Its `id` is Mastra's. */
export interface ScorerRunError extends EntailError {
  readonly id: string;
  readonly scorerId: string;
  readonly failedStep: ScorerStepName | undefined;
  readonly completedSteps: readonly ScorerStepName[];
  /** What was known when it broke: the score too, where only the reason failed. */
  readonly result: ScorerResult | undefined;
}

export interface ScorerRunErrorOptions {
  readonly scorerId: string;
  readonly failedStep?: ScorerStepName;
  readonly completedSteps?: readonly ScorerStepName[];
  readonly result?: ScorerResult;
  readonly cause: unknown;
  readonly id?: string;
}

export function scorerRunError({ scorerId, failedStep, completedSteps = [], result, cause, id = "MASTR_SCORER_FAILED_TO_RUN_WORKFLOW_FAILED" }: ScorerRunErrorOptions): ScorerRunError {
  const where = failedStep === undefined ? "" : ` at ${failedStep}`;
  // A cause that knows its own code keeps it: a deadline stays a deadline.
  const code = isEntailError(cause) ? cause.code : "scorer_failed";
  const error = new EntailError(code, `scorer ${JSON.stringify(scorerId)} failed${where}: ${messageOf(cause)}`, { stage: "score", cause, id });
  // Not enumerable: an uncaught error must not print whole conversations.
  const hidden = { scorerId, failedStep, completedSteps: Object.freeze([...completedSteps]), result };
  for (const [name, value] of Object.entries(hidden)) Object.defineProperty(error, name, { value });
  return error as ScorerRunError;
}

export function isScorerRunError(value: unknown): value is ScorerRunError {
  return isEntailError(value) && typeof (value as Partial<ScorerRunError>).scorerId === "string" && Array.isArray((value as Partial<ScorerRunError>).completedSteps);
}
