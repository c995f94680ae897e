// Owns `events`: the updates of an A2A task as a stream of Entail's events, with what they let be seen.

import type { EventStream, StreamEvent } from "../../core/event.ts";
import type { Observes } from "../../core/evidence.ts";
import { updatesOf } from "./source.ts";
import { translator, type EarlierArtifacts, type Translator } from "./translator.ts";
import { warnings as newWarnings, type StreamWarning, type Warnings } from "./warning.ts";

/**
 * What an agent answers with: the stream of a task's updates (envelopes of JSON-RPC, their results, or what a client of the SDK yields), as objects,
 * as texts or as server-sent events; a list of them; the response that brings them; or the task or message that was the whole answer.
 */
export type TaskSource = AsyncIterable<unknown> | object;

export interface EventsOptions {
  /** The id of the run in evidence. A random one when absent; give your own where evidence is to continue another run's. */
  readonly runId?: string | undefined;
  /** The task's own context when absent. */
  readonly sessionId?: string | undefined;
  /**
   * Goes on reading while the task asks for credentials, because somebody brings them on another way. Otherwise such a task has stopped: an agent
   * keeps the stream open for as long as it waits.
   */
  readonly waitsForAuthorization?: boolean | undefined;
}

export interface A2aEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed so far that no evidence can hold: files, replaced artifacts, updates of another task. */
  readonly warnings: readonly StreamWarning[];
}

/**
 * Nothing of what happens inside: an A2A agent is opaque, its tools, their results and the agents it asks are never on the wire. It asks for input or
 * for credentials, but not for the approval of a call, so no confirmation can be seen either.
 */
export const OBSERVES: Observes = Object.freeze({ args: false, results: false, failureKinds: false, parents: false, approvals: false, bounds: false, deltas: false });

export interface Reading extends EventsOptions {
  readonly earlier?: EarlierArtifacts | undefined;
}

/** Where the updates of one run come from. */
export interface Opening {
  readonly open: () => unknown;
  /** Further updates of a task that was still under way when those of `open` stopped. */
  readonly rest?: ((run: Translator) => AsyncIterable<unknown> | undefined) | undefined;
  /** Further updates of a task whose updates broke off. */
  readonly broke?: ((run: Translator, thrown: unknown) => AsyncIterable<unknown> | undefined) | undefined;
  /** Hears what became of the task. */
  readonly ended?: ((run: Translator) => void) | undefined;
}

async function* taken(run: Translator, source: unknown): AsyncGenerator<StreamEvent, void> {
  for await (const update of updatesOf(source)) {
    yield* run.take(update);
    if (run.over) return;
  }
}

/** `events`, of a source that is opened with the first look at it. */
export function eventsOf({ open, rest, broke, ended }: Opening, { runId, sessionId, earlier, waitsForAuthorization = false }: Reading): A2aEvents {
  const warnings: Warnings = newWarnings();
  async function* read(): AsyncGenerator<StreamEvent, void> {
    const run = translator({ runId: runId ?? crypto.randomUUID(), sessionId, earlier, waitsForAuthorization, warnings });
    try {
      try {
        yield* taken(run, await open());
        const further = run.over || run.stopped ? undefined : rest?.(run);
        if (further !== undefined) yield* taken(run, further);
      } catch (thrown) {
        const further = broke?.(run, thrown);
        if (further === undefined) throw thrown;
        yield* taken(run, further);
      }
    } catch (thrown) {
      // What was seen of a task whose updates broke off is kept, though nothing says that it was the end.
      yield* run.rest();
      throw thrown;
    }
    ended?.(run);
    yield* run.rest();
    yield* run.end();
  }
  return {
    observes: OBSERVES,
    get warnings() {
      return warnings.list();
    },
    [Symbol.asyncIterator]: read,
  };
}

/**
 * Turns the updates of an A2A task into Entail's events. The answer is the text of its artifacts, each in its last form, and the words that close the
 * task, an empty line between them; words said while the task was under way are progress, and the answer only where there is nothing else. Data is
 * shown as JSON; files are left out, with a warning.
 *
 * A task that ends `completed`, `failed`, `rejected` (failed, of that kind) or `canceled` ends the run so; one that asks for input or credentials
 * suspends it, the question being its answer; a message without a task completes it. Updates that stop before that have no end, and `collect` rejects
 * them. No tool call is ever shown, so an expectation about tools decides nothing: `not_observable`. It can be read once, like the stream it is made from.
 */
export function events(source: TaskSource | PromiseLike<TaskSource>, options: EventsOptions = {}): A2aEvents {
  // Whoever reads the events sees it reject; where nobody does, it must not end the process.
  if (source instanceof Promise) source.catch(() => undefined);
  return eventsOf({ open: () => source }, options);
}
