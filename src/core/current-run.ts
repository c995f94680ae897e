// Owns the run that the running code belongs to: what the command says of every recording and every file written while it goes on.

import { carried, type Carried } from "./carried.ts";

/** The mode of recordings that leave theirs out. */
export type RecordingsMode = "record" | "strict";

export interface CurrentRun {
  /** Of `--record` and `--replay`. */
  readonly recordings?: RecordingsMode | undefined;
  /** Told of each answer that was replayed, with the path of its file. */
  readonly replayed?: ((file: string) => void) | undefined;
  /** Masks secrets in what is written to a file. */
  readonly mask?: ((text: string) => string) | undefined;
}

const runs: Carried<CurrentRun> = carried();

/** Calls `call`; whatever it starts finds `run` by `currentRun`. */
export function withinRun<Value>(run: CurrentRun, call: () => Value): Value {
  return runs.within(run, call);
}

/** The run that the calling code was started by; `undefined` outside a run and where there is no Node. */
export function currentRun(): CurrentRun | undefined {
  return runs.current();
}
