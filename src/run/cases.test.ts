import { createRunner, EntailError, type HookContext, type Judge, type Report, type Result, type Scenario, type Suite } from "entail";
import { fakeClock, recordingReporter, scriptedJudge } from "entail/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currentTrial } from "../core/current-trial.ts";
import type { Evidence } from "../core/evidence.ts";
import { execute } from "./execute.ts";
import { newRunId } from "./run-id.ts";

const passing = (output = "fine"): Result => ({ checks: [{ name: "ok", passed: true }], output });
const scenario = (id: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario => ({ id, description: `Scenario ${id}.`, tags: [], timeoutMs: 60_000, run, ...more });
const suite = (...scenarios: readonly Scenario[]): Suite => ({ id: "chat", description: "A suite.", scenarios });
const outcomes = ({ scenarios }: Report): Record<string, string> => Object.fromEntries(scenarios.map(({ id, outcome }) => [id, outcome]));

describe("failure-isolation", () => {
  test("case 155: a reporter that throws `disk full` loses no result: three cases run, the verdicts stand, it is told once and by name", async () => {
    const kept = recordingReporter();
    const bad = { name: "bad", scenarioFinished: () => { throw new Error("disk full"); } };
    const report = await createRunner({ maxConcurrency: 1, reporters: [bad, kept] }).run(suite(scenario("a", () => passing()), scenario("b", () => passing()), scenario("c", () => passing())));
    expect(outcomes(report)).toEqual({ a: "passed", b: "passed", c: "passed" });
    expect(kept.finished).toHaveLength(3);
    expect(report.warnings).toEqual([{ code: "reporter_failed", message: 'reporter "bad" failed: disk full' }]);
  });
  test("case 157: one prompt blocked by the provider makes its own case errored, with the provider's class of error; the other passes", async () => {
    const blocked = (): never => { throw new EntailError("provider_failed", "content blocked by provider"); };
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", blocked), scenario("b", () => passing())));
    expect(outcomes(report)).toEqual({ a: "errored", b: "passed" });
    expect(report.scenarios[0]?.error).toEqual({ code: "provider_failed", stage: "hook", message: "content blocked by provider" });
  });
  test("kind failure-isolation: whatever one part of a run throws, the other scenarios come out as they do without it", async () => {
    const parts = ["hook", "hook rejects", "result getter", "judge", "judge's record", "beforeEach", "afterEach", "reporter", "reporter rejects", "attach"] as const;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...parts), fc.nat({ max: 3 }), fc.anything(), fc.integer({ min: 1, max: 4 }), async (part, victim, thrown, maxConcurrency) => {
        const right = scriptedJudge({ c: "entailed" });
        const fail = (): never => { throw thrown; };
        const hitJudge = new Set<string>();
        const judge: Judge = {
          judge: async (request) => {
            if (request.scope?.scenario === `s${victim}` && part === "judge") { hitJudge.add("x"); fail(); }
            if (part === "judge's record") request.record?.(Object.defineProperty({ durationMs: 1 }, "usage", { enumerable: true, get: fail }));
            return right.judge(request);
          },
        };
        const run = (at: number) => async ({ attach }: HookContext): Promise<Result> => {
          if (at === victim && part === "hook") fail();
          if (at === victim && part === "hook rejects") await Promise.reject(thrown);
          if (at === victim && part === "attach") attach(Object.defineProperty({}, "output", { enumerable: true, get: fail }));
          if (at === victim && part === "result getter") return Object.defineProperty({}, "checks", { enumerable: true, get: fail });
          return { output: "x", claims: [{ id: "c", text: "x" }] };
        };
        const report = await createRunner({
          judge,
          maxConcurrency,
          beforeEach: ({ scenario: id }) => (part === "beforeEach" && id === `s${victim}` ? fail() : undefined),
          afterEach: ({ scenario: id }) => (part === "afterEach" && id === `s${victim}` ? fail() : undefined),
          reporter: { scenarioStarted: () => (part === "reporter" ? fail() : part === "reporter rejects" ? Promise.reject(thrown) : undefined) },
        }).run(suite(...[0, 1, 2, 3].map((at) => scenario(`s${at}`, run(at)))));
        const harmless = part === "reporter" || part === "reporter rejects" || part === "judge's record";
        for (const [at, { outcome }] of report.scenarios.entries()) expect(outcome).toBe(at === victim && !harmless ? "errored" : "passed");
        expect(report.error).toBeUndefined();
        expect(report.passed).toBe(harmless);
      }),
      { numRuns: 150 },
    );
  });
});

describe("result-order", () => {
  const delayed = (clock: ReturnType<typeof fakeClock>, id: string, ms: number, says: string): Scenario => scenario(id, async () => (await clock.sleep(ms), passing(says)));
  test("case 158: slow, mid and fast at concurrency 3 keep their order and their own outputs", async () => {
    const clock = fakeClock({ auto: true });
    const run = async (): Promise<Report> => createRunner({ maxConcurrency: 3, clock, newRunId: () => "same" }).run(suite(delayed(clock, "slow", 50, "1"), delayed(clock, "mid", 20, "2"), delayed(clock, "fast", 0, "3")));
    const report = await run();
    expect(report.scenarios.map(({ id, result }) => [id, result?.output])).toEqual([["slow", "1"], ["mid", "2"], ["fast", "3"]]);
    const timeless = (value: Report): unknown => ({ ...value, startedAt: "", scenarios: value.scenarios.map((entry) => ({ ...entry, startedAt: "" })) });
    expect(JSON.stringify(timeless(await run()))).toBe(JSON.stringify(timeless(report)));
  });
  test("kind result-order: at any concurrency and with any delays the report has the order of declaration, each entry its own output", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 100 }), { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 5 }), async (delays, maxConcurrency) => {
        const clock = fakeClock({ auto: true });
        const report = await createRunner({ maxConcurrency, clock }).run(suite(...delays.map((ms, at) => delayed(clock, `s${at}`, ms, `output ${at}`))));
        expect(report.scenarios.map(({ id, result }) => [id, result?.output])).toEqual(delays.map((_ms, at) => [`s${at}`, `output ${at}`]));
      }),
      { numRuns: 40 },
    );
  });
});

describe("concurrency-limit", () => {
  test("case 159: at concurrency 1 a scenario whose judge asks three times over finishes, since judging takes no scenario's place", async () => {
    const right = scriptedJudge({ c: "entailed" });
    const votes = { judge: async (request: Parameters<Judge["judge"]>[0]) => (await Promise.all([1, 2, 3].map(async () => right.judge(request))))[0] ?? [] };
    const report = await createRunner({ judge: votes, maxConcurrency: 1 }).run(suite(scenario("a", () => ({ output: "x", claims: [{ id: "c", text: "x" }] }))));
    expect(outcomes(report)).toEqual({ a: "passed" });
  });
  test("case 159: a hook that runs another suite with its own runner does not wait for its own place", async () => {
    const inner = createRunner({ maxConcurrency: 1 });
    const report = await inner.run(suite(scenario("outer", async () => passing(String((await inner.run(suite(scenario("inner", () => passing())))).passed)))));
    expect(report.scenarios[0]?.result?.output).toBe("true");
  });
  test("kind concurrency-limit: never more in flight than asked for, and as many as there can be, whatever hooks and judges do", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ ms: fc.nat({ max: 50 }), judges: fc.boolean(), throws: fc.boolean() }), { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 6 }), async (dids, maxConcurrency) => {
        const clock = fakeClock({ auto: true });
        const right = scriptedJudge({ c: "entailed" });
        let inFlight = 0;
        let most = 0;
        const judge: Judge = { judge: async (request) => (await clock.sleep(5), right.judge(request)) };
        const run = ({ ms, judges, throws }: (typeof dids)[number]): Scenario["run"] => async () => {
          await clock.sleep(ms);
          if (throws) throw new Error("x");
          return judges ? { output: "x", claims: [{ id: "c", text: "x" }] } : passing();
        };
        const reporter = recordingReporter(({ call }) => {
          if (call === "scenarioStarted") most = Math.max(most, ++inFlight);
          if (call === "scenarioFinished") inFlight -= 1;
        });
        await createRunner({ judge, maxConcurrency, clock, reporter }).run(suite(...dids.map((did, at) => scenario(`s${at}`, run(did)))));
        expect(most).toBeLessThanOrEqual(maxConcurrency);
        expect(most >= Math.min(maxConcurrency, dids.length) || dids.some(({ ms }) => ms === 0)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe("cancellation", () => {
  const evidence = { answer: "streamed so far", toolCalls: [] } as unknown as Evidence;

  test("case 161: a promise that rejects after its case is no one else's: both cases pass, and a host can name it in the run's warnings", async () => {
    // What the command does with its own handler of unhandled rejections; the library installs none.
    const clock = fakeClock({ auto: true });
    const orphans: Promise<void>[] = [];
    const scenarios = [
      scenario("a", () => {
        const trial = currentTrial();
        orphans.push(clock.sleep(30).then(() => Promise.reject(new Error("late boom"))).catch((late: Error) => void trial?.warn("late_rejection", late.message)));
        return passing();
      }),
      scenario("b", async () => (await clock.sleep(100), passing())),
    ];
    const report = await createRunner({ maxConcurrency: 2, clock }).run(suite(...scenarios));
    await Promise.all(orphans);
    expect(outcomes(report)).toEqual({ a: "passed", b: "passed" });
    expect(report.warnings).toEqual([{ code: "late_rejection", message: "late boom", scenario: "a" }]);
  });
  test("case 161: the trial that started a rejection can still be found when it surfaces", async () => {
    const before = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    const caught = new Promise<unknown>((resolve) => process.once("unhandledRejection", () => resolve(currentTrial()?.scope.scenario)));
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("a", () => (void new Promise((_resolve, reject) => setTimeout(() => reject(new Error("late boom")), 5)), passing())), scenario("b", async () => (await caught, passing()))));
    for (const listener of before) process.on("unhandledRejection", listener);
    expect(await caught).toBe("a");
    expect(outcomes(report)).toEqual({ a: "passed", b: "passed" });
  });
  test("case 162: a limit of 100 ms cuts a case that never settles; its signal is aborted, what was streamed is kept, the other passes", async () => {
    const clock = fakeClock({ auto: true });
    let signal: AbortSignal | undefined;
    const found: unknown[] = [];
    const hang = scenario("hang", (ctx) => ((signal = ctx.signal), ctx.attach({ evidence, output: "streamed so far" }), new Promise(() => {})), { timeoutMs: 100 });
    const reports: unknown[] = [];
    const head = await execute(
      { suite: suite(hang, scenario("ok", () => passing())), selection: { kind: "all" }, maxConcurrency: 1, clock, newRunId, reporters: [] },
      { trialFinished: (_position, _id, _trial, seen) => void found.push(seen), scenarioFinished: (_position, report) => void reports.push(report) },
    );
    expect(reports).toMatchObject([{ id: "hang", outcome: "errored", passed: false, error: { code: "deadline_exceeded" }, result: { output: "streamed so far" } }, { id: "ok", outcome: "passed" }]);
    expect(found).toEqual([evidence, undefined]);
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ code: "deadline_exceeded" });
    expect(head.durationMs).toBe(100);
  });
  test("case 164: at the limit two children with the given signal stop calling tools, and no judge is asked", async () => {
    const clock = fakeClock({ auto: true });
    const judge = scriptedJudge({ c: "entailed" });
    const callsAt: number[] = [];
    const child = async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        await clock.sleep(20, signal);
        if (!signal.aborted) callsAt.push(clock.elapsed());
      }
    };
    const parent = async ({ signal }: HookContext): Promise<Result> => (await Promise.all([child(signal), child(signal)]), { output: "x", claims: [{ id: "c", text: "x" }] });
    const report = await createRunner({ judge, maxConcurrency: 1, clock }).run(suite(scenario("a", parent, { timeoutMs: 100 })));
    await clock.sleep(200);
    expect(callsAt.length).toBeGreaterThan(0);
    expect(callsAt.filter((at) => at > 100)).toEqual([]);
    expect(judge.requests).toHaveLength(0);
    expect(report.scenarios[0]).toMatchObject({ outcome: "errored", error: { code: "deadline_exceeded", stage: "hook" } });
  });
  test("case 165: code that never gives the event loop back cannot be interrupted within the process; once it comes back it is over its deadline, never passed", async () => {
    const busyFor = (ms: number): void => { for (const started = performance.now(); performance.now() - started < ms; ); };
    const report = await createRunner({ maxConcurrency: 1 }).run(suite(scenario("loop", () => (busyFor(60), passing()), { timeoutMs: 30 }), scenario("next", () => passing())));
    expect(report.scenarios).toMatchObject([{ outcome: "errored", error: { code: "deadline_exceeded" } }, { outcome: "passed" }]);
  });
  test("kind cancellation: whenever a run is cancelled, it ends within 5 s, each scenario is told once, none that was cut passed, and nothing runs on unseen", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ ms: fc.nat({ max: 8_000 }), obeys: fc.boolean() }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 12_000 }),
        async (dids, maxConcurrency, cancelAt) => {
          const clock = fakeClock({ auto: true });
          const controller = new AbortController();
          const alive = new Set<number>();
          const over = new AbortController();
          void clock.sleep(cancelAt, over.signal).then(() => controller.abort());
          const run = ({ ms, obeys }: (typeof dids)[number], at: number): Scenario["run"] => async ({ signal }) => {
            alive.add(at);
            await clock.sleep(ms, obeys ? signal : undefined);
            alive.delete(at);
            return passing();
          };
          const reporter = recordingReporter();
          const report = await createRunner({ maxConcurrency, clock, reporter }).run(suite(...dids.map((did, at) => scenario(`s${at}`, run(did, at)))), { signal: controller.signal });
          over.abort();
          const cancelled = controller.signal.aborted;
          expect(report.durationMs).toBeLessThanOrEqual(cancelled ? cancelAt + 5_000 : 64_000);
          expect(report.error?.code).toBe(cancelled ? "cancelled" : undefined);
          expect(report.passed).toBe(!cancelled);
          expect(reporter.finished.map(({ id }) => id).toSorted()).toEqual(report.scenarios.map(({ id }) => id).toSorted());
          expect(report.hooksRunning ?? 0).toBe(alive.size);
          for (const { outcome, durationMs } of report.scenarios) expect(outcome === "passed" || (outcome === "cancelled" && durationMs <= cancelAt + 5_000)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});
