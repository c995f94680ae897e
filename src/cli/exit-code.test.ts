import { expect, test } from "vitest";
import { STAGES, type ReportError, type ReportHead, type Totals } from "entail";
import { exitCodeOf } from "./exit-code.ts";

type Counts = Partial<Omit<Totals, "errors">>;

function head(counts: Counts, more: Partial<ReportHead> = {}): ReportHead {
  const errors = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Totals["errors"];
  const totals = { scenarios: 1, passed: 0, scored: 0, failed: 0, errored: 0, cancelled: 0, skipped: 0, ...counts, errors };
  const passed = more.error === undefined && totals.failed + totals.errored + totals.cancelled === 0 && totals.passed + totals.scored > 0;
  return { suiteId: "s", startedAt: "2026-11-30T00:00:00Z", durationMs: 1, passed, totals, ...more };
}

const error = (code: string, stage: ReportError["stage"]): Partial<ReportHead> => ({ error: { code, stage, message: "m" } });
const code = (heads: readonly ReportHead[], more: { interrupted?: number; problems?: number; strict?: boolean; gate?: 0 | 1 | 3 } = {}): number =>
  exitCodeOf({ interrupted: more.interrupted, problems: more.problems ?? 0, gate: more.gate, runs: heads.map((each) => ({ head: each, strict: more.strict ?? false })) });

test("0 only where every suite passed", () => {
  expect(code([head({ passed: 1 })])).toBe(0);
  expect(code([head({ passed: 1 }), head({ scored: 1 })])).toBe(0);
  expect(code([head({ passed: 1, skipped: 1 })])).toBe(0);
});

test("1 where something failed, whatever else happened short of a mistake or a signal", () => {
  expect(code([head({ failed: 1 })])).toBe(1);
  expect(code([head({ failed: 1, errored: 3, cancelled: 2 }, error("bail_reached", "hook"))])).toBe(1);
  expect(code([head({ errored: 1 }), head({ failed: 1 })])).toBe(1);
});

test("1 where a strict run missed a threshold", () => {
  expect(code([{ ...head({ scored: 1, passed: 1 }), passed: false }], { strict: true })).toBe(1);
});

test("3 where nothing failed and not everything could be concluded", () => {
  expect(code([head({ passed: 5, errored: 1 })])).toBe(3);
  expect(code([head({ passed: 5, cancelled: 1 }, error("max_time_reached", "hook"))])).toBe(3);
  expect(code([head({ skipped: 4 }, error("calibration_failed", "calibration"))])).toBe(3);
  expect(code([{ ...head({ skipped: 1 }), passed: false }])).toBe(3);
  expect(code([head({ passed: 1 }, { warnings: [{ code: "reporter_failed", message: "m" }] })])).toBe(3);
  expect(code([])).toBe(3);
});

test("2 for a mistake of the suite's or a file that did not load, before 1", () => {
  expect(code([head({}, error("suite_invalid", "selection"))])).toBe(2);
  expect(code([head({ passed: 1 })], { problems: 1 })).toBe(2);
  expect(code([head({ failed: 1 })], { problems: 1 })).toBe(2);
});

test("a gate alone says 0, 1 or 3, whatever failed; a mistake and a signal come before it, and a reporter that failed makes a 0 a 3", () => {
  expect([code([head({ failed: 1 })], { gate: 0 }), code([head({ passed: 1 })], { gate: 1 }), code([head({ passed: 1 })], { gate: 3 })]).toEqual([0, 1, 3]);
  expect([code([head({ scored: 1 })], { gate: 0, strict: true }), code([head({ passed: 1 })], { gate: 0, problems: 1 }), code([head({ passed: 1 })], { gate: 0, interrupted: 130 })]).toEqual([0, 2, 130]);
  expect(code([head({ passed: 1 }, { warnings: [{ code: "reporter_failed", message: "m" }] })], { gate: 0 })).toBe(3);
});

test("130 and 143 before all", () => {
  expect(code([head({ failed: 1 })], { interrupted: 130, problems: 1 })).toBe(130);
  expect(code([head({ passed: 1 })], { interrupted: 143 })).toBe(143);
});
