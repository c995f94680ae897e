// Owns the target of a plain function: what it gives (a text, messages, events, or a stream of texts or events) is what can be seen of its run.

import { untilAborted } from "../../core/abort.ts";
import { EntailError } from "../../core/error.ts";
import { PROGRESS_EVENTS, type EventStream, type StreamEvent } from "../../core/event.ts";
import { OBSERVES_EVERYTHING, type Observes } from "../../core/evidence.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { listMember, listOf, member, recordOf, textMember } from "../../core/member.ts";
import type { Target, TargetOptions } from "../../core/target.ts";
import { eventsFromMessages } from "../../evidence/message-events.ts";
import { invalid, requireKnown } from "./options.ts";

/** What a function may give, at once or as a promise: the answer's text, all messages of the run, or its events, as a list or as they come. */
export type Given = string | readonly unknown[] | { readonly messages: readonly unknown[] } | EventStream | AsyncIterable<string | StreamEvent>;

// `any`: what a turn's input is lies with the application.
export type TargetFunction<Input = any> = (input: Input, turn: TargetOptions) => Given | PromiseLike<Given>;

export const KINDS = ["text", "messages", "events"] as const;
export type GivenKind = (typeof KINDS)[number];

export interface FunctionTargetOptions {
  /** What the function gives, so that `observes` can say beforehand what will be seen; anything else is then an error. */
  readonly gives?: GivenKind | undefined;
  /** Of a function that gives events: what they show. Everything when absent. */
  readonly observes?: Observes | undefined;
  /** Whether the function keeps the thread itself. False when absent. */
  readonly memory?: boolean | undefined;
  /** Names the run of a turn that gives a text or messages. A random id when absent. */
  readonly newRunId?: (() => string) | undefined;
}

/** A text shows nothing but itself. */
const NOTHING: Observes = Object.freeze({ args: false, results: false, failureKinds: false, parents: false, approvals: false, bounds: false, deltas: false });
const MESSAGES: Observes = Object.freeze({ ...NOTHING, args: true, results: true });

/** Throws `option_invalid`. */
export function functionTarget<Input>(run: TargetFunction<Input>, options: FunctionTargetOptions): Target<Input> {
  requireKnown(options, ["gives", "observes", "memory", "newRunId"], "target()");
  const { gives, observes, memory = false, newRunId } = options;
  if (gives !== undefined && !KINDS.includes(gives)) throw invalid(`gives of target() must be one of ${KINDS.join(", ")}`);
  if (observes !== undefined && gives !== "events") throw invalid('observes of target() is for a function that gives events; say gives: "events" beside it');
  if (typeof memory !== "boolean") throw invalid("memory of target() must be true or false");
  const seenBy: Readonly<Record<GivenKind, Observes>> = { text: NOTHING, messages: MESSAGES, events: observes ?? OBSERVES_EVERYTHING };
  return {
    // Without a word about it, only the run's own stream says what was seen.
    observes: gives === undefined ? NOTHING : seenBy[gives],
    memory,
    send(input, turn): EventStream {
      const base = { runId: newRunId?.() ?? crypto.randomUUID(), ...(turn.threadId === undefined ? {} : { sessionId: turn.threadId }) };
      const stream = { observes: gives === undefined ? NOTHING : seenBy[gives], [Symbol.asyncIterator]: read };
      async function* read(): AsyncGenerator<StreamEvent, void> {
        try {
          const given: unknown = await untilAborted(Promise.resolve().then(() => run(input, turn)), turn.signal, "the target's function");
          const [kind, events] = await eventsOf(given, base);
          if (gives !== undefined && gives !== kind) throw new EntailError("event_invalid", `the target's function gave ${kind}, and target() was told that it gives ${gives}`);
          stream.observes = kind === "events" ? (observes ?? events.observes ?? OBSERVES_EVERYTHING) : kind === "messages" ? (events.observes ?? MESSAGES) : NOTHING;
          yield* events;
        } catch (thrown) {
          if (!turn.signal.aborted) throw thrown;
          yield* ended(base, "cancelled");
        }
      }
      return stream;
    },
  };
}

interface Base {
  readonly runId: string;
  readonly sessionId?: string;
}

function ended(base: Base, phase: string): readonly StreamEvent[] {
  return [{ ...base, type: "workflow", phase }, { ...base, type: "run_stream_end" }];
}

type Events = (AsyncIterable<StreamEvent> | Iterable<StreamEvent>) & { readonly observes?: Observes | undefined };

async function eventsOf(given: unknown, base: Base): Promise<readonly [GivenKind, Events]> {
  if (typeof given === "string") return ["text", [{ ...base, type: "assistant_reply", text: given }, ...ended(base, "completed")]];
  const list = listOf(given);
  if (list !== undefined) return list.length > 0 && list.every(isEvent) ? ["events", list] : ["messages", messageEvents(given, base)];
  if (isIterable(given)) return streamed(given, base);
  if (listMember(given, "messages") !== undefined || textMember(given, "role") !== undefined) return ["messages", messageEvents(given, base)];
  throw new EntailError("event_invalid", `the target's function gave ${nameOf(given)}; it must give a text, the run's messages, its events, or a stream of texts or of events`);
}

function messageEvents(messages: unknown, base: Base): EventStream {
  return eventsFromMessages(messages, base);
}

/** The first item tells what a stream is of. */
async function streamed(given: AsyncIterable<unknown> | Parameters<typeof iterate>[0], base: Base): Promise<readonly [GivenKind, Events]> {
  const items = iterate(given);
  const first = await items.next();
  if (first.done === true || typeof first.value === "string") return ["text", texts(first, items, base)];
  if (isEvent(first.value)) return ["events", Object.assign(rest<StreamEvent>(first, items), { observes: member(given, "observes") as Observes | undefined })];
  await items.return();
  throw new EntailError("event_invalid", `the target's function gave a stream of ${nameOf(first.value)}; it must be of texts or of events`);
}

async function* texts(first: IteratorResult<unknown>, items: AsyncGenerator, base: Base): AsyncGenerator<StreamEvent, void> {
  for await (const text of rest<unknown>(first, items)) {
    if (typeof text !== "string") throw new EntailError("event_invalid", `the target's function gave ${nameOf(text)} in a stream of texts`);
    if (text !== "") yield { ...base, type: "assistant_reply", text };
  }
  yield* ended(base, "completed");
}

async function* rest<Item>(first: IteratorResult<unknown>, items: AsyncGenerator): AsyncGenerator<Item, void> {
  try {
    if (first.done === true) return;
    yield first.value as Item;
    yield* items as AsyncGenerator<Item>;
  } finally {
    await items.return(undefined);
  }
}

const EVENTS: ReadonlySet<string> = new Set([...PROGRESS_EVENTS, "tool_start", "tool_end", "assistant_reply", "workflow", "await_confirmation", "tool_authorization", "usage", "run_stream_end"]);

function isEvent(item: unknown): item is StreamEvent {
  return EVENTS.has(textMember(item, "type") ?? "") && textMember(item, "role") === undefined;
}

function nameOf(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  return recordOf(value) === undefined ? `a ${typeof value}` : "an object of an unknown form";
}
