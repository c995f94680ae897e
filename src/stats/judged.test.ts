// What a judge's errors do to a rate, and how well raters agree.
import {
  brier, calibrationError, chunkSupport, claimRate, cohenKappa, confusionQuality, effectiveVotes, factScore, fleissKappa, gwetAc1, independentPanel, krippendorffAlpha, matthews, multiClassCorrection, ppi, positionBias, roganGladen, safeF1, scottPi, selectiveAccuracy, verdictAudit, weightedScore, type JudgedRun,
} from "entail/stats";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const SEED = { seed: 20261204, numRuns: 200 };
const counted = (most: number) => fc.integer({ min: 1, max: most }).chain((of) => fc.record({ count: fc.integer({ min: 0, max: of }), of: fc.constant(of) }));

test("a corrected rate is from 0 to 1 with an interval from 0 to 1 about its middle, and mirrors when pass and fail are swapped", () => {
  fc.assert(
    fc.property(counted(500), counted(200), counted(200), (judged, sensitivity, specificity) => {
      const found = roganGladen({ judged, sensitivity, specificity });
      const flipped = roganGladen({ judged: { count: judged.of - judged.count, of: judged.of }, sensitivity: specificity, specificity: sensitivity });
      expect(flipped === null).toBe(found === null);
      fc.pre(found !== null);
      expect(found.estimate).toBeGreaterThanOrEqual(0);
      expect(found.estimate).toBeLessThanOrEqual(1);
      expect(found.interval[0]).toBeLessThanOrEqual(found.interval[1]);
      expect(found.interval[0]).toBeGreaterThanOrEqual(0);
      expect(found.interval[1]).toBeLessThanOrEqual(1);
      expect(flipped?.estimate).toBeCloseTo(1 - found.estimate, 9);
      expect(flipped?.interval[0]).toBeCloseTo(1 - found.interval[1], 9);
    }),
    SEED,
  );
});

test("a judge without errors leaves the rate as it is; more labels give a narrower interval; a coin gives none", () => {
  const run = (labels: number): JudgedRun => ({ judged: { count: 400, of: 500 }, sensitivity: { count: labels, of: labels }, specificity: { count: labels, of: labels } });
  expect(roganGladen(run(50))?.estimate).toBe(0.8);
  const widths = [10, 50, 500].map((labels) => {
    const [lower, upper] = roganGladen(run(labels))?.interval ?? [0, 0];
    return upper - lower;
  });
  expect(widths).toEqual([...widths].sort((a, b) => b - a));
  expect(roganGladen({ judged: { count: 4, of: 5 }, sensitivity: { count: 6, of: 10 }, specificity: { count: 4, of: 10 } })).toBeNull();
  expect(roganGladen({ judged: { count: 4, of: 5 }, sensitivity: { count: 0, of: 1 }, specificity: { count: 99, of: 100 } })).toBeNull();
  expect(roganGladen({ judged: { count: 0, of: 0 }, sensitivity: { count: 9, of: 10 }, specificity: { count: 9, of: 10 } })).toBeNull();
});

test("labels too few to tell the judge from a coin draw a warning", () => {
  const found = roganGladen({ judged: { count: 300, of: 500 }, sensitivity: { count: 7, of: 10 }, specificity: { count: 5, of: 10 } });
  expect(found?.warnings).toEqual([expect.stringContaining("better than a coin")]);
  expect(found).toMatchObject({ labels: 20, raw: 0.6 });
  expect(roganGladen({ judged: { count: 300, of: 500 }, sensitivity: { count: 95, of: 100 }, specificity: { count: 90, of: 100 } })?.warnings).toEqual([]);
});

test("for two labels the correction of several is Rogan and Gladen's", () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 100 }), fc.integer({ min: 60, max: 100 }), fc.integer({ min: 0, max: 500 }), (right, wrong, passed) => {
      const table = [[right, 100 - right], [100 - wrong, wrong]];
      const found = multiClassCorrection(table, [passed, 500 - passed]);
      const pair = roganGladen({ judged: { count: passed, of: 500 }, sensitivity: { count: right, of: 100 }, specificity: { count: wrong, of: 100 } });
      expect(found?.shares[0]).toBeCloseTo(pair?.estimate ?? -1, 9);
      expect(found?.determinant).toBeCloseTo(pair?.informedness ?? -1, 9);
    }),
    SEED,
  );
});

test("corrected shares sum to 1, none is negative, and a judge that confuses two labels draws a warning", () => {
  const cell = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 4 }), fc.array(cell, { minLength: 4, maxLength: 4 }), (noise, observed) => {
      const table = noise.map((row, index) => row.map((count, column) => count + (index === column ? 100 : 0)));
      fc.pre(observed.some((count) => count > 0));
      const found = multiClassCorrection(table, observed);
      if (found === null) throw new Error("the shares are missing");
      expect(found.shares.every((share) => share >= 0 && share <= 1)).toBe(true);
      expect(found.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
    }),
    SEED,
  );
  const blurred = multiClassCorrection([[50, 48, 2], [48, 50, 2], [1, 1, 98]], [40, 30, 30]);
  expect(blurred?.warnings).toEqual([expect.stringContaining("determinant 0.01")]);
  expect(multiClassCorrection([[10, 0], [10, 0]], [5, 5])).toBeNull();
  expect(multiClassCorrection([[10, 0], [0, 0]], [5, 5])).toBeNull();
  expect(multiClassCorrection([[10, 0], [0, 10]], [0, 0])).toBeNull();
});

test("the interval of corrected shares comes from labels and run, holds them, and is the same for the same seed", () => {
  const table = [[90, 6, 4], [5, 85, 10], [8, 6, 86]];
  const found = multiClassCorrection(table, [300, 60, 140], { resamples: 400, seed: 5 });
  expect(multiClassCorrection(table, [300, 60, 140], { resamples: 400, seed: 5 })).toEqual(found);
  expect(found?.random).toEqual({ generator: "xoshiro128**", seed: 5, resamples: 400 });
  for (const [label, [lower, upper]] of (found?.intervals ?? []).entries()) {
    expect(lower).toBeLessThan(found?.shares[label] as number);
    expect(upper).toBeGreaterThan(found?.shares[label] as number);
    expect(upper - lower).toBeGreaterThan(0.05);
  }
  expect(found?.intervals).toHaveLength(3);
});

test("an audit by verdict weighs what the judge passed and failed, and swaps with them", () => {
  const found = verdictAudit({ judgedPassed: 300, judgedFailed: 100, passedSample: { count: 40, of: 40 }, failedSample: { count: 20, of: 20 } });
  expect(found).toMatchObject({ estimate: 0.75, standardError: 0, labels: 60 });
  expect(found?.interval[0]).toBeLessThan(0.72);
  expect(found?.interval[1]).toBeGreaterThan(0.76);
  const swapped = verdictAudit({ judgedPassed: 100, judgedFailed: 300, passedSample: { count: 20, of: 20 }, failedSample: { count: 40, of: 40 } });
  expect(swapped?.interval[0]).toBeCloseTo(1 - (found?.interval[1] ?? 0), 12);
  expect(verdictAudit({ judgedPassed: 5, judgedFailed: 5, passedSample: { count: 5, of: 5 }, failedSample: { count: 0, of: 0 } })).toBeNull();
  expect(verdictAudit({ judgedPassed: 5, judgedFailed: 0, passedSample: { count: 5, of: 5 }, failedSample: { count: 0, of: 0 } })?.estimate).toBe(1);
});

test("without trust in the judge PPI is the labels' mean, and a judge that is always right narrows it", () => {
  const labels = [1, 1, 0, 1, 0, 1, 1, 0];
  const rest = Array.from({ length: 80 }, (_, index) => (index % 8 < 5 ? 1 : 0));
  const alone = ppi({ labels, judged: labels, rest }, { lambda: 0 });
  expect(alone?.estimate).toBe(alone?.human.estimate);
  expect(alone?.standardError).toBeCloseTo(alone?.human.standardError ?? 0, 12);
  const helped = ppi({ labels, judged: labels, rest });
  expect(helped?.standardError ?? 1).toBeLessThan((alone?.standardError ?? 0) / 2);
  expect(helped?.interval[0]).toBeGreaterThanOrEqual(0);
  expect(ppi({ labels, judged: labels.map(() => 1), rest: rest.map(() => 1) })?.lambda).toBe(0);
  expect(ppi({ labels: [1], judged: [1], rest })).toBeNull();
  expect(ppi({ labels, judged: labels, rest: [] })).toBeNull();
});

test("below 100 labels PPI's interval is Student's, and from there on normal", () => {
  const sample = (n: number) => ({ labels: Array.from({ length: n }, (_, index) => index % 2), judged: Array.from({ length: n }, (_, index) => (index % 3) % 2), rest: Array.from({ length: 500 }, (_, index) => index % 2) });
  const width = (n: number, quantile?: "t" | "normal"): number => {
    const [lower, upper] = ppi(sample(n), quantile === undefined ? {} : { quantile })?.interval ?? [0, 0];
    return upper - lower;
  };
  expect(width(20)).toBe(width(20, "t"));
  expect(width(20)).toBeGreaterThan(width(20, "normal"));
  expect(width(100)).toBe(width(100, "normal"));
});

test("every measure of agreement is 1 for equal raters, the same for swapped ones and for labels in another order", () => {
  const cell = fc.nat(20);
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 }), (table) => {
      const swapped = table.map((_, column) => table.map((row) => row[column] as number));
      const turned = [2, 0, 1].map((row) => [2, 0, 1].map((column) => table[row]?.[column] as number));
      for (const measure of [(t: number[][]) => cohenKappa(t)?.value, (t: number[][]) => gwetAc1(t)?.value, (t: number[][]) => scottPi(t)?.value, (t: number[][]) => matthews(t) ?? undefined]) {
        const value = measure(table);
        if (value === undefined) continue;
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
        expect(value).toBeGreaterThanOrEqual(-1 - 1e-12);
        expect(measure(swapped)).toBeCloseTo(value, 10);
        expect(measure(turned)).toBeCloseTo(value, 10);
      }
    }),
    SEED,
  );
  const perfect = [[5, 0, 0], [0, 2, 0], [0, 0, 9]];
  expect([cohenKappa(perfect)?.value, gwetAc1(perfect)?.value, scottPi(perfect)?.value, matthews(perfect)]).toEqual([1, 1, 1, 1]);
});

test("raters that only ever give one label leave kappa undefined, and an empty table everything", () => {
  const one = [[7, 0], [0, 0]];
  expect([cohenKappa(one), scottPi(one), matthews(one), gwetAc1([[3]])]).toEqual([null, null, null, null]);
  const none = [[0, 0], [0, 0]];
  expect([cohenKappa(none), gwetAc1(none), scottPi(none), matthews(none)]).toEqual([null, null, null, null]);
  expect(confusionQuality(none)).toMatchObject({ balancedAccuracy: null, accuracy: { rate: null, interval: null } });
});

test("recall goes by the rows, which are people's, and precision by the columns, which are the judge's", () => {
  const { labels } = confusionQuality([[8, 2], [5, 10]]);
  expect(labels[0]?.recall).toMatchObject({ count: 8, of: 10, rate: 0.8 });
  expect(labels[0]?.precision).toMatchObject({ count: 8, of: 13 });
  expect(labels[1]?.recall).toMatchObject({ count: 10, of: 15 });
});

test("two raters without gaps have about the same alpha and pi; a gap costs its pair; one value throughout is no answer", () => {
  const units = Array.from({ length: 400 }, (_, index) => [index % 2, index % 10 === 0 ? 1 - (index % 2) : index % 2]);
  const table = [[0, 0], [0, 0]] as number[][];
  for (const [a, b] of units) (table[a as number] as number[])[b as number] = ((table[a as number] as number[])[b as number] as number) + 1;
  expect(krippendorffAlpha(units)).toBeCloseTo(scottPi(table)?.value ?? 0, 2);
  expect(krippendorffAlpha([[1, 1, null], [0, 0], [1, null]])).toBe(krippendorffAlpha([[1, 1], [0, 0]]));
  expect(krippendorffAlpha([["a", "a"], ["a", "a"]])).toBeNull();
  expect(krippendorffAlpha([["a"], []])).toBeNull();
  expect(krippendorffAlpha([["a", "b"], ["__proto__", "__proto__"]])).toBeLessThan(1);
  expect(fleissKappa([])).toBeNull();
  expect(fleissKappa([[3, 0], [3, 0]])).toBeNull();
});

test("a confidence that comes true as often as it says has no calibration error", () => {
  const confidences = [0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 1];
  const correct = [1, 0, 1, 0, 0, 0, 1];
  expect(calibrationError(confidences, correct)?.error).toBeCloseTo(0, 12);
  expect(calibrationError([1], [0])).toMatchObject({ error: 1 });
  expect(calibrationError([1], [0])?.bins.at(-1)).toMatchObject({ cases: 1 });
  expect(brier([1, 0], [1, 0])).toBe(0);
  expect([brier([], []), calibrationError([], [])]).toEqual([null, null]);
});

test("a claim neither supported nor contradicted fails, unless it is said what else becomes of it", () => {
  const counts = { supported: 6, contradicted: 1, unknown: 3 };
  expect([claimRate(counts), claimRate(counts, "passed"), claimRate(counts, "dropped")]).toEqual([0.6, 0.9, 6 / 7]);
  expect(claimRate({ supported: 0, contradicted: 0, unknown: 2 }, "dropped")).toBeNull();
  expect([factScore([]), factScore([{ count: 0, of: 0 }]), safeF1(0, 0, 5), chunkSupport([]), chunkSupport([[]]), weightedScore([])]).toEqual([null, null, null, null, null, null]);
  expect(weightedScore([{ grade: 5, logProbability: 0 }, { grade: 1, logProbability: -10 }])).toBe(5);
});

test("a panel is worth no more than one judge where all err together", () => {
  expect(effectiveVotes(5, 1)).toBe(1);
  expect(effectiveVotes(5, -0.5)).toBeNull();
  expect(independentPanel([0.8, 0.8])?.majority).toBeCloseTo(0.64, 12);
  expect(independentPanel([0.7])).toMatchObject({ majority: 0.7, split: 0 });
  expect([independentPanel([]), positionBias({ sameFirst: 0, sameSecond: 0, firstPlace: 0, secondPlace: 0 }), selectiveAccuracy({ correct: 0, judged: 0, of: 0 })]).toEqual([null, null, null]);
  expect(selectiveAccuracy({ correct: 0, judged: 0, of: 4 })).toEqual({ coverage: 0, accuracy: null, overall: 0 });
});
