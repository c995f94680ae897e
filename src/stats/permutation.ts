// Owns the permutation test of two runs: what would differ as much if, within each scenario, it were chance which trial was whose.

import { requireCountOf, requireList } from "./argument.ts";
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
  for (const [index, { before, after }] of pairs.entries()) {
    requireCountOf("permutationMidP", `pairs[${index}].before.passed`, before.passed, `pairs[${index}].before.scored`, before.scored);
    requireCountOf("permutationMidP", `pairs[${index}].after.passed`, after.passed, `pairs[${index}].after.scored`, after.scored);
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
  let chances = new Float64Array(reach + 1);
  chances[0] = 1;
  let end = 0;
  let seen = 0;
  for (const pair of pairs) {
    const [least, most] = supportOf(pair);
    const steps = (passedAfter: number): number => Math.round(grid * (differenceAt(pair, passedAfter) - differenceAt(pair, least)));
    const next = new Float64Array(reach + 1);
    for (let passedAfter = least; passedAfter <= most; passedAfter += 1) {
      const chance = hypergeometricProbability(passedAfter, pair.after.scored, pair.before.passed + pair.after.passed, pair.before.scored + pair.after.scored);
      const offset = steps(passedAfter);
      for (let place = 0; place <= end; place += 1) next[place + offset] = (next[place + offset] as number) + (chances[place] as number) * chance;
    }
    end += steps(most);
    seen += steps(pair.after.passed);
    chances = next;
  }
  const at = chances[seen] as number;
  const below = sum([...chances.subarray(0, seen)]);
  const above = sum([...chances.subarray(seen + 1)]);
  return Math.max(0, Math.min(1, 2 * (Math.min(below, above) + at)) - at);
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
