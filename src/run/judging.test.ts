import { createRunner, decodeReport, encodeReport, type HookContext, type Judge, type JudgeRequest, type Judgment, type Report, type ReportHead, type Result, type Scenario, type Suite } from "entail";
import { fakeClock, recordingReporter, scriptedJudge } from "entail/testing";
import { describe, expect, test } from "vitest";
import { execute } from "./execute.ts";
import type { Calibrations } from "./plan.ts";

const passing = (): Result => ({ checks: [{ name: "ok", passed: true }] });
const claiming = (output = "It is running.", ...ids: readonly string[]): Result => ({ output, claims: (ids.length > 0 ? ids : ["c"]).map((id) => ({ id, text: `Claim ${id}.` })) });
const scenario = (id: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario => ({ id, description: `Scenario ${id}.`, tags: [], timeoutMs: 60_000, run, ...more });
const suite = (...scenarios: readonly Scenario[]): Suite => ({ id: "chat", description: "A suite.", scenarios });
const only = (report: Report): Report["scenarios"][number] => {
  expect(report.scenarios).toHaveLength(1);
  return report.scenarios[0]!;
};
/** A judge that answers its calibration rightly and everything else as told. */
const judgeOf = (answer: (request: JudgeRequest) => unknown): Judge => {
  const right = scriptedJudge({});
  return { judge: (request) => (request.claims[0]?.id.startsWith("calibration_") === true ? right.judge(request) : (answer(request) as Promise<readonly Judgment[]>)) };
};

describe("construction", () => {
  test("[17] a maxConcurrency of 0 throws where the runner is made", () => {
    for (const maxConcurrency of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5" as never, undefined as never]) {
      expect(() => createRunner({ maxConcurrency })).toThrow(expect.objectContaining({ code: "concurrency_not_positive" }));
    }
  });
  test("every other option is looked at there too", () => {
    const bad = (options: object): (() => unknown) => () => createRunner({ maxConcurrency: 1, ...options });
    expect(bad({ trials: 0 })).toThrow(expect.objectContaining({ code: "trials_not_positive" }));
    expect(bad({ retries: -1 })).toThrow(expect.objectContaining({ code: "retries_negative" }));
    for (const options of [{ timeoutMs: 0 }, { timeoutMs: 3e9 }, { bail: 0 }, { maxTimeMs: -1 }, { judge: {} }, { beforeAll: 1 }, { reporter: null }, { clock: {} }, { strict: "no" }, { reporters: {} }, { maxConcurency: 3 }]) {
      expect(bad(options)).toThrow(expect.objectContaining({ code: "option_invalid" }));
    }
    expect(bad({ maxConcurency: 3 })).toThrow(/did you mean "maxConcurrency"/);
  });
});

describe("calibration", () => {
  test("[19] one selected scenario makes two judge calls, calibration first; only its hook runs", async () => {
    const ran: string[] = [];
    const judge = scriptedJudge({ c: "entailed" });
    const hook = (id: string): Scenario => scenario(id, () => (ran.push(id), claiming(`Output of ${id}.`)));
    const report = await createRunner({ judge, maxConcurrency: 1 }).runScenarios(suite(hook("first"), hook("second")), ["first"]);
    expect(ran).toEqual(["first"]);
    expect(judge.calibrations).toHaveLength(1);
    expect(judge.requests.map(({ output }) => output)).toEqual(["Output of first."]);
    expect(report.scenarios.map(({ id }) => id)).toEqual(["first"]);
    expect(report.passed).toBe(true);
    expect(report.judge?.calibration).toMatchObject({ passed: true, judgments: expect.any(Array) });
  });
  test("[21] it is one output and four claims, without a reference", async () => {
    const judge = scriptedJudge({});
    await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", passing)));
    expect(judge.calibrations).toHaveLength(1);
    expect(judge.calibrations[0]).toMatchObject({ reference: "", output: expect.stringMatching(/./) });
    expect(judge.calibrations[0]?.claims.map(({ id }) => id)).toEqual(["calibration_entailed", "calibration_contradicted", "calibration_not_addressed", "calibration_indeterminate"]);
  });
  test("[22] it ends after two minutes though the caller gave no limit, and the judge's signal is aborted", async () => {
    const clock = fakeClock();
    let signal: AbortSignal | undefined;
    const going = createRunner({ judge: { judge: (request) => ((signal = request.signal), new Promise(() => {})) }, maxConcurrency: 1, clock }).run(suite(scenario("a", passing)));
    await clock.advance(119_999);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(signal?.aborted).toBe(true);
    expect((await going).error).toMatchObject({ code: "calibration_failed", stage: "calibration" });
  });
  test("[23] a judge that says entailed to all four is a calibration error: no hook runs, every selected scenario is skipped once", async () => {
    let hooks = 0;
    const reporter = recordingReporter();
    const judge = scriptedJudge(() => "entailed", { calibrates: false });
    const two = suite(scenario("a", () => (hooks++, passing())), scenario("b", () => (hooks++, passing())), scenario("c", passing));
    const report = await createRunner({ judge, maxConcurrency: 2, reporter }).runScenarios(two, ["a", "b"]);
    expect(hooks).toBe(0);
    expect(report.passed).toBe(false);
    expect(report.error).toMatchObject({ code: "calibration_failed", stage: "calibration", message: expect.stringMatching(/calibration.*calibration_contradicted.*entailed/) });
    expect(report.scenarios).toMatchObject([
      { id: "a", outcome: "skipped", passed: false, durationMs: 0, error: { code: "calibration_failed", stage: "calibration" } },
      { id: "b", outcome: "skipped", passed: false },
    ]);
    expect(report.totals).toMatchObject({ scenarios: 2, skipped: 2, errored: 0 });
    expect(reporter.finished).toEqual(report.scenarios);
    expect(reporter.started).toEqual([]);
    expect(judge.requests).toHaveLength(1);
  });
  test("[24] a judge that throws at its calibration: the error has the cause's text, and no hook runs", async () => {
    let hooks = 0;
    const judge = scriptedJudge(() => { throw new Error("quota used up"); }, { calibrates: false });
    const report = await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", () => (hooks++, passing()))));
    expect(report.error).toMatchObject({ code: "calibration_failed", message: expect.stringMatching(/calibration.*quota used up/) });
    expect(report.scenarios).toMatchObject([{ id: "a", outcome: "skipped" }]);
    expect(hooks).toBe(0);
  });
  test("[25] one judgment instead of four is a calibration error that says 1 and 4", async () => {
    const judge: Judge = { judge: async () => [{ claimId: "calibration_entailed", label: "entailed", rationale: "It says so." }] };
    const report = await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", passing)));
    expect(report.error?.message).toMatch(/\b1\b.*\b4\b/);
    expect(report.scenarios).toMatchObject([{ outcome: "skipped" }]);
  });
});

test("a judge object is calibrated once for all runs of an invocation, and its cost counts once", async () => {
  const right = scriptedJudge({ c: "entailed" });
  const judge: Judge = { judge: (request) => (request.record?.({ durationMs: 1, usage: { inputTokens: 10 } }), right.judge(request)) };
  const calibrations: Calibrations = new WeakMap();
  const run = (): Promise<ReportHead> => execute({ suite: suite(scenario("a", () => claiming())), selection: { kind: "all" }, judge, maxConcurrency: 1, clock: fakeClock(), newRunId: () => "id", reporters: [], calibrations }, { scenarioFinished() {} });
  const [first, second] = await Promise.all([run(), run()]);
  expect(right.calibrations).toHaveLength(1);
  expect([first.passed, second.passed]).toEqual([true, true]);
  expect(second.judge?.calibration).toEqual(first.judge?.calibration);
  expect([first.usage?.judge?.inputTokens, second.usage?.judge?.inputTokens]).toEqual([20, 10]);
});

describe("scenarios with claims", () => {
  test("[26] a contradicted claim fails its scenario without any error, and the judgment is kept", async () => {
    const report = await createRunner({ judge: scriptedJudge({ c: { label: "contradicted", rationale: "It says otherwise." } }), maxConcurrency: 1 }).run(suite(scenario("a", () => claiming())));
    expect(report.error).toBeUndefined();
    expect(report.passed).toBe(false);
    expect(only(report)).toMatchObject({ outcome: "failed", passed: false, judgments: [{ claimId: "c", label: "contradicted", rationale: "It says otherwise.", passed: false }] });
    expect(only(report)).not.toHaveProperty("error");
    expect(report.verdict).toBe("failed");
  });
  test("[27] an empty output fails every claim as not_addressed, and the judge is asked for its calibration alone", async () => {
    const judge = scriptedJudge({});
    const report = await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", () => ({ ...claiming(""), checks: [{ name: "ended", passed: false, diagnostic: "run failed" }] }))));
    expect(report.error).toBeUndefined();
    expect(only(report)).toMatchObject({ outcome: "failed", judgments: [{ claimId: "c", label: "not_addressed", rationale: expect.stringMatching(/./), passed: false }] });
    expect(judge.calibrations).toHaveLength(1);
    expect(judge.requests).toHaveLength(0);
  });
  test("[28] what the judge throws is the scenario's error, word for word; the run itself has none", async () => {
    const judge = judgeOf(async () => { throw new Error("judge is down"); });
    const report = await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", () => claiming())));
    expect(report.error).toBeUndefined();
    expect(report.passed).toBe(false);
    expect(only(report)).toMatchObject({ outcome: "errored", error: { code: "judge_failed", stage: "judge", message: "judge is down" }, result: { output: "It is running." } });
    expect(only(report).judgments).toBeUndefined();
    expect(report.totals.errors.judge).toBe(1);
  });
  test("[29] a claim without a judge is an error of its scenario: judge_required", async () => {
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", () => claiming()), scenario("b", passing)));
    expect(report.error).toBeUndefined();
    expect(report.scenarios).toMatchObject([{ outcome: "errored", error: { code: "judge_required", stage: "judge" }, result: { output: "It is running." } }, { outcome: "passed" }]);
  });
  test("[30] two scenarios at concurrency 2 are judged at the same time", async () => {
    let inFlight = 0;
    let most = 0;
    let release = (): void => {};
    const both = new Promise<void>((resolve) => { release = resolve; });
    const judge = judgeOf(async ({ claims }) => {
      most = Math.max(most, ++inFlight);
      if (inFlight === 2) release();
      await both;
      return claims.map(({ id }) => ({ claimId: id, label: "entailed", rationale: "It says so." }));
    });
    const report = await createRunner({ judge, maxConcurrency: 2 }).run(suite(scenario("a", () => claiming()), scenario("b", () => claiming())));
    expect(most).toBe(2);
    expect(report.passed).toBe(true);
  });
  test("[31] a hook of 1 s and a judging of 2 s make a duration of 3 s", async () => {
    const clock = fakeClock({ auto: true });
    const right = scriptedJudge({ c: "entailed" });
    const judge = judgeOf(async (request) => (await clock.sleep(2_000), right.judge(request)));
    const report = await createRunner({ judge, maxConcurrency: 1, clock }).run(suite(scenario("a", async () => (await clock.sleep(1_000), claiming()))));
    expect(only(report)).toMatchObject({ outcome: "passed", durationMs: 3_000 });
  });
  test("[32] a reference reaches the judge byte for byte, the calibration has none, and both texts survive report and JSON", async () => {
    const reference = "  Füllstand: 80 %\r\n\t日本 \u{1F680} ";
    const output = " Es läuft. \n";
    const judge = scriptedJudge({ c: "entailed" });
    const report = await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", () => ({ ...claiming(output), reference }))));
    expect(judge.requests[0]).toMatchObject({ output, reference });
    expect(judge.calibrations[0]?.reference).toBe("");
    expect(only(report).result).toMatchObject({ output, reference });
    expect(decodeReport(encodeReport(report))).toStrictEqual(report);
  });
  test("[34] a judge that leaves out one of two claims makes its scenario errored, and is not asked again", async () => {
    let calls = 0;
    const judge = judgeOf(async () => (calls++, [{ claimId: "one", label: "entailed", rationale: "It says so." }]));
    const report = await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", () => claiming("Both.", "one", "two"))));
    expect(only(report)).toMatchObject({ outcome: "errored", error: { code: "judgment_count_differs", stage: "judge", message: expect.stringMatching(/1.*2/) } });
    expect(calls).toBe(1);
  });
  test("[202] a claim, an empty output and no judge is judge_required, not not_addressed", async () => {
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", () => claiming(""))));
    expect(only(report)).toMatchObject({ outcome: "errored", error: { code: "judge_required", stage: "judge" } });
  });
  test("[204] a judge that answers after the deadline: deadline_exceeded, the result kept, no judgments", async () => {
    const clock = fakeClock({ auto: true });
    const right = scriptedJudge({ c: "entailed" });
    const judge = judgeOf(async (request) => (await clock.sleep(2_000), right.judge(request)));
    const report = await createRunner({ judge, maxConcurrency: 1, clock }).run(suite(scenario("a", async () => (await clock.sleep(500), claiming()), { timeoutMs: 1_000 })));
    expect(only(report)).toMatchObject({ outcome: "errored", error: { code: "deadline_exceeded", stage: "judge" }, result: { output: "It is running." }, durationMs: 1_000 });
    expect(only(report).judgments).toBeUndefined();
  });
  test("[208] an output of white space alone goes to the judge", async () => {
    const judge = scriptedJudge({ c: "not_addressed" });
    await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", () => claiming(" \n"))));
    expect(judge.requests.map(({ output }) => output)).toEqual([" \n"]);
  });

  test("an empty output fails a claim that expects not_addressed too", async () => {
    const judge = scriptedJudge({});
    const report = await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", () => ({ claims: [{ id: "c", text: "x", expect: "not_addressed" }] }))));
    expect(only(report)).toMatchObject({ outcome: "failed", judgments: [{ label: "not_addressed", passed: false, expect: "not_addressed" }] });
  });
  test("a claim passes with the label that it expects, and with no other", async () => {
    for (const [expected, given, outcome] of [["contradicted", "contradicted", "passed"], ["contradicted", "entailed", "failed"], ["indeterminate", "not_addressed", "failed"], ["entailed", "entailed", "passed"]] as const) {
      const report = await createRunner({ judge: scriptedJudge({ c: given }), maxConcurrency: 1 }).run(suite(scenario("a", () => ({ output: "x", claims: [{ id: "c", text: "x", expect: expected }] }))));
      expect(only(report).outcome).toBe(outcome);
    }
  });
  test("the judge is asked once for all claims, with a scope of its own purpose and the attempt's signal", async () => {
    const judge = scriptedJudge(() => "entailed");
    let signal: AbortSignal | undefined;
    await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", (ctx: HookContext) => ((signal = ctx.signal), claiming("x", "one", "two", "three")))));
    expect(judge.requests).toHaveLength(1);
    expect(judge.requests[0]?.claims.map(({ id }) => id)).toEqual(["one", "two", "three"]);
    expect(judge.requests[0]?.scope).toEqual({ suite: "chat", scenario: "a", trial: 1, purpose: "judge", ordinal: 0 });
    expect(judge.requests[0]?.signal).toBe(signal);
  });
  test.each<[string, unknown, string]>([
    ["no list", "entailed", "judgment_count_differs"],
    ["a hole", [undefined], "judgment_claim_unknown"],
    ["a label that is none", [{ claimId: "c", label: "Entailed", rationale: "x" }], "judgment_label_invalid"],
    ["a claim of another id", [{ claimId: "C", label: "entailed", rationale: "x" }], "judgment_claim_unknown"],
    ["no rationale", [{ claimId: "c", label: "entailed" }], "judgment_rationale_missing"],
    ["a getter that throws", [{ get claimId() { throw new Error("closed"); } }], "judge_failed"],
    ["a bigint as the id", [{ claimId: 1n, label: "entailed", rationale: "x" }], "judge_failed"],
    ["nothing", undefined, "judgment_count_differs"],
  ])("a judge that answers with %s makes its scenario errored at judge, never failed", async (_what, answer, code) => {
    const report = await createRunner({ judge: judgeOf(async () => answer), maxConcurrency: 1 }).run(suite(scenario("a", () => claiming())));
    expect(only(report)).toMatchObject({ outcome: "errored", error: { code, stage: "judge" } });
  });
  test("what a judge records of its requests is in the report, with what it consumed, and unknown usage stays unknown", async () => {
    const right = scriptedJudge({ c: "entailed" });
    const judge = judgeOf((request) => {
      request.record?.({ durationMs: 5, cause: "the answer was prose", usage: { inputTokens: 10, outputTokens: 1 }, model: "m" });
      request.record?.({ durationMs: 6.000_000_4 });
      return right.judge(request);
    });
    const report = await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", () => ({ ...claiming(), usage: { inputTokens: 7 } }))));
    expect(only(report).judging).toEqual([{ durationMs: 5, cause: "the answer was prose", usage: { inputTokens: 10, outputTokens: 1 }, model: "m" }, { durationMs: 6 }]);
    expect(only(report).usage).toEqual({ subject: { inputTokens: 7 }, judge: { inputTokens: 10, outputTokens: 1, requests: 2, unknownRequests: 1 } });
    expect(report.usage).toEqual(only(report).usage);
  });
  test("a judge that keeps recording after the deadline adds nothing to a finished report", async () => {
    const clock = fakeClock({ auto: true });
    let late: JudgeRequest["record"];
    const judge = judgeOf(async (request) => ((late = request.record), request.record?.({ durationMs: 1 }), new Promise(() => {})));
    const report = await createRunner({ judge, maxConcurrency: 1, clock }).run(suite(scenario("a", () => claiming(), { timeoutMs: 100 })));
    late?.({ durationMs: 2 });
    expect(only(report).judging).toEqual([{ durationMs: 1 }]);
    expect(report.hooksRunning).toBe(1);
  });
});

describe("scores of a hook", () => {
  const scored = (...scores: NonNullable<Result["scores"]>): Suite => suite(scenario("a", () => ({ scores })));
  test("a threshold that is reached passes, one that is missed is scored, within 1e-9", async () => {
    const runner = createRunner({ maxConcurrency: 1 });
    expect(only(await runner.run(scored({ id: "s", score: 0.5, threshold: 0.5 })))).toMatchObject({ outcome: "passed", passed: true, scores: [{ id: "s", base: "s", kind: "scorer", score: 0.5, threshold: 0.5, passed: true }] });
    expect(only(await runner.run(scored({ id: "s", score: 0.1 + 0.2 - 1e-10, threshold: 0.3 })))).toMatchObject({ outcome: "passed" });
    const missed = await runner.run(scored({ id: "s", score: 0.2, threshold: 0.3, reason: "far off" }));
    expect(only(missed)).toMatchObject({ outcome: "scored", passed: true, scores: [{ passed: false, reason: "far off" }] });
    expect(missed).toMatchObject({ passed: true, verdict: "scored" });
    expect(missed.warnings).toBeUndefined();
  });
  test("a threshold of 0 is a threshold", async () => {
    expect(only(await createRunner({ maxConcurrency: 1 }).run(scored({ id: "s", score: 0, threshold: 0 })))).toMatchObject({ outcome: "passed", scores: [{ threshold: 0, passed: true }] });
  });
  test("a score without a threshold requires nothing: scored, no verdict, and a warning that names it", async () => {
    const report = await createRunner({ maxConcurrency: 1 }).run(scored({ id: "s", score: 0.9 }));
    expect(only(report)).toMatchObject({ outcome: "scored", passed: true });
    expect(report.verdict).toBeUndefined();
    expect(report.warnings).toEqual([{ code: "nothing_required", message: expect.stringContaining('"a"'), scenario: "a" }]);
  });
  test("--strict: a missed threshold makes scenario and report not passed, the outcome stays scored", async () => {
    const report = await createRunner({ maxConcurrency: 1, strict: true }).run(scored({ id: "s", score: 0.2, threshold: 0.3 }));
    expect(report.passed).toBe(false);
    expect(only(report)).toMatchObject({ outcome: "scored", passed: false });
  });
  test("a failed check beside a missed threshold is failed", async () => {
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", () => ({ checks: [{ name: "x", passed: false, diagnostic: "no" }], scores: [{ id: "s", score: 0, threshold: 1 }] }))));
    expect(only(report).outcome).toBe("failed");
  });
});
