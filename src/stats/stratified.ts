// Owns the roll-up of groups: one mean and one error from those of the groups.

import { EntailError } from "../core/error.ts";
import { requireAtLeast, requireFinite, requireLevel, requireList, requirePositiveCount, requireSameLength } from "./argument.ts";
import type { Interval } from "./interval.ts";
import { sum } from "./mean.ts";
import { zOf } from "./normal.ts";

export interface Stratum {
  readonly mean: number;
  readonly standardError: number;
  /** Its share of the whole; any unit, since weights are divided by their sum. Its size gives the pooled mean, 1 for each the macro average. */
  readonly weight: number;
}

export interface StratifiedMean {
  readonly mean: number;
  readonly standardError: number;
  /** `mean ± z SE`, not cut to 0..1. */
  readonly interval: Interval;
}

/**
 * `Σ w_i x̄_i` with `SE = √Σ w_i² se_i²`, in the unit of the means, for independent groups with fixed weights.
 *
 * For a rate over suites or tags that do not share scenarios. Cochran 1977, 5.3. `null` without a group or where all weights are 0. Throws
 * `value_invalid` for a number that is not finite, or a negative error or weight.
 */
export function stratifiedMean(strata: readonly Stratum[], level = 0.95): StratifiedMean | null {
  requireLevel("stratifiedMean", level);
  requireList("stratifiedMean", "strata", strata);
  for (const [index, stratum] of strata.entries()) {
    if (typeof stratum !== "object" || stratum === null) throw new EntailError("value_invalid", `stratifiedMean: "strata[${index}]" must be { mean, standardError, weight }`);
    requireFinite("stratifiedMean", `strata[${index}].mean`, stratum.mean);
    requireAtLeast("stratifiedMean", `strata[${index}].standardError`, stratum.standardError, 0);
    requireAtLeast("stratifiedMean", `strata[${index}].weight`, stratum.weight, 0);
  }
  const whole = sum(strata.map((stratum) => stratum.weight));
  if (whole === 0) return null;
  const mean = sum(strata.map((stratum) => stratum.weight * stratum.mean)) / whole;
  const standardError = Math.sqrt(sum(strata.map((stratum) => (stratum.weight * stratum.standardError) ** 2))) / whole;
  const half = zOf(level) * standardError;
  return { mean, standardError, interval: [mean - half, mean + half] };
}

/**
 * The error of a pooled mean as the LM Evaluation Harness has it: `√(Σ (n_i - 1) se_i² n_i / (N - G) / N)`. It knows the spread within groups alone;
 * it is here to read its numbers, and `stratifiedMean` is the one to report. `null` unless there are more values than groups. Throws `value_invalid`
 * for lists of different length, a size below 1 or a negative error.
 */
export function pooledStandardError(standardErrors: readonly number[], sizes: readonly number[]): number | null {
  requireSameLength("pooledStandardError", "standardErrors", standardErrors, "sizes", sizes);
  for (const [index, error] of standardErrors.entries()) requireAtLeast("pooledStandardError", `standardErrors[${index}]`, error, 0);
  for (const [index, size] of sizes.entries()) requirePositiveCount("pooledStandardError", `sizes[${index}]`, size);
  const total = sum(sizes);
  if (total <= sizes.length) return null;
  const squares = sum(standardErrors.map((error, index) => ((sizes[index] as number) - 1) * error ** 2 * (sizes[index] as number)));
  return Math.sqrt(squares / (total - sizes.length) / total);
}
