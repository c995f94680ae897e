// Owns the tools of a chat endpoint that the application runs itself: their declaration, and one call of one of them.

import type { FailureKind, ToolFailure } from "../../core/evidence.ts";
import type { ToolEndEvent } from "../../core/event.ts";
import { abortError, untilAborted } from "../../core/abort.ts";
import { messageOf } from "../../core/error.ts";
import { thrownCause, thrownKind } from "../../core/thrown.ts";
import { valueOf } from "../../json/json-value.ts";
import { readJson } from "../../json/read-json.ts";
import { resultMembers } from "../../message/event-payload.ts";
import { compileSchema } from "../../schema/validator.ts";
import { invalid, requireKnown } from "./options.ts";

export interface ToolCallContext {
  readonly signal: AbortSignal;
  readonly toolCallId: string;
}

export interface ChatTool {
  /** The name that the model calls. */
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments; sent as it is, and held against what the model writes. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Without it, the run stops at a call and waits for somebody else to answer it. */
  // `any`: the schema alone says what the arguments are.
  readonly execute?: ((args: any, context: ToolCallContext) => unknown) | undefined;
}

export interface CallOutcome {
  /** `undefined` where nobody here runs the tool. */
  readonly end: Pick<ToolEndEvent, "result" | "resultJson" | "resultOmitted" | "failure"> | undefined;
  readonly output?: unknown;
  /** What the model is told. */
  readonly text: string;
}

export interface Toolbox {
  readonly tools: readonly ChatTool[];
  /** True where every tool has an `execute`. */
  readonly runsAll: boolean;
  /** Never rejects but with the signal's own error. */
  run(name: string, args: string, context: ToolCallContext): Promise<CallOutcome>;
}

/** Reads the declared tools. Throws `option_invalid`. */
export function readTools(tools: unknown, failureKind: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined): Toolbox {
  if (!Array.isArray(tools)) throw invalid("the tools of target() must be a list");
  const byName = new Map<string, { readonly tool: ChatTool; readonly validator: ReturnType<typeof compileSchema> }>();
  (tools as unknown[]).forEach((tool, at) => {
    const place = `target(), tools[${at}]`;
    requireKnown(tool, ["name", "description", "inputSchema", "execute"], place);
    const { name, inputSchema, execute } = tool as Partial<ChatTool>;
    if (typeof name !== "string" || name === "") throw invalid(`the name of ${place} must be a text that is not empty`);
    if (byName.has(name)) throw invalid(`two tools of target() have the name ${JSON.stringify(name)}`);
    if (typeof inputSchema !== "object" || inputSchema === null) throw invalid(`the inputSchema of ${place} must be a JSON Schema`);
    if (execute !== undefined && typeof execute !== "function") throw invalid(`the execute of ${place} must be a function`);
    byName.set(name, { tool: tool as ChatTool, validator: compileSchema(inputSchema) });
  });
  const failed = (failure: ToolFailure): CallOutcome => ({ end: { failure }, text: `Error: ${failure.error.message}` });
  const refused = (message: string): CallOutcome => failed({ kind: "invalid_call", error: { message } });

  return {
    tools: tools as readonly ChatTool[],
    runsAll: [...byName.values()].every(({ tool }) => tool.execute !== undefined),
    async run(name, args, context) {
      const known = byName.get(name);
      if (known === undefined) return refused(`there is no tool ${JSON.stringify(name)}`);
      const { tool, validator } = known;
      let value: unknown;
      try {
        value = args.trim() === "" ? {} : valueOf(readJson(args));
      } catch (thrown) {
        return refused(`the arguments of ${name} cannot be read: ${messageOf(thrown)}`);
      }
      const found = validator.faults(value);
      if (found.length > 0) return refused(`the arguments of ${name} are invalid: ${found.map(({ path, message }) => `${path === "" ? "they" : path} ${message}`).join("; ")}`);
      const { execute } = tool;
      if (execute === undefined) return { end: undefined, text: "" };
      try {
        const output = await untilAborted(Promise.resolve().then(() => execute(value, context)), context.signal, `the tool ${name}`);
        return { end: resultMembers(output), output, text: textOfOutput(output) };
      } catch (thrown) {
        if (context.signal.aborted) throw abortError(context.signal, `the tool ${name}`);
        return failed({ kind: failureKind?.(name, thrown) ?? thrownKind(thrown), error: thrownCause(thrown) });
      }
    },
  };
}

function textOfOutput(output: unknown): string {
  if (typeof output === "string") return output;
  try {
    const written = JSON.stringify(output) as string | undefined;
    return written ?? "";
  } catch (thrown) {
    return `The result cannot be written as JSON: ${messageOf(thrown)}`;
  }
}
