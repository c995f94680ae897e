// Owns the error of an event that is not what its type says.

import { EntailError } from "../core/error.ts";
import { nameOf } from "./predicate.ts";

/** `tool_start of call "a": toolName must be a text; it is undefined`. */
export function malformed(where: string, fault: string, ...value: readonly unknown[]): EntailError {
  return new EntailError("event_invalid", `${where}: ${fault}${value.length > 0 ? `; it is ${nameOf(value[0])}` : ""}`);
}

/** A text, or undefined where the member is absent, `null` or empty. Throws `event_invalid`. */
export function optionalText(value: unknown, member: string, where: string): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw malformed(where, `${member} must be a text`, value);
  return value;
}

/** A text that holds something. Throws `event_invalid`. */
export function requiredText(value: unknown, member: string, where: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw malformed(where, `${member} must be a text that is not empty`, value);
}

/** True for what has members: no list, no `null`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `tool_start of call "a"`, for the beginning of a fault's sentence. */
export function eventPlace(type: string, id: string): string {
  return `${type} of call ${JSON.stringify(id)}`;
}
