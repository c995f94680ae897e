import { expect, test } from "vitest";
import { countTotals, totalsOf } from "entail/report";
import type { ScenarioReport } from "../core/report.ts";

const at = { id: "a", durationMs: 0, passed: false as const, startedAt: "2026-09-10T12:00:00Z" };
const error = (stage: "hook" | "judge") => ({ code: "hook_threw", stage, message: "x" });
const scenarios: readonly ScenarioReport[] = [
  { ...at, passed: true, outcome: "passed", result: {} },
  { ...at, passed: true, outcome: "scored", result: {} },
  { ...at, outcome: "failed", result: {} },
  { ...at, outcome: "errored", error: error("hook") },
  { ...at, outcome: "errored", error: error("judge") },
  { ...at, outcome: "errored", error: error("judge") },
  { ...at, outcome: "cancelled", error: error("hook") },
  { id: "b", durationMs: 0, passed: false, outcome: "skipped", error: error("hook") },
];

test("each scenario is counted once by its outcome, and an errored one by its stage too", () => {
  expect(totalsOf(scenarios)).toStrictEqual({
    scenarios: 8,
    passed: 1,
    scored: 1,
    failed: 1,
    errored: 3,
    cancelled: 1,
    skipped: 1,
    errors: { selection: 0, calibration: 0, setup: 0, hook: 1, result: 0, score: 0, judge: 2, teardown: 0, store: 0 },
  });
});

test("totals taken while scenarios still finish do not change afterwards", () => {
  const counter = countTotals();
  counter.add(scenarios[3] as ScenarioReport);
  const first = counter.totals();
  counter.add(scenarios[4] as ScenarioReport);
  expect(first).toMatchObject({ scenarios: 1, errored: 1, errors: { hook: 1, judge: 0 } });
  expect(counter.totals()).toMatchObject({ scenarios: 2, errored: 2, errors: { hook: 1, judge: 1 } });
});
