// Owns the assertion that a run passed, for those who run a suite from a test.

import { EntailError, type Fault } from "../core/error.ts";
import type { Report, ScenarioReport } from "../core/report.ts";

const MAX_LINES = 50;

/** Returns nothing where `report.passed`; else throws `run_not_passed`, with a line for each scenario that did not pass and why. */
export function assertPassed(report: Report): void {
  if (report.passed) return;
  const faults: Fault[] = [];
  if (report.error !== undefined) faults.push({ code: "run_not_passed", place: `suite ${JSON.stringify(report.suiteId)}`, message: `${report.error.code}: ${report.error.message}` });
  for (const scenario of report.scenarios) {
    if (!scenario.passed && !(scenario.outcome === "skipped" && scenario.skip !== undefined)) {
      faults.push({ code: "run_not_passed", place: `scenario ${JSON.stringify(scenario.id)}`, message: `${scenario.outcome}${reasons(scenario)}` });
    }
  }
  if (faults.length === 0) faults.push({ code: "run_not_passed", place: `suite ${JSON.stringify(report.suiteId)}`, message: "no scenario ran" });
  const lines = faults.slice(0, MAX_LINES).map(({ place, message }) => `\n  ${place}: ${message}`);
  if (faults.length > MAX_LINES) lines.push(`\n  and ${faults.length - MAX_LINES} more`);
  throw new EntailError("run_not_passed", `suite ${JSON.stringify(report.suiteId)} did not pass:${lines.join("")}`, { faults });
}

function reasons({ error, result, judgments = [], scores = [] }: ScenarioReport): string {
  const found: string[] = [];
  if (error !== undefined) found.push(`${error.code} at ${error.stage}: ${error.message}`);
  for (const check of result?.checks ?? []) if (!check.passed) found.push(`check ${JSON.stringify(check.name)}: ${check.diagnostic}`);
  for (const judgment of judgments) if (!judgment.passed) found.push(`claim ${JSON.stringify(judgment.claimId)}: ${judgment.label}${judgment.expect === undefined ? "" : ` (expected ${judgment.expect})`}: ${judgment.rationale}`);
  for (const score of scores) if (score.passed === false) found.push(`score ${JSON.stringify(score.id)}: ${String(score.score)}, below ${String(score.threshold)}`);
  return found.length === 0 ? "" : `: ${found.join("; ")}`;
}
