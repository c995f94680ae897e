// Owns finding the run that was accepted as its suite's baseline, by what the store keeps of the acceptance.

import type { Store } from "../core/store.ts";

/** Runs of a suite that are looked through. */
const RUNS = 200;
/** How long an answer holds: an acceptance is rare, a look at hundreds of runs is not free. */
const HOLDS_MS = 3_000;

/** The id of the run that was accepted last, of those that the store still has. */
export function acceptedRunOf(store: Pick<Store, "runs" | "events">, now: () => number): (suiteId: string) => Promise<string | undefined> {
  const known = new Map<string, { readonly at: number; readonly run: Promise<string | undefined> }>();
  return (suiteId) => {
    const held = known.get(suiteId);
    if (held !== undefined && now() - held.at < HOLDS_MS) return held.run;
    const run = find(store, suiteId);
    known.set(suiteId, { at: now(), run });
    run.catch(() => known.delete(suiteId));
    return run;
  };
}

async function find(store: Pick<Store, "runs" | "events">, suiteId: string): Promise<string | undefined> {
  let found: { readonly run: string; readonly at: string } | undefined;
  for (const { runId } of await store.runs({ suiteId, limit: RUNS })) {
    for (const { type, at } of await store.events(runId)) if (type === "baseline_accepted" && (found === undefined || at > found.at)) found = { run: runId, at };
  }
  return found?.run;
}
