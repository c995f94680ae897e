// Owns the look-up of a tool contract: a suite inside an agent knows every tool that the agent reaches.

import { EntailError } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";
import type { TypedTool } from "../core/tool.ts";

/** The tool of that name. Throws `tool_unreachable` for any other name: a fault of the evaluation itself, and never tried again. */
export function reachableTool<Tools, Name extends keyof Tools & string>(agent: string, tools: readonly TypedTool[], name: Name): Tools[Name] {
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) return tool as Tools[Name];
  const known = tools.map((each) => each.name);
  throw new EntailError("tool_unreachable", `agent ${JSON.stringify(agent)} reaches no tool ${JSON.stringify(name)}${didYouMean(name, known)}`);
}
