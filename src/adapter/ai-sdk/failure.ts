// Owns what an error of the AI SDK, of a tool or of a provider means as evidence: a tool's failure and its kind, a run's failure.

import { messageOf } from "../../core/error.ts";
import { FAILURE_KINDS, type FailureCause, type FailureKind, type RunFailure, type ToolFailure } from "../../core/evidence.ts";
import { countMember, member, textMember } from "../../core/member.ts";

const MAX_CAUSES = 8;

/** Names of the SDK's errors for calls that break their contract, and of the platform's. */
const KIND_BY_NAME: ReadonlyMap<string, FailureKind> = new Map([
  ["AI_NoSuchToolError", "invalid_call"],
  ["AI_InvalidToolInputError", "invalid_call"],
  ["AI_ToolCallRepairError", "invalid_call"],
  ["TimeoutError", "timeout"],
  ["AbortError", "cancelled"],
]);

const KIND_BY_SYSTEM_CODE: ReadonlyMap<string, FailureKind> = new Map([
  ["ETIMEDOUT", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["ECONNREFUSED", "unavailable"],
  ["ECONNRESET", "unavailable"],
  ["ENOTFOUND", "unavailable"],
  ["EAI_AGAIN", "unavailable"],
  ["EHOSTUNREACH", "unavailable"],
]);

/** The text of what was thrown: never empty, and a thrown object's own `message` where it has one. */
function messageFor(error: unknown): string {
  const message = textMember(error, "message") ?? messageOf(error);
  return message === "" || error === undefined || error === null ? "it failed without saying why" : message;
}

function causeOf(error: unknown, depth = 0): FailureCause {
  const cause = member(error, "cause");
  const message = messageFor(error);
  return cause === undefined || cause === null || cause === error || depth >= MAX_CAUSES ? { message } : { message, cause: causeOf(cause, depth + 1) };
}

/** An error's own word (`error.kind`) is believed where it is one of Entail's; then names and codes that leave no doubt; else `unknown`. */
function kindOf(error: unknown, depth = 0): FailureKind {
  const own = member(error, "kind");
  const said = FAILURE_KINDS.find((kind) => kind === own);
  if (said !== undefined) return said;
  const status = countMember(error, "statusCode") ?? countMember(error, "status");
  if (status === 429) return "rate_limited";
  if (status === 503 || status === 529) return "unavailable";
  const known = KIND_BY_NAME.get(textMember(error, "name") ?? "") ?? KIND_BY_SYSTEM_CODE.get(textMember(error, "code") ?? "");
  if (known !== undefined) return known;
  const cause = member(error, "cause");
  return cause === undefined || cause === null || depth >= MAX_CAUSES ? "unknown" : kindOf(cause, depth + 1);
}

/** The failure of a call that the SDK itself refused: its arguments or its tool break the contract. */
export function invalidCall(error: unknown): ToolFailure {
  return { kind: "invalid_call", error: causeOf(error) };
}

/** The failure of a call whose tool threw, or whose provider gave an error back. `said` is the application's own word for its kind. */
export function toolFailure(error: unknown, said: FailureKind | undefined): ToolFailure {
  return { kind: said ?? kindOf(error), error: causeOf(error) };
}

/** Why a run failed, with what an API error tells of its request. */
export function runFailure(error: unknown): RunFailure {
  // A retry error stands for the last of its attempts.
  const last = member(error, "lastError") ?? error;
  const httpStatus = countMember(last, "statusCode");
  const retryable = member(last, "isRetryable");
  const kind = textMember(last, "name");
  const code = textMember(member(member(last, "data"), "error"), "code") ?? textMember(last, "code");
  return {
    message: messageFor(error),
    ...(kind === undefined || kind === "Error" ? {} : { kind }),
    ...(code === undefined ? {} : { code }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(typeof retryable === "boolean" ? { retryable } : {}),
  };
}

/** True where an error says that the run was stopped from outside. */
export function isAbort(error: unknown): boolean {
  return textMember(error, "name") === "AbortError";
}
