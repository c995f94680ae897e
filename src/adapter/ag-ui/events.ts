// Owns `events`: a stream of AG-UI's events as a stream of Entail's, with what it can and cannot see.

import type { Bounds, Evidence, FailureKind, Observes } from "../../core/evidence.ts";
import type { EventStream, StreamEvent } from "../../core/event.ts";
import { EntailError } from "../../core/error.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { member, textMember } from "../../core/member.ts";
import type { EventBase } from "./call-events.ts";
import { eventsIn } from "./endpoint.ts";
import type { Interrupt } from "./event.ts";
import { askedIn } from "./thread.ts";
import { translator, type ResumeEntry } from "./translator.ts";
import { warnings as newWarnings, type StreamWarning } from "./warning.ts";

/** The events of one run: an async iterable or a web stream of them, or a response that streams them. */
export type EventSource =
  | AsyncIterable<unknown>
  | { getReader(): { read(): Promise<{ done: boolean; value?: unknown }>; cancel(reason?: unknown): Promise<void>; releaseLock(): void } }
  | { readonly body: unknown; readonly headers: { get(name: string): string | null } };

export interface ReadingOptions {
  /** Says what an answer decides about a call: true allows it, false refuses it. Where it does not, a cancelled answer refuses, and well-known words and forms decide. */
  readonly decision?: ((entry: ResumeEntry, call: { readonly toolName: string }) => boolean | undefined) | undefined;
  /** Reads from a tool's result how much of a bounded result came back. */
  readonly bounds?: ((toolName: string, result: unknown) => Bounds | undefined) | undefined;
  /** Tells a failure by its content, for a result of AG-UI has no other sign of it: the kind of failure, or nothing for a result. Without it, kinds of failures are not observed. */
  readonly failureKind?: ((toolName: string, content: string) => FailureKind | undefined) | undefined;
}

export interface EventsOptions extends ReadingOptions {
  /** The id of the run in evidence. The source's own when absent. */
  readonly runId?: string | undefined;
  /** The session of the evidence. The source's own thread when absent. */
  readonly sessionId?: string | undefined;
  /** The names of the tools that the application runs itself. Without them, any call that is left open at the end of a run is taken to wait for the application. */
  readonly frontendTools?: readonly string[] | undefined;
  /** The evidence of the run before on the same thread, where this one goes on with it. */
  readonly continues?: Evidence | undefined;
  /** What the run was resumed with, beside `continues`. */
  readonly resume?: readonly ResumeEntry[] | undefined;
}

export interface AgUiEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed so far that no evidence can hold. */
  readonly warnings: readonly StreamWarning[];
  /** What the run has stopped to ask, so far. */
  readonly interrupts: readonly Interrupt[];
}

/** What AG-UI's streams show. A result has no sign of failure, and subagents are told only by those producers that choose to. */
export function observed({ bounds, failureKind }: ReadingOptions): Observes {
  return { args: true, results: true, failures: failureKind !== undefined, failureKinds: failureKind !== undefined, parents: false, approvals: true, bounds: bounds !== undefined, deltas: true };
}

function sourceOf(source: unknown): AsyncIterable<unknown> {
  if (isIterable(source)) return iterate(source);
  const body = member(source, "body");
  if (isIterable(body)) return eventsIn(body);
  throw new EntailError("option_invalid", "events() needs a stream of AG-UI's events, or a response that streams them");
}

/**
 * Turns the events of one run of AG-UI into Entail's. The end of a call's arguments is not its end; a snapshot of the messages replaces what was
 * streamed; an interrupt makes a suspended run, and its call is asked for, not started. A stream that stops without `RUN_FINISHED` or `RUN_ERROR` has no
 * `run_stream_end`, and `collect` rejects it. What the stream itself throws comes through. It can be read once.
 */
export function events(source: EventSource | PromiseLike<EventSource>, options: EventsOptions = {}): AgUiEvents {
  // Whoever reads the events sees it reject; where nobody does, it must not end the process.
  if (source instanceof Promise) source.catch(() => undefined);
  const warnings = newWarnings();
  let base: EventBase = { runId: options.runId ?? crypto.randomUUID(), ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }) };
  const { bounds, decision, failureKind, frontendTools, continues, resume = [] } = options;
  const run = translator({
    base: () => base, bounds, decision, failureKind, warnings, resume,
    frontendTools: frontendTools === undefined ? undefined : new Set(frontendTools),
    asked: continues === undefined ? [] : askedIn(continues),
  });

  const begin = (event: unknown): StreamEvent[] => {
    if (textMember(event, "type") === "RUN_STARTED") {
      const runId = options.runId ?? textMember(event, "runId") ?? base.runId;
      const sessionId = options.sessionId ?? textMember(event, "threadId");
      base = { runId, ...(sessionId === undefined ? {} : { sessionId }) };
    }
    // A stream of events begins with its root, and the first event may be of a subagent.
    return [{ ...base, type: "workflow", phase: "started" }, ...run.opening()];
  };

  async function* read(): AsyncGenerator<StreamEvent, void> {
    let begun = false;
    try {
      for await (const event of sourceOf(await source)) {
        if (!begun) yield* begin(event);
        begun = true;
        yield* run.take(event);
        // Nothing comes after the end, and a connection may stay open for long.
        if (run.finish !== undefined) break;
      }
    } catch (thrown) {
      // What was seen of a stream that broke is kept, though nothing says that it was the end.
      yield* run.rest(true);
      throw thrown;
    }
    yield* run.rest(run.finish === undefined);
    yield* run.end();
  }

  return {
    observes: observed(options),
    get warnings() {
      return warnings.list();
    },
    get interrupts() {
      return run.interrupts;
    },
    [Symbol.asyncIterator]: read,
  };
}
