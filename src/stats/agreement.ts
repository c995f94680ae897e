// Owns agreement beyond chance: one shape for every measure that compares what was seen with what chance would give.

import { marginsOf, type ConfusionTable, type Margins } from "./confusion.ts";

export interface Agreement {
  /** `(observed - expected) / (1 - expected)`: 1 for full agreement, 0 for that of chance, negative below it. */
  readonly value: number;
  /** The share of cases on which both agree. */
  readonly observed: number;
  /** The share on which they would agree by chance. */
  readonly expected: number;
  readonly cases: number;
}

/** `null` without a case, or where chance alone gives full agreement. */
export function agreementOf(owner: string, table: ConfusionTable, chance: (margins: Margins) => number): Agreement | null {
  const margins = marginsOf(owner, table);
  if (margins.total === 0) return null;
  const observed = margins.agreed / margins.total;
  const expected = chance(margins);
  if (1 - expected < 1e-12) return null;
  return { value: (observed - expected) / (1 - expected), observed, expected, cases: margins.total };
}
