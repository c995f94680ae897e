// Owns `events` and `runs`: the runs of a finished OpenTelemetry trace as streams of Entail's events, with what the trace lets be seen of each.

import type { Bounds, FailureKind, Observes } from "../../core/evidence.ts";
import type { EventStream, StreamEvent } from "../../core/event.ts";
import { EntailError } from "../../core/error.ts";
import { readSpans, type TraceSource } from "./trace.ts";
import { runEvents } from "./run-events.ts";
import { tracedRuns, type TracedRun } from "./tree.ts";
import { warnings as newWarnings, type StreamWarning, type Warnings } from "./warning.ts";

export interface EventsOptions {
  /** The span, or the trace, of the run that is asked about, where the spans hold several. */
  readonly root?: string | undefined;
  /** The id of the run in evidence; the id of its root's span when absent. */
  readonly runId?: string | undefined;
  /** `gen_ai.conversation.id` when absent. */
  readonly sessionId?: string | undefined;
  /** Reads from a tool's result how much of a bounded result came back. A trace knows nothing of it. */
  readonly bounds?: ((toolName: string, result: unknown) => Bounds | undefined) | undefined;
  /** Says what kind of failure an error of a tool is. Where it does not, well-known classes of errors do, else it is `unknown`. */
  readonly failureKind?: ((toolName: string, errorType: string, message: string) => FailureKind | undefined) | undefined;
  /**
   * Takes what a later request told the model of a call for its result, in a run of which no tool is recorded. Such a response does not say whether
   * the tool failed, so without this it is not seen how the calls of that run ended.
   */
  readonly responsesAreResults?: boolean | undefined;
  /** Takes a trace that holds no message: its evidence has an empty answer. Otherwise such a run, once it has completed, is `not_observable`. */
  readonly withoutMessages?: boolean | undefined;
}

export interface OtelEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed in the trace that no evidence can hold: spans that are missing, calls that nobody ran. */
  readonly warnings: readonly StreamWarning[];
}

/** One run of a trace: an agent or a workflow at work, from its start to its end. */
export interface OtelRun {
  readonly traceId: string;
  readonly spanId: string;
  /** The name of its root's span; empty where that is not in the trace. */
  readonly name: string;
  /** RFC 3339 with milliseconds; absent where its root does not say. */
  readonly startedAt?: string | undefined;
  readonly events: OtelEvents;
}

const MAX_NAMED = 5;

/** `ofTrace` is what was noticed of all its runs. */
function eventsOfRun(run: TracedRun, options: EventsOptions, ofTrace: Warnings): OtelEvents {
  const warnings = newWarnings();
  const { observes, events, incomplete } = runEvents(run, options, warnings);
  return {
    observes,
    warnings: [...ofTrace.list(), ...warnings.list()],
    // oxlint-disable-next-line typescript/require-await -- the events are there at once; the port is asynchronous
    async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void> {
      yield* events;
      if (incomplete !== undefined) throw incomplete;
    },
  };
}

function startOf({ root }: TracedRun): Pick<OtelRun, "startedAt"> {
  const start = root?.span.start;
  const date = start === undefined ? undefined : new Date(Number(start / 1_000_000n));
  return date === undefined || Number.isNaN(date.getTime()) ? {} : { startedAt: date.toISOString() };
}

/**
 * The runs that the spans hold, in the order of their start: one for each `invoke_agent` or `invoke_workflow` that is within no other; where no span is
 * an agent's, one for each tree with a model call or a tool. Throws `option_invalid` where the source holds no span.
 */
export function runs(source: TraceSource, options: Omit<EventsOptions, "root" | "runId"> = {}): readonly OtelRun[] {
  const warnings = newWarnings();
  return tracedRuns(readSpans(source, warnings), warnings).map((run) => ({
    traceId: run.traceId,
    spanId: run.spanId,
    name: run.root?.span.name ?? "",
    ...startOf(run),
    events: eventsOfRun(run, options, warnings),
  }));
}

/**
 * Turns a finished trace of the GenAI conventions into the events of one run. `execute_tool` spans and the calls among the recorded messages are the
 * calls, each once, in the order in which the models issued them; agents within tools stand below their calls; the answer is what the run's own model
 * calls said. Spans may come in any order, more than once, and with clocks that disagree: their parents decide.
 *
 * `observes` is computed from what was recorded. Messages, arguments and results are opt-in, and a trace without them shows those tools that were
 * instrumented, which nobody can take for all: an expectation about tools then decides nothing, though names of calls are in the evidence. So no
 * observable of its own is declared for names alone. A result or an argument that one call lacks makes them unseen for the run. Approvals are never
 * recorded.
 *
 * A run whose root is not in the trace, has no end, or does not say how it ended has no `run_stream_end`: `collect` rejects it and says why. So it does,
 * as `not_observable`, for a completed run of which no message was recorded.
 *
 * Throws `option_invalid` where there is no span, where the spans hold no run or not the one that is asked for, and where they hold several and none is
 * asked for: `runs` gives them all.
 */
export function events(source: TraceSource, options: EventsOptions = {}): OtelEvents {
  const warnings = newWarnings();
  const found = tracedRuns(readSpans(source, warnings), warnings);
  const { root } = options;
  const named = root === undefined ? found : found.filter(({ spanId, traceId }) => spanId === root || traceId === root);
  const [only] = named;
  const list = found.slice(0, MAX_NAMED).map(({ spanId, root: at }) => `${spanId}${at === undefined ? "" : ` (${at.span.name})`}`).join(", ");
  if (only === undefined) {
    throw new EntailError("option_invalid", root === undefined ? "the spans hold no run: none is of an agent, a model call or a tool by the GenAI conventions" : `the spans hold no run ${JSON.stringify(root)}; they hold ${list}`);
  }
  if (named.length > 1) throw new EntailError("option_invalid", `the spans hold ${named.length} runs (${list}${named.length > MAX_NAMED ? ", …" : ""}); name the root of one, or take them all from runs()`);
  return eventsOfRun(only, options, warnings);
}
