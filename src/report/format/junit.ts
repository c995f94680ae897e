// Owns the JUnit form: the XML that continuous integration reads. It has a failure or an error in it exactly when the run did not pass.

import { EntailError } from "../../core/error.ts";
import type { ReportHead, ScenarioReport, Totals } from "../../core/report.ts";
import { firstReason, reasonsOf, reasonText } from "../reason.ts";
import { missesFail } from "../summary.ts";
import { type FileProblem, type FormatOptions, joinParts, type ReportParts } from "./parts.ts";
import { cutText, visible, visibleLine } from "./visible.ts";

/** Characters of one message, and of one failure's text: readers of this form hold it whole. */
const MAX_MESSAGE = 500;
const MAX_TEXT = 20_000;

/** What its reader counts: a scenario is at most one of these. */
interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

/** One suite as a whole document. Throws `report_unreadable` where the scenarios are not those that the head counted. */
export function junitParts(head: ReportHead, scenarios: Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>, options: FormatOptions = {}): AsyncGenerator<string, void, undefined> {
  const suite = junitSuite(head, options);
  return joinParts({ opening: () => junitOpening([head]) + suite.opening(), scenario: (report) => suite.scenario(report), closing: () => suite.closing() + JUNIT_END }, scenarios);
}

/** What stands before the suites of a document. */
export function junitOpening(heads: readonly ReportHead[], problems: readonly FileProblem[] = []): string {
  const all = heads.map(countsOf);
  const sum = (member: keyof Counts): number => all.reduce((total, counts) => total + counts[member], 0);
  const time = heads.reduce((most, { durationMs }) => Math.max(most, durationMs), 0);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="entail" tests="${sum("tests") + problems.length}" failures="${sum("failures")}" errors="${sum("errors") + problems.length}" time="${seconds(time)}">\n`;
}

export const JUNIT_END = "</testsuites>\n";

/** The files that could not be run, as a suite of their own; nothing where there are none. */
export function junitProblems(problems: readonly FileProblem[], { mask = same }: FormatOptions = {}): string {
  if (problems.length === 0) return "";
  const cases = problems.map(({ code, message, file = "" }) => testcase("files", mask(file), 0, element("error", mask(message), code, mask(message))));
  return `  <testsuite name="files" tests="${problems.length}" failures="0" errors="${problems.length}" skipped="0" time="0">\n${cases.join("")}  </testsuite>\n`;
}

/** One suite of a document. */
export function junitSuite(head: ReportHead, { mask = same }: FormatOptions = {}): ReportParts {
  const counts = countsOf(head);
  const suiteId = mask(head.suiteId);
  const seen = { tests: 0, failures: 0, errors: 0, skipped: 0 };
  const add = (kind: Exclude<keyof Counts, "tests"> | undefined): void => {
    seen.tests += 1;
    if (kind !== undefined) seen[kind] += 1;
  };
  return {
    opening() {
      const attributes = `tests="${counts.tests}" failures="${counts.failures}" errors="${counts.errors}" skipped="${counts.skipped}" time="${seconds(head.durationMs)}" timestamp="${attribute(head.startedAt)}"`;
      const properties = propertiesOf(head).map(([name, value]) => `      <property name="${name}" value="${attribute(mask(value))}"/>\n`);
      const whole = suiteError(head);
      if (whole !== undefined) add("errors");
      const suiteCase = whole === undefined ? "" : testcase(suiteId, "(suite)", 0, element("error", mask(whole.message), whole.code, mask(whole.message)));
      return `  <testsuite name="${attribute(suiteId)}" ${attributes}>\n    <properties>\n${properties.join("")}    </properties>\n${suiteCase}`;
    },
    scenario(report) {
      const kind = kindOf(report, missesFail(head));
      add(kind);
      return testcase(suiteId, mask(report.id), report.durationMs, kind === undefined ? "" : trouble(report, kind, mask));
    },
    closing() {
      const wrong = (Object.keys(seen) as (keyof Counts)[]).find((member) => seen[member] !== counts[member]);
      if (wrong !== undefined) throw new EntailError("report_unreadable", `the report of the suite ${JSON.stringify(head.suiteId)} cannot be written as JUnit: its totals come to ${counts[wrong]} ${wrong} and its scenarios to ${seen[wrong]}`);
      return "  </testsuite>\n";
    },
  };
}

/** Errored and cancelled are errors: nothing that was not measured looks like a pass. A missed threshold is a failure where it failed a strict run. */
function kindOf({ outcome }: ScenarioReport, missed: boolean): "failures" | "errors" | "skipped" | undefined {
  switch (outcome) {
    case "failed":
      return "failures";
    case "scored":
      return missed ? "failures" : undefined;
    case "errored":
    case "cancelled":
      return "errors";
    case "skipped":
      return "skipped";
    case "passed":
      return undefined;
    default:
      return outcome satisfies never;
  }
}

function troublesOf({ failed, scored, errored, cancelled }: Totals, missed: boolean): { readonly failures: number; readonly errors: number } {
  return { failures: failed + (missed ? scored : 0), errors: errored + cancelled };
}

/** What is wrong with the suite itself, or that nothing in it shows why it did not pass. It stands as a test case of its own. */
function suiteError(head: ReportHead): { readonly code: string; readonly message: string } | undefined {
  const { error, passed, totals } = head;
  if (error !== undefined) return error;
  const { failures, errors } = troublesOf(totals, missesFail(head));
  return passed || failures + errors > 0 ? undefined : { code: "not_passed", message: totals.skipped === totals.scenarios ? "no scenario ran" : "the run did not pass" };
}

function countsOf(head: ReportHead): Counts {
  const { failures, errors } = troublesOf(head.totals, missesFail(head));
  const own = suiteError(head) === undefined ? 0 : 1;
  return { tests: head.totals.scenarios + own, failures, errors: errors + own, skipped: head.totals.skipped };
}

function propertiesOf(head: ReportHead): readonly (readonly [string, string])[] {
  const { runId, verdict, judge, totals } = head;
  const scored = totals.scored > 0 ? String(totals.scored) : undefined;
  const all = [["run_id", runId], ["passed", String(head.passed)], ["verdict", verdict], ["scored", scored], ["judge_model", judge?.model], ["judge_fingerprint", judge?.fingerprint]] as const;
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function trouble(report: ScenarioReport, kind: "failures" | "errors" | "skipped", mask: (text: string) => string): string {
  const message = mask(firstReason(report) || report.outcome);
  if (kind === "skipped") return `      <skipped message="${attribute(cutText(visibleLine(message), MAX_MESSAGE))}"/>\n`;
  const { reasons } = reasonsOf(report);
  const known = report.knownFailure === undefined ? [] : [`known to fail: ${report.knownFailure}`];
  const type = kind === "errors" ? (report.error?.code ?? report.outcome) : report.outcome === "scored" ? "threshold" : (reasons[0]?.kind ?? "trials");
  return element(kind === "errors" ? "error" : "failure", message, type, mask([...known, ...trialWords(report), ...reasons.map(reasonText)].join("\n\n")));
}

function trialWords({ trials, trialCounts }: ScenarioReport): readonly string[] {
  return trials === undefined || trialCounts === undefined ? [] : [`${trialCounts.passed} of ${trials.length} trials passed`];
}

function testcase(suiteId: string, name: string, durationMs: number, body: string): string {
  const start = `    <testcase name="${attribute(name)}" classname="${attribute(suiteId)}" time="${seconds(durationMs)}"`;
  return body === "" ? `${start}/>\n` : `${start}>\n${body}    </testcase>\n`;
}

function element(name: "error" | "failure", message: string, type: string, text: string): string {
  return `      <${name} message="${attribute(cutText(visibleLine(message), MAX_MESSAGE))}" type="${attribute(type)}">${content(cutText(text, MAX_TEXT))}</${name}>\n`;
}

const same = (text: string): string => text;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;" };

/** A reader of XML makes blanks of white space in an attribute unless it is written as a reference. */
function attribute(text: string): string {
  return visible(text).replace(/[&<>"\t\n]/g, (char) => ENTITIES[char] ?? char);
}

function content(text: string): string {
  return visible(text).replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
