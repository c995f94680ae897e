// Owns `target`: a client of the Messages API and its tools, or an application's own loop, behind Entail's target port.

import { EntailError } from "../../core/error.ts";
import type { Observes } from "../../core/evidence.ts";
import type { EventStream, StreamEvent } from "../../core/event.ts";
import { isIterable } from "../../core/iterate.ts";
import { member, namesOf } from "../../core/member.ts";
import type { Decision, Target, TargetOptions } from "../../core/target.ts";
import { waitingRuns } from "../../core/waiting-runs.ts";
import { channel } from "./channel.ts";
import { events, runEvents, type EventsOptions, type RunSource } from "./events.ts";
import { goOn, runLoop, type LoopOptions, type MessagesLike, type Stopped } from "./loop.ts";
import { partsOf } from "./source.ts";
import type { Translator } from "./translator.ts";
import { readTool, type ReadTool, type TargetTool } from "./tool-run.ts";

/** `new Anthropic()`, or any client whose `messages` has the API's `create`. */
export interface ClientLike {
  readonly messages: MessagesLike;
}

/** A message of the API, as an application sends it. */
export interface InputMessage {
  readonly role: string;
  readonly content: unknown;
}

/** One turn: a text, or messages of the API that follow what was said before. */
export type TurnInput = string | readonly InputMessage[];

export interface LoopTargetOptions extends Omit<EventsOptions, "runId" | "sessionId" | "toolResults" | "approvals" | "signal"> {
  readonly client: ClientLike;
  readonly model: string;
  readonly tools?: Readonly<Record<string, TargetTool>> | undefined;
  readonly system?: string | readonly object[] | undefined;
  /** Of one message; 4096 when absent. */
  readonly maxTokens?: number | undefined;
  /** Requests of one turn before the loop gives up; 20 when absent. */
  readonly maxTurns?: number | undefined;
  /** Further members of each request: `thinking`, `tool_choice`, `mcp_servers` and the like. */
  readonly call?: Readonly<Record<string, unknown>> | ((turn: TargetOptions) => Readonly<Record<string, unknown>>) | undefined;
  /** Names the run of a turn. A random id when absent. */
  readonly newRunId?: (() => string) | undefined;
}

/** What a turn of an application's own loop is sent with. */
export interface LoopCall {
  // `any`: the API's messages are a union that only its own types can name.
  messages: any[];
  signal: AbortSignal;
}

/**
 * An application's own loop: a generator of what it sees, or `(call) => client.beta.messages.toolRunner({ …, messages: call.messages, stream: true }, { signal:
 * call.signal })`. It gives no promise: to await the SDK's tool runner is to lose everything but its last message.
 */
export type LoopRun = (call: LoopCall) => AsyncIterable<unknown>;

export type LoopRunOptions = Omit<EventsOptions, "runId" | "sessionId" | "toolResults" | "signal"> & Pick<LoopTargetOptions, "newRunId">;

function pastAnd(input: TurnInput, turn: TargetOptions): object[] {
  return [...(turn.history ?? []), ...(typeof input === "string" ? [{ role: "user", content: input }] : input)];
}

function readTools(tools: Readonly<Record<string, TargetTool>>): ReadonlyMap<string, ReadTool> {
  const read = namesOf(tools).map((key) => {
    const tool = tools[key];
    if (typeof member(tool, "definition") !== "object" || tool === undefined) throw new EntailError("option_invalid", `target(): the tool ${JSON.stringify(key)} has no definition; give { definition, run }`);
    return readTool(key, tool);
  });
  return new Map(read.map((tool) => [tool.name, tool]));
}

/**
 * Makes a target of a client of the Messages API with its tools, around which it drives the loop: it streams each message, holds each call against its
 * definition, runs the tools side by side and sends their results back; a run that stopped because `approve` of a tool left a call unanswered goes on with
 * every such call decided. Or of an application's own loop, a function that gives what `events` takes. It
 * keeps no thread: what was said before is sent again with each turn. The turn's signal goes to the client and to every tool, its thread is the session
 * of the evidence. Throws `option_invalid` for what is neither, and `schema_invalid` for a definition that no value can be held against.
 */
export function target(options: LoopTargetOptions): Target<TurnInput>;
export function target(loop: LoopRun, options?: LoopRunOptions): Target<TurnInput>;
export function target(given: LoopTargetOptions | LoopRun, options: LoopRunOptions = {}): Target<TurnInput> {
  return typeof given === "function" ? ownLoop(given, options) : drivenLoop(given);
}

function ownLoop(loop: LoopRun, { newRunId, ...reading }: LoopRunOptions): Target<TurnInput> {
  const opened = (source: RunSource, rest: EventsOptions = {}): ReturnType<typeof events> => events(source, { ...reading, ...rest });
  return {
    observes: opened([]).observes,
    memory: false,
    send(input, turn): EventStream {
      // The loop starts with the first look at its events, so that nothing runs whose failure nobody would see.
      const start = async function* (): AsyncGenerator<unknown, void> {
        const source: unknown = loop({ messages: pastAnd(input, turn), signal: turn.signal });
        if (!isIterable(source)) throw new EntailError("option_invalid", "target(): the loop must give what it sees as it goes, as a generator or a tool runner does; a promise shows only its last message");
        yield* partsOf(source);
      };
      return opened(start(), { runId: newRunId?.(), sessionId: turn.threadId, signal: turn.signal });
    },
  };
}

function drivenLoop(options: LoopTargetOptions): Target<TurnInput> {
  const { client, model, tools: given = {}, system, maxTokens = 4096, maxTurns = 20, call: further, newRunId, ...reading } = options;
  const messages: unknown = member(client, "messages");
  if (typeof member(messages, "create") !== "function" || typeof model !== "string") {
    throw new EntailError("option_invalid", "target() needs { client, model } with a client of the Anthropic SDK, or a function (call) => the parts of your own loop");
  }
  const tools = readTools(given);
  const approvals = [...tools.values()].some(({ approve }) => approve !== undefined);
  const definitions = [...tools.values()].map(({ definition }) => definition);
  const observes: Observes = { args: true, results: true, failureKinds: true, parents: true, approvals, bounds: reading.bounds !== undefined, deltas: true };
  const waiting = waitingRuns<Stopped>();
  type Work = (loop: LoopOptions, run: Translator, push: (told: readonly StreamEvent[]) => void) => Promise<Stopped | undefined>;

  const read = (turn: TargetOptions, work: Work, ...before: readonly string[]): EventStream => {
    const base = { runId: newRunId?.() ?? crypto.randomUUID(), ...(turn.threadId === undefined ? {} : { sessionId: turn.threadId }) };
    return runEvents({ ...reading, ...base, approvals, signal: turn.signal }, observes, async function* (run) {
      const out = channel<StreamEvent>();
      const left = new AbortController();
      const signal = AbortSignal.any([turn.signal, left.signal]);
      const body = { max_tokens: maxTokens, ...(system === undefined ? {} : { system }), ...(definitions.length === 0 ? {} : { tools: definitions }), ...(typeof further === "function" ? further(turn) : further), model };
      const loop = { messages: messages as MessagesLike, body, tools, maxTurns, signal, base, failureKind: reading.failureKind };
      const working = work(loop, run, (told) => out.push(...told)).then(
        (stopped) => {
          if (stopped !== undefined) waiting.keep(stopped, base.runId, ...before);
          out.close();
        },
        (error: unknown) => out.close({ error }),
      );
      try {
        yield* out;
        await working;
      } finally {
        // Whoever stops reading stops the loop.
        left.abort();
      }
    });
  };

  return {
    observes,
    memory: false,
    send: (input, turn): EventStream => read(turn, (loop, run, push) => runLoop(pastAnd(input, turn), loop, run, push)),
    ...(approvals && {
      resume({ approved, evidence: { runId } }: Decision, turn: TargetOptions): EventStream {
        const stopped = waiting.take(runId);
        return read(turn, (loop, run, push) => goOn(stopped, approved, loop, run, push), runId);
      },
    }),
  };
}
