// Owns the correction for many comparisons that bounds the share of false alarms among the alarms.

import { requireShares } from "./argument.ts";

/**
 * Adjusted p-values, in the order given: sorted upwards, `min over j >= i of p_j m / j`, at most 1. Those at most `q` hold at a false discovery rate
 * of `q`.
 *
 * For dashboards of many scenarios, claims or checks, independent or positively dependent. Benjamini and Hochberg 1995. An empty list gives an empty
 * list, never `null`. Throws `value_invalid` for a p-value outside 0..1.
 */
export function benjaminiHochberg(pValues: readonly number[]): readonly number[] {
  requireShares("benjaminiHochberg", "pValues", pValues);
  const m = pValues.length;
  const order = pValues.map((_, index) => index).sort((a, b) => (pValues[b] as number) - (pValues[a] as number));
  const adjusted = Array.from<number>({ length: m }).fill(1);
  let least = 1;
  for (const [place, index] of order.entries()) {
    least = Math.min(least, ((pValues[index] as number) * m) / (m - place));
    adjusted[index] = least;
  }
  return adjusted;
}
