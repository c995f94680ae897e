// Owns the deciding of values by a JSON Schema: every fault with its path, and a copy with defaults filled in.

import { dereference, validate, type OutputUnit } from "@cfworker/json-schema";
import { EntailError, messageOf } from "../core/error.ts";
import type { JsonSchema } from "../core/schema.ts";
import { faultsOf } from "./engine-fault.ts";
import { fillDefaults } from "./fill-defaults.ts";
import { isKnownFormat } from "./format.ts";
import { DATA_KEYWORDS, everySchema, has, isSchemaObject, LIST_OF_SCHEMAS, MAP_OF_SCHEMAS, mapWithin, memberOf, ONE_SCHEMA, type Subschema, withMembers } from "./keyword.ts";
import { patternFault } from "./pattern.ts";
import { placed, placeOf } from "./place.ts";
import { plainData } from "./plain-data.ts";
import { followRef } from "./reference.ts";
import type { SchemaFault } from "./schema-fault.ts";

export type { SchemaFault };

export interface Validator {
  /** Every fault of `value`; none where the schema accepts it. */
  faults(value: unknown): readonly SchemaFault[];
  /** A deep copy with defaults filled in, and every fault; where there is a fault the copy is as it was given. */
  decode(value: unknown): { readonly value: unknown; readonly faults: readonly SchemaFault[] };
}

/**
 * Makes a validator of a draft 2020-12 schema whose references are local. A member that is `undefined` is an absent one; only plain data passes;
 * a format is held against a text unless a pattern stands beside it, which then decides alone; of a union only the branch that was meant is
 * reported. Throws `schema_invalid` for a pattern that is no regular expression under the `u` flag and for a reference that leads nowhere.
 */
export function compileSchema(schema: JsonSchema): Validator {
  const root = engineForm(schema, []) as JsonSchema;
  let hasDefaults = false;
  for (const [steps, inner] of everySchema(root)) {
    if (typeof inner === "boolean") continue;
    checkPatterns(inner, steps);
    const ref = inner["$ref"];
    if (typeof ref === "string" && followRef(root, ref) === undefined) {
      throw new EntailError("schema_invalid", placed(placeOf(steps), `the reference ${JSON.stringify(ref)} leads nowhere in its schema`));
    }
    hasDefaults ||= Object.hasOwn(inner, "default");
  }
  const lookup = readyForEngine(root);

  const check = (value: unknown, part: Subschema, all: boolean): readonly OutputUnit[] => validate(value, part, "2020-12", lookup, !all).errors;
  const accepts = (part: Subschema, value: unknown): boolean => check(value, part, false).length === 0;

  const faultsIn = (value: unknown): readonly SchemaFault[] => {
    try {
      if (accepts(root, value)) return [];
      return faultsOf(check(value, root, true), root, value);
    } catch (thrown) {
      // A stack that does not reach, or more faults than one call can be given: the value was not shown to be right.
      return [{ path: "", message: `is too deep or has too many faults to be checked (${messageOf(thrown)})` }];
    }
  };

  const decode = (given: unknown): { readonly value: unknown; readonly faults: readonly SchemaFault[] } => {
    const plain = plainData(given);
    let { value } = plain;
    if (value === undefined) {
      const filled = hasDefaults ? fillDefaults(root, undefined, root, accepts) : undefined;
      if (filled === undefined) return { value, faults: [{ path: "", message: "is missing" }] };
      value = filled;
    }
    const unreadable = new Set(plain.faults.map((fault) => fault.path));
    const faults = [...plain.faults, ...faultsIn(value).filter((fault) => !unreadable.has(fault.path))];
    if (faults.length > 0 || !hasDefaults) return { value, faults };
    let filled: unknown;
    try {
      filled = fillDefaults(root, value, root, accepts);
    } catch (thrown) {
      return { value, faults: [{ path: "", message: `cannot be filled with its defaults (${messageOf(thrown)})` }] };
    }
    return { value: filled, faults: faultsIn(filled) };
  };

  return { decode, faults: (value) => decode(value).faults };
}

/** A copy for the engine, which marks what it is given: no word but those that decide (and `default`), and no format that another word decides. */
function engineForm(schema: Subschema, steps: readonly (string | number)[]): Subschema {
  // The engine loses the place of a `false`; the same said by `not` keeps it.
  if (schema === false) return { not: {} };
  if (schema === true) return schema;
  const known = Object.entries(schema).filter(
    ([keyword]) => DATA_KEYWORDS.has(keyword) || keyword === "default" || has(ONE_SCHEMA, keyword) || has(LIST_OF_SCHEMAS, keyword) || has(MAP_OF_SCHEMAS, keyword),
  );
  const decided = known.filter(([keyword, value]) => keyword !== "format" || (typeof value === "string" && isKnownFormat(value) && !patternBeside(schema)));
  return mapWithin(withMembers(decided), (inner, below) => engineForm(inner, [...steps, ...below]));
}

function patternBeside(schema: JsonSchema): boolean {
  const { allOf } = schema;
  return typeof schema["pattern"] === "string" || (Array.isArray(allOf) && allOf.some((part: unknown) => typeof memberOf(part, "pattern") === "string"));
}

function checkPatterns(schema: JsonSchema, steps: readonly (string | number)[]): void {
  const keys = isSchemaObject(schema["patternProperties"]) ? Object.keys(schema["patternProperties"]) : [];
  for (const pattern of typeof schema["pattern"] === "string" ? [schema["pattern"], ...keys] : keys) {
    const fault = patternFault(pattern);
    if (fault !== undefined) throw new EntailError("schema_invalid", placed(placeOf(steps), fault));
  }
}

function readyForEngine(root: JsonSchema): ReturnType<typeof dereference> {
  try {
    return dereference(root);
  } catch (thrown) {
    throw new EntailError("schema_invalid", `the schema cannot be read (${messageOf(thrown)})`, { cause: thrown });
  }
}
