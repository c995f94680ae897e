// Owns the filling in of defaults where a value leaves a member out.

import { EntailError } from "../core/error.ts";
import type { JsonSchema } from "../core/schema.ts";
import { isSchemaObject, isSubschema, memberOf, type Subschema, withMembers } from "./keyword.ts";
import { followRef } from "./reference.ts";

/** A default whose own default has a default, and so on, ends here. */
const MAX_DEPTH = 500;

/** Decides whether `schema`, a part of the root, accepts `value`. */
export type Accepts = (schema: Subschema, value: unknown) => boolean;

/**
 * `value` with its absent members filled in wherever the schema has a default for them; in a union by the first branch that accepts the value.
 * `undefined` is an absent value. Expects plain data that the schema accepts; changes nothing it was given.
 */
export function fillDefaults(schema: Subschema, value: unknown, root: JsonSchema, accepts: Accepts): unknown {
  return fill(schema, value, 0);

  function fill(part: Subschema, given: unknown, depth: number): unknown {
    if (typeof part === "boolean") return given;
    if (depth > MAX_DEPTH) throw new EntailError("schema_invalid", "a default calls for a default without end");
    let filled = given;
    // Only a copy is given out: the schema's own default stays what it is.
    if (filled === undefined && Object.hasOwn(part, "default")) filled = structuredClone(part["default"]);
    if (typeof part["$ref"] === "string") filled = fill(followRef(root, part["$ref"]) ?? true, filled, depth + 1);
    if (filled === undefined) return undefined;
    for (const branch of branchesFor(part, filled)) filled = fill(branch, filled, depth + 1);
    if (Array.isArray(filled)) return fillItems(part, filled, depth);
    if (isSchemaObject(filled)) return fillMembers(part, filled, depth);
    return filled;
  }

  /** Those of the schemas that apply to the same value which `given` is to follow. */
  function branchesFor(part: JsonSchema, given: unknown): readonly Subschema[] {
    const branches: Subschema[] = listOf(part["allOf"]);
    for (const union of [listOf(part["anyOf"]), listOf(part["oneOf"])]) {
      const meant = union.find((branch) => accepts(branch, given));
      if (meant !== undefined) branches.push(meant);
    }
    if (isSubschema(part["if"])) {
      const then = accepts(part["if"], given) ? part["then"] : part["else"];
      if (isSubschema(then)) branches.push(then);
    }
    for (const [name, dependent] of Object.entries(isSchemaObject(part["dependentSchemas"]) ? part["dependentSchemas"] : {})) {
      if (memberOf(given, name) !== undefined && isSubschema(dependent)) branches.push(dependent);
    }
    return branches;
  }

  function fillItems(part: JsonSchema, given: readonly unknown[], depth: number): unknown[] {
    const prefix = listOf(part["prefixItems"]);
    const rest = isSubschema(part["items"]) ? part["items"] : true;
    const items = given.map((item, at) => fill(prefix[at] ?? rest, item, depth + 1));
    for (let at = items.length; at < prefix.length; at++) {
      const item = fill(prefix[at] ?? true, undefined, depth + 1);
      if (item === undefined) break;
      items.push(item);
    }
    return items;
  }

  function fillMembers(part: JsonSchema, given: JsonSchema, depth: number): JsonSchema {
    const properties = isSchemaObject(part["properties"]) ? part["properties"] : {};
    const patterns = Object.entries(isSchemaObject(part["patternProperties"]) ? part["patternProperties"] : {}).map(([pattern, inner]) => [new RegExp(pattern, "u"), inner] as const);
    const members: [string, unknown][] = Object.entries(given).map(([name, member]) => {
      const declared = memberOf(properties, name);
      const matching = patterns.filter(([pattern]) => pattern.test(name)).map(([, inner]) => inner);
      const applying = declared === undefined ? matching : [declared, ...matching];
      if (applying.length === 0) applying.push(part["additionalProperties"], part["unevaluatedProperties"]);
      return [name, applying.filter(isSubschema).reduce((filled, inner) => fill(inner, filled, depth + 1), member)];
    });
    for (const [name, declared] of Object.entries(properties)) {
      if (Object.hasOwn(given, name) || !isSubschema(declared)) continue;
      const member = fill(declared, undefined, depth + 1);
      if (member !== undefined) members.push([name, member]);
    }
    return withMembers(members);
  }
}

function listOf(value: unknown): Subschema[] {
  return Array.isArray(value) ? value.filter(isSubschema) : [];
}
