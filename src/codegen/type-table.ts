// Owns the types and the definitions of one generated file: which of its schemas have a name, and which name that is.

import type { JsonSchema } from "../core/schema.ts";
import type { CheckedSchema } from "../design/checked-design.ts";
import { canonicalJson } from "../json/write-json.ts";
import { everySchema, isSchemaObject, isSubschema, mapWithin, memberOf, type Subschema } from "../schema/keyword.ts";
import { followRef, refSteps, refTo } from "../schema/reference.ts";
import { rootDefault } from "../schema/root-default.ts";
import { docComment } from "./comment-text.ts";
import { pascalCase, uniqueIdentifiers } from "./identifier-text.ts";
import { declaredType, typeText, type TypeSide } from "./type-text.ts";

/** One schema that a generated file holds. */
export interface TypeRequest {
  readonly schema: CheckedSchema;
  /** What its type is called where the author gave no name: `AlarmInventoryInput`. It is another for each request. */
  readonly fallback: string;
}

export interface TypeTable {
  /** The type of a request, as it is written where it is used. */
  typeOf(request: TypeRequest, side: TypeSide): string;
  /** The schema of a request as data: it stands alone beside `definitions`. */
  schemaOf(request: TypeRequest): JsonSchema;
  /** What the schemas refer to, by name, in the order of first use. */
  readonly definitions: ReadonlyMap<string, Subschema>;
  /** The source text of all named types, exported. */
  readonly declarations: string;
}

/** A schema that has a type of its own: the whole of a request, or one of its definitions. */
interface Unit {
  readonly request: TypeRequest;
  readonly schema: Subschema;
  readonly wanted: string;
  /** Equal for schemas that say the same, whatever a library calls their parts. */
  readonly content: string;
  /** Whether a default makes what is received differ from what is given. */
  readonly fills: boolean;
}

interface NamedUnit {
  readonly unit: Unit;
  readonly name: string;
  readonly received: string;
}

/**
 * Names the types of `requests`. Equal schemas of one name share a type. Where one name stands for several, each is called after the first of
 * its users in alphabetical order (`SharedInputFirstCustomInput`), so that nothing depends on the order of declaration.
 */
export function typeTable(requests: readonly TypeRequest[], sides: readonly TypeSide[], reserved: ReadonlySet<string>): TypeTable {
  const units = new Map(requests.map((request) => [request, unitsOf(request)]));
  const all = [...units.values()].flatMap((of) => [...of.values()]);
  const names = namesOf(all, sides, reserved);
  const named = (unit: Unit): NamedUnit => {
    const name = names.get(keyOf(unit)) ?? unit.wanted;
    return { unit, name, received: names.get(`${keyOf(unit)}\u0000received`) ?? name };
  };
  const unitAt = (request: TypeRequest, reference: string): Unit | undefined => units.get(request)?.get(definitionName(reference));
  const contextOf = (request: TypeRequest, side: TypeSide): Parameters<typeof typeText>[1] => ({
    side,
    root: request.schema.schema,
    nameOf(reference) {
      const unit = unitAt(request, reference);
      if (unit === undefined) return "unknown";
      return side === "received" ? named(unit).received : named(unit).name;
    },
  });
  const renamed = (request: TypeRequest, schema: Subschema): Subschema => {
    if (typeof schema === "boolean") return schema;
    const inner = mapWithin(schema, (part) => renamed(request, part));
    const unit = typeof inner["$ref"] === "string" ? unitAt(request, inner["$ref"]) : undefined;
    return unit === undefined ? inner : { ...inner, $ref: refTo(named(unit).name) };
  };

  const definitions = new Map<string, Subschema>();
  const declarations: string[] = [];
  for (const unit of all) {
    const { name, received } = named(unit);
    if (definitions.has(name)) continue;
    definitions.set(name, renamed(unit.request, withoutDefinitions(unit.schema)));
    for (const side of sides) {
      const called = side === "received" ? received : name;
      if (side === "received" && sides.length > 1 && received === name) continue;
      declarations.push(declaration(called, unit.schema, declaredType(unit.schema, contextOf(unit.request, side))));
    }
  }
  return {
    definitions,
    declarations: declarations.join("\n"),
    typeOf: (request, side) => typeText(rootSchema(request, units), contextOf(request, side)).text,
    schemaOf: (request) => renamed(request, withoutDefinitions(rootSchema(request, units))) as JsonSchema,
  };
}

/** Where the whole of a request stands among its units. */
const WHOLE = "";

/** The whole as its users see it: a reference where it has a name. */
function rootSchema(request: TypeRequest, units: ReadonlyMap<TypeRequest, ReadonlyMap<string, Unit>>): Subschema {
  return units.get(request)?.has(WHOLE) === true ? { $ref: "#" } : request.schema.schema;
}

function unitsOf(request: TypeRequest): ReadonlyMap<string, Unit> {
  const { schema, name, unnamed } = request.schema;
  const units = new Map<string, Unit>();
  const whole = pascalCase(name ?? "") || request.fallback;
  const add = (key: string, part: Subschema, wanted: string): void => {
    units.set(key, { request, schema: part, wanted, content: contentOf(part, schema), fills: fills(part, schema) });
  };
  const led = referencesFrom(withoutDefinitions(schema), schema);
  if (led.has(WHOLE) || (!isReference(schema) && (name !== undefined || needsName(schema)))) add(WHOLE, schema, whole);
  for (const [definition, hint] of led) {
    if (definition === WHOLE) continue;
    const part = memberOf(schema["$defs"], definition);
    if (!isSubschema(part)) continue;
    const isWhole = isReference(schema) && definitionName(String(schema["$ref"])) === definition;
    const own = isWhole ? whole : unnamed.includes(definition) ? `${whole}${pascalCase(hint) || "Part"}` : pascalCase(definition);
    add(definition, part, own || `${whole}Part`);
  }
  return units;
}

/** Every definition that the schema leads to, in the order of first use, with the name of the member that leads there. */
function referencesFrom(schema: Subschema, root: JsonSchema): ReadonlyMap<string, string> {
  const led = new Map<string, string>();
  const waiting: Subschema[] = [schema];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const [steps, part] of everySchema(withoutDefinitions(next))) {
      if (typeof part === "boolean" || typeof part["$ref"] !== "string") continue;
      const name = definitionName(part["$ref"]);
      if (led.has(name)) continue;
      led.set(name, hintOf(steps));
      waiting.push(followRef(root, part["$ref"]) ?? true);
    }
  }
  return led;
}

/** The last member's name on the way, or what the way goes through. */
function hintOf(steps: readonly (string | number)[]): string {
  const at = steps.lastIndexOf("properties");
  const name = steps[at + 1];
  const last = steps.length - 1 > at + 1 || at < 0 ? steps.findLast((step) => typeof step === "string") : undefined;
  const item = last === "items" || last === "additionalProperties" || last === "prefixItems" ? "_item" : "";
  return `${at >= 0 && typeof name === "string" ? name : ""}${item}`;
}

function definitionName(reference: string): string {
  const [home, name] = refSteps(reference) ?? [];
  return home === "$defs" && name !== undefined ? name : WHOLE;
}

function isReference(schema: Subschema): boolean {
  return typeof schema !== "boolean" && typeof schema["$ref"] === "string" && !["properties", "anyOf", "oneOf", "allOf", "enum", "const"].some((keyword) => Object.hasOwn(schema, keyword));
}

/** Plain values and lists or records of them are written where they are used; everything with members has a name. */
function needsName(schema: JsonSchema): boolean {
  return [...everySchema(withoutDefinitions(schema))].some(([, part]) => isSchemaObject(part) && isSchemaObject(part["properties"]) && Object.keys(part["properties"]).length > 0);
}

function withoutDefinitions(schema: Subschema): Subschema {
  if (typeof schema === "boolean" || !(Object.hasOwn(schema, "$defs") || Object.hasOwn(schema, "$schema"))) return schema;
  const { $defs: _definitions, $schema: _dialect, ...own } = schema;
  return own;
}

/** The schema and all it leads to, with definitions counted by first use instead of named. */
function contentOf(schema: Subschema, root: JsonSchema): string {
  const numbers = new Map<string, number>();
  const parts: Subschema[] = [schema];
  const texts: string[] = [];
  const numbered = (part: Subschema): Subschema => {
    if (typeof part === "boolean") return part;
    // In the order of names, as the text below is, so that equal schemas are counted alike.
    const inner = mapWithin(Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))), numbered);
    if (typeof inner["$ref"] !== "string") return inner;
    const name = definitionName(inner["$ref"]);
    const number = numbers.get(name) ?? numbers.size + 1;
    if (!numbers.has(name)) {
      numbers.set(name, number);
      parts.push(followRef(root, inner["$ref"]) ?? true);
    }
    return { ...inner, $ref: String(number) };
  };
  for (const part of parts) texts.push(canonicalJson(numbered(withoutDefinitions(part))));
  return texts.join("\n");
}

/** Whether a member, here or further on, has a default. */
function fills(schema: Subschema, root: JsonSchema): boolean {
  const parts = [schema, ...[...referencesFrom(schema, root).keys()].map((name) => (name === WHOLE ? root : (memberOf(root["$defs"], name) as Subschema)))];
  return parts.some((part) =>
    [...everySchema(withoutDefinitions(part))].some(
      ([, inner]) => isSchemaObject(inner) && [...members(inner["properties"]), ...items(inner["prefixItems"])].some((member) => rootDefault(member, root) !== undefined),
    ),
  );
}

function members(properties: unknown): readonly Subschema[] {
  return isSchemaObject(properties) ? Object.values(properties).filter(isSubschema) : [];
}

function items(list: unknown): readonly Subschema[] {
  return Array.isArray(list) ? list.filter(isSubschema) : [];
}

function keyOf(unit: Unit): string {
  return `${unit.wanted}\u0000${unit.content}`;
}

function namesOf(units: readonly Unit[], sides: readonly TypeSide[], reserved: ReadonlySet<string>): ReadonlyMap<string, string> {
  const wanted = new Map<string, string>();
  for (const [wish, same] of Map.groupBy(units, (unit) => unit.wanted)) {
    const contents = Map.groupBy(same, (unit) => unit.content);
    for (const alike of contents.values()) {
      const [first] = alike.map((unit) => unit.request.fallback).sort();
      const [unit] = alike;
      if (unit !== undefined) wanted.set(keyOf(unit), contents.size === 1 && !reserved.has(wish) ? wish : `${wish}${first ?? ""}`);
    }
  }
  const names = new Map(uniqueIdentifiers(wanted, reserved));
  if (sides.length < 2) return names;
  const received = new Map(units.filter((unit) => unit.fills).map((unit) => [`${keyOf(unit)}\u0000received`, `${names.get(keyOf(unit)) ?? ""}Received`]));
  return new Map([...names, ...uniqueIdentifiers(received, new Set([...reserved, ...names.values()]))]);
}

function declaration(name: string, schema: Subschema, type: string): string {
  return `${docComment(memberOf(schema, "description"))}export type ${name} = ${type};\n`;
}
