// Owns what a target keeps of its runs that stopped at a confirmation, so that it can go on with them once somebody has decided.

import { EntailError } from "./error.ts";

export interface WaitingRuns<State> {
  /** Keeps what it takes to go on with a run; the run may be known by several ids, for evidence of a turn has that of its first run. */
  keep(state: State, ...runIds: readonly string[]): void;
  /** Gives it, once: what was decided is done. Throws `option_invalid` for a run that does not wait here. */
  take(runId: string): State;
}

/** Runs of finished conversations are forgotten first. */
const MAX_RUNS = 1_000;

export function waitingRuns<State>(): WaitingRuns<State> {
  const runs = new Map<string, { readonly state: State; readonly ids: readonly string[] }>();
  return {
    keep(state, ...ids) {
      for (const id of ids) {
        runs.delete(id);
        runs.set(id, { state, ids });
      }
      for (const oldest of runs.keys()) {
        if (runs.size <= MAX_RUNS) break;
        runs.delete(oldest);
      }
    },
    take(runId) {
      const waiting = runs.get(runId);
      if (waiting === undefined) {
        throw new EntailError("option_invalid", `resume() goes on with a run that this target has sent and that still waits; ${JSON.stringify(runId)} is none: give the evidence of the run that stopped, once, to the target that ran it`);
      }
      for (const id of waiting.ids) runs.delete(id);
      return waiting.state;
    },
  };
}
