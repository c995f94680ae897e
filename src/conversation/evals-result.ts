// Owns what `runEvals` gives: Mastra's keys, made of the scores of all items, and beside them each item by itself.

import type { Check } from "../core/check.ts";
import type { Verdict } from "../core/outcome.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Report, ReportError, ReportJudgment, ScenarioReport, SplitUsage, TurnReport, Warning } from "../core/report.ts";
import type { ScoreRecord } from "../core/score.ts";
import type { ThresholdConfig } from "../core/scorer.ts";
import type { Usage } from "../core/usage.ts";
import type { ScoreAggregate } from "../score/aggregate.ts";
import { type NamedScorer, scoreKeys } from "../score/distinct-ids.ts";
import type { Attempt, CompiledData } from "./compile-data.ts";
import type { Measure } from "./measure.ts";
import { answered } from "./scorer-run.ts";

export interface GateResult {
  /** The scorer's own id while it is the only one of its kind, else the distinct one. */
  readonly id: string;
  readonly passed: boolean;
  /** The mean over the items that were scored; 0 where none could be, and then `errored` says so. */
  readonly score: number;
  /** Items for which the gate itself broke. That is no score. */
  readonly errored?: number;
}

export interface ThresholdResult {
  readonly id: string;
  readonly passed: boolean;
  readonly averageScore: number;
  /** As it was given. */
  readonly threshold: ThresholdConfig;
  readonly errored?: number;
}

export interface TurnResult {
  /** From 0. */
  readonly index: number;
  readonly gateResults?: readonly GateResult[];
  readonly thresholdResults?: readonly ThresholdResult[];
  readonly scores?: Readonly<Record<string, number>>;
}

/** One turn of an item. */
export interface EvalItemTurn {
  readonly turn: number;
  readonly id?: string;
  readonly outcome: TurnReport["outcome"];
  /** As it was sent; absent where it was not reached. */
  readonly input?: unknown;
  readonly output: string;
  /** The assistant's messages, as the target gave them. */
  readonly messages: readonly unknown[];
  readonly scores: readonly ScoreRecord[];
  readonly judgments: readonly ReportJudgment[];
  readonly durationMs?: number;
  readonly usage?: Usage;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly error?: ReportError;
}

/** What became of an item of data; of several trials, of the one that decides. */
export interface EvalItem {
  /** Its place in the data. */
  readonly index: number;
  readonly id: string;
  readonly outcome: Outcome;
  readonly passed: boolean;
  readonly output: string;
  /** Of all turns. */
  readonly messages: readonly unknown[];
  readonly scores: readonly ScoreRecord[];
  readonly checks: readonly Check[];
  readonly judgments: readonly ReportJudgment[];
  readonly turns: readonly EvalItemTurn[];
  readonly durationMs: number;
  readonly usage?: SplitUsage;
  readonly threadId?: string;
  readonly resourceId?: string;
  /** Why a played conversation ended. */
  readonly end?: string;
  readonly error?: ReportError;
}

export interface EvalsResult {
  /** By scorer; where scorers came in groups, by group and then by scorer (by step in between). */
  // `any`: its depth depends on how the scorers were given, as in Mastra's own type.
  readonly scores: Readonly<Record<string, any>>;
  readonly summary: {
    readonly totalItems: number;
    /** Items that could not be measured; absent where there is none. */
    readonly erroredItems?: number;
    /** By scorer, how often there was nothing to score. */
    readonly notScorable?: Readonly<Record<string, number>>;
  };
  /** Absent where nothing was required. */
  readonly verdict?: Verdict;
  readonly gateResults?: readonly GateResult[];
  readonly thresholdResults?: readonly ThresholdResult[];
  /** Present where an item has `turns`. */
  readonly turnResults?: readonly TurnResult[];
  /** In the order of the data. */
  readonly items: readonly EvalItem[];
  readonly warnings: readonly Warning[];
  readonly usage?: SplitUsage;
  readonly report: Report;
  readonly runId: string;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : value === undefined ? [] : [value]);

export function evalItem(index: number, report: ScenarioReport, attempt: Attempt | undefined): EvalItem {
  const spoken = attempt?.conversation?.turns ?? [];
  const line = attempt?.conversation?.line;
  const end = report.result?.metadata?.["end"];
  return {
    index,
    id: report.id,
    outcome: report.outcome,
    passed: report.passed,
    output: report.result?.output ?? "",
    messages: spoken.flatMap(({ answer }) => list(answer?.output)),
    scores: report.scores ?? [],
    checks: report.result?.checks ?? [],
    judgments: report.judgments ?? [],
    turns: (report.turns ?? []).map((turn): EvalItemTurn => {
      const said = spoken[turn.turn];
      const { input, answer } = said ?? {};
      const { id, outcome, output = "", scores = [], judgments = [], durationMs, usage, error } = turn;
      return {
        turn: turn.turn,
        ...(id !== undefined && { id }),
        outcome,
        ...(said !== undefined && { input }),
        output,
        messages: list(answer?.output),
        scores,
        judgments,
        ...(durationMs !== undefined && { durationMs }),
        ...(usage !== undefined && { usage }),
        ...(answer?.traceId !== undefined && { traceId: answer.traceId }),
        ...(answer?.spanId !== undefined && { spanId: answer.spanId }),
        ...(error !== undefined && { error }),
      };
    }),
    durationMs: report.durationMs,
    ...(report.usage !== undefined && { usage: report.usage }),
    ...(line?.threadId !== undefined && { threadId: line.threadId }),
    ...(line?.resourceId !== undefined && { resourceId: line.resourceId }),
    ...(typeof end === "string" && { end }),
    ...(report.error !== undefined && { error: report.error }),
  };
}

export interface ResultParts {
  readonly compiled: CompiledData;
  readonly aggregates: readonly ScoreAggregate[];
  readonly items: readonly EvalItem[];
  readonly report: Report;
  readonly runId: string;
}

export function evalsResult({ compiled, aggregates, items, report, runId }: ResultParts): EvalsResult {
  const whole = aggregates.filter(({ turn }) => turn === undefined);
  const thresholds = givenThresholds(compiled);
  const gateResults = gateRows(whole.filter(isGate));
  const thresholdResults = thresholdRows(whole.filter(hasThreshold), scoreKeys(named(whole.filter(isScorer))), thresholds);
  const turnResults = turnRows(compiled, aggregates, thresholds);
  const notScorable = notScorableCounts(aggregates);
  const erroredItems = items.filter(({ outcome }) => outcome === "errored").length;
  return {
    scores: compiled.scorers.grouped ? groupedScores(compiled.scorers.measures, whole) : scoresOf(whole.filter(isScorer)),
    summary: { totalItems: items.length, ...(erroredItems > 0 && { erroredItems }), ...(notScorable !== undefined && { notScorable }) },
    ...(report.verdict !== undefined && { verdict: report.verdict }),
    ...(gateResults.length > 0 && { gateResults }),
    ...(thresholdResults.length > 0 && { thresholdResults }),
    ...(turnResults !== undefined && { turnResults }),
    items,
    warnings: report.warnings ?? [],
    ...(report.usage !== undefined && { usage: report.usage }),
    report,
    runId,
  };
}

const isGate = ({ kind }: ScoreAggregate): boolean => kind === "gate";
const isScorer = ({ kind }: ScoreAggregate): boolean => kind === "scorer";
const hasThreshold = ({ kind, threshold }: ScoreAggregate): boolean => kind === "scorer" && threshold !== undefined;
/** Nothing was scored and nothing broke: the row counts as absent. */
const hasResult = ({ mean, errored }: ScoreAggregate): boolean => mean !== undefined || errored > 0;

function named(aggregates: readonly ScoreAggregate[]): readonly NamedScorer[] {
  return [...new Map(aggregates.map((one) => [one.id, one])).values()];
}

function scoresOf(aggregates: readonly ScoreAggregate[]): Readonly<Record<string, number>> {
  const keys = scoreKeys(named(aggregates));
  // Not an assignment: a scorer may be called `__proto__`.
  return Object.fromEntries(aggregates.flatMap(({ id, mean }) => (mean === undefined ? [] : [[keys.get(id) ?? id, mean] as const])));
}

function groupedScores(measures: readonly Measure[], whole: readonly ScoreAggregate[]): Readonly<Record<string, unknown>> {
  const of = (keep: (measure: Measure) => boolean): Readonly<Record<string, number>> => {
    const ids = new Set(measures.filter(keep).map(({ id }) => id));
    return scoresOf(whole.filter((one) => isScorer(one) && ids.has(one.id)));
  };
  const groups = [...new Set(measures.map(({ group }) => group))];
  return Object.fromEntries(
    groups.map((group) => {
      if (group !== "steps") return [group, of((measure) => measure.group === group)];
      const steps = [...new Set(measures.flatMap(({ step }) => (step === undefined ? [] : [step])))];
      const scores = steps.map((step) => [step, of((measure) => measure.step === step)] as const).filter(([, some]) => Object.keys(some).length > 0);
      return [group, Object.fromEntries(scores)];
    }),
  );
}

function gateRows(gates: readonly ScoreAggregate[]): readonly GateResult[] {
  const keys = scoreKeys(named(gates));
  return gates.filter(hasResult).map(({ id, mean, passed, errored }) => ({ id: keys.get(id) ?? id, passed: passed === true, score: mean ?? 0, ...(errored > 0 && { errored }) }));
}

/** By the key of an aggregate: a bound alone is the same requirement as a number, and is told as it was written. */
type Thresholds = ReadonlyMap<string, ThresholdConfig>;

function thresholdKey(turn: number | undefined, id: string, threshold: ThresholdConfig): string {
  const { min, max } = typeof threshold === "number" ? { min: threshold, max: undefined } : threshold;
  return JSON.stringify([turn ?? null, id, min ?? null, max ?? null]);
}

function givenThresholds({ scorers, items }: CompiledData): Thresholds {
  const given = new Map<string, ThresholdConfig>();
  const note = (turn: number | undefined, measures: readonly Measure[]): void => {
    for (const { id, threshold } of measures) {
      if (threshold === undefined) continue;
      const key = thresholdKey(turn, id, threshold);
      if (!given.has(key)) given.set(key, threshold);
    }
  };
  note(undefined, scorers.measures);
  for (const { script, form } of items) if (form === "turns") for (const [turn, { scorers: own }] of script.entries()) note(turn, own);
  return given;
}

function thresholdRows(scorers: readonly ScoreAggregate[], keys: ReadonlyMap<string, string>, thresholds: Thresholds): readonly ThresholdResult[] {
  return scorers.filter(hasResult).map(({ id, turn, mean, passed, threshold = 1, errored }) => ({
    id: keys.get(id) ?? id,
    passed: passed === true,
    averageScore: mean ?? 0,
    threshold: thresholds.get(thresholdKey(turn, id, threshold)) ?? threshold,
    ...(errored > 0 && { errored }),
  }));
}

function turnRows({ items }: CompiledData, aggregates: readonly ScoreAggregate[], thresholds: Thresholds): readonly TurnResult[] | undefined {
  const count = items.reduce((most, { form, script }) => (form === "turns" ? Math.max(most, script.length) : most), 0);
  if (count === 0) return undefined;
  const byTurn = Array.from({ length: count }, (): ScoreAggregate[] => []);
  for (const one of aggregates) if (one.turn !== undefined) byTurn[one.turn]?.push(one);
  return byTurn.map((own, index) => {
    const scorers = own.filter(isScorer);
    const gateResults = gateRows(own.filter(isGate));
    const thresholdResults = thresholdRows(own.filter(hasThreshold), scoreKeys(named(scorers)), thresholds);
    const scores = scoresOf(pooled(scorers));
    return { index, ...(gateResults.length > 0 && { gateResults }), ...(thresholdResults.length > 0 && { thresholdResults }), ...(Object.keys(scores).length > 0 && { scores }) };
  });
}

/** A scorer that stands in two items with two thresholds has one mean. */
function pooled(scorers: readonly ScoreAggregate[]): readonly ScoreAggregate[] {
  const byId = new Map<string, ScoreAggregate>();
  for (const one of scorers) {
    const before = byId.get(one.id);
    if (before?.mean === undefined || one.mean === undefined) {
      if (before === undefined || one.mean !== undefined) byId.set(one.id, one);
      continue;
    }
    const scored = before.scored + one.scored;
    byId.set(one.id, { ...before, scored, mean: (before.mean * before.scored + one.mean * one.scored) / scored });
  }
  return [...byId.values()];
}

function notScorableCounts(aggregates: readonly ScoreAggregate[]): Readonly<Record<string, number>> | undefined {
  const keys = scoreKeys(named(aggregates));
  const counts = new Map<string, number>();
  for (const { id, notScorable } of aggregates) {
    if (notScorable === 0) continue;
    const key = keys.get(id) ?? id;
    counts.set(key, (counts.get(key) ?? 0) + notScorable);
  }
  return counts.size === 0 ? undefined : Object.fromEntries(counts);
}

/** What a callback of the application is told of an item, in Mastra's words. */
export function completedItem({ item, conversation, measured = [], speaker }: Attempt): { readonly item: Attempt["item"]["item"]; readonly targetResult: any; readonly scorerResults: any } {
  const turns = (conversation?.turns ?? []).filter(answered);
  const last = turns.at(-1)?.answer;
  const raw = (typeof last?.raw === "object" && last.raw !== null ? last.raw : {}) as { readonly scoringData?: object };
  const scoringData = { ...raw.scoringData, input: turns[0]?.answer.input, output: item.form === "input" ? last?.output : turns.flatMap(({ answer }) => list(answer.output)) };
  const perTurn = turns.map(({ input, answer }) => ({ input, output: answer.output, traceId: answer.traceId, spanId: answer.spanId, threadId: conversation?.line.threadId, entityType: speaker.entityType }));
  return {
    item: item.item,
    targetResult: { ...raw, entityType: speaker.entityType, scoringData, ...(item.form === "turns" && { perTurn }) },
    scorerResults: scorerResults(measured),
  };
}

function scorerResults(measured: Attempt["measured"] = []): Readonly<Record<string, unknown>> {
  const own = measured.filter(({ measure, turn }) => measure.kind === "scorer" && turn === undefined);
  const keysOf = (some: typeof own): readonly (readonly [string, unknown])[] => {
    const keys = scoreKeys(some.map(({ measure }) => measure));
    return some.map(({ measure, result, record }) => [keys.get(measure.id) ?? measure.id, result ?? { error: record.error }] as const);
  };
  if (own.every(({ measure }) => measure.group === undefined)) return Object.fromEntries(keysOf(own));
  const groups = [...new Set(own.map(({ measure }) => measure.group))];
  return Object.fromEntries(
    groups.map((group) => {
      const some = own.filter(({ measure }) => measure.group === group);
      if (group !== "steps") return [group, Object.fromEntries(keysOf(some))];
      const steps = [...new Set(some.map(({ measure }) => measure.step))];
      return [group, Object.fromEntries(steps.map((step) => [step, Object.fromEntries(keysOf(some.filter(({ measure }) => measure.step === step)))]))];
    }),
  );
}
