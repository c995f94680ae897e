// Owns the Markdown form: a run, and where there is one its comparison, for a pull request's comment or a job's summary. Flips first, then what
// did not pass, never longer than GitHub takes.

import { formatDuration } from "../../core/duration.ts";
import type { Comparison } from "../../core/comparison.ts";
import type { ReportHead, ScenarioReport, SplitUsage } from "../../core/report.ts";
import { counted } from "../number-text.ts";
import { firstReason, reasonsOf, reasonText } from "../reason.ts";
import { OUTCOME_SIGNS } from "../sign.ts";
import { measuredText, missesFail, suiteOutcome, summarySentence } from "../summary.ts";
import { writeComparison } from "./markdown-comparison.ts";
import { bytesOf, preformatted, prose } from "./markdown-text.ts";
import { type FileProblem, type FormatOptions, joinParts, type ReportParts } from "./parts.ts";
import { cutText, visibleLine } from "./visible.ts";

/** What one comment of GitHub holds, in characters; one step's summary holds 1 MiB. */
export const COMMENT_BYTES = 65_536;
export const SUMMARY_BYTES: number = 1024 * 1024;

export interface MarkdownOptions extends FormatOptions {
  /** Its flips come before everything else. */
  readonly comparison?: Comparison | undefined;
  /** UTF-8 bytes of the whole text; `COMMENT_BYTES` when absent, at least 10,000. */
  readonly maxBytes?: number | undefined;
}

const MAX_CELL = 300;
const MAX_DETAIL = 4_000;
/** Kept for what closes the text: what was left out, and the last lines. */
const CLOSING_BYTES = 900;

/** The run as Markdown. Its first line is a comment that names the suite, so that a later run can find it and replace it. */
export function markdownParts(head: ReportHead, scenarios: Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>, options: MarkdownOptions = {}): AsyncGenerator<string, void, undefined> {
  return joinParts(markdownRun(head, options), scenarios);
}

export function markdownRun(head: ReportHead, { mask = (text) => text, comparison, maxBytes = COMMENT_BYTES }: MarkdownOptions = {}): ReportParts {
  const whole = Math.max(10_000, maxBytes) - CLOSING_BYTES;
  const cell = (text: string): string => prose(cutText(visibleLine(mask(text)), MAX_CELL));
  let left = whole;
  let rows = 0;
  let untold = 0;
  let detailBytes = 0;
  const details: string[] = [];

  /** The text where it fits and leaves `rest` bytes, else nothing. */
  const take = (text: string, rest = 0): string => {
    const bytes = bytesOf(text);
    if (bytes > left - rest) return "";
    left -= bytes;
    return text;
  };

  return {
    opening() {
      const outcome = suiteOutcome(head);
      const uncalibrated = head.error?.code === "calibration_failed";
      const top = [
        `<!-- entail ${commentName(mask(head.suiteId))} -->`,
        `## ${OUTCOME_SIGNS[outcome]} ${cell(head.suiteId)}: ${outcome}`,
        "",
        summarySentence({ totals: head.totals, strict: missesFail(head), uncalibrated }),
        ...(head.error === undefined ? [] : [`${prose(head.error.code)} at ${head.error.stage}: ${cell(head.error.message)}`]),
        "",
        `${measuredText(head.totals)}.`,
        "",
      ].join("\n");
      return take(`${top}\n`) + (comparison === undefined ? "" : writeComparison(comparison, cell, (text) => take(text, whole * 0.4)));
    },
    scenario(report) {
      if (!isTold(report, missesFail(head))) return "";
      const row = `| ${OUTCOME_SIGNS[report.outcome]} ${report.outcome} | ${cell(report.id)} | ${report.knownFailure === undefined ? "" : `known to fail (${cell(report.knownFailure)}): `}${cell(firstReason(report))} |\n`;
      const heading = rows > 0 ? "" : "### What did not pass\n\n| outcome | scenario | why |\n| --- | --- | --- |\n";
      const written = take(heading + row, whole * 0.3);
      if (written === "") {
        untold += 1;
        return "";
      }
      rows += 1;
      const text = reasonsOf(report).reasons.map(reasonText).join("\n\n");
      const detail = text === "" ? "" : `<details><summary>${cell(report.id)}</summary>\n\n${preformatted(cutText(mask(text), MAX_DETAIL))}\n</details>\n`;
      if (detailBytes + bytesOf(detail) < whole * 0.3) {
        details.push(detail);
        detailBytes += bytesOf(detail);
      }
      return written;
    },
    closing() {
      const more = untold === 0 ? "" : `\n${counted(untold, "more scenario")} did not pass and ${untold === 1 ? "is" : "are"} not listed here; the JSON report has them all.\n`;
      const folded = details.map((detail) => take(detail)).join("");
      const warnings = (head.warnings ?? []).slice(0, 3).map(({ code, message }) => `- ${prose(code)}: ${cell(message)}\n`).join("");
      return `${more}${folded === "" ? "" : `\n${folded}`}${warnings === "" ? "" : take(`\n${warnings}`)}\n${footer(head, mask)}\n`;
    },
  };
}

const MAX_PROBLEMS = 20;

/** The files that could not be run; nothing where there are none. */
export function markdownProblems(problems: readonly FileProblem[], { mask = (text) => text }: FormatOptions = {}): string {
  if (problems.length === 0) return "";
  const line = (text: string): string => prose(cutText(visibleLine(mask(text)), MAX_CELL));
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ message }) => `- ${line(message)}\n`);
  const more = problems.length > MAX_PROBLEMS ? `- and ${problems.length - MAX_PROBLEMS} more\n` : "";
  return `## ${OUTCOME_SIGNS.errored} ${counted(problems.length, "file")} could not be run\n\n${lines.join("")}${more}\n`;
}

/** What a person has to look at; a scenario that was not run is in the counts. */
function isTold({ outcome, scores = [], turns = [] }: ScenarioReport, missed: boolean): boolean {
  if (outcome === "failed" || outcome === "errored") return true;
  return outcome === "scored" && (missed || [...scores, ...turns.flatMap((turn) => turn.scores ?? [])].some(({ passed }) => passed === false));
}

function footer({ durationMs, judge, usage, runId }: ReportHead, mask: (text: string) => string): string {
  const model = judge?.model ?? judge?.modelClass;
  const parts = [
    formatDuration(durationMs),
    costText(usage),
    model === undefined ? "" : `judge ${prose(cutText(visibleLine(mask(model)), 60))}${judge?.calibration?.passed === true ? ", calibrated" : ""}`,
    runId === undefined ? "" : `run ${prose(runId.slice(0, 40))}`,
  ];
  return `<sub>${parts.filter((part) => part !== "").join(" · ")}</sub>`;
}

function costText(usage: SplitUsage | undefined): string {
  const dollars = (cost: number): string => `$${cost.toFixed(cost < 1 ? 4 : 2)}`.replace("$", "&#36;");
  const parts = [usage?.subject?.cost === undefined ? "" : `agent ${dollars(usage.subject.cost)}`, usage?.judge?.cost === undefined ? "" : `judge ${dollars(usage.judge.cost)}`];
  return parts.filter((part) => part !== "").join(", ");
}

/** Nothing that could end a comment. */
function commentName(suiteId: string): string {
  return suiteId.replace(/[^\w]+/g, "_").slice(0, 80);
}

