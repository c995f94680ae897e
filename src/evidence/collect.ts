// Owns the loop around a collector: a stream of events in, evidence out, nothing of it lost on the way.

import { abortError, untilAborted } from "../core/abort.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import type { HookContext } from "../core/context.ts";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import type { StreamEvent } from "../core/event.ts";
import type { Evidence, Observes } from "../core/evidence.ts";
import { type Arrival, watchArrival } from "./arrival.ts";
import type { CollectorOptions } from "./collector-options.ts";
import { type OpenCollector, openCollector } from "./collector.ts";
import { nameOf, settles } from "./predicate.ts";

/** Events between two pauses that let timers run. */
const BREATH = 4096;

/** The part of a hook's context that is used. */
export interface CollectContext {
  readonly signal?: AbortSignal | undefined;
  readonly attach?: HookContext["attach"] | undefined;
  /** For the times in evidence; the system's when absent, none when false. */
  readonly clock?: Pick<Clock, "elapsed"> | false | undefined;
}

/** The events of a run, with what their source can see of it. */
export type CollectableStream = (AsyncIterable<StreamEvent> | Iterable<StreamEvent>) & { readonly observes?: Observes | undefined };

/**
 * Reads a run's events up to its end (the root's `run_stream_end`) and gives its evidence. With a context it attaches what was seen as it goes,
 * so that a deadline loses nothing, and stops when the signal is aborted. What the stream `observes` is looked at before the first event, after it,
 * and at the end. With a context that has a signal or a clock it keeps times, each that at which the event came; where all events were there at once, as
 * those of a finished run are, there are none.
 *
 * Rejects with `stream_incomplete` when the stream stops or breaks before the end, with the signal's own error when that is aborted, and with the
 * collector's error for an event that it refuses; the error's `evidence` holds what was seen.
 */
export async function collect(stream: CollectableStream, ctx: CollectContext = {}, options: CollectorOptions = {}): Promise<Evidence> {
  const iterator = iteratorOf(stream);
  const clock = options.clock ?? clockOf(ctx);
  const collector = openCollector({ ...options, observes: options.observes ?? stream.observes, clock });
  // Whoever gave the collector a clock of its own has said that there are times.
  const arrival = clock === undefined || options.clock !== undefined ? undefined : arrivalOf(collector);
  let taken = 0;
  const attach = attachments(collector, ctx);
  let observes = stream.observes;
  /** A source may learn only from what its agent gives back how much of it can be seen. */
  const look = (): void => {
    if (options.observes !== undefined || stream.observes === undefined || stream.observes === observes) return;
    observes = stream.observes;
    collector.see(observes);
  };
  const { signal } = ctx;
  signal?.addEventListener("abort", attach.now, { once: true });
  try {
    while (!collector.done) {
      // A stream that answers at once, for ever, would let no timer run, and so no deadline come.
      if (++taken % BREATH === 0) await (arrival?.pause() ?? new Promise((resolve) => setTimeout(resolve)));
      if (signal?.aborted === true) throw abortError(signal, "the reading of the stream");
      const step = await untilAborted(next(iterator), signal, "the reading of the stream");
      if (step.done === true) throw new EntailError("stream_incomplete", "the stream stopped before the run's end (no run_stream_end of the root run came); what was seen of it proves no absence");
      arrival?.came((step.value as Partial<StreamEvent> | undefined)?.type);
      collector.consume(step.value);
      if (taken === 1) look();
      attach.soon();
    }
    look();
    const evidence = collector.finish();
    await close(iterator, signal);
    return evidence;
  } catch (thrown) {
    void close(iterator, undefined);
    throw withEvidence(thrown, collector.glimpse());
  } finally {
    signal?.removeEventListener("abort", attach.now);
    arrival?.stop();
    attach.now();
  }
}

function clockOf({ clock, signal }: CollectContext): CollectorOptions["clock"] {
  if (clock !== undefined) return clock === false ? undefined : clock;
  return signal === undefined ? undefined : systemClock;
}

function arrivalOf(collector: OpenCollector): Arrival {
  collector.tellTimes(false);
  return watchArrival(() => collector.tellTimes(true));
}

interface EventIterator {
  readonly next: () => Promise<IteratorResult<StreamEvent>> | IteratorResult<StreamEvent>;
  readonly return?: (() => unknown) | undefined;
}

function iteratorOf(stream: CollectableStream): EventIterator {
  const source: unknown = stream;
  if (typeof source === "object" && source !== null) {
    const { [Symbol.asyncIterator]: asynchronous, [Symbol.iterator]: synchronous } = source as { [Symbol.asyncIterator]?: unknown; [Symbol.iterator]?: unknown };
    if (typeof asynchronous === "function") return asynchronous.call(source) as EventIterator;
    if (typeof synchronous === "function") return synchronous.call(source) as EventIterator;
  }
  throw new EntailError("event_invalid", `collect() takes a stream of events; it was given ${settles(source) ? "a promise: await it first" : nameOf(source)}`);
}

async function next(iterator: EventIterator): Promise<IteratorResult<StreamEvent>> {
  return iterator.next();
}

/** Lets the source end its work. What it throws then is nothing about the run. */
async function close(iterator: EventIterator, signal: AbortSignal | undefined): Promise<void> {
  try {
    await untilAborted(Promise.resolve(iterator.return?.()), signal, "the closing of the stream");
  } catch {
    // Everything was seen already.
  }
}

/** The same error with what was seen; one that is not ours means that the stream broke. */
function withEvidence(thrown: unknown, evidence: Evidence): EntailError {
  if (!isEntailError(thrown)) {
    return new EntailError("stream_incomplete", `the stream broke before the run's end: ${messageOf(thrown)}`, { cause: thrown, evidence });
  }
  const { code, message, stage, faults } = thrown;
  return new EntailError(code, message, { cause: thrown, evidence, faults, ...(stage !== undefined && { stage }) });
}

/** Attaching costs in proportion to the calls seen, so it is done at once only while they are few or many events have come. */
function attachments(collector: OpenCollector, { attach }: CollectContext): { readonly soon: () => void; readonly now: () => void } {
  let unattached = 0;
  const now = (): void => {
    if (attach === undefined || unattached === 0) return;
    unattached = 0;
    try {
      attach({ evidence: collector.glimpse() });
    } catch {
      // A context that takes nothing more (its trial is over) must not break the reading, nor the signal that it hears.
    }
  };
  const soon = (): void => {
    unattached++;
    if (unattached * 8 >= collector.size) now();
  };
  return { soon, now };
}
