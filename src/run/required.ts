// Owns whether anything was required of a trial, told from its report alone, so that one that was stored counts like one that has just run.

import type { TrialReport } from "../core/report.ts";

/** True where it ran to its end and a check, a claim or a threshold could have been missed, in the whole or in a turn. */
export function requiredOf({ outcome, result, scores = [], turns = [] }: TrialReport): boolean {
  if (outcome !== "passed" && outcome !== "scored" && outcome !== "failed") return false;
  if ((result?.checks ?? []).length > 0 || (result?.claims ?? []).length > 0 || scores.some(({ passed }) => passed !== undefined)) return true;
  return turns.some((turn) => turn.outcome !== "not_reached" && ((turn.claims ?? []).length > 0 || (turn.scores ?? []).some(({ passed }) => passed !== undefined)));
}
