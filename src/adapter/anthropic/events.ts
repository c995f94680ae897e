// Owns `events`: a run that talks to the Messages API as a stream of Entail's events, with what it can and cannot see.

import { EntailError } from "../../core/error.ts";
import type { Bounds, Observes } from "../../core/evidence.ts";
import type { EventStream, StreamEvent } from "../../core/event.ts";
import { isIterable } from "../../core/iterate.ts";
import { listOf, recordOf } from "../../core/member.ts";
import { thrownMessage } from "../../core/thrown.ts";
import type { FailureOptions } from "./failure.ts";
import { guardSource, partsOf } from "./source.ts";
import { translator, type Translator } from "./translator.ts";
import { warnings as newWarnings, type StreamWarning, type Warnings } from "./warning.ts";

/** A streamed message, a whole one, or everything that an application's loop sees, in its order: see `events`. */
export type RunSource = AsyncIterable<unknown> | readonly unknown[] | { readonly type: "message"; readonly content: readonly unknown[] };

export interface EventsOptions extends FailureOptions {
  /** The application's answers to the calls of the source: result blocks, or messages that hold them. They count after the source. */
  readonly toolResults?: AsyncIterable<unknown> | readonly unknown[] | undefined;
  /**
   * True where the source also says who was asked about a call (`await_confirmation`, `tool_authorization`): the API knows nothing of it. A call is then
   * told once it is known to be made, not when the model asks for it.
   */
  readonly approvals?: boolean | undefined;
  /** The signal that stops the source, which the SDK then ends without a word: a source that stops after it was aborted was cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** The id of the run in evidence. A random one when absent; give your own where evidence is to continue another run's. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Reads from a tool's output how much of a bounded result came back. The API knows nothing of it. */
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
}

export interface AnthropicEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed so far that no evidence can hold: unknown parts, missing ids, results of no call. */
  readonly warnings: readonly StreamWarning[];
}

/** The stream of a run that `work` makes, with the events of its end. */
export function runEvents(options: EventsOptions, observes: Observes, work: (run: Translator) => AsyncIterable<StreamEvent>): AnthropicEvents {
  const warnings: Warnings = newWarnings();
  const base = { runId: options.runId ?? crypto.randomUUID(), ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }) };
  const { bounds, failureKind, approvals = false } = options;
  async function* read(): AsyncGenerator<StreamEvent, void> {
    const run = translator({ base, bounds, failureKind, approvals, warnings });
    let thrown: { readonly error: unknown } | undefined;
    const { signal } = options;
    // The root comes first, also where only an agent below it does something.
    yield { ...base, type: "workflow", phase: "started" };
    try {
      yield* work(run);
    } catch (error) {
      thrown = { error };
    }
    // What was seen of a stream that broke is kept, though nothing says that it was the end.
    yield* run.rest();
    let end = run.end(thrown);
    // Whatever breaks after an abort is the abort.
    if (end.length === 0 && signal?.aborted === true) end = run.end({ error: abortOf(signal) });
    yield* end;
    if (thrown !== undefined && end.length === 0) throw thrown.error;
  }
  return {
    observes,
    get warnings() {
      return warnings.list();
    },
    [Symbol.asyncIterator]: read,
  };
}

function abortOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  const error = new Error(thrownMessage(reason), { cause: reason });
  error.name = "AbortError";
  return error;
}

/**
 * Turns what an application and the Messages API say to each other into Entail's events. The source is a streamed message (`client.messages.stream(…)`,
 * or `create` with `stream: true`), a whole one, the SDK's own loop (`client.beta.messages.toolRunner(…)`), or whatever the application's loop sees, in its order: events, streams or whole messages of the API,
 * and the result blocks (or the message that holds them) that go back to it. The loop may add what only it knows, in Entail's own events:
 * `await_confirmation` and `tool_authorization` of a call (with `approvals`), and `workflow` with the phase in which it ended.
 *
 * A run ends with the stop reason of its last message. One whose calls wait for results is suspended; one that stops after its results has an end
 * without a phase, unless the loop says which. A stream that stops before its message does has no `run_stream_end`, and `collect` rejects it.
 */
export function events(source: RunSource | PromiseLike<RunSource>, options: EventsOptions = {}): AnthropicEvents {
  guardSource(source);
  const observes = { args: true, results: true, failureKinds: options.failureKind !== undefined, parents: true, approvals: options.approvals === true, bounds: options.bounds !== undefined, deltas: true };
  return runEvents(options, observes, async function* (run) {
    // The SDK's tool runner is a promise as well: whoever awaits it gets its last message alone.
    const opened: unknown = isIterable(source) ? source : await source;
    if (!isIterable(opened) && recordOf(opened) === undefined && listOf(opened) === undefined) {
      throw new EntailError("option_invalid", "events() needs a message of the Messages API, streamed or whole, or the parts of a loop around it");
    }
    for await (const part of partsOf(opened)) yield* run.take(part);
    if (options.toolResults !== undefined) for await (const part of partsOf(options.toolResults)) yield* run.take(part);
  });
}
