// Owns the first look at a JSON Schema: a copy of the words that Entail reads, each shown to hold what it must hold.

import { deepCompareStrict } from "@cfworker/json-schema";
import type { JsonSchema } from "../core/schema.ts";
import { ANNOTATIONS, DATA_KEYWORDS, has, isSchemaObject, LIST_OF_SCHEMAS, MAP_OF_SCHEMAS, ONE_SCHEMA, type Subschema, TYPES, withMembers } from "./keyword.ts";
import { patternFault } from "./pattern.ts";
import type { Notes, Steps } from "./reading-notes.ts";

/** Words that decide about values and that Entail does not read: never passed over in silence. */
const UNREAD: ReadonlyMap<string, string> = new Map([
  ["$dynamicRef", "give a plain $ref"],
  ["$recursiveRef", "give a plain $ref"],
  ["additionalItems", "write prefixItems and items, as draft 2020-12 does"],
  ["dependencies", "write dependentRequired or dependentSchemas, as draft 2020-12 does"],
  ["contentSchema", "declare the text alone"],
  ["divisibleBy", "write multipleOf"],
  ["disallow", "write not"],
  ["extends", "write allOf"],
]);

/** A copy without the words that say nothing about values; `definitions` becomes `$defs`. Notes what is malformed and what is not read. */
export function copySchema(schema: unknown, steps: Steps, notes: Notes): Subschema {
  if (typeof schema === "boolean") return schema ? {} : false;
  if (!isSchemaObject(schema)) {
    notes.fault("schema_invalid", steps, "a schema must be an object or a boolean");
    return {};
  }
  const members: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const word = keyword === "definitions" ? "$defs" : keyword;
    const copied = copyWord(word, value, [...steps, word], notes);
    if (copied !== undefined) members.push([word, copied]);
  }
  return withMembers(members);
}

/** The value of a keyword; `undefined` where the keyword is left out. */
function copyWord(keyword: string, value: unknown, steps: Steps, notes: Notes): unknown {
  const malformed = (what: string): undefined => {
    notes.fault("schema_invalid", steps, `"${keyword}" must be ${what}`);
  };
  if (has(ONE_SCHEMA, keyword)) {
    if (Array.isArray(value)) return malformed("one schema; a list of items is written as prefixItems");
    return copySchema(value, steps, notes);
  }
  if (has(LIST_OF_SCHEMAS, keyword)) {
    if (!Array.isArray(value) || value.length === 0) return malformed("a list of schemas that is not empty");
    return value.map((item: unknown, at) => copySchema(item, [...steps, at], notes));
  }
  if (has(MAP_OF_SCHEMAS, keyword)) {
    if (!isSchemaObject(value)) return malformed("an object of schemas");
    if (keyword === "patternProperties") for (const pattern of Object.keys(value)) checkPattern(pattern, steps, notes);
    return withMembers(Object.entries(value).map(([name, member]) => [name, copySchema(member, [...steps, name], notes)]));
  }
  const kind = DATA_KEYWORDS.get(keyword);
  if (kind !== undefined) {
    if (!holds(kind, value)) return malformed(KIND_WORDS[kind]);
    return dataWord(keyword, value, steps, notes);
  }
  const annotation = ANNOTATIONS.get(keyword);
  if (annotation !== undefined) return holds(annotation, value) ? value : undefined;
  const mend = UNREAD.get(keyword);
  if (mend !== undefined) notes.fault("schema_invalid", steps, `"${keyword}" is not read; ${mend}`);
  else if (keyword === "nullable" && value === true) notes.warn(steps, '"nullable" is no word of draft 2020-12 and decides nothing; add "null" to the types');
  return undefined;
}

function dataWord(keyword: string, value: unknown, steps: Steps, notes: Notes): unknown {
  if (keyword === "$ref") return String(value).replace(/^#\/definitions\//, "#/$defs/");
  if (keyword === "type" && Array.isArray(value)) return value.length === 1 ? value[0] : [...new Set(value)];
  if (keyword === "pattern") checkPattern(String(value), steps, notes);
  if (keyword === "required") return [...new Set(value as readonly string[])];
  if (keyword === "enum") {
    const values = value as readonly unknown[];
    if (values.length === 0) notes.fault("schema_invalid", steps, "an enum without a value accepts nothing; declare its values");
    return values.filter((item, at) => values.findIndex((other) => deepCompareStrict(item, other)) === at);
  }
  return value;
}

function checkPattern(pattern: string, steps: Steps, notes: Notes): void {
  const fault = patternFault(pattern);
  if (fault !== undefined) notes.fault("schema_invalid", steps.slice(0, -1), fault);
}

type Kind = "any" | "text" | "boolean" | "number" | "count" | "names" | "list" | "types" | "name lists";

const KIND_WORDS: Readonly<Record<Kind, string>> = {
  any: "anything",
  text: "a text",
  boolean: "true or false",
  number: "a number",
  count: "a whole number from 0",
  names: "a list of names",
  list: "a list",
  types: `one of ${TYPES.join(", ")}, or a list of them`,
  "name lists": "an object of lists of names",
};

function holds(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case "any":
      return true;
    case "text":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "count":
      return Number.isInteger(value) && (value as number) >= 0;
    case "list":
      return Array.isArray(value);
    case "names":
      return Array.isArray(value) && value.every((name) => typeof name === "string");
    case "types":
      return Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value);
    case "name lists":
      return isSchemaObject(value) && Object.values(value).every((names) => holds("names", names));
    default:
      return kind satisfies never;
  }
}

function isType(value: unknown): boolean {
  return typeof value === "string" && has(TYPES, value);
}

/** True where nothing but annotations (and definitions) stands in `schema`: it accepts every value. */
export function decidesNothing(schema: Subschema): boolean {
  return schema === true || (schema !== false && Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword) || keyword === "$defs"));
}

/** The annotations of a schema alone. */
export function annotationsOf(schema: JsonSchema): JsonSchema {
  return withMembers(Object.entries(schema).filter(([keyword]) => ANNOTATIONS.has(keyword)));
}

/** A schema without its annotations and without `words`. */
export function without(schema: JsonSchema, ...words: readonly string[]): JsonSchema {
  return withMembers(Object.entries(schema).filter(([keyword]) => !words.includes(keyword)));
}
