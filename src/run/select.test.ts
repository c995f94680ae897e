import { createRunner, systemClock, todo, type Result, type Scenario, type Suite } from "entail";
import { recordingReporter, scriptedJudge } from "entail/testing";
import { describe, expect, test } from "vitest";
import { execute } from "./execute.ts";
import type { Plan } from "./plan.ts";
import { newRunId } from "./run-id.ts";

const passing = (): Result => ({ checks: [{ name: "ok", passed: true }] });
const scenario = (id: string, tags: readonly string[] = [], run: Scenario["run"] = passing): Scenario => ({ id, description: `Scenario ${id}.`, tags, timeoutMs: 60_000, run });
const suite = (...scenarios: readonly Scenario[]): Suite => ({ id: "chat", description: "A suite.", scenarios });
const numbered = suite(scenario("first"), scenario("second"), scenario("third"));
const tagged = suite(scenario("a", ["smoke"]), scenario("b", ["slow"]), scenario("c", ["smoke", "slow"]));
const runner = createRunner({ maxConcurrency: 1 });

const fault = (code: string, text: RegExp): object => ({ error: { code, stage: "selection", message: expect.stringMatching(text) as string }, passed: false, scenarios: [], totals: { scenarios: 0 } });

test("[18] a suite without scenarios is a report with an error and no scenario entries", async () => {
  expect(await runner.run(suite())).toMatchObject(fault("selection_no_scenarios", /has no scenarios/));
});
test("[35] ids given as third, first are reported as first, third", async () => {
  const report = await runner.runScenarios(numbered, ["third", "first"]);
  expect(report.scenarios.map(({ id }) => id)).toEqual(["first", "third"]);
  expect(report.passed).toBe(true);
});
test("[36] no ids is an empty selection", async () => {
  expect(await runner.runScenarios(numbered, [])).toMatchObject(fault("selection_empty", /empty/));
});
test("[37] an empty id is an empty scenario", async () => {
  expect(await runner.runScenarios(numbered, ["first", ""])).toMatchObject(fault("selector_empty", /scenario is empty/));
});
test("[38] a repeated id is a duplicate", async () => {
  expect(await runner.runScenarios(numbered, ["first", "first"])).toMatchObject(fault("selector_duplicate", /duplicate scenario "first"/));
});
test("[39] an id that the suite does not have is unknown, and the nearest one is named", async () => {
  expect(await runner.runScenarios(numbered, ["frist"])).toMatchObject(fault("selector_unknown", /unknown scenario "frist".*did you mean "first"/));
});
test("[40] of two unknown ids the first in the caller's order is named", async () => {
  expect(await runner.runScenarios(numbered, ["first", "zz_unknown", "aa_unknown"])).toMatchObject(fault("selector_unknown", /"zz_unknown"/));
});
test("[41] the tags slow and smoke select each scenario with one of them, in the order of declaration", async () => {
  expect((await runner.runTags(tagged, ["slow", "smoke"])).scenarios.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect((await runner.runTags(tagged, ["slow"])).scenarios.map(({ id }) => id)).toEqual(["b", "c"]);
});
test("[42] no tags is an empty selection", async () => {
  expect(await runner.runTags(tagged, [])).toMatchObject(fault("selection_empty", /empty/));
  expect(await runner.runTags(tagged, [""])).toMatchObject(fault("selector_empty", /tag is empty/));
});
test("[43] a repeated tag is a duplicate", async () => {
  expect(await runner.runTags(tagged, ["slow", "slow"])).toMatchObject(fault("selector_duplicate", /duplicate tag "slow"/));
});
test("[44] a tag that no scenario has is unknown", async () => {
  expect(await runner.runTags(tagged, ["fast"])).toMatchObject(fault("selector_unknown", /unknown tag "fast".*"smoke", "slow"/));
});
test("[45] of two unknown tags the first in the caller's order is named", async () => {
  expect(await runner.runTags(tagged, ["slow", "zz_tag", "aa_tag"])).toMatchObject(fault("selector_unknown", /"zz_tag"/));
});
test("[46] a fault of the selection is the report's error, with no scenario entries and no scenario callback", async () => {
  const reporter = recordingReporter();
  const watched = createRunner({ maxConcurrency: 1, reporter });
  for (const report of [await watched.runScenarios(numbered, []), await watched.runScenarios(numbered, ["nobody"]), await watched.runTags(tagged, ["nothing"])]) {
    expect(report).toMatchObject({ suiteId: "chat", passed: false, scenarios: [], error: { stage: "selection" } });
    expect(report.startedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(report.durationMs).toBeGreaterThanOrEqual(0);
  }
  expect(reporter.started).toEqual([]);
  expect(reporter.finished).toEqual([]);
});
test("[47] an unknown id calls neither the judge nor a hook", async () => {
  let hooks = 0;
  const judge = scriptedJudge({});
  const report = await createRunner({ judge, maxConcurrency: 2 }).runScenarios(suite(scenario("first", [], () => (hooks++, passing()))), ["unknown"]);
  expect(report).toMatchObject(fault("selector_unknown", /unknown/));
  expect(hooks).toBe(0);
  expect(judge.calibrations).toHaveLength(0);
});

describe("faults of the list come in a fixed order", () => {
  test("an empty or repeated value is named before any unknown one", async () => {
    expect(await runner.runScenarios(numbered, ["nobody", ""])).toMatchObject(fault("selector_empty", /empty/));
    expect(await runner.runScenarios(numbered, ["nobody", "first", "first"])).toMatchObject(fault("selector_duplicate", /first/));
  });
  test("of an empty and a repeated value the first in the caller's order is named", async () => {
    expect(await runner.runScenarios(numbered, ["first", "first", ""])).toMatchObject(fault("selector_duplicate", /first/));
    expect(await runner.runScenarios(numbered, ["", "first", "first"])).toMatchObject(fault("selector_empty", /empty/));
  });
});

describe("a suite made by hand is checked like a generated one", () => {
  const good = scenario("good");
  test.each<[string, unknown, RegExp]>([
    ["an id that is not lower_snake_case", suite(scenario("Bad-Id")), /scenario "Bad-Id" needs an id in lower_snake_case/],
    ["an id that is there twice", suite(good, good), /scenario "good" is there twice/],
    ["a suite id that is not lower_snake_case", { ...suite(good), id: "Chat" }, /suite needs an id in lower_snake_case, not "Chat"/],
    ["a timeout of zero", suite({ ...good, timeoutMs: 0 }), /positive timeoutMs, not 0/],
    ["a timeout that is no number", suite({ ...good, timeoutMs: Number.NaN }), /positive timeoutMs, not NaN/],
    ["a timeout that a timer cannot hold", suite({ ...good, timeoutMs: 30 * 24 * 3_600_000 }), /24 days are the most/],
    ["run that is no function", suite({ ...good, run: "agent" as never }), /needs run, a function/],
    ["a tag that is not lower_snake_case", suite(scenario("good", ["Smoke"])), /tag "Smoke"/],
    ["a tag that is there twice", suite(scenario("good", ["smoke", "smoke"])), /tag "smoke" twice/],
    ["no tags", suite({ ...good, tags: undefined as never }), /needs tags; give \[\] for none/],
    ["a misspelt member", suite({ ...good, knownFailur: "slow" } as never), /"knownFailur".*did you mean "knownFailure"/],
    ["a skip without a reason", suite({ ...good, skip: "" }), /needs a reason as its skip/],
    ["a pass rate above 1", suite({ ...good, require: { passRate: 80 } }), /require.passRate above 0, at most 1, not 80/],
    ["a pass rate of 0, which no trial has to meet", suite({ ...good, require: { passRate: 0 } }), /require.passRate above 0, at most 1, not 0/],
    ["a requirement with another member", suite({ ...good, require: { passRate: 1, of: 3 } as never }), /has a member "of" that Entail does not know/],
    ["no list of scenarios", { id: "chat", description: "A suite." }, /needs a list of scenarios/],
  ])("%s makes it suite_invalid", async (_what, bad, text) => {
    const report = await runner.run(bad as Suite);
    expect(report.error).toMatchObject({ code: "suite_invalid", stage: "selection", message: expect.stringMatching(text) });
    expect(report.scenarios).toEqual([]);
  });

  test("all of its faults are told together", async () => {
    const report = await runner.run(suite({ ...good, timeoutMs: 0, run: 1 as never }, scenario("B")));
    expect(report.error?.message.split("\n")).toHaveLength(4);
  });

  test("a value that is no suite at all is a programming error", async () => {
    await expect(runner.run(undefined as never)).rejects.toMatchObject({ code: "suite_invalid" });
  });
});

describe("excluded tags", () => {
  const planOf = (excludeTags: readonly string[], selection: Plan["selection"] = { kind: "all" }): Plan => ({ suite: tagged, selection, excludeTags, maxConcurrency: 1, clock: systemClock, newRunId, reporters: [] });
  const idsOf = async (plan: Plan): Promise<{ readonly ids: readonly string[]; readonly code: string | undefined }> => {
    const ids: string[] = [];
    const { error } = await execute(plan, { scenarioFinished: (_position, { id }) => void ids.push(id) });
    return { ids, code: error?.code };
  };
  test("are left out of whatever is selected", async () => {
    expect(await idsOf(planOf(["slow"]))).toEqual({ ids: ["a"], code: undefined });
    expect(await idsOf(planOf(["smoke"], { kind: "tags", tags: ["slow"] }))).toEqual({ ids: ["b"], code: undefined });
    expect(await idsOf(planOf(["unheard_of"]))).toEqual({ ids: ["a", "b", "c"], code: undefined });
  });
  test("that leave nothing are selection_no_scenarios", async () => {
    expect(await idsOf(planOf(["slow", "smoke"]))).toEqual({ ids: [], code: "selection_no_scenarios" });
  });
});

test("a run takes its signal by name, and nothing that it does not know", async () => {
  await expect(runner.run(numbered, new AbortController().signal as never)).rejects.toMatchObject({ code: "option_invalid" });
  await expect(runner.run(numbered, { signal: new AbortController() as never })).rejects.toMatchObject({ code: "option_invalid" });
  await expect(runner.run(numbered, { sginal: undefined } as never)).rejects.toThrow(/did you mean "signal"/);
});

test("open TODOs of a runner or of a suite are refused before anything runs", async () => {
  expect(() => createRunner({ maxConcurrency: 1, judge: todo("make a judge") })).toThrow(expect.objectContaining({ code: "eval_todo_open" }));
});
