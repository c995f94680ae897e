// Owns the entries of a list of scorers or gates: a scorer alone, or with the bar that it should reach; and what makes a bar one.

import { member, recordOf } from "../core/member.ts";
import type { Scorer, ScorerWithThreshold, ThresholdConfig } from "../core/scorer.ts";
import { scorerInvalid } from "./scorer-error.ts";
import { type ForeignScorer, toScorer } from "./to-scorer.ts";

/** A scorer whose own type says little of what it gives: Mastra's with its type arguments left open. */
export interface ScorerShape {
  readonly id: string;
  run(run: any): PromiseLike<any>;
}

/** Whatever measures: a scorer of ours or of Mastra's, one of `autoevals`, or a function. */
export type AnyScorer = Scorer | ScorerShape | ForeignScorer;
export type ScorerEntry = AnyScorer | ScorerWithThreshold<AnyScorer>;

/** An entry as it was read. */
export interface ReadEntry {
  readonly scorer: Scorer;
  readonly threshold?: ThresholdConfig;
}

/**
 * Reads an entry; `place` says which one (`gates[0]`). Throws `scorer_invalid` for what is no scorer, and with the id `INVALID_SCORER_THRESHOLD`
 * for a threshold that is none.
 */
export function readEntry(entry: unknown, place: string): ReadEntry {
  const inner = isWithThreshold(entry) ? member(entry, "scorer") : entry;
  const scorer = toScorer(inner, place);
  if (!isWithThreshold(entry) || !Object.hasOwn(entry, "threshold")) return { scorer };
  return { scorer, threshold: readThreshold(member(entry, "threshold"), `${place}.threshold (${scorer.id})`) };
}

function isWithThreshold(entry: unknown): entry is object {
  return recordOf(entry) !== undefined && typeof member(entry, "run") !== "function" && (Object.hasOwn(entry as object, "scorer") || Object.hasOwn(entry as object, "threshold"));
}

/** Reads a threshold: a number from 0 to 1, or an object with `min`, `max` or both, of which `min` is not the greater. 0 is a threshold. */
export function readThreshold(threshold: unknown, place: string): ThresholdConfig {
  if (typeof threshold === "number") return bound(threshold, place);
  const bounds = recordOf(threshold);
  if (bounds === undefined) throw invalid(place, `must be a number or { min, max }, not ${threshold === null ? "null" : Array.isArray(threshold) ? "a list" : `a value of the type ${typeof threshold}`}`);
  const [min, max] = (["min", "max"] as const).map((name) => {
    const value = member(bounds, name);
    return value === undefined ? undefined : bound(value, `${place}.${name}`);
  });
  if (min === undefined && max === undefined) throw invalid(place, "needs min, max or both");
  if (min !== undefined && max !== undefined && min > max) throw invalid(place, `has min ${min}, which is above max ${max}`);
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

function bound(value: unknown, place: string): number {
  if (typeof value !== "number" || !(value >= 0 && value <= 1)) throw invalid(place, `must be a number from 0 to 1, not ${typeof value === "number" ? String(value) : `a value of the type ${value === null ? "null" : typeof value}`}`);
  return value + 0;
}

function invalid(place: string, what: string): Error {
  return scorerInvalid(`${place} ${what}`, "INVALID_SCORER_THRESHOLD");
}
