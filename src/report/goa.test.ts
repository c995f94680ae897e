// Goa-AI's reports, both ways: the four examples stand here as that system writes them.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decodeReport, encodeReport } from "entail";
import type { JsonSchema } from "../core/schema.ts";
import { compileSchema } from "../schema/validator.ts";

const schema = compileSchema(JSON.parse(readFileSync(new URL("../../report.schema.json", import.meta.url), "utf8")) as JsonSchema);

const settledRun = `{
  "suite_id": "chat_quality",
  "started_at": "2026-09-10T12:00:00.000000001Z",
  "duration": 61250000000,
  "scenarios": [
    {
      "id": "alarm_inventory",
      "started_at": "2026-09-10T12:00:01Z",
      "duration": 42000000000,
      "result": {
        "checks": [
          {"name": "trajectory", "passed": true},
          {"name": "forbidden_tools", "passed": true},
          {"name": "terminal", "passed": true}
        ],
        "claims": [{"id": "export_formats", "text": "The answer lists the supported export formats."}],
        "output": "You can export as CSV or JSON.",
        "reference": "Supported export formats: CSV and JSON.",
        "artifacts": [{"name": "protocol", "uri": "s3://evals/run-17/protocol.jsonl"}]
      },
      "judgments": [
        {"claim_id": "export_formats", "label": "entailed", "rationale": "Names both formats."}
      ],
      "passed": true
    },
    {
      "id": "pagination",
      "started_at": "2026-09-10T12:00:01Z",
      "duration": 30500000000,
      "result": {
        "checks": [
          {"name": "trajectory", "passed": false, "diagnostic": "read.list bounds: inventory is truncated"},
          {"name": "terminal", "passed": true}
        ],
        "claims": [
          {"id": "all_pages", "text": "The answer covers every page."},
          {"id": "count", "text": "The answer gives the number of alarms."}
        ],
        "output": "Here are the first 20 alarms."
      },
      "judgments": [
        {"claim_id": "all_pages", "label": "contradicted", "rationale": "Says only the first 20."},
        {"claim_id": "count", "label": "not_addressed", "rationale": "No total is given."}
      ],
      "passed": false
    },
    {
      "id": "health_check",
      "started_at": "2026-09-10T12:00:31.5Z",
      "duration": 1200000,
      "error": "chat service unreachable",
      "passed": false
    },
    {
      "id": "solar_analysis",
      "started_at": "2026-09-10T12:00:43Z",
      "duration": 18000000000,
      "result": {
        "claims": [{"id": "saving", "text": "The answer states the saving."}],
        "output": "About 12 percent."
      },
      "error": "judge answer still invalid after the permitted corrections",
      "passed": false
    }
  ],
  "passed": false
}`;

const cancelledRun = `{
  "suite_id": "chat_quality",
  "started_at": "2026-09-10T12:00:00Z",
  "duration": 5000000000,
  "scenarios": [
    {"id": "quick", "started_at": "2026-09-10T12:00:00Z", "duration": 900000000,
     "result": {"checks": [{"name": "ok", "passed": true}]}, "passed": true},
    {"id": "in_flight", "started_at": "2026-09-10T12:00:00Z", "duration": 5000000000,
     "error": "context canceled", "passed": false},
    {"id": "never_started", "started_at": "0001-01-01T00:00:00Z", "duration": 0,
     "error": "context canceled", "passed": false}
  ],
  "error": "context canceled",
  "passed": false
}`;

const refusedRun = `{
  "suite_id": "chat_quality",
  "started_at": "2026-09-10T12:00:00Z",
  "duration": 41000,
  "scenarios": null,
  "error": "unknown scenario: alarm_inventry",
  "passed": false
}`;

const silentScenario = {
  id: "silent",
  started_at: "2026-09-10T12:00:00Z",
  duration: 2000000,
  result: {
    checks: [{ name: "terminal", passed: false, diagnostic: "run ended as failed" }],
    claims: [{ id: "complete", text: "The inventory is complete." }],
  },
  judgments: [{ claim_id: "complete", label: "not_addressed", rationale: "no output was produced to judge" }],
  passed: false,
};

function run(scenarios: readonly object[] | null, head: object = {}): string {
  return JSON.stringify({ suite_id: "chat_quality", started_at: "2026-09-10T12:00:00Z", duration: 1, scenarios, passed: false, ...head });
}

const silentRun = run([silentScenario]);

describe("a report of Goa-AI", () => {
  test("of passes, failures, a hook's error and a judge's keeps every value, and each outcome is told apart", () => {
    const report = decodeReport(settledRun);
    expect(report.startedAt).toBe("2026-09-10T12:00:00.000000001Z");
    expect(report.durationMs).toBe(61_250);
    expect(report.scenarios.map((scenario) => [scenario.id, scenario.outcome, scenario.passed, scenario.durationMs])).toEqual([
      ["alarm_inventory", "passed", true, 42_000],
      ["pagination", "failed", false, 30_500],
      ["health_check", "errored", false, 1.2],
      ["solar_analysis", "errored", false, 18_000],
    ]);
    expect(report.scenarios.map((scenario) => scenario.error)).toEqual([
      undefined,
      undefined,
      { code: "hook_threw", stage: "hook", message: "chat service unreachable" },
      { code: "judge_failed", stage: "judge", message: "judge answer still invalid after the permitted corrections" },
    ]);
    expect(report.scenarios[1]?.judgments).toEqual([
      { claimId: "all_pages", label: "contradicted", rationale: "Says only the first 20.", passed: false },
      { claimId: "count", label: "not_addressed", rationale: "No total is given.", passed: false },
    ]);
    expect(report.scenarios[3]?.result).toEqual({ claims: [{ id: "saving", text: "The answer states the saving." }], output: "About 12 percent." });
    expect(report.totals).toMatchObject({ scenarios: 4, passed: 1, failed: 1, errored: 2, cancelled: 0, errors: { hook: 1, judge: 1 } });
    expect(report).toMatchObject({ passed: false });
    expect("error" in report).toBe(false);
  });

  test("of a cancelled run tells what was in flight from what never started", () => {
    const report = decodeReport(cancelledRun);
    expect(report.error).toEqual({ code: "cancelled", stage: "hook", message: "context canceled" });
    expect(report.scenarios.map((scenario) => [scenario.outcome, scenario.startedAt, scenario.error?.stage])).toEqual([
      ["passed", "2026-09-10T12:00:00Z", undefined],
      ["cancelled", "2026-09-10T12:00:00Z", "hook"],
      ["cancelled", undefined, "selection"],
    ]);
    expect(report.totals).toMatchObject({ passed: 1, cancelled: 2, errored: 0 });
  });

  test("of a run that was refused has no scenarios, and its list is a list", () => {
    const report = decodeReport(refusedRun);
    expect(report).toMatchObject({ scenarios: [], passed: false, error: { code: "selector_unknown", stage: "selection", message: "unknown scenario: alarm_inventry" } });
    expect(JSON.parse(encodeReport(report))).toMatchObject({ scenarios: [], schema_version: 1 });
  });

  test("of an empty output is a failure without an error", () => {
    const report = decodeReport(silentRun);
    expect(report.scenarios[0]).toMatchObject({ outcome: "failed", passed: false });
    expect(report.scenarios[0]?.error).toBeUndefined();
    expect(report.scenarios[0]?.result?.output).toBeUndefined();
  });

  test.each([
    ["passes and failures", settledRun],
    ["a cancelled run", cancelledRun],
    ["an empty output", silentRun],
  ])("is written for its strict readers as it was read: %s", (_what, text) => {
    expect(JSON.parse(encodeReport(decodeReport(text), { profile: "goa-ai" }))).toStrictEqual(JSON.parse(text));
  });

  test("without scenarios is written with an empty list, for `scenarios` is always one", () => {
    expect(JSON.parse(encodeReport(decodeReport(refusedRun), { profile: "goa-ai" }))).toStrictEqual({ ...(JSON.parse(refusedRun) as object), scenarios: [] });
  });

  test.each([settledRun, cancelledRun, refusedRun, silentRun])("has the published schema, and so has ours made of it", (text) => {
    expect(schema.faults(JSON.parse(text))).toEqual([]);
    expect(schema.faults(JSON.parse(encodeReport(decodeReport(text))))).toEqual([]);
    expect(decodeReport(encodeReport(decodeReport(text)))).toStrictEqual(decodeReport(text));
  });

  test("whose strings its encoder escaped for HTML has the same texts", () => {
    expect(decodeReport(run([{ ...silentScenario, result: { output: "a" } }]).replace('"a"', '"\\u003cb\\u003e \\u0026 c"')).scenarios[0]?.result?.output).toBe("<b> & c");
  });

  test("that says passed beside an error is not passed", () => {
    expect(decodeReport(run([], { passed: true, error: "context canceled" })).passed).toBe(false);
  });
});

describe("what Goa-AI says by an error's text alone is worked out", () => {
  const scenario = (error: string, more: object = {}): object => ({ id: "a", started_at: "2026-09-10T12:00:00Z", duration: 1, error, passed: false, ...more });
  const never = { started_at: "0001-01-01T00:00:00Z", duration: 0 };
  const claims = { result: { claims: [{ id: "c", text: "t" }], output: "o" } };

  test.each([
    ["context canceled", {}, "cancelled", "cancelled", "hook"],
    ["run: context cancelled", {}, "cancelled", "cancelled", "hook"],
    ["context deadline exceeded", {}, "errored", "deadline_exceeded", "hook"],
    ["context deadline exceeded", claims, "errored", "deadline_exceeded", "judge"],
    ["context canceled", claims, "cancelled", "cancelled", "judge"],
    ["context canceled", never, "cancelled", "cancelled", "selection"],
    ["context deadline exceeded", never, "cancelled", "deadline_exceeded", "selection"],
    ["dial tcp: connection refused", {}, "errored", "hook_threw", "hook"],
    ["the model gave no answer", claims, "errored", "judge_failed", "judge"],
    ["a judge is required for claims", claims, "errored", "judge_required", "judge"],
  ])("%j (%j) is %s by %s at %s", (error, more, outcome, code, stage) => {
    expect(decodeReport(run([scenario(error, more)])).scenarios[0]).toMatchObject({ outcome, error: { code, stage, message: error } });
  });

  test.each([
    ["unknown tag: smok", "selector_unknown", "selection"],
    ["duplicate scenario: a", "selector_duplicate", "selection"],
    ["scenario selection is empty", "selection_empty", "selection"],
    ["tag is empty", "selector_empty", "selection"],
    ["suite has no scenarios", "selection_no_scenarios", "selection"],
    ["judge calibration failed: context deadline exceeded", "calibration_failed", "calibration"],
    ["context deadline exceeded", "deadline_exceeded", "selection"],
    ["something else", "unclassified", "selection"],
  ])("a suite's %j is %s at %s", (error, code, stage) => {
    expect(decodeReport(run(null, { error })).error).toEqual({ code, stage, message: error });
  });
});

test("[33] a result without a reference has no such member on the wire, and a report from before there was one reads as having none", () => {
  const written = encodeReport(decodeReport(silentRun));
  expect(written).not.toContain('"reference"');
  expect(encodeReport(decodeReport(silentRun), { profile: "goa-ai" })).not.toContain('"reference"');
  expect(decodeReport(silentRun).scenarios[0]?.result?.reference ?? "").toBe("");
  const read = decodeReport(settledRun);
  expect(read.scenarios.map((scenario) => scenario.result?.reference)).toEqual(["Supported export formats: CSV and JSON.", undefined, undefined, undefined]);
  expect(JSON.parse(encodeReport(read))).toMatchObject({ scenarios: [{ result: { reference: "Supported export formats: CSV and JSON." } }, {}, {}, {}] });
});
