// Owns the verdict: what hard and soft requirements come to.

import type { Verdict } from "../core/outcome.ts";

/** `not_scorable`: there was nothing it could be held against, so it counts as absent. */
export type Requirement = "met" | "missed" | "not_scorable";

export interface Requirements {
  /** Gates, checks and claims, of the whole and of every turn. */
  readonly hard: readonly Requirement[];
  /** Thresholds, of the whole and of every turn. */
  readonly soft: readonly Requirement[];
  /** Something could not be measured. */
  readonly errored?: boolean | undefined;
}

/**
 * `failed` where a hard requirement is missed or something errored; else `scored` where a soft one is missed; else `passed`. `undefined` where
 * nothing was required, or nothing that was required could be scored: that is no pass.
 */
export function verdictOf({ hard, soft, errored = false }: Requirements): Verdict | undefined {
  if (errored || hard.includes("missed")) return "failed";
  if (soft.includes("missed")) return "scored";
  return hard.includes("met") || soft.includes("met") ? "passed" : undefined;
}
