// Owns the closing of an input's schema: an undeclared member is a fault, unless the schema is open by its own words.

import type { JsonSchema } from "../core/schema.ts";
import { decidesNothing, without } from "./copy-schema.ts";
import { nameIn, type Definitions } from "./definition.ts";
import { has, isSchemaObject, mapWithin, type Subschema, withMembers } from "./keyword.ts";
import type { Notes } from "./reading-notes.ts";

const OPEN_WORDS = ["additionalProperties", "unevaluatedProperties"] as const;
const MEMBER_WORDS = ["properties", "required", "patternProperties"] as const;
/** Schemas for the same value whose members count as declared. */
const BRANCHES = ["allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas"] as const;
/** Schemas that only ask whether; what they leave open stays so. */
const QUESTIONS = ["not", "if", "contains", "propertyNames"] as const;

/** Closes objects and tuples everywhere. Expects a schema that was merged. */
export function closeAll(definitions: Definitions, notes: Notes): Definitions {
  const { defs } = definitions;
  const open: string[] = [];

  const close = (schema: Subschema): Subschema => {
    if (typeof schema === "boolean") return schema;
    const branches = BRANCHES.filter((word) => schema[word] !== undefined);
    const union = branches.length === 1 && (branches[0] === "anyOf" || branches[0] === "oneOf");
    const alone = ![...MEMBER_WORDS, ...OPEN_WORDS].some((word) => schema[word] !== undefined) && nameIn(schema) === undefined;
    // The branches of a plain union are closed each for itself; elsewhere a member that one branch declares must pass the others.
    if (branches.length === 0 || (union && alone)) return closeMembers(closeInside(schema, close));
    const inside = closeInside(schema, closeBranch);
    if (OPEN_WORDS.some((word) => word in schema) || !speaksOfMembers(schema)) return closeItems(inside);
    return closeItems({ ...inside, unevaluatedProperties: false });
  };

  /** A branch beside other words: closed in its members, itself left open. */
  const closeBranch = (schema: Subschema): Subschema => {
    if (typeof schema === "boolean") return schema;
    const name = nameIn(schema);
    if (name === undefined) return closeItems(closeInside(schema, closeBranch));
    if (open.includes(name)) {
      notes.fault("schema_invalid", ["$defs", name], "stands within itself beside other words, which cannot be closed; give it as a member or an item of its own");
      return schema;
    }
    open.push(name);
    // The definition itself is closed; here its words are needed without that.
    const body = closeBranch(defs.get(name) ?? true);
    open.pop();
    const beside = without(schema, "$ref");
    if (typeof body === "boolean" || decidesNothing(beside)) return body;
    return { ...beside, allOf: [body, ...(Array.isArray(beside["allOf"]) ? beside["allOf"] : [])] };
  };

  const closeInside = (schema: JsonSchema, branch: (schema: Subschema) => Subschema): JsonSchema =>
    mapWithin(schema, (inner, steps) => {
      const word = String(steps[0]);
      if (has(QUESTIONS, word)) return inner;
      return has(BRANCHES, word) ? branch(inner) : close(inner);
    });

  const closed = new Map<string, Subschema>();
  const root = close(definitions.root);
  for (const [name, body] of defs) closed.set(name, close(body));
  return { ...definitions, root, defs: closed };

  function speaksOfMembers(schema: Subschema, depth = 0): boolean {
    if (typeof schema === "boolean" || depth > 50) return false;
    if (MEMBER_WORDS.some((word) => schema[word] !== undefined)) return true;
    const name = nameIn(schema);
    if (name !== undefined && speaksOfMembers(defs.get(name) ?? true, depth + 1)) return true;
    return BRANCHES.some((word) => {
      const held = schema[word];
      const inner = Array.isArray(held) ? held : word === "dependentSchemas" && isSchemaObject(held) ? Object.values(held) : [held];
      return inner.some((part) => isSchemaObject(part) && speaksOfMembers(part, depth + 1));
    });
  }
}

/** An object that declares its members has no others. */
function closeMembers(schema: JsonSchema): JsonSchema {
  const items = closeItems(schema);
  if (!MEMBER_WORDS.some((word) => schema[word] !== undefined) || OPEN_WORDS.some((word) => word in schema)) return items;
  const declared = isSchemaObject(schema["properties"]) ? schema["properties"] : {};
  const patterns = Object.keys(isSchemaObject(schema["patternProperties"]) ? schema["patternProperties"] : {}).map((pattern) => new RegExp(pattern, "u"));
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly string[]) : [];
  // What is required is declared by that.
  const more = required.filter((name) => !Object.hasOwn(declared, name) && !patterns.some((pattern) => pattern.test(name)));
  const properties = withMembers([...Object.entries(declared), ...more.map((name) => [name, {}] as const)]);
  return { ...items, ...(schema["properties"] === undefined && more.length === 0 ? {} : { properties }), additionalProperties: false };
}

function closeItems(schema: JsonSchema): JsonSchema {
  return schema["prefixItems"] === undefined || "items" in schema || "unevaluatedItems" in schema ? schema : { ...schema, items: false };
}
