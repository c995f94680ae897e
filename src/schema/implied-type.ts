// Owns the type that a schema means without saying it: `{ properties: … }` alone would accept every text, which nobody means.

import type { JsonSchema } from "../core/schema.ts";
import { ANNOTATIONS, has, mapWithin, type Subschema } from "./keyword.ts";

const FAMILIES: readonly (readonly [type: string, words: readonly string[]])[] = [
  [
    "object",
    ["properties", "required", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas"],
  ],
  ["array", ["items", "prefixItems", "unevaluatedItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** Adds the type wherever every word of a schema is about one type alone. What only asks (`not`, `if`) is left as it is. */
export function addImpliedTypes(schema: Subschema): Subschema {
  if (typeof schema === "boolean") return schema;
  const inner = mapWithin(schema, (part, steps) => (has(["not", "if", "contains", "propertyNames"], String(steps[0])) ? part : addImpliedTypes(part)));
  const type = impliedType(inner);
  return type === undefined ? inner : { type, ...inner };
}

function impliedType(schema: JsonSchema): string | undefined {
  const words = Object.keys(schema).filter((word) => !ANNOTATIONS.has(word) && word !== "$defs");
  if (words.length === 0) return undefined;
  return FAMILIES.find(([, family]) => words.every((word) => family.includes(word)))?.[0];
}
