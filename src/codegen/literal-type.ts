// Owns the literal type of one JSON value: `"a"`, `1`, `null`, `{ a: 1 }`.

import { quoted, typeKey } from "./literal-text.ts";

export function literalType(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literalType).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${typeKey(name)}: ${literalType(member)}`);
    return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
  }
  // A number beyond all digits has no literal type.
  return typeof value === "number" && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(String(value)) ? "number" : String(value);
}
