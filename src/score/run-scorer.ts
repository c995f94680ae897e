// Owns one scorer held against one run, whatever the scorer is: it never rejects, and nothing it does reaches the next scorer.

import { untilAborted } from "../core/abort.ts";
import { check, type Check } from "../core/check.ts";
import { EntailError, isEntailError } from "../core/error.ts";
import { member, recordOf, textMember } from "../core/member.ts";
import { meetsThreshold, type ScoreRecord } from "../core/score.ts";
import type { Scorer, ScorerResult, ScorerRun, ScorerRunOptions, ThresholdConfig } from "../core/scorer.ts";
import { isReader } from "./quick-check.ts";
import { readLooseScore, readScore } from "./read-score.ts";
import { scorerRunError } from "./scorer-error.ts";

/** What came of it. `result` is what the scorer gave, or had until it broke. */
export type ScorerOutcome =
  | { readonly kind: "scored"; readonly score: number; readonly reason?: string; readonly result: ScorerResult }
  | { readonly kind: "not_scorable"; readonly reason: string; readonly step?: string; readonly result: ScorerResult }
  | { readonly kind: "errored"; readonly error: EntailError; readonly result?: ScorerResult };

/**
 * Runs the scorer on a copy of the run. What throws, answers neither a score nor why there is none, or scores outside 0..1 is `errored`: never a
 * score of 0, never a pass. An aborted signal ends the waiting, whether the scorer obeys it or not.
 */
export async function runScorer(scorer: Scorer, run: ScorerRun, options: ScorerRunOptions = {}): Promise<ScorerOutcome> {
  let result: ScorerResult | undefined;
  try {
    options.signal?.throwIfAborted();
    // A check of ours only reads, so it needs no copy.
    const own = isReader(scorer) ? run : copyOf(run);
    result = await untilAborted(Promise.resolve(scorer.run(own, options)), options.signal, "it");
    return outcomeOf(result, options.compat === "mastra" ? readLooseScore : readScore);
  } catch (thrown) {
    const known = member(thrown, "result");
    const kept = result ?? recordOf(known);
    const error = isEntailError(thrown) && thrown.id !== undefined ? thrown : scorerRunError({ scorerId: scorer.id, cause: thrown, ...(kept === undefined ? {} : { result: kept }) });
    return { kind: "errored", error, ...(kept === undefined ? {} : { result: kept }) };
  }
}

function outcomeOf(result: ScorerResult, read: (score: unknown) => number): ScorerOutcome {
  if (recordOf(result) === undefined) throw new EntailError("scorer_failed", `it gave ${result === null ? "null" : `a value of the type ${typeof result}`} instead of a result`, { stage: "score" });
  const unscored = member(result, "notScorable");
  const score = member(result, "score");
  if (unscored !== undefined && unscored !== null) {
    if (score !== undefined) throw new EntailError("scorer_failed", "it gave both a score and notScorable", { stage: "score" });
    const step = textMember(unscored, "step");
    return { kind: "not_scorable", reason: textMember(unscored, "reason") ?? "not scorable", ...(step === undefined ? {} : { step }), result };
  }
  const reason = member(result, "reason");
  return { kind: "scored", score: read(score), ...(typeof reason === "string" && reason !== "" ? { reason } : {}), result };
}

/** A scorer may change what it is given; the next one must not see it. */
function copyOf(run: ScorerRun): ScorerRun {
  const copy = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    try {
      return structuredClone(value);
    } catch {
      // A function or a proxy among it: at least the list is its own.
      return Array.isArray(value) ? [...(value as readonly unknown[])] : value;
    }
  };
  const { groundTruth, expectedTrajectory } = run;
  const truths = { ...(groundTruth === undefined ? {} : { groundTruth: copy(groundTruth) }), ...(expectedTrajectory === undefined ? {} : { expectedTrajectory: copy(expectedTrajectory) }) };
  return { ...run, ...truths, input: copy(run.input), output: copy(run.output), ...(run.turns === undefined ? {} : { turns: run.turns.map((turn) => ({ ...turn, input: copy(turn.input), output: copy(turn.output) })) }) };
}

export interface RecordPlace {
  /** Distinct within its trial; see `distinctIds`. */
  readonly id: string;
  readonly base: string;
  readonly kind: "gate" | "scorer";
  readonly turn?: number | undefined;
  readonly threshold?: ThresholdConfig | undefined;
}

/** The record of an outcome. `passed` says, for this run alone, whether the gate held or the threshold was met; it is absent where nothing was required or measured. */
export function recordOutcome({ id, base, kind, turn, threshold }: RecordPlace, outcome: ScorerOutcome): ScoreRecord {
  const { min, max } = typeof threshold === "number" ? { min: threshold, max: undefined } : { min: threshold?.min, max: threshold?.max };
  const head = { id, base, kind, ...(turn === undefined ? {} : { turn }), ...(min === undefined ? {} : { threshold: min }), ...(max === undefined ? {} : { thresholdMax: max }) };
  if (outcome.kind === "errored") return { ...head, error: outcome.error.message };
  if (outcome.kind === "not_scorable") return { ...head, notScorable: outcome.reason };
  const passed = threshold !== undefined ? meetsThresholds(outcome.score, threshold) : kind === "gate" ? meetsThreshold(outcome.score, 1) : undefined;
  return { ...head, score: outcome.score, ...(passed === undefined ? {} : { passed }), ...(outcome.reason === undefined ? {} : { reason: outcome.reason }) };
}

/** True where the score lies within the bounds, both inclusive and within 1e-9. */
export function meetsThresholds(score: number, threshold: ThresholdConfig): boolean {
  const { min, max } = typeof threshold === "number" ? { min: threshold, max: undefined } : threshold;
  return (min === undefined || meetsThreshold(score, min)) && (max === undefined || meetsThreshold(-score, -max));
}

/** A gate as a check of its id, its reason the diagnostic. `undefined` where there was nothing to score; throws the error where it errored. */
export function gateCheck(record: ScoreRecord): Check | undefined {
  const name = record.turn === undefined ? record.id : `turn ${record.turn + 1}: ${record.id}`;
  if (record.error !== undefined) throw new EntailError("scorer_failed", record.error, { stage: "score" });
  if (record.passed === undefined) return undefined;
  return check(name, record.passed, () => record.reason ?? `scored ${String(record.score)}, and a gate needs 1`);
}
