// Owns the form in which reports lie in a row: what is small and asked for stands in the row, what is large in a blob, and a scenario does
// not repeat what its trial says.

import type { ScenarioReport, TrialReport } from "../core/report.ts";
import { jsonText } from "./json-text.ts";

/** Longer texts go into a blob, but for scores and judgments, by which one searches. */
const ROW_LENGTH = 8 * 1024;

export interface SplitText {
  readonly body: string;
  /** The members that the body leaves out. */
  readonly rest?: string | undefined;
}

const HEAVY = ["result", "judging", "turns", "attempts", "stdout"] as const;

export function splitTrial(report: TrialReport): SplitText {
  const whole = jsonText(report);
  if (whole.length <= ROW_LENGTH) return { body: whole };
  const light: Record<string, unknown> = { ...report };
  const heavy: Record<string, unknown> = {};
  for (const member of HEAVY) {
    if (!Object.hasOwn(light, member)) continue;
    heavy[member] = light[member];
    delete light[member];
  }
  return { body: jsonText(light), rest: jsonText(heavy) };
}

export function joinTrial(body: string, rest: string | undefined): TrialReport {
  const light = JSON.parse(body) as TrialReport;
  return rest === undefined ? light : ({ ...light, ...(JSON.parse(rest) as Partial<TrialReport>) } as TrialReport);
}

/** What stands in the columns of a scenario's row. */
const COLUMNS = new Set(["id", "tags", "outcome", "passed", "durationMs"]);

export interface CompactScenario {
  /** The trial whose members the report has; absent where the body holds all. */
  readonly deciding?: number | undefined;
  /** What the report has beside that trial and the columns; `trials: true` stands for all stored trials. */
  readonly body?: string | undefined;
}

/** `trials` are those that were stored of it, as they were handed over: what the report shares with one of them is the very same value. */
export function compactScenario(report: ScenarioReport, trials: readonly TrialReport[]): CompactScenario {
  const deciding = trials.find((trial) => Object.entries(trial).every(([member, value]) => member === "trial" || COLUMNS.has(member) || report[member as keyof ScenarioReport] === value));
  if (deciding === undefined) return { body: jsonText(report) };
  const beside: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(report)) {
    if (COLUMNS.has(member) || deciding[member as keyof TrialReport] === value) continue;
    if (member === "trials" && sameTrials(value as readonly TrialReport[], trials)) beside["trials"] = true;
    else beside[member] = value;
  }
  return { deciding: deciding.trial, ...(Object.keys(beside).length > 0 && { body: jsonText(beside) }) };
}

function sameTrials(given: readonly TrialReport[], stored: readonly TrialReport[]): boolean {
  return given.length === stored.length && given.every((trial, at) => trial === stored[at]);
}

export interface ScenarioColumns {
  readonly id: string;
  readonly tags: readonly string[];
  readonly outcome: string;
  readonly passed: boolean;
  readonly durationMs: number;
}

/** The report again. `trials` gives all stored trials, and is called only where the report has them. */
export function joinScenario(columns: ScenarioColumns, body: string | undefined, deciding: TrialReport, trials: () => readonly TrialReport[]): ScenarioReport {
  const { trial: _trial, ...members } = deciding;
  const beside = body === undefined ? {} : (JSON.parse(body) as Record<string, unknown>);
  const { id, tags, outcome, passed, durationMs } = columns;
  return { id, ...(tags.length > 0 && { tags }), ...members, outcome, passed, durationMs, ...beside, ...(beside["trials"] === true && { trials: trials() }) } as ScenarioReport;
}
