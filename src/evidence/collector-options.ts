// Owns the options of a collector and their reading at the door.

import type { Clock } from "../core/clock.ts";
import { EntailError } from "../core/error.ts";
import { type Evidence, OBSERVABLES, type Observes } from "../core/evidence.ts";
import { didYouMean } from "../core/nearest.ts";
import { isRecord } from "./malformed.ts";
import { nameOf } from "./predicate.ts";

export interface CollectorOptions {
  /** The run that is asked about. Without it the first event that has a run decides, so that a stream must start with its root. */
  readonly rootRunId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The evidence of the run before, where this one goes on; `rootRunId` is then needed. */
  readonly continues?: Evidence | undefined;
  /** What the source of the events can see; everything where it is absent. */
  readonly observes?: Observes | undefined;
  /** Times are kept where it is given: each event's is that at which it is consumed. For events that are consumed as they come, never for those of a finished run. */
  readonly clock?: Pick<Clock, "elapsed"> | undefined;
}

const MEMBERS = ["rootRunId", "sessionId", "continues", "observes", "clock"] as const;

/** The options, once each is known to be right. Throws `option_invalid`. */
export function readCollectorOptions(options: CollectorOptions): CollectorOptions {
  const given: unknown = options;
  if (!isRecord(given)) throw wrong(`the options of a collector must be an object; they are ${nameOf(given)}`);
  for (const member of Object.keys(options)) {
    if (!(MEMBERS as readonly string[]).includes(member)) throw wrong(`the options of a collector have a member ${JSON.stringify(member)} that Entail does not know${didYouMean(member, MEMBERS)}`);
  }
  const { rootRunId, sessionId, continues, observes, clock } = options;
  for (const [member, id] of [["rootRunId", rootRunId], ["sessionId", sessionId]] as const) {
    // An empty run id beside `continues` is for the continuation to refuse, in its own words.
    const empty = id === "" && (member !== "rootRunId" || continues === undefined);
    if ((id !== undefined && typeof id !== "string") || empty) throw wrong(`${member} must be a text that is not empty; it is ${nameOf(id)}`);
  }
  if (clock !== undefined && typeof (clock as Partial<Clock> | null)?.elapsed !== "function") throw wrong(`clock must have elapsed(), which gives milliseconds that only ever grow; it is ${nameOf(clock)}`);
  return { rootRunId, sessionId, continues, observes: observes === undefined ? undefined : readObserves(observes), clock };
}

/** A frozen copy. Throws `option_invalid` where one of the seven is not said: what is unsaid could pass for seen. */
export function readObserves(observes: Observes): Observes {
  const given: unknown = observes;
  if (!isRecord(given)) throw wrong(`observes must be an object; it is ${nameOf(given)}`);
  const copy = {} as { -readonly [K in keyof Observes]: Observes[K] };
  for (const member of OBSERVABLES) {
    const seen = given[member];
    if (typeof seen !== "boolean") throw wrong(`observes.${member} must be true or false; it is ${nameOf(seen)}`);
    copy[member] = seen;
  }
  const failures = given["failures"];
  if (failures !== undefined && typeof failures !== "boolean") throw wrong(`observes.failures must be true or false where it is said; it is ${nameOf(failures)}`);
  if (failures !== undefined) copy.failures = failures;
  return Object.freeze(copy);
}

function wrong(message: string): EntailError {
  return new EntailError("option_invalid", message);
}
