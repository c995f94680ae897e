// Owns the declaration of one tool.

import type { AnySchema, Schema } from "../core/schema.ts";
import { MARK, type Marked } from "./mark.ts";
import type { ReceivedOf } from "./takes.ts";

export interface ToolShape<Args = unknown, Result = unknown, Name = string> {
  readonly description: string;
  /** The name that the model calls, where it is not the key in the toolset. */
  readonly name?: Name | undefined;
  readonly args?: Args | undefined;
  readonly result?: Result | undefined;
  /** Its result comes with bounds: how many of how many, and whether it was cut. */
  readonly bounded?: boolean | undefined;
  /** It waits for a person's approval before it acts. */
  readonly confirm?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** Whatever its types: as a constraint it hands none of them on to what is inferred. */
export interface AnyTool extends Marked<"tool"> {
  readonly shape: ToolShape;
}

export interface ToolDesign<Args = any, Result = any, Name extends string = any> extends AnyTool {
  /** For the compiler alone. `name` is `never` where the key in the toolset is the name. */
  readonly types?: { readonly args: Args; readonly result: Result; readonly name: Name } | undefined;
}

/** Declares a tool; a side that is left out is `unknown`. Its schemas are open: what a model adds is no fault. */
export function tool<Args extends AnySchema = Schema, Result extends AnySchema = Schema, const Name extends string = never>(
  shape: ToolShape<Args, Result, Name>,
): ToolDesign<ReceivedOf<Args>, ReceivedOf<Result>, Name> {
  return { [MARK]: "tool", shape };
}
