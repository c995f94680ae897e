// Owns a JSON value that came with an event: caught as text at once, so that nobody can change it later, and read only when evidence is made.

import { messageOf } from "../core/error.ts";
import { freezeDeep } from "../core/freeze-deep.ts";
import { canonicalText, valueOf } from "../json/json-value.ts";
import { readJson } from "../json/read-json.ts";
import { canonicalJson } from "../json/write-json.ts";
import { eventPlace, malformed } from "./malformed.ts";

/** Text that was written here is canonical already; raw text came from outside and may be anything. */
export type Payload = { readonly text: string; readonly raw: boolean } | "absent" | "empty";

/** A payload as evidence shows it. */
export interface Shown {
  /** Frozen to its depth; the text itself where it is not JSON. */
  readonly value: unknown;
  /** Canonical, with every digit kept; the text itself where it is not JSON. */
  readonly json: string;
}

// The type and the id of the event are put together only for a fault: this is the busiest road.

/** The arguments of a call. The raw text decides where both are given: it alone keeps every digit. Throws `event_invalid` for a value that JSON cannot hold. */
export function catchArguments(value: unknown, json: unknown, type: string, id: string): Payload {
  if (json !== undefined && json !== null) {
    if (typeof json !== "string") throw malformed(eventPlace(type, id), "argsJson must be a text", json);
    if (json === "") return "empty";
    return { text: json, raw: true };
  }
  if (value === undefined) return "absent";
  if (value === "") return "empty";
  return { text: jsonOf(value, "args", type, id), raw: false };
}

/** The result of a call; `absent` where it carries none. `null` and the empty text are results like any other. */
export function catchResult(value: unknown, json: unknown, type: string, id: string): Payload {
  if (json !== undefined && json !== null) {
    if (typeof json !== "string") throw malformed(eventPlace(type, id), "resultJson must be a text", json);
    return { text: json, raw: true };
  }
  return value === undefined ? "absent" : { text: jsonOf(value, "result", type, id), raw: false };
}

function jsonOf(value: unknown, member: string, type: string, id: string): string {
  try {
    return canonicalJson(value);
  } catch (thrown) {
    throw malformed(eventPlace(type, id), `${member} must be a JSON value: ${messageOf(thrown)}`);
  }
}

const NO_ARGUMENTS: Shown = { value: Object.freeze({}), json: "{}" };

/** Reads the arguments. Where there were none they are `{}`, and `argsRaw` says how they came. */
export function showArguments(payload: Payload): Shown & { readonly argsRaw?: "absent" | "null" | "empty" } {
  if (typeof payload === "string") return { ...NO_ARGUMENTS, argsRaw: payload };
  const shown = show(payload);
  return shown.json === "null" ? { ...NO_ARGUMENTS, argsRaw: "null" } : shown;
}

/** Reads the result; undefined where there is none. */
export function showResult(payload: Payload): Shown | undefined {
  return typeof payload === "string" ? undefined : show(payload);
}

function show({ text, raw }: { readonly text: string; readonly raw: boolean }): Shown {
  if (!raw) return { value: freezeDeep(JSON.parse(text)), json: text };
  try {
    const node = readJson(text);
    return { value: freezeDeep(valueOf(node)), json: canonicalText(node) };
  } catch {
    return { value: text, json: text };
  }
}

/** Why a payload's text is not JSON; undefined where it is. A JSON text's own text never equals it: it has quotes. */
export function notJson(value: unknown, json: string | undefined): string | undefined {
  if (typeof value !== "string" || value !== json) return undefined;
  try {
    readJson(json);
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
