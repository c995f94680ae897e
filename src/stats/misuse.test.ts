// What each function refuses, and what it leaves undefined: a number that makes no sense is an error, an answer that there is none of is `null`.
import * as stats from "entail/stats";
import { isEntailError } from "../core/error.ts";
import { expect, test } from "vitest";

type Call = () => unknown;
/** Typed as a user without types would call it. */
const s = stats as unknown as Record<string, (...args: any[]) => unknown>;
const call = (name: string, ...args: readonly unknown[]): readonly [string, Call] => [`${name}(${args.map((arg) => (typeof arg === "symbol" ? "symbol" : typeof arg === "bigint" ? `${arg}n` : (JSON.stringify(arg) ?? String(arg)))).join(", ")})`, () => (s[name] as (...args: readonly unknown[]) => unknown)(...args)];

/** How a call ended: the code and message of its error, or that it gave an answer. */
function outcome(run: Call): string {
  try {
    run();
  } catch (error) {
    return isEntailError(error) ? `${error.code} ${error.message}` : `another error: ${String(error)}`;
  }
  return "an answer";
}

const COUNTED = ["wilson", "clopperPearson", "wald", "posterior", "confidenceSequence", "stability"] as const;

test("a count that is negative, broken, a text or larger than its whole is refused with value_invalid, and the message names it", () => {
  for (const name of COUNTED) {
    for (const args of [[-1, 5], [6, 5], [1.5, 5], [1, 5.5], [Number.NaN, 5], [1, Number.POSITIVE_INFINITY], ["1", 5], [undefined, 5], [1, null], [1n, 5], [Symbol("x"), 5], [2 ** 53, 2 ** 54]]) {
      const [title, run] = call(name, ...args);
      expect(`${title}: ${outcome(run)}`).toMatch(/^\w+\(.*\): value_invalid \w+: "\w+" must be .+, not .+/);
    }
  }
});

test("a level is the confidence: an error rate given in its place is refused", () => {
  for (const name of ["wilson", "clopperPearson", "wald", "newcombe", "tango", "meanInterval"]) {
    const args = name === "newcombe" ? [1, 2, 1, 2] : name === "tango" ? [1, 1, 4] : name === "meanInterval" ? [[1, 2]] : [1, 2];
    for (const level of [0.05, 0, 1, 95, Number.NaN, "0.95"]) expect(outcome(call(name, ...args, level)[1])).toMatch(/^value_invalid \w+: "level" must be the confidence/);
  }
});

const REFUSED: readonly (readonly [string, Call])[] = [
  call("zeroFailures", -1),
  call("ruleOfThree", 0.5),
  call("mean", [1, Number.NaN]),
  call("mean", "12"),
  call("variance", [Number.POSITIVE_INFINITY]),
  call("standardError", [null]),
  call("correlation", [1], [1, 2]),
  call("bootstrap", [1, 2], { resamples: 0 }),
  call("bootstrap", [1, 2], { seed: -3 }),
  call("bootstrap", [1, 2], { clusters: ["a"] }),
  call("bootstrap", [1, 2, 3, 4, 5, 6, 7], { resamples: "all" }),
  call("clusteredStandardError", [1, 2], ["a"]),
  call("clusteredStandardError", [1, 2], ["a", undefined]),
  call("clusteredStandardError", [1, 2], ["a", Number.NaN]),
  call("designEffect", 0.5, 0.2),
  call("designEffect", 5, 1.5),
  call("intraclassCorrelation", [[1], [Number.NaN]]),
  call("nestedMean", [[1], "x"]),
  call("nestedRate", [{ passed: 2, scored: 1 }]),
  call("nestedRate", [null]),
  call("stratifiedMean", [{ mean: 0, standardError: -1, weight: 1 }]),
  call("stratifiedMean", [null]),
  call("pooledStandardError", [0.1], [0]),
  call("sampleSize", { difference: 0, scenarioVariance: 1 }),
  call("sampleSize", { difference: 0.1, scenarioVariance: -1 }),
  call("sampleSize", { difference: 0.1, scenarioVariance: 1, trials: 0 }),
  call("sampleSize", { difference: 0.1, scenarioVariance: 1, power: 1 }),
  call("minimumDetectableEffect", { n: 0, standardDeviation: 1 }),
  call("mcnemarSampleSize", { discordant: 1.2, difference: 0.1 }),
  call("mcnemarSampleSize", { discordant: 0.2, difference: 0 }),
  call("mcnemarMinimumDetectableEffect", { n: 10, discordant: -1 }),
  call("passAtK", 3, 4, 1),
  call("passAtK", 3, 1, 0),
  call("passAtK", 3, -1, 1),
  call("passHatK", 3, 4, 1),
  call("passHatK", 3, 1, 1.5),
  call("meanPassAtK", [{ passed: 1, scored: 2 }], Number.NaN),
  call("mcnemarExact", -1, 0),
  call("mcnemarMidP", 1, Number.NaN),
  call("mcnemarChiSquare", 1.5, 0),
  call("tango", 3, 3, 5),
  call("pairedWald", 1, -1, 5),
  call("bonettPrice", 6, 0, 5),
  call("newcombe", 3, 2, 1, 2),
  call("fisherExact", [[1, 2], [3, -4]]),
  call("pairedT", [1, 2], [1]),
  call("wilcoxonSignedRank", [1, Number.NaN]),
  call("benjaminiHochberg", [0.5, 1.1]),
  call("holm", [-0.1]),
  call("permutationMidP", [{ before: { passed: 2, scored: 1 }, after: { passed: 0, scored: 1 } }]),
  call("sprt", { p0: 0.8, p1: 0.5 }),
  call("sprt", { p0: 0.5, p1: 1 }),
  call("sprt", { p0: 0.5, p1: 0.8, alpha: 0.6, beta: 0.5 }),
  ["sprt().decide(-1, 0)", () => stats.sprt({ p0: 0.5, p1: 0.8 }).decide(-1, 0)],
  call("eValue", 3, 2, 0.5),
  call("eValue", 1, 2, 0),
  call("eValueAbove", 1, 2, 1),
  call("eValueBelow", 3, 2, 0.5),
  call("curtail", 3, 2, 0, 0),
  call("curtail", 1, 2, 2, 1),
  call("curtail", 0, 0, 0, 0),
  call("roganGladen", { judged: { count: 2, of: 1 }, sensitivity: { count: 1, of: 1 }, specificity: { count: 1, of: 1 } }),
  call("multiClassCorrection", [[1, 2]], [1]),
  call("multiClassCorrection", [[1]], [1]),
  call("multiClassCorrection", [[1, 0], [0, 1, 2]], [1, 1]),
  call("multiClassCorrection", [[1, 0], [0, -1]], [1, 1]),
  call("multiClassCorrection", [[0.9, 0.1], [0.2, 0.8]], [0.5, 0.5], { resamples: 10 }),
  call("verdictAudit", { judgedPassed: -1, judgedFailed: 0, passedSample: { count: 0, of: 0 }, failedSample: { count: 0, of: 0 } }),
  call("ppi", { labels: [1, 0], judged: [1], rest: [1] }),
  call("ppi", { labels: [1, 2], judged: [1, 1], rest: [1] }),
  call("ppi", { labels: [1, 0], judged: [1, 1], rest: [1] }, { lambda: 2 }),
  call("indeterminateBounds", { passed: 1, failed: -1, indeterminate: 0 }),
  call("selectiveAccuracy", { correct: 3, judged: 2, of: 5 }),
  call("cohenKappa", [[1, 2], [3]]),
  call("cohenKappa", []),
  call("gwetAc1", [[1, 0.5], [0, 1]]),
  call("scottPi", [[1, -1], [0, 1]]),
  call("matthews", "table"),
  call("confusionQuality", [[1, 2, 3]]),
  call("fleissKappa", [[3, 0], [2, 2]]),
  call("fleissKappa", [[3, 0], [3]]),
  call("krippendorffAlpha", [[1, Number.NaN]]),
  call("krippendorffAlpha", [["a", "b"]], "interval"),
  call("krippendorffAlpha", [[1, 2]], "ratio"),
  call("brier", [1.5], [1]),
  call("brier", [0.5], [1, 0]),
  call("calibrationError", [0.5], [1], [0, 0.5]),
  call("calibrationError", [0.5], [1], [0, 0.6, 0.6, 1]),
  call("trialsToSee", 2),
  call("maskedPassRate", 0.5, -1),
  call("flipRate", "abc"),
  call("flakeTail", 3, 2, 0.1),
  call("flakeTail", 1, 2, 0),
  call("passEntropy", Number.NaN),
  call("turnSurvival", [{ reached: 2, failed: 3 }]),
  call("turnSurvival", [{ reached: 5, failed: 2 }, { reached: 4, failed: 0 }]),
  call("gateRule", [0.5, 0.4], 0.4),
  call("gateRule", [0.5, Number.NaN], 0.4),
  call("gateRule", [0.5, 0.6], Number.NaN),
  call("positionBias", { sameFirst: 1, sameSecond: 1, firstPlace: -1, secondPlace: 0 }),
  call("selfPreference", { own: { onOwn: 1, onOther: Number.NaN }, reference: { onOwn: 0, onOther: 0 } }),
  call("independentPanel", [1.2]),
  call("effectiveVotes", 0, 0.5),
  call("effectiveVotes", 3, 1.5),
  call("claimRate", { supported: 1, contradicted: 0, unknown: -1 }),
  call("factScore", [{ count: 2, of: 1 }]),
  call("safeF1", 1, 1, 0),
  call("chunkSupport", [[2]]),
  call("chunkSupport", [[0.5]], -1),
  call("weightedScore", [{ grade: Number.NaN, logProbability: -1 }]),
  call("weightedScore", [{ grade: 5, logProbability: 0.5 }]),
];

for (const [title, run] of REFUSED) {
  test(`${title} is refused`, () => {
    expect(outcome(run)).toMatch(/^value_invalid /);
  });
}

test("what statistics leave undefined is null", () => {
  const none: readonly (readonly [string, Call])[] = [
    call("wilson", 0, 0),
    call("clopperPearson", 0, 0),
    call("wald", 0, 0),
    call("zeroFailures", 0),
    call("ruleOfThree", 0),
    call("mean", []),
    call("variance", [1]),
    call("standardError", [1]),
    call("meanInterval", [1]),
    call("correlation", [1, 1], [1, 2]),
    call("correlation", [1], [1]),
    call("bootstrap", [1]),
    call("bootstrap", [1, 2], { clusters: ["a", "a"] }),
    call("bootstrap", [1, 2], { statistic: () => null }),
    call("clusteredStandardError", [], []),
    call("designEffect", 5, -0.25),
    call("effectiveSize", 10, 5, -0.25),
    call("intraclassCorrelation", [[1, 0]]),
    call("nestedMean", []),
    call("nestedRate", []),
    call("pooledStandardError", [0.1, 0.2], [1, 1]),
    call("passAtK", 0, 0, 1),
    call("passHatK", 2, 2, 3),
    call("meanPassAtK", [], 1),
    call("meanPassHatK", [{ passed: 0, scored: 0 }], 1),
    call("mcnemarChiSquare", 0, 0),
    call("tango", 0, 0, 0),
    call("pairedWald", 0, 0, 0),
    call("bonettPrice", 0, 0, 0),
    call("newcombe", 0, 0, 1, 2),
    call("wilcoxonSignedRank", []),
    call("flipRate", [1]),
    call("indeterminateBounds", { passed: 0, failed: 0, indeterminate: 0 }),
    call("verdictAudit", { judgedPassed: 0, judgedFailed: 0, passedSample: { count: 0, of: 0 }, failedSample: { count: 0, of: 0 } }),
    call("fleissKappa", [[1, 0], [0, 1]]),
  ];
  expect(none.filter(([, run]) => run() !== null).map(([title]) => title)).toEqual([]);
  expect(stats.confidenceSequence(0, 0)).toEqual([0, 1]);
  expect([stats.benjaminiHochberg([]), stats.holm([])]).toEqual([[], []]);
});

test("every function of the door is held by this file or by one beside it", () => {
  const named = new Set([...REFUSED.map(([title]) => /^\w+/.exec(title)?.[0]), ...COUNTED, "meanInterval", "clusteredMean", "logEValue", "meanPassHatK", "effectiveSize", "compareScenarios"]);
  expect(Object.entries(stats).filter(([name, value]) => typeof value === "function" && !named.has(name)).map(([name]) => name)).toEqual([]);
});
