// Owns `events`: a run of Mastra's as a stream of Entail's events, with what it can and cannot see.

import type { Bounds, Evidence, FailureKind, Observes } from "../../core/evidence.ts";
import type { EventStream, StreamEvent } from "../../core/event.ts";
import { EntailError } from "../../core/error.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { member } from "../../core/member.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { canonicalJson } from "../../json/write-json.ts";
import { endingOf, isCutOff } from "./ending.ts";
import { recordedEnd, recordedResult, recordedTexts } from "./record.ts";
import { agentResultParts, isAgentResult, isWorkflowResult, workflowResultParts } from "./result.ts";
import { createRun, type Run } from "./run.ts";
import { createTree, type Decided } from "./tree.ts";
import { warnings as newWarnings, type StreamWarning, type Warnings } from "./warning.ts";

/**
 * What an agent's `stream`, `resumeStream` or `network` gave, what a workflow's run streams, the chunks of any of them, or a whole result:
 * what `generate` or a workflow's `start` gave back.
 */
export type StreamSource =
  | AsyncIterable<unknown>
  | { readonly fullStream: AsyncIterable<unknown> }
  | { readonly text: string; readonly finishReason: string | undefined }
  | { readonly status: string; readonly steps: object };

export interface EventsOptions {
  /** The id of the run in evidence. A random one when absent, not Mastra's own: a run that is resumed keeps that one. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Reads from a tool's output how much of a bounded result came back. Mastra knows nothing of it. */
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  /** Says what kind of failure an error of a tool is. Where it does not, an error's own `kind` and well-known names and codes do, else it is `unknown`. */
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
  /** The evidence of the runs that this one resumes, oldest first: only it says which of its calls had begun before, and which had been asked for. */
  readonly continues?: Evidence | readonly Evidence[] | undefined;
  /** The signal that the run was given. Mastra ends a run that is aborted inside a tool as if it waited for somebody. */
  readonly signal?: AbortSignal | undefined;
  /** What a workflow's result says as an answer. A text is one as it is; anything else is its JSON when this is absent. */
  readonly answer?: ((result: unknown) => string) | undefined;
}

export interface MastraEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed so far that no evidence can hold: unknown chunks, missing ids, retracted text. */
  readonly warnings: readonly StreamWarning[];
}

/** What Mastra's streams show. A whole result shows neither deltas nor what ran within a call, but for what came back from it. */
export function observed(options: Pick<EventsOptions, "bounds">, streamed: boolean): Observes {
  return { args: true, results: true, failureKinds: true, parents: streamed, approvals: true, bounds: options.bounds !== undefined, deltas: streamed };
}

function inWords(result: unknown): string {
  if (result === undefined || typeof result === "string") return result ?? "";
  return canonicalJson(wireSafe(result) ?? null);
}

function chunksOf(source: unknown): AsyncIterable<unknown> | undefined {
  const stream = member(source, "fullStream");
  const found = isIterable(stream) ? stream : source;
  return isIterable(found) ? iterate(found) : undefined;
}

/** The answer as it stands: what the run's own record says of its last step is what its processors left of it. */
function answerOf({ texts, lastStepWhole, lastStepWrote, stepsEnded }: Run, recorded: readonly (string | undefined)[] | undefined, warnings: Warnings): readonly string[] {
  const last = recorded?.at(-1);
  const said = texts[stepsEnded - 1];
  if (recorded?.length !== stepsEnded || !lastStepWhole || last === undefined || last === said || last === lastStepWrote) return texts;
  warnings.add("text_retracted", "a processor changed what the last step had said; the answer is what it left");
  return texts.with(stepsEnded - 1, last);
}

/** `events`, of a source that is opened with the first look at it. */
export function eventsOf(open: () => StreamSource | PromiseLike<StreamSource>, options: EventsOptions, streamed: boolean, decided: readonly Decided[] = []): MastraEvents {
  const warnings = newWarnings();
  const runId = options.runId ?? crypto.randomUUID();
  const { sessionId, bounds, failureKind, signal, continues = [], answer = inWords } = options;
  const base = { runId, ...(sessionId === undefined ? {} : { sessionId }) };

  async function* read(): AsyncGenerator<StreamEvent, void> {
    const tree = createTree({ runId, sessionId, bounds, failureKind, continues: "toolCalls" in continues ? [continues] : continues, answer, warnings, decided });
    const run = createRun(tree, runId, undefined);
    // The first event of a stream says whose it is: a run that goes on may begin with what runs within it.
    yield { ...base, type: "workflow", phase: "running" };
    const source: unknown = await open();
    for (const decision of decided) yield { ...base, type: "tool_authorization", ...decision };
    let seen = 0;
    const replies = (texts: readonly string[]): StreamEvent[] => texts.filter((text) => text !== "").map((text) => ({ ...base, type: "assistant_reply", text }));
    /** The texts of the steps that stand by now and were not said yet. */
    const fresh = (): StreamEvent[] => {
      if (run.stepsEnded === seen) return [];
      const said = seen;
      seen = run.stepsEnded;
      return replies(run.texts.slice(said, seen));
    };
    const total = (): StreamEvent[] => {
      const usage = tree.sum();
      return usage === undefined ? [] : [{ ...base, type: "usage", usage }];
    };

    const chunks = chunksOf(source);
    // A source that will have a record of its texts: they are held until then.
    const records = chunks !== undefined && member(source, "fullStream") !== undefined;
    try {
      if (chunks === undefined) for (const part of wholeParts(source, answer)) yield* run.accept(part);
      else {
        for await (const chunk of chunks) {
          yield* run.take(chunk);
          if (!records) yield* fresh();
        }
      }
    } catch (thrown) {
      // What was seen of a stream that broke is kept, though nothing says that it was the end.
      yield* [...run.rest(), ...replies(run.texts.slice(seen)), ...total()];
      throw thrown;
    }
    yield* run.rest();
    const streamedEnd = run.end;
    if (chunks !== undefined) {
      const late = recordedEnd(source) ?? (streamedEnd === undefined && !run.waits ? await recordedResult(source) : undefined);
      if (late !== undefined) yield* run.accept({ kind: "end_of_run", end: late });
    }
    const recorded = records && run.end?.kind === "finished" ? await recordedTexts(source) : undefined;
    const texts = run.end?.kind === "tripwire" && streamedEnd?.kind === "finished" ? refused(run, warnings) : answerOf(run, recorded, warnings);
    yield* [...replies(texts.slice(seen)), ...total()];
    const ending = endingOf(run, signal);
    if (ending === undefined) {
      // The model's answer broke off: nobody knows what was still to come.
      if (run.end?.kind === "failed" && isCutOff(run.end.error)) throw run.end.error;
      return;
    }
    if (ending.phase === "completed" && run.calls.length === 0 && texts.join("") === "") warnings.add("answer_empty", "the run completed without a word of answer and without a call");
    const cancellation = ending.phase === "cancelled" ? { cancellation: ending.reason === undefined ? {} : { reason: ending.reason } } : {};
    yield { ...base, type: "workflow", phase: ending.phase, ...(ending.failure === undefined ? {} : { failure: ending.failure }), ...cancellation };
    yield { ...base, type: "run_stream_end" };
  }

  return {
    observes: observed(options, streamed),
    get warnings() {
      return warnings.list();
    },
    [Symbol.asyncIterator]: read,
  };
}

/** A processor refused the whole result: nothing of it was said. */
function refused({ texts }: Run, warnings: Warnings): readonly string[] {
  if (texts.join("") !== "") warnings.add("text_retracted", "a processor refused the result; nothing of it is the answer");
  return [];
}

function wholeParts(source: unknown, answer: (result: unknown) => string): ReturnType<typeof agentResultParts> {
  if (isWorkflowResult(source)) return workflowResultParts(source, answer);
  if (isAgentResult(source)) return agentResultParts(source);
  throw new EntailError("option_invalid", "events() needs a run of Mastra's: what stream(), resumeStream(), network() or generate() of an agent gave, what a workflow's run streams or gave back, or the chunks of a stream");
}

/**
 * Turns a run of Mastra's into Entail's events. What a step says and calls is said once the step stands, so that what is retracted never
 * is; a run whose stream stops, or whose model's connection broke, has no `run_stream_end`, and `collect` rejects it. What the stream
 * itself throws comes through. It can be read once, like the stream it is made from. Of a promise nobody knows yet whether it will be a
 * stream: await it first where parents or deltas are asked for.
 */
export function events(source: StreamSource | PromiseLike<StreamSource>, options: EventsOptions = {}): MastraEvents {
  // Whoever reads the events sees it reject; where nobody does, it must not end the process.
  if (source instanceof Promise) source.catch(() => undefined);
  return eventsOf(() => source, options, chunksOf(source) !== undefined);
}
