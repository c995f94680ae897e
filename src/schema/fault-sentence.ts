// Owns what is said of a value that breaks a keyword: one sentence a keyword, which goes after the value's path.

import { memberPath } from "../core/json-path.ts";
import { didYouMean } from "../core/nearest.ts";
import type { JsonSchema } from "../core/schema.ts";
import { pathOf, schemaAt, type Finding } from "./finding.ts";
import { formatName } from "./format.ts";
import { isSchemaObject, isSubschema, memberOf, type Subschema, type TypeName } from "./keyword.ts";
import { followRef } from "./reference.ts";
import type { SchemaFault } from "./schema-fault.ts";

const TYPE_WORDS: Readonly<Record<TypeName, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  null: "null",
  array: "a list",
  object: "an object",
};

/** The faults of a finding that stands for itself; none for one that only says that a part of the value has a fault. */
export function leafFaults(finding: Finding, root: JsonSchema): readonly SchemaFault[] {
  const { keyword, schema, value } = finding;
  if (typeof schema === "boolean") return [];
  const path = pathOf(finding.at);
  const limit = schema[keyword];
  const say = (message: string): readonly SchemaFault[] => [{ path, message }];
  switch (keyword) {
    case "type":
    case "const":
    case "enum":
      return say(`must be ${oneOf(expectedWords(schema, keyword))}`);
    case "required":
      return namesOf(limit)
        .filter((name) => !Object.hasOwn(value as object, name))
        .map((name) => ({ path: memberPath(path, name), message: "is missing" }));
    case "dependentRequired":
      return Object.entries(isSchemaObject(limit) ? limit : {})
        .filter(([name]) => memberOf(value, name) !== undefined)
        .flatMap(([name, needed]) =>
          namesOf(needed)
            .filter((other) => !Object.hasOwn(value as object, other))
            .map((other) => ({ path: memberPath(path, other), message: `is missing, though ${JSON.stringify(name)} is given` })),
        );
    case "not":
      return say(isSchemaObject(limit) && Object.keys(limit).length === 0 ? refusedSentence(finding, root) : "must not be what the schema excludes");
    case "format":
      return say(`must be ${formatName(String(limit))}`);
    case "pattern":
      return say(`must match the pattern ${brief(String(limit))}`);
    case "minLength":
      return say(`must have at least ${count(limit, "character")}`);
    case "maxLength":
      return say(`must have at most ${count(limit, "character")}`);
    case "minItems":
      return say(`must have at least ${count(limit, "item")}`);
    case "maxItems":
      return say(`must have at most ${count(limit, "item")}`);
    case "minProperties":
      return say(`must have at least ${count(limit, "member")}`);
    case "maxProperties":
      return say(`must have at most ${count(limit, "member")}`);
    case "uniqueItems":
      return say("must hold no item twice");
    case "contains":
      return say("must hold an item of the kind that the schema asks for");
    case "minContains":
      return say(`must hold at least ${count(limit, "item")} of the kind that the schema asks for`);
    case "maxContains":
      return say(`must hold at most ${count(limit, "item")} of the kind that the schema asks for`);
    case "minimum":
      return say(`must be at least ${String(limit)}`);
    case "maximum":
      return say(`must be at most ${String(limit)}`);
    case "exclusiveMinimum":
      return say(`must be greater than ${String(limit)}`);
    case "exclusiveMaximum":
      return say(`must be less than ${String(limit)}`);
    case "multipleOf":
      return say(`must be a multiple of ${String(limit)}`);
    default:
      return [];
  }
}

/** What a `type`, a `const` or an `enum` asks for, as words that can follow "must be". */
export function expectedWords(schema: JsonSchema, keyword: "type" | "const" | "enum"): readonly string[] {
  const limit = schema[keyword];
  if (keyword === "const") return [valueWord(limit)];
  if (keyword === "enum") return Array.isArray(limit) ? limit.map(valueWord) : [];
  return (Array.isArray(limit) ? limit : [limit]).map((type: unknown) => TYPE_WORDS[type as keyof typeof TYPE_WORDS] ?? String(type));
}

/** `a`, `a or b`, `a, b or c`; a long list is cut. */
export function oneOf(words: readonly string[]): string {
  const unique = [...new Set(words)];
  if (unique.length === 0) return "something that no value is";
  const shown = unique.length > 20 ? [...unique.slice(0, 19), `one of ${unique.length - 19} others`] : unique;
  return shown.length === 1 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1) ?? ""}`;
}

function valueWord(value: unknown): string {
  return brief(JSON.stringify(value) ?? "");
}

function brief(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 120)}…`;
}

function count(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? "" : "s"}`;
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

/** What is said where the schema accepts nothing at all: mostly a member that nobody declared. */
function refusedSentence(finding: Finding, root: JsonSchema): string {
  const holder = finding.steps.at(-2);
  if (holder === "additionalProperties" || holder === "unevaluatedProperties") {
    const declared = declaredNames(schemaAt(root, finding.steps.slice(0, -2)), root);
    return `is not declared${didYouMean(String(finding.at.at(-1)), declared)}`;
  }
  if (holder === "items" || holder === "unevaluatedItems") return "is more than the list may hold";
  return "must not be given";
}

function declaredNames(schema: Subschema, root: JsonSchema, depth = 0): readonly string[] {
  if (typeof schema === "boolean" || depth > 20) return [];
  const { $ref: ref, properties } = schema;
  const inPlace = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword].filter(isSubschema) : []));
  if (typeof ref === "string") inPlace.push(followRef(root, ref) ?? true);
  return [...(isSchemaObject(properties) ? Object.keys(properties) : []), ...inPlace.flatMap((inner) => declaredNames(inner, root, depth + 1))];
}
