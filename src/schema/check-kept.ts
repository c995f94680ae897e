// Owns the last look at a schema before it is kept: formats that can be decided, defaults that fit, and that something is declared at all.

import { isEntailError, messageOf } from "../core/error.ts";
import type { JsonSchema } from "../core/schema.ts";
import { decidesNothing, without } from "./copy-schema.ts";
import { nameIn } from "./definition.ts";
import { isKnownFormat } from "./format.ts";
import { everySchema, isSchemaObject, memberOf, type Subschema } from "./keyword.ts";
import { placed } from "./place.ts";
import type { Notes, SchemaSide } from "./reading-notes.ts";
import { compileSchema } from "./validator.ts";

/** Notes what is wrong with a schema that was read whole. */
export function checkKept(schema: JsonSchema, side: SchemaSide, notes: Notes): void {
  try {
    compileSchema(schema);
  } catch (thrown) {
    notes.fault(isEntailError(thrown) ? thrown.code : "schema_invalid", [], messageOf(thrown));
    return;
  }
  for (const [steps, inner] of everySchema(schema)) {
    if (typeof inner === "boolean") continue;
    const { format } = inner;
    if (typeof format === "string" && !isKnownFormat(format) && inner["pattern"] === undefined) {
      const sentence = `the format ${JSON.stringify(format)} cannot be decided`;
      if (side === "input") notes.fault("input_format_unknown", steps, `${sentence}; give a pattern, or leave the format out`);
      else notes.warn(steps, `${sentence} and is not checked`);
    }
    if (!Object.hasOwn(inner, "default")) continue;
    const [fault] = compileSchema({ ...without(inner, "default"), $defs: schema["$defs"] ?? {} }).faults(inner["default"]);
    if (fault !== undefined) notes.fault("schema_invalid", steps, `the default is not what the schema itself accepts: ${placed(fault.path, fault.message)}`);
  }
  const target = resolved(schema, schema);
  if (target === false || (isSchemaObject(target) && isSchemaObject(target["not"]) && Object.keys(target["not"]).length === 0)) {
    notes.fault("schema_invalid", [], "no value can be what the schema asks for");
  } else if (side === "input" && declaresNothing(target)) {
    notes.fault("input_empty", [], "the input declares nothing; declare its members, or leave the input out");
  }
}

function resolved(schema: Subschema, root: JsonSchema): Subschema {
  const name = nameIn(schema);
  const body = name === undefined ? undefined : memberOf(root["$defs"], name);
  return isSchemaObject(body) ? resolved(body, root) : schema;
}

function declaresNothing(schema: Subschema): boolean {
  if (typeof schema === "boolean" || decidesNothing(schema)) return true;
  if (schema["additionalProperties"] !== false || schema["patternProperties"] !== undefined) return false;
  return Object.keys(isSchemaObject(schema["properties"]) ? schema["properties"] : {}).length === 0;
}
