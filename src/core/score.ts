// Owns the score: a measure from 0 to 1, as a hook returns it and as a report holds it.

/** What a hook returns for a measure that it took itself. */
export interface HookScore {
  readonly id: string;
  /** From 0 to 1. */
  readonly score: number;
  /** The bar that the score should reach. */
  readonly threshold?: number | undefined;
  readonly reason?: string | undefined;
}

/** The one record of a gate's or a scorer's answer. */
export interface ScoreRecord {
  /** Distinct within its trial (`check-includes:brooklyn`). */
  readonly id: string;
  /** The scorer's own id (`check-includes`). */
  readonly base: string;
  readonly kind: "gate" | "scorer";
  /** The turn it looked at, from 0; absent for the whole. */
  readonly turn?: number;
  readonly score?: number;
  /** Why it could not be scored, which is no error. */
  readonly notScorable?: string;
  /** The least that was asked for. */
  readonly threshold?: number;
  /** The most that was asked for. */
  readonly thresholdMax?: number;
  /** Absent where nothing was required. */
  readonly passed?: boolean;
  readonly reason?: string;
  readonly error?: string;
}

/** Summing equal scores in binary floating point must not miss their own value. */
export const THRESHOLD_TOLERANCE = 1e-9;

/** True where `score` reaches `threshold`, within 1e-9. */
export function meetsThreshold(score: number, threshold: number): boolean {
  return score >= threshold - THRESHOLD_TOLERANCE;
}
