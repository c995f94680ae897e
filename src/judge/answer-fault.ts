// Owns the faults of a judge's answer, each in two tongues: for people, who may see what the model wrote, and for the model's next
// try, which sees structure alone.

import type { FieldIssue } from "../core/evidence.ts";
import { LABELS } from "../core/label.ts";
import { payloadPath, quoted } from "./payload-path.ts";

export interface AnswerFault {
  /** For the error and the report. */
  readonly cause: string;
  /** For a correction note: paths and types, never the words of a claim, a reference or a rationale. */
  readonly note: string;
  /** The same as data, where the fault lies in the arguments of a call. */
  readonly issue?: FieldIssue;
}

export const UNIQUE_NAMES = "unique JSON object member names";

function withArticle(type: string): string {
  return type === "null" ? type : `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** A fault of the whole answer, which the model may read as it is. */
export function answerFault(cause: string, note: string = cause): AnswerFault {
  return { cause, note };
}

export function wrongType(names: readonly string[], expected: string, actual: string): AnswerFault {
  const field = payloadPath(...names);
  const note = `${field} must be ${withArticle(expected)}`;
  return { cause: `${note} and is ${withArticle(actual)}`, note, issue: { field, constraint: "invalid_field_type", expectedJsonType: expected, actualJsonType: actual } };
}

export function missing(names: readonly string[], expected: string): AnswerFault {
  const field = payloadPath(...names);
  const note = `${field} is missing: it is required and must be ${withArticle(expected)}`;
  return { cause: note, note, issue: { field, constraint: "missing_field", expectedJsonType: expected } };
}

/**
 * A member that nobody declared. Its name is the model's own text, so the note says it only where `mentionable`: what stands in the
 * data must find no way into a system message.
 */
export function undeclared(names: readonly string[], mentionable: boolean): AnswerFault {
  const name = names.at(-1) ?? "";
  const where = payloadPath(...names.slice(0, -1));
  const note = mentionable ? `${where} has the undeclared property ${quoted(name)}` : `${where} has an undeclared property, with a name of ${name.length} characters`;
  return { cause: `${where} has the undeclared property ${quoted(name)}`, note, issue: { field: payloadPath(...names), constraint: "unknown_field" } };
}

export function unknownLabel(names: readonly string[], label: string): AnswerFault {
  const field = payloadPath(...names);
  const note = `${field} must be exactly one of ${LABELS.join(", ")}`;
  return { cause: `${note} and is ${quoted(label)}`, note, issue: { field, constraint: "invalid_enum_value", allowed: LABELS } };
}

export function emptyText(names: readonly string[]): AnswerFault {
  const field = payloadPath(...names);
  const note = `${field} must not be empty`;
  return { cause: note, note, issue: { field, constraint: "invalid_length", minLen: 1 } };
}

/** A quote that is none; `cause` shows what was given for one. */
export function badQuote(names: readonly string[], quote: string): AnswerFault {
  const field = payloadPath(...names);
  const note = `${field} must be words copied character for character from one place of the data block`;
  return { cause: quote === "" ? `${note} and is empty` : `${note}, and ${quoted(quote)} stands nowhere in it`, note, issue: { field, constraint: "invalid_format", format: "words of the data block" } };
}

/** A fault of the arguments' text itself; `cause` is the reader's own sentence. */
export function badText(cause: string, note: string, format: string): AnswerFault {
  return { cause, note, issue: { field: payloadPath(), constraint: "invalid_format", format } };
}
