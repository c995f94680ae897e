import { assertPassed, createRunner, type Report, type Result, type Scenario } from "entail";
import { scriptedJudge } from "entail/testing";
import { expect, test } from "vitest";

const scenario = (id: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario => ({ id, description: "A scenario.", tags: [], timeoutMs: 1_000, run, ...more });
const passing = (): Result => ({ checks: [{ name: "ok", passed: true }] });
const runOf = async (scenarios: readonly Scenario[], options = {}): Promise<Report> =>
  createRunner({ judge: scriptedJudge({ good: "entailed", bad: { label: "contradicted", rationale: "It says 12." } }), maxConcurrency: 1, ...options }).run({ id: "chat", description: "A suite.", scenarios });
const thrownBy = (report: Report): { readonly code?: string; readonly message?: string; readonly faults?: readonly unknown[] } => {
  try {
    assertPassed(report);
    return {};
  } catch (error) {
    return error as Error;
  }
};

test("a report that passed throws nothing, also where its author skips a scenario", async () => {
  expect(thrownBy(await runOf([scenario("a", passing), scenario("b", passing, { skip: "later" })]))).toEqual({});
});

test("one that did not throws run_not_passed with a line for each scenario that did not pass and why", async () => {
  const report = await runOf([
    scenario("fine", passing),
    scenario("checks", () => ({ checks: [{ name: "pages", passed: false, diagnostic: "2 of 3" }, { name: "ended", passed: true }] })),
    scenario("claims", () => ({ output: "x", claims: [{ id: "bad", text: "x" }, { id: "good", text: "x", expect: "contradicted" }] })),
    scenario("broken", () => { throw new Error("unreachable"); }),
  ]);
  const { code, message, faults } = thrownBy(report);
  expect(code).toBe("run_not_passed");
  expect(message?.split("\n")).toEqual([
    'suite "chat" did not pass:',
    '  scenario "checks": failed: check "pages": 2 of 3',
    '  scenario "claims": failed: claim "bad": contradicted: It says 12.; claim "good": entailed (expected contradicted): The script says entailed.',
    '  scenario "broken": errored: hook_threw at hook: unreachable',
  ]);
  expect(faults).toHaveLength(3);
});

test("a suite's own error comes first, and a run in which nothing ran says so", async () => {
  expect(thrownBy(await runOf([])).message).toMatch(/suite "chat": selection_no_scenarios: /);
  expect(thrownBy(await runOf([scenario("a", passing, { skip: "x" })])).message).toMatch(/no scenario ran/);
  expect(thrownBy(await runOf([scenario("a", () => ({ scores: [{ id: "s", score: 0.2, threshold: 0.5 }] }))], { strict: true })).message).toMatch(/scored: score "s": 0.2, below 0.5/);
});
