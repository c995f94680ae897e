// Owns the store in memory: for tests, and for a process that keeps nothing.

import { EntailError } from "../core/error.ts";
import type { Invocation, JudgeMeasurement, ScenarioPast, Store, StoredLabel, StoredRun } from "../core/store.ts";
import { cellsOf, revisionOf } from "./cell.ts";
import { durationsOf } from "./durations.ts";
import { unknownInvocation } from "./invocation-holder.ts";
import { jsonText } from "./json-text.ts";
import { createMemoryRun, type MemoryRun } from "./memory-run.ts";
import { runNames } from "./run-name.ts";
import { limitOf, pageOf } from "./scenario-query.ts";

export interface MemoryStoreOptions {
  /** Milliseconds since the epoch; the system's clock when absent. */
  readonly now?: (() => number) | undefined;
}

export function memoryStore({ now = Date.now }: MemoryStoreOptions = {}): Store {
  const invocations = new Map<string, Invocation>();
  const runs = new Map<string, MemoryRun>();
  const labels = new Map<string, string>();
  const measurements: string[] = [];
  let ordinals = 0;
  let version = 0;

  const changed = (run?: MemoryRun): void => {
    version += 1;
    run?.touch(new Date(now()).toISOString());
  };
  const known = (runId: string): MemoryRun => {
    const run = runs.get(runId);
    if (run === undefined) throw new EntailError("run_unknown", `the store has no run ${JSON.stringify(runId)}`);
    return run;
  };
  const change = (runId: string, act: (run: MemoryRun) => void): void => {
    const run = known(runId);
    act(run);
    changed(run);
  };
  const stored = (run: MemoryRun): StoredRun => {
    const { invocationId: id, startedAt } = run.manifest;
    return run.stored(invocations.get(id) ?? { id, startedAt, command: [], cwd: "" });
  };
  const newest = (): readonly MemoryRun[] => [...runs.values()].toSorted((a, b) => b.ordinal - a.ordinal);

  const store: Store = {
    url: "memory:",
    async beginInvocation(invocation) {
      invocations.set(invocation.id, structuredClone(invocation));
      changed();
    },
    async beginRun(manifest) {
      if (runs.has(manifest.runId)) throw new EntailError("run_exists", `the store has a run ${manifest.runId} already, and no run takes another's place`);
      const run = createMemoryRun(++ordinals, manifest);
      runs.set(manifest.runId, run);
      changed(run);
      return run.ordinal;
    },
    amendRun: async (runId, amendment) => change(runId, (run) => run.amend(amendment)),
    reopenRun: async (runId, reopening) => change(runId, (run) => run.reopen(reopening)),
    async holdInvocation(id, holder, mayTake) {
      const invocation = invocations.get(id);
      if (invocation === undefined) throw unknownInvocation(id);
      const { holder: current } = invocation;
      if (current !== undefined && current.token !== holder.token && !mayTake(current)) return current;
      invocations.set(id, { ...invocation, holder: { ...holder } });
      return undefined;
    },
    putTrial: async ({ runId, position }, report, evidence) => change(runId, (run) => run.putTrial(position, report, evidence)),
    putScenario: async (runId, position, report) => change(runId, (run) => run.putScenario(position, report)),
    finishRun: async (runId, head) => change(runId, (run) => run.finish(head)),
    putEvent: async (runId, event) => change(runId, (run) => run.events.push(jsonText(event))),
    async putLabel(label) {
      labels.set(label.id, jsonText(label));
      changed();
    },
    async removeLabel(id) {
      labels.delete(id);
      changed();
    },
    async putMeasurement(measurement) {
      measurements.push(jsonText(measurement));
      changed();
    },
    flush: async () => {},

    async runs({ suiteId, invocationId, verdict, branch, before, limit } = {}) {
      const matching = newest().filter((run) => {
        const { manifest } = run;
        if (suiteId !== undefined && manifest.suiteId !== suiteId) return false;
        if (invocationId !== undefined && manifest.invocationId !== invocationId) return false;
        if (before !== undefined && run.ordinal >= before) return false;
        if (branch !== undefined && invocations.get(manifest.invocationId)?.branch !== branch) return false;
        return verdict === undefined || stored(run).head?.verdict === verdict;
      });
      return matching.slice(0, limitOf(limit)).map(stored);
    },
    async run(runId) {
      const run = runs.get(runId);
      return run && stored(run);
    },
    async findRun(text) {
      for (const name of runNames(text)) {
        const found = [...runs.values()].filter((run) => ("ordinal" in name ? run.ordinal === name.ordinal : run.manifest.runId.startsWith(name.prefix)));
        if (found.length === 1 && found[0] !== undefined) return stored(found[0]);
      }
      return undefined;
    },
    suiteIds: async () => [...new Set([...runs.values()].map(({ manifest }) => manifest.suiteId))].toSorted(),
    planned: async (runId) => structuredClone(known(runId).manifest.scenarios),
    plannedScenario: async (runId, position) => structuredClone(known(runId).manifest.scenarios.find((planned) => planned.position === position)),
    async cells(runId) {
      const { manifest } = known(runId);
      return cellsOf(manifest, manifest.scenarios);
    },
    scenarios: async (runId, query = {}) => pageOf(known(runId).rows(), query),
    scenario: async (runId, position) => known(runId).scenario(position),
    positionOf: async (runId, scenarioId) => known(runId).manifest.scenarios.find(({ id }) => id === scenarioId)?.position,
    async *scenarioReports(runId) {
      const run = known(runId);
      for (const { position } of run.manifest.scenarios) {
        const report = run.scenario(position);
        if (report !== undefined) yield report;
      }
    },
    trial: async ({ runId, position, trial }) => known(runId).trial(position, trial),
    async *trials(runId) {
      yield* known(runId).trials();
    },
    evidence: async ({ runId, position, trial }) => known(runId).evidence(position, trial),
    evidenceHead: async ({ runId, position, trial }) => known(runId).evidenceHead(position, trial),
    calls: async ({ runId, position, trial }, from, limit) => known(runId).calls(position, trial, Math.max(0, from), Math.max(0, limit)),
    events: async (runId) => known(runId).events.map((text) => JSON.parse(text) as { at: string; type: string; body: unknown }),
    async past(suiteId, scenarioId, limit) {
      const past: ScenarioPast[] = [];
      for (const run of newest()) {
        const { manifest, ordinal } = run;
        const planned = manifest.suiteId === suiteId ? manifest.scenarios.find(({ id }) => id === scenarioId) : undefined;
        const row = planned && run.row(planned.position);
        if (planned === undefined || row === undefined) continue;
        past.push({ runId: manifest.runId, ordinal, startedAt: manifest.startedAt, row, revision: revisionOf(planned) });
        if (past.length >= limitOf(limit)) break;
      }
      return past;
    },
    async durations(suiteId) {
      const of = newest().filter(({ manifest }) => manifest.suiteId === suiteId && manifest.rejudgedFrom === undefined);
      return durationsOf(of.map((run) => run.rows()));
    },
    async labels({ suiteId, fingerprint } = {}) {
      const all = [...labels.values()].map((text) => JSON.parse(text) as StoredLabel);
      return all.filter((label) => (suiteId === undefined || label.from?.suiteId === suiteId) && (fingerprint === undefined || label.judged?.fingerprint === fingerprint));
    },
    measurements: async () => measurements.map((text) => JSON.parse(text) as JudgeMeasurement),
    version: async () => version,
    async removeRuns(runIds) {
      const removed = runIds.filter((runId) => runs.delete(runId)).length;
      if (removed > 0) changed();
      return removed;
    },
    warnings: [],
    close: async () => {},
  };
  return store;
}
