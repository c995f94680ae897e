// Owns the expectation of a confirmation: the run must have stopped to ask whether it may make a call.

import type { TypedTool } from "../core/tool.ts";
import { type BareTool, members, sides, toolName } from "./call-expectation.ts";
import { type Matcher, predicateOf } from "./matcher.ts";
import type { Predicate } from "./predicate.ts";

export interface ConfirmationExpectation {
  readonly name: string;
  /** Of the arguments that the call would have. */
  readonly args?: Matcher<unknown> | undefined;
}

/** A `ConfirmationExpectation` read at the door. */
export interface ExpectedConfirmation {
  readonly name: string;
  readonly args: Predicate<unknown> | undefined;
}

/** The run stopped at a pending confirmation of `tool`, and the call has not been made. */
export function expectConfirmation<Args = unknown>(tool: TypedTool<Args> | BareTool, options: { readonly args?: Matcher<Args> | undefined } = {}): ConfirmationExpectation {
  const { name, args } = sides(tool, options, ["args"], "expectConfirmation");
  return Object.freeze({ name, ...(args !== undefined && { args }) });
}

/** Reads a confirmation's expectation. Throws `expectation_invalid`. */
export function readConfirmation(expectation: unknown): ExpectedConfirmation {
  const { args } = members(expectation, ["name", "args"], "confirmation") as { readonly args?: unknown };
  return { name: toolName(expectation, "confirmation"), args: args === undefined ? undefined : predicateOf(args, "confirmation: args") };
}
