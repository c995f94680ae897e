// What must hold of every interval of a rate, whatever the numbers.
import { clopperPearson, confidenceSequence, correlation, gateRule, indeterminateBounds, meanInterval, nestedRate, newcombe, posterior, tango, wald, wilson, zeroFailures, type Interval } from "entail/stats";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { binomialProbability } from "./binomial-probability.ts";

const SEED = { seed: 20261201, numRuns: 300 };
/** `[k, n]` with `n >= 1`. */
const counts = fc.integer({ min: 1, max: 400 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
const level = fc.constantFrom(0.5, 0.8, 0.9, 0.95, 0.99, 0.999);
const kinds: readonly (readonly [string, (k: number, n: number, level: number) => Interval])[] = [
  ["Wilson's", (k, n, at) => wilson(k, n, at) ?? [Number.NaN, Number.NaN]],
  ["the exact", (k, n, at) => clopperPearson(k, n, at) ?? [Number.NaN, Number.NaN]],
  ["the anytime", (k, n, at) => confidenceSequence(k, n, at)],
];

for (const [name, interval] of kinds) {
  test(`${name} interval holds the share and stays within 0 and 1`, () => {
    fc.assert(
      fc.property(counts, level, ([k, n], at) => {
        const [lower, upper] = interval(k, n, at);
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(lower).toBeLessThanOrEqual(k / n + 1e-12);
        expect(upper).toBeGreaterThanOrEqual(k / n - 1e-12);
        expect(upper).toBeLessThanOrEqual(1);
        expect(upper).toBeGreaterThan(lower);
      }),
      SEED,
    );
  });

  test(`${name} interval of the fails mirrors that of the passes`, () => {
    fc.assert(
      fc.property(counts, level, ([k, n], at) => {
        const [lower, upper] = interval(k, n, at);
        const mirrored = interval(n - k, n, at);
        expect(mirrored[0]).toBeCloseTo(1 - upper, 10);
        expect(mirrored[1]).toBeCloseTo(1 - lower, 10);
      }),
      SEED,
    );
  });

  test(`${name} interval is narrower with twice the cases and wider at a higher level`, () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const [lower, upper] = interval(k, n, 0.95);
        const more = interval(2 * k, 2 * n, 0.95);
        const surer = interval(k, n, 0.99);
        expect(more[1] - more[0]).toBeLessThan(upper - lower);
        expect(surer[0]).toBeLessThanOrEqual(lower + 1e-12);
        expect(surer[1]).toBeGreaterThanOrEqual(upper - 1e-12);
      }),
      SEED,
    );
  });
}

test("a posterior interval is from 0 to 1, holds its mean and mirrors itself", () => {
  fc.assert(
    fc.property(counts, ([k, n]) => {
      const { mean, interval } = posterior(k, n);
      const mirrored = posterior(n - k, n);
      expect(interval[0]).toBeGreaterThanOrEqual(0);
      expect(interval[0]).toBeLessThan(mean);
      expect(interval[1]).toBeGreaterThan(mean);
      expect(interval[1]).toBeLessThanOrEqual(1);
      expect(mirrored.interval[0]).toBeCloseTo(1 - interval[1], 10);
    }),
    SEED,
  );
});

/** The exact chance that the interval holds `p` in `n` cases. */
function coverage(n: number, p: number, interval: (k: number, n: number) => Interval | null): number {
  let covered = 0;
  for (let k = 0; k <= n; k += 1) {
    const [lower, upper] = interval(k, n) ?? [1, 0];
    if (lower <= p && p <= upper) covered += binomialProbability(k, n, p);
  }
  return covered;
}

test("at 10 cases and a rate of 0.9 the textbook interval covers 65.0 %, Wilson's 93.0 %, the exact one 98.7 %", () => {
  expect(coverage(10, 0.9, wald)).toBeCloseTo(0.65, 3);
  expect(coverage(10, 0.9, wilson)).toBeCloseTo(0.93, 3);
  expect(coverage(10, 0.9, clopperPearson)).toBeCloseTo(0.987, 3);
  expect(coverage(100, 0.95, wald)).toBeCloseTo(0.877, 3);
  expect(coverage(100, 0.95, wilson)).toBeCloseTo(0.966, 3);
});

test("the exact interval never covers less than its level, at any rate", () => {
  for (const n of [1, 5, 20, 60]) for (let p = 0.01; p < 1; p += 0.01) expect(coverage(n, p, clopperPearson)).toBeGreaterThanOrEqual(0.95 - 1e-12);
});

test("the upper bound after no failure is the end of the one-sided exact interval", () => {
  for (const n of [1, 10, 30, 300]) expect(zeroFailures(n)).toBeCloseTo(clopperPearson(0, n, 0.9)?.[1] ?? 0, 10);
});

test("a rate over scenarios of one trial has Wilson's interval, and alike trials add nothing", () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 2, max: 5 }), ([k, n], trials) => {
      const ones = Array.from({ length: n }, (_, index) => ({ passed: index < k ? 1 : 0, scored: 1 }));
      const single = nestedRate(ones);
      const wanted = wilson(k, n) ?? [0, 0];
      expect(single?.interval[0]).toBeCloseTo(wanted[0], 9);
      expect(single?.interval[1]).toBeCloseTo(wanted[1], 9);
      const repeated = nestedRate(ones.map(({ passed }) => ({ passed: passed * trials, scored: trials })));
      expect(repeated?.trials).toBe(n * trials);
      expect(repeated?.interval[0]).toBeCloseTo(wanted[0], 9);
      expect(repeated?.interval[1]).toBeCloseTo(wanted[1], 9);
      const families = nestedRate(ones.map((scenario, index) => ({ ...scenario, cluster: index % 2 })));
      expect(families?.effectiveSize ?? 0).toBeLessThanOrEqual(n + 1e-6);
    }),
    { ...SEED, numRuns: 100 },
  );
});

test("an errored trial lowers the number of trials and never counts as a fail", () => {
  expect(nestedRate([{ passed: 2, scored: 2 }, { passed: 0, scored: 0 }, { passed: 1, scored: 2 }])).toMatchObject({ rate: 0.75, scenarios: 2, trials: 4 });
  expect(nestedRate([{ passed: 0, scored: 0 }])).toBeNull();
});

test("scenarios that all pass say as much as there are scenarios, or clusters of them", () => {
  const all = Array.from({ length: 10 }, () => ({ passed: 5, scored: 5 }));
  expect(nestedRate(all)?.interval).toEqual(wilson(10, 10));
  expect(nestedRate(all.map((scenario, index) => ({ ...scenario, cluster: index < 5 ? "a" : "b" })))?.interval).toEqual(wilson(2, 2));
});

test("Tango's and Newcombe's intervals hold the difference, stay within -1 and 1, and mirror when the sides are swapped", () => {
  const flips = fc.tuple(fc.nat(60), fc.nat(60), fc.nat(200)).filter(([b, c, rest]) => b + c + rest > 0);
  fc.assert(
    fc.property(flips, level, ([b, c, rest], at) => {
      const n = b + c + rest;
      for (const [interval, swapped, difference] of [
        [tango(b, c, n, at), tango(c, b, n, at), (b - c) / n],
        [newcombe(b, n, c, n, at), newcombe(c, n, b, n, at), (b - c) / n],
      ] as const) {
        if (interval === null || swapped === null) throw new Error("an interval is missing");
        expect(interval[0]).toBeGreaterThanOrEqual(-1);
        expect(interval[0]).toBeLessThanOrEqual(difference + 1e-12);
        expect(interval[1]).toBeGreaterThanOrEqual(difference - 1e-12);
        expect(interval[1]).toBeLessThanOrEqual(1);
        expect(swapped[0]).toBeCloseTo(-interval[1], 10);
        expect(swapped[1]).toBeCloseTo(-interval[0], 10);
      }
    }),
    SEED,
  );
});

test("two runs of 100 scenarios without a flip may differ by up to 3.7 points by Tango's interval", () => {
  const [lower, upper] = tango(0, 0, 100) ?? [0, 0];
  expect(upper).toBeCloseTo(0.036993, 5);
  expect(lower).toBeCloseTo(-0.036993, 5);
  expect(tango(1, 0, 1)?.[1]).toBe(1);
});

test("undecided cases widen what is known: each of them could go either way", () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), fc.nat(50), (passed, failed, indeterminate) => {
      const n = passed + failed + indeterminate;
      fc.pre(n > 0);
      const found = indeterminateBounds({ passed, failed, indeterminate });
      if (found === null) throw new Error("the bounds are missing");
      expect(found.bounds[1] - found.bounds[0]).toBeCloseTo(indeterminate / n, 12);
      expect(found.interval[0]).toBeLessThanOrEqual(found.bounds[0]);
      expect(found.interval[1]).toBeGreaterThanOrEqual(found.bounds[1]);
    }),
    SEED,
  );
});

test("a gate passes at its very target, fails below it and else says that it does not know", () => {
  expect(gateRule([0.8, 0.9], 0.8)).toBe("passed");
  expect(gateRule([0.8, 0.9], 0.9)).toBe("inconclusive");
  expect(gateRule([0.8, 0.9], 0.91)).toBe("failed");
  expect(gateRule([-0.03, 0.02], -0.05)).toBe("passed");
  expect(gateRule(null, 0.5)).toBe("inconclusive");
});

test("an interval of a mean keeps the unit of its values, and a million equal scores have their own value as mean", () => {
  expect(meanInterval([10, 20, 30])?.map(Math.round)).toEqual([-5, 45]);
  expect(meanInterval(Array.from({ length: 1_000_000 }, () => 0.1))).toEqual([0.1, 0.1]);
  expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
});
