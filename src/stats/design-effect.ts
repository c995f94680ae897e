// Owns the design effect: by how much likeness within groups shrinks what their members say.

import { refuse, requireAtLeast, requireCount, requireFinite, requireList, requireNumbers } from "./argument.ts";
import { sum } from "./mean.ts";

/**
 * `1 + (m - 1) ρ` for groups of `m` with intra-class correlation `ρ`: the factor on the variance of a mean. Kish 1965. Throws `value_invalid` unless
 * `m` is at least 1 and `ρ` at most 1. `null` where `ρ` is so negative that the factor would not be positive.
 */
export function designEffect(m: number, icc: number): number | null {
  requireAtLeast("designEffect", "m", m, 1);
  requireFinite("designEffect", "icc", icc);
  if (icc > 1) refuse("designEffect", "icc", "a correlation of at most 1", icc);
  const effect = 1 + (m - 1) * icc;
  return effect > 0 ? effect : null;
}

/** `n / deff`: as many independent cases as `n` of them in groups of `m` with correlation `icc` are worth. `null` as `designEffect`. */
export function effectiveSize(n: number, m: number, icc: number): number | null {
  requireCount("effectiveSize", "n", n);
  const effect = designEffect(m, icc);
  return effect === null ? null : n / effect;
}

/**
 * The intra-class correlation of trials (or members of a cluster), by the one-way analysis of variance with unequal sizes: `(MSB - MSW) / (MSB + (m₀
 * - 1) MSW)`. From `-1/(m₀-1)` to 1; negative where trials of one scenario differ more than scenarios do.
 *
 * `null` with fewer than two scenarios, without a scenario of two trials, or where nothing varies. Donner 1986. Throws `value_invalid` for a value
 * that is not finite.
 */
export function intraclassCorrelation(rows: readonly (readonly number[])[]): number | null {
  requireList("intraclassCorrelation", "rows", rows);
  for (const [index, row] of rows.entries()) requireNumbers("intraclassCorrelation", `rows[${index}]`, row);
  const groups = rows.filter((row) => row.length > 0);
  const total = sum(groups.map((row) => row.length));
  if (groups.length < 2 || total === groups.length) return null;
  const middle = sum(groups.flat()) / total;
  const means = groups.map((row) => sum(row) / row.length);
  const between = sum(groups.map((row, index) => row.length * ((means[index] as number) - middle) ** 2)) / (groups.length - 1);
  const within = sum(groups.flatMap((row, index) => row.map((value) => (value - (means[index] as number)) ** 2))) / (total - groups.length);
  const size = (total - sum(groups.map((row) => row.length ** 2)) / total) / (groups.length - 1);
  const below = between + (size - 1) * within;
  return below === 0 ? null : (between - within) / below;
}
