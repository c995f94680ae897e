// Owns what a thrown error means as evidence: the failure of a call and its kind, and why a run failed. It reads by shape and never throws.

import { messageOf } from "./error.ts";
import { FAILURE_KINDS, type FailureCause, type FailureKind, type RunFailure } from "./evidence.ts";
import { countMember, member, textMember } from "./member.ts";

const MAX_CAUSES = 8;

const KIND_BY_NAME: ReadonlyMap<string, FailureKind> = new Map([
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
export function thrownMessage(error: unknown): string {
  const message = textMember(error, "message") ?? messageOf(error);
  return message === "" || error === undefined || error === null ? "it failed without saying why" : message;
}

/** What was thrown, with its causes to a depth. */
export function thrownCause(error: unknown, depth = 0): FailureCause {
  const cause = member(error, "cause");
  const message = thrownMessage(error);
  return cause === undefined || cause === null || cause === error || depth >= MAX_CAUSES ? { message } : { message, cause: thrownCause(cause, depth + 1) };
}

/**
 * An error's own word (`error.kind`) is believed where it is one of Entail's; then statuses, names and codes that leave no doubt; else `unknown`.
 * `named` adds the names of a framework's own errors.
 */
export function thrownKind(error: unknown, named: ReadonlyMap<string, FailureKind> = KIND_BY_NAME, depth = 0): FailureKind {
  const own = member(error, "kind");
  const said = FAILURE_KINDS.find((kind) => kind === own);
  if (said !== undefined) return said;
  const status = countMember(error, "statusCode") ?? countMember(error, "status");
  if (status === 429) return "rate_limited";
  if (status === 503 || status === 529) return "unavailable";
  const name = textMember(error, "name") ?? "";
  const known = named.get(name) ?? KIND_BY_NAME.get(name) ?? KIND_BY_SYSTEM_CODE.get(textMember(error, "code") ?? "");
  if (known !== undefined) return known;
  const cause = member(error, "cause");
  return cause === undefined || cause === null || depth >= MAX_CAUSES ? "unknown" : thrownKind(cause, named, depth + 1);
}

/** Why a run failed, with what an API error tells of its request. */
export function thrownRunFailure(error: unknown): RunFailure {
  // A retry error stands for the last of its attempts.
  const last = member(error, "lastError") ?? error;
  const httpStatus = countMember(last, "statusCode") ?? countMember(last, "status");
  const retryable = member(last, "isRetryable");
  const kind = textMember(last, "name");
  const code = textMember(member(member(last, "data"), "error"), "code") ?? textMember(last, "code");
  return {
    message: thrownMessage(error),
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

/** Codes and messages of a connection that ended before its time. */
const BROKEN_CODES: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "UND_ERR_SOCKET", "UND_ERR_BODY_TIMEOUT", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"]);
const BROKEN_MESSAGES: ReadonlySet<string> = new Set(["terminated", "Premature close", "aborted", "other side closed", "socket hang up"]);

/** True where an error says that a connection broke while something was being read from it: nobody knows then what was still to come. */
export function isBrokenConnection(error: unknown, depth = 0): boolean {
  if (BROKEN_CODES.has(textMember(error, "code") ?? "") || BROKEN_MESSAGES.has(textMember(error, "message") ?? "")) return true;
  const cause = member(error, "cause");
  return cause !== undefined && cause !== null && depth < MAX_CAUSES && isBrokenConnection(cause, depth + 1);
}
