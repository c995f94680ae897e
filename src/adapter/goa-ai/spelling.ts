// Owns the spellings of a field on the wire: Goa-AI's own (`tool_call_id`), Go's where a struct has no tags (`ToolCallID`), and a re-encoder's
// (`toolCallId`).

import { member, namesOf } from "../../core/member.ts";

/** Words that Go writes in capitals. */
const INITIALISMS: ReadonlySet<string> = new Set(["id", "json", "http"]);

const known = new Map<string, readonly string[]>();

/** Every spelling of a snake_case name, its own first. */
function spellings(name: string): readonly string[] {
  const before = known.get(name);
  if (before !== undefined) return before;
  const words = name.split("_");
  const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
  const all = [
    name,
    words.map((word, at) => (at === 0 ? word : capital(word))).join(""),
    words.map((word) => (INITIALISMS.has(word) ? word.toUpperCase() : capital(word))).join(""),
    words.map(capital).join(""),
  ];
  const unique = [...new Set(all)];
  known.set(name, unique);
  return unique;
}

/** The name under which `value` has the field; `undefined` where it has none, or only `null`s, which is how Go writes an absent pointer. */
export function spelled(value: unknown, name: string): string | undefined {
  return spellings(name).find((spelling) => {
    const read = member(value, spelling);
    return read !== undefined && read !== null;
  });
}

/** The field whose snake_case name is `name`, however it is spelled. */
export function field(value: unknown, name: string): unknown {
  const spelling = spelled(value, name);
  return spelling === undefined ? undefined : member(value, spelling);
}

/** An object with those fields of `value` that are there, named as Entail names them. Whoever reads it judges what they hold. */
export function renamed(value: unknown, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, wire] of Object.entries(names)) {
    const read = field(value, wire);
    if (read !== undefined) copy[name] = read;
  }
  return copy;
}

/** `expected_children_total` as `expectedChildrenTotal`; a name in Go's spelling as it is but for its first letter. */
function camel(name: string): string {
  const joined = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return joined.slice(0, 1).toLowerCase() + joined.slice(1);
}

/** The members of an event that is no evidence, as they came but for their names. */
export function camelMembers(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(namesOf(value).map((name) => [camel(name), member(value, name)]));
}
