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

/** What is left of a loop that stopped because somebody has still to say whether a call may be made. */
export interface Stopped {
  readonly messages: readonly object[];
  readonly calls: readonly ToolUse[];
  /** In the order of the calls. */
  readonly runs: readonly (ResultBlock | "pending")[];
  /** The requests that were made, less one. */
  readonly turn: number;
}

type Push = (events: readonly StreamEvent[]) => void;

/** Speaks with the API until it has no more to say, and tells `push` all that happens. */
export function runLoop(past: readonly object[], options: LoopOptions, run: Translator, push: Push): Promise<Stopped | undefined> {
  return speak([...past], 0, options, run, push);
}

/** Goes on with a loop that stopped: every call that waits is made or refused. */
export async function goOn({ messages, calls, runs, turn }: Stopped, approved: boolean, options: LoopOptions, run: Translator, push: Push): Promise<Stopped | undefined> {
  const results = await Promise.all(calls.map(async (call, at) => {
    const before = runs[at];
    if (before !== undefined && before !== "pending") return before;
    push(run.earlier({ type: "tool_use", id: call.id, name: call.name, input: call.input }, call.inputText));
    const tool = options.tools.get(call.name);
    const read = readInput(call, tool);
    // Only calls that could be made were asked for.
    const block = tool === undefined || "block" in read ? settled(call, read as CallRun, run, push) : await decided(call, tool, read.input, approved, options, run, push);
    push(run.take(block));
    return block;
  }));
  return speak([...messages, { role: "user", content: results }], turn + 1, options, run, push);
}

async function speak(messages: object[], first: number, options: LoopOptions, run: Translator, push: Push): Promise<Stopped | undefined> {
  for (let turn = first; turn < options.maxTurns; turn++) {
    const { content, stopReason, calls } = await ask(messages, options, (part) => push(run.take(part)));
    messages.push({ role: "assistant", content });
    if (stopReason === "pause_turn") continue;
    if (stopReason !== "tool_use") return undefined;
    const runs = await Promise.all(calls.map((call) => answer(call, options, run, push)));
    if (runs.includes("pending")) {
      push(run.take({ type: "workflow", phase: "suspended" }));
      return { messages, calls, runs, turn };
    }
    const results = runs as readonly ResultBlock[];
    push(results.flatMap((block) => run.take(block)));
    messages.push({ role: "user", content: results });
  }
  push(run.take({ type: "workflow", phase: "failed", failure: { message: `the loop stopped after ${options.maxTurns} turns`, kind: "max_turns" } }));
  return undefined;
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
async function answer(call: ToolUse, options: LoopOptions, run: Translator, push: Push): Promise<ResultBlock | "pending"> {
  const tool = options.tools.get(call.name);
  const read = readInput(call, tool);
  if (tool === undefined || "block" in read) return settled(call, read as CallRun, run, push);
  const { input } = read;
  if (tool.approve === undefined) return make(call, tool, input, options, run, push);
  push(run.take({ type: "await_confirmation", toolCallId: call.id }));
  // Anything but a plain yes is no.
  const allowed: unknown = await tool.approve(input, { toolCallId: call.id, signal: options.signal });
  return allowed === "pending" ? "pending" : decided(call, tool, input, allowed === true, options, run, push);
}

async function decided(call: ToolUse, tool: ReadTool, input: unknown, approved: boolean, options: LoopOptions, run: Translator, push: Push): Promise<ResultBlock> {
  push(run.take({ type: "tool_authorization", toolCallId: call.id, approved }));
  return approved ? make(call, tool, input, options, run, push) : { type: "tool_result", tool_use_id: call.id, content: "The call was refused.", is_error: true };
}

async function make(call: ToolUse, tool: ReadTool, input: unknown, options: LoopOptions, run: Translator, push: Push): Promise<ResultBlock> {
  push(run.begin(call.id));
  const context: ToolCallContext = { toolCallId: call.id, signal: options.signal, nested: (stream) => nestedEvents(stream, options.base, run.idOf(call.id), push) };
  return settled(call, await runTool(tool, input, context, options), run, push);
}

function settled(call: ToolUse, { outcome, block }: CallRun, run: Translator, push: Push): ResultBlock {
  push(run.settle(call.id, outcome));
  return block;
}
