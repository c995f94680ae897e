// Owns the one order in which a server's schema is kept: some servers write it in another order each time, which says nothing and must not look
// like a change.

import { has, isSchemaObject, MAP_OF_SCHEMAS, mapWithin, withMembers } from "../../schema/keyword.ts";

/** Deeper schemas are refused when the design is checked. */
const MAX_DEPTH = 200;

/** The schema with members, properties and the names of `required` sorted; anything else as it is. */
export function stableSchema(schema: unknown, depth = 0): unknown {
  if (!isSchemaObject(schema) || depth > MAX_DEPTH) return schema;
  const { definitions, ...rest } = schema;
  // What draft-07 calls the definitions; its references are read either way.
  const whole = isSchemaObject(definitions) && rest["$defs"] === undefined ? { ...rest, $defs: definitions } : schema;
  const inner = mapWithin(whole, (part) => stableSchema(part, depth + 1) as never);
  return sorted(
    Object.entries(inner).map(([keyword, value]) => {
      if (has(MAP_OF_SCHEMAS, keyword) && isSchemaObject(value)) return [keyword, sorted(Object.entries(value))];
      return [keyword, keyword === "required" && Array.isArray(value) ? [...(value as unknown[])].sort((a, b) => (String(a) < String(b) ? -1 : 1)) : value];
    }),
  );
}

function sorted(members: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return withMembers([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
}
