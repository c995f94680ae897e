// Owns the error of a judge whose model never gave a valid answer, and what each refused answer was.

import type { FieldIssue } from "../core/evidence.ts";
import { EntailError, isEntailError } from "../core/error.ts";
import type { ModelResponse } from "../core/model.ts";
import type { AnswerFault } from "./answer-fault.ts";

export interface RejectedAnswer {
  /** Everything that was wrong, in one line. */
  readonly cause: string;
  /** What was wrong with the arguments, as data. */
  readonly issues: readonly FieldIssue[];
  /** The answer itself: its exact text, stop reason and usage. */
  readonly response: ModelResponse;
}

/** The `EntailError` `judge_invalid_response`: it has a fault for each request, and here the answers, in order. */
export interface InvalidJudgeResponse extends EntailError {
  readonly code: "judge_invalid_response";
  readonly attempts: readonly RejectedAnswer[];
}

export function isInvalidJudgeResponse(value: unknown): value is InvalidJudgeResponse {
  return isEntailError(value) && value.code === "judge_invalid_response" && Array.isArray((value as { attempts?: unknown }).attempts);
}

const FAULTS_SHOWN = 20;

export function rejectedAnswer(response: ModelResponse, faults: readonly AnswerFault[]): RejectedAnswer {
  const shown = faults.slice(0, FAULTS_SHOWN).map((fault) => fault.cause);
  if (faults.length > FAULTS_SHOWN) shown.push(`and ${faults.length - FAULTS_SHOWN} more`);
  return Object.freeze({ cause: shown.join("; "), issues: Object.freeze(faults.flatMap((fault) => fault.issue ?? [])), response });
}

export function invalidJudgeResponse(rejected: readonly RejectedAnswer[], maxCorrections: number): InvalidJudgeResponse {
  const faults = rejected.map(({ cause }, index) => ({ code: "judge_invalid_response" as const, place: `request ${index + 1}`, message: cause }));
  const mend = rejected.some(({ response }) => response.stopReason === "length") ? "raise maxOutputTokens" : "look at the answers in the report, or choose a stronger model";
  const requests = rejected.length === 1 ? "1 request" : `${rejected.length} requests`;
  const message = `the judge's model gave no valid answer in ${requests} (maxCorrections ${maxCorrections} is the cap); ${mend}${faults.map(({ place, message: cause }) => `\n  ${place}: ${cause}`).join("")}`;
  const error = new EntailError("judge_invalid_response", message, { stage: "judge", faults });
  // Not enumerable: an uncaught error must not print whole answers.
  return Object.defineProperty(error, "attempts", { value: Object.freeze([...rejected]) }) as InvalidJudgeResponse;
}
