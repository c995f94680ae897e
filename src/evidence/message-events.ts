// Owns the events of a finished run of which only the messages are known.

import { EntailError } from "../core/error.ts";
import type { EventStream, StreamEvent } from "../core/event.ts";
import { type Observes, TERMINAL_PHASES, type TerminalPhase } from "../core/evidence.ts";
import { listMember, listOf } from "../core/member.ts";
import { toolCallsOf } from "../message/conversation-text.ts";
import type { MessageCall, ReadMessages, UnreadMessage } from "../message/message.ts";
import { readMessages } from "../message/read-messages.ts";
import { nameOf } from "./predicate.ts";

export interface MessageEventsOptions {
  /** The id of the run in evidence. A random one when absent. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  /**
   * How the run ended, where somebody knows. Otherwise an error among the messages means `failed`, a call that still waits for the application or
   * for a person `suspended`, and anything else `completed`.
   */
  readonly phase?: TerminalPhase | undefined;
}

const MAX_NAMED = 5;

/**
 * The events of a run, from all of its messages: those of Mastra, the AI SDK, OpenAI, Anthropic and LangChain are told by their shapes. Give the
 * messages of the run alone, without those of earlier turns. A result whose message tells that it failed does not say why: its kind is `unknown`.
 *
 * Throws `message_unreadable`, naming the places, where something was not understood, or where there are none: a run without calls would be made
 * up. Throws `option_invalid` for a phase that is none.
 */
export function eventsFromMessages(messages: unknown, options: MessageEventsOptions = {}): EventStream & { readonly observes: Observes } {
  const { phase } = options;
  if (phase !== undefined && !TERMINAL_PHASES.includes(phase)) throw new EntailError("option_invalid", `phase must be one of ${TERMINAL_PHASES.join(", ")}; it is ${nameOf(phase)}`);
  const read = readMessages(messages);
  if (read.unread.length > 0) throw unreadable(read.unread);
  if ((listOf(messages) ?? listMember(messages, "messages"))?.length === 0) throw new EntailError("message_unreadable", "there are no messages: a run of which nothing is known has not been one without calls");
  const calls = toolCallsOf(read);
  const events = eventsOf(read, options);
  return {
    // Messages that hold no approval cannot tell whether one was asked for.
    observes: { args: true, results: true, failureKinds: false, parents: false, approvals: calls.some(({ approval }) => approval !== undefined), bounds: false, deltas: false },
    // oxlint-disable-next-line typescript/require-await -- the events are there at once; the port is asynchronous
    async *[Symbol.asyncIterator]() {
      yield* events;
    },
  };
}

function unreadable(unread: readonly UnreadMessage[]): EntailError {
  const named = unread.slice(0, MAX_NAMED).map(({ index, path, what }) => `message ${index}${path === "" ? "" : `, ${path}`} is ${what}`);
  const more = unread.length > MAX_NAMED ? `; and ${unread.length - MAX_NAMED} more` : "";
  return new EntailError("message_unreadable", `the messages were not understood: ${named.join("; ")}${more}. Calls may hide there, so no evidence is made of them; leave out what is no call, or give events`);
}

type EventBase = { readonly runId: string; readonly sessionId?: string };

function eventsOf(read: ReadMessages, { runId, sessionId, phase }: MessageEventsOptions): readonly StreamEvent[] {
  const base: EventBase = { runId: runId ?? crypto.randomUUID(), ...(sessionId === undefined ? {} : { sessionId }) };
  const events: StreamEvent[] = [];
  const taken = new Set<string>();
  let failure: string | undefined;
  for (const item of read.items) {
    if (item.kind === "text" && item.role === "assistant") events.push({ ...base, type: "assistant_reply", text: item.text });
    else if (item.kind === "error") failure ??= item.message;
    else if (item.kind === "call") events.push(...callEvents(item, freshId(item.toolCallId, taken), base));
  }
  if (read.usage !== undefined) events.push({ ...base, type: "usage", usage: read.usage });
  const ended = phase ?? (failure === undefined ? (waits(read) ? "suspended" : "completed") : "failed");
  events.push({ ...base, type: "workflow", phase: ended, ...(ended === "failed" && failure !== undefined ? { failure: { message: failure } } : {}) }, { ...base, type: "run_stream_end" });
  return events;
}

/** Two messages may use one id for two calls; evidence needs an id for each. */
function freshId(id: string, taken: Set<string>): string {
  let fresh = id;
  for (let again = 2; taken.has(fresh); again++) fresh = `${id}#${again}`;
  taken.add(fresh);
  return fresh;
}

function callEvents(call: MessageCall, toolCallId: string, base: EventBase): readonly StreamEvent[] {
  const { toolName, argsJson, argsRaw, approval } = call;
  const of = { ...base, toolCallId, toolName };
  const args = argsRaw === "absent" ? {} : { argsJson: argsRaw === "null" ? "null" : argsRaw === "empty" ? "" : argsJson };
  const asked: StreamEvent[] = approval?.state !== "pending" ? [] : [{ ...of, type: "await_confirmation", prompt: approval.reason ?? `${toolName} needs approval`, ...(approval.id === undefined ? {} : { id: approval.id }), ...args }];
  const decided: StreamEvent[] = approval === undefined || approval.state === "pending" ? [] : [{ ...of, type: "tool_authorization", approved: approval.state === "approved", ...(approval.reason === undefined ? {} : { summary: approval.reason }) }];
  const start: StreamEvent = { ...of, type: "tool_start", ...args };
  switch (call.state) {
    case "pending":
      return asked;
    case "called":
    case "denied":
      return [...decided, start];
    case "succeeded":
      return [...asked, ...decided, start, { ...of, type: "tool_end", ...(call.resultJson === undefined ? {} : { resultJson: call.resultJson }) }];
    case "failed":
      return [...asked, ...decided, start, { ...of, type: "tool_end", failure: { kind: "unknown", error: { message: call.error ?? "it failed without saying why" } } }];
    default:
      return call.state satisfies never;
  }
}

/** True where the run stopped at a call that somebody else has to answer; words that came after a call mean that it went on. */
function waits({ items }: ReadMessages): boolean {
  const lastWord = items.findLastIndex((item) => item.kind === "text" && item.role === "assistant");
  return items.some((item, at) => item.kind === "call" && (item.state === "pending" || (item.state === "called" && item.providerExecuted !== true && at > lastWord)));
}
