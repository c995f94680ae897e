// Owns clusters: values that share a template, a fixture or a persona, and so say less than as many independent ones.

import { EntailError } from "../core/error.ts";
import { requireLevel, requireNumbers, requireSameLength } from "./argument.ts";
import type { Interval } from "./interval.ts";
import { standardError, sum } from "./mean.ts";
import { tOf } from "./student.ts";

/** The name of a cluster; two values with the same name belong together. */
export type ClusterId = string | number;

/**
 * Where each value of a cluster stands. The one place that decides who belongs together. A missing name is misuse: a value without a cluster would
 * silently count as one more.
 */
export function partition(owner: string, clusters: readonly ClusterId[]): readonly (readonly number[])[] {
  const groups = new Map<ClusterId, number[]>();
  for (const [index, id] of clusters.entries()) {
    if ((typeof id !== "string" && typeof id !== "number") || Number.isNaN(id)) {
      throw new EntailError("value_invalid", `${owner}: "clusters[${index}]" must be a text or a number, since each value needs a cluster`);
    }
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [index]);
    else group.push(index);
  }
  return [...groups.values()];
}

/** `Σ_c (Σ_{i in c} (x_i - x̄))²`, the squared deviations of whole clusters. */
export function clusterSquares(values: readonly number[], groups: readonly (readonly number[])[]): number {
  const middle = sum(values) / values.length;
  return sum(groups.map((group) => sum(group.map((index) => (values[index] as number) - middle)) ** 2));
}

/**
 * The standard error of a mean whose values come in clusters: `√(C/(C-1)) √(Σ_c (Σ_{i in c} (x_i - x̄))²) / n`, `C` clusters, in the unit of the
 * values. `finite: false` leaves the first factor out, as Miller's appendix does.
 *
 * For scenarios that share a family; with a cluster for each value it is `standardError`. Its degrees of freedom are `C - 1`. Liang and Zeger 1986;
 * Miller 2024 (arXiv 2411.00640). `null` with fewer than two clusters: a single cluster leaves it undefined, not 0. Throws `value_invalid` for lists
 * of different length, a value that is not finite, or a missing cluster.
 */
export function clusteredStandardError(values: readonly number[], clusters: readonly ClusterId[], options: { readonly finite?: boolean } = {}): number | null {
  requireSameLength("clusteredStandardError", "values", values, "clusters", clusters);
  requireNumbers("clusteredStandardError", "values", values);
  const groups = partition("clusteredStandardError", clusters);
  if (groups.length < 2) return null;
  const factor = options.finite === false ? 1 : groups.length / (groups.length - 1);
  return Math.sqrt(factor * clusterSquares(values, groups)) / values.length;
}

export interface ClusteredMean {
  readonly mean: number;
  readonly standardError: number;
  /** `x̄ ± t(C-1) SE`, not cut to 0..1. */
  readonly interval: Interval;
  readonly clusters: number;
  /** How much larger the squared error is than that of independent values; `null` where the values do not vary. */
  readonly designEffect: number | null;
  /** The number of independent values that would say as much; `null` with the design effect, or where that is 0. */
  readonly effectiveSize: number | null;
}

/** The mean of clustered values with its `clusteredStandardError`. `null` with fewer than two clusters; throws as that does. */
export function clusteredMean(values: readonly number[], clusters: readonly ClusterId[], level = 0.95): ClusteredMean | null {
  requireLevel("clusteredMean", level);
  const error = clusteredStandardError(values, clusters);
  if (error === null) return null;
  const count = new Set(clusters).size;
  const middle = sum(values) / values.length;
  const half = tOf(level, count - 1) * error;
  const independent = standardError(values) ?? 0;
  const effect = independent === 0 ? null : (error / independent) ** 2;
  return {
    mean: middle,
    standardError: error,
    interval: [middle - half, middle + half],
    clusters: count,
    designEffect: effect,
    effectiveSize: effect === null || effect === 0 ? null : values.length / effect,
  };
}
