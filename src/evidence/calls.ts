// Owns the calls of one tool.

import type { Evidence, ToolCall } from "../core/evidence.ts";
import { invalid } from "./call-expectation.ts";
import { nameOf } from "./predicate.ts";

/** A tool by its name, or by whatever has its name: a typed tool, an expectation. */
export type NamedTool = string | { readonly name: string };

/** The calls of `tool`, in the order of cause; none where there were none. Throws `expectation_invalid` for what names no tool. */
export function calls(evidence: Evidence, tool: NamedTool): readonly ToolCall[] {
  const name = nameOfTool(tool, "calls()");
  return evidence.toolCalls.filter((call) => call.toolName === name);
}

/** The name. Throws `expectation_invalid`, naming `place`, for what has none: a tool that is not there would never be missed. */
export function nameOfTool(tool: unknown, place: string): string {
  const name = typeof tool === "object" && tool !== null ? (tool as { readonly name?: unknown }).name : tool;
  if (typeof name === "string" && name !== "") return name;
  throw invalid(`${place} takes a typed tool or a tool's name; it was given ${nameOf(tool)}`);
}
