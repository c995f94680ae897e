import { createRunner, systemClock, type Result, type Scenario, type Suite } from "entail";
import { fakeClock, recordingReporter } from "entail/testing";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { execute } from "./execute.ts";
import type { Plan } from "./plan.ts";
import { newRunId } from "./run-id.ts";
import { createSlots } from "./slots.ts";

const passing = (): Result => ({ checks: [{ name: "ok", passed: true }] });
const scenario = (id: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario => ({ id, description: `Scenario ${id}.`, tags: [], timeoutMs: 60_000, run, ...more });
const suite = (...scenarios: readonly Scenario[]): Suite => ({ id: "chat", description: "A suite.", scenarios });
const planOf = (given: Pick<Plan, "suite" | "maxConcurrency" | "clock"> & Partial<Plan>): Plan => ({ selection: { kind: "all" }, reporters: [], newRunId, ...given });

test("[48] four scenarios of 1, 4, 2 and 3 s at concurrency 2: the 4 s and the 3 s one start, no third does, and the report keeps the order", async () => {
  const started: string[] = [];
  let release = (): void => {};
  const open = new Promise<void>((resolve) => { release = resolve; });
  const blocked = (id: string, timeoutMs: number): Scenario => scenario(id, async () => (started.push(id), await open, passing()), { timeoutMs });
  const clock = fakeClock();
  const going = createRunner({ maxConcurrency: 2, clock }).run(suite(blocked("s0", 1_000), blocked("s1", 4_000), blocked("s2", 2_000), blocked("s3", 3_000)));
  await clock.advance(0);
  expect(started).toEqual(["s1", "s3"]);
  await clock.advance(500);
  expect(started).toHaveLength(2);
  release();
  const report = await going;
  expect(report.scenarios.map(({ id }) => id)).toEqual(["s0", "s1", "s2", "s3"]);
  expect(report.passed).toBe(true);
});

test("[49] at concurrency 1 scenarios start and are reported in the order of declaration, whatever their timeouts", async () => {
  const reporter = recordingReporter();
  const report = await createRunner({ maxConcurrency: 1, reporter }).run(suite(scenario("short", passing, { timeoutMs: 1_000 }), scenario("long", passing, { timeoutMs: 60_000 })));
  expect(reporter.started).toEqual(["short", "long"]);
  expect(reporter.finished.map(({ id }) => id)).toEqual(["short", "long"]);
  expect(report.scenarios.map(({ id }) => id)).toEqual(["short", "long"]);
});

test("what is measured beats the timeout, what is not measured goes by its timeout, equals keep their order", async () => {
  const started: string[] = [];
  const recorded = (id: string, timeoutMs: number): Scenario => scenario(id, () => (started.push(id), passing()), { timeoutMs });
  const all = suite(recorded("a", 60_000), recorded("b", 1_000), recorded("c", 30_000), recorded("d", 1_000));
  const measured = new Map([["a", 10], ["b", 50_000]]);
  await execute(planOf({ suite: all, maxConcurrency: 2, clock: fakeClock(), durationOf: (id) => measured.get(id) }), { scenarioFinished() {} });
  expect(started).toEqual(["b", "c", "d", "a"]);
});

test("longest first comes within 1.05 of the lower bound of a mixed suite of 60 scenarios on its second run", async () => {
  const clock = fakeClock({ auto: true });
  const lengths = Array.from({ length: 60 }, (_, at) => 100 + ((at * 7_919) % 50) * 20);
  const mixed = suite(...lengths.map((ms, at) => scenario(`s${at}`, async () => (await clock.sleep(ms), passing()))));
  const head = await execute(planOf({ suite: mixed, maxConcurrency: 5, clock, durationOf: (id) => lengths[Number(id.slice(1))] }), { scenarioFinished() {} });
  const bound = Math.max(Math.max(...lengths), lengths.reduce((sum, ms) => sum + ms, 0) / 5);
  expect(head.durationMs / bound).toBeLessThanOrEqual(1.05);
});

test("several runs share one pool: together they are never above it, and each stays within its own bound", async () => {
  const clock = fakeClock({ auto: true });
  const slots = createSlots(3);
  let inFlight = 0;
  let most = 0;
  const ofSuite = new Map<string, number>();
  const mostOfSuite = new Map<string, number>();
  const busy = (suiteId: string, id: string): Scenario =>
    scenario(id, async () => {
      const own = (ofSuite.get(suiteId) ?? 0) + 1;
      ofSuite.set(suiteId, own);
      mostOfSuite.set(suiteId, Math.max(own, mostOfSuite.get(suiteId) ?? 0));
      most = Math.max(most, ++inFlight);
      await clock.sleep(10);
      inFlight -= 1;
      ofSuite.set(suiteId, (ofSuite.get(suiteId) ?? 0) - 1);
      return passing();
    });
  const run = (suiteId: string, maxConcurrency: number): Promise<unknown> =>
    execute(planOf({ suite: { id: suiteId, description: "A suite.", scenarios: Array.from({ length: 8 }, (_, at) => busy(suiteId, `s${at}`)) }, maxConcurrency, slots, clock }), { scenarioFinished() {} });
  await Promise.all([run("wide", 5), run("narrow", 1)]);
  expect(most).toBe(3);
  expect(mostOfSuite.get("narrow")).toBe(1);
  expect(mostOfSuite.get("wide")).toBe(3);
});

test("a run of instant scenarios gives other work its turn, so that an interrupt is seen while it goes on", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 1);
  const report = await createRunner({ maxConcurrency: 2 }).run(suite(...Array.from({ length: 50_000 }, (_, at) => scenario(`s${at}`, passing))), { signal: controller.signal });
  expect(report.totals.passed).toBeGreaterThan(0);
  expect(report.totals.cancelled).toBeGreaterThan(0);
  expect(report.scenarios).toHaveLength(50_000);
});

test("100,000 instant scenarios go to the sink one by one and are not kept: memory stays bounded, time grows with their number", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const measure = async (count: number): Promise<{ readonly ms: number; readonly grownBytes: number }> => {
    const run = async (): Promise<Result> => ({ checks: [{ name: "ok", passed: true }], output: `The answer: ${"x".repeat(200)}` });
    const many = suite(...Array.from({ length: count }, (_, at) => scenario(`s${at}`, run)));
    const heap: number[] = [];
    let collecting = 0;
    // Of the processor, not of the wall: other tests run beside this one.
    const spent = (): number => process.cpuUsage().user / 1_000;
    const started = spent();
    const head = await execute(planOf({ suite: many, maxConcurrency: 5, clock: systemClock }), {
      scenarioFinished(position) {
        if (position !== Math.floor(count / 4) && position !== count - 10) return;
        const before = spent();
        collect();
        heap.push(process.memoryUsage().heapUsed);
        collecting += spent() - before;
      },
    });
    expect(head.totals.passed).toBe(count);
    return { ms: spent() - started - collecting, grownBytes: (heap[1] ?? 0) - (heap[0] ?? 0) };
  };
  await measure(2_000);
  const small = await measure(10_000);
  const large = await measure(100_000);
  // 75,000 reports would be well over 50 MB.
  expect(large.grownBytes).toBeLessThan(5_000_000);
  expect(large.ms).toBeLessThan(Math.max(small.ms, 40) * 20);
});
