// Holds the demo: it passes as it is, and a broken agent turns exactly the scenarios red that ought to notice.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { decodeReport, type Report } from "entail";
import { expect, test } from "vitest";

const demo = fileURLToPath(new URL("./demo.ts", import.meta.url));
const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = process.env;

function runDemo(...args: readonly string[]): { readonly status: number | null; readonly report: Report; readonly shown: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--conditions=entail-source", demo, ...args], { encoding: "utf8", env: { ...env, NO_COLOR: "1" } });
  return { status, report: decodeReport(stdout), shown: stderr };
}

test("the demo passes all ten scenarios, with a calibrated judge", () => {
  const { status, report, shown } = runDemo();
  expect(report.scenarios.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(
    ["alarm_inventory", "count_by_severity", "critical_alarms", "alarm_cause", "unknown_alarm", "acknowledge", "delete_waits", "out_of_scope", "greeting", "inventory_ready"].map((id) => `${id} passed`),
  );
  expect(report.judge?.calibration?.passed).toBe(true);
  expect(status).toBe(0);
  expect(shown).toContain("10 passed");
});

test("an agent that stops after one page fails the two scenarios about paging, by check and by claim, and no other", () => {
  const { status, report } = runDemo("--break", "paging");
  const red = report.scenarios.filter((scenario) => !scenario.passed);
  expect(red.map(({ id, outcome }) => [id, outcome])).toEqual([
    ["alarm_inventory", "failed"],
    ["count_by_severity", "failed"],
  ]);
  for (const scenario of red) expect(scenario.result?.checks?.find((check) => !check.passed)?.diagnostic).toContain("the list was left before its last page");
  expect(red.flatMap((scenario) => scenario.judgments ?? []).filter((judgment) => !judgment.passed).map(({ claimId, label }) => [claimId, label])).toEqual([
    ["count", "contradicted"],
    ["complete", "contradicted"],
    ["critical_count", "contradicted"],
  ]);
  expect(status).toBe(1);
});

test("a fault that the agent does not have is refused in one sentence", () => {
  const { status, stderr } = spawnSync(process.execPath, ["--conditions=entail-source", demo, "--break", "pager"], { encoding: "utf8", env });
  expect([status, stderr]).toEqual([2, "--break pager: the agent can be broken in paging\n"]);
});
