// Owns the measured duration of a scenario: the median of its latest runs, of one trial each.

import type { ScenarioRow } from "../core/store.ts";

/** So many of the latest runs count. */
export const RUNS_MEASURED = 5;

/** `runs` newest first, each with its rows. Only what ran to its end is a measure. */
export function durationsOf(runs: Iterable<Iterable<Pick<ScenarioRow, "id" | "outcome" | "durationMs" | "trials">>>): Map<string, number> {
  const measured = new Map<string, number[]>();
  let counted = 0;
  for (const rows of runs) {
    if (counted === RUNS_MEASURED) break;
    counted += 1;
    for (const { id, outcome, durationMs, trials } of rows) {
      if (durationMs === undefined || (outcome !== "passed" && outcome !== "scored" && outcome !== "failed")) continue;
      const list = measured.get(id);
      const one = durationMs / Math.max(1, trials.length);
      if (list === undefined) measured.set(id, [one]);
      else list.push(one);
    }
  }
  return new Map([...measured].map(([id, values]) => [id, median(values)]));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
