// Owns what a strictly read JSON text amounts to: its plain value, and its canonical text with every digit kept.

import type { JsonNode } from "./read-json.ts";

/** The plain value, numbers as JavaScript rounds them. A member named `__proto__` is an own member like any other. */
export function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case "object": {
      const value: Record<string, unknown> = {};
      for (const [name, member] of node.members) {
        // An assignment to `__proto__` would change the object instead.
        if (name === "__proto__") Object.defineProperty(value, name, { value: valueOf(member), enumerable: true, configurable: true, writable: true });
        else value[name] = valueOf(member);
      }
      return value;
    }
    case "array":
      return node.items.map(valueOf);
    case "string":
    case "boolean":
      return node.value;
    case "number":
      return Number(node.text);
    case "null":
      return null;
    default:
      return node satisfies never;
  }
}

/**
 * The text without white space, members in the order of their names' UTF-16 code units, numbers digit for digit as they stood. Two texts that
 * differ in layout, order of members or escapes alone have one canonical text.
 */
export function canonicalText(node: JsonNode): string {
  switch (node.kind) {
    case "object":
      return `{${[...node.members]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`)
        .join(",")}}`;
    case "array":
      return `[${node.items.map(canonicalText).join(",")}]`;
    case "string":
      return JSON.stringify(node.value);
    case "number":
      return node.text;
    case "boolean":
      return String(node.value);
    case "null":
      return "null";
    default:
      return node satisfies never;
  }
}
