// Owns the trial that the running code belongs to. It is the one default that is taken from the air, and only where Node is.

import { carried, type Carried } from "./carried.ts";
import type { EntailError } from "./error.ts";
import type { Scope } from "./scope.ts";

export interface CurrentTrial {
  /** For the model calls of the agent under test. */
  readonly scope: Scope;
  /**
   * Stops the trial's clock, for as long as something waits in a limiter or a queue, until what it returns is called. Several may wait at
   * once: the clock goes on after the last.
   */
  readonly pause: () => () => void;
  /** Keeps what user code wrote to standard output, for the trial's report. What comes after the trial is dropped. */
  readonly print: (text: string) => void;
  /** Adds a warning to the run, naming the trial's scenario. False where the run is over and nobody takes it any more. */
  readonly warn: (code: string, message: string) => boolean;
  /** Makes the trial errored, whatever its hook goes on to return: for what an agent may swallow and nobody may miss. The first one counts. */
  readonly fail?: ((error: EntailError) => void) | undefined;
}

const trials: Carried<CurrentTrial> = carried();

/** Calls `call`; whatever it starts finds `trial` by `currentTrial`, also after the trial has ended. */
export function withinTrial<Value>(trial: CurrentTrial, call: () => Value): Value {
  return trials.within(trial, call);
}

/** The trial that the calling code was started by; `undefined` outside a trial and where there is no Node. */
export function currentTrial(): CurrentTrial | undefined {
  return trials.current();
}
