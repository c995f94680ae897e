// Owns the CSV form: a row a scenario as RFC 4180 has it, with nothing in it that a spreadsheet would run.

import type { ReportHead, ScenarioReport } from "../../core/report.ts";
import type { ScoreRecord } from "../../core/score.ts";
import { firstReason, reasonsOf } from "../reason.ts";
import { type FormatOptions, joinParts, type ReportParts } from "./parts.ts";
import { cutText, visible } from "./visible.ts";

/** A spreadsheet's cell holds 32,767 characters; what is longer it spreads over its neighbours. */
const MAX_CELL = 32_000;

export const CSV_COLUMNS = [
  "run_id", "suite", "scenario", "tags", "outcome", "passed", "reason", "started_at", "duration_ms", "trials", "trials_passed", "checks", "checks_held", "claims",
  "claims_held", "scores", "error_code", "error_stage", "skip", "known_failure", "agent_input_tokens", "agent_output_tokens", "agent_cost", "judge_cost", "output",
] as const;

type Row = Readonly<Record<(typeof CSV_COLUMNS)[number], string | number | boolean | undefined>>;

/**
 * The run as rows of `CSV_COLUMNS`, lines ended by CRLF. A text that a spreadsheet would take for a formula, whatever invisible characters
 * stand before its sign, begins with an apostrophe; a plain number stays one.
 */
export function csvParts(head: ReportHead, scenarios: Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>, options: FormatOptions = {}): AsyncGenerator<string, void, undefined> {
  return joinParts(csvRun(head, options), scenarios);
}

/** `heading` false for every run of a file but the first. */
export function csvRun(head: ReportHead, { mask = (text) => text }: FormatOptions = {}, heading = true): ReportParts {
  const write = (value: Row[keyof Row]): string => (value === undefined ? "" : typeof value === "string" ? cell(mask(value)) : String(value));
  return {
    opening: () => (heading ? `${CSV_COLUMNS.join(",")}\r\n` : ""),
    scenario(report) {
      const row = rowOf(head, report);
      return `${CSV_COLUMNS.map((column) => write(row[column])).join(",")}\r\n`;
    },
    closing: () => "",
  };
}

function rowOf({ runId, suiteId }: ReportHead, report: ScenarioReport): Row {
  const { reasons, held } = reasonsOf(report);
  const { subject, judge } = report.usage ?? {};
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  const checks = held.checks + reasons.filter(({ kind }) => kind === "check").length;
  const claims = held.claims + reasons.filter(({ kind }) => kind === "claim").length;
  return {
    run_id: runId,
    suite: suiteId,
    scenario: report.id,
    tags: report.tags?.join(" "),
    outcome: report.outcome,
    passed: report.passed,
    reason: firstReason(report),
    started_at: report.startedAt,
    duration_ms: report.durationMs,
    trials: report.trials?.length,
    trials_passed: report.trialCounts?.passed,
    checks: some(checks),
    checks_held: checks === 0 ? undefined : held.checks,
    claims: some(claims),
    claims_held: claims === 0 ? undefined : held.claims,
    scores: [...(report.scores ?? []), ...(report.turns ?? []).flatMap((turn) => turn.scores ?? [])].map(scoreText).join("; "),
    error_code: report.error?.code,
    error_stage: report.error?.stage,
    skip: report.skip,
    known_failure: report.knownFailure,
    agent_input_tokens: subject?.inputTokens,
    agent_output_tokens: subject?.outputTokens,
    agent_cost: subject?.cost,
    judge_cost: judge?.cost,
    output: report.result?.output,
  };
}

function scoreText({ id, turn, score, passed }: ScoreRecord): string {
  return `${turn === undefined ? "" : `turn ${turn + 1}: `}${id}=${score ?? "none"}${passed === undefined ? "" : passed ? " (held)" : " (missed)"}`;
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** What no reader sees, and what a spreadsheet passes over before it looks for a formula. */
const LEADING = /^[\p{C}\p{Z}\p{Mn}\u115f\u1160\u2800\u3164\uffa0]+/u;
/** A tab or a carriage return in front counts by itself: some spreadsheets drop it, and run the rest. */
const FORMULA = /^[\t\r]|^[=+\-@\u2212]/;

/** True for what a spreadsheet may run: full-width signs are read like their plain ones. */
function runs(text: string): boolean {
  const first = text.replace(LEADING, "").slice(0, 1).normalize("NFKC");
  return FORMULA.test(text) || FORMULA.test(first);
}

/** One cell: harmless, readable, quoted where it must be. */
export function cell(text: string): string {
  // The carriage return of a text is kept: within quotes it is one like any other.
  const readable = text.split("\r").map(visible).join("\r");
  const cut = cutText(readable, MAX_CELL);
  const safe = NUMBER.test(cut) || !runs(text) ? cut : `'${cut}`;
  return /[",\r\n\t;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
