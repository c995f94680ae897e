// The special functions against values computed with 40 digits, and against their own identities.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { binomialCdf } from "./binomial.ts";
import { binomialProbability } from "./binomial-probability.ts";
import { chiSquareCdf, chiSquareQuantile, chiSquareTail } from "./chi-square.ts";
import { hypergeometricProbability } from "./hypergeometric.ts";
import { betaQuantile, incompleteBeta } from "./incomplete-beta.ts";
import { lowerGamma, upperGamma } from "./incomplete-gamma.ts";
import { logBeta, logGamma, stirlingError } from "./log-gamma.ts";
import { invert, multiply, nearestShares } from "./matrix.ts";
import { normalCdf, normalQuantile, zOf } from "./normal.ts";
import { createRandom, xoshiro128 } from "./random.ts";
import { rank } from "./ranks.ts";
import { studentCdf, studentQuantile, tOf } from "./student.ts";

const SEED = { seed: 20261130, numRuns: 200 };
/** How far a value is off, as a share of the wanted one where that is above 1. */
const off = (actual: number, wanted: number): number => Math.abs(actual - wanted) / Math.max(1, Math.abs(wanted));

test("ln Γ is right to twelve digits from 0.1 to a million", () => {
  for (const [x, wanted] of [[0.1, 2.252712651734206], [0.5, 0.5723649429247], [1.5, -0.12078223763524522], [3.7, 1.428072326665388], [15.9, 27.625493215168692], [16.1, 28.173694494813546], [171.5, 709.1431630309282], [1e6, 12815504.569147611]] as const) expect(off(logGamma(x), wanted)).toBeLessThanOrEqual(1e-12);
  expect(off(logBeta(2, 3), Math.log(1 / 12))).toBeLessThanOrEqual(1e-12);
});

test("ln Γ(x + 1) is ln x + ln Γ(x), and Stirling's error is the same on both sides of 16", () => {
  fc.assert(fc.property(fc.double({ min: 0.01, max: 500, noNaN: true }), (x) => { expect(off(logGamma(x + 1), Math.log(x) + logGamma(x))).toBeLessThanOrEqual(1e-12); }), SEED);
  expect(off(stirlingError(15.999999999), stirlingError(16.000000001))).toBeLessThanOrEqual(1e-11);
});

test("the incomplete beta is right to ten digits and more, also with 100,000 trials", () => {
  for (const [a, b, x, wanted] of [[0.5, 0.5, 0.1, 0.20483276469913347], [2, 3, 0.4, 0.5248], [45, 5, 0.9, 0.4496908669185834], [1000, 20, 0.985, 0.8604159730735104], [0.5, 50, 0.001, 0.24763098003462322], [50_000, 50_000, 0.501, 0.7364550617029584]] as const) expect(off(incompleteBeta(a, b, x), wanted)).toBeLessThanOrEqual(1e-11);
  expect(incompleteBeta(2, 3, 0)).toBe(0);
  expect(incompleteBeta(2, 3, 1)).toBe(1);
});

test("I_x(a, b) and I_1-x(b, a) make 1, and the quantile gives x back", () => {
  const shape = fc.double({ min: 0.3, max: 400, noNaN: true });
  fc.assert(fc.property(shape, shape, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (a, b, x) => { expect(off(incompleteBeta(a, b, x) + incompleteBeta(b, a, 1 - x), 1)).toBeLessThanOrEqual(1e-12); }), SEED);
  // Below a shape of 1 the chance of the last representable step before 1 is already more than the bound asked for here.
  const blunt = fc.double({ min: 1, max: 400, noNaN: true });
  fc.assert(fc.property(blunt, blunt, fc.double({ min: 0.0001, max: 0.9999, noNaN: true }), (a, b, p) => { expect(off(incompleteBeta(a, b, betaQuantile(p, a, b)), p)).toBeLessThanOrEqual(1e-11); }), SEED);
  expect(betaQuantile(0, 2, 3)).toBe(0);
  expect(betaQuantile(1, 2, 3)).toBe(1);
});

test("the incomplete gammas make 1, and Q(1, x) is e^-x", () => {
  fc.assert(fc.property(fc.double({ min: 0.1, max: 100, noNaN: true }), fc.double({ min: 0, max: 200, noNaN: true }), (a, x) => { expect(off(lowerGamma(a, x) + upperGamma(a, x), 1)).toBeLessThanOrEqual(1e-12); }), SEED);
  for (const x of [0.1, 1, 5, 40]) expect(off(upperGamma(1, x) / Math.exp(-x), 1)).toBeLessThanOrEqual(1e-12);
});

test("the normal distribution is right far into its tail, and its quantile is its inverse", () => {
  for (const [x, wanted] of [[-8, 6.220960574271784e-16], [-3, 0.0013498980316300946], [-1, 0.15865525393145705], [0.3, 0.6179114221889527], [2.5, 0.9937903346742238]] as const) expect(off(normalCdf(x) / wanted, 1)).toBeLessThanOrEqual(1e-12);
  for (const [p, wanted] of [[1e-12, -7.034483825301132], [0.001, -3.0902323061678136], [0.025, -1.9599639845400543], [0.2, -0.8416212335729142], [0.8, 0.8416212335729142], [0.999, 3.0902323061678136]] as const) expect(off(normalQuantile(p), wanted)).toBeLessThanOrEqual(1e-12);
  expect(normalQuantile(0.5)).toBe(0);
  expect(off(zOf(0.95), 1.9599639845400545)).toBeLessThanOrEqual(1e-12);
});

test("Student's quantiles are right for 1, 2.5, 7, 30 and 1,000 degrees of freedom", () => {
  const wanted: Record<string, readonly number[]> = {
    1: [0.32491969623290634, 3.0776835371752536, 12.706204736174705, 636.6192487687196],
    2.5: [0.28145951274854764, 1.7302509288071766, 3.574654842003683, 18.277893528130647],
    7: [0.26316686135202283, 1.4149239276505086, 2.3646242515927853, 5.407882520861725],
    30: [0.2556053649519128, 1.3104150253913955, 2.042272456301238, 3.645958635042022],
    1000: [0.25341451583949876, 1.2823987214609245, 1.9623390808264085, 3.300282648423913],
  };
  for (const [df, values] of Object.entries(wanted)) {
    for (const [index, p] of [0.6, 0.9, 0.975, 0.9995].entries()) {
      expect(off(studentQuantile(p, Number(df)), values[index] as number)).toBeLessThanOrEqual(1e-11);
      expect(off(studentQuantile(1 - p, Number(df)), -(values[index] as number))).toBeLessThanOrEqual(1e-10);
      expect(off(studentCdf(values[index] as number, Number(df)), p)).toBeLessThanOrEqual(1e-12);
    }
  }
  expect(studentQuantile(0.5, 4)).toBe(0);
  expect(off(tOf(0.95, 1e9), zOf(0.95))).toBeLessThanOrEqual(1e-8);
});

test("the chi-square with one degree of freedom is the square of a normal, with two an exponential", () => {
  for (const x of [0.1, 1, 4, 30]) expect(off(chiSquareTail(x, 1) / (2 * normalCdf(-Math.sqrt(x))), 1)).toBeLessThanOrEqual(1e-12);
  for (const x of [0.1, 1, 4, 30]) expect(off(chiSquareTail(x, 2) / Math.exp(-x / 2), 1)).toBeLessThanOrEqual(1e-12);
  for (const [df, p, wanted] of [[1, 0.05, 0.003932140000019522], [1, 0.5, 0.4549364231195728], [1, 0.95, 3.841458820694124], [3, 0.05, 0.3518463177492714], [3, 0.95, 7.814727903251178], [10.5, 0.95, 18.993391943391885]] as const) {
    expect(off(chiSquareQuantile(p, df), wanted)).toBeLessThanOrEqual(1e-11);
    expect(off(chiSquareCdf(wanted, df), p)).toBeLessThanOrEqual(1e-12);
  }
});

test("binomial chances are right for a million trials and sum to the cumulative one", () => {
  for (const [k, n, p, wanted] of [[3, 10, 0.2, 0.201326592], [500, 1000, 0.5, 0.025225018178360804], [10, 1e6, 1e-5, 0.12511066127589932], [0, 50, 0.01, 0.6050060671375367]] as const) expect(off(binomialProbability(k, n, p) / wanted, 1)).toBeLessThanOrEqual(1e-12);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0.01, max: 0.99, noNaN: true }), fc.nat(60), (n, p, at) => {
      const k = Math.min(at, n);
      let sum = 0;
      for (let i = 0; i <= k; i += 1) sum += binomialProbability(i, n, p);
      expect(off(binomialCdf(k, n, p), sum)).toBeLessThanOrEqual(1e-12);
    }),
    SEED,
  );
  expect([binomialProbability(-1, 3, 0.5), binomialProbability(0, 3, 0), binomialProbability(3, 3, 1), binomialCdf(-1, 3, 0.5), binomialCdf(3, 3, 0.5)]).toEqual([0, 1, 1, 0, 1]);
});

test("hypergeometric chances sum to 1, and 2 marked in a draw of 3 of 5 with 3 marked is 0.6", () => {
  expect(off(hypergeometricProbability(2, 3, 3, 5), 0.6)).toBeLessThanOrEqual(1e-12);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), fc.nat(40), (total, a, b) => {
      const drawn = Math.min(a, total);
      const marked = Math.min(b, total);
      let sum = 0;
      for (let x = 0; x <= drawn; x += 1) sum += hypergeometricProbability(x, drawn, marked, total);
      expect(off(sum, 1)).toBeLessThanOrEqual(1e-11);
    }),
    SEED,
  );
});

test("the generator gives the numbers of its authors' reference code", () => {
  const next = xoshiro128([1, 2, 3, 4]);
  expect(Array.from({ length: 10 }, next)).toEqual([11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804]);
});

test("equal seeds give equal numbers, others others, all from 0 to below 1 and evenly spread", () => {
  const draw = (seed: number): readonly number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 4000 }, () => random.next());
  };
  const numbers = draw(7);
  expect(draw(7)).toEqual(numbers);
  expect(draw(8)).not.toEqual(numbers);
  expect(draw(7 + 2 ** 32)).not.toEqual(numbers);
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  expect(Math.abs(numbers.reduce((sum, number) => sum + number, 0) / 4000 - 0.5)).toBeLessThan(0.02);
  const random = createRandom(3);
  const faces = [0, 0, 0, 0, 0, 0];
  for (let round = 0; round < 6000; round += 1) faces[random.below(6)] = (faces[random.below(6)] ?? 0) + 1;
  expect(Math.min(...faces)).toBeGreaterThan(800);
  expect(() => createRandom(-1)).toThrow(/seed/);
});

test("a matrix times its inverse is the unit, and a singular one has none", () => {
  const matrix = [[0, 2, 1], [1, 1, 0], [3, 0, 1]];
  const inverted = invert(matrix);
  expect(off(inverted?.determinant ?? 0, -5)).toBeLessThanOrEqual(1e-12);
  expect(multiply(matrix, multiply(inverted?.inverse ?? [], [1, 2, 3])).map((value) => Math.round(value * 1e9) / 1e9)).toEqual([1, 2, 3]);
  expect(invert([[0, 1], [1, 0]])?.determinant).toBe(-1);
  expect(invert([[1, 2], [2, 4]])).toBeUndefined();
});

test("the shares nearest to (0.7, 0.5, -0.2) are (0.6, 0.4, 0)", () => {
  const shares = nearestShares([0.7, 0.5, -0.2]);
  for (const [index, wanted] of [0.6, 0.4, 0].entries()) expect(off(shares[index] as number, wanted)).toBeLessThanOrEqual(1e-12);
});

test("equal values share their mean rank, 1 - 0.8 and 0.2 among them", () => {
  expect(rank([0.2, 0.5, 1 - 0.8, 0.1])).toEqual({ ranks: [2.5, 4, 2.5, 1], ties: [1, 2, 1] });
});
