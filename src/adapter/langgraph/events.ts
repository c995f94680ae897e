// Owns `events`: the stream of a graph as a stream of Entail's events, with what it can and cannot see.

import type { Bounds, Evidence, FailureKind, Observes } from "../../core/evidence.ts";
import type { EventStream, StreamEvent } from "../../core/event.ts";
import { EntailError } from "../../core/error.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { STREAM_MODES, type StreamMode } from "./chunk.ts";
import { endingOfThrown } from "./ending.ts";
import type { Interrupt } from "./interrupt.ts";
import { earlierOf, NOTHING_EARLIER, type Earlier, type Left } from "./thread.ts";
import { translator } from "./translator.ts";
import { warnings as newWarnings, type StreamWarning } from "./warning.ts";
import type { GraphWatch } from "./watch.ts";

/** What a graph is to be streamed with, so that all of a run is seen: `graph.stream(input, { ...STREAM })`. */
export const STREAM: { streamMode: ("messages" | "updates" | "tools" | "tasks")[]; subgraphs: true } = { streamMode: [...STREAM_MODES], subgraphs: true };

/** What `graph.stream()` gives: an async iterable, or a web stream. */
export type StreamSource = AsyncIterable<unknown> | { getReader(): { read(): Promise<{ done: boolean; value?: unknown }>; cancel(reason?: unknown): Promise<void>; releaseLock(): void } };

export interface EventsOptions {
  /** The id of the run in evidence. A random one when absent; give your own where evidence is to continue another run's. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The modes that the graph was streamed with; those of `STREAM` when absent. What they leave out is not observed. */
  readonly modes?: readonly StreamMode[] | undefined;
  /** The nodes whose last message is the answer. Without them it is the last message of the root graph. */
  readonly nodes?: readonly string[] | undefined;
  /** What `watch()` gave, with its `callbacks` in the config of the same run: it tells why a model stopped, and whose a nested graph is. */
  readonly watch?: GraphWatch | undefined;
  /** The evidence of the run before on the same thread, where this one goes on with it. */
  readonly continues?: Evidence | undefined;
  /** What the graph was resumed with, beside `continues`: an answer, or `null` where it was only let go on. Without it nothing was decided. */
  readonly resume?: unknown;
  /** Says what an answer decides about a call: true allows it, false refuses it. Where it does not, well-known words and forms do. */
  readonly decision?: ((resume: unknown, call: { readonly toolName: string; readonly args: unknown }) => boolean | undefined) | undefined;
  /** The signal that the graph was given: when it is aborted, what the stream then throws is a cancellation. */
  readonly signal?: AbortSignal | undefined;
  /** Reads from a tool's result how much of a bounded result came back. LangGraph knows nothing of it. */
  readonly bounds?: ((toolName: string, result: unknown) => Bounds | undefined) | undefined;
  /** Says what kind of failure an error of a tool is: what it threw, or the text that the model was told. Where it does not, an error's own `kind` and well-known names and codes do, else it is `unknown`. */
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
}

export interface LangGraphEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed so far that no evidence can hold: missing ids, repaired arguments, results of nobody. */
  readonly warnings: readonly StreamWarning[];
  /** What the graph has stopped to ask, so far. */
  readonly interrupts: readonly Interrupt[];
}

export function observed({ modes = STREAM_MODES, watch, bounds }: EventsOptions): Observes {
  const has = (mode: StreamMode): boolean => modes.includes(mode);
  const messages = has("messages") || has("updates") || has("tasks") || has("values");
  return {
    args: messages || has("tools"),
    results: messages || has("tools"),
    failureKinds: has("tools"),
    parents: watch !== undefined,
    approvals: has("updates") || has("tasks") || has("values"),
    bounds: bounds !== undefined,
    deltas: has("messages"),
  };
}

function hasStateMode(modes: readonly StreamMode[]): boolean {
  return modes.some((mode) => mode === "updates" || mode === "tasks" || mode === "values");
}

export interface Opened {
  readonly earlier: Earlier;
  readonly resume?: { readonly value: unknown } | undefined;
  /** Takes what the run leaves behind, however it ended. */
  readonly keep?: ((left: Left) => void) | undefined;
}

/** `events`, of a stream that is opened with the first look at it. */
export function eventsOf(open: () => StreamSource | PromiseLike<StreamSource>, options: EventsOptions, { earlier, resume, keep }: Opened): LangGraphEvents {
  const warnings = newWarnings();
  const base = { runId: options.runId ?? crypto.randomUUID(), ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }) };
  const modes = options.modes ?? STREAM_MODES;
  const { bounds, failureKind, nodes, watch, decision } = options;
  const run = translator({ base, modes, nodes, watch, earlier, resume, decision, bounds, failureKind, warnings });

  async function* read(): AsyncGenerator<StreamEvent, void> {
    try {
      // A stream of events begins with its root, and the first chunk may be of a graph within it.
      yield { ...base, type: "workflow", phase: "started" };
      yield* run.opening();
      for await (const outcome of outcomes(open)) {
        if ("chunk" in outcome) {
          yield* run.take(outcome.chunk);
          continue;
        }
        const ending = endingOfThrown(outcome.thrown, options.signal?.aborted === true);
        // What was seen of a run that broke is kept, though nothing says that it was the end.
        yield* run.rest(true);
        if (ending === undefined) throw outcome.thrown;
        yield* run.end(ending);
        return;
      }
      yield* run.rest(false);
      // Nothing at all is no run that ended.
      if (!run.begun) return;
      if (!run.sawState && hasStateMode(modes)) {
        throw new EntailError("option_invalid", `the stream does not show what nodes write, so nobody can tell whether the run was interrupted; stream the graph with { ...STREAM } (streamMode: ${STREAM_MODES.join(", ")}; subgraphs: true), or name its modes: events(stream, { modes: ["messages"] })`);
      }
      const ending = run.ending();
      if (ending !== undefined) yield* run.end(ending);
    } finally {
      keep?.(run.left());
    }
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

/** The chunks of a stream, and last what it threw, where it did: that is how a graph fails, and no fault of the reading. */
async function* outcomes(open: () => StreamSource | PromiseLike<StreamSource>): AsyncGenerator<{ readonly chunk: unknown } | { readonly thrown: unknown }, void> {
  let source: unknown;
  try {
    source = await open();
  } catch (thrown) {
    yield { thrown };
    return;
  }
  if (!isIterable(source)) throw new EntailError("option_invalid", "events() needs what graph.stream() gives: graph.stream(input, { ...STREAM })");
  const chunks = iterate(source);
  try {
    for (;;) {
      let step: IteratorResult<unknown>;
      try {
        step = await chunks.next();
      } catch (thrown) {
        yield { thrown };
        return;
      }
      if (step.done === true) return;
      yield { chunk: step.value };
    }
  } finally {
    await chunks.return(undefined);
  }
}

/**
 * Turns the stream of a LangGraph graph into Entail's events. Each call is told once it can no longer be interrupted; calls that a person
 * must allow are asked for, not started. A graph within the run is a run of its own: its calls are told, its text is not part of the answer.
 * A graph that throws has failed, or was cancelled; where only a connection broke, the error comes through and `collect` rejects.
 * It can be read once, like the stream it is made from.
 */
export function events(source: StreamSource | PromiseLike<StreamSource>, options: EventsOptions = {}): LangGraphEvents {
  // Whoever reads the events sees it reject; where nobody does, it must not end the process.
  if (source instanceof Promise) source.catch(() => undefined);
  const earlier = options.continues === undefined ? NOTHING_EARLIER : earlierOf(options.continues);
  return eventsOf(() => source, options, { earlier, ...(options.resume === undefined ? {} : { resume: { value: options.resume ?? true } }) });
}
