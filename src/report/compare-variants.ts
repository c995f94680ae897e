// Owns the comparison of the variants of one suite: each against each, with the correction for so many comparisons.

import type { ComparableRun, ComparableScenario, Matrix, VariantPair, VariantResult } from "../core/comparison.ts";
import type { Report } from "../core/report.ts";
import { compareScenarios } from "../stats/compare-scenarios.ts";
import type { ScenarioPair } from "../stats/comparison.ts";
import { holm } from "../stats/holm.ts";
import { nestedRate } from "../stats/nested.ts";
import { comparableRun, isReport } from "./comparable-run.ts";
import { compareReports } from "./compare-reports.ts";
import { pairScenarios, scoredTrials } from "./pair-scenarios.ts";

export interface CompareVariantsOptions {
  /** 0.95 when absent. */
  readonly level?: number | undefined;
  /** As of `compareReports`; 0 when absent. */
  readonly margin?: number | undefined;
}

/**
 * Compares the runs of one suite's variants in pairs, each with those that come after it. A pair's `p` is the least `1 - level` at which it would be called
 * `regressed` or `improved` by itself; it is called so where Holm's correction of that over all pairs of the suite does not exceed `1 - level`: where
 * all variants are equal, some pair is called different in at most so many matrices. Its interval is that of the pair alone. Throws `value_invalid` as
 * `compareReports`.
 */
export function compareVariants(runs: readonly (Report | ComparableRun)[], options: CompareVariantsOptions = {}): Matrix {
  const { level = 0.95, margin = 0 } = options;
  const variants = runs.map((run) => (isReport(run) ? comparableRun(run, run.scenarios) : run));
  const compared = variants.flatMap((before, at) => variants.slice(at + 1).map((after) => ({ names: [nameOf(before), nameOf(after)] as const, counts: pairedCounts(before, after), comparison: compareReports(before, after, { level, margin }) })));
  const chances = compared.map(({ counts }) => leastChance(counts, margin));
  const adjusted = holm(chances);
  return {
    suite: variants[0]?.suiteId ?? "",
    level,
    margin,
    variants: variants.map((run) => resultOf(run, level)),
    pairs: compared.map(({ names: [before, after], comparison }, at): VariantPair => {
      const { difference, interval, scenarios, worse, better, same } = comparison;
      const [p, adjustedP] = difference === null ? [null, null] : [chances[at] as number, adjusted[at] as number];
      const decided = comparison.verdict === "regressed" || comparison.verdict === "improved";
      const verdict = decided && (adjustedP ?? 1) > 1 - level ? "no evidence" : comparison.verdict;
      return { before, after, verdict, difference, interval, p, adjustedP, scenarios, worse, better, same };
    }),
  };
}

/** Steps of the search: the answer is exact to 1e-6 of itself. */
const STEPS = 40;
const LEAST = 1e-9;

/** The intervals of lower levels lie within those of higher ones, so it is found by halving. 1 where not even an even chance decides. */
function leastChance(pairs: readonly ScenarioPair[], margin: number): number {
  const decided = (chance: number): boolean => ["regressed", "improved"].includes(compareScenarios(pairs, { level: 1 - chance, margin }).verdict);
  if (!decided(0.5)) return 1;
  if (decided(LEAST)) return LEAST;
  let [open, settled] = [Math.log(LEAST), Math.log(0.5)];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (open + settled) / 2;
    if (decided(Math.exp(middle))) settled = middle;
    else open = middle;
  }
  return Math.exp(settled);
}

function pairedCounts(before: ComparableRun, after: ComparableRun): readonly ScenarioPair[] {
  const count = (scenario: ComparableScenario): ScenarioPair["before"] => ({ passed: scenario.trials.passed, scored: scoredTrials(scenario) });
  return pairScenarios([before], [after], () => false).compared.map((pair) => ({ id: pair.id, before: count(pair.before), after: count(pair.after) }));
}

function nameOf({ variant }: ComparableRun): string {
  return variant ?? "";
}

function resultOf(run: ComparableRun, level: number): VariantResult {
  const scored = run.scenarios.filter((scenario) => scoredTrials(scenario) > 0);
  const rate = nestedRate(scored.map((scenario) => ({ passed: scenario.trials.passed, scored: scoredTrials(scenario) })), level);
  const mean = (read: (scenario: ComparableScenario) => number | undefined): number | undefined => {
    const known = scored.flatMap((scenario) => read(scenario) ?? []);
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const [cost, durationMs] = [mean((scenario) => scenario.cost), mean((scenario) => scenario.durationMs)];
  return {
    variant: nameOf(run),
    ...(run.runId !== undefined && { runId: run.runId }),
    scenarios: run.scenarios.length,
    rate: rate === null ? null : { rate: rate.rate, interval: rate.interval, trials: rate.trials },
    notMeasured: run.scenarios.length - scored.length,
    ...(cost !== undefined && { cost }),
    ...(durationMs !== undefined && { durationMs }),
  };
}
