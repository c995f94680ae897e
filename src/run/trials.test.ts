import { createRunner, EntailError, type Judge, type Report, type Result, type Scenario, type Suite } from "entail";
import { fakeClock, scriptedJudge } from "entail/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trialsOutcome } from "./scenario-report.ts";

type Did = "passed" | "failed" | "scored" | "errored";
const results: Record<Did, () => Result> = {
  passed: () => ({ checks: [{ name: "ok", passed: true }] }),
  failed: () => ({ checks: [{ name: "ok", passed: false, diagnostic: "not so" }] }),
  scored: () => ({ scores: [{ id: "s", score: 0.1, threshold: 0.5 }] }),
  errored: () => { throw new Error("unreachable"); },
};
const scenario = (id: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario => ({ id, description: `Scenario ${id}.`, tags: [], timeoutMs: 60_000, run, ...more });
const suite = (...scenarios: readonly Scenario[]): Suite => ({ id: "chat", description: "A suite.", scenarios });
const inTurn = (...dids: readonly Did[]): Scenario["run"] => ({ trial, attempt }) => results[dids[trial - 1 + attempt - 1] ?? "passed"]();
const runTrials = async (dids: readonly Did[], more: Partial<Scenario> = {}, options = {}): Promise<Report> =>
  createRunner({ maxConcurrency: 1, ...options }).run(suite(scenario("a", inTurn(...dids), { trials: dids.length, ...more })));

describe("trials", () => {
  test("all must pass where nothing else is required, and the deciding trial is the first that did not", async () => {
    const report = await runTrials(["passed", "failed", "passed"]);
    expect(report.scenarios[0]).toMatchObject({
      outcome: "failed",
      passed: false,
      result: { checks: [{ name: "ok", passed: false, diagnostic: "not so" }] },
      trials: [{ trial: 1, outcome: "passed" }, { trial: 2, outcome: "failed" }, { trial: 3, outcome: "passed" }],
      trialCounts: { passed: 2, failed: 1, scored: 0, errored: 0, cancelled: 0, passRate: 2 / 3 },
    });
  });
  test("one trial is reported without a list of trials", async () => {
    const [only] = (await runTrials(["passed"])).scenarios;
    expect(only).not.toHaveProperty("trials");
    expect(only).not.toHaveProperty("trial");
    expect(only).not.toHaveProperty("trialCounts");
  });
  test("a required pass rate is met over the trials that could be measured", async () => {
    expect((await runTrials(["passed", "failed", "passed", "errored"], { require: { passRate: 0.5 } })).scenarios[0]).toMatchObject({ outcome: "passed", passed: true, trialCounts: { passRate: 2 / 3 } });
    expect((await runTrials(["passed", "passed", "failed"], { require: { passRate: 2 / 3 } })).scenarios[0]?.outcome).toBe("passed");
    expect((await runTrials(["passed", "failed", "failed"], { require: { passRate: 2 / 3 } })).scenarios[0]?.outcome).toBe("failed");
  });
  test("a trial that could not be measured makes the scenario errored where it could have turned it", async () => {
    expect((await runTrials(["passed", "errored"])).scenarios[0]).toMatchObject({ outcome: "errored", error: { message: "unreachable" } });
    expect((await runTrials(["failed", "errored"])).scenarios[0]?.outcome).toBe("failed");
    expect((await runTrials(["passed", "failed", "errored", "errored"], { require: { passRate: 0.5 } })).scenarios[0]?.outcome).toBe("errored");
    expect((await runTrials(["errored", "errored"], { require: { passRate: 0.01 } })).scenarios[0]?.outcome).toBe("errored");
  });
  test("trials that missed a threshold only make it scored", async () => {
    expect((await runTrials(["scored", "passed"])).scenarios[0]).toMatchObject({ outcome: "scored", passed: true });
    expect((await runTrials(["scored", "failed"])).scenarios[0]?.outcome).toBe("failed");
    expect((await runTrials(["scored", "passed"], { require: { passRate: 0.5 } })).scenarios[0]?.outcome).toBe("passed");
  });
  test("their durations add up", async () => {
    const clock = fakeClock({ auto: true });
    const report = await createRunner({ maxConcurrency: 3, trials: 3, clock }).run(suite(scenario("a", async ({ trial }) => (await clock.sleep(trial * 100), results.passed()))));
    expect(report.scenarios[0]).toMatchObject({ durationMs: 600, trials: [{ durationMs: 100 }, { durationMs: 200 }, { durationMs: 300 }] });
    expect(report.durationMs).toBe(300);
  });
  test("what the caller asks for beats what the scenario declares", async () => {
    expect((await runTrials(["passed", "passed", "passed"], {}, { trials: 2 })).scenarios[0]?.trials).toHaveLength(2);
  });
  test("a run that is cancelled between trials counts those that never began as cancelled", async () => {
    const controller = new AbortController();
    const report = await createRunner({ maxConcurrency: 1, trials: 3 }).run(suite(scenario("a", ({ trial }) => { if (trial === 2) controller.abort(); return results.passed(); }), scenario("b", results.passed)), { signal: controller.signal });
    expect(report.scenarios).toMatchObject([
      { id: "a", outcome: "cancelled", trials: [{ outcome: "passed" }, { outcome: "cancelled", error: { stage: "hook" } }, { outcome: "cancelled", durationMs: 0, error: { stage: "selection" } }], trialCounts: { passed: 1, cancelled: 2 } },
      { id: "b", outcome: "cancelled" },
    ]);
  });
  test("no number of unmeasured trials ever turns a scenario from what the others allow to passed", () => {
    const count = fc.nat({ max: 6 });
    fc.assert(
      fc.property(count, count, count, count, count, fc.double({ min: 0, max: 1, noNaN: true }), (passed, scored, failed, errored, cancelled, rate) => {
        fc.pre(passed + scored + failed + errored + cancelled > 0);
        const outcome = trialsOutcome({ passed, scored, failed, errored, cancelled }, rate);
        const total = passed + scored + failed + errored + cancelled;
        // Whatever the unmeasured ones would have been, and never without a measured one.
        const sure = passed + scored + failed > 0 && passed / total >= rate - 1e-9;
        const lost = passed + scored + failed > 0 && (passed + scored + errored + cancelled) / total < rate - 1e-9;
        expect(outcome === "passed").toBe(sure);
        expect(outcome === "failed").toBe(lost);
      }),
    );
  });
});

describe("retries", () => {
  const clock = (): ReturnType<typeof fakeClock> => fakeClock({ auto: true });
  test("an errored trial is tried again after 0.5, 1, 2 … s; the earlier attempts are kept", async () => {
    const time = clock();
    const at: number[] = [];
    const run: Scenario["run"] = async ({ attempt }) => {
      at.push(time.elapsed());
      await time.sleep(10);
      if (attempt < 4) throw new Error(`try ${attempt}`);
      return results.passed();
    };
    const report = await createRunner({ maxConcurrency: 1, retries: 5, clock: time }).run(suite(scenario("a", run)));
    expect(at).toEqual([0, 510, 1_520, 3_530]);
    expect(report.scenarios[0]).toMatchObject({
      outcome: "passed",
      durationMs: 10,
      attempts: [1, 2, 3].map((attempt) => ({ attempt, durationMs: 10, startedAt: expect.any(String), error: { code: "hook_threw", stage: "hook", message: `try ${attempt}` } })),
    });
  });
  test("they are used up, and then the last error stands", async () => {
    let tries = 0;
    const report = await createRunner({ maxConcurrency: 1, retries: 2, clock: clock() }).run(suite(scenario("a", () => { throw new Error(`try ${++tries}`); })));
    expect(report.scenarios[0]).toMatchObject({ outcome: "errored", error: { message: "try 3" }, attempts: [{}, {}] });
  });
  test("a failed or scored trial is never tried again", async () => {
    for (const did of ["failed", "scored"] as const) {
      let tries = 0;
      await createRunner({ maxConcurrency: 1, retries: 3, clock: clock() }).run(suite(scenario("a", () => (tries++, results[did]()))));
      expect(tries).toBe(1);
    }
  });
  const refused = (members: object): Error => Object.assign(new Error("refused"), members);
  test.each<[string, unknown]>([
    ["a status of 401", refused({ status: 401 })],
    ["a statusCode of 403", refused({ statusCode: 403 })],
    ["the status of its response", refused({ response: { status: 401 } })],
    ["a cause that was refused", new Error("failed", { cause: new Error("again", { cause: refused({ status: 403 }) }) })],
    ["a tool that cannot be reached", new EntailError("tool_unreachable", "no such tool")],
    ["an expectation that is none", new EntailError("expectation_invalid", "exact and forbidTools")],
    ["something that cannot be observed", new EntailError("not_observable", "approvals")],
    ["a wrong call of ours underneath", new Error("failed", { cause: new EntailError("option_invalid", "no") })],
  ])("%s is never tried again", async (_what, thrown) => {
    let tries = 0;
    const report = await createRunner({ maxConcurrency: 1, retries: 3, clock: clock() }).run(suite(scenario("a", () => { tries += 1; throw thrown; })));
    expect(tries).toBe(1);
    expect(report.scenarios[0]).not.toHaveProperty("attempts");
  });
  test("neither is a result that breaks the rules, nor a claim without a judge", async () => {
    for (const result of [{}, { claims: [{ id: "c", text: "x" }], output: "x" }]) {
      let tries = 0;
      await createRunner({ maxConcurrency: 1, retries: 3, clock: clock() }).run(suite(scenario("a", () => (tries++, result))));
      expect(tries).toBe(1);
    }
  });
  test("a provider's trouble and an incomplete stream are tried again", async () => {
    for (const code of ["provider_failed", "stream_incomplete"] as const) {
      const report = await createRunner({ maxConcurrency: 1, retries: 1, clock: clock() }).run(suite(scenario("a", ({ attempt }) => { if (attempt === 1) throw new EntailError(code, "once"); return results.passed(); })));
      expect(report.scenarios[0]).toMatchObject({ outcome: "passed", attempts: [{ error: { code } }] });
    }
  });
  test("a deadline is tried again with a fresh budget where the hook obeyed its signal", async () => {
    const time = clock();
    const run: Scenario["run"] = async ({ attempt, signal }) => {
      await time.sleep(attempt === 1 ? 1_000 : 90, signal);
      signal.throwIfAborted();
      return results.passed();
    };
    const report = await createRunner({ maxConcurrency: 1, retries: 1, clock: time }).run(suite(scenario("a", run, { timeoutMs: 100 })));
    expect(report.scenarios[0]).toMatchObject({ outcome: "passed", durationMs: 90, attempts: [{ durationMs: 100, error: { code: "deadline_exceeded" } }] });
  });
  test("there is none while an abandoned hook still runs", async () => {
    let tries = 0;
    const report = await createRunner({ maxConcurrency: 1, retries: 3, clock: clock() }).run(suite(scenario("a", () => (tries++, new Promise(() => {})), { timeoutMs: 100 })));
    expect(tries).toBe(1);
    expect(report.scenarios[0]?.error?.code).toBe("deadline_exceeded");
  });
  test("a cancelled run waits for no retry", async () => {
    const time = clock();
    const controller = new AbortController();
    void time.sleep(100).then(() => controller.abort());
    const report = await createRunner({ maxConcurrency: 1, retries: 5, clock: time }).run(suite(scenario("a", () => { throw new Error("x"); })), { signal: controller.signal });
    expect(report.durationMs).toBe(100);
    expect(report.scenarios[0]?.outcome).toBe("errored");
  });

  describe("an error of the judge", () => {
    const flaky = (failures: number, thrown: () => unknown = () => new EntailError("judge_invalid_response", "nonsense")): { readonly judge: Judge; readonly ordinals: number[] } => {
      const right = scriptedJudge({ c: "entailed" });
      const ordinals: number[] = [];
      return {
        ordinals,
        judge: {
          judge: async (request) => {
            if (request.scope?.purpose === "judge") {
              ordinals.push(request.scope.ordinal);
              request.record?.({ durationMs: 1 });
              if (ordinals.length <= failures) throw thrown();
            }
            return right.judge(request);
          },
        },
      };
    };
    const claiming: Result = { output: "x", claims: [{ id: "c", text: "x" }] };
    test("repeats the judging and never the hook, set-up or tear-down", async () => {
      const calls: string[] = [];
      const { judge, ordinals } = flaky(2);
      const runner = createRunner({ judge, maxConcurrency: 1, retries: 2, clock: clock(), beforeEach: () => void calls.push("before"), afterEach: ({ outcome }) => void calls.push(`after ${outcome}`) });
      const report = await runner.run(suite(scenario("a", () => (calls.push("hook"), claiming))));
      expect(calls).toEqual(["before", "hook", "after passed"]);
      expect(ordinals).toEqual([0, 1, 2]);
      expect(report.scenarios[0]).toMatchObject({ outcome: "passed", attempts: [{ attempt: 1, error: { code: "judge_invalid_response", stage: "judge" } }, { attempt: 2 }], judging: [{}, {}, {}] });
    });
    test("leaves the next judging what the hook left; the wait before it costs nothing", async () => {
      const time = clock();
      const { judge } = flaky(1);
      const slow: Judge = { judge: async (request) => (request.scope?.purpose === "judge" && (await time.sleep(300, request.signal)), judge.judge(request)) };
      const run = async (timeoutMs: number): Promise<Report["scenarios"][number] | undefined> =>
        (await createRunner({ judge: slow, maxConcurrency: 1, retries: 1, clock: time }).run(suite(scenario("a", async () => (await time.sleep(200), claiming), { timeoutMs })))).scenarios[0];
      expect(await run(801)).toMatchObject({ outcome: "passed", durationMs: 800 });
    });
    test("is not tried again once the deadline has passed", async () => {
      const time = clock();
      let judged = 0;
      const slow: Judge = { judge: async (request) => (request.scope?.purpose === "judge" && (judged++, await time.sleep(5_000)), scriptedJudge({ c: "entailed" }).judge(request)) };
      const report = await createRunner({ judge: slow, maxConcurrency: 1, retries: 3, clock: time }).run(suite(scenario("a", () => claiming, { timeoutMs: 1_000 })));
      expect(judged).toBe(1);
      expect(report.scenarios[0]).toMatchObject({ outcome: "errored", error: { code: "deadline_exceeded", stage: "judge" } });
    });
    test("that is a refusal (401, 403) is not tried again", async () => {
      const { judge, ordinals } = flaky(9, () => new EntailError("provider_failed", "no", { cause: Object.assign(new Error("x"), { statusCode: 401 }) }));
      await createRunner({ judge, maxConcurrency: 1, retries: 3, clock: clock() }).run(suite(scenario("a", () => claiming)));
      expect(ordinals).toEqual([0]);
    });
  });
});

describe("what an author says of a scenario", () => {
  test("skip: it is not run, shown with its reason, counted, and does not make the report not passed", async () => {
    let ran = 0;
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", results.passed), scenario("b", () => (ran++, results.passed()), { skip: "waits for the new inventory" })));
    expect(ran).toBe(0);
    expect(report.scenarios[1]).toEqual({ id: "b", outcome: "skipped", passed: false, durationMs: 0, skip: "waits for the new inventory", error: { code: "scenario_skipped", stage: "selection", message: "waits for the new inventory" } });
    expect(report).toMatchObject({ passed: true, verdict: "passed", totals: { scenarios: 2, passed: 1, skipped: 1 } });
  });
  test("a run in which every scenario is skipped has not passed", async () => {
    const report = await createRunner({ maxConcurrency: 1, beforeAll: () => { throw new Error("never called"); } }).run(suite(scenario("a", results.passed, { skip: "x" })));
    expect(report).toMatchObject({ passed: false, totals: { skipped: 1 } });
    expect(report.error).toBeUndefined();
  });
  test("knownFailure: it is run and counted as what it is; when it passes it is named", async () => {
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", results.failed, { knownFailure: "issue 12" }), scenario("b", results.passed, { knownFailure: "issue 13" })));
    expect(report.scenarios).toMatchObject([{ outcome: "failed", knownFailure: "issue 12" }, { outcome: "passed", knownFailure: "issue 13" }]);
    expect(report.totals).toMatchObject({ failed: 1, passed: 1 });
    expect(report.warnings).toEqual([{ code: "known_failure_passed", message: expect.stringMatching(/"b" passed.*issue 13/), scenario: "b" }]);
  });
});
