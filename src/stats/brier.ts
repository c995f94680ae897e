// Owns the Brier score.

import { requireSameLength, requireShares } from "./argument.ts";
import { sum } from "./mean.ts";

/**
 * The mean squared gap of a stated confidence and what came true, from 0 (right and sure) to 1: `mean((f - o)²)`, `o` 1 for right, 0 for wrong.
 *
 * For judges that give a confidence. Brier 1950. `null` of an empty list. Throws `value_invalid` for lists of different length or numbers outside
 * 0..1.
 */
export function brier(confidences: readonly number[], correct: readonly number[]): number | null {
  requireSameLength("brier", "confidences", confidences, "correct", correct);
  requireShares("brier", "confidences", confidences);
  requireShares("brier", "correct", correct);
  return confidences.length === 0 ? null : sum(confidences.map((confidence, index) => (confidence - (correct[index] as number)) ** 2)) / confidences.length;
}
