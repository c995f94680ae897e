// Owns Matthews' correlation of two raters.

import { marginsOf, type ConfusionTable } from "./confusion.ts";

/**
 * Matthews' correlation, from -1 to 1, in Gorodkin's form for any number of labels: `(c s - Σ p_k t_k) / √((s² - Σ p_k²)(s² - Σ t_k²))`, `c` cases
 * agreed of `s`, `t` and `p` the raters' counts.
 *
 * One number that is high only where every label is judged well. Matthews 1975; Gorodkin 2004. `null` without a case, or where a rater gives one
 * label throughout. Throws `value_invalid` unless the table is square and of counts.
 */
export function matthews(table: ConfusionTable): number | null {
  const { total, agreed, rows, columns } = marginsOf("matthews", table);
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
  const spread = (total ** 2 - dot(rows, rows)) * (total ** 2 - dot(columns, columns));
  return spread === 0 ? null : (agreed * total - dot(rows, columns)) / Math.sqrt(spread);
}
