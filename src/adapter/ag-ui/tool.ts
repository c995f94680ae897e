// Owns the tools that the application runs itself: what the agent is told of them, and what running one came to.

import { EntailError } from "../../core/error.ts";
import { listOf, textMember } from "../../core/member.ts";
import { thrownMessage } from "../../core/thrown.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import type { CallEnd, SeenCall } from "./call-book.ts";

export interface FrontendTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of its arguments. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Runs it. Without it, a run that calls it is suspended. */
  // `any`: an application's own function takes its own arguments.
  readonly execute?: ((args: any, options: { readonly toolCallId: string; readonly signal: AbortSignal }) => unknown) | undefined;
}

export interface Toolbox {
  readonly names: ReadonlySet<string>;
  /** As they are sent. */
  readonly declared: readonly object[];
  canRun(call: SeenCall): boolean;
  run(call: SeenCall, signal: AbortSignal): Promise<CallEnd>;
}

/** Throws `option_invalid`. */
export function readTools(given: readonly FrontendTool[] | undefined): Toolbox {
  const tools = new Map<string, FrontendTool>();
  const list = given === undefined ? [] : listOf(given);
  if (list === undefined) throw new EntailError("option_invalid", "the tools of target() must be a list of { name, description, parameters, execute }");
  for (const tool of list as readonly FrontendTool[]) {
    const name = textMember(tool, "name") ?? "";
    if (name === "") throw new EntailError("option_invalid", "each of the tools of target() must have a name");
    if (tools.has(name)) throw new EntailError("option_invalid", `target() has two tools of the name ${JSON.stringify(name)}`);
    if (tool.execute !== undefined && typeof tool.execute !== "function") throw new EntailError("option_invalid", `execute of the tool ${JSON.stringify(name)} must be a function`);
    tools.set(name, tool);
  }
  return {
    names: new Set(tools.keys()),
    declared: [...tools.values()].map(({ name, description = "", parameters = { type: "object" } }) => ({ name, description, parameters })),
    canRun: ({ toolName }) => tools.get(toolName)?.execute !== undefined,
    async run({ toolName, rawId, text }, signal) {
      let args: unknown;
      try {
        args = text.trim() === "" ? {} : JSON.parse(text);
      } catch (thrown) {
        const message = `the arguments are not JSON: ${thrownMessage(thrown)}`;
        return { kind: "failure", message, invalid: true, content: message };
      }
      try {
        const output = await tools.get(toolName)?.execute?.(args, { toolCallId: rawId, signal });
        // The protocol carries texts.
        return { kind: "result", content: typeof output === "string" ? output : JSON.stringify(wireSafe(output) ?? null) };
      } catch (thrown) {
        return { kind: "failure", message: thrownMessage(thrown), error: thrown, content: thrownMessage(thrown) };
      }
    },
  };
}
