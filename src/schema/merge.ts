// Owns the merging of `allOf` into one schema, so that it can be closed and reads as one type.

import { deepCompareStrict } from "@cfworker/json-schema";
import type { JsonSchema } from "../core/schema.ts";
import { annotationsOf, decidesNothing, without } from "./copy-schema.ts";
import { nameIn, type Definitions } from "./definition.ts";
import { ANNOTATIONS, isSchemaObject, mapWithin, memberOf, type Subschema, TYPES, withMembers } from "./keyword.ts";

/** Merges everywhere. What cannot be merged without changing its meaning stays in an `allOf`. */
export function mergeAll(definitions: Definitions): Definitions {
  const { defs } = definitions;
  /** Definitions being written out: one that stands within itself is left as a reference. */
  const open: string[] = [];

  const merge = (schema: Subschema): Subschema => {
    if (typeof schema === "boolean") return schema;
    const inner = mapWithin(schema, merge);
    const list = inner["allOf"];
    const base = without(inner, "allOf", "$ref");
    const parts: Subschema[] = Array.isArray(list) ? (list as Subschema[]).filter((part) => !decidesNothing(part)) : [];
    if (nameIn(inner) !== undefined) parts.unshift({ $ref: inner["$ref"] });
    const annotations = annotationsOf(base);
    if (parts.length === 0) return base;
    if (parts.includes(false)) return false;
    const [only] = parts;
    if (decidesNothing(base) && parts.length === 1 && isSchemaObject(only)) return { ...only, ...annotations };
    const spread = parts.flatMap((part) => written(part as JsonSchema));
    if (spread.includes(false)) return false;
    let whole: JsonSchema = base;
    const rest: JsonSchema[] = [];
    for (const part of spread as JsonSchema[]) {
      const merged = part["$ref"] === undefined ? both(whole, part) : undefined;
      if (merged !== undefined) whole = merged;
      else {
        rest.push(without(part, "default"));
        // A default is one of the whole: where it is filled in, nothing is there yet that a part could be held against.
        if (Object.hasOwn(part, "default") && !Object.hasOwn(whole, "default")) whole = { ...whole, default: part["default"] };
      }
    }
    whole = { ...whole, ...annotations };
    return rest.length === 0 ? whole : { ...whole, allOf: rest };
  };

  /** A part of an `allOf` without references and without an `allOf` of its own. */
  const written = (part: JsonSchema): readonly Subschema[] => {
    const name = nameIn(part);
    if (name === undefined) {
      const nested = part["allOf"];
      return Array.isArray(nested) ? [without(part, "allOf"), ...(nested as JsonSchema[])] : [part];
    }
    if (open.includes(name)) return [part];
    open.push(name);
    const body = merge(defs.get(name) ?? true);
    open.pop();
    if (typeof body === "boolean") return body ? [] : [false];
    // The name and the words of what was written out are those of a type of its own.
    const plain = withMembers(Object.entries(body).filter(([keyword]) => !ANNOTATIONS.has(keyword) || keyword === "default"));
    return nameIn(plain) === undefined && plain["allOf"] === undefined ? [plain] : written(plain);
  };

  const both = (a: JsonSchema, b: JsonSchema): JsonSchema | undefined => mergeTwo(a, b, (one, other) => merge({ allOf: [one, other] }));

  const root = merge(definitions.root);
  const merged = new Map<string, Subschema>();
  for (const [name, body] of defs) {
    open.push(name);
    merged.set(name, merge(body));
    open.pop();
  }
  return { ...definitions, root, defs: merged };
}

const LARGER = ["minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"];
const SMALLER = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"];
/** Words whose meaning hangs on their neighbours: two schemas of which one has such a word are not merged where the other has one of the same row. */
const TOGETHER: readonly (readonly string[])[] = [
  ["items", "prefixItems", "unevaluatedItems"],
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
];

type MergeParts = (one: Subschema, other: Subschema) => Subschema;

/** One schema that accepts what both accept, or `undefined` where no plain merge says so. */
function mergeTwo(a: JsonSchema, b: JsonSchema, mergeParts: MergeParts): JsonSchema | undefined {
  if (["unevaluatedProperties", "unevaluatedItems"].some((word) => a[word] !== undefined || b[word] !== undefined)) return undefined;
  for (const row of TOGETHER) {
    const held = (schema: JsonSchema): unknown[] => row.map((word) => schema[word]);
    if (row.some((word) => a[word] !== undefined) && row.some((word) => b[word] !== undefined) && !deepCompareStrict(held(a), held(b))) return undefined;
  }
  const merged: [string, unknown][] = [];
  for (const word of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (word === "properties" || word === "patternProperties" || word === "additionalProperties") continue;
    const [one, other] = [a[word], b[word]];
    const value = one === undefined ? other : other === undefined ? one : mergeWord(word, one, other, mergeParts);
    if (value === undefined) return undefined;
    merged.push([word, value]);
  }
  const members = mergeMembers(a, b, mergeParts);
  return members === undefined ? undefined : withMembers([...merged, ...Object.entries(members)]);
}

/** The merge of one keyword that both have; `undefined` where there is none. */
function mergeWord(word: string, one: unknown, other: unknown, mergeParts: MergeParts): unknown {
  if (ANNOTATIONS.has(word) || deepCompareStrict(one, other)) return one;
  if (LARGER.includes(word)) return Math.max(one as number, other as number);
  if (SMALLER.includes(word)) return Math.min(one as number, other as number);
  switch (word) {
    case "type":
      return mergeTypes(one, other);
    case "required":
      return [...new Set([...(one as string[]), ...(other as string[])])];
    case "enum": {
      const common = (one as unknown[]).filter((value) => (other as unknown[]).some((known) => deepCompareStrict(value, known)));
      return common.length === 0 ? undefined : common;
    }
    case "uniqueItems":
      return true;
    case "propertyNames":
      return mergeParts(one as Subschema, other as Subschema);
    default:
      return undefined;
  }
}

function mergeTypes(one: unknown, other: unknown): unknown {
  const set = (types: unknown): ReadonlySet<unknown> => new Set([types].flat().flatMap((type) => (type === "number" ? ["number", "integer"] : [type])));
  const [a, b] = [set(one), set(other)];
  const common = TYPES.filter((type) => a.has(type) && b.has(type));
  const plain = common.filter((type) => type !== "integer" || !common.includes("number"));
  return plain.length === 0 ? undefined : plain.length === 1 ? plain[0] : plain;
}

/** The members of both: a name that one of them does not declare must also hold what that one asks of undeclared names. */
function mergeMembers(a: JsonSchema, b: JsonSchema, mergeParts: MergeParts): JsonSchema | undefined {
  const [moreA, moreB] = [a["additionalProperties"], b["additionalProperties"]] as [Subschema | undefined, Subschema | undefined];
  const [patternsA, patternsB] = [a["patternProperties"], b["patternProperties"]];
  const patterned = patternsA !== undefined || patternsB !== undefined;
  if (patterned && (moreA !== undefined || moreB !== undefined)) return undefined;

  const [declaredA, declaredB] = [membersOf(a["properties"]), membersOf(b["properties"])];
  const properties = new Map<string, Subschema>();
  for (const name of new Set([...declaredA.keys(), ...declaredB.keys()])) {
    const one = declaredA.get(name) ?? moreA ?? true;
    const other = declaredB.get(name) ?? moreB ?? true;
    properties.set(name, decidesNothing(one) && !declaredA.has(name) ? other : decidesNothing(other) && !declaredB.has(name) ? one : mergeParts(one, other));
  }
  const members: [string, unknown][] = [];
  if (a["properties"] !== undefined || b["properties"] !== undefined) members.push(["properties", withMembers(properties)]);
  if (patterned) {
    const patterns = new Map(membersOf(patternsA));
    for (const [pattern, inner] of membersOf(patternsB)) patterns.set(pattern, mergeParts(patterns.get(pattern) ?? true, inner));
    members.push(["patternProperties", withMembers(patterns)]);
  }
  if (moreA !== undefined || moreB !== undefined) members.push(["additionalProperties", moreA === undefined ? moreB : moreB === undefined ? moreA : mergeParts(moreA, moreB)]);
  return withMembers(members);
}

function membersOf(value: unknown): ReadonlyMap<string, Subschema> {
  return new Map(isSchemaObject(value) ? Object.keys(value).map((name) => [name, memberOf(value, name) as Subschema]) : []);
}
