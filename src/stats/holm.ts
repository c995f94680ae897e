// Owns the correction for many comparisons that bounds the chance of any false alarm at all.

import { requireShares } from "./argument.ts";

/**
 * Adjusted p-values, in the order given: sorted upwards, `max over j <= i of p_j (m - j + 1)`, at most 1.
 *
 * For a few comparisons each of which decides something (the pairs of a matrix), whatever their dependence. Holm 1979. An empty list gives an empty
 * list, never `null`. Throws `value_invalid` for a p-value outside 0..1.
 */
export function holm(pValues: readonly number[]): readonly number[] {
  requireShares("holm", "pValues", pValues);
  const m = pValues.length;
  const order = pValues.map((_, index) => index).sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const adjusted = Array.from<number>({ length: m }).fill(1);
  let most = 0;
  for (const [place, index] of order.entries()) {
    most = Math.max(most, Math.min(1, (pValues[index] as number) * (m - place)));
    adjusted[index] = most;
  }
  return adjusted;
}
