// Owns Fleiss' kappa.

import { EntailError } from "../core/error.ts";
import { requireCount, requireList } from "./argument.ts";
import { sum } from "./mean.ts";

/**
 * Fleiss' kappa of several raters: `(P̄ - P_e) / (1 - P_e)`, `P̄` the mean share of agreeing pairs a case, `P_e = Σ p_k²`. `counts` holds a row for
 * each case: how many raters gave each label.
 *
 * For a panel whose members judge every case; with gaps `krippendorffAlpha`. Fleiss 1971. `null` without a case, with fewer than two raters, or where
 * one label is given throughout. Throws `value_invalid` for rows of different length or with different numbers of raters.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): number | null {
  requireList("fleissKappa", "counts", counts);
  for (const [index, row] of counts.entries()) {
    requireList("fleissKappa", `counts[${index}]`, row);
    for (const [label, count] of row.entries()) requireCount("fleissKappa", `counts[${index}][${label}]`, count);
  }
  const first = counts[0];
  if (first === undefined) return null;
  const raters = sum(first);
  for (const [index, row] of counts.entries()) {
    if (row.length !== first.length || sum(row) !== raters) {
      throw new EntailError("value_invalid", `fleissKappa: row ${index} has ${sum(row)} ratings of ${row.length} labels and row 0 has ${raters} of ${first.length}; each case needs equally many`);
    }
  }
  if (raters < 2) return null;
  const agreeing = sum(counts.map((row) => (sum(row.map((count) => count ** 2)) - raters) / (raters * (raters - 1)))) / counts.length;
  const expected = sum(first.map((_, label) => (sum(counts.map((row) => row[label] as number)) / (counts.length * raters)) ** 2));
  return 1 - expected < 1e-12 ? null : (agreeing - expected) / (1 - expected);
}
