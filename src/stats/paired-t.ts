// Owns the paired t comparison of graded scores.

import { requireLevel, requireNumbers, requireSameLength } from "./argument.ts";
import { clusteredStandardError, type ClusterId } from "./cluster.ts";
import type { Interval } from "./interval.ts";
import { standardError, sum } from "./mean.ts";
import { studentTwoSided, tOf } from "./student.ts";

export interface PairedT {
  /** The mean of `a - b`, in the unit of the scores. */
  readonly difference: number;
  readonly standardError: number;
  /** `difference / standardError`; infinite where every pair differs alike, 0 where none differs. */
  readonly t: number;
  readonly df: number;
  /** Two-sided. */
  readonly p: number;
  readonly interval: Interval;
}

/**
 * The mean of the pairs' differences `a - b` against 0: `t = d̄ / (s_d/√n)` with `n - 1` degrees of freedom; with clusters their standard error and
 * `C - 1`.
 *
 * For graded scores, or means over trials, with 30 scenarios or more; for few or skewed ones `wilcoxonSignedRank`. Student 1908. `null` with fewer
 * than two pairs (or clusters). Throws `value_invalid` for lists of different length or a value that is not finite.
 */
export function pairedT(a: readonly number[], b: readonly number[], options: { readonly clusters?: readonly ClusterId[]; readonly level?: number } = {}): PairedT | null {
  const { clusters, level = 0.95 } = options;
  requireSameLength("pairedT", "a", a, "b", b);
  requireNumbers("pairedT", "a", a);
  requireNumbers("pairedT", "b", b);
  requireLevel("pairedT", level);
  const differences = a.map((value, index) => value - (b[index] as number));
  const error = clusters === undefined ? standardError(differences) : clusteredStandardError(differences, clusters);
  if (error === null) return null;
  const df = (clusters === undefined ? differences.length : new Set(clusters).size) - 1;
  const difference = sum(differences) / differences.length;
  const t = difference === 0 ? 0 : difference / error;
  const half = tOf(level, df) * error;
  return { difference, standardError: error, t, df, p: studentTwoSided(t, df), interval: [difference - half, difference + half] };
}
