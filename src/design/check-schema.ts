// Owns the checking of the schemas of a design: a scenario's input, a tool's arguments and result.

import type { AnySchema } from "../core/schema.ts";
import { readSchema, type SchemaSide } from "../schema/read-schema.ts";
import { shown, type Findings } from "./check-member.ts";
import type { CheckedInput, CheckedSchema } from "./checked-design.ts";

export function checkedInput(input: unknown, place: string, findings: Findings): CheckedInput {
  if (input === undefined) return { kind: "nothing" };
  if (typeof input === "string") {
    if (input === "") findings.faults.push({ code: "input_empty", place, message: "the input is an empty text; declare a schema, and give the value to newSuite" });
    return { kind: "text", text: input };
  }
  const mixed = literalBesideSchema(input);
  if (mixed !== undefined) {
    findings.faults.push({
      code: "input_literal_and_schema",
      place,
      message: `the input holds both a literal ${shown(mixed)} and a schema; keep the schema, and give the value to newSuite`,
    });
    return { kind: "nothing" };
  }
  const schema = checkedSchema(input, "input", place, findings);
  return schema === undefined ? { kind: "nothing" } : { kind: "value", schema };
}

/** `undefined` where the schema is at fault, and said. */
export function checkedSchema(schema: unknown, side: SchemaSide, place: string, findings: Findings): CheckedSchema | undefined {
  const reading = readSchema(schema, side);
  const at = (path: string): string => (path === "" ? place : `${place}, ${path}`);
  for (const fault of reading.faults) findings.faults.push({ code: fault.code, place: at(fault.path), message: fault.message });
  for (const warning of reading.warnings) findings.warnings.push(`${at(warning.path)}: ${warning.message}`);
  if (reading.faults.length > 0) return undefined;
  const vendor: unknown = (schema as AnySchema)["~standard"].vendor;
  return {
    schema: reading.schema,
    unnamed: reading.unnamed,
    ...(reading.name === undefined ? {} : { name: reading.name }),
    ...(typeof vendor === "string" ? { vendor } : {}),
  };
}

/** The literal of an input that holds one beside a schema: `[ChatEvalInput, "Say hello."]`, `{ schema: …, text: "…" }`. */
function literalBesideSchema(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || "~standard" in input) return undefined;
  const parts: readonly unknown[] = Object.values(input);
  const literal = parts.find((part) => typeof part === "string");
  return typeof literal === "string" && parts.some(isSchema) ? literal : undefined;
}

function isSchema(value: unknown): boolean {
  return ((typeof value === "object" && value !== null) || typeof value === "function") && "~standard" in value;
}
