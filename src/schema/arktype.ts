// Owns what arktype must be asked for: what its JSON Schema leaves out in silence (a date, a predicate, the flags of a pattern, a default) becomes
// a fault, or is put in.

import type { JsonSchema } from "../core/schema.ts";
import { isKnownFormat } from "./format.ts";
import { everySchema, isSchemaObject } from "./keyword.ts";
import { notExpressible } from "./not-expressible.ts";
import type { Notes, SchemaSide } from "./reading-notes.ts";

/** Counts, in a schema that is being written, the predicates that stand where a format may say the same. */
const PREDICATES = "x-entail-predicates";

interface Lost {
  readonly code: string;
  readonly base: JsonSchema;
  readonly pattern?: string;
}

/** Options for arktype's own writing of JSON Schema. */
export function arktypeOptions(): Readonly<Record<string, unknown>> {
  return {
    fallback: (lost: Lost): unknown => {
      if (lost.code === "predicate") return { ...lost.base, [PREDICATES]: Number(lost.base[PREDICATES] ?? 0) + 1 };
      if (lost.code === "patternIntersection") return { ...lost.base, allOf: [...(Array.isArray(lost.base["allOf"]) ? lost.base["allOf"] : []), { pattern: lost.pattern }] };
      throw new Error(`arktype has no JSON Schema for ${WORDS.get(lost.code) ?? lost.code}`);
    },
  };
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["arrayObject", "a list with members of its own"],
  ["arrayPostfix", "items after a variable number of items"],
  ["defaultValue", "a default that is no JSON"],
  ["domain", "a bigint or a symbol"],
  ["morph", "a morph, which changes the value"],
  ["proto", "an instance of a class"],
  ["symbolKey", "a member named by a symbol"],
  ["unit", "a literal that is no JSON"],
  ["date", "a Date"],
]);

/**
 * What arktype writes with its defaults. The sides of its Standard Schema leave them out; its own method does not. `undefined` where a type has
 * no such method.
 */
export function arktypeSchema(type: unknown): unknown {
  const { toJsonSchema } = type as { readonly toJsonSchema?: unknown };
  return typeof toJsonSchema === "function" ? (toJsonSchema.call(type, { target: "draft-2020-12", ...arktypeOptions() }) as unknown) : undefined;
}

/** Notes predicates that no format stands for, and patterns whose flags are lost. */
export function lookAtArktype(type: unknown, written: unknown, side: SchemaSide, notes: Notes): void {
  if (isSchemaObject(written)) {
    for (const [steps, schema] of everySchema(written)) {
      if (typeof schema === "boolean" || schema[PREDICATES] === undefined) continue;
      const { format } = schema;
      if (schema[PREDICATES] === 1 && typeof format === "string" && isKnownFormat(format)) continue;
      notes.fault(notExpressible(side), steps, "a predicate is not part of the JSON Schema and would be lost; express it by the type's own words, or check it in the hook");
    }
  }
  const { internal } = type as { readonly internal?: { readonly references?: readonly { readonly kind?: unknown; readonly rule?: unknown; readonly flags?: unknown }[] } };
  for (const node of internal?.references ?? []) {
    const flags = node.kind === "pattern" && typeof node.flags === "string" ? node.flags.replace(/[dguv]/g, "") : "";
    if (flags !== "") notes.fault(notExpressible(side), [], `the flag ${JSON.stringify(flags)} of the pattern ${JSON.stringify(node.rule)} is not part of the JSON Schema and would be lost; write the pattern without it`);
  }
}
