// Owns the interval of the change between two runs: which unit it rests on, and how its variance splits.

import { clusterSquares } from "./cluster.ts";
import type { Comparison, ComparisonUnit, ScenarioPair } from "./comparison.ts";
import { sum } from "./mean.ts";
import { familiesOf } from "./nested.ts";
import { zOf } from "./normal.ts";
import { tOf } from "./student.ts";
import { tango } from "./tango.ts";
import { wilsonOfShare } from "./wilson.ts";

/** Fewer units than this say nothing of their spread: not even all moving one way would be unlikely enough. */
const LEAST_UNITS = 5;

export interface Measured {
  readonly difference: number;
  /** The ends before they are cut to -1..1. */
  readonly lower: number;
  readonly upper: number;
  /** Of `difference`. */
  readonly variance: number;
  /** The part of it that more trials would not shrink. */
  readonly fromScenarios: number;
  /** Standard errors on either side of the interval. */
  readonly quantile: number;
  readonly unit: ComparisonUnit;
  readonly units: number;
  readonly method: Exclude<Comparison["method"], null>;
  readonly scenarios: number;
  /** Trials a scenario and side: the harmonic mean, which is how noise adds up. */
  readonly trials: number;
}

/** `pairs` is not empty and each side of each has a scored trial; `changes` are their differences, after less before. */
export function measureDifference(pairs: readonly ScenarioPair[], changes: readonly number[], level: number): Measured {
  const n = pairs.length;
  const difference = sum(changes) / n;
  const z = zOf(level);
  const trials = (2 * n) / sum(pairs.map(({ before, after }) => 1 / before.scored + 1 / after.scored));
  const families = familiesOf(pairs);
  const clustered = families.length >= LEAST_UNITS && families.length < n;
  const common = { difference, scenarios: n, trials };

  // What two runs without a flip leave open, by Tango's interval of none in as many pairs: no interval is narrower.
  const pairsOfTrials = n * trials;
  const least = (z / (pairsOfTrials + z ** 2)) ** 2;

  if (!clustered && pairs.every(({ before, after }) => before.scored === 1 && after.scored === 1)) {
    const worse = changes.filter((change) => change < 0).length;
    const better = changes.filter((change) => change > 0).length;
    const [lower, upper] = tango(better, worse, n, level) ?? [-1, 1];
    const variance = Math.max(least, (worse + better - (worse - better) ** 2 / n) / n ** 2);
    return { ...common, lower, upper, variance, fromScenarios: 0, quantile: z, unit: "scenario", units: n, method: "tango" };
  }

  const noise = trialNoise(pairs) / n ** 2;
  if (!clustered && n < LEAST_UNITS) return byTrials(pairs, common, z, least);

  const groups = clustered ? families : changes.map((_, index) => [index]);
  const units = groups.length;
  const spread = (clusterSquares(changes, groups) * units) / (units - 1) / n ** 2;
  const variance = Math.max(least, spread);
  const quantile = tOf(level, units - 1);
  const half = quantile * Math.sqrt(variance);
  const fromScenarios = Math.max(0, spread - (trials === 1 ? spread : noise));
  return {
    ...common,
    lower: difference - half,
    upper: difference + half,
    variance,
    fromScenarios,
    quantile,
    unit: clustered ? "cluster" : "scenario",
    units,
    method: clustered ? "clustered t" : "t",
  };
}

/**
 * The sum over scenarios of what trials add to the variance of their change, unbiased. A side of one trial shows nothing of it, so it is given that
 * of the other side, and else that of the scenarios which show it.
 */
function trialNoise(pairs: readonly ScenarioPair[]): number {
  const shown = pairs.map(({ before, after }) => {
    const first = noiseOf(before.passed, before.scored);
    const second = noiseOf(after.passed, after.scored);
    return { first: first ?? second, second: second ?? first };
  });
  const known = shown.flatMap(({ first, second }) => (first === undefined || second === undefined ? [] : [(first + second) / 2]));
  const usual = known.length === 0 ? 0 : sum(known) / known.length;
  return sum(shown.map(({ first = usual, second = usual }, index) => first / (pairs[index] as ScenarioPair).before.scored + second / (pairs[index] as ScenarioPair).after.scored));
}

/** The variance of one trial, unbiased; `undefined` from a single one. */
function noiseOf(passed: number, scored: number): number | undefined {
  return scored < 2 ? undefined : (passed * (scored - passed)) / (scored * (scored - 1));
}

/** For too few scenarios: the change in these very ones, by Wilson's ends of each side of each (MOVER; one scenario gives Newcombe's interval). */
function byTrials(pairs: readonly ScenarioPair[], common: Pick<Measured, "difference" | "scenarios" | "trials">, z: number, least: number): Measured {
  let below = 0;
  let above = 0;
  let variance = 0;
  for (const { before, after } of pairs) {
    const first = before.passed / before.scored;
    const second = after.passed / after.scored;
    const firstEnds = wilsonOfShare(first, before.scored, z);
    const secondEnds = wilsonOfShare(second, after.scored, z);
    below += (second - secondEnds[0]) ** 2 + (firstEnds[1] - first) ** 2;
    above += (secondEnds[1] - second) ** 2 + (first - firstEnds[0]) ** 2;
    variance += (first * (1 - first)) / before.scored + (second * (1 - second)) / after.scored;
  }
  const n = pairs.length;
  return {
    ...common,
    lower: common.difference - Math.sqrt(below) / n,
    upper: common.difference + Math.sqrt(above) / n,
    variance: Math.max(least, variance / n ** 2),
    fromScenarios: 0,
    quantile: z,
    unit: "trial",
    units: sum(pairs.map(({ before, after }) => before.scored + after.scored)),
    method: "stratified",
  };
}
