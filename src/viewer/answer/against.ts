// Owns what a list says of a run against its suite's baseline: the outcomes of their trials compared, without reading a single report.

import type { Outcome } from "../../core/outcome.ts";
import type { ScenarioRow, StoredRun } from "../../core/store.ts";
import { compareScenarios } from "../../stats/compare-scenarios.ts";
import type { ScenarioPair, TrialsOfRun } from "../../stats/comparison.ts";
import type { AnswerContext } from "./context.ts";
import type { Against } from "./form.ts";
import { everyRow } from "./rows.ts";
import { rateOf } from "./run-row.ts";

/** Larger runs are compared on the page that compares, not in passing. */
const COMPARED_IN_PASSING = 2_000;

/** Runs whose outcomes are held by scenario, for the column that says what each was before. */
const OUTCOMES_HELD = 5_000;

/** The run to hold another against: the accepted baseline, else the finished run of the suite before it. */
export interface Reference {
  readonly run: StoredRun;
  readonly baseline: boolean;
}

export async function referenceOf(context: AnswerContext, run: StoredRun): Promise<Reference | undefined> {
  const accepted = await context.baselineOf(run.suiteId);
  if (accepted !== undefined && accepted !== run.runId) {
    const found = await context.reads.run(accepted);
    if (found !== undefined) return { run: found, baseline: true };
  }
  const before = await context.reads.runs({ suiteId: run.suiteId, before: run.ordinal, limit: 10 });
  const found = before.find(({ state, head }) => state === "finished" && head?.error === undefined);
  return found === undefined ? undefined : { run: found, baseline: false };
}

/** `undefined` where there is nothing to hold it against, or it would take too long for a list. */
export async function againstOf(context: AnswerContext, run: StoredRun): Promise<Against | undefined> {
  if (run.state !== "finished" || run.head?.error !== undefined || run.plannedScenarios > COMPARED_IN_PASSING) return undefined;
  const reference = await referenceOf(context, run);
  if (reference === undefined || reference.run.plannedScenarios > COMPARED_IN_PASSING || reference.run.state !== "finished") return undefined;
  const other = reference.run;
  return context.once(`against ${other.runId} ${run.runId} ${reference.baseline}`, async () => {
    const comparison = compareScenarios(pairsOf(await trialsOf(context, other.runId), await trialsOf(context, run.runId)));
    return {
      id: other.runId,
      n: other.ordinal,
      baseline: reference.baseline,
      verdict: comparison.verdict,
      worse: comparison.worse,
      better: comparison.better,
      difference: comparison.difference ?? undefined,
      interval: comparison.interval ?? undefined,
      rate: rateOf(other.totals)?.rate,
    };
  });
}

/** The outcomes of a finished run's scenarios by id; `undefined` for a run too large for that. */
export async function outcomesByScenario(context: AnswerContext, run: StoredRun): Promise<ReadonlyMap<string, Outcome> | undefined> {
  if (run.plannedScenarios > OUTCOMES_HELD || run.state !== "finished") return undefined;
  return context.once(`outcomes ${run.runId}`, async () => {
    const outcomes = new Map<string, Outcome>();
    for await (const { id, outcome } of everyRow(context.reads, run.runId)) if (outcome !== undefined) outcomes.set(id, outcome);
    return outcomes;
  });
}

const trialsOf = (context: AnswerContext, runId: string): Promise<ReadonlyMap<string, TrialsOfRun>> =>
  context.once(`trials ${runId}`, async () => {
    const trials = new Map<string, TrialsOfRun>();
    for await (const row of everyRow(context.reads, runId)) trials.set(row.id, countScored(row));
    return trials;
  });

function countScored({ trials }: ScenarioRow): TrialsOfRun {
  let passed = 0;
  let scored = 0;
  for (const outcome of trials) {
    if (outcome === "passed") passed += 1;
    if (outcome === "passed" || outcome === "scored" || outcome === "failed") scored += 1;
  }
  return { passed, scored };
}

function pairsOf(before: ReadonlyMap<string, TrialsOfRun>, after: ReadonlyMap<string, TrialsOfRun>): readonly ScenarioPair[] {
  return [...after].flatMap(([id, now]) => {
    const then = before.get(id);
    return then === undefined ? [] : [{ id, before: then, after: now }];
  });
}
