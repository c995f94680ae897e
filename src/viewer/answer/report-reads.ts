// Owns reading reports as a store is read: for the exported file, whose page asks the same questions as the served one.

import type { Evidence } from "../../core/evidence.ts";
import type { Report, ScenarioReport, SplitUsage, TrialReport } from "../../core/report.ts";
import type { PlannedScenario, ScenarioQuery, ScenarioRow, StoredRun, TrialKey } from "../../core/store.ts";
import { firstReason } from "../../report/reason.ts";
import type { Reads } from "./context.ts";
import type { Counts } from "./form.ts";
import { noCounts } from "./no-counts.ts";

/** A run with what stands beside its report. */
export interface CarriedRun {
  readonly report: Report;
  readonly ordinal?: number | undefined;
  readonly branch?: string | undefined;
  readonly note?: string | undefined;
  readonly planned: readonly { readonly description?: string | undefined; readonly input?: unknown }[];
  /** By position and trial: `3.1`. */
  readonly evidence: ReadonlyMap<string, Evidence>;
}

export function reportReads(carried: readonly CarriedRun[], url: string): Reads {
  const runs = carried.map((each, at) => openRun(each, at + 1));
  const runOf = (runId: string): (typeof runs)[number] | undefined => runs.find(({ stored }) => stored.runId === runId);
  const evidenceOf = ({ runId, position, trial }: TrialKey): Evidence | undefined => runOf(runId)?.evidence.get(`${position}.${trial}`);
  return {
    url,
    runs: async ({ suiteId, before, limit = 50 } = {}) => runs.map(({ stored }) => stored).filter((run) => (suiteId === undefined || run.suiteId === suiteId) && (before === undefined || run.ordinal < before)).toSorted((a, b) => b.ordinal - a.ordinal).slice(0, limit),
    run: async (runId) => runOf(runId)?.stored,
    findRun: async (text) => runs.find(({ stored }) => stored.runId === text || `${stored.ordinal}` === text.replace("#", ""))?.stored,
    suiteIds: async () => [...new Set(runs.map(({ stored }) => stored.suiteId))],
    plannedScenario: async (runId, position) => runOf(runId)?.planned[position],
    scenarios: async (runId, query = {}) => pageOf(runOf(runId)?.rows ?? [], query),
    scenario: async (runId, position) => runOf(runId)?.scenarios[position],
    positionOf: async (runId, scenarioId) => runOf(runId)?.positions.get(scenarioId),
    async *scenarioReports(runId) {
      yield* runOf(runId)?.scenarios ?? [];
    },
    trial: async ({ runId, position, trial }) => trialOf(runOf(runId)?.scenarios[position], trial),
    evidenceHead: async (key) => {
      const evidence = evidenceOf(key);
      return evidence && { ...evidence, toolCalls: evidence.toolCalls.length };
    },
    calls: async (key, from, limit) => {
      const calls = evidenceOf(key)?.toolCalls ?? [];
      return { calls: calls.slice(from, from + limit), total: calls.length };
    },
    labels: async () => [],
    measurements: async () => [],
  };
}

function trialOf(scenario: ScenarioReport | undefined, trial: number): TrialReport | undefined {
  if (scenario === undefined) return undefined;
  return scenario.trials === undefined ? (trial === 1 ? { ...scenario, trial: 1 } : undefined) : scenario.trials.find((each) => each.trial === trial);
}

function openRun({ report, ordinal, branch, note, planned, evidence }: CarriedRun, at: number): { readonly stored: StoredRun; readonly scenarios: readonly ScenarioReport[]; readonly rows: readonly ScenarioRow[]; readonly positions: ReadonlyMap<string, number>; readonly planned: readonly PlannedScenario[]; readonly evidence: CarriedRun["evidence"] } {
  const { scenarios, ...head } = report;
  const runId = head.runId ?? `run-${at}`;
  const trials = scenarios.reduce((sum, scenario) => sum + (scenario.trials?.length ?? 1), 0);
  const stored: StoredRun = {
    runId,
    invocationId: "",
    suiteId: head.suiteId,
    startedAt: head.startedAt,
    selected: false,
    strict: head.strict === true,
    variant: head.variant,
    note,
    ordinal: ordinal ?? at,
    state: "finished",
    invocation: { id: "", startedAt: head.startedAt, command: [], cwd: "", branch },
    plannedTrials: trials,
    storedTrials: trials,
    plannedScenarios: scenarios.length,
    totals: head.totals,
    head,
    touchedAt: head.startedAt,
  };
  return {
    stored,
    scenarios,
    rows: scenarios.map((scenario, position) => rowOf(scenario, position, evidence)),
    positions: new Map(scenarios.map(({ id }, position) => [id, position])),
    planned: scenarios.map(({ id, tags = [], skip, knownFailure }, position) => ({ position, id, description: planned[position]?.description ?? "", tags, trials: 1, skip, knownFailure, input: planned[position]?.input })),
    evidence,
  };
}

function rowOf(scenario: ScenarioReport, position: number, evidence: CarriedRun["evidence"]): ScenarioRow {
  const { id, tags = [], outcome, passed, durationMs, turns, judgments = [], trials } = scenario;
  const judged = [...judgments, ...(turns ?? []).flatMap((turn) => turn.judgments ?? [])];
  return {
    position,
    id,
    tags,
    outcome,
    passed,
    durationMs,
    cost: costOf(scenario),
    trials: trials?.map((trial) => trial.outcome) ?? (scenario.startedAt === undefined ? [] : [outcome]),
    reason: outcome === "passed" ? undefined : firstReason(scenario).split("\n", 1)[0]?.slice(0, 160) || undefined,
    claims: judged.length > 0 ? { held: judged.filter((each) => each.passed).length, of: judged.length } : undefined,
    turns: turns && { held: turns.filter((turn) => turn.outcome === "passed" || turn.outcome === "scored").length, of: turns.length },
    toolCalls: evidence.get(`${position}.1`)?.toolCalls.length,
  };
}

function costOf({ usage, trials }: ScenarioReport): number | undefined {
  const known = (trials === undefined ? [usage] : trials.map((trial) => trial.usage)).flatMap((split: SplitUsage | undefined) => [split?.subject?.cost, split?.judge?.cost]).filter((cost) => cost !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
}

function pageOf(rows: readonly ScenarioRow[], { from = 0, limit = 200, outcomes, search = "", tag, sort = "position" }: ScenarioQuery): { readonly rows: readonly ScenarioRow[]; readonly total: number; readonly counts: Counts } {
  const counts = noCounts();
  for (const { outcome } of rows) counts[outcome ?? "missing"] += 1;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => (outcomes === undefined || outcomes.includes(row.outcome ?? "missing")) && (tag === undefined || row.tags.includes(tag)) && words.every((word) => [row.id, ...row.tags, row.reason ?? ""].some((text) => text.toLowerCase().includes(word))));
  const key = ({ cost, durationMs, trials }: ScenarioRow): number => (sort === "cost" ? (cost ?? -1) : sort === "duration" ? (durationMs ?? -1) : unsteady(trials));
  const sorted = sort === "position" ? found : found.toSorted((a, b) => key(b) - key(a) || a.position - b.position);
  return { rows: sorted.slice(from, from + limit), total: found.length, counts };
}

function unsteady(trials: ScenarioRow["trials"]): number {
  const scored = trials.filter((outcome) => outcome === "passed" || outcome === "scored" || outcome === "failed");
  const rate = scored.filter((outcome) => outcome === "passed").length / Math.max(1, scored.length);
  return rate * (1 - rate);
}

