// Owns one run in memory: its manifest, and each result as the JSON text that was handed over, so that what is read shares nothing with it.

import type { Evidence, ToolCall } from "../core/evidence.ts";
import type { Outcome } from "../core/outcome.ts";
import type { ReportHead, ScenarioReport, TrialReport } from "../core/report.ts";
import type { CallPage, EvidenceHead, Invocation, PlannedScenario, Reopening, RunManifest, ScenarioRow, StoredRun } from "../core/store.ts";
import { countTotals } from "../report/totals.ts";
import { callsWithin, joinEvidence, pagesOf } from "./call-pages.ts";
import { exactText, jsonText } from "./json-text.ts";
import { missingRow, scenarioRow } from "./scenario-row.ts";

interface KeptTrial {
  readonly outcome: Outcome;
  readonly text: string;
  readonly evidence?: { readonly head: string; readonly toolCalls: number; readonly chunks: readonly { readonly from: number; readonly count: number; readonly text: string }[] } | undefined;
}

interface MemoryManifest extends Omit<RunManifest, "scenarios"> {
  readonly scenarios: readonly PlannedScenario[];
}

export interface MemoryRun {
  readonly ordinal: number;
  readonly manifest: MemoryManifest;
  readonly events: string[];
  amend(change: { readonly subject?: string | undefined; readonly note?: string | undefined }): void;
  reopen(reopening?: Reopening): void;
  putTrial(position: number, report: TrialReport, evidence: Evidence | undefined): void;
  putScenario(position: number, report: ScenarioReport): void;
  finish(head: ReportHead): void;
  touch(at: string): void;
  stored(invocation: Invocation): StoredRun;
  rows(): readonly ScenarioRow[];
  row(position: number): ScenarioRow | undefined;
  scenario(position: number): ScenarioReport | undefined;
  trial(position: number, trial: number): TrialReport | undefined;
  trials(): Iterable<{ readonly position: number; readonly report: TrialReport }>;
  evidence(position: number, trial: number): Evidence | undefined;
  evidenceHead(position: number, trial: number): EvidenceHead | undefined;
  calls(position: number, trial: number, from: number, limit: number): CallPage;
}

export function createMemoryRun(ordinal: number, given: RunManifest): MemoryRun {
  let manifest: MemoryManifest = { ...given, scenarios: JSON.parse(jsonText([...given.scenarios])) as readonly PlannedScenario[] };
  const trials = new Map<number, Map<number, KeptTrial>>();
  const reports = new Map<number, { readonly text: string; readonly row: ScenarioRow }>();
  let head: string | undefined;
  let touchedAt = given.startedAt;

  const kept = (position: number, trial: number): KeptTrial | undefined => trials.get(position)?.get(trial);
  const inOrder = <Value>(map: ReadonlyMap<number, Value>): readonly (readonly [number, Value])[] => [...map].toSorted(([a], [b]) => a - b);
  const rowAt = (planned: PlannedScenario): ScenarioRow => {
    const row = reports.get(planned.position)?.row;
    // A run that goes on may have moved it.
    return row === undefined ? missingRow(planned) : { ...row, position: planned.position, tags: planned.tags };
  };

  return {
    ordinal,
    get manifest() {
      return manifest;
    },
    events: [],
    amend: (change) => void (manifest = { ...manifest, ...change }),
    reopen({ manifest: planned, stale, unfinished } = { stale: [], unfinished: [] }) {
      head = undefined;
      for (const { position, trial } of stale) trials.get(position)?.delete(trial);
      for (const position of unfinished) reports.delete(position);
      if (planned === undefined) return;
      const before = manifest.scenarios;
      manifest = { ...planned, scenarios: JSON.parse(jsonText([...planned.scenarios])) as readonly PlannedScenario[] };
      const after = new Map(manifest.scenarios.map(({ id, position }) => [id, position]));
      const move = <Value>(map: Map<number, Value>, to: (value: Value, position: number) => Value): void => {
        const moved = before.flatMap(({ id, position }): readonly (readonly [number, Value])[] => {
          const [now, value] = [after.get(id), map.get(position)];
          return now === undefined || value === undefined ? [] : [[now, to(value, now)]];
        });
        map.clear();
        for (const [position, value] of moved) map.set(position, value);
      };
      move(trials, (of) => of);
      move(reports, (report, position) => ({ ...report, row: { ...report.row, position } }));
    },
    touch: (at) => void (touchedAt = at),
    putTrial(position, report, evidence) {
      const pages = evidence === undefined ? undefined : pagesOf(evidence);
      const of = trials.get(position) ?? new Map<number, KeptTrial>();
      of.set(report.trial, { outcome: report.outcome, text: jsonText(report), evidence: pages && { head: exactText(pages.head), toolCalls: pages.head.toolCalls, chunks: pages.chunks } });
      trials.set(position, of);
    },
    putScenario(position, report) {
      const of = inOrder(trials.get(position) ?? new Map<number, KeptTrial>()).map(([, trial]) => trial);
      const deciding = of.find(({ outcome }) => outcome === report.outcome);
      const toolCalls = deciding?.evidence?.toolCalls;
      reports.set(position, { text: jsonText(report), row: scenarioRow(position, report, of.length === 0 ? undefined : { outcomes: of.map(({ outcome }) => outcome), toolCalls }) });
    },
    finish: (given) => void (head = jsonText(given)),
    stored(invocation) {
      const { scenarios, ...rest } = manifest;
      const counter = countTotals();
      for (const { text } of reports.values()) counter.add(JSON.parse(text) as ScenarioReport);
      return {
        ...rest,
        ordinal,
        invocation,
        state: head === undefined ? "running" : "finished",
        plannedTrials: scenarios.reduce((sum, planned) => sum + planned.trials, 0),
        storedTrials: [...trials.values()].reduce((sum, of) => sum + of.size, 0),
        plannedScenarios: scenarios.length,
        totals: counter.totals(),
        ...(head !== undefined && { head: JSON.parse(head) as ReportHead }),
        touchedAt,
      };
    },
    rows: () => manifest.scenarios.map(rowAt),
    row(position) {
      const planned = manifest.scenarios.find((each) => each.position === position);
      return planned && rowAt(planned);
    },
    scenario(position) {
      const report = reports.get(position);
      return report && (JSON.parse(report.text) as ScenarioReport);
    },
    trial(position, trial) {
      const found = kept(position, trial);
      return found && (JSON.parse(found.text) as TrialReport);
    },
    *trials() {
      for (const [position, of] of inOrder(trials)) for (const [, { text }] of inOrder(of)) yield { position, report: JSON.parse(text) as TrialReport };
    },
    evidence(position, trial) {
      const evidence = kept(position, trial)?.evidence;
      return evidence && joinEvidence(JSON.parse(evidence.head) as EvidenceHead, evidence.chunks.flatMap(({ text }) => JSON.parse(text) as readonly ToolCall[]));
    },
    evidenceHead(position, trial) {
      const evidence = kept(position, trial)?.evidence;
      return evidence && (JSON.parse(evidence.head) as EvidenceHead);
    },
    calls(position, trial, from, limit) {
      const evidence = kept(position, trial)?.evidence;
      if (evidence === undefined) return { calls: [], total: 0 };
      return { calls: callsWithin(evidence.chunks, from, limit, (at) => evidence.chunks[at]?.text ?? "[]"), total: evidence.toolCalls };
    },
  };
}
