// Owns what a run came to in words: one outcome, one honest sentence, the rate with its interval. Terminal, Markdown and annotations say the same.

import { OUTCOMES, type Outcome } from "../core/outcome.ts";
import type { ReportHead, Totals } from "../core/report.ts";
import { counted, rate, thousands } from "./number-text.ts";

/** What a suite came to, as the mark of one outcome. */
export function suiteOutcome({ passed, error, totals }: ReportHead): Outcome {
  if (totals.failed > 0) return "failed";
  if (totals.errored > 0 || (error !== undefined && error.code !== "cancelled")) return "errored";
  if (error !== undefined || totals.cancelled > 0) return "cancelled";
  if (!passed) return totals.scored > 0 ? "scored" : "skipped";
  return totals.scored > 0 && totals.passed === 0 ? "scored" : "passed";
}

/** Whether a missed threshold fails the run: a strict run of data may pass by its verdict all the same. */
export function missesFail({ strict, passed }: Pick<ReportHead, "strict" | "passed">): boolean {
  return strict === true && !passed;
}

export interface SummaryOf {
  readonly totals: Totals;
  readonly strict: boolean;
  /** Files that could not be loaded. */
  readonly broken?: number | undefined;
  /** A suite whose judge failed its calibration is among them. */
  readonly uncalibrated?: boolean | undefined;
}

/** Sentences, the worst first. What was not measured is never called a failure, nor the other way round. */
export function summarySentence({ totals, strict, broken = 0, uncalibrated = false }: SummaryOf): string {
  const parts: string[] = [];
  if (totals.failed > 0) parts.push(`${thousands(totals.failed)} of ${counted(totals.scenarios, "scenario")} failed.`);
  if (totals.scored > 0) parts.push(`${thousands(totals.scored)} missed a threshold or required nothing${strict ? ", which --strict does not let pass" : ""}.`);
  if (totals.errored > 0) parts.push(`${thousands(totals.errored)} could not be measured and ${totals.errored === 1 ? "says" : "say"} nothing about the agent (${stageText(totals)}).`);
  if (totals.cancelled > 0) parts.push(`${thousands(totals.cancelled)} cancelled.`);
  if (totals.skipped > 0) parts.push(`${thousands(totals.skipped)} skipped.`);
  if (broken > 0) parts.push(`${counted(broken, "file")} could not be loaded.`);
  if (uncalibrated) parts.push("The judge failed its calibration, so nothing was asked of it.");
  if (parts.length > 0) return parts.join(" ");
  if (totals.scenarios === 0) return "No scenario ran.";
  return totals.scenarios === 1 ? "The one scenario passed." : `All ${counted(totals.scenarios, "scenario")} passed.`;
}

/** `9 of 11 measured scenarios passed, 81.8% (95% interval 52.3% to 94.9%)`. */
export function measuredText({ passed, scored, failed }: Totals): string {
  const measured = passed + scored + failed;
  const share = rate(passed, measured);
  return `${thousands(passed)} of ${counted(measured, "measured scenario")} passed${share === "" ? "" : `, ${share}`}`;
}

function stageText(totals: Totals): string {
  return Object.entries(totals.errors)
    .filter(([, count]) => count > 0)
    .map(([stage, count]) => `${count} at ${stage}`)
    .join(", ");
}

/** Of several suites together. */
export function sumTotals(all: readonly Totals[]): Totals {
  const total = (read: (totals: Totals) => number): number => all.reduce((count, totals) => count + read(totals), 0);
  const errors = Object.fromEntries(Object.keys(all[0]?.errors ?? {}).map((stage) => [stage, total((totals) => totals.errors[stage as keyof Totals["errors"]])])) as Totals["errors"];
  const counts = Object.fromEntries(["scenarios", ...OUTCOMES].map((name) => [name, total((totals) => totals[name as Outcome | "scenarios"])])) as Record<Outcome | "scenarios", number>;
  return { ...counts, errors };
}
