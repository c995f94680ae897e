// Owns JSON in which a whole number keeps its digits, however large: a bigint on our side, the text of the arguments on the agent's.

import { EntailError } from "../core/error.ts";
import { canonicalText } from "../json/json-value.ts";
import { readJson } from "../json/read-json.ts";
import { canonicalJson } from "../json/write-json.ts";

/** A mark that no text of JSON holds by chance, around the digits of a bigint. */
const MARK = "\u0000entail.digits\u0000";

/** The canonical JSON of a value that may hold bigints. Throws `json_invalid` for a whole number that JavaScript cannot hold exactly, and for what is no JSON. */
export function exactText(value: unknown): string {
  const text = canonicalJson(JSON.parse(JSON.stringify(value, marked) ?? "null"));
  return text.replace(/"\\u0000entail\.digits\\u0000(-?\d+)"/g, "$1");
}

function marked(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${MARK}${value}`;
  if (typeof value === "number" && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21))) {
    throw new EntailError("json_invalid", `the number ${value}${key === "" ? "" : ` at ${key}`} cannot be held exactly; write it as a bigint`);
  }
  if (typeof value === "function" || typeof value === "symbol") throw new EntailError("json_invalid", `a ${typeof value} stands at ${key}, which is no JSON`);
  return value;
}

export function holdsBigint(value: unknown): boolean {
  return typeof value === "bigint" || (typeof value === "object" && value !== null && Object.values(value).some(holdsBigint));
}

/** The members of a JSON object, each as canonical text; `undefined` where it is none. */
export function exactMembers(json: string): ReadonlyMap<string, string> | undefined {
  try {
    const node = readJson(json);
    return node.kind === "object" ? new Map(Array.from(node.members, ([name, member]) => [name, canonicalText(member)])) : undefined;
  } catch {
    return undefined;
  }
}
