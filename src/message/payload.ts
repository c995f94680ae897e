// Owns the arguments and results of calls in messages: as the text that a message holds, or as the value, each caught once and frozen.

import { freezeDeep } from "../core/freeze-deep.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { canonicalText, valueOf } from "../json/json-value.ts";
import { readJson } from "../json/read-json.ts";
import { canonicalJson } from "../json/write-json.ts";

/** What a message holds of arguments or of a result: JSON as text, or a value. */
export type Payload = { readonly text: string } | { readonly value: unknown };

export interface ShownPayload {
  readonly value: unknown;
  readonly json: string;
}

const NONE: ShownPayload = { value: Object.freeze({}), json: "{}" };

/** The arguments. Where there were none they are `{}`, and `raw` says how they came. Never throws. */
export function showArguments(payload: Payload): ShownPayload & { readonly raw?: "absent" | "null" | "empty" } {
  // A value that is a text is what could not be parsed, or what a tool for plain text was given.
  const text = "text" in payload ? payload.text : typeof payload.value === "string" ? payload.value : undefined;
  if (text !== undefined && text.trim() === "") return { ...NONE, raw: "empty" };
  if (text === undefined && (payload as { readonly value: unknown }).value === undefined) return { ...NONE, raw: "absent" };
  const shown = text === undefined ? ofValue((payload as { readonly value: unknown }).value) : (ofText(text) ?? { value: text, json: text });
  return shown.json === "null" ? { ...NONE, raw: "null" } : shown;
}

/**
 * The result; `undefined` where the message holds none. Of text, an object or a list written as JSON is read, with every digit; any other text is
 * the result as it stands. Never throws.
 */
export function showResult(payload: Payload): ShownPayload | undefined {
  if ("text" in payload) {
    const read = /^\s*[[{]/.test(payload.text) ? ofText(payload.text) : undefined;
    return read ?? { value: payload.text, json: JSON.stringify(payload.text) };
  }
  return payload.value === undefined ? undefined : ofValue(payload.value);
}

/** `undefined` where the text is no JSON, or JSON that says something twice. */
function ofText(text: string): ShownPayload | undefined {
  try {
    const node = readJson(text);
    return { value: freezeDeep(valueOf(node)), json: canonicalText(node) };
  } catch {
    return undefined;
  }
}

function ofValue(value: unknown): ShownPayload {
  const json = jsonOf(value);
  return { value: freezeDeep(JSON.parse(json)), json };
}

/** What JSON cannot hold is shown as a report would show it. */
function jsonOf(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return canonicalJson(wireSafe(value) ?? null);
  }
}
