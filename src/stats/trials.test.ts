// Several trials of a scenario: what they say of it, and what they may not be taken for.
import {
  bootstrap, clusteredMean, clusteredStandardError, curtail, eValue, eValueAbove, eValueBelow, flipRate, intraclassCorrelation, meanPassAtK, mcnemarMinimumDetectableEffect, mcnemarSampleSize, minimumDetectableEffect, nestedMean, passAtK, passHatK, sampleSize, sprt, stability, standardError, stratifiedMean, trialsToSee, turnSurvival,
} from "entail/stats";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { binomialProbability } from "./binomial-probability.ts";

const SEED = { seed: 20261202, numRuns: 300 };

/** All ways to choose `k` of `n` trials of which the first `c` passed: the share with at least one pass, and with nothing else. */
function byHand(n: number, c: number, k: number): { readonly any: number; readonly all: number } {
  let sets = 0;
  let any = 0;
  let all = 0;
  for (let mask = 0; mask < 2 ** n; mask += 1) {
    let size = 0;
    let passes = 0;
    for (let trial = 0; trial < n; trial += 1) {
      if ((mask & (1 << trial)) === 0) continue;
      size += 1;
      if (trial < c) passes += 1;
    }
    if (size !== k) continue;
    sets += 1;
    if (passes > 0) any += 1;
    if (passes === k) all += 1;
  }
  return { any: any / sets, all: all / sets };
}

test("pass@k and pass^k are the shares over all choices of k trials", () => {
  for (const n of [1, 4, 7]) {
    for (let c = 0; c <= n; c += 1) {
      for (let k = 1; k <= n; k += 1) {
        expect(passAtK(n, c, k)).toBeCloseTo(byHand(n, c, k).any, 12);
        expect(passHatK(n, c, k)).toBeCloseTo(byHand(n, c, k).all, 12);
      }
    }
  }
});

test("with more trials pass@k rises and pass^k falls, with the pass rate between them; k above the scored trials is no answer", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(300), (n, at) => {
      const c = Math.min(at, n);
      let any = 0;
      let all = 1;
      for (const k of [1, 2, 5, 50, 300].filter((size) => size <= n)) {
        expect(passAtK(n, c, k) ?? -1).toBeGreaterThanOrEqual(any - 1e-12);
        expect(passHatK(n, c, k) ?? 2).toBeLessThanOrEqual(all + 1e-12);
        any = passAtK(n, c, k) ?? -1;
        all = passHatK(n, c, k) ?? 2;
        expect(any).toBeCloseTo(1 - (passHatK(n, n - c, k) ?? 2), 10);
      }
      expect(passAtK(n, c, 1)).toBeCloseTo(c / n, 12);
      expect(passAtK(n, c, n + 1)).toBeNull();
      expect(passHatK(n, c, n + 1)).toBeNull();
    }),
    SEED,
  );
});

test("an errored trial lowers n: a scenario with fewer scored trials than k leaves the mean without an answer, not with a 1", () => {
  expect(meanPassAtK([{ passed: 4, scored: 4 }, { passed: 2, scored: 2 }], 3)).toBeNull();
  expect(meanPassAtK([{ passed: 4, scored: 4 }], 3)).toEqual({ mean: 1, standardError: null, scenarios: 1 });
});

test("clusters of one are no clusters, their order and names do not matter, and values that repeat in a cluster say nothing new", () => {
  const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(values, (list) => {
      const plain = standardError(list) ?? -1;
      expect(clusteredStandardError(list, list.map((_, index) => index))).toBeCloseTo(plain, 10);
      const doubled = list.flatMap((value) => [value, value]);
      const owners = list.flatMap((_, index) => [`c${index}`, `c${index}`]);
      expect(clusteredStandardError(doubled, owners)).toBeCloseTo(plain, 10);
      expect(clusteredStandardError(doubled.toReversed(), owners.toReversed())).toBeCloseTo(plain, 10);
    }),
    SEED,
  );
});

test("one cluster leaves the error undefined; it is not 0", () => {
  expect(clusteredStandardError([0, 1, 1], ["a", "a", "a"])).toBeNull();
  expect(clusteredMean([0, 1, 1], ["a", "a", "a"])).toBeNull();
});

test("the text 1 and the number 1 name two clusters", () => {
  expect(clusteredMean([0, 1, 1, 0], ["1", 1, "1", 1])?.clusters).toBe(2);
});

test("the variance of a mean over scenarios is what trials add and what scenarios add", () => {
  const row = fc.array(fc.constantFrom(0, 1), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 2, maxLength: 20 }), (rows) => {
      const found = nestedMean(rows);
      if (found?.standardError === undefined || found.standardError === null || found.fromTrials === null || found.fromScenarios === null) throw new Error("a part is missing");
      expect(found.fromTrials + found.fromScenarios).toBeGreaterThanOrEqual(found.standardError ** 2 - 1e-12);
      expect(found.fromScenarios === 0 || Math.abs(found.fromTrials + found.fromScenarios - found.standardError ** 2) < 1e-10).toBe(true);
    }),
    SEED,
  );
  expect(nestedMean([[1], [0], [1]])).toMatchObject({ trialVariance: null, scenarioVariance: null, fromTrials: null, fromScenarios: null });
  expect(nestedMean([[1, 0], []])).toMatchObject({ mean: 0.5, scenarios: 1, standardError: null, interval: null, trialVariance: 0.5 });
});

test("trials that always agree with each other have an intra-class correlation of 1, random ones about 0", () => {
  expect(intraclassCorrelation([[1, 1], [0, 0], [1, 1]])).toBeCloseTo(1, 12);
  expect(intraclassCorrelation([[1, 0], [0, 1]])).toBeCloseTo(-1, 12);
  expect(intraclassCorrelation([[1], [0]])).toBeNull();
  expect(intraclassCorrelation([[1, 1], [1, 1]])).toBeNull();
});

test("the mean bootstraps to its own error, the same seed to the same numbers, and the report can name the generator", () => {
  const values = Array.from({ length: 60 }, (_, index) => (index * 7919) % 13);
  const first = bootstrap(values, { seed: 11 });
  expect(bootstrap(values, { seed: 11 })).toEqual(first);
  expect(bootstrap(values, { seed: 12 })).not.toEqual(first);
  expect(first?.random).toEqual({ generator: "xoshiro128**", seed: 11 });
  expect((first?.standardError ?? 0) / (standardError(values) ?? 1)).toBeCloseTo(1, 1);
  const families = bootstrap(values, { clusters: values.map((_, index) => index % 6) });
  expect((families?.standardError ?? 0) / (clusteredStandardError(values, values.map((_, index) => index % 6)) ?? 1)).toBeGreaterThan(0.7);
});

test("a ratio that a resample leaves undefined is counted, and too many of them give no interval", () => {
  const ratio = (list: readonly number[]): number | null => (list.some((value) => value > 0) ? 1 / Math.max(...list) : null);
  expect(bootstrap([0, 0, 1], { statistic: ratio, resamples: "all" })).toBeNull();
  expect(bootstrap([1, 2, 3, 0], { statistic: ratio, resamples: "all" })).toMatchObject({ resamples: 255, undefinedResamples: 1 });
  expect(() => bootstrap([1, 2], { statistic: () => Number.NaN })).toThrow(/finite number or null/);
});

test("the number of scenarios and the difference that they show are each other's inverse", () => {
  const n = sampleSize({ difference: 0.04, scenarioVariance: 0.25 });
  expect(minimumDetectableEffect({ n: Math.round(n), standardDeviation: 0.5 })).toBeCloseTo(0.04, 3);
  const pairs = mcnemarSampleSize({ discordant: 0.2, difference: 0.05 }) ?? 0;
  expect(mcnemarMinimumDetectableEffect({ n: Math.ceil(pairs), discordant: 0.2 })).toBeCloseTo(0.05, 3);
  expect(mcnemarMinimumDetectableEffect({ n: 10, discordant: 0.1 })).toBeNull();
  expect(mcnemarSampleSize({ discordant: 0.02, difference: 0.05 })).toBeNull();
});

test("a group that weighs nothing changes nothing", () => {
  const one = { mean: 0.5, standardError: 0.1, weight: 3 };
  const found = stratifiedMean([one, { mean: 0.9, standardError: 0.4, weight: 0 }]);
  expect([found?.mean, found?.standardError]).toEqual([0.5, expect.closeTo(0.1, 12)]);
  expect(stratifiedMean([])).toBeNull();
});

test("a game of SPRT goes on until one side is sure", () => {
  const plan = sprt({ p0: 0.5, p1: 0.8 });
  expect([plan.decide(0, 0), plan.decide(6, 0), plan.decide(7, 0), plan.decide(0, 2), plan.decide(0, 3)]).toEqual(["continue", "continue", "accept_p1", "continue", "accept_p0"]);
});

test("an e-value has mean 1 where its rate holds, after any number of trials, and at most 1 for all rates that the one-sided ones stand against", () => {
  for (const n of [1, 7, 40]) {
    for (const p0 of [0.1, 0.5, 0.9]) {
      const expectation = (p: number, value: (s: number) => number): number => {
        let total = 0;
        for (let s = 0; s <= n; s += 1) total += binomialProbability(s, n, p) * value(s);
        return total;
      };
      expect(expectation(p0, (s) => eValue(s, n, p0))).toBeCloseTo(1, 10);
      for (const share of [0.2, 0.6, 1]) {
        expect(expectation(p0 * share, (s) => eValueAbove(s, n, p0))).toBeLessThanOrEqual(1 + 1e-10);
        expect(expectation(1 - (1 - p0) * share, (s) => eValueBelow(s, n, p0))).toBeLessThanOrEqual(1 + 1e-10);
      }
    }
  }
  expect(eValueAbove(0, 5000, 0.5)).toBeLessThan(1e-3);
  expect(eValueBelow(0, 2000, 0.5)).toBe(Number.POSITIVE_INFINITY);
});

test("a requirement on a fixed number of trials is settled as soon as nothing can change it", () => {
  expect([curtail(3, 5, 2, 2), curtail(3, 5, 3, 0), curtail(3, 5, 0, 3), curtail(5, 5, 4, 1), curtail(0, 5, 0, 0)]).toEqual(["open", "met", "missed", "missed", "met"]);
});

test("scenarios are stable, flaky or unscored, and a flip is counted between neighbours", () => {
  expect([stability(3, 3), stability(1, 3), stability(0, 3), stability(0, 0)]).toEqual(["stable_pass", "flaky", "stable_fail", "unscored"]);
  expect([flipRate([1, 1, 1]), flipRate(["a", "b", "a"]), flipRate([true])]).toEqual([0, 1, null]);
  for (const [f, k] of [[0.2, 4], [0.3, 3], [0.1, 13], [0.05, 20], [0.4, 10], [0.15, 12], [0.25, 7]] as const) expect(trialsToSee(f, 1 - (1 - f) ** k)).toBe(k);
  expect([trialsToSee(1), trialsToSee(0), trialsToSee(0.5, 0.5)]).toEqual([1, null, 1]);
});

test("conversations that nobody saw to their end are neither dropped nor failed", () => {
  expect(turnSurvival([{ reached: 10, failed: 0 }, { reached: 4, failed: 2 }])?.survival).toBe(0.5);
  expect(turnSurvival([{ reached: 10, failed: 10 }, { reached: 0, failed: 0 }])).toMatchObject({ survival: 0, standardError: null });
  expect(turnSurvival([{ reached: 10, failed: 1 }, { reached: 0, failed: 0 }])).toBeNull();
  expect(turnSurvival([])).toBeNull();
});
