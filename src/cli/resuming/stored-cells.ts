// Owns which stored results of a run still hold: those whose cell is the same now, cell for cell; and why the others do not.

import type { PlannedScenario, Store, StoredRun } from "../../core/store.ts";
import { cellsOf, inputDigest, positionAndTrial, revisionOf } from "../../store/cell.ts";

export interface StoredCells {
  /** By `positionAndTrial`, in the positions of now: the trials whose stored result is taken. */
  readonly kept: ReadonlySet<string>;
  /** In the positions of before, as a store drops them. */
  readonly stale: readonly { readonly position: number; readonly trial: number }[];
  readonly unfinished: readonly number[];
  /** How many trials are to run, and why: `missing`, `cancelled`, or what changed. */
  readonly toRun: ReadonlyMap<string, number>;
  /** Ids of scenarios that are gone. */
  readonly gone: readonly string[];
  /** Whether the plan is another one than before. */
  readonly replanned: boolean;
}

export interface CellsNow extends Pick<StoredRun, "suiteId" | "variant" | "subject"> {
  readonly scenarios: readonly PlannedScenario[];
}

/** `before` is the subject that the stored results are taken to be of. */
export async function readStoredCells(run: StoredRun, store: Store, now: CellsNow, before: string | undefined): Promise<StoredCells> {
  const planned = await store.planned(run.runId);
  const cells = cellsOf({ suiteId: run.suiteId, variant: run.variant, subject: before }, planned);
  const wanted = cellsOf(now, now.scenarios);
  const byId = new Map(now.scenarios.map((scenario) => [scenario.id, scenario]));
  const byPosition = new Map(planned.map((scenario) => [scenario.position, scenario]));
  const kept = new Set<string>();
  const stale: { position: number; trial: number }[] = [];
  const why = new Map<string, number>();
  const count = (reason: string, times = 1): void => void (times > 0 && why.set(reason, (why.get(reason) ?? 0) + times));
  /** By position of before: how many of its trials are kept, and how many are dropped and run again. */
  const keptOf = new Map<number, number>();
  const againOf = new Map<number, number>();

  for await (const { position, report } of store.trials(run.runId)) {
    const was = byPosition.get(position);
    const scenario = was && byId.get(was.id);
    const place = scenario && positionAndTrial(scenario.position, report.trial);
    if (place !== undefined && report.outcome !== "cancelled" && wanted.has(place) && cells.get(positionAndTrial(position, report.trial)) === wanted.get(place)) {
      kept.add(place);
      keptOf.set(position, (keptOf.get(position) ?? 0) + 1);
      continue;
    }
    stale.push({ position, trial: report.trial });
    if (place === undefined || was === undefined || scenario === undefined || !wanted.has(place)) continue;
    againOf.set(position, (againOf.get(position) ?? 0) + 1);
    count(report.outcome === "cancelled" ? "cancelled" : changeOf(was, scenario, before !== now.subject));
  }

  const unfinished: number[] = [];
  const seen = new Set<string>();
  let without = 0;
  for (let from = 0; ; from += 1000) {
    const { rows, total } = await store.scenarios(run.runId, { from, limit: 1000 });
    for (const row of rows) {
      const scenario = byId.get(row.id);
      if (scenario === undefined) continue;
      seen.add(row.id);
      const there = keptOf.get(row.position) ?? 0;
      const again = againOf.get(row.position) ?? 0;
      const stopped = row.trialCounts?.stopped !== undefined && again === 0 && there > 0;
      const missing = stopped ? 0 : Math.max(0, scenario.trials - there - again);
      if (missing + again === 0) continue;
      if (row.outcome !== undefined) unfinished.push(row.position);
      // It errored as a whole, before any trial of it began: a result, unless the run goes on for another reason.
      if (row.outcome === "errored" && there + again === 0) without += missing;
      else count("missing", missing);
    }
    if (from + 1000 >= total) break;
  }
  for (const scenario of now.scenarios) if (!seen.has(scenario.id)) count("new", scenario.trials);
  if (run.state === "running" || why.size > 0) count("missing", without);
  return {
    kept,
    stale,
    unfinished,
    toRun: why,
    gone: planned.filter(({ id }) => !byId.has(id)).map(({ id }) => id),
    replanned: before !== now.subject || cells.size !== wanted.size || stale.length > 0 || [...cells].some(([place, key]) => wanted.get(place) !== key) || planned.length !== now.scenarios.length,
  };
}

/** In words, what about the scenario is another than it was. */
function changeOf(was: PlannedScenario, now: PlannedScenario, subject: boolean): string {
  if (revisionOf(was) !== revisionOf(now)) return "scenario changed";
  if (inputDigest(was) !== inputDigest(now)) return "input changed";
  return subject ? "agent changed" : "variant changed";
}
