// Owns which invocation goes on: the one that is named, else the latest that has not come to its end, else the latest.

import { EntailError } from "../../core/error.ts";
import type { Invocation, Store, StoredRun } from "../../core/store.ts";
import { findRuns } from "../compared-run.ts";

export interface FoundInvocation {
  readonly invocation: Invocation;
  /** In the order in which they began; of an invocation that was named by one of its runs, that one. */
  readonly runs: readonly StoredRun[];
  /** All runs of the invocation that the store has. */
  readonly all: readonly StoredRun[];
}

/** Ends of a run after which there is something left to run. */
const STOPPED = new Set(["cancelled", "bail_reached", "max_time_reached", "budget_reached", "calibration_failed"]);

/** Whether a trial of it may be missing. What failed or errored is a result. */
export function isUnfinished(run: StoredRun): boolean {
  const { state, head, totals, plannedScenarios } = run;
  return state === "running" || totals.scenarios < plannedScenarios || totals.cancelled > 0 || (head?.error !== undefined && STOPPED.has(head.error.code));
}

export function hasUnbegun({ runs }: Invocation, begun: readonly StoredRun[]): boolean {
  return runs !== undefined && begun.length < runs;
}

/** Throws `run_unknown`. */
export async function findInvocation(text: string | undefined, store: Store): Promise<FoundInvocation> {
  const named = text === undefined ? await latestUnfinished(store) : await findRuns(text, store);
  const [first] = named;
  if (first === undefined) throw new EntailError("run_unknown", "there is no run yet: npx entail run makes one");
  const all = (await store.runs({ invocationId: first.invocation.id, limit: 1000 })).toReversed();
  return { invocation: first.invocation, runs: named, all };
}

async function latestUnfinished(store: Store): Promise<readonly StoredRun[]> {
  let latest: string | undefined;
  let before: number | undefined;
  for (;;) {
    const page = await store.runs({ limit: 200, ...(before !== undefined && { before }) });
    for (const run of page) {
      latest ??= run.invocation.id;
      // What a program ran, or what was imported, has no command that could go on.
      if (run.invocation.command[0] !== "run" || run.rejudgedFrom !== undefined || !isUnfinished(run)) continue;
      return ofInvocation(run.invocation.id, store);
    }
    before = page.at(-1)?.ordinal;
    if (before === undefined) return latest === undefined ? [] : ofInvocation(latest, store);
  }
}

async function ofInvocation(invocationId: string, store: Store): Promise<readonly StoredRun[]> {
  return (await store.runs({ invocationId, limit: 1000 })).toReversed();
}
