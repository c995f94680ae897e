// Owns the scores of a run of data: gathered as items finish, in whatever order, and added up in the order of the data.

import type { Verdict } from "../core/outcome.ts";
import type { ReportJudgment, ScenarioReport, TrialReport } from "../core/report.ts";
import type { ScoreRecord } from "../core/score.ts";
import type { VerdictTally } from "../core/score-stage.ts";
import { aggregate, requirementsOf, type ScoreAggregate } from "../score/aggregate.ts";
import { type Requirement, verdictOf } from "../score/verdict.ts";

export interface ScoreTally extends VerdictTally {
  aggregates(): readonly ScoreAggregate[];
}

interface Group {
  readonly head: Pick<ScoreRecord, "id" | "base" | "kind" | "turn" | "threshold" | "thresholdMax">;
  /** By entry: the item's position, and what it came to. */
  readonly positions: number[];
  readonly values: number[];
  readonly states: State[];
}

type State = "held" | "missed" | "measured" | "not_scorable" | "errored";

/** `compat`: gates go by their mean, and sums are plain, as Mastra has it. */
export function createScoreTally(compat?: "mastra"): ScoreTally {
  const groups = new Map<string, Group>();
  let claimsHeld = false;
  let claimsMissed = false;

  function addRecord(position: number, record: ScoreRecord): void {
    const { id, base, kind, turn, threshold, thresholdMax } = record;
    const key = `${turn ?? ""}|${kind}|${threshold ?? ""}|${thresholdMax ?? ""}|${id}`;
    let group = groups.get(key);
    if (group === undefined) {
      group = { head: { id, base, kind, ...(turn !== undefined && { turn }), ...(threshold !== undefined && { threshold }), ...(thresholdMax !== undefined && { thresholdMax }) }, positions: [], values: [], states: [] };
      groups.set(key, group);
    }
    group.positions.push(position);
    group.values.push(record.score ?? 0);
    group.states.push(stateOf(record));
  }

  function* records(): Generator<ScoreRecord> {
    const sorted = [...groups.values()].map((group) => ({ group, order: group.positions.map((_, at) => at).sort((a, b) => (group.positions[a] ?? 0) - (group.positions[b] ?? 0)) }));
    // Groups that begin at one item keep the order in which that item's scores stand.
    sorted.sort((a, b) => (a.group.positions[a.order[0] ?? 0] ?? 0) - (b.group.positions[b.order[0] ?? 0] ?? 0));
    for (const { group, order } of sorted) for (const at of order) yield recordOf(group, at);
  }

  const aggregates = (): readonly ScoreAggregate[] => aggregate(records(), { compat });

  return {
    add(position, report) {
      if (report.outcome === "skipped" || report.outcome === "cancelled") return;
      for (const record of recordsOf(report)) addRecord(position, record);
      const judgments = judgmentsOf(report);
      if (report.outcome === "errored" || judgments.length === 0) return;
      // Of several trials enough may have held.
      if (judgments.every(({ passed }) => passed) || (report.trials !== undefined && report.outcome !== "failed")) claimsHeld = true;
      else claimsMissed = true;
    },
    aggregates,
    verdict() {
      const { hard, soft } = requirementsOf(aggregates());
      const claims: readonly Requirement[] = [...(claimsHeld ? ["met" as const] : []), ...(claimsMissed ? ["missed" as const] : [])];
      return verdictOf({ hard: [...hard, ...claims], soft }) satisfies Verdict | undefined;
    },
  };
}

function stateOf({ score, notScorable, passed }: ScoreRecord): State {
  if (score !== undefined) return passed === undefined ? "measured" : passed ? "held" : "missed";
  return notScorable === undefined ? "errored" : "not_scorable";
}

function recordOf({ head, values, states }: Group, at: number): ScoreRecord {
  const state = states[at];
  if (state === "errored") return { ...head, error: "errored" };
  if (state === "not_scorable") return { ...head, notScorable: "not scorable" };
  return { ...head, score: values[at] ?? 0, ...(state !== "measured" && { passed: state === "held" }) };
}

type Trial = Pick<TrialReport, "scores" | "turns" | "judgments">;

function judgmentsOf(report: Trial): readonly ReportJudgment[] {
  return [...(report.judgments ?? []), ...(report.turns ?? []).flatMap(({ judgments = [] }) => judgments)];
}

function ofTrial({ scores = [], turns = [] }: Trial): readonly ScoreRecord[] {
  return turns.length === 0 ? scores : [...scores, ...turns.flatMap((turn) => turn.scores ?? [])];
}

/** One record for each gate and scorer of the item: over several trials the mean, and a gate held where the item did. */
function recordsOf(report: ScenarioReport): readonly ScoreRecord[] {
  if (report.trials === undefined) return ofTrial(report);
  const groups = new Map<string, ScoreRecord[]>();
  for (const trial of report.trials) {
    for (const record of ofTrial(trial)) {
      const key = JSON.stringify([record.turn ?? null, record.kind, record.id, record.threshold ?? null, record.thresholdMax ?? null]);
      const before = groups.get(key);
      if (before === undefined) groups.set(key, [record]);
      else before.push(record);
    }
  }
  return [...groups.values()].map((records) => overTrials(records, report.outcome));
}

function overTrials(records: readonly ScoreRecord[], outcome: ScenarioReport["outcome"]): ScoreRecord {
  const { score: _score, passed: _passed, reason: _reason, error: _error, notScorable: _notScorable, ...head } = records[0] as ScoreRecord;
  const scored = records.filter(({ score }) => score !== undefined);
  if (scored.length === 0) return records.find(({ error }) => error !== undefined) ?? (records[0] as ScoreRecord);
  const score = scored.reduce((sum, record) => sum + (record.score ?? 0), 0) / scored.length;
  const required = scored.some(({ passed }) => passed !== undefined);
  const held = scored.every(({ passed }) => passed === true) || (head.kind === "gate" && outcome !== "failed" && outcome !== "errored");
  return { ...head, score, ...(required && { passed: held }) };
}
