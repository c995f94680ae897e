// Owns the typed tool: a tool's name and the codecs of its arguments and its result, as one object that cannot drift apart.

import type { JsonSchema } from "./schema.ts";

export interface Codec<Value> {
  readonly schema: JsonSchema;
  /** A copy of `value` with defaults filled in. Throws one `value_invalid` error that names every fault with its path. */
  readonly decode: (value: unknown) => Value;
}

// `any`, so that every typed tool is assignable to a bare `TypedTool` whatever its values.
export interface TypedTool<Args = any, Result = any, Name extends string = string> {
  /** The name that the model calls. */
  readonly name: Name;
  readonly args: Codec<Args>;
  readonly result: Codec<Result>;
  /** Its result comes with bounds. */
  readonly bounded?: boolean | undefined;
  /** It waits for a person's approval before it acts. */
  readonly confirm?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}
