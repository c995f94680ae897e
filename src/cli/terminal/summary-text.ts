// Owns the end of what the terminal shows: a line for each suite, then the outcome of the whole in one honest sentence.

import { formatDuration } from "../../core/duration.ts";
import { OUTCOMES, type Outcome } from "../../core/outcome.ts";
import type { ReportHead, Totals } from "../../core/report.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import type { Clean } from "./failure-text.ts";
import { counted, rate, thousands } from "./number-text.ts";
import type { Page, Piece } from "./page.ts";
import type { Marks } from "./style.ts";

export interface SuiteEnd {
  readonly file: string;
  readonly head: ReportHead;
}

export interface Ending {
  readonly suites: readonly SuiteEnd[];
  /** Files that could not be loaded. */
  readonly broken: number;
  /** `interrupted` or `terminated`, where a signal ended it. */
  readonly stopped?: string | undefined;
  readonly exitCode: number;
  readonly durationMs: number;
  readonly strict: boolean;
  /** Where the report was written. */
  readonly output?: string | undefined;
}

export function writeSuite(page: Page, { file, head }: SuiteEnd, marks: Marks, clean: Clean): void {
  const { totals } = head;
  const outcome = suiteOutcome(head);
  const mark = marks.outcome(outcome);
  page.row(2, [mark.tone, `${mark.sign} ${clean.line(head.suiteId)}`], ...countPieces(totals, marks), ["mute", formatDuration(head.durationMs)], ["mute", clean.line(file)]);
  if (head.error !== undefined) {
    page.row(4, ["odd", `${clean.line(head.error.code)} at ${head.error.stage}`]);
    page.text(6, "plain", clean.text(head.error.message));
  }
}

/** What a suite came to, as the mark of one outcome. */
function suiteOutcome({ passed, error, totals }: ReportHead): Outcome {
  if (totals.failed > 0) return "failed";
  if (totals.errored > 0 || (error !== undefined && error.code !== "cancelled")) return "errored";
  if (error !== undefined || totals.cancelled > 0) return "cancelled";
  if (!passed) return totals.scored > 0 ? "scored" : "skipped";
  return totals.scored > 0 && totals.passed === 0 ? "scored" : "passed";
}

function countPieces(totals: Totals, marks: Marks): Piece[] {
  const pieces = OUTCOMES.filter((outcome) => totals[outcome] > 0).map((outcome): Piece => {
    const mark = marks.outcome(outcome);
    return [outcome === "passed" ? "plain" : mark.tone, `${thousands(totals[outcome])} ${outcome}`];
  });
  return [...pieces, ["mute", `of ${thousands(totals.scenarios)}`]];
}

/** `unstopped` names the scenarios that were cut while something of them ran, some of which may have obeyed. */
export function writeEnding(page: Page, ending: Ending, unstopped: readonly string[], marks: Marks, clean: Clean): void {
  const totals = sum(ending.suites.map(({ head }) => head.totals));
  const [word, outcome] = wordOf(ending, totals);
  const mark = marks.outcome(outcome);
  page.row(2, [mark.tone, `${mark.sign} ${word}`], ["plain", sentence(ending, totals)]);
  const measured = totals.passed + totals.scored + totals.failed;
  const share = rate(totals.passed, measured);
  page.row(4, ["mute", `${thousands(totals.passed)} of ${counted(measured, "measured scenario")} passed${share === "" ? "" : `, ${share}`}`], ["mute", formatDuration(ending.durationMs)]);
  const heads = ending.suites.map(({ head }) => head);
  writeUsage(page, "judge", heads.map((head) => head.usage?.judge), judgeName(heads), clean);
  writeUsage(page, "agent", heads.map((head) => head.usage?.subject), "", clean);
  const running = heads.reduce((count, head) => count + (head.hooksRunning ?? 0), 0);
  if (running > 0) page.text(4, "warn", `${counted(running, "call")} ignored the signal to stop and still ${running === 1 ? "runs" : "run"}${unstopped.length === 0 ? "" : ` (${running < unstopped.length ? "of " : ""}${unstopped.join(", ")})`}; nothing waits for ${running === 1 ? "it" : "them"}`);
  if (ending.output !== undefined) page.row(4, ["mute", "report"], ["accent", clean.line(ending.output)]);
}

function wordOf({ exitCode, stopped, broken }: Ending, totals: Totals): readonly [string, Outcome] {
  if (stopped !== undefined) return [stopped, "cancelled"];
  if (exitCode === 0) return totals.scored > 0 && totals.passed === 0 ? ["scored", "scored"] : ["passed", "passed"];
  if (totals.failed > 0 || exitCode === 1) return ["failed", "failed"];
  if (exitCode === 2) return [broken > 0 ? "not all could run" : "report not written", "errored"];
  return ["nothing concluded", "errored"];
}

function sentence({ broken, strict, suites }: Ending, totals: Totals): string {
  const parts: string[] = [];
  if (totals.failed > 0) parts.push(`${thousands(totals.failed)} of ${counted(totals.scenarios, "scenario")} failed.`);
  if (totals.scored > 0) parts.push(`${thousands(totals.scored)} missed a threshold or required nothing${strict ? ", which --strict does not let pass" : ""}.`);
  if (totals.errored > 0) parts.push(`${thousands(totals.errored)} could not be measured and ${totals.errored === 1 ? "says" : "say"} nothing about the agent (${stageText(totals)}).`);
  if (totals.cancelled > 0) parts.push(`${thousands(totals.cancelled)} cancelled.`);
  if (totals.skipped > 0) parts.push(`${thousands(totals.skipped)} skipped.`);
  if (broken > 0) parts.push(`${counted(broken, "file")} could not be loaded.`);
  if (suites.some(({ head }) => head.error?.code === "calibration_failed")) parts.push("The judge failed its calibration, so nothing was asked of it.");
  if (parts.length === 0) parts.push(totals.scenarios === 1 ? "The one scenario passed." : `All ${counted(totals.scenarios, "scenario")} passed.`);
  return parts.join(" ");
}

function stageText(totals: Totals): string {
  return Object.entries(totals.errors)
    .filter(([, count]) => count > 0)
    .map(([stage, count]) => `${count} at ${stage}`)
    .join(", ");
}

function judgeName(heads: readonly ReportHead[]): string {
  const judges = heads.flatMap((head) => head.judge ?? []);
  const names = new Set(judges.flatMap((judge) => judge.model ?? judge.modelClass ?? []));
  const calibrated = judges.length > 0 && judges.every((judge) => judge.calibration?.passed === true);
  return [...names, ...(calibrated ? ["calibrated"] : [])].join(", ");
}

function writeUsage(page: Page, who: string, usages: readonly (Usage | undefined)[], name: string, clean: Clean): void {
  const usage = addUsage(...usages);
  if (usage === undefined && name === "") return;
  const number = (count: number | undefined, word: string): string => (count === undefined ? "" : `${thousands(count)} ${word}`);
  const { requests, inputTokens, outputTokens, cost, unknownRequests = 0 } = usage ?? {};
  page.row(
    4,
    ["mute", who],
    ["mute", clean.line(name)],
    ["mute", requests === undefined ? "" : counted(requests, "request")],
    ["mute", [number(inputTokens, "tokens in"), number(outputTokens, "out")].filter((text) => text !== "").join(", ")],
    ["mute", cost === undefined ? "" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`],
    ["warn", unknownRequests === 0 ? "" : `${unknownRequests} of unknown usage`],
  );
}

function sum(all: readonly Totals[]): Totals {
  const total = (read: (totals: Totals) => number): number => all.reduce((count, totals) => count + read(totals), 0);
  const errors = Object.fromEntries(Object.keys(all[0]?.errors ?? {}).map((stage) => [stage, total((totals) => totals.errors[stage as keyof Totals["errors"]])])) as Totals["errors"];
  const counts = Object.fromEntries(["scenarios", ...OUTCOMES].map((name) => [name, total((totals) => totals[name as Outcome | "scenarios"])])) as Record<Outcome | "scenarios", number>;
  return { ...counts, errors };
}
