// Owns the trial that the running code belongs to. It is the one default that is taken from the air, and only where Node is.

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
}

interface TrialStorage {
  run<Value>(store: CurrentTrial, call: () => Value): Value;
  getStore(): CurrentTrial | undefined;
}

let opened: TrialStorage | null | undefined;

function storage(): TrialStorage | null {
  if (opened === undefined) {
    const hooks = globalThis.process?.getBuiltinModule?.("async_hooks");
    opened = hooks === undefined ? null : new hooks.AsyncLocalStorage<CurrentTrial>();
  }
  return opened;
}

/** Calls `call`; whatever it starts finds `trial` by `currentTrial`, also after the trial has ended. */
export function withinTrial<Value>(trial: CurrentTrial, call: () => Value): Value {
  const store = storage();
  return store === null ? call() : store.run(trial, call);
}

/** The trial that the calling code was started by; `undefined` outside a trial and where there is no Node. */
export function currentTrial(): CurrentTrial | undefined {
  return storage()?.getStore();
}
