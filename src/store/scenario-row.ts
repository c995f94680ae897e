// Owns a scenario in one line, made from its report: what lists show, sort and filter by, whatever keeps it.

import type { Outcome } from "../core/outcome.ts";
import type { ScenarioReport, SplitUsage, TrialCounts } from "../core/report.ts";
import type { PlannedScenario, ScenarioRow } from "../core/store.ts";
import { firstReason } from "../report/reason.ts";
import { stability } from "../stats/flake.ts";

/** What a list says of why a scenario did not pass. */
const REASON_LENGTH = 160;

/** What the trials of a scenario add to its report, where they are known. */
export interface StoredTrials {
  /** In the order of the trials. */
  readonly outcomes: readonly Outcome[];
  /** Of the deciding trial's evidence. */
  readonly toolCalls?: number | undefined;
}

/** The line of a scenario that has not finished. */
export function missingRow({ position, id, tags }: PlannedScenario): ScenarioRow {
  return { position, id, tags, trials: [] };
}

export function scenarioRow(position: number, report: ScenarioReport, trials: StoredTrials | undefined): ScenarioRow {
  const cost = costOf(report);
  const reason = report.outcome === "passed" ? "" : oneLine(firstReason(report));
  const { judgments, turns, result, trialCounts } = report;
  const judged = [...(judgments ?? []), ...(turns ?? []).flatMap((turn) => turn.judgments ?? [])];
  const claims = Math.max(judged.length, (result?.claims?.length ?? 0) + (turns ?? []).reduce((sum, turn) => sum + (turn.claims?.length ?? 0), 0));
  return {
    position,
    id: report.id,
    tags: report.tags ?? [],
    outcome: report.outcome,
    passed: report.passed,
    durationMs: report.durationMs,
    ...(cost !== undefined && { cost }),
    trials: trials?.outcomes ?? report.trials?.map(({ outcome }) => outcome) ?? (report.startedAt === undefined ? [] : [report.outcome]),
    ...(trialCounts !== undefined && { trialCounts }),
    ...(reason !== "" && { reason }),
    ...(claims > 0 && { claims: { held: judged.filter(({ passed }) => passed).length, of: claims } }),
    ...(turns !== undefined && { turns: { held: turns.filter(({ outcome }) => outcome === "passed" || outcome === "scored").length, of: turns.length } }),
    ...(trials?.toolCalls !== undefined && { toolCalls: trials.toolCalls }),
  };
}

/** Counts of the trials of a scenario, from their outcomes alone. */
export function countTrials(outcomes: readonly Outcome[]): TrialCounts {
  const counts = { passed: 0, scored: 0, failed: 0, errored: 0, cancelled: 0 };
  for (const outcome of outcomes) if (outcome !== "skipped") counts[outcome] += 1;
  const measured = counts.passed + counts.scored + counts.failed;
  return { ...counts, ...(measured > 0 && { passRate: counts.passed / measured }), stability: stability(counts.passed, measured) };
}

/** How far the trials that were scored disagree: 0 where all came out alike, 1 where half of them passed. */
export function flakiness(outcomes: readonly Outcome[]): number {
  const scored = outcomes.filter((outcome) => outcome === "passed" || outcome === "scored" || outcome === "failed");
  if (scored.length < 2) return 0;
  const rate = scored.filter((outcome) => outcome === "passed").length / scored.length;
  return 4 * rate * (1 - rate);
}

/** Of all trials; absent where no usage says what it cost. */
function costOf({ usage, trials }: ScenarioReport): number | undefined {
  const each = trials === undefined ? [usage] : trials.map((trial) => trial.usage);
  const known = each.flatMap((split: SplitUsage | undefined) => [split?.subject?.cost, split?.judge?.cost]).filter((cost) => cost !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
}

/** On one line, without control characters, cut between characters. */
function oneLine(text: string): string {
  // A text may be long; only its beginning is looked at.
  const line = text.slice(0, 4 * REASON_LENGTH).replace(/[\s\p{Cc}]+/gu, " ").trim().toWellFormed();
  if (line.length <= REASON_LENGTH) return line;
  const cut = line.slice(0, REASON_LENGTH - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
