// Owns how a place in a judge's answer is written down: `$payload.complete_answer.label`, foreign names quoted and never too long.

import { memberPath } from "../core/json-path.ts";

const LONGEST_NAME = 120;
// What a terminal or a reader cannot see or takes as a line's end: C1 controls, zero-width and direction marks, separators.
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** `text` as a JSON string that shows every character; cut, with its true length said, where it is long. */
export function quoted(text: string): string {
  const shown = text.length > LONGEST_NAME ? text.slice(0, LONGEST_NAME) : text;
  const escaped = JSON.stringify(shown).replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return shown.length === text.length ? escaped : `${escaped.slice(0, -1)}…" (${text.length} characters)`;
}

function isPlain(name: string): boolean {
  return name.length <= LONGEST_NAME && memberPath("", name) === name;
}

/** The path of a member below the root. */
export function payloadPath(...names: readonly string[]): string {
  return names.reduce((path, name) => (isPlain(name) ? `${path}.${name}` : `${path}[${quoted(name)}]`), "$payload");
}
