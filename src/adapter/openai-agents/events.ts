// Owns `events`: a run of the OpenAI Agents SDK as a stream of Entail's events, with what it can and cannot see.

import { EntailError } from "../../core/error.ts";
import type { Bounds, Observes } from "../../core/evidence.ts";
import type { EventStream, StreamEvent } from "../../core/event.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { listMember, member } from "../../core/member.ts";
import { endOfThrown, type FailureOptions } from "./failure.ts";
import { isWatched } from "./nested.ts";
import { isResult, NO_STATE, runState, stateOfError, type RunState } from "./run-state.ts";
import { translator, type Handoff, type Translator } from "./translator.ts";
import { runUsage } from "./usage.ts";
import { warnings as newWarnings, type StreamWarning } from "./warning.ts";

/** A result of `run`, streamed or not, or the events of one. */
export type RunSource = AsyncIterable<unknown> | { readonly newItems: readonly unknown[]; readonly state: unknown };

export interface EventsOptions extends FailureOptions {
  /** The id of the run in evidence. A random one when absent; give your own where evidence is to continue another run's. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Reads from a tool's output how much of a bounded result came back. The SDK knows nothing of it. */
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
}

export interface OpenAiAgentsEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed so far that no evidence can hold: unknown parts, missing ids, results of no call. */
  readonly warnings: readonly StreamWarning[];
  /** The handoffs so far, each also a call in evidence. */
  readonly handoffs: readonly Handoff[];
}

/** What a run shows. Nested agents are seen where `watch` listens to them. */
export function observed(options: EventsOptions, { nested, streamed }: { readonly nested: boolean; readonly streamed: boolean }): Observes {
  return { args: true, results: true, failureKinds: true, parents: nested, approvals: true, bounds: options.bounds !== undefined, deltas: streamed };
}

interface Bell {
  readonly ring: () => void;
  /** Resolves at the next ring, or at once where it rang since the last call. */
  readonly rung: () => Promise<void>;
}

function bell(): Bell {
  let ringing = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      ringing = true;
      wake?.();
    },
    async rung() {
      if (!ringing) await new Promise<void>((resolve) => (wake = resolve));
      ringing = false;
    },
  };
}

/** The parts of a stream, each translated as it comes; what nested agents stream meanwhile does not wait for the next of them. */
async function* live(stream: AsyncIterable<unknown>, run: Translator, door: Bell): AsyncGenerator<StreamEvent, void> {
  const parts = stream[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = parts.next();
      const wait = { over: false };
      const settle = (): void => {
        wait.over = true;
        door.ring();
      };
      next.then(settle, settle);
      while (!wait.over) {
        await door.rung();
        yield* run.takeNested();
      }
      ended = true;
      const step = await next;
      if (step.done === true) return;
      ended = false;
      yield* run.take(step.value);
    }
  } finally {
    if (!ended) await parts.return?.();
  }
}

/** What the source itself shows. A promise of a run shows no more than it surely will, until it has been opened. */
function seenOf(source: unknown, options: EventsOptions): Observes {
  return observed(options, { nested: isWatched(member(source, "lastAgent")), streamed: isIterable(source) });
}

export interface Going {
  /** The call at which the run before stopped last, and what was said to it: the run itself tells that only with the call's end. */
  readonly decided?: { readonly toolCallId: string; readonly toolName: string; readonly approved: boolean } | undefined;
  /** The ids of the calls that the runs before have told. */
  readonly told?: Iterable<string> | undefined;
  /** Called where the run waits for somebody, before its end is told, with its source and the ids of all calls that were told. */
  readonly suspended?: ((source: RunSource, told: ReadonlySet<string>) => void) | undefined;
}

/** `events`, of a source that is opened with the first look at it; without `declared`, what it observes is known then. */
export function eventsOf(open: () => RunSource | PromiseLike<RunSource>, options: EventsOptions, atFirst: Observes, declared: boolean, { decided, told: before = [], suspended }: Going = {}): OpenAiAgentsEvents {
  let observes = atFirst;
  const warnings = newWarnings();
  const handoffs: Handoff[] = [];
  const base = { runId: options.runId ?? crypto.randomUUID(), ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }) };
  const { bounds, isFailure, failureKind } = options;

  async function* read(): AsyncGenerator<StreamEvent, void> {
    const door = bell();
    const usage = runUsage();
    const told = new Set(before);
    const start = (state: RunState): Translator => translator({ base, bounds, isFailure, failureKind, state, usage, warnings, notify: door.ring, handoffs, asked: new Set(), told });
    let run: Translator | undefined;
    let source: RunSource | undefined;
    let thrown: { readonly error: unknown } | undefined;
    // The root comes first, also where only an agent below it does something.
    yield { ...base, type: "workflow", phase: "started" };
    if (decided !== undefined) yield { ...base, type: "tool_authorization", ...decided };
    try {
      source = await open();
      if (!declared) observes = seenOf(source, options);
      const state = isResult(source) ? runState(source) : NO_STATE;
      run = start(state);
      if (isIterable(source)) {
        yield* live(iterate(source), run, door);
      } else if (state.known) {
        for (const response of listMember(source, "rawResponses") ?? []) usage.response(member(response, "usage"));
        for (const item of state.items()) yield* run.takeItem(item);
      } else {
        throw new EntailError("option_invalid", "events() needs a run of the OpenAI Agents SDK: the result of run(), streamed or not, or the events of a streamed one");
      }
    } catch (error) {
      thrown = { error };
    }
    if (thrown !== undefined && run === undefined) {
      // A run that was not streamed has rejected; its error holds what it did.
      const state = stateOfError(thrown.error);
      run = start(state);
      for (const item of state.items()) yield* run.takeItem(item);
    }
    if (run === undefined) return;
    // What was seen of a stream that broke is kept, though nothing says that it was the end.
    yield* run.rest(thrown);
    const end = run.end(thrown);
    if (source !== undefined && end.some((event) => event.type === "workflow" && event.phase === "suspended")) suspended?.(source, told);
    yield* end;
    if (thrown !== undefined && endOfThrown(thrown.error) === undefined) throw thrown.error;
  }

  return {
    get observes() {
      return observes;
    },
    get warnings() {
      return warnings.list();
    },
    get handoffs() {
      return [...handoffs];
    },
    [Symbol.asyncIterator]: read,
  };
}

/**
 * Turns a run of the SDK into Entail's events. A run whose stream stops, or whose model's connection broke, has no `run_stream_end`, and `collect`
 * rejects it; a run that the SDK itself ended with an error (too many turns, a guardrail, a tool that throws) has failed. After an approval the
 * events of the resumed run are collected with `continues`; a result that was not streamed holds the items of the runs before it as well.
 * It can be read once, like the stream it is made from.
 */
export function events(source: RunSource | PromiseLike<RunSource>, options: EventsOptions = {}): OpenAiAgentsEvents {
  // Whoever reads the events sees it reject; where nobody does, it must not end the process.
  if (source instanceof Promise) source.catch(() => undefined);
  return eventsOf(() => source, options, seenOf(source, options), false);
}
