// Owns GitHub's annotations: workflow commands that mark what did not pass in a job and beside the eval file. Texts of others cannot become commands.

import type { ReportHead, ScenarioReport } from "../../core/report.ts";
import { counted } from "../number-text.ts";
import { firstReason, reasonsOf, reasonText } from "../reason.ts";
import { missesFail } from "../summary.ts";
import { type FileProblem, type FormatOptions, joinParts, type ReportParts } from "./parts.ts";
import { cutText, visible, visibleLine } from "./visible.ts";

/** GitHub shows so many of a kind for one step and drops the rest. */
const MAX_SHOWN = 10;
const MAX_MESSAGE = 4_000;
const MAX_TITLE = 200;

export interface GithubOptions extends FormatOptions {
  /** The eval file, relative to the repository. */
  readonly file?: string | undefined;
  /** How many annotations others have taken already. */
  readonly taken?: { errors: number; warnings: number } | undefined;
}

/** One line a scenario that did not pass, at most ten errors and ten warnings, the last of which says how many more there are. */
export function githubParts(head: ReportHead, scenarios: Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>, options: GithubOptions = {}): AsyncGenerator<string, void, undefined> {
  return joinParts(githubRun(head, options), scenarios);
}

export function githubRun(head: ReportHead, { mask = (text) => text, file, taken = { errors: 0, warnings: 0 } }: GithubOptions = {}): ReportParts {
  const missed = missesFail(head);
  let untold = 0;
  /** Keeps the last place for the count of what is left out. */
  const annotate = (level: "error" | "warning", title: string, message: string): string => {
    const kind = level === "error" ? "errors" : "warnings";
    if (taken[kind] >= MAX_SHOWN - 1) {
      untold += level === "error" ? 1 : 0;
      return "";
    }
    taken[kind] += 1;
    return command(level, { title: mask(title), file }, mask(message));
  };
  return {
    opening: () => (head.error === undefined ? "" : annotate("error", `${head.suiteId}: ${head.error.code}`, head.error.message)),
    scenario(report) {
      const { outcome } = report;
      const title = `${outcome}: ${head.suiteId} › ${report.id}`;
      if (outcome === "failed" || outcome === "errored" || (outcome === "scored" && missed)) return annotate("error", title, messageOf(report));
      return outcome === "scored" && reasonsOf(report).reasons.length > 0 ? annotate("warning", title, messageOf(report)) : "";
    },
    closing() {
      const warnings = (head.warnings ?? []).map(({ code, message, scenario }) => annotate("warning", [code, scenario].filter((text) => text !== undefined).join(": "), message)).join("");
      if (untold === 0 || taken.errors >= MAX_SHOWN) return warnings;
      taken.errors += 1;
      return warnings + command("error", { title: `${mask(head.suiteId)}: ${counted(untold, "more scenario")} did not pass`, file }, "The summary of the job and the JSON report have them all.");
    },
  };
}

/** A file that could not be run. */
export function githubProblem({ code, message, file }: FileProblem, { mask = (text) => text }: FormatOptions = {}): string {
  return command("error", { title: code, file }, mask(message));
}

function messageOf(report: ScenarioReport): string {
  const { reasons } = reasonsOf(report);
  return reasons.length === 0 ? firstReason(report) || report.outcome : reasons.map(reasonText).join("\n\n");
}

function command(level: "error" | "warning", { title, file }: { readonly title: string; readonly file: string | undefined }, message: string): string {
  const properties = [`title=${property(cutText(visibleLine(title), MAX_TITLE))}`, ...(file === undefined ? [] : [`file=${property(visibleLine(file))}`])];
  return `::${level} ${properties.join(",")}::${data(cutText(visible(message), MAX_MESSAGE))}\n`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
