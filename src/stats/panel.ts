// Owns what several judges are worth together.

import { requireFinite, requirePositiveCount, requireShares, refuse } from "./argument.ts";

export interface IndependentPanel {
  /** The chance that more than half are right. */
  readonly majority: number;
  /** The chances that all are right, and that all agree. */
  readonly unanimousRight: number;
  readonly unanimous: number;
  /** The chance that they do not all agree. */
  readonly split: number;
  /** The chance that they are right where they all agree. */
  readonly accuracyGivenUnanimous: number | null;
}

/**
 * What judges with these accuracies, from 0 to 1, would give if their errors were independent and each answer one of two. Real judges share errors,
 * so it is an upper bound: use a panel to find disagreement. Condorcet 1785. `null` of an empty panel. Throws `value_invalid` for an accuracy outside
 * 0..1.
 */
export function independentPanel(accuracies: readonly number[]): IndependentPanel | null {
  requireShares("independentPanel", "accuracies", accuracies);
  if (accuracies.length === 0) return null;
  let chances: readonly number[] = [1];
  for (const accuracy of accuracies) {
    const before = chances;
    chances = [...before, 0].map((chance, right) => chance * (1 - accuracy) + (right > 0 ? (before[right - 1] as number) * accuracy : 0));
  }
  const majority = chances.reduce((total, chance, right) => (2 * right > accuracies.length ? total + chance : total), 0);
  const unanimousRight = chances.at(-1) as number;
  const unanimous = unanimousRight + (chances[0] as number);
  return { majority, unanimousRight, unanimous, split: 1 - unanimous, accuracyGivenUnanimous: unanimous === 0 ? null : unanimousRight / unanimous };
}

/**
 * The number of independent judges that a panel of `n` with mean correlation `ρ` of their errors is worth: `n / (1 + (n-1) ρ)`. Nine at 0.4375 are
 * two. Kish 1965. `null` where `ρ` is so negative that it is undefined. Throws `value_invalid` unless `n` is at least 1 and `ρ` at most 1.
 */
export function effectiveVotes(n: number, rho: number): number | null {
  requirePositiveCount("effectiveVotes", "n", n);
  requireFinite("effectiveVotes", "rho", rho);
  if (rho > 1) refuse("effectiveVotes", "rho", "a correlation of at most 1", rho);
  const effect = 1 + (n - 1) * rho;
  return effect > 0 ? n / effect : null;
}
