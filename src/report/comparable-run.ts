// Owns what a comparison takes from a run's report: each scenario's trials counted, and what held in them.

import type { ComparableCheck, ComparableClaim, ComparableJudge, ComparableRun, ComparableScenario, ComparableScore, ComparableTurn, TrialOutcomes } from "../core/comparison.ts";
import type { Label } from "../core/label.ts";
import type { Report, ReportHead, ReportJudgment, ScenarioReport, SplitUsage, TrialReport } from "../core/report.ts";
import type { ScoreRecord } from "../core/score.ts";
import { sha256 } from "../core/sha-256.ts";
import type { Usage } from "../core/usage.ts";
import { canonicalJson } from "../json/write-json.ts";

/** What a report does not tell of a scenario, where somebody knows it. */
export interface ScenarioFacts {
  readonly revision?: string | undefined;
  readonly content?: string | undefined;
  /** For a report whose turns do not tell. */
  readonly toolCalls?: number | undefined;
}

export interface RunFacts {
  readonly subject?: string | undefined;
  readonly variant?: string | undefined;
  readonly scenario?: ((id: string) => ScenarioFacts | undefined) | undefined;
}

/** What a comparison needs of a run. `scenarios` is read once, in order; nothing of a scenario is kept but its counts. */
export function comparableRun(head: ReportHead, scenarios: Iterable<ScenarioReport>, facts: RunFacts = {}): ComparableRun {
  const list: ComparableScenario[] = [];
  for (const scenario of scenarios) list.push(comparableScenario(scenario, facts.scenario?.(scenario.id)));
  return { ...comparableHead(head, facts), scenarios: list };
}

/** The same without the scenarios, for whoever reads them one at a time. */
export function comparableHead({ suiteId, runId, startedAt, judge, error, variant: reported }: ReportHead, { subject, variant = reported }: RunFacts = {}): Omit<ComparableRun, "scenarios"> {
  return {
    suiteId,
    ...(runId !== undefined && { runId }),
    startedAt,
    ...(subject !== undefined && { subject }),
    ...(variant !== undefined && { variant }),
    ...(judge !== undefined && { judge: comparableJudge(judge) }),
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
  };
}

export function isReport(run: Report | ComparableRun): run is Report {
  return "totals" in run;
}

function comparableJudge({ model, modelClass, fingerprint }: ComparableJudge): ComparableJudge {
  return { ...(model !== undefined && { model }), ...(modelClass !== undefined && { modelClass }), ...(fingerprint !== undefined && { fingerprint }) };
}

/** One scenario: its trials by outcome, and over those that were scored what held, with means of what they took. */
export function comparableScenario(report: ScenarioReport, facts: ScenarioFacts = {}): ComparableScenario {
  const all: readonly (TrialReport | ScenarioReport)[] = report.trials ?? [report];
  const scored = all.filter(({ outcome }) => outcome === "passed" || outcome === "scored" || outcome === "failed");
  const { revision, content } = facts;
  const { error, skip, tags } = report;
  const claims = claimsOf(scored);
  const checks = checksOf(scored);
  const scores = scoresOf(scored);
  const turns = turnsOf(scored);
  const durationMs = mean(scored.map((trial) => trial.durationMs));
  const cost = mean(scored.map(({ usage }) => costOf(usage)));
  const toolCalls = mean(scored.map(callsOf)) ?? facts.toolCalls;
  const tokens = mean(scored.map(({ usage }) => tokensOf(usage?.subject)));
  return {
    id: report.id,
    ...(revision !== undefined && { revision }),
    ...(content !== undefined && { content }),
    ...(tags !== undefined && { tags }),
    outcome: report.outcome,
    trials: outcomesOf(all),
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    ...(skip !== undefined && { skip }),
    ...(claims.length > 0 && { claims }),
    ...(checks.length > 0 && { checks }),
    ...(scores.length > 0 && { scores }),
    ...(turns.length > 0 && { turns }),
    ...(durationMs !== undefined && { durationMs }),
    ...(cost !== undefined && { cost }),
    ...(tokens !== undefined && { tokens }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(report.trialCounts?.stopped !== undefined && { stoppedEarly: true }),
  };
}

/**
 * What a report itself shows of a scenario's content, for runs of which nobody knows more: what is asked for and what was said to the agent. `undefined`
 * where that is too little to know it by.
 */
export function shownContent({ result, turns = [], tags = [] }: ScenarioReport): string | undefined {
  const { claims = [], reference = "" } = result ?? {};
  const inputs = turns.flatMap(({ input }) => (input === undefined ? [] : [input]));
  if (claims.length < 2 && reference === "" && inputs.length === 0) return undefined;
  return `report:${sha256(canonicalJson([claims.map(({ id, text, expect }) => [id, text, expect ?? null]), reference, inputs, tags]))}`;
}

function outcomesOf(trials: readonly { readonly outcome: ScenarioReport["outcome"] }[]): TrialOutcomes {
  const counts = { passed: 0, scored: 0, failed: 0, errored: 0, cancelled: 0 };
  for (const { outcome } of trials) if (outcome !== "skipped") counts[outcome] += 1;
  return counts;
}

function claimsOf(trials: readonly (TrialReport | ScenarioReport)[]): readonly ComparableClaim[] {
  const found = new Map<string, { id: string; turn: number | undefined; held: number; of: number; labels: Partial<Record<Label, number>> }>();
  const count = ({ claimId, label, passed }: ReportJudgment, turn: number | undefined): void => {
    const claim = at(found, [turn, claimId], () => ({ id: claimId, turn, held: 0, of: 0, labels: {} as Partial<Record<Label, number>> }));
    claim.of += 1;
    if (passed) claim.held += 1;
    claim.labels[label] = (claim.labels[label] ?? 0) + 1;
  };
  for (const { judgments = [], turns = [] } of trials) {
    for (const judgment of judgments) count(judgment, undefined);
    for (const { turn, judgments: own = [] } of turns) for (const judgment of own) count(judgment, turn);
  }
  return [...found.values()].map(({ turn, ...claim }) => ({ ...claim, ...(turn !== undefined && { turn }) }));
}

function checksOf(trials: readonly (TrialReport | ScenarioReport)[]): readonly ComparableCheck[] {
  const found = new Map<string, { name: string; held: number; of: number }>();
  for (const { result } of trials) {
    for (const { name, passed } of result?.checks ?? []) {
      const check = at(found, [name], () => ({ name, held: 0, of: 0 }));
      check.of += 1;
      if (passed) check.held += 1;
    }
  }
  return [...found.values()];
}

interface GrowingScore {
  readonly record: ScoreRecord;
  held: number;
  of: number;
  sum: number;
  scorable: number;
}

function scoresOf(trials: readonly (TrialReport | ScenarioReport)[]): readonly ComparableScore[] {
  const found = new Map<string, GrowingScore>();
  for (const { scores = [], turns = [] } of trials) {
    // A turn's score may stand with the whole's, too.
    const own = new Map<string, ScoreRecord>();
    for (const record of scores) own.set(JSON.stringify([record.turn, record.id]), record);
    for (const { turn, scores: ofTurn = [] } of turns) for (const record of ofTurn) own.set(JSON.stringify([turn, record.id]), { ...record, turn });
    for (const record of own.values()) {
      const score = at(found, [record.turn, record.id], () => ({ record, held: 0, of: 0, sum: 0, scorable: 0 }));
      if (record.passed !== undefined) score.of += 1;
      if (record.passed === true) score.held += 1;
      if (record.score === undefined) continue;
      score.scorable += 1;
      score.sum += record.score;
    }
  }
  return [...found.values()].map(({ record: { id, base, kind, turn, threshold, thresholdMax }, held, of, sum, scorable }) => ({
    id,
    base,
    kind,
    ...(turn !== undefined && { turn }),
    held,
    of,
    ...(scorable > 0 && { score: sum / scorable }),
    ...(threshold !== undefined && { threshold }),
    ...(thresholdMax !== undefined && { thresholdMax }),
  }));
}

function turnsOf(trials: readonly (TrialReport | ScenarioReport)[]): readonly ComparableTurn[] {
  const found = new Map<string, { turn: number; id: string | undefined; held: number; of: number }>();
  for (const { turns = [] } of trials) {
    for (const { turn, id, outcome } of turns) {
      const counted = at(found, [turn], () => ({ turn, id, held: 0, of: 0 }));
      if (outcome !== "passed" && outcome !== "scored" && outcome !== "failed") continue;
      counted.of += 1;
      if (outcome === "passed") counted.held += 1;
    }
  }
  return [...found.values()].map(({ id, ...turn }) => ({ ...turn, ...(id !== undefined && { id }) }));
}

function at<Value>(map: Map<string, Value>, key: readonly unknown[], make: () => Value): Value {
  const text = JSON.stringify(key);
  const there = map.get(text) ?? make();
  map.set(text, there);
  return there;
}

/** Of those that are known. */
function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Unknown where a part of it is. */
function costOf({ subject, judge }: SplitUsage = {}): number | undefined {
  const parts = [subject, judge].filter((usage) => usage !== undefined);
  if (parts.length === 0 || parts.some(({ cost, unknownRequests = 0 }) => cost === undefined || unknownRequests > 0)) return undefined;
  return parts.reduce((sum, { cost = 0 }) => sum + cost, 0);
}

/** As far as its turns tell, and unknown where one that was reached does not. */
function callsOf({ turns = [] }: TrialReport | ScenarioReport): number | undefined {
  const reached = turns.filter(({ outcome }) => outcome !== "not_reached");
  return reached.length === 0 || reached.some(({ toolCalls }) => toolCalls === undefined) ? undefined : reached.reduce((sum, { toolCalls = 0 }) => sum + toolCalls, 0);
}

function tokensOf({ inputTokens, outputTokens, unknownRequests = 0 }: Usage = {}): number | undefined {
  return inputTokens === undefined || outputTokens === undefined || unknownRequests > 0 ? undefined : inputTokens + outputTokens;
}
