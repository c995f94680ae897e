// Owns a JSON Schema that stands for itself, as a schema of a design: tools that live elsewhere have nothing else.

import { isEntailError, messageOf } from "../core/error.ts";
import type { JsonSchema, Schema } from "../core/schema.ts";
import { lateCodec } from "../schema/codec.ts";
import { readJsonSchema } from "../schema/read-schema.ts";

/** A schema whose JSON Schema is what `read` gives. It is read when the design is checked; what `read` throws is then a fault with its place. */
export function plainSchema(read: () => unknown): Schema {
  const codec = lateCodec<unknown>(() => readJsonSchema(read() as JsonSchema, "tool").schema);
  const given = (): Record<string, unknown> => read() as Record<string, unknown>;
  return {
    "~standard": {
      version: 1,
      vendor: "json-schema",
      validate(value) {
        try {
          return { value: codec.decode(value) };
        } catch (thrown) {
          const faults = isEntailError(thrown) ? thrown.faults : [];
          return { issues: faults.length === 0 ? [{ message: messageOf(thrown) }] : faults.map(({ place, message }) => ({ message: `${place === "" ? "the value" : place} ${message}` })) };
        }
      },
      jsonSchema: { input: given, output: given },
    },
  };
}
