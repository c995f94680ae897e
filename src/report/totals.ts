// Owns the totals of a report: how many scenarios came to what, counted one at a time.

import { STAGES, type Stage } from "../core/error.ts";
import type { ScenarioReport, Totals } from "../core/report.ts";

export interface TotalsCounter {
  add(scenario: ScenarioReport): void;
  /** What was counted so far. */
  totals(): Totals;
}

/** Counts as scenarios finish, so that a run need not keep them. */
export function countTotals(): TotalsCounter {
  const counts = { passed: 0, scored: 0, failed: 0, errored: 0, cancelled: 0, skipped: 0 };
  const errors = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>;
  let scenarios = 0;
  return {
    add(scenario) {
      scenarios++;
      counts[scenario.outcome]++;
      if (scenario.outcome === "errored") errors[scenario.error.stage]++;
    },
    totals: () => ({ scenarios, ...counts, errors: { ...errors } }),
  };
}

export function totalsOf(scenarios: Iterable<ScenarioReport>): Totals {
  const counter = countTotals();
  for (const scenario of scenarios) counter.add(scenario);
  return counter.totals();
}
