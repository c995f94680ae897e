// Owns the schemas of tools that were declared for another framework, as schemas of a design. Borrowed by shape.

import type { AnySchema } from "../core/schema.ts";
import { isIterable } from "../core/iterate.ts";
import { member } from "../core/member.ts";
import { plainSchema } from "./plain-schema.ts";

/** What a schema of another framework says of its values, where the compiler can see it. */
export type ForeignValue<Side> = [Extract<Side, { readonly _type: unknown }>] extends [never]
  ? Side extends { readonly "~standard": { readonly types?: infer Types } }
    ? NonNullable<Types> extends { readonly output: infer Value }
      ? Value
      : unknown
    : unknown
  : Extract<Side, { readonly _type: unknown }>["_type"];

/**
 * A Standard Schema as it is; the AI SDK's own schema by its `jsonSchema`, a lazy one by what it gives; anything else as a JSON Schema.
 * `undefined` for none. Never throws: what it cannot be is a fault once the design is checked.
 */
export function foreignSchema(schema: unknown, lazy = true): AnySchema | undefined {
  if (schema === undefined || schema === null) return undefined;
  if (member(schema, "~standard") !== undefined || functionMember(schema, "~standard") !== undefined) return schema as AnySchema;
  if (typeof schema === "function") return lazy ? lazySchema(schema as () => unknown) : broken("it gives a function where a schema is wanted");
  // A JSON Schema has no such word.
  if (member(schema, "jsonSchema") !== undefined) return plainSchema(() => settled(member(schema, "jsonSchema")));
  if (typeof schema !== "object" || isIterable(schema)) return schema as AnySchema;
  return plainSchema(() => settled(schema));
}

/** A schema of arktype is a function too. */
function functionMember(value: unknown, name: string): unknown {
  return typeof value === "function" ? (value as unknown as Readonly<Record<string, unknown>>)[name] : undefined;
}

function lazySchema(create: () => unknown): AnySchema | undefined {
  try {
    return foreignSchema(create(), false);
  } catch (thrown) {
    return broken(() => {
      throw thrown;
    });
  }
}

function settled(schema: unknown): unknown {
  if (typeof member(schema, "then") === "function") throw new Error("it is a promise; await it and give what it settles to");
  return schema;
}

function broken(why: string | (() => never)): AnySchema {
  return plainSchema(() => {
    if (typeof why === "function") return why();
    throw new Error(why);
  });
}
