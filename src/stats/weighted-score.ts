// Owns the score weighted by a model's own probabilities for each grade.

import { requireAtLeast, requireFinite, requireList, refuse } from "./argument.ts";
import { sum } from "./mean.ts";

export interface GradeChance {
  readonly grade: number;
  /** Natural logarithm of the probability; at most 0. */
  readonly logProbability: number;
}

/**
 * G-Eval's score, in the unit of the grades: `Σ g P(g) / Σ P(g)` over the grades whose probability is at least `least` (0.01 when absent). Liu et al.
 * 2023 (arXiv 2303.16634). `null` where no grade is that likely. Throws `value_invalid` for a grade that is not finite or a probability above 1.
 */
export function weightedScore(grades: readonly GradeChance[], least = 0.01): number | null {
  requireList("weightedScore", "grades", grades);
  requireAtLeast("weightedScore", "least", least, 0);
  for (const [index, { grade, logProbability }] of grades.entries()) {
    requireFinite("weightedScore", `grades[${index}].grade`, grade);
    if (typeof logProbability !== "number" || !(logProbability <= 1e-9)) refuse("weightedScore", `grades[${index}].logProbability`, "at most 0", logProbability);
  }
  const kept = grades.map(({ grade, logProbability }) => ({ grade, chance: Math.exp(logProbability) })).filter(({ chance }) => chance > 0 && chance >= least);
  const whole = sum(kept.map(({ chance }) => chance));
  return whole === 0 ? null : sum(kept.map(({ grade, chance }) => grade * chance)) / whole;
}
