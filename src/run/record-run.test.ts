import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, createRunner, type Scenario, type Suite } from "entail";
import { collect } from "entail/evidence";
import { openStore, type Store } from "entail/store";
import { fakeClock, recordingReporter, scriptedJudge } from "entail/testing";
import { expect, test } from "vitest";
import { execute } from "./execute.ts";
import { recordRun } from "./record-run.ts";

const scenario = (id: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario => ({ id, description: `Does ${id}.`, tags: ["all"], timeoutMs: 1000, run, ...more });
const right = (): ReturnType<Scenario["run"]> => ({ checks: [check("right", true, "")] });
const wrong = (): ReturnType<Scenario["run"]> => ({ checks: [check("right", false, "was wrong")] });
const suiteOf = (...scenarios: readonly Scenario[]): Suite => ({ id: "chat", description: "A suite.", scenarios });

async function onlyRun(store: Store): Promise<NonNullable<Awaited<ReturnType<Store["run"]>>>> {
  const [run, ...others] = await store.runs();
  expect(others).toEqual([]);
  if (run === undefined) throw new Error("no run was stored");
  return run;
}

test("the manifest is in the store before the first hook, with every scenario and trial that should exist", async () => {
  const store = await openStore("memory:");
  const seen: unknown[] = [];
  const look = async (): Promise<Awaited<ReturnType<Scenario["run"]>>> => {
    const run = await onlyRun(store);
    seen.push([run.state, run.plannedScenarios, run.plannedTrials, run.storedTrials]);
    return { checks: [check("right", true, "")] };
  };
  const suite = suiteOf(scenario("first", look), scenario("second", right, { trials: 3, input: { a: 1 }, inputSchema: { type: "object" }, revision: "2", require: { passRate: 0.5 } }), scenario("left", right, { skip: "not yet" }));
  await createRunner({ maxConcurrency: 1, store }).run(suite);
  expect(seen).toEqual([["running", 3, 4, 0]]);
  const run = await onlyRun(store);
  expect(await store.planned(run.runId)).toEqual([
    { position: 0, id: "first", description: "Does first.", tags: ["all"], trials: 1 },
    { position: 1, id: "second", description: "Does second.", tags: ["all"], trials: 3, input: { a: 1 }, inputSchema: { type: "object" }, revision: "2", passRate: 0.5 },
    { position: 2, id: "left", description: "Does left.", tags: ["all"], trials: 0, skip: "not yet" },
  ]);
});

test("a runner with a store keeps head, scenarios and trials exactly as its report has them", async () => {
  const store = await openStore("memory:");
  const flaky: Scenario["run"] = ({ trial }) => (trial === 2 ? wrong() : right());
  const suite = suiteOf(scenario("good", right), scenario("bad", wrong), scenario("flaky", flaky, { trials: 3 }), scenario("left", right, { skip: "not yet" }), scenario("boom", () => Promise.reject(new Error("kaput"))));
  const { scenarios, ...head } = await createRunner({ maxConcurrency: 2, store, judge: scriptedJudge({}) }).run(suite);
  const run = await onlyRun(store);
  expect(run.head).toStrictEqual(head);
  expect(run.totals).toEqual(head.totals);
  const stored = [];
  for await (const report of store.scenarioReports(run.runId)) stored.push(report);
  expect(stored).toStrictEqual(scenarios);
  expect([run.plannedTrials, run.storedTrials, run.selected, run.strict, run.invocation.command]).toEqual([6, 6, false, false, []]);
});

test("a scenario whose report says less than its trial, for the suite's tear-down broke, is kept as its report has it", async () => {
  for (const store of [await openStore("memory:"), await openStore(join(mkdtempSync(join(tmpdir(), "entail-record-")), "entail.db"))]) {
    const claimed: Scenario["run"] = () => ({ claims: [{ id: "c", text: "It is so." }], output: "It is so." });
    const afterAll = (): never => {
      throw new Error("no tear-down");
    };
    const { scenarios } = await createRunner({ maxConcurrency: 1, store, judge: scriptedJudge({ c: "entailed" }), afterAll }).run(suiteOf(scenario("first", claimed), scenario("last", claimed)));
    expect(scenarios.map(({ outcome, judgments }) => [outcome, judgments?.length])).toEqual([["passed", 1], ["errored", undefined]]);
    const { runId } = await onlyRun(store);
    expect([await store.scenario(runId, 0), await store.scenario(runId, 1)]).toStrictEqual(scenarios);
    await store.close();
  }
});

test("what an agent did is in the store, though not in the report", async () => {
  const store = await openStore("memory:");
  const events = [
    { type: "tool_start", runId: "r", sessionId: "s", toolCallId: "c", toolName: "search", args: { q: "x" } },
    { type: "tool_end", runId: "r", sessionId: "s", toolCallId: "c", toolName: "search", result: { hits: 3 } },
    { type: "assistant_reply", runId: "r", sessionId: "s", text: "Three." },
    { type: "workflow", runId: "r", sessionId: "s", phase: "completed" },
    { type: "run_stream_end", runId: "r", sessionId: "s" },
  ] as never[];
  async function* stream(): AsyncGenerator<never> {
    yield* events;
  }
  await createRunner({ maxConcurrency: 1, store }).run(suiteOf(scenario("asks", async (ctx) => ({ evidence: await collect(stream(), ctx), checks: [check("right", true, "")] }))));
  const { runId } = await onlyRun(store);
  const evidence = await store.evidence({ runId, position: 0, trial: 1 });
  expect([evidence?.answer, evidence?.toolCalls.map(({ toolName, result }) => [toolName, result])]).toEqual(["Three.", [["search", { hits: 3 }]]]);
  expect((await store.scenarios(runId)).rows[0]?.toolCalls).toBe(1);
});

test("a selection is marked as one, and a suite that is no good leaves nothing", async () => {
  const store = await openStore("memory:");
  const runner = createRunner({ maxConcurrency: 1, store });
  expect((await runner.runScenarios(suiteOf(scenario("one", right), scenario("two", right)), ["two"])).passed).toBe(true);
  expect([(await onlyRun(store)).selected, (await store.planned((await onlyRun(store)).runId)).map(({ id }) => id)]).toEqual([true, ["two"]]);
  expect((await runner.run(suiteOf(scenario("one", right), scenario("one", right)))).error?.code).toBe("suite_invalid");
  expect((await store.runs()).length).toBe(1);
});

test("measured durations decide what starts first on the second run", async () => {
  const store = await openStore("memory:");
  const started: string[] = [];
  const lasts = (ms: number): Scenario["run"] => async ({ scenario: id }) => {
    started.push(id);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { checks: [check("right", true, "")] };
  };
  const suite = suiteOf(scenario("short", lasts(1)), scenario("middle", lasts(80)), scenario("long", lasts(250)));
  const runner = createRunner({ maxConcurrency: 2, store });
  await runner.run(suite);
  await runner.run(suite);
  expect(started.slice(3)).toEqual(["long", "middle", "short"]);
});

test("kind id-collision: an id that the store has already is refused, and neither run is mixed with the other", async () => {
  const store = await openStore("memory:");
  const runner = createRunner({ maxConcurrency: 1, store, newRunId: () => "01970000-0000-7000-8000-000000000001" });
  await runner.run(suiteOf(scenario("one", right)));
  const second = await runner.run(suiteOf(scenario("two", wrong), scenario("three", wrong)));
  expect(second.error).toMatchObject({ code: "run_exists", stage: "store" });
  expect(second.passed).toBe(false);
  const run = await onlyRun(store);
  expect([run.totals.scenarios, run.totals.passed, (await store.planned(run.runId)).map(({ id }) => id)]).toEqual([1, 1, ["one"]]);
});

test("case 205: fifty runs that two processes start in one millisecond are fifty in the store, and sort by their start", async () => {
  const store = await openStore("memory:");
  const clock = fakeClock({ now: 1_714_557_600_000 });
  for (const runner of [createRunner({ maxConcurrency: 1, store, clock }), createRunner({ maxConcurrency: 1, store, clock })]) for (let n = 0; n < 25; n++) await runner.run(suiteOf(scenario("one", right)));
  const runs = await store.runs();
  expect(new Set(runs.map(({ runId }) => runId)).size).toBe(50);
  expect(runs.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 50 }, (_, at) => 50 - at));
  expect(new Set(runs.map(({ startedAt }) => startedAt))).toEqual(new Set(["2024-05-01T10:00:00.000Z"]));
});

test("kind aggregation-denominator: one that passed and ninety-nine that errored are one of a hundred, with where each broke", async () => {
  const store = await openStore("memory:");
  const broken: Scenario["run"] = () => Promise.reject(new Error("no answer"));
  await createRunner({ maxConcurrency: 5, store }).run(suiteOf(scenario("good", right), ...Array.from({ length: 99 }, (_, n) => scenario(`bad_${n}`, n % 3 === 0 ? () => ({ checks: [] }) : broken))));
  const { totals, head } = await onlyRun(store);
  expect(totals).toMatchObject({ scenarios: 100, passed: 1, errored: 99, errors: { hook: 66, result: 33 } });
  expect([head?.passed, head?.verdict]).toEqual([false, "failed"]);
});

test("kind aggregation-denominator: a run that is stopped counts what it did not reach, and its missing trials stay planned", async () => {
  const store = await openStore("memory:");
  const stop = new AbortController();
  const suite = suiteOf(scenario("one", () => {
    stop.abort();
    return right();
  }), ...Array.from({ length: 9 }, (_, n) => scenario(`left_${n}`, right, { trials: 2 })));
  await createRunner({ maxConcurrency: 1, store }).run(suite, { signal: stop.signal });
  const run = await onlyRun(store);
  expect([run.plannedTrials, run.storedTrials, run.totals.scenarios, run.totals.cancelled + run.totals.passed]).toEqual([19, 1, 10, 10]);
  const { counts } = await store.scenarios(run.runId);
  expect([counts.missing, counts.cancelled + counts.passed]).toEqual([0, 10]);
});

test("a store that rejects is a failure of the run at stage store, and the report is whole all the same", async () => {
  const store: Store = { ...(await openStore("memory:")), putTrial: () => Promise.reject(new Error("gone")) };
  const report = await createRunner({ maxConcurrency: 1, store }).run(suiteOf(scenario("one", right), scenario("two", right)));
  expect([report.passed, report.error, report.totals.passed, report.scenarios.length]).toEqual([false, { code: "output_unwritable", stage: "store", message: "gone" }, 2, 2]);
});

test("what the store warns of while a run goes on is told to the reporters and stands in the report, once", async () => {
  const inner = await openStore("memory:");
  const warnings: { readonly code: string; readonly stage: "store"; readonly message: string }[] = [];
  const store: Store = {
    ...inner,
    warnings,
    async putScenario(...given) {
      await inner.putScenario(...given);
      if (warnings.length === 0) warnings.push({ code: "store_unwritable", stage: "store", message: "results go elsewhere" });
    },
  };
  const reporter = recordingReporter();
  const report = await createRunner({ maxConcurrency: 1, store, reporter }).run(suiteOf(scenario("one", right), scenario("two", right)));
  expect(report.warnings).toEqual([{ code: "store_unwritable", message: "results go elsewhere" }]);
  expect(report.passed).toBe(true);
});

test("a run's recorder says when the manifest is safe, with the run's ordinal", async () => {
  const store = await openStore("memory:");
  await store.beginInvocation({ id: "i", startedAt: "2026-11-30T10:00:00.000Z", command: ["run"], cwd: "/" });
  const begun: unknown[] = [];
  const plan = { suite: suiteOf(scenario("one", right)), selection: { kind: "all" } as const, maxConcurrency: 1, clock: fakeClock(), newRunId: () => "r-0001", reporters: [] };
  await execute(plan, recordRun({ store, plan, invocationId: "i", file: "a.eval.ts", exportIndex: 2, subject: "v7", begun: ({ runId }, ordinal) => begun.push([runId, ordinal]) }));
  const run = await onlyRun(store);
  expect([begun, run.file, run.exportIndex, run.subject, run.invocation.command]).toEqual([[["r-0001", 1]], "a.eval.ts", 2, "v7", ["run"]]);
});
