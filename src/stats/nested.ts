// Owns the mean over scenarios whose trials are nested in them: the scenario is the unit, never the trial.

import { EntailError } from "../core/error.ts";
import { requireCountOf, requireLevel, requireList, requireNumbers } from "./argument.ts";
import { clusterSquares, partition, type ClusterId } from "./cluster.ts";
import type { Interval } from "./interval.ts";
import { meanInterval, standardError, sum, variance } from "./mean.ts";
import { zOf } from "./normal.ts";
import { wilsonOfShare } from "./wilson.ts";

export interface NestedMean {
  /** The mean of the scenarios' means. */
  readonly mean: number;
  /** `sd(scenario means) / √n`; `null` with one scenario. */
  readonly standardError: number | null;
  /** Student's interval over the scenarios' means, not cut to 0..1; `null` with one scenario. */
  readonly interval: Interval | null;
  readonly scenarios: number;
  /** The variance of one trial within its scenario, unbiased; `null` where no scenario has two trials. */
  readonly trialVariance: number | null;
  /** The variance of the scenarios' true means, unbiased, at least 0; `null` with one scenario or without `trialVariance`. */
  readonly scenarioVariance: number | null;
  /** What trials add to the variance of the mean: more trials shrink it. */
  readonly fromTrials: number | null;
  /** What scenarios add to the variance of the mean: only more scenarios shrink it. */
  readonly fromScenarios: number | null;
}

/**
 * The mean over scenarios of the mean over their trials, `Var = Var_between/n + E[σ²/K]/n`, and how its variance splits. `rows` holds a list for each
 * scenario; one without a scored trial is left out.
 *
 * Flattening the trials would understate the error. Where `fromTrials` is the larger part add trials, else add scenarios. A scenario of one trial
 * takes the mean trial variance of the others. Miller 2024 (arXiv 2411.00640). `null` when no scenario has a trial. Throws `value_invalid` for a
 * value that is not finite.
 */
export function nestedMean(rows: readonly (readonly number[])[], level = 0.95): NestedMean | null {
  requireLevel("nestedMean", level);
  requireList("nestedMean", "rows", rows);
  for (const [index, row] of rows.entries()) requireNumbers("nestedMean", `rows[${index}]`, row);
  const scenarios = rows.filter((row) => row.length > 0);
  const n = scenarios.length;
  if (n === 0) return null;
  const means = scenarios.map((row) => sum(row) / row.length);
  const within = scenarios.flatMap((row) => variance(row) ?? []);
  const trialVariance = within.length === 0 ? null : sum(within) / within.length;
  const spread = variance(means);
  let fromTrials: number | null = null;
  let scenarioVariance: number | null = null;
  if (trialVariance !== null) {
    const noise = sum(scenarios.map((row) => (variance(row) ?? trialVariance) / row.length)) / n;
    fromTrials = noise / n;
    if (spread !== null) scenarioVariance = Math.max(0, spread - noise);
  }
  return {
    mean: sum(means) / n,
    standardError: standardError(means),
    interval: meanInterval(means, level),
    scenarios: n,
    trialVariance,
    scenarioVariance,
    fromTrials,
    fromScenarios: scenarioVariance === null ? null : scenarioVariance / n,
  };
}

/** The trials of one scenario, counted. `scored` leaves out what could not be measured. */
export interface ScenarioCount {
  readonly passed: number;
  readonly scored: number;
  /** The family it shares something with; a scenario without one stands alone. */
  readonly cluster?: ClusterId | undefined;
}

export interface NestedRate {
  /** The mean over scenarios of the share of their scored trials that passed, from 0 to 1. */
  readonly rate: number;
  /** From 0 to 1. */
  readonly interval: Interval;
  /** Scenarios with a scored trial. */
  readonly scenarios: number;
  /** Scored trials. */
  readonly trials: number;
  /** The number of independent cases that would say as much. */
  readonly effectiveSize: number;
}

/**
 * The pass rate over scenarios with trials nested in them (and, where given, scenarios in clusters), with Wilson's interval over the effective number
 * of cases `p(1-p) / Var(p)`, which never counts more than there are trials. With one trial each and no clusters it is exactly `wilson`. Where
 * nothing varies, the effective number is that of the scenarios (or clusters).
 *
 * Korn and Graubard 1998, with Wilson's interval in place of the exact one. `null` when no scenario has a scored trial. Throws `value_invalid` unless
 * `0 <= passed <= scored`, both whole.
 */
export function nestedRate(scenarios: readonly ScenarioCount[], level = 0.95): NestedRate | null {
  requireLevel("nestedRate", level);
  requireList("nestedRate", "scenarios", scenarios);
  for (const [index, scenario] of scenarios.entries()) {
    if (typeof scenario !== "object" || scenario === null) throw new EntailError("value_invalid", `nestedRate: "scenarios[${index}]" must be { passed, scored }`);
    requireCountOf("nestedRate", `scenarios[${index}].passed`, scenario.passed, `scenarios[${index}].scored`, scenario.scored);
  }
  const scored = scenarios.filter((scenario) => scenario.scored > 0);
  const n = scored.length;
  if (n === 0) return null;
  const shares = scored.map((scenario) => scenario.passed / scenario.scored);
  const rate = sum(shares) / n;
  const trials = sum(scored.map((scenario) => scenario.scored));
  const groups = familiesOf(scored);
  const squared = clusterSquares(shares, groups) / n ** 2;
  const effectiveSize = squared <= 1e-15 || rate <= 0 || rate >= 1 ? groups.length : Math.min(trials, (rate * (1 - rate)) / squared);
  return { rate, interval: wilsonOfShare(rate, effectiveSize, zOf(level)), scenarios: n, trials, effectiveSize };
}

/** Scenarios grouped by cluster; one without a cluster is a group of its own. */
export function familiesOf(scenarios: readonly { readonly cluster?: ClusterId | undefined }[]): readonly (readonly number[])[] {
  const alone: number[][] = [];
  const named: number[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    if (scenario.cluster === undefined) alone.push([index]);
    else named.push(index);
  }
  const groups = partition("clusters", named.map((index) => (scenarios[index] as { readonly cluster: ClusterId }).cluster));
  return [...alone, ...groups.map((group) => group.map((position) => named[position] as number))];
}
