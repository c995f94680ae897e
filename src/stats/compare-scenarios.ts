// Owns the comparison itself: whether a run is worse than another, paired by scenario with the trials nested in it.

import { EntailError } from "../core/error.ts";
import { isCountOf, requireCountOf, requireInside, requireLevel, requireList, requirePositiveCount, refuse } from "./argument.ts";
import { benjaminiHochberg } from "./benjamini-hochberg.ts";
import type { Comparison, ComparisonOptions, ComparisonVerdict, ScenarioPair } from "./comparison.ts";
import { measureDifference, type Measured } from "./measure-difference.ts";
import { sum } from "./mean.ts";
import { normalQuantile } from "./normal.ts";
import { permutationMidP } from "./permutation.ts";

/** Differences of pass rates nearer than this are equal: `0.3 - 0.2` is a change of `0.1`. */
const EQUAL = 1e-9;

/**
 * Compares two runs over the scenarios that both hold. The unit is the scenario (or the cluster), never the trial.
 *
 * - The estimate is the mean over scenarios of the change of their pass rate. Its interval: Tango's with one trial on each side, else Student's over
 *   the scenarios' changes, with the clustered error where there are five clusters or more. With fewer than five scenarios nothing can be said of
 *   scenarios in general, and the interval speaks of these alone, by their trials.
 * - The interval also holds 0 where the permutation test (`permutationMidP`) does not exclude it: a few flips of many scenarios look surer to a t
 *   interval than they are.
 * - `regressed`: the interval lies below `-margin`. `improved`: it lies above 0. Else `too few` where the estimate is below `-margin` and more trials
 *   could settle it, or nothing could be compared; else `no evidence`, which two runs without a flip always are.
 * - More trials shrink only what trials add to the variance, so `trialsNeeded` solves `q² (V_between + V_trials K/K') = (|d| - margin)²`; with one
 *   trial on each side all of the variance is taken to be theirs.
 * - `smallestDrop` is the least `δ` with `δ - margin >= q √V₀ + z_power √V₁`, `V` the variance seen and that of the flips which such a drop itself
 *   adds (McNemar's sample size, Connor 1987).
 *
 * Sources: Tango 1998; Miller 2024 (arXiv 2411.00640). Throws `value_invalid` for a scenario named twice, for
 * counts that are not whole with `0 <= passed <= scored`, and for options out of range.
 */
export function compareScenarios(pairs: readonly ScenarioPair[], options: ComparisonOptions = {}): Comparison {
  const { level = 0.95, margin = 0, power = 0.8, maxTrials = 1000 } = options;
  requireLevel("compareScenarios", level);
  if (typeof margin !== "number" || !(margin >= 0 && margin < 1)) refuse("compareScenarios", "margin", "from 0 to below 1", margin);
  requireInside("compareScenarios", "power", power);
  requirePositiveCount("compareScenarios", "maxTrials", maxTrials);
  requirePairs(pairs);

  const compared = pairs.filter((pair) => pair.before.scored > 0 && pair.after.scored > 0);
  const unscored = pairs.filter((pair) => pair.before.scored === 0 || pair.after.scored === 0).map((pair) => pair.id);
  const changes = compared.map(({ before, after }) => after.passed / after.scored - before.passed / before.scored);
  const n = compared.length;
  const worse = changes.filter((change) => change < -EQUAL).length;
  const better = changes.filter((change) => change > EQUAL).length;
  const counts = { scenarios: n, worse, better, same: n - worse - better, unscored, level, margin };
  if (n === 0) {
    const nothing = { difference: null, standardError: null, interval: null, p: null, unit: null, units: 0, method: null, before: null, after: null } as const;
    return { verdict: "too few", ...nothing, ...counts, certainlyWorse: [], certainlyBetter: [], smallestDrop: null, trialsNeeded: null };
  }

  const measured = measureDifference(compared, changes, level);
  const p = permutationMidP(compared);
  const undecided = p > 1 - level;
  const lower = Math.max(-1, undecided ? Math.min(0, measured.lower) : measured.lower);
  const upper = Math.min(1, undecided ? Math.max(0, measured.upper) : measured.upper);
  const { difference } = measured;
  const trialsNeeded = difference < -margin - EQUAL ? trialsToSettle(measured, Math.max(measured.upper, upper), margin, maxTrials) : null;

  let verdict: ComparisonVerdict = "no evidence";
  if (upper < -margin - EQUAL) verdict = "regressed";
  else if (lower > EQUAL) verdict = "improved";
  else if (trialsNeeded !== null) verdict = "too few";

  return {
    verdict,
    difference,
    standardError: Math.sqrt(measured.variance),
    interval: [lower, upper],
    p,
    unit: measured.unit,
    units: measured.units,
    method: measured.method,
    before: sum(compared.map(({ before }) => before.passed / before.scored)) / n,
    after: sum(compared.map(({ after }) => after.passed / after.scored)) / n,
    ...counts,
    ...changedScenarios(compared, changes, level),
    smallestDrop: smallestDrop(measured, margin, power),
    trialsNeeded: verdict === "too few" ? trialsNeeded : null,
  };
}

function requirePairs(pairs: readonly ScenarioPair[]): void {
  requireList("compareScenarios", "pairs", pairs);
  const seen = new Set<string>();
  for (const [index, pair] of pairs.entries()) {
    if (typeof pair !== "object" || pair === null || typeof pair.id !== "string") throw new EntailError("value_invalid", `compareScenarios: "pairs[${index}]" must be { id, before, after }`);
    if (seen.has(pair.id)) throw new EntailError("value_invalid", `compareScenarios: scenario ${JSON.stringify(pair.id)} is given twice`);
    seen.add(pair.id);
    for (const side of ["before", "after"] as const) {
      const trials: unknown = pair[side];
      if (typeof trials !== "object" || trials === null) throw new EntailError("value_invalid", `compareScenarios: "pairs[${index}].${side}" must be { passed, scored }`);
      const { passed, scored } = pair[side];
      if (!isCountOf(passed, scored)) requireCountOf("compareScenarios", `pairs[${index}].${side}.passed`, passed, `pairs[${index}].${side}.scored`, scored);
    }
  }
}

/** Trials of each scenario on each side that would bring the interval's end to `-margin` with the estimate as it is. */
function trialsToSettle(measured: Measured, upper: number, margin: number, maxTrials: number): number | null {
  const { difference, quantile, fromScenarios, trials } = measured;
  const seen = ((upper - difference) / quantile) ** 2;
  const wanted = ((-difference - margin) / quantile) ** 2;
  if (wanted <= fromScenarios) return null;
  const factor = Math.max(1, (seen - fromScenarios) / (wanted - fromScenarios));
  const needed = Math.max(Math.floor(trials) + 1, Math.ceil(trials * factor - EQUAL));
  return needed <= maxTrials ? needed : null;
}

function smallestDrop(measured: Measured, margin: number, power: number): number | null {
  const { quantile, variance, scenarios, trials } = measured;
  const zPower = normalQuantile(power);
  const found = (drop: number): boolean => {
    const flips = drop / (scenarios * trials);
    const under = Math.max(variance, variance + flips - drop ** 2 / scenarios);
    return drop - margin >= quantile * Math.sqrt(variance + flips) + zPower * Math.sqrt(under);
  };
  if (!found(1)) return null;
  let lower = margin;
  let upper = 1;
  for (let round = 0; round < 100; round += 1) {
    const middle = (lower + upper) / 2;
    if (middle === lower || middle === upper) break;
    if (found(middle)) upper = middle;
    else lower = middle;
  }
  return upper;
}

function changedScenarios(pairs: readonly ScenarioPair[], changes: readonly number[], level: number): { readonly certainlyWorse: readonly string[]; readonly certainlyBetter: readonly string[] } {
  const certainlyWorse: string[] = [];
  const certainlyBetter: string[] = [];
  const known = new Map<string, number>();
  const adjusted = benjaminiHochberg(
    pairs.map((pair) => {
      const key = `${pair.before.passed}/${pair.before.scored} ${pair.after.passed}/${pair.after.scored}`;
      const p = known.get(key) ?? permutationMidP([pair]);
      known.set(key, p);
      return p;
    }),
  );
  for (const [index, pair] of pairs.entries()) {
    if ((adjusted[index] as number) > 1 - level) continue;
    if ((changes[index] as number) < 0) certainlyWorse.push(pair.id);
    else certainlyBetter.push(pair.id);
  }
  return { certainlyWorse, certainlyBetter };
}
