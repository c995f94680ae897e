import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRunner, type Report, type ScenarioReport } from "entail";
import { recordingReporter } from "entail/testing";
import type { StopRule } from "../core/stop-rule.ts";
import type { Scenario } from "../core/suite.ts";
import { passAtK, passHatK } from "../stats/index.ts";

/** `p` passes, `f` fails, `e` throws; what comes after the end passes. */
const scenario = (id: string, letters: string, more: Partial<Scenario> = {}): Scenario => ({
  id,
  description: "A scenario.",
  tags: [],
  timeoutMs: 5_000,
  run: ({ trial }) => {
    const letter = letters[trial - 1] ?? "p";
    if (letter === "e") throw new Error("no network");
    return { checks: [letter === "p" ? { name: "right", passed: true } : { name: "right", passed: false, diagnostic: "wrong" }] };
  },
  ...more,
});

const run = (scenarios: readonly Scenario[], options: { readonly trials: number; readonly stopEarly?: StopRule; readonly maxConcurrency?: number; readonly bail?: number }): Promise<Report> =>
  createRunner({ maxConcurrency: 4, ...options }).run({ id: "chat", description: "A suite.", scenarios });
const countsOf = ({ scenarios: [first] }: Report): ScenarioReport["trialCounts"] => first?.trialCounts;
const ranOf = ({ scenarios }: Report): readonly (number | undefined)[] => scenarios.map(({ trials }) => trials?.length);

describe("a rule that may stop trials", () => {
  const wald: StopRule = { rule: "sprt", p0: 0.5, p1: 0.8 };

  test("Wald's test of 0.5 against 0.8 accepts after 7 straight passes and rejects after 3 straight fails, and the report names rule, bounds and errors", async () => {
    const report = await run([scenario("good", "ppppppppp"), scenario("bad", "fff"), scenario("mixed", "pfpfpfpfpfpf")], { trials: 12, stopEarly: wald });
    expect(ranOf(report)).toEqual([7, 3, 12]);
    expect(report.scenarios[0]?.trialCounts).toMatchObject({ passed: 7, passRate: 1, stopped: { rule: "sprt", asked: 12, decision: "above", p0: 0.5, p1: 0.8, alpha: 0.05, beta: 0.1 } });
    expect(report.scenarios[1]?.trialCounts).toMatchObject({ failed: 3, stopped: { decision: "below" } });
    expect(report.scenarios[2]?.trialCounts?.stopped).toBeUndefined();
    expect(report.scenarios.map(({ outcome }) => outcome)).toEqual(["passed", "failed", "failed"]);
    expect(report.warnings).toMatchObject([{ code: "trials_stopped_early", message: "the trials of 2 scenarios ended before all had run, by the rule sprt; trialCounts.stopped says which" }]);
  });

  test("the e-value against 0.5 stops after 8 straight passes, whose evidence is 28.4, and not after 9 of 10, whose is 9.3", async () => {
    const report = await run([scenario("good", ""), scenario("nearly", "pppppfpppp")], { trials: 10, stopEarly: { rule: "e_value", p0: 0.5 } });
    expect(ranOf(report)).toEqual([8, 10]);
    expect(report.scenarios[0]?.trialCounts?.stopped).toEqual({ rule: "e_value", asked: 10, decision: "above", p0: 0.5, alpha: 0.05 });
  });

  test("errored trials say nothing: they neither stop a scenario nor count towards it", async () => {
    const report = await run([scenario("shaky", "eefepppppppp")], { trials: 12, stopEarly: wald });
    // One fail and eight passes are not enough for Wald; nine would be.
    expect([ranOf(report), countsOf(report)?.errored]).toEqual([[12], 3]);
    expect(countsOf(report)?.stopped).toBeUndefined();
  });

  test("without a rule all trials run, whatever they say", async () => {
    const report = await run([scenario("bad", "ffffffffffff")], { trials: 12 });
    expect([ranOf(report), countsOf(report)?.stopped, report.warnings]).toEqual([[12], undefined, undefined]);
  });

  test("a run that is stopped lists the trials that never began, and none is missing", async () => {
    const report = await run([scenario("bad", "", { run: () => ({ checks: [{ name: "right", passed: false, diagnostic: "wrong" }] }) }), scenario("slow", "", { run: ({ signal }) => new Promise((_, reject) => { signal.addEventListener("abort", () => reject(new Error("stopped"))); setTimeout(() => reject(new Error("late")), 30); }) })], { trials: 4, stopEarly: wald, bail: 1 });
    expect(ranOf(report)).toEqual([3, 4]);
    expect(report.scenarios[1]?.trials?.map(({ outcome }) => outcome)).toEqual(["errored", "cancelled", "cancelled", "cancelled"]);
    expect(report.passed).toBe(false);
  });

  test("every scenario and trial is told once, with several in flight", async () => {
    const reporter = recordingReporter();
    const scenarios = Array.from({ length: 20 }, (_, at) => scenario(`s_${at}`, at % 2 === 0 ? "" : "ffff"));
    await createRunner({ maxConcurrency: 7, trials: 9, stopEarly: wald, reporter }).run({ id: "chat", description: "A suite.", scenarios });
    const told = (type: string): number => reporter.calls.filter((call) => call.call === type).length;
    expect([told("scenarioStarted"), told("scenarioFinished"), told("trialFinished")]).toEqual([20, 20, 10 * 7 + 10 * 3]);
  });

  test.each([
    [{ rule: "look" }, 'stopEarly must be { rule: "sprt", p0, p1 } or { rule: "e_value", p0 }'],
    [{ rule: "sprt", p0: 0.8, p1: 0.5 }, 'stopEarly: "p0" (0.8) must be below "p1" (0.5)'],
    [{ rule: "sprt", p0: 0.5, p1: 0.8, aplha: 0.1 }, 'stopEarly has no member "aplha"; did you mean "alpha"?'],
    [{ rule: "e_value", p0: 1 }, 'stopEarly: "p0" must be'],
    [{ rule: "e_value", p0: 0.5, alpha: 0 }, 'stopEarly: "alpha" must be above 0 and below 1, not 0'],
    [null, "stopEarly must be"],
  ])("that is none is refused before anything runs: %j", (rule, sentence) => {
    expect(() => createRunner({ maxConcurrency: 1, stopEarly: rule as StopRule })).toThrow(sentence);
  });
});

describe("what trials come to", () => {
  test("scenarios are stable or flaky, and pass@k and pass^k are unbiased means over them: 4, 3, 2 and 0 of 4", async () => {
    const report = await run([scenario("a", "pppp"), scenario("b", "pppf"), scenario("c", "ppff"), scenario("d", "ffff")], { trials: 4 });
    expect(report.scenarios.map(({ trialCounts }) => trialCounts?.stability)).toEqual(["stable_pass", "flaky", "flaky", "stable_fail"]);
    expect(report.trials).toMatchObject({ stablePass: 1, flaky: 2, stableFail: 1, unscored: 0, passRate: { rate: 0.5625, trials: 16 } });
    const at = (k: number) => report.trials?.passAt?.find((each) => each.k === k);
    expect(report.trials?.passAt?.map(({ k }) => k)).toEqual([1, 2, 3, 4]);
    expect(at(1)?.passHatK).toBeCloseTo(0.5625, 12);
    expect(at(2)?.passHatK).toBeCloseTo(0.4166666667, 9);
    expect(at(2)?.passHatKError).toBeCloseTo(0.2204792759, 9);
  });

  test("an errored trial lowers the trials, never the passes; a scenario without a scored one is unscored and takes part in no rate", async () => {
    const report = await run([scenario("a", "pppe"), scenario("b", "eeee"), scenario("c", "pppp")], { trials: 4 });
    expect(report.scenarios[1]?.trialCounts).toMatchObject({ errored: 4, stability: "unscored" });
    expect(report.trials).toMatchObject({ stablePass: 2, unscored: 1, passRate: { rate: 1, trials: 7 } });
    // k goes no further than the scored trials of every scenario.
    expect(report.trials?.passAt?.map(({ k }) => k)).toEqual([1, 2, 3]);
  });

  test("a run of single trials has no summary of trials", async () => {
    const report = await run([scenario("a", "p")], { trials: 1 });
    expect([report.trials, countsOf(report)]).toEqual([undefined, undefined]);
  });

  test("kind flaky-judgement: whatever the trials, the summary agrees with each scenario counted by itself", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.constantFrom("p", "f", "e"), { minLength: 3, maxLength: 3 }).map((letters) => letters.join("")), { minLength: 1, maxLength: 8 }), async (all) => {
        const report = await run(all.map((letters, at) => scenario(`s_${at}`, letters)), { trials: 3 });
        const counts = all.map((letters) => ({ passed: letters.replace(/[^p]/g, "").length, scored: letters.replaceAll("e", "").length })).filter(({ scored }) => scored > 0);
        const flaky = counts.filter(({ passed, scored }) => passed > 0 && passed < scored).length;
        expect([report.trials?.flaky, report.trials?.unscored]).toEqual([flaky, all.length - counts.length]);
        for (const { k, passAtK: some, passHatK: every } of report.trials?.passAt ?? []) {
          const mean = (of: (n: number, c: number, size: number) => number | null): number => counts.reduce((sum, { passed, scored }) => sum + (of(scored, passed, k) ?? Number.NaN), 0) / counts.length;
          expect(some).toBeCloseTo(mean(passAtK), 12);
          expect(every).toBeCloseTo(mean(passHatK), 12);
        }
      }),
      { numRuns: 25 },
    );
  });
});
