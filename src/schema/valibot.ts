// Owns what valibot must be asked for: that a loose object and a loose tuple say so in their JSON Schema.

import type { JsonSchema } from "../core/schema.ts";

interface Writing {
  readonly valibotSchema?: { readonly type?: unknown };
  readonly jsonSchema: JsonSchema;
}

/** Options for valibot's own writing of JSON Schema. */
export function valibotOptions(): Readonly<Record<string, unknown>> {
  return {
    overrideSchema: ({ valibotSchema, jsonSchema }: Writing): JsonSchema | undefined => {
      if (valibotSchema?.type === "loose_object") return { ...jsonSchema, additionalProperties: {} };
      if (valibotSchema?.type === "loose_tuple") return { ...jsonSchema, items: {} };
      return undefined;
    },
  };
}
