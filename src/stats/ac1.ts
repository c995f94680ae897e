// Owns Gwet's AC1.

import { agreementOf, type Agreement } from "./agreement.ts";
import type { ConfusionTable } from "./confusion.ts";

/**
 * Gwet's AC1 of two raters: chance agrees with `p_e = Σ π_k (1 - π_k) / (K - 1)`, `π_k` the mean of both raters' shares of label `k`, `K` labels.
 *
 * Beside kappa where one label is rare: it does not fall apart there. Gwet 2008. `null` without a case or with one label. Throws `value_invalid`
 * unless the table is square and of counts.
 */
export function gwetAc1(table: ConfusionTable): Agreement | null {
  return agreementOf("gwetAc1", table, ({ rows, columns, total }) => {
    if (rows.length === 1) return 1;
    return rows.reduce((sum, count, index) => {
      const share = (count + (columns[index] as number)) / (2 * total);
      return sum + (share * (1 - share)) / (rows.length - 1);
    }, 0);
  });
}
