// Owns Cohen's kappa.

import { agreementOf, type Agreement } from "./agreement.ts";
import { requireLevel } from "./argument.ts";
import type { ConfusionTable } from "./confusion.ts";
import { clip, type Interval } from "./interval.ts";
import { zOf } from "./normal.ts";

export interface Kappa extends Agreement {
  /** `√(p_o (1 - p_o) / (n (1 - p_e)²))`. */
  readonly standardError: number;
  /** `κ ± z SE`, from -1 to 1. */
  readonly interval: Interval;
}

/**
 * Cohen's kappa of two raters over any number of labels: `(p_o - p_e) / (1 - p_e)`, `p_e = Σ row_k column_k / n²`.
 *
 * Never gate on it alone: with 90 of 100 cases agreed and one label rare it is -0.05. Show `confusionQuality` and `gwetAc1` beside it. Cohen 1960.
 * `null` without a case, or where both raters give one and the same label throughout. Throws `value_invalid` unless the table is square and of
 * counts.
 */
export function cohenKappa(table: ConfusionTable, level = 0.95): Kappa | null {
  requireLevel("cohenKappa", level);
  const agreement = agreementOf("cohenKappa", table, ({ rows, columns, total }) => rows.reduce((sum, count, index) => sum + (count / total) * ((columns[index] as number) / total), 0));
  if (agreement === null) return null;
  const { observed, expected, cases, value } = agreement;
  const standardError = Math.sqrt((observed * (1 - observed)) / cases) / (1 - expected);
  const half = zOf(level) * standardError;
  return { ...agreement, standardError, interval: clip([value - half, value + half], -1, 1) };
}
