import { createRunner, EntailError, type HookContext, type Result, type Scenario, type Suite } from "entail";
import { fakeClock, recordingReporter, scriptedJudge } from "entail/testing";
import { describe, expect, test } from "vitest";

const passing = (): Result => ({ checks: [{ name: "ok", passed: true }] });
const never = (): Promise<never> => new Promise(() => {});
const untilAborted = ({ signal }: HookContext): Promise<never> => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
const scenario = (id: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario => ({ id, description: `Scenario ${id}.`, tags: [], timeoutMs: 60_000, run, ...more });
const suite = (...scenarios: readonly Scenario[]): Suite => ({ id: "chat", description: "A suite.", scenarios });

test("[50] three blocking scenarios at concurrency 2, cancelled after two have started: each is cancelled, one never started, 2 starts and 3 finishes are told", async () => {
  const controller = new AbortController();
  const reporter = recordingReporter((call) => { if (call.call === "scenarioStarted" && reporter.started.length === 2) queueMicrotask(() => controller.abort()); });
  const report = await createRunner({ maxConcurrency: 2, reporter }).run(suite(scenario("a", untilAborted), scenario("b", untilAborted), scenario("c", untilAborted)), { signal: controller.signal });
  expect(report.error).toEqual({ code: "cancelled", stage: "hook", message: "the run was cancelled" });
  expect(report.passed).toBe(false);
  expect(report.scenarios).toMatchObject([
    { id: "a", outcome: "cancelled", error: { code: "cancelled", stage: "hook", message: "the run was cancelled" } },
    { id: "b", outcome: "cancelled", error: { code: "cancelled", stage: "hook", message: "the run was cancelled" } },
    { id: "c", outcome: "cancelled", durationMs: 0, error: { code: "cancelled", stage: "selection", message: "the run was cancelled" } },
  ]);
  expect(report.scenarios.filter(({ startedAt }) => startedAt === undefined).map(({ id }) => id)).toEqual(["c"]);
  expect(reporter.started).toEqual(["a", "b"]);
  expect(reporter.finished.map(({ id }) => id).toSorted()).toEqual(["a", "b", "c"]);
});

test("[203] a hook that ignores its deadline and answers well afterwards: deadline_exceeded, and its result is dropped", async () => {
  const clock = fakeClock({ auto: true });
  const late = scenario("late", async () => (await clock.sleep(2_000), { ...passing(), output: "too late" }), { timeoutMs: 1_000 });
  const report = await createRunner({ maxConcurrency: 1, clock }).run(suite(late));
  expect(report.scenarios).toMatchObject([{ outcome: "errored", durationMs: 1_000, error: { code: "deadline_exceeded", stage: "hook", message: "the hook did not end within the scenario's 1.0s" } }]);
  expect(report.scenarios[0]).not.toHaveProperty("result");
  expect(report.error).toBeUndefined();
});

test("[205] a signal aborted before, without a judge: nothing starts, one finished callback each, cancelled", async () => {
  const reporter = recordingReporter();
  let hooks = 0;
  const report = await createRunner({ maxConcurrency: 2, reporter, beforeAll: () => void hooks++ }).run(suite(scenario("a", () => (hooks++, passing())), scenario("b", () => (hooks++, passing()))), { signal: AbortSignal.abort() });
  expect(hooks).toBe(0);
  expect(report.error).toMatchObject({ code: "cancelled", stage: "selection" });
  for (const entry of report.scenarios) {
    expect(entry).toMatchObject({ outcome: "cancelled", durationMs: 0, error: { code: "cancelled", stage: "selection" } });
    expect(entry.startedAt).toBeUndefined();
  }
  expect(reporter.started).toEqual([]);
  expect(reporter.finished.map(({ id }) => id)).toEqual(["a", "b"]);
});

test("[206] a signal aborted before, with a judge: it is seen first, each selected scenario is cancelled with one callback, and nothing is calibrated", async () => {
  const reporter = recordingReporter();
  const judge = scriptedJudge({});
  const report = await createRunner({ judge, maxConcurrency: 2, reporter }).runScenarios(suite(scenario("a", passing), scenario("b", passing), scenario("c", passing)), ["c", "a"], { signal: AbortSignal.abort() });
  expect(judge.calibrations).toHaveLength(0);
  expect(report.scenarios).toMatchObject([{ id: "a", outcome: "cancelled" }, { id: "c", outcome: "cancelled" }]);
  expect(reporter.finished.map(({ id }) => id)).toEqual(["a", "c"]);
  expect(report.error?.code).toBe("cancelled");
  expect(report.totals).toMatchObject({ scenarios: 2, cancelled: 2, skipped: 0 });
});

test("[207] a cancellation after the last scenario passed: the error is set, and `passed` is false", async () => {
  const controller = new AbortController();
  const reporter = recordingReporter((call) => { if (call.call === "scenarioFinished") controller.abort(); });
  const report = await createRunner({ maxConcurrency: 1, reporter }).run(suite(scenario("a", passing)), { signal: controller.signal });
  expect(report.scenarios).toMatchObject([{ outcome: "passed", passed: true }]);
  expect(report.error?.code).toBe("cancelled");
  expect(report.passed).toBe(false);
});

test("a reason given with the abort is told, and a timed-out signal says so", async () => {
  const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", passing)), { signal: AbortSignal.abort(new Error("deploy in progress")) });
  expect(report.error?.message).toBe("the run was cancelled: deploy in progress");
  expect(report.scenarios[0]?.error?.message).toBe("the run was cancelled: deploy in progress");
});

test("a reason that is an EntailError of a limit keeps its code and its words", async () => {
  const signal = AbortSignal.abort(new EntailError("bail_reached", "stopped after 3 scenarios of all suites"));
  const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", passing)), { signal });
  expect(report.error).toEqual({ code: "bail_reached", stage: "selection", message: "stopped after 3 scenarios of all suites" });
  expect(report.scenarios[0]?.error?.code).toBe("bail_reached");
});

test("a cancellation during calibration makes the scenarios cancelled, not skipped, and the run's stage is calibration", async () => {
  const controller = new AbortController();
  const judge = { judge: () => (queueMicrotask(() => controller.abort()), never()) };
  const report = await createRunner({ judge, maxConcurrency: 1 }).run(suite(scenario("a", passing)), { signal: controller.signal });
  expect(report.error).toMatchObject({ code: "cancelled", stage: "calibration" });
  expect(report.scenarios).toMatchObject([{ outcome: "cancelled", error: { stage: "selection" } }]);
  expect(report.judge?.calibration?.passed).toBe(false);
});

describe("hooks that ignore their signal", () => {
  test("one is waited for 5 s after a cancellation, then abandoned; the report says that it still runs", async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const going = createRunner({ maxConcurrency: 2, clock }).run(suite(scenario("deaf", never), scenario("polite", untilAborted)), { signal: controller.signal });
    await clock.advance(100);
    controller.abort();
    await clock.advance(4_999);
    let done = false;
    void going.then(() => (done = true));
    await clock.advance(0);
    expect(done).toBe(false);
    await clock.advance(1);
    const report = await going;
    expect(report.scenarios).toMatchObject([{ id: "deaf", outcome: "cancelled", durationMs: 5_100 }, { id: "polite", outcome: "cancelled", durationMs: 100 }]);
    expect(report.hooksRunning).toBe(1);
    expect(clock.sleepers()).toBe(0);
  });
  test("one that answers within the 5 s is not counted, and its answer is dropped all the same", async () => {
    const clock = fakeClock({ auto: true });
    const controller = new AbortController();
    void clock.sleep(100).then(() => controller.abort());
    const slow = async ({ attach }: HookContext): Promise<Result> => (attach({ output: "half" }), await clock.sleep(3_000), { ...passing(), output: "whole" });
    const report = await createRunner({ maxConcurrency: 1, clock }).run(suite(scenario("slow", slow)), { signal: controller.signal });
    expect(report.scenarios).toMatchObject([{ outcome: "cancelled", durationMs: 3_000, result: { output: "half" } }]);
    expect(report.hooksRunning).toBeUndefined();
  });
  test("its place is freed at the deadline, so that the others run", async () => {
    const clock = fakeClock({ auto: true });
    const report = await createRunner({ maxConcurrency: 1, clock }).run(suite(scenario("hang", never, { timeoutMs: 50 }), scenario("next", passing)));
    expect(report.scenarios).toMatchObject([{ outcome: "errored", error: { code: "deadline_exceeded" } }, { outcome: "passed" }]);
    expect(report.hooksRunning).toBe(1);
  });
  test("what it throws after it was abandoned is no unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const clock = fakeClock();
    const going = createRunner({ maxConcurrency: 1, clock }).run(suite(scenario("hang", async () => (await clock.sleep(200), Promise.reject(new Error("late"))), { timeoutMs: 50 })));
    await clock.advance(50);
    await going;
    await clock.advance(200);
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
  });
  test("a hook that let no timer fire is over its deadline when it comes back", async () => {
    let elapsed = 0;
    const clock = { ...fakeClock(), elapsed: () => elapsed };
    const report = await createRunner({ maxConcurrency: 1, clock }).run(suite(scenario("busy", () => ((elapsed += 1_000), passing()), { timeoutMs: 500 })));
    expect(report.scenarios).toMatchObject([{ outcome: "errored", error: { code: "deadline_exceeded", stage: "hook" } }]);
  });
  test("one that obeys its signal at the deadline is errored there, and nothing runs on", async () => {
    const clock = fakeClock({ auto: true });
    const report = await createRunner({ maxConcurrency: 1, clock }).run(suite(scenario("polite", untilAborted, { timeoutMs: 50 })));
    expect(report.scenarios).toMatchObject([{ outcome: "errored", durationMs: 50, error: { code: "deadline_exceeded" } }]);
    expect(report.hooksRunning).toBeUndefined();
  });
});

describe("limits of a whole run", () => {
  test("bail stops the start of further scenarios; those that run end by themselves", async () => {
    const clock = fakeClock({ auto: true });
    const failing = (): Result => ({ checks: [{ name: "x", passed: false, diagnostic: "no" }] });
    const report = await createRunner({ maxConcurrency: 2, bail: 1, clock }).run(suite(scenario("bad", failing), scenario("running", async () => (await clock.sleep(50), passing())), scenario("later", passing)));
    expect(report.scenarios).toMatchObject([{ outcome: "failed" }, { outcome: "passed" }, { outcome: "cancelled", error: { code: "bail_reached", stage: "selection" } }]);
    expect(report.error?.code).toBe("bail_reached");
  });
  test("bail does not count what is known to fail, and is no error where nothing was left to start", async () => {
    const failing = (): Result => ({ checks: [{ name: "x", passed: false, diagnostic: "no" }] });
    const known = await createRunner({ maxConcurrency: 1, bail: 1 }).run(suite(scenario("known", failing, { knownFailure: "see 12" }), scenario("next", passing)));
    expect(known.scenarios).toMatchObject([{ outcome: "failed", knownFailure: "see 12" }, { outcome: "passed" }]);
    const last = await createRunner({ maxConcurrency: 1, bail: 1 }).run(suite(scenario("good", passing), scenario("bad", failing)));
    expect(last.error).toBeUndefined();
  });
  test("maxTimeMs cancels what runs and what has not started", async () => {
    const clock = fakeClock({ auto: true });
    const report = await createRunner({ maxConcurrency: 1, maxTimeMs: 100, clock }).run(suite(scenario("quick", passing), scenario("long", untilAborted), scenario("later", passing)));
    expect(report.scenarios).toMatchObject([{ outcome: "passed" }, { outcome: "cancelled", durationMs: 100, error: { code: "max_time_reached", stage: "hook" } }, { outcome: "cancelled", error: { code: "max_time_reached" } }]);
    expect(report.error).toMatchObject({ code: "max_time_reached" });
    expect(report.passed).toBe(false);
  });
});

test("after a run no timer is left, whatever timeouts its scenarios had", async () => {
  const clock = fakeClock();
  await createRunner({ maxConcurrency: 3, clock, maxTimeMs: 500_000, afterAll: () => {} }).run(suite(scenario("a", passing), scenario("b", passing)));
  expect(clock.sleepers()).toBe(0);
});
