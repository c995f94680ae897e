// Owns `events`: a stream of Goa-AI as a stream of Entail's events, with what its profile lets be seen.

import type { EventStream, StreamEvent } from "../../core/event.ts";
import { EntailError } from "../../core/error.ts";
import { OBSERVES_EVERYTHING, type Observes } from "../../core/evidence.ts";
import { didYouMean } from "../../core/nearest.ts";
import { streamWarnings } from "../../core/stream-warning.ts";
import { wireEvents } from "./source.ts";
import { translator } from "./translator.ts";
import type { StreamWarning } from "./warning.ts";

/** The types of event that a profile of Goa-AI's can leave out and that evidence rests on. */
const TOGGLES = ["tool_start", "tool_end", "await_confirmation", "tool_authorization", "tool_call_args_delta", "tool_output_delta"] as const;
export type GoaEventType = (typeof TOGGLES)[number];

/**
 * Goa-AI's events as objects; or texts, each one event; or server-sent events as texts or bytes, in whatever pieces; or the response that brings
 * them. Each event is `{ type, run_id, session_id?, event_key?, payload }`; its members may also stand beside its type.
 */
export type StreamSource = AsyncIterable<unknown> | ReadableStream<unknown> | { readonly body: ReadableStream<Uint8Array> | AsyncIterable<unknown> | null; readonly ok?: boolean; readonly status?: number };

export interface EventsOptions {
  /** Leaves out the events of other sessions: an in-process bus carries those of all. */
  readonly sessionId?: string | undefined;
  /**
   * What the stream's profile does not send. What follows from it cannot be seen, and an expectation that needs it decides nothing. Without this
   * the profile is taken to send everything.
   */
  readonly without?: readonly GoaEventType[] | undefined;
}

export interface GoaEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed so far that no evidence can hold: events that came again, or of another session. */
  readonly warnings: readonly StreamWarning[];
}

/** Everything, but for what the profile leaves out. Throws `option_invalid` for a type of event that no profile leaves out. */
export function observed({ without = [] }: Pick<EventsOptions, "without">): Observes {
  for (const type of without as readonly unknown[]) {
    if ((TOGGLES as readonly unknown[]).includes(type)) continue;
    throw new EntailError("option_invalid", `without: ${JSON.stringify(type)} is none of ${TOGGLES.join(", ")}${typeof type === "string" ? didYouMean(type, TOGGLES) : ""}`);
  }
  if (without.length === 0) return OBSERVES_EVERYTHING;
  const sent = (...types: readonly GoaEventType[]): boolean => types.every((type) => !without.includes(type));
  return {
    args: sent("tool_start"),
    results: sent("tool_end"),
    failureKinds: sent("tool_end"),
    // An end names its parent too.
    parents: sent("tool_start") || sent("tool_end"),
    approvals: sent("await_confirmation", "tool_authorization"),
    bounds: sent("tool_end"),
    deltas: sent("tool_call_args_delta", "tool_output_delta"),
  };
}

/** `events`, of a source that is opened with the first look at it. */
export function eventsOf(open: () => unknown, options: EventsOptions): GoaEvents {
  const observes = observed(options);
  const warnings = streamWarnings<StreamWarning["code"]>();
  async function* read(): AsyncGenerator<StreamEvent, void> {
    const run = translator({ sessionId: options.sessionId, endsAlone: options.without?.includes("tool_start") === true, warnings });
    for await (const event of wireEvents(await open())) yield* run.take(event);
  }
  return {
    observes,
    get warnings() {
      return warnings.list();
    },
    [Symbol.asyncIterator]: read,
  };
}

/**
 * Turns a stream of Goa-AI into Entail's events, one for one. Runs keep their ids, those of child agents too, whose calls stand below the call
 * that started them. No end is made up: a stream that stops before its `run_stream_end` is incomplete, and `collect` rejects it. The first event
 * names the root run; where a stream may begin with another one, give `collect` the root: `collect(stream, ctx, { rootRunId })`. It can be read
 * once, like the stream it is made from. Throws `option_invalid`; reading it throws `event_invalid` for an event that cannot be read.
 */
export function events(source: StreamSource | PromiseLike<StreamSource>, options: EventsOptions = {}): GoaEvents {
  // Whoever reads the events sees it reject; where nobody does, it must not end the process.
  if (source instanceof Promise) source.catch(() => undefined);
  return eventsOf(() => source, options);
}
