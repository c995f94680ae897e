import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRunner, type Suite } from "entail";
import { aggregate, checks, createScorer, distinctIds, gateCheck, medianOf, readEntry, readThreshold, recordOutcome, requirementsOf, runScorer, scoreKeys, type Scorer, type ScoreAggregate, type ThresholdConfig, verdictOf } from "entail/score";
import type { ScoreRecord } from "../core/score.ts";
import { agentRun, assistant } from "../../test/score-messages.ts";

const gives = (id: string, score: unknown): Scorer => ({ id, run: (run) => Promise.resolve({ ...run, score: score as number }) });
async function recordFor(scorer: Scorer, place: { kind?: "gate" | "scorer"; threshold?: ThresholdConfig; turn?: number; compat?: "mastra" } = {}): Promise<ScoreRecord> {
  const { kind = "scorer", threshold, turn, compat } = place;
  return recordOutcome({ id: scorer.id, base: scorer.base ?? scorer.id, kind, threshold, turn }, await runScorer(scorer, agentRun("q", "a"), compat === undefined ? {} : { compat }));
}
async function over(scores: readonly unknown[], place: Parameters<typeof recordFor>[1] = {}): Promise<{ records: readonly ScoreRecord[]; one: ScoreAggregate; verdict: string | undefined }> {
  const records = await Promise.all(scores.map((score) => recordFor(score === "n.s." ? { id: "s", run: (run) => Promise.resolve({ ...run, notScorable: { reason: "not this one" } }) } : gives("s", score), place)));
  const aggregates = aggregate(records, { compat: place.compat });
  return { records, one: aggregates[0] as ScoreAggregate, verdict: verdictOf({ ...requirementsOf(aggregates), errored: place.compat === undefined && aggregates.some((each) => each.errored > 0) }) };
}
const word = ({ score, passed, error }: ScoreRecord): string => (error !== undefined ? "error" : passed === true ? "pass" : score === undefined ? "none" : "fail");

describe("the cases", () => {
  test("case 042: one NaN is an error beside a mean of the other four", async () => {
    const { records, one, verdict } = await over([0.9, 0.8, 0.85, 0.8, Number.NaN], { threshold: 0.8 });
    expect(one).toMatchObject({ mean: 0.8375, scored: 4, errored: 1, passed: false });
    expect(records.map(word)).toEqual(["pass", "pass", "pass", "pass", "error"]);
    expect(verdict).toBe("failed");
  });
  test("case 043: a score far off its scale is an error that names it and the bounds", async () => {
    const scorer = (value: number): Scorer => createScorer({ id: "s", description: "d", scale: [0, 100] }).generateScore(() => value);
    const records = await Promise.all([80, 90, 98989898].map((value) => recordFor(scorer(value))));
    expect(records.map((record) => record.score)).toEqual([0.8, 0.9, undefined]);
    expect(records[2]?.error).toMatch(/from 0 to 100, not 98989898/);
    expect(aggregate(records)[0]).toMatchObject({ scored: 2, errored: 1 });
    expect(aggregate(records)[0]?.mean).toBeCloseTo(0.85, 12);
  });
  test("case 044: an overshoot below 1e-9 is the bound; 1.01 is an error", async () => {
    expect((await recordFor(gives("s", 1.0000000000000002), { kind: "gate" }))).toMatchObject({ score: 1, passed: true });
    expect((await recordFor(gives("s", -1e-10))).score).toBe(0);
    expect(word(await recordFor(gives("s", 1.01)))).toBe("error");
  });
  test("case 045: only a number from 0 to 1 is a score, and each error names what came", async () => {
    const { records } = await over([0, -0, 0.5, 1, 87, -0.01, Number.NaN, Infinity, "0.5", null, true], { threshold: 0.5 });
    expect(records.map(word)).toEqual(["fail", "fail", "pass", "pass", "error", "error", "error", "error", "error", "error", "error"]);
    expect(Object.is(records[1]?.score, 0)).toBe(true);
    expect(records.slice(4).map((record) => record.error?.split(", not ")[1])).toEqual(["87", "-0.01", "NaN", "Infinity", 'the text "0.5"', "null", "true"]);
  });
  test("case 046: where every score is NaN there is no mean, and the verdict is no pass", async () => {
    const { one, verdict } = await over([Number.NaN, Number.NaN, Number.NaN], { threshold: 0.5 });
    expect(one).toMatchObject({ scored: 0, errored: 3, passed: false });
    expect(one).not.toHaveProperty("mean");
    expect(verdict).toBe("failed");
    expect(JSON.stringify(one)).not.toContain("NaN");
  });
  test("case 047: one pass and ninety-nine errors are no gate that holds", async () => {
    const { one, verdict } = await over([1, ...Array.from({ length: 99 }, () => Number.NaN)], { kind: "gate" });
    expect(one).toMatchObject({ scored: 1, errored: 99, held: 1, passed: false });
    expect(verdict).toBe("failed");
  });
  test("case 049: what is not scorable leaves the count; where nothing was scorable nothing passed", async () => {
    expect((await over([...Array.from({ length: 9 }, () => 1), "n.s."], { kind: "gate" })).one).toMatchObject({ passed: true, held: 9, scored: 9, notScorable: 1 });
    const none = await over(["n.s.", "n.s."], { kind: "gate" });
    expect(none.one).not.toHaveProperty("passed");
    expect(none.verdict).toBeUndefined();
  });
  test("case 050: of no items there is no verdict", () => {
    expect(verdictOf(requirementsOf(aggregate([])))).toBeUndefined();
  });
  test("case 051: an item on which nothing is asked has no verdict, and a scorer alone asks nothing", async () => {
    expect((await over([1])).verdict).toBeUndefined();
    expect(verdictOf({ hard: [], soft: [] })).toBeUndefined();
  });
  test("case 052: a threshold of 0 is a threshold", async () => {
    expect((await over([0], { threshold: 0 })).records[0]).toMatchObject({ score: 0, threshold: 0, passed: true });
    expect(await runScorer(checks.similarity("zzz", { threshold: 0 }), agentRun("x", "abc"))).toMatchObject({ kind: "scored", score: 1 });
  });
  test("case 054: a good mean does not hide an item that missed its own bar", async () => {
    const records = await Promise.all([1, 1, 0.5].map((score) => recordFor(gives("s", score), { threshold: 0.6 })));
    expect(records.map(word)).toEqual(["pass", "pass", "fail"]);
    const [one] = aggregate(records);
    expect(one?.mean).toBeCloseTo(0.8333333333333334, 12);
    expect(one).toMatchObject({ held: 2, scored: 3 });
    expect((await over([1, 1, 0.5], { kind: "gate" })).verdict).toBe("failed");
  });
  test("case 055: equal scores meet their own value, and 0.6999 does not meet 0.7", async () => {
    expect((await over([0.7, 0.7, 0.7], { threshold: 0.7 })).verdict).toBe("passed");
    expect((await over([0.6999, 0.6999, 0.6999], { threshold: 0.7 })).verdict).toBe("scored");
  });
  const trialSuite = (script: Record<string, readonly ("pass" | "fail")[]>, passRate: number): Suite => ({
    id: "s",
    description: "d",
    scenarios: Object.entries(script).map(([id, trials]) => ({ id, description: id, tags: [], timeoutMs: 1000, require: { passRate }, run: ({ trial }) => ({ checks: [trials[trial - 1] === "pass" ? { name: "c", passed: true } : { name: "c", passed: false, diagnostic: "no" }] }) })),
  });
  test("case 057: a scenario that fails each of its trials fails, however stable its neighbours", async () => {
    const report = await createRunner({ maxConcurrency: 3, trials: 3 }).run(trialSuite({ a: ["pass", "pass", "pass"], b: ["pass", "pass", "pass"], c: ["fail", "fail", "fail"] }, 2 / 3));
    expect(report.scenarios.map((scenario) => scenario.outcome)).toEqual(["passed", "passed", "failed"]);
    expect(report.passed).toBe(false);
  });
  test("case 058: a tie is no majority, whatever the order of the trials", async () => {
    for (const order of [["pass", "fail", "fail", "pass"], ["fail", "fail", "pass", "pass"], ["pass", "pass", "fail", "fail"]] as const) {
      const report = await createRunner({ maxConcurrency: 1, trials: 4 }).run(trialSuite({ a: order }, 0.5 + 1e-6));
      expect(report.scenarios[0]?.outcome).toBe("failed");
      expect(report.scenarios[0]?.trialCounts).toMatchObject({ passed: 2, failed: 2 });
    }
  });
  test("case 059: of three votes around a bar the median decides, all are kept, and the scorer is marked unstable", async () => {
    const votes = [0.62, 0.58, 0.61];
    let asked = 0;
    const scorer = medianOf({ id: "s", run: (run) => Promise.resolve({ ...run, score: votes[asked++] as number }) }, { votes: 3, threshold: 0.6 });
    const seen = await runScorer(scorer, agentRun("q", "a"));
    expect(seen).toMatchObject({ kind: "scored", score: 0.61, result: { preprocessStepResult: { votes, unstable: true } } });
    expect((seen as { result: { preprocessStepResult: { spread: number } } }).result.preprocessStepResult.spread).toBeCloseTo(0.04, 12);
    expect(recordOutcome({ id: "s", base: "s", kind: "scorer", threshold: 0.6 }, seen).passed).toBe(true);
  });
});

describe("the kinds", () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  test("kind bad-number: whatever a scorer gives, the mean is finite and within 0 and 1, and what is no score is counted as an error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(unit, fc.double(), fc.anything()), { minLength: 1, maxLength: 8 }), async (scores) => {
        const { one } = await over(scores.map((score) => (score === "n.s." ? 0 : score)), { threshold: 0.5 });
        expect(one.scored + one.errored).toBe(scores.length);
        expect(one.mean === undefined || (one.mean >= 0 && one.mean <= 1)).toBe(true);
        expect(one.errored > 0 && one.passed !== false).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
  test("kind aggregation-denominator: the parts always add up to the items", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom<unknown>(0, 1, 0.5, Number.NaN, "n.s."), { minLength: 1, maxLength: 12 }), async (scores) => {
        const { one } = await over(scores, { kind: "gate" });
        expect(one.scored + one.errored + one.notScorable).toBe(scores.length);
        expect(one.passed).toBe(scores.every((score) => score === "n.s.") ? undefined : scores.every((score) => score === 1 || score === "n.s."));
      }),
      { numRuns: 60 },
    );
  });
  test("kind vacuous-pass: nothing that was not required can make a verdict", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("met", "missed", "not_scorable")), fc.array(fc.constantFrom("met", "missed", "not_scorable")), (hard, soft) => {
        const all = [...hard, ...soft];
        expect(verdictOf({ hard, soft }) === "passed").toBe(all.includes("met") && !all.includes("missed"));
        expect(verdictOf({ hard, soft }) === undefined).toBe(all.every((each) => each === "not_scorable"));
      }),
    );
  });
  test("kind threshold-handling: a mean meets its threshold exactly when it is not below it, at both bounds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 6 }), unit, unit, async (scores, a, b) => {
        const [min, max] = a < b ? [a, b] : [b, a];
        const { one } = await over(scores, { threshold: { min, max } });
        const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
        const near = Math.abs(mean - min) < 1e-8 || Math.abs(mean - max) < 1e-8;
        expect(near || one.passed === (mean >= min && mean <= max)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
  test("kind rounding: any number of equal scores meets exactly their own value", () => {
    fc.assert(
      fc.property(unit, fc.integer({ min: 1, max: 300 }), (score, count) => {
        const records = Array.from({ length: count }, (): ScoreRecord => ({ id: "s", base: "s", kind: "scorer", score, threshold: score, passed: true }));
        expect(aggregate(records)[0]).toMatchObject({ passed: true });
        expect(Math.abs((aggregate(records)[0]?.mean ?? 9) - score)).toBeLessThan(1e-12);
      }),
    );
  });
  test("kind flaky-judgement: the median does not depend on the order of the votes, and one vote that errors is an error of the whole", async () => {
    for (const votes of [[0.1, 0.9, 0.5], [0.9, 0.5, 0.1], [0.5, 0.1, 0.9], [0.5, 0.5, 0.5]]) {
      let asked = 0;
      const seen = await runScorer(medianOf({ id: "s", run: (run) => Promise.resolve({ ...run, score: votes[asked++] as number }) }, { votes: 3 }), agentRun("q", "a"));
      expect(seen).toMatchObject({ kind: "scored", score: 0.5 });
    }
    expect(await runScorer(medianOf(gives("s", Number.NaN), { votes: 3 }), agentRun("q", "a"))).toMatchObject({ kind: "errored" });
    expect(() => medianOf(gives("s", 1), { votes: 2 })).toThrow(expect.objectContaining({ code: "scorer_invalid" }));
  });
});

describe("the verdict", () => {
  test("follows Mastra's truth table: hard by soft, errors before both", () => {
    const none = [[], ["not_scorable"], ["not_scorable", "not_scorable"]] as const;
    const met = [["met"], ["met", "not_scorable"], ["met", "met"]] as const;
    const missed = [["missed"], ["met", "missed"], ["missed", "not_scorable"]] as const;
    const table = [
      [none, none, undefined],
      [none, met, "passed"],
      [none, missed, "scored"],
      [met, none, "passed"],
      [met, met, "passed"],
      [met, missed, "scored"],
      [missed, none, "failed"],
      [missed, met, "failed"],
      [missed, missed, "failed"],
    ] as const;
    for (const [hards, softs, verdict] of table) {
      for (const hard of hards) for (const soft of softs) {
        expect([hard, soft, verdictOf({ hard, soft })]).toEqual([hard, soft, verdict]);
        expect(verdictOf({ hard, soft, errored: true })).toBe("failed");
      }
    }
  });
  const folded = (records: readonly ScoreRecord[], compat?: "mastra"): string | undefined => verdictOf(requirementsOf(aggregate(records, { compat })));
  test("mastra 18: a bare score of 0 makes no verdict", async () => expect((await over([0])).verdict).toBeUndefined());
  test("mastra 19: a gate of 1 is passed", async () => expect((await over([1], { kind: "gate" })).verdict).toBe("passed"));
  test("mastra 20: a gate of 0.999 is failed", async () => expect((await over([0.999], { kind: "gate" })).verdict).toBe("failed"));
  test("mastra 21: a gate that holds beside a threshold of 0.7 missed by 0.69 is scored", async () => {
    expect(folded([await recordFor(gives("g", 1), { kind: "gate" }), await recordFor(gives("s", 0.69), { threshold: 0.7 })])).toBe("scored");
  });
  test("mastra 22: a gate that holds beside a threshold of 0.7 met by 0.7 is passed", async () => {
    expect(folded([await recordFor(gives("g", 1), { kind: "gate" }), await recordFor(gives("s", 0.7), { threshold: 0.7 })])).toBe("passed");
  });
  test("mastra 23: a gate of 0 is failed, whatever the threshold", async () => {
    expect(folded([await recordFor(gives("g", 0), { kind: "gate" }), await recordFor(gives("s", 1), { threshold: 0.7 })])).toBe("failed");
  });
  test("mastra 24: 0.3 meets a maximum of 0.3 and 0.31 misses it", async () => {
    expect([(await over([0.3], { threshold: { max: 0.3 } })).verdict, (await over([0.31], { threshold: { max: 0.3 } })).verdict]).toEqual(["passed", "scored"]);
  });
  test("mastra 25: 0.5 and 0.9 lie within 0.5 and 0.9, 0.91 does not", async () => {
    expect(await Promise.all([0.5, 0.9, 0.91].map(async (score) => (await over([score], { threshold: { min: 0.5, max: 0.9 } })).verdict))).toEqual(["passed", "passed", "scored"]);
  });
  test("mastra 26: a gate of 1 and 0 over two items has 0.5 and is failed", async () => {
    const { one, verdict } = await over([1, 0], { kind: "gate" });
    expect({ mean: one.mean, passed: one.passed, verdict }).toEqual({ mean: 0.5, passed: false, verdict: "failed" });
  });
  test("mastra 27: a gate of 2 and 0 is failed, for 2 is no score; under compat its mean of 1 is passed", async () => {
    expect((await over([2, 0], { kind: "gate" })).verdict).toBe("failed");
    expect((await over([2, 0], { kind: "gate", compat: "mastra" })).verdict).toBe("passed");
  });
  test("mastra 28: three scores of 0.7 meet 0.7; under compat the plain sum misses it", async () => {
    expect((await over([0.7, 0.7, 0.7], { threshold: 0.7 })).verdict).toBe("passed");
    const mastra = await over([0.7, 0.7, 0.7], { threshold: 0.7, compat: "mastra" });
    expect(mastra.verdict).toBe("scored");
    expect(mastra.one.mean).toBe(0.6999999999999998);
    const tenths = Array.from({ length: 10 }, () => 0.1);
    expect((await over(tenths, { threshold: 0.1 })).one.mean).toBe(0.1);
    expect((await over(tenths, { threshold: 0.1, compat: "mastra" })).one).toMatchObject({ mean: 0.09999999999999999, passed: false });
  });
  test("a gate with a bar of its own holds when every item reaches that bar, whatever the mean", async () => {
    expect((await over([0.6, 0.6], { kind: "gate", threshold: 0.5 })).verdict).toBe("passed");
    expect((await over([0.7, 0.4], { kind: "gate", threshold: 0.5 })).verdict).toBe("failed");
  });
  test("mastra 29: a gate of NaN is failed, also under compat", async () => {
    expect((await over([Number.NaN], { kind: "gate" })).verdict).toBe("failed");
    expect((await over([Number.NaN], { kind: "gate", compat: "mastra" })).verdict).toBe("failed");
  });
  test("mastra 30: a gate that is nowhere scorable makes no verdict and is counted", async () => {
    const { one, verdict } = await over(["n.s."], { kind: "gate" });
    expect({ verdict, notScorable: one.notScorable }).toEqual({ verdict: undefined, notScorable: 1 });
  });
  test("mastra 31: a gate that is not scorable on one of two items has 1 and is passed", async () => {
    const { one, verdict } = await over(["n.s.", 1], { kind: "gate" });
    expect({ mean: one.mean, verdict }).toEqual({ mean: 1, verdict: "passed" });
  });
  test("mastra 32: a turn's gate of 0 beside all that is fine is failed", async () => {
    expect(folded([await recordFor(gives("g", 1), { kind: "gate" }), await recordFor(gives("t", 0), { kind: "gate", turn: 1 })])).toBe("failed");
  });
  test("mastra 33: a turn's threshold missed is scored", async () => {
    expect(folded([await recordFor(gives("g", 1), { kind: "gate" }), await recordFor(gives("t", 0.1), { turn: 0, threshold: 0.5 })])).toBe("scored");
  });
  test("mastra 34: two items with different thresholds at one turn are judged each by its own, whatever finished first", async () => {
    const first = await recordFor(gives("s", 0.4), { turn: 0, threshold: 0.3 });
    const second = await recordFor(gives("s", 0.4), { turn: 0, threshold: 0.9 });
    expect(folded([first, second])).toBe("scored");
    expect(folded([second, first])).toBe("scored");
  });
  test("mastra 35: two checks of one kind keep both their scores", async () => {
    const both = [checks.includes("ZZZ"), checks.includes("Echo")];
    const names = distinctIds(both);
    const keys = scoreKeys(names);
    const scores = Object.fromEntries(await Promise.all(both.map(async (check, at) => [keys.get(names[at]?.id ?? ""), (await recordForRun(check, "Echo")).score])));
    expect(scores).toEqual({ "check-includes:zzz": 0, "check-includes:echo": 1 });
    expect([...scoreKeys(distinctIds([checks.includes("ZZZ")])).values()]).toEqual(["check-includes"]);
  });
  test("mastra 36: two checks of one kind as gates are two rows, one of which fails", async () => {
    const records = await Promise.all([checks.includes("ZZZ"), checks.includes("Echo")].map(async (check) => recordOutcome({ id: check.id, base: check.base, kind: "gate" }, await runScorer(check, agentRun("x", "Echo")))));
    expect(aggregate(records).map(({ id, mean, passed }) => ({ id, mean, passed }))).toEqual([{ id: "check-includes:zzz", mean: 0, passed: false }, { id: "check-includes:echo", mean: 1, passed: true }]);
  });
  test("mastra 37: two thresholds of one kind are two rows with their own thresholds", async () => {
    const records = [await recordFor(gives("check-similarity:a", 0.5), { threshold: 0.9 }), await recordFor(gives("check-similarity:b", 0.5), { threshold: 0.1 })];
    expect(aggregate(records).map(({ threshold, passed }) => ({ threshold, passed }))).toEqual([{ threshold: 0.9, passed: false }, { threshold: 0.1, passed: true }]);
    expect(aggregate([await recordFor(gives("s", 0.5), { threshold: 0.9 }), await recordFor(gives("s", 0.5), { threshold: 0.1 })])).toHaveLength(2);
  });
  const keepsItsScore = async (id: string): Promise<unknown> => [...scoreKeys(distinctIds([gives(id, 1)])), ...aggregate([await recordFor(gives(id, 1))]).map((one) => [one.id, one.mean])];
  test("mastra 38: a scorer may be called agent", async () => expect(await keepsItsScore("agent")).toEqual([["agent", "agent"], ["agent", 1]]));
  test("mastra 39: a scorer may be called steps, workflow or __proto__", async () => {
    for (const id of ["steps", "workflow", "trajectory", "__proto__", "constructor"]) expect(await keepsItsScore(id)).toEqual([[id, id], [id, 1]]);
  });
  const recordForRun = async (scorer: Scorer, said: string): Promise<ScoreRecord> => recordOutcome({ id: scorer.id, base: scorer.base ?? scorer.id, kind: "scorer" }, await runScorer(scorer, agentRun("x", said)));
});

describe("entries and ids", () => {
  test("mastra 15: every threshold that is none is refused with Mastra's id", () => {
    for (const threshold of [-0.1, 1.1, Number.NaN, Infinity, "0.5", null, [], {}, { min: 0.9, max: 0.1 }, true, undefined, { min: 2 }, { max: "1" }]) {
      expect(() => readEntry({ scorer: gives("s", 1), threshold }, "scorers[0]")).toThrow(expect.objectContaining({ code: "scorer_invalid", id: "INVALID_SCORER_THRESHOLD" }));
    }
    expect(readThreshold(0, "t")).toBe(0);
    expect(readThreshold({ min: 0 }, "t")).toEqual({ min: 0 });
    expect(readEntry({ scorer: checks.includes("a"), threshold: { max: 0.3 } }, "x")).toMatchObject({ threshold: { max: 0.3 }, scorer: { base: "check-includes" } });
  });
  test("an entry is a scorer, a function with a name, or one of them with a threshold; anything else is refused with its place", () => {
    expect(readEntry(gives("s", 1), "x").scorer.id).toBe("s");
    expect(readEntry(function exactMatch() { return 1; }, "x").scorer.id).toBe("exactMatch");
    for (const entry of [undefined, null, 7, "s", {}, { run: 1 }, [], { scorer: {} }, { run: () => undefined }]) expect(() => readEntry(entry, "gates[2]")).toThrow(/gates\[2\]/);
    expect(() => readEntry(() => 1, "gates[2]")).toThrow(/without a name/);
  });
  test("two scorers of one id are told apart by a number, and one object twice is refused", () => {
    expect(distinctIds([gives("s", 1), gives("s", 0), gives("s#2", 1), gives("s", 1)]).map(({ id }) => id)).toEqual(["s", "s#3", "s#2", "s#4"]);
    const one = gives("s", 1);
    expect(() => distinctIds([one, one])).toThrow(/twice/);
  });
  test("a gate is a check of its id, its reason the diagnostic; errored it throws, not scorable it is none", async () => {
    const gate = async (scorer: Scorer, said: string): Promise<ScoreRecord> => recordOutcome({ id: scorer.id, base: scorer.base ?? scorer.id, kind: "gate" }, await runScorer(scorer, { output: [assistant(said)] }));
    expect(gateCheck(await gate(checks.includes("Brooklyn"), "Queens"))).toEqual({ name: "check-includes:brooklyn", passed: false, diagnostic: 'expected "Brooklyn", found "Queens"' });
    expect(gateCheck(await gate(checks.includes("Brooklyn"), "Brooklyn"))).toEqual({ name: "check-includes:brooklyn", passed: true });
    expect(gateCheck({ id: "g", base: "g", kind: "gate", turn: 1, score: 0.4, passed: false })).toEqual({ name: "turn 2: g", passed: false, diagnostic: "scored 0.4, and a gate needs 1" });
    expect(gateCheck({ id: "g", base: "g", kind: "gate", notScorable: "n" })).toBeUndefined();
    expect(() => gateCheck({ id: "g", base: "g", kind: "gate", error: "broke" })).toThrow("broke");
  });
});
