// Owns the running of one call of an application's tool: its arguments held against its definition, the approval asked for, the tool itself, and the
// result block that goes back to the API.

import { messageOf } from "../../core/error.ts";
import type { Observes, ToolFailure } from "../../core/evidence.ts";
import type { StreamEvent } from "../../core/event.ts";
import { untilAborted } from "../../core/abort.ts";
import { listOf, textMember } from "../../core/member.ts";
import type { JsonSchema } from "../../core/schema.ts";
import { compileSchema, type Validator } from "../../schema/validator.ts";
import type { CallOutcome } from "./call-events.ts";
import { thrownFailure, type FailureOptions } from "./failure.ts";

/** What a tool is told of the call that it serves. */
export interface ToolCallContext {
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  /** Reads the run of an agent that the tool starts, whose calls then stand below this one in evidence. Gives what that agent said. */
  readonly nested: (stream: AsyncIterable<StreamEvent> & { readonly observes?: Observes | undefined }) => Promise<string>;
}

/** A tool of the application, or one of the API's own, which has no `run`. */
export interface TargetTool {
  /** As the API takes it; its name is that of the tool. */
  readonly definition: object;
  // `any`: the input is whatever the definition's schema says, and only the application knows that as a type.
  readonly run?: ((input: any, context: ToolCallContext) => unknown) | undefined;
  /** Asks somebody about a call before it runs: true allows it, false refuses it, `"pending"` leaves it unanswered and ends the run. */
  readonly approve?: ((input: any, context: Pick<ToolCallContext, "toolCallId" | "signal">) => ApprovalAnswer | Promise<ApprovalAnswer>) | undefined;
}

export type ApprovalAnswer = boolean | "pending";

export interface ReadTool extends TargetTool {
  readonly name: string;
  readonly validator: Validator | undefined;
}

/** The result block of a call, as the API takes it. */
export interface ResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | readonly unknown[];
  readonly is_error?: true;
}

/** How a call went: what evidence shows, and what the model is told. */
export interface CallRun {
  readonly outcome: CallOutcome;
  readonly block: ResultBlock;
}

export function readTool(key: string, tool: TargetTool): ReadTool {
  const name = textMember(tool.definition, "name") ?? key;
  const schema = (tool.definition as { readonly input_schema?: JsonSchema }).input_schema;
  return { ...tool, name, validator: schema === undefined ? undefined : compileSchema(schema) };
}

function failedRun(id: string, failure: ToolFailure): CallRun {
  return { outcome: { kind: "failure", failure }, block: { type: "tool_result", tool_use_id: id, content: failure.error.message, is_error: true } };
}

/** The input of a call that its tool can be given, or the run of a call that breaks its contract. */
export function readInput(call: { readonly id: string; readonly name: string; readonly inputText: string; readonly input: unknown }, tool: ReadTool | undefined): { readonly input: unknown } | CallRun {
  const refuse = (message: string): CallRun => failedRun(call.id, { kind: "invalid_call", error: { message } });
  if (tool?.run === undefined) return refuse(`there is no tool named ${JSON.stringify(call.name)}`);
  let { input } = call;
  if (call.inputText.trim() !== "") {
    try {
      input = JSON.parse(call.inputText);
    } catch (thrown) {
      return refuse(`the arguments are no JSON: ${messageOf(thrown)}`);
    }
  }
  const faults = tool.validator?.faults(input) ?? [];
  return faults.length === 0 ? { input } : refuse(faults.map(({ path, message }) => `${path === "" ? "the arguments" : path} ${message}`).join("; "));
}

/** Runs a tool, and settles when `signal` is aborted, whether the tool obeys it or not. */
export async function runTool(tool: ReadTool, input: unknown, context: ToolCallContext, options: FailureOptions): Promise<CallRun> {
  const { toolCallId, signal } = context;
  try {
    const value: unknown = await untilAborted((async () => tool.run?.(input, context))(), signal, `the tool ${tool.name}`);
    return { outcome: { kind: "result", value }, block: { type: "tool_result", tool_use_id: toolCallId, ...shown(value) } };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return failedRun(toolCallId, thrownFailure(tool.name, thrown, options));
  }
}

const BLOCKS: ReadonlySet<string> = new Set(["text", "image", "document", "search_result", "tool_reference"]);

/** What the model is shown of a result: a text and blocks of the API as they are, anything else as JSON. */
function shown(value: unknown): Pick<ResultBlock, "content"> {
  if (value === undefined) return {};
  if (typeof value === "string") return { content: value };
  const blocks = listOf(value);
  if (blocks !== undefined && blocks.length > 0 && blocks.every((block) => BLOCKS.has(textMember(block, "type") ?? ""))) return { content: blocks };
  const json = JSON.stringify(value) as string | undefined;
  return { content: json ?? `a ${typeof value}, which JSON cannot hold` };
}
