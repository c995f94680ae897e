// Owns `events`: a stream of the AI SDK as a stream of Entail's events, with what it can and cannot see.

import type { Bounds, FailureKind, Observes } from "../../core/evidence.ts";
import type { EventStream, StreamEvent } from "../../core/event.ts";
import { EntailError } from "../../core/error.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { member, textMember } from "../../core/member.ts";
import type { SeenCall } from "./call-ledger.ts";
import { translator, type DecidedCall } from "./translator.ts";
import { warnings as newWarnings, type StreamWarning } from "./warning.ts";

/** A result of `streamText` or `ToolLoopAgent.stream`, its `stream` of parts, or a stream of UI message chunks. */
export type StreamSource =
  | AsyncIterable<unknown>
  | { readonly stream: AsyncIterable<unknown>; readonly steps?: PromiseLike<readonly { readonly text: string }[]> | undefined }
  | { readonly fullStream: AsyncIterable<unknown>; readonly steps?: PromiseLike<readonly { readonly text: string }[]> | undefined };

export interface EventsOptions {
  /** The id of the run in evidence. A random one when absent; give your own where evidence is to continue another run's. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Reads from a tool's output how much of a bounded result came back. The SDK knows nothing of it. */
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  /** Says what kind of failure an error of a tool is. Where it does not, an error's own `kind` and well-known names and codes do, else it is `unknown`. */
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
}

export interface AiSdkEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed so far that no evidence can hold: unknown parts, missing ids, retracted text. */
  readonly warnings: readonly StreamWarning[];
}

/** What the SDK's streams show. Nested agents run inside a tool, unseen but for the message that some of them give back. */
export function observed(options: EventsOptions): Observes {
  return { args: true, results: true, failureKinds: true, parents: false, approvals: true, bounds: options.bounds !== undefined, deltas: true };
}

/** A record of steps that never settles must not hold up the end of a run. */
const STEPS_WAIT_MS = 1000;

/** The SDK's own record of each step's text, without what a retried attempt had said; `undefined` where there is none. */
async function recordedTexts(result: unknown): Promise<readonly (string | undefined)[] | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, STEPS_WAIT_MS, undefined);
    });
    const steps: unknown = await Promise.race([member(result, "steps"), late]);
    return Array.isArray(steps) ? (steps as unknown[]).map((step) => textMember(step, "text")) : undefined;
  } catch {
    // It rejects where a run was cut or failed; what was streamed is then all there is.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function hasSteps(source: unknown): boolean {
  return typeof source === "object" && source !== null && !isIterable(source) && "steps" in source;
}

function partsOf(source: unknown): AsyncIterable<unknown> {
  const stream = isIterable(source) ? source : (member(source, "stream") ?? member(source, "fullStream"));
  if (isIterable(stream)) return iterate(stream);
  throw new EntailError("option_invalid", "events() needs a stream of the AI SDK: the result of streamText or of an agent's stream(), its stream of parts, or a UI message stream");
}

export interface Opened {
  readonly source: StreamSource;
  /** Of a run that goes on. */
  readonly decided?: readonly DecidedCall[] | undefined;
  readonly earlier?: readonly string[] | undefined;
}

/** Takes what a run left that waits for somebody: its source, and its calls. */
export type Suspended = (source: StreamSource, calls: readonly SeenCall[]) => void;

/** `events`, of a source that is opened with the first look at it. `suspended` is called where the run waits for somebody, before its end is told. */
export function eventsOf(open: () => Promise<Opened>, options: EventsOptions, suspended?: Suspended): AiSdkEvents {
  const warnings = newWarnings();
  const base = { runId: options.runId ?? crypto.randomUUID(), ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }) };
  async function* read(): AsyncGenerator<StreamEvent, void> {
    const { source, decided, earlier } = await open();
    const holdTexts = hasSteps(source);
    const run = translator({ base, bounds: options.bounds, failureKind: options.failureKind, holdTexts, warnings, decided, earlier });
    yield* run.opening();
    try {
      for await (const part of partsOf(source)) yield* run.take(part);
    } catch (thrown) {
      // What was seen of a stream that broke is kept, though nothing says that it was the end.
      yield* run.rest();
      throw thrown;
    }
    yield* run.rest(holdTexts && run.finished ? await recordedTexts(source) : undefined);
    const end = run.end();
    if (end.some((event) => event.type === "workflow" && event.phase === "suspended")) suspended?.(source, run.calls());
    yield* end;
  }
  return {
    observes: observed(options),
    get warnings() {
      return warnings.list();
    },
    [Symbol.asyncIterator]: read,
  };
}

/**
 * Turns a stream of the AI SDK into Entail's events. A step's text and calls are said once the step is committed, so that retracted
 * ones never are; a run whose stream stops, or whose model's connection broke, has no `run_stream_end`, and `collect` rejects it.
 * What the stream itself throws comes through. It can be read once, like the stream it is made from.
 */
export function events(source: StreamSource | PromiseLike<StreamSource>, options: EventsOptions = {}): AiSdkEvents {
  // Whoever reads the events sees it reject; where nobody does, it must not end the process.
  if (source instanceof Promise) source.catch(() => undefined);
  return eventsOf(async () => ({ source: await source }), options);
}
