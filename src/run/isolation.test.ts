import { createRunner, EntailError, type HookContext, type Report, type Result, type Scenario, type Suite } from "entail";
import { fakeClock, recordingReporter, scriptedJudge } from "entail/testing";
import { describe, expect, test } from "vitest";
import { currentTrial } from "../core/current-trial.ts";
import type { Evidence } from "../core/evidence.ts";
import { execute } from "./execute.ts";
import type { Plan } from "./plan.ts";
import { newRunId } from "./run-id.ts";

const passing = (): Result => ({ checks: [{ name: "ok", passed: true }] });
const throwing = (thrown: unknown) => (): never => { throw thrown; };
const scenario = (id: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario => ({ id, description: `Scenario ${id}.`, tags: [], timeoutMs: 60_000, run, ...more });
const suite = (...scenarios: readonly Scenario[]): Suite => ({ id: "chat", description: "A suite.", scenarios });
const runOne = async (run: Scenario["run"]): Promise<Report["scenarios"][number]> => (await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", run)))).scenarios[0]!;
const planOf = (given: Pick<Plan, "suite"> & Partial<Plan>): Plan => ({ selection: { kind: "all" }, reporters: [], newRunId, maxConcurrency: 2, clock: fakeClock({ auto: true }), ...given });

test("[51] one hook throws and the other passes: the run has no error, the first has the hook's text, the suite has not passed", async () => {
  const report = await createRunner({ maxConcurrency: 2 }).run(suite(scenario("a", throwing(new Error("chat service unreachable"))), scenario("b", passing)));
  expect(report.error).toBeUndefined();
  expect(report.scenarios).toMatchObject([{ outcome: "errored", error: { message: "chat service unreachable" } }, { outcome: "passed" }]);
  expect(report.passed).toBe(false);
  expect(report.totals).toMatchObject({ scenarios: 2, passed: 1, errored: 1, errors: { hook: 1 } });
});

test("[52] the scenario's error is the hook's text exactly", async () => {
  const text = "  connection refused: 10.0.0.1:443\n(try again)  ";
  expect(await runOne(async () => Promise.reject(new Error(text)))).toMatchObject({ outcome: "errored", error: { code: "hook_threw", stage: "hook", message: text } });
  expect(await runOne(throwing(new Error(text)))).toMatchObject({ error: { message: text } });
});

test("[53] an empty result is an error of its scenario with the text of the validation", async () => {
  const empty = await runOne(() => ({}));
  expect(empty).toMatchObject({ outcome: "errored", error: { code: "result_empty", stage: "result", message: "the result has no check, no claim and no score: nothing would be shown by it" } });
  expect(empty.result).toBeUndefined();
});

describe("whatever a hook throws becomes an error with a text", () => {
  test.each<[string, unknown, string]>([
    ["a text", "plain", "plain"],
    ["nothing", undefined, "undefined"],
    ["an empty text", "", "something without a message was thrown"],
    ["an error without a message", new TypeError(""), "TypeError"],
    ["an object", { reason: "x" }, '{"reason":"x"}'],
    ["a cycle", (() => { const cycle: Record<string, unknown> = {}; cycle["self"] = cycle; return cycle; })(), "something was thrown that cannot be read"],
    ["a bigint", 1n, "something was thrown that cannot be read"],
    ["a proxy that answers nothing", new Proxy({}, { get: throwing(new Error("no")), getPrototypeOf: throwing(new Error("no")) }), "something was thrown that cannot be read"],
    ["an error whose message throws", Object.defineProperty(new Error("x"), "message", { get: throwing(new Error("no")) }), "something was thrown that cannot be read"],
  ])("%s", async (_what, thrown, message) => {
    expect(await runOne(throwing(thrown))).toMatchObject({ outcome: "errored", error: { code: "hook_threw", stage: "hook", message } });
  });

  test("an EntailError keeps its code, also one of another copy of the package", async () => {
    expect(await runOne(throwing(new EntailError("not_observable", "approvals cannot be seen")))).toMatchObject({ outcome: "errored", error: { code: "not_observable", stage: "hook", message: "approvals cannot be seen" } });
    const other = Object.assign(new Error("from a copy"), { name: "EntailError", code: "evidence_incomplete" });
    expect(await runOne(throwing(other))).toMatchObject({ error: { code: "evidence_incomplete" } });
  });
});

describe("whatever a hook returns is an outcome", () => {
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "result_not_an_object"],
    ["a misspelt member", { checks: [], claim: [] }, "result_member_unknown"],
    ["a throwing getter", { get checks() { throw new Error("x"); } }, "result_unreadable"],
    ["a bigint as output", { checks: [{ name: "a", passed: true }], output: 1n }, "result_member_invalid"],
    ["a failed check without a diagnostic", { checks: [{ name: "a", passed: false }] }, "check_failed_without_diagnostic"],
  ])("%s", async (_what, returned, code) => {
    expect(await runOne(() => returned as Result)).toMatchObject({ outcome: "errored", error: { code, stage: "result" } });
  });

  test("the same object from two scenarios is copied twice, and later changes of it reach neither report", async () => {
    const shared = { checks: [{ name: "ok", passed: true as boolean }] };
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", () => shared as Result), scenario("b", () => shared as Result)));
    shared.checks[0]!.passed = false;
    expect(report.scenarios.map(({ result }) => result?.checks)).toEqual([[{ name: "ok", passed: true }], [{ name: "ok", passed: true }]]);
    expect(report.scenarios[0]?.result).not.toBe(report.scenarios[1]?.result);
  });

  test("a report holds no member that is undefined", async () => {
    const judge = scriptedJudge({ c: "entailed" });
    const report = await createRunner({ judge, maxConcurrency: 2, trials: 2, retries: 1, clock: fakeClock({ auto: true }) }).run(
      suite(scenario("a", () => ({ output: "x", claims: [{ id: "c", text: "x", expect: undefined }], reference: undefined })), scenario("b", throwing(new Error("x"))), scenario("c", passing, { skip: "later" }), scenario("d", passing, { tags: ["t"] })),
    );
    const walk = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      expect(Object.isFrozen(value)).toBe(true);
      for (const member of Object.values(value)) {
        expect(member).not.toBeUndefined();
        walk(member);
      }
    };
    walk(report);
  });
});

describe("attach", () => {
  const evidence = { answer: "so far", toolCalls: [] } as unknown as Evidence;
  const kept = async (run: Scenario["run"]): Promise<{ readonly result: unknown; readonly evidence: unknown }> => {
    let seen: unknown;
    let result: unknown;
    await execute(planOf({ suite: suite(scenario("a", run)) }), { trialFinished: (_position, _id, trial, found) => void ([result, seen] = [trial.result, found]), scenarioFinished() {} });
    return { result, evidence: seen };
  };

  test("lists are appended and single members replaced, and all is kept when the hook throws", async () => {
    const run = ({ attach }: HookContext): Result => {
      attach({ checks: [{ name: "one", passed: true }], output: "first", artifacts: [{ name: "log", uri: "a" }] });
      attach({ checks: [{ name: "two", passed: false, diagnostic: "no" }], output: "second", evidence });
      throw new Error("broken");
    };
    expect(await kept(run)).toEqual({
      result: { checks: [{ name: "one", passed: true }, { name: "two", passed: false, diagnostic: "no" }], output: "second", artifacts: [{ name: "log", uri: "a" }] },
      evidence,
    });
  });
  test("when the hook returns, its own result wins; attached artifacts and evidence are added", async () => {
    const run = ({ attach }: HookContext): Result => {
      attach({ checks: [{ name: "dropped", passed: false, diagnostic: "x" }], output: "dropped", artifacts: [{ name: "log", uri: "a" }, { name: "trace", uri: "old" }], evidence });
      return { checks: [{ name: "ok", passed: true }], artifacts: [{ name: "trace", uri: "new" }] };
    };
    expect(await kept(run)).toEqual({ result: { checks: [{ name: "ok", passed: true }], artifacts: [{ name: "log", uri: "a" }, { name: "trace", uri: "new" }] }, evidence });
  });
  test("a wrong partial result throws at the call, so the hook's author sees where", async () => {
    expect(await runOne(({ attach }) => (attach({ outputs: "x" } as never), passing()))).toMatchObject({ outcome: "errored", error: { code: "result_member_unknown", stage: "hook" } });
  });
  test("what comes after the hook has ended is dropped", async () => {
    let attach: HookContext["attach"] | undefined;
    const scenarioReport = await runOne((ctx) => ((attach = ctx.attach), passing()));
    attach?.({ output: "late" });
    expect(scenarioReport.result).toEqual({ checks: [{ name: "ok", passed: true }] });
  });
  test("evidence that hangs on a thrown error is kept, and beats what was attached before", async () => {
    const last = { ...evidence, answer: "the last word" };
    const error = Object.assign(new EntailError("stream_incomplete", "the stream stopped"), { evidence: last });
    expect((await kept(({ attach }) => (attach({ evidence }), throwing(error)())))).toEqual({ result: undefined, evidence: last });
  });
});

describe("reporters", () => {
  const faulty = (call: string): ReturnType<typeof recordingReporter> => recordingReporter((each) => { if (each.call === call) throw new Error("disk full"); }, "bad");
  test.each(["runStarted", "scenarioStarted", "trialFinished", "scenarioFinished", "warning", "runFinished"])("one that throws in %s changes no outcome; its fault is said once, by name", async (call) => {
    const good = recordingReporter();
    const report = await createRunner({ maxConcurrency: 1, reporters: [faulty(call), good] }).run(suite(scenario("a", passing), scenario("b", passing), scenario("c", () => ({ scores: [{ id: "s", score: 1 }] }))));
    expect(report.scenarios.map(({ outcome }) => outcome)).toEqual(["passed", "passed", "scored"]);
    expect(report.passed).toBe(true);
    expect(report.warnings?.filter(({ code }) => code === "reporter_failed")).toEqual([{ code: "reporter_failed", message: 'reporter "bad" failed: disk full' }]);
    expect(good.finished).toHaveLength(3);
    expect(good.calls.at(-1)?.call === "runFinished" || good.calls.at(-1)?.call === "warning").toBe(true);
  });
  test("one that rejects, or whose callback is no function, or that cannot even be read, is contained too", async () => {
    const unreadable = new Proxy({}, { get: throwing(new Error("closed")) });
    const report = await createRunner({ maxConcurrency: 1, reporters: [{ scenarioFinished: async () => Promise.reject(new Error("offline")) }, { scenarioFinished: 5 as never }, unreadable] }).run(suite(scenario("a", passing)));
    expect(report.passed).toBe(true);
    expect(report.warnings).toHaveLength(3);
    expect(report.warnings?.map(({ message }) => message)).toEqual(expect.arrayContaining([expect.stringMatching(/^reporter 1 failed: offline/), expect.stringMatching(/^reporter 2 failed/), expect.stringMatching(/^reporter 3 failed: closed/)]));
  });
  test("every promise of a reporter is waited for before the run resolves", async () => {
    const clock = fakeClock({ auto: true });
    const done: string[] = [];
    await createRunner({ maxConcurrency: 1, clock, reporter: recordingReporter(async ({ call }) => { await clock.sleep(500); done.push(call); }) }).run(suite(scenario("a", passing)));
    expect(done).toEqual(["runStarted", "scenarioStarted", "trialFinished", "scenarioFinished", "runFinished"]);
  });
  test("one that never settles is given up after a minute, and said so", async () => {
    const clock = fakeClock({ auto: true });
    const report = await createRunner({ maxConcurrency: 1, clock, reporter: { name: "stuck", scenarioFinished: () => new Promise(() => {}) } }).run(suite(scenario("a", passing)));
    expect(report.warnings).toEqual([{ code: "reporter_failed", message: 'reporter "stuck" failed: it did not finish within 1m00s' }]);
  });
  test("one cannot change what the others and the report hold", async () => {
    const tampering = recordingReporter((call) => { if (call.call === "scenarioFinished") (call.report as { passed: boolean }).passed = true; });
    const report = await createRunner({ maxConcurrency: 1, reporter: tampering }).run(suite(scenario("a", throwing(new Error("x")))));
    expect(report.scenarios[0]?.passed).toBe(false);
    expect(report.warnings?.[0]?.code).toBe("reporter_failed");
  });
  test("they are told of a run in order: started, each trial and scenario, finished with the head of the report", async () => {
    const reporter = recordingReporter();
    const report = await createRunner({ maxConcurrency: 1, reporter, trials: 2, newRunId: () => "run-1", clock: fakeClock() }).run(suite(scenario("a", passing)));
    expect(reporter.calls.map(({ call }) => call)).toEqual(["runStarted", "scenarioStarted", "trialFinished", "trialFinished", "scenarioFinished", "runFinished"]);
    expect(reporter.calls[0]).toEqual({ call: "runStarted", run: { runId: "run-1", suiteId: "chat", startedAt: "2030-01-01T00:00:00.000Z", scenarios: 1, trials: 2 } });
    const { scenarios, ...head } = report;
    expect(reporter.calls.at(-1)).toEqual({ call: "runFinished", head });
    expect(scenarios[0]?.startedAt).toBe("2030-01-01T00:00:00.000Z");
  });
});

test("a sink that throws is a failure of the run at stage store: the scenarios go on, and the run has not passed", async () => {
  let taken = 0;
  const head = await execute(planOf({ suite: suite(scenario("a", passing), scenario("b", passing)) }), { async scenarioFinished() { taken += 1; throw new Error("no space left"); } });
  expect(taken).toBe(2);
  expect(head).toMatchObject({ passed: false, error: { code: "output_unwritable", stage: "store", message: "no space left" }, totals: { passed: 2 } });
});

test("the same warning many times is said once, with its count", async () => {
  const report = await createRunner({ maxConcurrency: 1, afterEach: throwing(new Error("port in use")) }).run(suite(...["a", "b", "c"].map((id) => scenario(id, throwing(new Error("x"))))));
  expect(report.warnings).toEqual([{ code: "teardown_failed", message: "afterEach: port in use (3 times)", scenario: "a" }]);
});

describe("the trial that code belongs to", () => {
  test("is found by whatever a hook starts, apart for parallel hooks, and is none outside", async () => {
    const clock = fakeClock({ auto: true });
    const seen: unknown[] = [];
    const look = (id: string): Scenario => scenario(id, async () => (await clock.sleep(id === "a" ? 20 : 10), seen.push(currentTrial()?.scope), passing()));
    await createRunner({ maxConcurrency: 2, clock }).run(suite(look("a"), look("b")));
    expect(seen).toEqual([{ suite: "chat", scenario: "b", trial: 1, purpose: "subject", ordinal: 0 }, { suite: "chat", scenario: "a", trial: 1, purpose: "subject", ordinal: 0 }]);
    expect(currentTrial()).toBeUndefined();
  });
  test("keeps what was printed in its report, up to 16 KiB, and nothing after its end", async () => {
    let print: ((text: string) => void) | undefined;
    const report = await runOne(async () => {
      print = currentTrial()?.print;
      print?.("thinking…\n");
      await Promise.resolve();
      currentTrial()?.print("x".repeat(20_000));
      return passing();
    });
    print?.("late");
    expect(report.stdout).toHaveLength(16_384);
    expect(report.stdout).toMatch(/^thinking…\nx+$/);
  });
  test("adds warnings to the run that name its scenario, until the run is over", async () => {
    let warn: ((code: string, message: string) => boolean) | undefined;
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", () => ((warn = currentTrial()?.warn), warn?.("late_rejection", "late boom"), passing()))));
    expect(report.warnings).toEqual([{ code: "late_rejection", message: "late boom", scenario: "a" }]);
    expect(warn?.("late_rejection", "later still")).toBe(false);
  });
  test("stops its clock while something waits in a limiter; overlapping waits end with the last", async () => {
    const clock = fakeClock({ auto: true });
    const waiting = scenario("a", async () => {
      const trial = currentTrial();
      await clock.sleep(40);
      const goOn = [trial?.pause(), trial?.pause()];
      await clock.sleep(10_000);
      goOn[0]?.();
      goOn[0]?.();
      await clock.sleep(10_000);
      goOn[1]?.();
      await clock.sleep(40);
      return passing();
    }, { timeoutMs: 100 });
    const [enough] = (await createRunner({ maxConcurrency: 1, clock }).run(suite(waiting))).scenarios;
    expect(enough).toMatchObject({ outcome: "passed", durationMs: 20_080 });
    const [short] = (await createRunner({ maxConcurrency: 1, clock, timeoutMs: 70 }).run(suite(waiting))).scenarios;
    expect(short).toMatchObject({ outcome: "errored", durationMs: 20_070, error: { code: "deadline_exceeded" } });
  });
});
