import { createRunner, type Result, type RunnerOptions, type Scenario, type Suite } from "entail";
import { fakeClock, recordingReporter } from "entail/testing";
import { describe, expect, test } from "vitest";

const passing = (): Result => ({ checks: [{ name: "ok", passed: true }] });
const failing = (): Result => ({ checks: [{ name: "ok", passed: false, diagnostic: "no" }] });
const boom = (text: string) => (): never => { throw new Error(text); };
const scenario = (id: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario => ({ id, description: `Scenario ${id}.`, tags: [], timeoutMs: 60_000, run, ...more });
const suite = (...scenarios: readonly Scenario[]): Suite => ({ id: "chat", description: "A suite.", scenarios });
const run = (scenarios: readonly Scenario[], options: Partial<RunnerOptions> = {}): ReturnType<ReturnType<typeof createRunner>["run"]> => createRunner({ maxConcurrency: 1, clock: fakeClock({ auto: true }), ...options }).run(suite(...scenarios));

describe("case 172: afterEach runs after every attempt that was set up, whatever became of it", () => {
  test("case 172: five cases open and close five times, and afterEach sees the outcome of its case", async () => {
    let opened = 0;
    const closed: string[] = [];
    const report = await run(
      [scenario("pass", passing), scenario("fail", failing), scenario("throws", boom("agent")), scenario("times_out", () => new Promise(() => {}), { timeoutMs: 100 }), scenario("set_up_fails", boom("must not be called"))],
      {
        beforeEach({ scenario: id }) {
          opened += 1;
          if (id === "set_up_fails") throw new Error("after opening");
        },
        afterEach: ({ scenario: id, outcome, error }) => void closed.push(`${id}: ${outcome} ${error?.stage ?? ""}`.trim()),
      },
    );
    expect(opened).toBe(5);
    expect(closed).toEqual(["pass: passed", "fail: failed", "throws: errored hook", "times_out: errored hook", "set_up_fails: errored setup"]);
    expect(report.scenarios.at(-1)).toMatchObject({ outcome: "errored", error: { code: "setup_failed", stage: "setup", message: "beforeEach: after opening" } });
    expect(report.totals.errors).toMatchObject({ setup: 1, hook: 2 });
  });
});

describe("case 174: a set-up of the whole run that fails is an error of each scenario", () => {
  test("case 174: beforeAll throws `no database`: both cases errored and say so, no agent is called, afterAll still runs", async () => {
    let agentCalls = 0;
    let tornDown = 0;
    const reporter = recordingReporter();
    const agent = (): Result => (agentCalls++, passing());
    const report = await run([scenario("a", agent), scenario("b", agent)], { beforeAll: boom("no database"), afterAll: () => void tornDown++, reporter });
    expect(agentCalls).toBe(0);
    expect(tornDown).toBe(1);
    for (const entry of report.scenarios) expect(entry).toMatchObject({ outcome: "errored", passed: false, error: { code: "setup_failed", stage: "setup", message: "beforeAll: no database" } });
    expect(report).toMatchObject({ passed: false, totals: { errored: 2, skipped: 0, errors: { setup: 2 } } });
    expect(reporter.finished).toHaveLength(2);
  });
});

describe("kind hooks: set-up and tear-down belong together", () => {
  test("kind hooks: the order is beforeAll, then for each scenario beforeEach, hook, afterEach, then afterAll", async () => {
    const calls: string[] = [];
    const say = (what: string) => (): void => void calls.push(what);
    await run([scenario("a", () => (calls.push("a"), passing())), scenario("b", () => (calls.push("b"), passing()))], { beforeAll: say("beforeAll"), afterAll: say("afterAll"), beforeEach: say("beforeEach"), afterEach: say("afterEach") });
    expect(calls).toEqual(["beforeAll", "beforeEach", "a", "afterEach", "beforeEach", "b", "afterEach", "afterAll"]);
  });
  test("kind hooks: an asynchronous beforeAll that rejects late fails the run's scenarios as a throw does", async () => {
    const clock = fakeClock({ auto: true });
    const report = await run([scenario("a", passing)], { clock, beforeAll: async () => (await clock.sleep(100), boom("late")()) });
    expect(report.scenarios[0]).toMatchObject({ outcome: "errored", error: { stage: "setup", message: "beforeAll: late" } });
  });
  test("kind hooks: a beforeEach that does not end is over at the scenario's deadline, its hook is not called, afterEach runs", async () => {
    let hooks = 0;
    let closed = 0;
    const report = await run([scenario("a", () => (hooks++, passing()), { timeoutMs: 100 })], { beforeEach: () => new Promise(() => {}), afterEach: () => void closed++ });
    expect(report.scenarios[0]).toMatchObject({ outcome: "errored", durationMs: 100, error: { code: "deadline_exceeded", stage: "setup" } });
    expect([hooks, closed]).toEqual([0, 1]);
  });
  test("kind hooks: a throwing afterEach makes a passed scenario errored at teardown, its result kept, and leaves a failed one failed", async () => {
    const report = await run([scenario("a", passing), scenario("b", failing)], { afterEach: boom("port still open") });
    expect(report.scenarios).toMatchObject([
      { outcome: "errored", passed: false, error: { code: "teardown_failed", stage: "teardown", message: "afterEach: port still open" }, result: { checks: [{ name: "ok", passed: true }] } },
      { outcome: "failed" },
    ]);
    expect(report.warnings).toEqual([{ code: "teardown_failed", message: "afterEach: port still open", scenario: "b" }]);
  });
  test("kind hooks: an afterEach that does not end has 5 s of its own, then the run goes on", async () => {
    const clock = fakeClock({ auto: true });
    let aborted = false;
    const report = await run([scenario("a", passing, { timeoutMs: 1_000 }), scenario("b", passing)], {
      clock,
      afterEach: ({ scenario: id, signal }) => (id === "a" ? (signal.addEventListener("abort", () => (aborted = true)), new Promise<void>(() => {})) : undefined),
    });
    expect(report.durationMs).toBe(5_000);
    expect(aborted).toBe(true);
    expect(report.scenarios).toMatchObject([{ outcome: "errored", durationMs: 0, error: { code: "teardown_failed", stage: "teardown" } }, { outcome: "passed" }]);
  });
  test("kind hooks: a throwing afterAll makes the scenario that ended last errored at teardown where it had passed, so the run has not passed", async () => {
    const report = await run([scenario("a", passing), scenario("b", passing)], { afterAll: boom("container stuck") });
    expect(report.scenarios).toMatchObject([{ outcome: "passed" }, { outcome: "errored", error: { code: "teardown_failed", stage: "teardown", message: "afterAll: container stuck" } }]);
    expect(report.passed).toBe(false);
    const failed = await run([scenario("a", passing), scenario("b", failing)], { afterAll: boom("container stuck") });
    expect(failed).toMatchObject({ passed: false, warnings: [{ code: "teardown_failed", message: "afterAll: container stuck" }] });
  });
  test("kind hooks: tear-down runs on a cancelled run too, with a signal that is not aborted", async () => {
    const controller = new AbortController();
    const calls: string[] = [];
    const clock = fakeClock({ auto: true });
    void clock.sleep(50).then(() => controller.abort());
    await createRunner({ maxConcurrency: 1, clock, afterEach: ({ signal, outcome }) => void calls.push(`afterEach ${outcome} ${signal.aborted}`), afterAll: ({ signal }) => void calls.push(`afterAll ${signal.aborted}`) }).run(
      suite(scenario("a", ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))))), scenario("b", passing)),
      { signal: controller.signal },
    );
    expect(calls).toEqual(["afterEach cancelled false", "afterAll false"]);
  });
  test("kind hooks: each attempt of a retried trial has its own set-up and tear-down, numbered", async () => {
    const calls: string[] = [];
    await run([scenario("a", ({ attempt }) => (attempt < 3 ? boom("x")() : passing()))], { retries: 2, beforeEach: ({ attempt }) => void calls.push(`open ${attempt}`), afterEach: ({ attempt, outcome }) => void calls.push(`close ${attempt} ${outcome}`) });
    expect(calls).toEqual(["open 1", "close 1 errored", "open 2", "close 2 errored", "open 3", "close 3 passed"]);
  });
  test("kind hooks: a failed set-up is tried again where retries are allowed", async () => {
    let opened = 0;
    const report = await run([scenario("a", passing)], { retries: 1, beforeEach: () => { if (opened++ === 0) throw new Error("not yet"); } });
    expect(report.scenarios[0]).toMatchObject({ outcome: "passed", attempts: [{ error: { stage: "setup" } }] });
  });
});
