// Owns what of a call's arguments and result is evidence: the text that the model wrote, or the value that a tool was given or gave back.

import { messageOf } from "../core/error.ts";
import type { ToolEndEvent } from "../core/event.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { canonicalJson, sameJson } from "../json/write-json.ts";

/** The members of a `tool_start` that carry arguments: raw text wherever it says what the tool was given, so that every digit is kept. */
export type ArgumentMembers = { readonly argsJson: string } | { readonly args: unknown };

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const MAX_DEPTH = 200;

/** Data as JSON holds it, without a date, a map or an instance of a class: such values are what a schema made of the arguments. */
function isPlain(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean" || value === undefined) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MAX_DEPTH) return false;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (!Array.isArray(value) && prototype !== null && prototype !== Object.prototype) return false;
    return Object.values(value).every((item) => isPlain(item, depth + 1));
  } catch {
    return false;
  }
}

/**
 * The arguments of a call. `text` is what the model wrote, where the stream gave it; `input` what the SDK made of it.
 * An invalid call is shown as it was written. A valid one is shown as it was written where the tool was given just that, or a value that
 * JSON cannot hold; where the SDK filled in defaults, refined or repaired the input, the tool's input is what was done.
 */
export function argumentMembers(text: string | undefined, input: unknown, invalid: boolean): ArgumentMembers {
  if (invalid) {
    const written = text !== undefined && text !== "" ? text : typeof input === "string" ? input : undefined;
    return written === undefined ? { args: jsonSafe(input) } : { argsJson: written };
  }
  const value = text === undefined || text.trim() === "" ? undefined : parsed(text);
  if (text !== undefined && value !== undefined && (input === undefined || sameJson(value.value, input) || !isPlain(input))) return { argsJson: text };
  return { args: jsonSafe(input) };
}

/** What is not there stays so: the collector shows it as such. */
function jsonSafe(value: unknown): unknown {
  try {
    canonicalJson(value);
    return value;
  } catch {
    return wireSafe(value);
  }
}

/**
 * The members of a `tool_end` that carry a result. An output that JSON cannot hold is shown as the model was shown it, as
 * `JSON.stringify` writes it; where it cannot be written at all, it is left out and the reason is said.
 */
export function resultMembers(output: unknown): Pick<ToolEndEvent, "result" | "resultJson" | "resultOmitted"> {
  if (output === undefined) return {};
  try {
    canonicalJson(output);
    return { result: output };
  } catch {
    try {
      const written = JSON.stringify(output) as string | undefined;
      if (written !== undefined) return { resultJson: written };
      return { resultOmitted: { reason: `the output is a ${typeof output}, which JSON cannot hold` } };
    } catch (thrown) {
      return { resultOmitted: { reason: `the output cannot be written as JSON: ${messageOf(thrown)}` } };
    }
  }
}
