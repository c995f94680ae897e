// Owns the record of what was thrown: from any value, however hostile, to the error of a report.

import { type ErrorCode, isEntailError, messageOf, type Stage } from "../core/error.ts";
import type { ReportError } from "../core/report.ts";

/** An `EntailError` keeps its code; anything else gets `fallback`. The message is the thrown one's own, after `prefix` where there is one. */
export function describeError(thrown: unknown, stage: Stage, fallback: ErrorCode, prefix = ""): ReportError {
  return { code: codeOf(thrown) ?? fallback, stage, message: `${prefix}${textOf(thrown)}` };
}

/** The code of an `EntailError` of this or another copy of the package. */
export function codeOf(thrown: unknown): string | undefined {
  try {
    return isEntailError(thrown) ? thrown.code : undefined;
  } catch {
    return undefined;
  }
}

function textOf(thrown: unknown): string {
  const text: unknown = messageOf(thrown);
  return typeof text === "string" && text !== "" ? text : "something without a message was thrown";
}

/** A member of what was thrown, `undefined` where it cannot be read. */
export function memberOf(thrown: unknown, member: string): unknown {
  try {
    return typeof thrown === "object" && thrown !== null ? (thrown as Record<string, unknown>)[member] : undefined;
  } catch {
    return undefined;
  }
}
