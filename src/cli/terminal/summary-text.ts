// Owns the end of what the terminal shows: a line for each suite, then the outcome of the whole in one honest sentence.

import { formatDuration } from "../../core/duration.ts";
import { OUTCOMES, type Outcome } from "../../core/outcome.ts";
import type { PassAt, ReportHead, Totals, TrialSummary } from "../../core/report.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import type { Clean } from "./failure-text.ts";
import { counted, percent, thousands } from "../../report/number-text.ts";
import { isMistake } from "../exit-code.ts";
import { measuredText, suiteOutcome, summarySentence, sumTotals } from "../../report/summary.ts";
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
  /** Where the report was written, as JSON and as JUnit. */
  readonly output?: string | undefined;
  readonly junit?: string | undefined;
  /** What it was compared with. */
  readonly compared?: EndingComparison | undefined;
}

export interface EndingComparison {
  readonly write: (page: Page, marks: Marks, clean: Clean) => void;
  /** The comparison alone decides: what it says of the run. */
  readonly gate?: 0 | 1 | 3 | undefined;
}

export function writeSuite(page: Page, { file, head }: SuiteEnd, marks: Marks, clean: Clean): void {
  const { totals } = head;
  const outcome = suiteOutcome(head);
  const mark = marks.outcome(outcome);
  page.row(2, [mark.tone, `${mark.sign} ${clean.line(head.suiteId)}`], ["accent", head.variant === undefined ? "" : clean.line(head.variant)], ...countPieces(totals, marks), ["mute", formatDuration(head.durationMs)], ["mute", clean.line(file)]);
  if (head.trials !== undefined) page.row(4, ["mute", trialsText(head.trials)]);
  for (const claims of claimsText(head)) page.row(4, ["mute", "claims"], ["mute", claims]);
  if (head.error !== undefined) {
    page.row(4, ["odd", `${clean.line(head.error.code)} at ${head.error.stage}`]);
    page.text(6, "plain", clean.text(head.error.message));
  }
}

/** `40 of 60 passed, 66.7%; corrected 61.2% (50.3% to 71.8%, 120 labels)`, or why nothing corrects it. */
function claimsText({ judge }: ReportHead): readonly string[] {
  return (judge?.rates ?? []).map(({ expect, judged, passed, raw, corrected = [] }) => {
    const said = `${thousands(passed)} of ${thousands(judged)}${expect === "entailed" ? "" : ` that expect ${expect}`} passed, ${percent(raw.rate, 1)}`;
    const [best] = corrected;
    const ends = best?.interval.map((end) => percent(end, 1)).join(" to ");
    if (best !== undefined) return `${said}; corrected for the judge's errors ${percent(best.rate, 1)} (${ends}, ${counted(best.labels, "label")})`;
    return judge?.measurement?.measured === true ? `${said}; its labels are too few to correct it` : `${said}, by a judge that is unmeasured`;
  });
}

/** `2 of 8 flaky  pass^1 84%, pass^5 61% (pass@5 97%) of 40 trials` */
function trialsText({ stablePass, flaky, stableFail, unscored, passRate, passAt = [] }: TrialSummary): string {
  const scored = stablePass + flaky + stableFail;
  const [first, last] = [passAt[0], passAt.at(-1)];
  const all = ({ k, passHatK }: PassAt): string => `pass^${k} ${percent(passHatK, 1)}`;
  const chances = first === undefined || last === undefined ? "" : `; ${all(first)}${last === first ? "" : `, ${all(last)} (pass@${last.k} ${percent(last.passAtK, 1)})`} over ${counted(passRate?.trials ?? 0, "trial")}`;
  return `${thousands(flaky)} of ${thousands(scored)} flaky${unscored === 0 ? "" : `, ${thousands(unscored)} without a scored trial`}${chances}`;
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
  const heads = ending.suites.map(({ head }) => head);
  const totals = sumTotals(heads.map((head) => head.totals));
  const [word, outcome] = wordOf(ending, totals);
  const mark = marks.outcome(outcome);
  const uncalibrated = heads.some((head) => head.error?.code === "calibration_failed");
  // Of data the verdict over all items may stand where a threshold of one was missed.
  const refusedByStrict = ending.strict && heads.some((head) => !head.passed);
  page.row(2, [mark.tone, `${mark.sign} ${word}`], ["plain", summarySentence({ totals, strict: refusedByStrict, broken: ending.broken, uncalibrated })]);
  page.row(4, ["mute", measuredText(totals)], ["mute", formatDuration(ending.durationMs)]);
  writeUsage(page, "judge", heads.map((head) => head.usage?.judge), judgeName(heads), clean);
  writeUsage(page, "agent", heads.map((head) => head.usage?.subject), "", clean);
  const running = heads.reduce((count, head) => count + (head.hooksRunning ?? 0), 0);
  if (running > 0) page.text(4, "warn", `${counted(running, "call")} ignored the signal to stop and still ${running === 1 ? "runs" : "run"}${unstopped.length === 0 ? "" : ` (${running < unstopped.length ? "of " : ""}${unstopped.join(", ")})`}; nothing waits for ${running === 1 ? "it" : "them"}`);
  if (ending.output !== undefined) page.row(4, ["mute", "report"], ["accent", clean.line(ending.output)]);
  if (ending.junit !== undefined) page.row(4, ["mute", "junit"], ["accent", clean.line(ending.junit)]);
}

const GATE_WORDS = { 0: ["no regression found", "passed"], 1: ["the gate failed", "failed"], 3: ["nothing concluded", "errored"] } as const;

function wordOf({ exitCode, stopped, broken, suites, compared }: Ending, totals: Totals): readonly [string, Outcome] {
  if (stopped !== undefined) return [stopped, "cancelled"];
  if (compared?.gate !== undefined && exitCode === compared.gate) return GATE_WORDS[compared.gate];
  if (exitCode === 0) return totals.scored > 0 && totals.passed === 0 ? ["scored", "scored"] : ["passed", "passed"];
  if (totals.failed > 0 || exitCode === 1) return ["failed", "failed"];
  if (exitCode === 2) return [broken > 0 || suites.some(({ head }) => isMistake(head)) ? "not all could run" : "report not written", "errored"];
  return ["nothing concluded", "errored"];
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

