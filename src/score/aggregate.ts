// Owns what the records of all items come to, gate by gate and scorer by scorer.

import type { ScoreRecord } from "../core/score.ts";
import type { ThresholdConfig } from "../core/scorer.ts";
import { meanOf, plainMeanOf } from "./mean.ts";
import { meetsThresholds } from "./run-scorer.ts";
import type { Requirement } from "./verdict.ts";

export interface ScoreAggregate {
  readonly id: string;
  readonly base: string;
  readonly kind: "gate" | "scorer";
  readonly turn?: number;
  readonly threshold?: ThresholdConfig;
  /** Over the items that were scored; absent where none was. */
  readonly mean?: number;
  readonly scored: number;
  readonly notScorable: number;
  readonly errored: number;
  /** Of the scored items, those that held alone. Absent where nothing was required. */
  readonly held?: number;
  /** Whether the gate holds or the threshold is met over all items. Absent where nothing was required, or nothing could be scored. */
  readonly passed?: boolean;
}

export interface AggregateOptions {
  /** Decides gates on the mean and compares exactly, as Mastra does. A gate that errored is then a score of 0. */
  readonly compat?: "mastra" | undefined;
}

interface Group {
  readonly first: ScoreRecord;
  readonly threshold: ThresholdConfig | undefined;
  readonly scores: number[];
  held: number;
  notScorable: number;
  errored: number;
}

/**
 * One aggregate for each (turn, kind, id, threshold), in the order of the first record of each: give the records in data order, and the answer does not
 * depend on what finished first. A gate passes when it held for every item that could be scored and errored for none; a threshold when the
 * mean of the scored items meets it, within 1e-9, and none errored.
 */
export function aggregate(records: Iterable<ScoreRecord>, options: AggregateOptions = {}): readonly ScoreAggregate[] {
  const exact = options.compat === "mastra";
  const groups = new Map<string, Group>();
  for (const record of records) {
    const threshold = thresholdOf(record);
    const key = JSON.stringify([record.turn ?? null, record.kind, record.id, record.threshold ?? null, record.thresholdMax ?? null]);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { first: record, threshold, scores: [], held: 0, notScorable: 0, errored: 0 }));
    if (record.score !== undefined) {
      group.scores.push(record.score);
      if (record.passed === true) group.held++;
    } else if (record.notScorable !== undefined) group.notScorable++;
    else {
      group.errored++;
      if (exact && record.kind === "gate") group.scores.push(0);
    }
  }
  return [...groups.values()].map((group) => settled(group, exact));
}

function settled({ first, threshold, scores, held, notScorable, errored }: Group, exact: boolean): ScoreAggregate {
  const mean = exact ? plainMeanOf(scores) : meanOf(scores);
  const required = first.kind === "gate" || threshold !== undefined;
  const passed = !required || (mean === undefined && errored === 0) ? undefined : exact ? passedExactly(first.kind, mean, threshold) : errored === 0 && mean !== undefined && (first.kind === "gate" ? held === scores.length : meetsThresholds(mean, threshold ?? 1));
  return {
    id: first.id,
    base: first.base,
    kind: first.kind,
    ...(first.turn === undefined ? {} : { turn: first.turn }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(mean === undefined ? {} : { mean }),
    scored: scores.length,
    notScorable,
    errored,
    ...(required ? { held } : {}),
    ...(passed === undefined ? {} : { passed }),
  };
}

function passedExactly(kind: "gate" | "scorer", mean: number | undefined, threshold: ThresholdConfig | undefined): boolean {
  if (mean === undefined) return false;
  const { min, max } = threshold === undefined ? { min: kind === "gate" ? 1 : undefined, max: undefined } : typeof threshold === "number" ? { min: threshold, max: undefined } : threshold;
  return (min === undefined || mean >= min) && (max === undefined || mean <= max);
}

function thresholdOf({ threshold, thresholdMax }: ScoreRecord): ThresholdConfig | undefined {
  if (thresholdMax !== undefined) return { ...(threshold === undefined ? {} : { min: threshold }), max: thresholdMax };
  return threshold;
}

/** The hard and the soft requirements that the aggregates make, for `verdictOf`. */
export function requirementsOf(aggregates: readonly ScoreAggregate[]): { readonly hard: readonly Requirement[]; readonly soft: readonly Requirement[] } {
  const of = (kind: "gate" | "scorer"): readonly Requirement[] =>
    aggregates.filter((one) => one.kind === kind && (kind === "gate" || one.threshold !== undefined)).map(({ passed }) => (passed === undefined ? "not_scorable" : passed ? "met" : "missed"));
  return { hard: of("gate"), soft: of("scorer") };
}
