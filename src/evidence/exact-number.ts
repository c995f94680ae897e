// Owns numbers that JavaScript would round: whether a plain value holds the very digits of a JSON text.

import { itemPath, memberPath } from "../core/json-path.ts";
import type { JsonNode } from "../json/read-json.ts";
import { readJson } from "../json/read-json.ts";

/** Fewer digits than these are never rounded. */
const MANY_DIGITS = /\d{16}|\d[eE]/;
const INTEGER = /^(-?\d+)(?:\.0+)?$/;

/**
 * Undefined where each number of `text` (canonical JSON) that stands in `plain` too is the same number digit for digit; else a sentence for the
 * first that is not: 9007199254740993 is read as 9007199254740992, and would pass for it. Equality apart from that is the caller's to see to.
 */
export function roundedNumber(text: string, plain: unknown): string | undefined {
  return MANY_DIGITS.test(text) ? find(readJson(text), plain, "") : undefined;
}

function find(node: JsonNode, plain: unknown, path: string): string | undefined {
  if (node.kind === "number") {
    if (typeof plain !== "number" || sameNumber(node.text, plain)) return undefined;
    return `${path === "" ? "" : `${path}: `}expected ${plain}, got ${node.text}, which JavaScript rounds to it; look at the call's argsJson or resultJson instead`;
  }
  if (node.kind === "array" && Array.isArray(plain)) {
    for (const [at, item] of node.items.entries()) {
      const rounded = find(item, plain[at], itemPath(path, at));
      if (rounded !== undefined) return rounded;
    }
  }
  if (node.kind === "object" && typeof plain === "object" && plain !== null) {
    for (const [name, member] of node.members) {
      const rounded = Object.hasOwn(plain, name) ? find(member, (plain as Record<string, unknown>)[name], memberPath(path, name)) : undefined;
      if (rounded !== undefined) return rounded;
    }
  }
  return undefined;
}

function sameNumber(text: string, value: number): boolean {
  if (Number(text) !== value || !Number.isFinite(value)) return false;
  // A fraction is read to the nearest double by everybody; an integer is meant exactly.
  const digits = INTEGER.exec(text)?.[1];
  if (digits === undefined || BigInt(digits) === BigInt(value)) return true;
  // What JavaScript itself writes for the value is the value, though its last digits are no longer exact.
  const written = String(value);
  return INTEGER.test(written) && BigInt(digits) === BigInt(written);
}
