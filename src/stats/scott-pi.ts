// Owns Scott's pi.

import { agreementOf, type Agreement } from "./agreement.ts";
import type { ConfusionTable } from "./confusion.ts";

/**
 * Scott's pi of two raters: chance agrees with `p_e = Σ π_k²`, `π_k` the mean of both raters' shares of label `k`.
 *
 * For raters taken as interchangeable (two people); a judge against people has `cohenKappa`. Scott 1955. `null` and errors as there.
 */
export function scottPi(table: ConfusionTable): Agreement | null {
  return agreementOf("scottPi", table, ({ rows, columns, total }) => rows.reduce((sum, count, index) => sum + ((count + (columns[index] as number)) / (2 * total)) ** 2, 0));
}
