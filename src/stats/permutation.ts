// Owns the permutation test of two runs: what would differ as much if, within each scenario, it were chance which trial was whose.

import { isCountOf, requireCountOf, requireList } from "./argument.ts";
import { hypergeometricProbability } from "./hypergeometric.ts";
import { sum } from "./mean.ts";
import { normalTwoSided } from "./normal.ts";

/** The scored trials of one scenario on both sides. */
export interface TrialPair {
  readonly before: { readonly passed: number; readonly scored: number };
  readonly after: { readonly passed: number; readonly scored: number };
}

/** Above this many steps the normal approximation is exact to more digits than anyone reads. */
const MOST_STEPS = 2_000_000;

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** The difference of a scenario's pass rates, after less before, if `passedAfter` of its passes were trials of the second run. */
function differenceAt(pair: TrialPair, passedAfter: number): number {
  return passedAfter / pair.after.scored - (pair.before.passed + pair.after.passed - passedAfter) / pair.before.scored;
}

/**
 * The two-sided mid-p value that the mean over scenarios of the difference of pass rates is chance, given each scenario's passes on both sides
 * together. A scenario that always or never passed, or that a side has no trial of, says nothing. With one trial on each side it is `mcnemarMidP`; with one scenario the mid-p form of
 * Fisher's test. Without a scenario that says something it is 1.
 *
 * Exact by convolution while that is quick, else normal with the exact variance. Mantel and Haenszel 1959; Fisher 1935.
 */
export function permutationMidP(pairs: readonly TrialPair[]): number {
  requireList("permutationMidP", "pairs", pairs);
  for (const [index, pair] of pairs.entries()) {
    for (const side of ["before", "after"] as const) {
      const { passed, scored } = pair[side];
      if (!isCountOf(passed, scored)) requireCountOf("permutationMidP", `pairs[${index}].${side}.passed`, passed, `pairs[${index}].${side}.scored`, scored);
    }
  }
  const mixed = pairs.filter(({ before, after }) => before.scored > 0 && after.scored > 0 && before.passed + after.passed > 0 && before.passed + after.passed < before.scored + after.scored);
  if (mixed.length === 0) return 1;
  // Every difference is a whole number of steps of 1/grid.
  let grid = 1;
  for (const { before, after } of mixed) {
    for (const scored of [before.scored, after.scored]) grid = Math.min((grid / divisor(grid, scored)) * scored, Number.MAX_SAFE_INTEGER);
  }
  let reach = 0;
  let work = 0;
  for (const pair of mixed) {
    const [least, most] = supportOf(pair);
    reach += Math.round(grid * (differenceAt(pair, most) - differenceAt(pair, least)));
    work += reach * (most - least + 1);
    if (work > MOST_STEPS) return approximate(mixed);
  }
  return exact(mixed, grid, reach);
}

function supportOf({ before, after }: TrialPair): readonly [number, number] {
  const passed = before.passed + after.passed;
  return [Math.max(0, passed - before.scored), Math.min(passed, after.scored)];
}

function exact(pairs: readonly TrialPair[], grid: number, reach: number): number {
  const offers = new Map<string, readonly Offer[]>();
  let chances = new Float64Array(reach + 1);
  let next = new Float64Array(reach + 1);
  chances[0] = 1;
  let end = 0;
  let seen = 0;
  for (const pair of pairs) {
    const key = `${pair.before.scored} ${pair.after.scored} ${pair.before.passed + pair.after.passed}`;
    const offer = offers.get(key) ?? offersOf(pair, grid);
    offers.set(key, offer);
    const widest = (offer.at(-1) as Offer).steps;
    next.fill(0, 0, end + widest + 1);
    for (const { chance, steps } of offer) {
      for (let place = 0; place <= end; place += 1) next[place + steps] = (next[place + steps] as number) + (chances[place] as number) * chance;
    }
    end += widest;
    seen += (offer[pair.after.passed - supportOf(pair)[0]] as Offer).steps;
    [chances, next] = [next, chances];
  }
  const at = chances[seen] as number;
  let below = 0;
  let above = 0;
  for (let place = 0; place < seen; place += 1) below += chances[place] as number;
  for (let place = seen + 1; place <= end; place += 1) above += chances[place] as number;
  return Math.max(0, Math.min(1, 2 * (Math.min(below, above) + at)) - at);
}

/** One way to share out a scenario's passes: how likely it is, and how many steps above the lowest difference it lies. */
interface Offer {
  readonly chance: number;
  readonly steps: number;
}

function offersOf(pair: TrialPair, grid: number): readonly Offer[] {
  const { before, after } = pair;
  const [least, most] = supportOf(pair);
  return Array.from({ length: most - least + 1 }, (_, index) => ({
    chance: hypergeometricProbability(least + index, after.scored, before.passed + after.passed, before.scored + after.scored),
    steps: Math.round(grid * (differenceAt(pair, least + index) - differenceAt(pair, least))),
  }));
}

function approximate(pairs: readonly TrialPair[]): number {
  const gap = sum(pairs.map((pair) => differenceAt(pair, pair.after.passed)));
  const spread = sum(
    pairs.map(({ before, after }) => {
      const total = before.scored + after.scored;
      const share = (before.passed + after.passed) / total;
      const drawn = (after.scored * share * (1 - share) * before.scored) / (total - 1);
      return drawn * (1 / after.scored + 1 / before.scored) ** 2;
    }),
  );
  return normalTwoSided(gap / Math.sqrt(spread));
}
