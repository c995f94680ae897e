// Owns Wilcoxon's signed rank test.

import { requireNumbers } from "./argument.ts";
import { sum } from "./mean.ts";
import { normalTwoSided } from "./normal.ts";
import { rank, TIE_TOLERANCE } from "./ranks.ts";

/** Up to here every pattern of signs is counted; beyond, the normal approximation is good to the third digit. */
const MOST_EXACT = 50;

export interface SignedRank {
  /** The smaller of the two sums of ranks. */
  readonly w: number;
  /** Two-sided. */
  readonly p: number;
  /** Differences that are not 0. */
  readonly n: number;
  readonly method: "exact" | "normal";
}

/**
 * Whether paired differences lie about 0: their sizes are ranked, and `w` is the smaller sum of ranks of one sign. Exact up to 50 differences, ties
 * included; beyond, the normal approximation with corrections for ties and continuity.
 *
 * For graded scores or means over trials where there are few scenarios or a skewed difference. Differences of 0 are left out. Wilcoxon 1945; Pratt
 * and Gibbons 1981. `null` where no difference is left. Throws `value_invalid` for a value that is not finite.
 */
export function wilcoxonSignedRank(differences: readonly number[]): SignedRank | null {
  requireNumbers("wilcoxonSignedRank", "differences", differences);
  const tolerance = TIE_TOLERANCE * differences.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const moved = differences.filter((value) => Math.abs(value) > tolerance);
  const n = moved.length;
  if (n === 0) return null;
  const { ranks, ties } = rank(moved.map(Math.abs));
  const up = sum(ranks.filter((_, index) => (moved[index] as number) > 0));
  const w = Math.min(up, (n * (n + 1)) / 2 - up);
  if (n <= MOST_EXACT) return { w, p: Math.min(1, 2 * tail(ranks, w)), n, method: "exact" };
  const spread = (n * (n + 1) * (2 * n + 1)) / 24 - sum(ties.map((size) => size ** 3 - size)) / 48;
  const z = Math.min(0, w + 0.5 - (n * (n + 1)) / 4) / Math.sqrt(spread);
  return { w, p: normalTwoSided(z), n, method: "normal" };
}

/** The share of sign patterns whose sum of ranks is at most `w`. Ranks with ties are halves, so all are doubled. */
function tail(ranks: readonly number[], w: number): number {
  const most = ranks.length * (ranks.length + 1);
  const chance = new Float64Array(most + 1);
  chance[0] = 1;
  for (const value of ranks) {
    const step = Math.round(2 * value);
    for (let total = most; total >= 0; total -= 1) {
      const raised = total >= step ? (chance[total - step] as number) : 0;
      chance[total] = ((chance[total] as number) + raised) / 2;
    }
  }
  let result = 0;
  for (let total = 0; total <= Math.round(2 * w); total += 1) result += chance[total] as number;
  return result;
}
