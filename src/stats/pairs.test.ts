// Two runs over the same scenarios, and many such comparisons.
import { benjaminiHochberg, bonettPrice, fisherExact, holm, mcnemarChiSquare, mcnemarExact, mcnemarMidP, pairedT, pairedWald, permutationMidP, wilcoxonSignedRank, type TrialPair } from "entail/stats";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const SEED = { seed: 20261203, numRuns: 300 };
const flips = fc.tuple(fc.nat(200), fc.nat(200));

test("the mid-p value is at most the exact one, both are the same from either side, and they get smaller as flips get one-sided", () => {
  fc.assert(
    fc.property(flips, ([b, c]) => {
      expect(mcnemarMidP(b, c)).toBeLessThanOrEqual(mcnemarExact(b, c));
      expect(mcnemarMidP(b, c)).toBeGreaterThanOrEqual(0);
      expect(mcnemarMidP(c, b)).toBeCloseTo(mcnemarMidP(b, c), 12);
      expect(mcnemarExact(c, b)).toBeCloseTo(mcnemarExact(b, c), 12);
      const [more, less] = [Math.max(b, c), Math.min(b, c)];
      expect(mcnemarExact(more + 1, less)).toBeLessThanOrEqual(mcnemarExact(b, c) + 1e-12);
      expect(b === c || (mcnemarChiSquare(b, c, { continuity: true })?.p ?? 0) >= (mcnemarChiSquare(b, c)?.p ?? 1)).toBe(true);
    }),
    SEED,
  );
});

test("two runs without a flip are no evidence: p is 1 by the exact and by the mid-p test", () => {
  expect([mcnemarExact(0, 0), mcnemarMidP(0, 0), mcnemarChiSquare(0, 0)]).toEqual([1, 1, null]);
  expect([permutationMidP([]), permutationMidP([{ before: { passed: 3, scored: 3 }, after: { passed: 3, scored: 3 } }])]).toEqual([1, 1]);
});

test("the quick intervals agree with Tango's where there are many flips", () => {
  expect(pairedWald(60, 40, 400)?.interval[0]).toBeCloseTo(bonettPrice(60, 40, 400)?.[0] ?? 0, 2);
  expect(bonettPrice(0, 0, 50)?.[1]).toBeGreaterThan(0.03);
});

/** The mid-p value by trying every way to share out each scenario's outcomes. */
function byHand(pairs: readonly TrialPair[]): number {
  let sums: readonly (readonly [number, number])[] = [[0, 1]];
  for (const { before, after } of pairs) {
    const outcomes = Array.from({ length: before.scored + after.scored }, (_, index) => (index < before.passed + after.passed ? 1 : 0));
    const ways: number[] = [];
    for (let mask = 0; mask < 2 ** outcomes.length; mask += 1) {
      const chosen = outcomes.filter((_, index) => (mask & (1 << index)) !== 0);
      if (chosen.length !== after.scored) continue;
      const passed = chosen.reduce<number>((sum, outcome) => sum + outcome, 0);
      ways.push(passed / after.scored - (before.passed + after.passed - passed) / before.scored);
    }
    sums = sums.flatMap(([sum, chance]) => ways.map((way) => [sum + way, chance / ways.length] as const));
  }
  const seen = pairs.reduce((sum, { before, after }) => sum + after.passed / after.scored - before.passed / before.scored, 0);
  const mass = (holds: (sum: number) => boolean): number => sums.reduce((total, [sum, chance]) => (holds(sum) ? total + chance : total), 0);
  const at = mass((sum) => Math.abs(sum - seen) < 1e-9);
  return Math.min(1, 2 * (Math.min(mass((sum) => sum < seen - 1e-9), mass((sum) => sum > seen + 1e-9)) + at)) - at;
}

test("the permutation test is the share over all ways to hand out a scenario's outcomes", () => {
  const side = fc.integer({ min: 1, max: 3 }).chain((scored) => fc.record({ passed: fc.integer({ min: 0, max: scored }), scored: fc.constant(scored) }));
  fc.assert(
    fc.property(fc.array(fc.record({ before: side, after: side }), { minLength: 1, maxLength: 3 }), (pairs) => {
      const mixed = pairs.some(({ before, after }) => before.passed + after.passed > 0 && before.passed + after.passed < before.scored + after.scored);
      expect(permutationMidP(pairs)).toBeCloseTo(mixed ? byHand(pairs) : 1, 10);
      expect(permutationMidP(pairs.map(({ before, after }) => ({ before: after, after: before })))).toBeCloseTo(permutationMidP(pairs), 10);
    }),
    { ...SEED, numRuns: 100 },
  );
});

test("with one trial on each side the permutation test is the mid-p McNemar test", () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(40), fc.nat(20), (b, c, rest) => {
      const pairs = [...Array.from({ length: b }, () => [1, 0]), ...Array.from({ length: c }, () => [0, 1]), ...Array.from({ length: rest }, () => [1, 1])];
      expect(permutationMidP(pairs.map(([before, after]) => ({ before: { passed: before as number, scored: 1 }, after: { passed: after as number, scored: 1 } })))).toBeCloseTo(mcnemarMidP(b, c), 10);
    }),
    SEED,
  );
});

test("beyond what can be counted the permutation test is normal", () => {
  const pair = (before: number, after: number): TrialPair => ({ before: { passed: before, scored: 997 }, after: { passed: after, scored: 991 } });
  const p = permutationMidP(Array.from({ length: 500 }, (_, index) => (index % 2 === 0 ? pair(500, 497) : pair(480, 470))));
  // 250 (0.50151 - 0.50150 + 0.47427 - 0.48144) / √(500 · ¼ · (1/997 + 1/991)) is -3.57 standard errors.
  expect(p).toBeCloseTo(0.00035, 5);
  const single = (before: number, after: number): TrialPair => ({ before: { passed: before, scored: 1 }, after: { passed: after, scored: 1 } });
  expect(permutationMidP(Array.from({ length: 3000 }, (_, index) => (index < 1540 ? single(1, 0) : single(0, 1))))).toBeCloseTo(mcnemarMidP(1540, 1460), 3);
});

test("Fisher's test is the same with rows or columns swapped, and 1 for equal rows", () => {
  const cell = fc.nat(30);
  fc.assert(
    fc.property(cell, cell, cell, cell, (a, b, c, d) => {
      const p = fisherExact([[a, b], [c, d]]);
      expect(p).toBeGreaterThan(0);
      expect(p).toBeLessThanOrEqual(1);
      expect(fisherExact([[c, d], [a, b]])).toBeCloseTo(p, 9);
      expect(fisherExact([[b, a], [d, c]])).toBeCloseTo(p, 9);
      expect(fisherExact([[a, b], [a, b]])).toBeCloseTo(1, 9);
    }),
    SEED,
  );
  expect(fisherExact([[0, 0], [3, 4]])).toBe(1);
});

test("the signed rank test counts every pattern of signs, ties included", () => {
  const byPattern = (differences: readonly number[], w: number): number => {
    const sizes = differences.map(Math.abs);
    const ranks = sizes.map((size) => sizes.filter((other) => other < size).length + (sizes.filter((other) => other === size).length + 1) / 2);
    let atMost = 0;
    for (let mask = 0; mask < 2 ** ranks.length; mask += 1) {
      const sum = ranks.reduce((total, rank, index) => ((mask & (1 << index)) === 0 ? total : total + rank), 0);
      if (sum <= w + 1e-9) atMost += 1;
    }
    return Math.min(1, (2 * atMost) / 2 ** ranks.length);
  };
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }).filter((value) => value !== 0), { minLength: 1, maxLength: 10 }), (differences) => {
      const found = wilcoxonSignedRank(differences);
      expect(found?.p).toBeCloseTo(byPattern(differences, found?.w ?? -1), 10);
      expect(wilcoxonSignedRank(differences.map((value) => -value))).toEqual(found);
      expect(wilcoxonSignedRank([...differences, 0, 0])).toEqual(found);
    }),
    { ...SEED, numRuns: 100 },
  );
  expect(wilcoxonSignedRank([0, 0])).toBeNull();
});

test("the normal form of the signed rank test takes over at 51 differences without a jump", () => {
  const differences = Array.from({ length: 51 }, (_, index) => (index % 3 === 0 ? -1 : 1) * (index + 1));
  const [exact, normal] = [wilcoxonSignedRank(differences.slice(0, 50)), wilcoxonSignedRank(differences)];
  expect([exact?.method, normal?.method]).toEqual(["exact", "normal"]);
  expect(Math.abs((exact?.p ?? 0) - (normal?.p ?? 1))).toBeLessThan(0.02);
});

test("pairs that all differ alike leave no doubt to a t test, pairs that do not differ at all no difference", () => {
  expect(pairedT([1, 1, 1], [0, 0, 0])).toMatchObject({ difference: 1, t: Number.POSITIVE_INFINITY, p: 0 });
  expect(pairedT([1, 1, 1], [1, 1, 1])).toMatchObject({ difference: 0, t: 0, p: 1 });
  expect(pairedT([1], [0])).toBeNull();
  expect(pairedT([1, 1, 0, 1, 1, 0], [0, 1, 0, 0, 1, 1], { clusters: ["a", "a", "b", "b", "c", "c"] })?.df).toBe(2);
});

test("adjusted p-values keep their order, are never below what they were, and Holm's never below Benjamini and Hochberg's", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (pValues) => {
      const hochberg = benjaminiHochberg(pValues);
      const bonferroni = holm(pValues);
      for (const [index, p] of pValues.entries()) {
        expect(hochberg[index]).toBeGreaterThanOrEqual(p * (1 - 1e-12));
        expect(bonferroni[index]).toBeGreaterThanOrEqual((hochberg[index] as number) * (1 - 1e-12));
        expect(bonferroni[index]).toBeLessThanOrEqual(1);
        expect(pValues.every((q, other) => q >= p || (hochberg[other] as number) <= (hochberg[index] as number))).toBe(true);
      }
    }),
    SEED,
  );
});
