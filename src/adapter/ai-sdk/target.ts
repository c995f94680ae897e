// Owns `target`: an agent of the AI SDK behind Entail's target port.

import type { EventStream } from "../../core/event.ts";
import type { Target, TargetOptions } from "../../core/target.ts";
import { EntailError } from "../../core/error.ts";
import { waitingRuns } from "../../core/waiting-runs.ts";
import { approvalsOf, messagesOf } from "./approval.ts";
import type { SeenCall } from "./call-ledger.ts";
import { eventsOf, observed, type EventsOptions, type Opened, type StreamSource } from "./events.ts";

/** A message as the SDK takes it; an application's own may hold any of its parts. */
export interface InputMessage {
  readonly role: string;
  readonly content: unknown;
}

/** One turn: a text, or messages of the SDK that follow what was said before. */
export type TurnInput = string | readonly InputMessage[];

/** What a turn is sent with. */
export interface AgentCall {
  // `any`: the SDK's messages are a union that only its own types can name.
  messages: any[];
  abortSignal: AbortSignal;
}

/** `ToolLoopAgent`, or anything else that implements the SDK's `Agent`. */
export interface AgentLike {
  stream(options: AgentCall): StreamSource | PromiseLike<StreamSource>;
}

/** For an application that calls `streamText` itself: `(call) => streamText({ model, tools, ...call })`. */
export type StreamCall = (call: AgentCall) => StreamSource | PromiseLike<StreamSource>;

export interface AgentTargetOptions extends Omit<EventsOptions, "runId" | "sessionId"> {
  /** Further members of each call: an agent's `options`, `timeout` and the like. */
  readonly call?: Readonly<Record<string, unknown>> | ((turn: TargetOptions) => Readonly<Record<string, unknown>>) | undefined;
  /** Names the run of a turn. A random id when absent. */
  readonly newRunId?: (() => string) | undefined;
}

/** A run that stopped for approval: what it was sent, and the SDK's own result of it. */
interface Waiting {
  readonly messages: readonly object[];
  readonly source: unknown;
  readonly calls: readonly SeenCall[];
  /** The ids of the calls that were told so far in the turn. */
  readonly told: readonly string[];
}

/**
 * Makes a target of an agent of the AI SDK, or of a function that calls `streamText`. It keeps no thread: what was said before is sent
 * again with each turn. The turn's signal goes to the agent as `abortSignal`, its thread is the session of the evidence. A run that stopped for
 * approval goes on with the answer to every call that waits. Throws `option_invalid` for what can be called in neither way.
 */
export function target(agent: AgentLike | StreamCall, options: AgentTargetOptions = {}): Target<TurnInput> {
  const { call: further, newRunId, ...reading } = options;
  const asked = agent as Partial<AgentLike> | StreamCall | null | undefined;
  const method = typeof asked === "function" ? undefined : asked?.stream;
  if (typeof asked !== "function" && typeof method !== "function") {
    throw new EntailError("option_invalid", "target() needs an agent of the AI SDK with a stream() method, or a function (call) => streamText({ …, ...call })");
  }
  const waiting = waitingRuns<Waiting>();

  // The agent starts with the first look at its events, so that nothing runs whose failure nobody would see.
  const start = (messages: readonly object[], turn: TargetOptions): StreamSource | PromiseLike<StreamSource> => {
    const call: AgentCall = { ...(typeof further === "function" ? further(turn) : further), messages: [...messages], abortSignal: turn.signal };
    return typeof asked === "function" ? asked(call) : (agent as AgentLike).stream(call);
  };

  const read = (turn: TargetOptions, open: () => Promise<Opened & Pick<Waiting, "messages">>, ...before: readonly string[]): EventStream => {
    const runId = newRunId?.() ?? crypto.randomUUID();
    let opened: (Opened & Pick<Waiting, "messages">) | undefined;
    return eventsOf(async () => (opened = await open()), { ...reading, runId, sessionId: turn.threadId }, (source, calls) => {
      const told = [...(opened?.earlier ?? []), ...calls.filter(({ said }) => said.start).map(({ id }) => id)];
      waiting.keep({ messages: opened?.messages ?? [], source, calls, told }, runId, ...before);
    });
  };

  return {
    observes: observed(reading),
    memory: false,
    send(input, turn): EventStream {
      const messages = [...(turn.history ?? []), ...(typeof input === "string" ? [{ role: "user", content: input }] : input)];
      return read(turn, async () => ({ messages, source: await start(messages, turn) }));
    },
    resume({ approved, evidence }, turn): EventStream {
      const before = waiting.take(evidence.runId);
      return read(turn, async () => {
        const added = await messagesOf(before.source);
        const { decided, answer } = approvalsOf(added, before.calls, approved);
        const messages = [...before.messages, ...added, answer];
        return { messages, source: await start(messages, turn), decided, earlier: before.told };
      }, evidence.runId);
    },
  };
}
