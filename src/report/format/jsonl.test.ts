import * as fc from "fast-check";
import { check, createRunner, encodeReport, type Report } from "entail";
import { jsonlParts, jsonlReporter } from "entail/report";
import { expect, test } from "vitest";
import { hostileReport, joined, reportOf, sample } from "../../../test/report-samples.ts";

type Event = Readonly<Record<string, unknown>> & { readonly type: string };
const events = (text: string): Event[] => text.trimEnd().split(/\n|\r|\u2028|\u2029|\u0085/).map((line) => JSON.parse(line) as Event);

test("kind unescaped-output: every event is one line by every reader's idea of a line, and holds what the JSON report holds", async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const read = events(await joined(jsonlParts(report, report.scenarios)));
      const wire = JSON.parse(encodeReport(report)) as Record<string, unknown>;
      expect(read.map(({ type }) => type)).toEqual(["run_started", ...report.scenarios.map(() => "scenario_finished"), "warning", "run_finished"]);
      expect(read.flatMap(({ scenario }) => (scenario === undefined ? [] : [scenario]))).toEqual(wire["scenarios"]);
      const { type: _, ...end } = read.at(-1) ?? { type: "" };
      const { scenarios: __, schema_version: ___, ...head } = wire;
      expect(end).toEqual(head);
    }),
    { numRuns: 60 },
  );
});

test("a run that goes on is told as it happens, in the words of its report", async () => {
  let text = "";
  const suite = { id: "chat", description: "A suite.", scenarios: [{ id: "greeting", description: "A scenario.", tags: [], timeoutMs: 1_000, run: () => ({ checks: [check("right", false, "wrong answer")] }) }] };
  const report = await createRunner({ maxConcurrency: 1, reporter: jsonlReporter((line) => void (text += line)) }).run(suite);
  const read = events(text);
  expect(read.map(({ type, suite_id: suiteId }) => [type, suiteId])).toEqual(["run_started", "scenario_started", "trial_finished", "scenario_finished", "run_finished"].map((type) => [type, "chat"]));
  expect(read[0]).toMatchObject({ run_id: report.runId, scenarios: 1, trials: 1 });
  expect(read[3]?.["scenario"]).toEqual((JSON.parse(encodeReport(report)) as { scenarios: unknown[] }).scenarios[0]);
});

test("kind secrets-leak: events are masked like the report", async () => {
  const report: Report = reportOf([sample("tok-77777777", "failed", "it said tok-77777777", "tok-77777777")], { suiteId: "tok-77777777", warnings: [{ code: "late_rejection", message: "tok-77777777" }] });
  expect(await joined(jsonlParts(report, report.scenarios, { mask: (text) => text.replaceAll("tok-77777777", "‹masked›") }))).not.toContain("77777777");
});
