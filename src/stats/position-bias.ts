// Owns the probe of a judge that compares two answers: whether it prefers a place.

import { requireCount } from "./argument.ts";
import { mcnemarExact } from "./mcnemar.ts";

export interface OrderCounts {
  /** Pairs asked in both orders with the same winner: the one answer, or the other. */
  readonly sameFirst: number;
  readonly sameSecond: number;
  /** Pairs whose winner was the answer in the first place both times, and in the second. */
  readonly firstPlace: number;
  readonly secondPlace: number;
}

export interface PositionBias {
  /** The share of pairs with the same winner in both orders. */
  readonly consistency: number;
  /** Positive for the first place, negative for the second. */
  readonly preference: number;
  /** Of a place being preferred, by the sign test. */
  readonly p: number;
}

/**
 * `consistency = same / n`, `preference = (first - second) / n`, from -1 to 1. Ask in both orders and take a disagreement as a tie. `null` without a
 * pair. Throws `value_invalid` unless all are whole numbers from 0.
 */
export function positionBias(counts: OrderCounts): PositionBias | null {
  for (const name of ["sameFirst", "sameSecond", "firstPlace", "secondPlace"] as const) requireCount("positionBias", name, counts[name]);
  const same = counts.sameFirst + counts.sameSecond;
  const n = same + counts.firstPlace + counts.secondPlace;
  if (n === 0) return null;
  return { consistency: same / n, preference: (counts.firstPlace - counts.secondPlace) / n, p: mcnemarExact(counts.firstPlace, counts.secondPlace) };
}
