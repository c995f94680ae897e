// Owns the keywords of JSON Schema (draft 2020-12) that Entail reads, and the walk over the schemas within a schema.

import type { JsonSchema } from "../core/schema.ts";

/** A schema, or the two that say everything and nothing. */
export type Subschema = JsonSchema | boolean;

/** Keywords whose value is one schema. */
export const ONE_SCHEMA = ["items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames", "not", "if", "then", "else"] as const;
/** Keywords whose value is a list of schemas. */
export const LIST_OF_SCHEMAS = ["prefixItems", "allOf", "anyOf", "oneOf"] as const;
/** Keywords whose value is an object of schemas. */
export const MAP_OF_SCHEMAS = ["properties", "patternProperties", "dependentSchemas", "$defs"] as const;
/** Keywords that apply a schema to the same value, not to a part of it. */
export const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"] as const;

/** What a keyword that holds no schema must hold. */
export const DATA_KEYWORDS: ReadonlyMap<string, "any" | "text" | "boolean" | "number" | "count" | "names" | "list" | "types" | "name lists"> = new Map([
  ["$ref", "text"],
  ["type", "types"],
  ["enum", "list"],
  ["const", "any"],
  ["required", "names"],
  ["dependentRequired", "name lists"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["minContains", "count"],
  ["maxContains", "count"],
  ["uniqueItems", "boolean"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["pattern", "text"],
  ["format", "text"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number"],
  ["exclusiveMaximum", "number"],
  ["multipleOf", "number"],
]);

/** Keywords that say something about a value and decide nothing. */
export const ANNOTATIONS: ReadonlyMap<string, "any" | "text" | "boolean" | "list"> = new Map([
  ["title", "text"],
  ["description", "text"],
  ["default", "any"],
  ["examples", "list"],
  ["deprecated", "boolean"],
  ["readOnly", "boolean"],
  ["writeOnly", "boolean"],
  ["contentEncoding", "text"],
  ["contentMediaType", "text"],
]);

export const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;
export type TypeName = (typeof TYPES)[number];

export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSubschema(value: unknown): value is Subschema {
  return typeof value === "boolean" || isSchemaObject(value);
}

/** The schemas directly within `schema`, with the steps that lead to each (`["properties", "user_id"]`), in the order they stand. */
export function* within(schema: JsonSchema): Generator<readonly [steps: readonly (string | number)[], schema: Subschema]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (has(ONE_SCHEMA, keyword)) {
      if (isSubschema(value)) yield [[keyword], value];
    } else if (has(LIST_OF_SCHEMAS, keyword)) {
      if (Array.isArray(value)) for (const [at, item] of value.entries()) if (isSubschema(item)) yield [[keyword, at], item];
    } else if (has(MAP_OF_SCHEMAS, keyword) && isSchemaObject(value)) {
      for (const [name, member] of Object.entries(value)) if (isSubschema(member)) yield [[keyword, name], member];
    }
  }
}

/** A copy of `schema` in which each schema directly within it was replaced; everything else is shared. */
export function mapWithin(schema: JsonSchema, change: (schema: Subschema, steps: readonly (string | number)[]) => Subschema): JsonSchema {
  return withMembers(
    Object.entries(schema).map(([keyword, value]) => {
      if (has(ONE_SCHEMA, keyword)) return [keyword, isSubschema(value) ? change(value, [keyword]) : value];
      if (has(LIST_OF_SCHEMAS, keyword)) return [keyword, Array.isArray(value) ? value.map((item: unknown, at) => (isSubschema(item) ? change(item, [keyword, at]) : item)) : value];
      if (has(MAP_OF_SCHEMAS, keyword) && isSchemaObject(value)) {
        return [keyword, withMembers(Object.entries(value).map(([name, member]) => [name, isSubschema(member) ? change(member, [keyword, name]) : member]))];
      }
      return [keyword, value];
    }),
  );
}

/** Every schema in `schema`, itself first, with the steps that lead to it. */
export function* everySchema(schema: Subschema, steps: readonly (string | number)[] = []): Generator<readonly [steps: readonly (string | number)[], schema: Subschema]> {
  yield [steps, schema];
  if (typeof schema === "boolean") return;
  for (const [below, inner] of within(schema)) yield* everySchema(inner, [...steps, ...below]);
}

/** An object of these members; one named `__proto__` is an own member like any other. */
export function withMembers(members: Iterable<readonly [name: string, value: unknown]>): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [name, value] of members) {
    if (name === "__proto__") Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    else object[name] = value;
  }
  return object;
}

/** An own member, or `undefined`: `properties` may be asked for a name that comes from anywhere. */
export function memberOf(object: unknown, name: string): unknown {
  return isSchemaObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function has<Word extends string>(words: readonly Word[], word: string): word is Word {
  return (words as readonly string[]).includes(word);
}
