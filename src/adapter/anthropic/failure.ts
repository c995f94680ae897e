// Owns what a failed result, an error of the API or of a tool means as evidence: a call's failure and its kind, and how a run ended that threw.

import type { FailureKind, RunFailure, ToolFailure } from "../../core/evidence.ts";
import { flagMember, listOf, member, recordMember, textMember } from "../../core/member.ts";
import { isAbort, isBrokenConnection, thrownCause, thrownKind, thrownMessage, thrownRunFailure } from "../../core/thrown.ts";

/** Codes with which the API's own tools fail. */
const KIND_BY_CODE: ReadonlyMap<string, FailureKind> = new Map([
  ["too_many_requests", "rate_limited"],
  ["unavailable", "unavailable"],
  ["execution_time_exceeded", "timeout"],
  ["invalid_input", "invalid_call"],
  ["invalid_tool_input", "invalid_call"],
  ["query_too_long", "invalid_call"],
  ["request_too_large", "invalid_call"],
  ["url_too_long", "invalid_call"],
  ["max_uses_exceeded", "domain_rejection"],
  ["url_not_allowed", "domain_rejection"],
  ["url_not_in_prior_context", "domain_rejection"],
  ["unsupported_content_type", "domain_rejection"],
  ["content_too_large", "domain_rejection"],
  ["output_file_too_large", "domain_rejection"],
  ["file_not_found", "domain_rejection"],
  ["url_not_accessible", "unavailable"],
]);

export interface FailureOptions {
  /** Says what kind of failure a failed result, or an error of a tool, is. The API says only that it is one. */
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
}

/** The words of a result: its text, or the texts of its blocks. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return (listOf(content) ?? []).map((block) => textMember(block, "text") ?? "").join("");
}

/** A result of the application's that is marked as an error. */
export function failedResult(toolName: string, content: unknown, { failureKind }: FailureOptions): ToolFailure {
  const text = contentText(content);
  return { kind: failureKind?.(toolName, content) ?? "unknown", error: { message: text === "" ? "the result is marked as an error and says nothing" : text } };
}

/** The failure in a result block of one of the API's own tools; `undefined` where it has not failed. */
export function serverFailure(block: unknown): ToolFailure | undefined {
  const content = recordMember(block, "content");
  const code = textMember(content, "error_code");
  if (code !== undefined) return { kind: KIND_BY_CODE.get(code) ?? "unknown", error: { message: textMember(content, "error_message") ?? code } };
  if (textMember(content, "type")?.endsWith("_error") === true) return { kind: "unknown", error: { message: thrownMessage(content) } };
  if (!flagMember(block, "is_error")) return undefined;
  const text = contentText(member(block, "content"));
  return { kind: "unknown", error: { message: text === "" ? "the provider says that the call failed" : text } };
}

export function thrownFailure(toolName: string, error: unknown, { failureKind }: FailureOptions): ToolFailure {
  return { kind: failureKind?.(toolName, error) ?? thrownKind(error), error: thrownCause(error) };
}

/** How a run ended that threw, or that was told an error; `undefined` where nobody knows whether more was to come. */
export type ThrownEnd = { readonly phase: "cancelled"; readonly reason?: string | undefined } | { readonly phase: "failed"; readonly failure: RunFailure };

/** What the API says of itself: in an `error` event, or in the body of an answer that the SDK threw. */
function apiError(error: unknown): { readonly type: string; readonly message: string } | undefined {
  const body = member(error, "error");
  for (const said of [body, member(body, "error")]) {
    const type = textMember(said, "type");
    const message = textMember(said, "message");
    if (type !== undefined && type !== "error" && message !== undefined) return { type, message };
  }
  return undefined;
}

/** An error event ends a run as a thrown one does. An abort of the SDK's is told by its name. */
export function endOfThrown(error: unknown): ThrownEnd | undefined {
  if (isAbort(error) || textMember(error, "name") === "APIUserAbortError") return { phase: "cancelled", reason: thrownMessage(error) };
  const said = apiError(error);
  const failure = thrownRunFailure(error);
  if (failure.httpStatus === undefined && (said === undefined || isBrokenConnection(error))) return undefined;
  return { phase: "failed", failure: { ...failure, message: said?.message ?? failure.message, ...(said === undefined ? {} : { kind: said.type }) } };
}
