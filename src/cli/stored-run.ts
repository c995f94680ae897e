// Owns a stored run as a report has it: what is missing is cancelled and named, and never makes the run smaller.

import type { ReportError, ReportHead, ScenarioReport, Totals } from "../core/report.ts";
import type { PlannedScenario, Store, StoredRun } from "../core/store.ts";

/** Trials that should exist and do not; 0 for a run that is whole. */
export function missingTrials({ plannedTrials, storedTrials }: StoredRun): number {
  return Math.max(0, plannedTrials - storedTrials);
}

/** Whether a run lacks something: it goes on, its process died, it was stopped, or results went elsewhere. */
export function isIncomplete(run: StoredRun): boolean {
  return run.state === "running" || run.totals.scenarios < run.plannedScenarios;
}

/** What every missing scenario is told to be. */
function incompleteError(run: StoredRun): ReportError {
  const missing = run.plannedScenarios - run.totals.scenarios;
  const what = missing > 0 ? `${missing} of ${run.plannedScenarios} scenarios have no result in the store` : "its end is not in the store";
  return { code: "run_incomplete", stage: "store", message: `the run is incomplete: ${what}` };
}

/** The head as it was stored; of an incomplete run one that says so, with all that was planned in its totals. */
export function headOf(run: StoredRun): ReportHead {
  if (run.head !== undefined && !isIncomplete(run)) return run.head;
  const { verdict: _verdict, ...head } = run.head ?? { runId: run.runId, suiteId: run.suiteId, startedAt: run.startedAt, durationMs: Math.max(0, Date.parse(run.touchedAt) - Date.parse(run.startedAt)) };
  return { ...head, error: run.head?.error ?? incompleteError(run), passed: false, totals: totalsOf(run) };
}

/** Of all that was planned: what has no result is cancelled. */
export function totalsOf({ totals, plannedScenarios }: StoredRun): Totals {
  const missing = Math.max(0, plannedScenarios - totals.scenarios);
  return missing === 0 ? totals : { ...totals, scenarios: totals.scenarios + missing, cancelled: totals.cancelled + missing };
}

/** Every planned scenario in order, one after the other in bounded memory. */
export async function* scenariosOf(run: StoredRun, store: Store): AsyncGenerator<ScenarioReport, void, undefined> {
  if (!isIncomplete(run)) {
    yield* store.scenarioReports(run.runId);
    return;
  }
  const planned = await store.planned(run.runId);
  const error = incompleteError(run);
  let at = 0;
  for await (const report of store.scenarioReports(run.runId)) {
    for (; planned[at] !== undefined && planned[at]?.id !== report.id; at++) yield missingReport(planned[at], error);
    at++;
    yield report;
  }
  for (; planned[at] !== undefined; at++) yield missingReport(planned[at], error);
}

function missingReport(planned: PlannedScenario | undefined, error: ReportError): ScenarioReport {
  const { id = "", tags = [], skip, knownFailure } = planned ?? {};
  return { id, ...(tags.length > 0 && { tags }), ...(skip !== undefined && { skip }), ...(knownFailure !== undefined && { knownFailure }), outcome: "cancelled", passed: false, durationMs: 0, error };
}
