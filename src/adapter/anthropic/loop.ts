// Owns the loop between the Messages API and an application's tools: a request, its streamed message, the calls in it, their results, and again.

import { EntailError } from "../../core/error.ts";
import type { StreamEvent } from "../../core/event.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { textMember } from "../../core/member.ts";
import { assembly } from "./assembly.ts";
import type { EventBase } from "./call-events.ts";
import type { FailureOptions } from "./failure.ts";
import { nestedEvents } from "./nested.ts";
import { readPart } from "./part.ts";
import { readInput, runTool, type CallRun, type ReadTool, type ResultBlock, type ToolCallContext } from "./tool-run.ts";
import type { Translator } from "./translator.ts";

/** `client.messages`, or `client.beta.messages`. */
export interface MessagesLike {
  // `any`: the API's parameters are unions that only its own types can name.
  create(body: any, options?: any): PromiseLike<unknown>;
}

export interface LoopOptions extends FailureOptions {
  readonly messages: MessagesLike;
  /** Every member of a request but its messages. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly tools: ReadonlyMap<string, ReadTool>;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
  readonly base: EventBase;
}

interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly inputText: string;
}

interface Turn {
  readonly content: readonly object[];
  readonly stopReason: string | undefined;
  readonly calls: readonly ToolUse[];
}

/** Speaks with the API until it has no more to say, and tells `push` all that happens. */
export async function runLoop(past: readonly object[], options: LoopOptions, run: Translator, push: (events: readonly StreamEvent[]) => void): Promise<void> {
  const messages: object[] = [...past];
  for (let turn = 0; turn < options.maxTurns; turn++) {
    const { content, stopReason, calls } = await ask(messages, options, (part) => push(run.take(part)));
    messages.push({ role: "assistant", content });
    if (stopReason === "pause_turn") continue;
    if (stopReason !== "tool_use") return;
    const runs = await Promise.all(calls.map((call) => answer(call, options, run, push)));
    if (runs.includes("pending")) return push(run.take({ type: "workflow", phase: "suspended" }));
    const results = runs as readonly ResultBlock[];
    push(results.flatMap((block) => run.take(block)));
    messages.push({ role: "user", content: results });
  }
  push(run.take({ type: "workflow", phase: "failed", failure: { message: `the loop stopped after ${options.maxTurns} turns`, kind: "max_turns" } }));
}

/** One request, and its message as it comes. */
async function ask(messages: readonly object[], { messages: api, body, signal }: LoopOptions, tell: (part: unknown) => void): Promise<Turn> {
  const stream = await api.create({ ...body, messages: [...messages], stream: true }, { signal });
  if (!isIterable(stream)) throw new EntailError("option_invalid", "target(): client.messages.create() gave no stream");
  const blocks = assembly();
  const calls: ToolUse[] = [];
  let stopReason: string | undefined;
  for await (const item of iterate(stream)) {
    tell(item);
    const part = readPart(item);
    if (part.kind === "block_start") blocks.start(part.index, part.block);
    else if (part.kind === "block_piece") blocks.piece(part.index, part.delta);
    else if (part.kind === "message_delta") stopReason = part.stopReason ?? stopReason;
    else if (part.kind === "block_stop") {
      const finished = blocks.stop(part.index);
      const id = textMember(finished?.block, "id");
      if (finished !== undefined && id !== undefined && textMember(finished.block, "type") === "tool_use") {
        calls.push({ id, name: textMember(finished.block, "name") ?? "", input: finished.block["input"], inputText: finished.inputText });
      }
    }
  }
  // The API takes no empty text back.
  return { content: blocks.content().filter((block) => textMember(block, "type") !== "text" || textMember(block, "text") !== ""), stopReason, calls };
}

/** Answers one call: what goes back to the API, or that somebody has still to say whether it may be made. */
async function answer(call: ToolUse, options: LoopOptions, run: Translator, push: (events: readonly StreamEvent[]) => void): Promise<ResultBlock | "pending"> {
  const { signal, base } = options;
  const tool = options.tools.get(call.name);
  const settled = ({ outcome, block }: CallRun): ResultBlock => {
    push(run.settle(call.id, outcome));
    return block;
  };
  const read = readInput(call, tool);
  if (tool === undefined || "block" in read) return settled(read as CallRun);
  const { input } = read;
  if (tool.approve !== undefined) {
    push(run.take({ type: "await_confirmation", toolCallId: call.id }));
    // Anything but a plain yes is no.
    const allowed: unknown = await tool.approve(input, { toolCallId: call.id, signal });
    if (allowed === "pending") return "pending";
    push(run.take({ type: "tool_authorization", toolCallId: call.id, approved: allowed === true }));
    if (allowed !== true) return { type: "tool_result", tool_use_id: call.id, content: "The call was refused.", is_error: true };
  }
  push(run.begin(call.id));
  const context: ToolCallContext = { toolCallId: call.id, signal, nested: (stream) => nestedEvents(stream, base, run.idOf(call.id), push) };
  return settled(await runTool(tool, input, context, options));
}
