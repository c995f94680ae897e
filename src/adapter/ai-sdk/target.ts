// Owns `target`: an agent of the AI SDK behind Entail's target port.

import type { EventStream } from "../../core/event.ts";
import type { Target, TargetOptions } from "../../core/target.ts";
import { EntailError } from "../../core/error.ts";
import { eventsOf, observed, type EventsOptions, type StreamSource } from "./events.ts";

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

/**
 * Makes a target of an agent of the AI SDK, or of a function that calls `streamText`. It keeps no thread: what was said before is sent
 * again with each turn. The turn's signal goes to the agent as `abortSignal`, its thread is the session of the evidence.
 * Throws `option_invalid` for what can be called in neither way.
 */
export function target(agent: AgentLike | StreamCall, options: AgentTargetOptions = {}): Target<TurnInput> {
  const { call: further, newRunId, ...reading } = options;
  const asked = agent as Partial<AgentLike> | StreamCall | null | undefined;
  const method = typeof asked === "function" ? undefined : asked?.stream;
  if (typeof asked !== "function" && typeof method !== "function") {
    throw new EntailError("option_invalid", "target() needs an agent of the AI SDK with a stream() method, or a function (call) => streamText({ …, ...call })");
  }
  return {
    observes: observed(reading),
    memory: false,
    send(input, turn): EventStream {
      const said = turn.history ?? [];
      const call: AgentCall = {
        ...(typeof further === "function" ? further(turn) : further),
        messages: [...said, ...(typeof input === "string" ? [{ role: "user", content: input }] : input)],
        abortSignal: turn.signal,
      };
      // The agent starts with the first look at its events, so that nothing runs whose failure nobody would see.
      const start = (): StreamSource | PromiseLike<StreamSource> => (typeof asked === "function" ? asked(call) : (agent as AgentLike).stream(call));
      return eventsOf(start, { ...reading, runId: newRunId?.(), sessionId: turn.threadId });
    },
  };
}
