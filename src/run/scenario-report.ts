// Owns what a scenario comes to over its trials, and its report.

import { wholeNanoseconds } from "../core/duration.ts";
import { freezeDeep } from "../core/freeze-deep.ts";
import type { ReportError, ScenarioReport, TrialCounts, TrialReport, TrialStop } from "../core/report.ts";
import { meetsThreshold } from "../core/score.ts";
import type { Scenario } from "../core/suite.ts";
import { stability } from "../stats/flake.ts";

type Counts = Omit<TrialCounts, "passRate" | "stability" | "stopped">;
type TrialsOutcome = "passed" | "scored" | "failed" | "errored" | "cancelled";

/** `trials` in their order, all that were asked for, those that never began too; fewer only where `stopped` says why. */
export function scenarioReport(scenario: Scenario, trials: readonly TrialReport[], strict: boolean, stopped?: TrialStop): ScenarioReport {
  const counts = countTrials(trials);
  const outcome = trialsOutcome(counts, scenario.require?.passRate ?? 1);
  const { trial: _trial, ...members } = decidingTrial(trials, outcome);
  const several = trials.length > 1 || stopped !== undefined;
  // It began, though the trial that decides may not have.
  const startedAt = members.startedAt ?? trials.find((trial) => trial.startedAt !== undefined)?.startedAt;
  return freezeDeep({
    ...named(scenario),
    ...members,
    ...(startedAt !== undefined && { startedAt }),
    outcome,
    passed: outcome === "passed" || (outcome === "scored" && !strict),
    ...(several && { durationMs: wholeNanoseconds(trials.reduce((sum, trial) => sum + trial.durationMs, 0)), trials, trialCounts: { ...counts, ...passRate(counts), stability: stability(counts.passed, counts.passed + counts.scored + counts.failed), ...(stopped !== undefined && { stopped }) } }),
  } as ScenarioReport);
}

/** Of a scenario that did not begin: cancelled, or errored with its whole suite. */
export function unstartedReport(scenario: Scenario, outcome: "cancelled" | "errored", error: ReportError): ScenarioReport {
  return freezeDeep({ ...named(scenario), outcome, passed: false, durationMs: 0, error });
}

/** Of a scenario that was not to run: its author says so, or the judge cannot be trusted. */
export function skippedReport(scenario: Scenario, error: ReportError): ScenarioReport {
  return freezeDeep({ ...named(scenario), outcome: "skipped", passed: false, durationMs: 0, error });
}

/** Of a trial that never began. */
export function unstartedTrial(trial: number, error: ReportError): TrialReport {
  return freezeDeep({ trial, outcome: "cancelled", durationMs: 0, error });
}

/** A scenario's report with a fault of the tear-down that came after it. */
export function withTeardownError(report: ScenarioReport, error: ReportError): ScenarioReport {
  const { judgments: _judgments, error: _error, ...rest } = report;
  return freezeDeep({ ...rest, outcome: "errored", passed: false, error });
}

function named({ id, tags, skip, knownFailure }: Scenario): Pick<ScenarioReport, "id" | "tags" | "skip" | "knownFailure"> {
  return { id, ...(tags.length > 0 && { tags: [...tags] }), ...(skip !== undefined && { skip }), ...(knownFailure !== undefined && { knownFailure }) };
}

function countTrials(trials: readonly TrialReport[]): Counts {
  const counts = { passed: 0, scored: 0, failed: 0, errored: 0, cancelled: 0 };
  for (const { outcome } of trials) {
    if (outcome !== "skipped") counts[outcome] += 1;
  }
  return counts;
}

function passRate({ passed, scored, failed }: Counts): Pick<TrialCounts, "passRate"> {
  const measured = passed + scored + failed;
  return measured === 0 ? {} : { passRate: passed / measured };
}

/**
 * `passed` where enough of the trials that could be measured passed, `scored` where enough did or missed a threshold only. Those that
 * could not be measured decide nothing: where it would matter how they had come out, the scenario is `cancelled` or `errored` like them.
 */
export function trialsOutcome(counts: Counts, requiredRate: number): TrialsOutcome {
  const { passed, scored, failed, errored, cancelled } = counts;
  const unknown = errored + cancelled;
  const measured = passed + scored + failed;
  const unmeasured = cancelled > 0 ? "cancelled" : "errored";
  if (measured === 0) return unmeasured;
  const total = measured + unknown;
  const worst = outcomeAt(passed, scored, total, requiredRate);
  const best = outcomeAt(passed + unknown, scored, total, requiredRate);
  return worst === best ? worst : unmeasured;
}

function outcomeAt(passed: number, scored: number, total: number, requiredRate: number): "passed" | "scored" | "failed" {
  if (meetsThreshold(passed / total, requiredRate)) return "passed";
  return meetsThreshold((passed + scored) / total, requiredRate) ? "scored" : "failed";
}

/** The first that did not pass, else the first: among those that have the members of such an outcome. */
function decidingTrial(trials: readonly TrialReport[], outcome: TrialsOutcome): TrialReport {
  const unmeasured = outcome === "errored" || outcome === "cancelled";
  const fitting = trials.filter((trial) => (unmeasured ? trial.outcome === outcome : trial.outcome === "passed" || trial.outcome === "scored" || trial.outcome === "failed"));
  const deciding = fitting.find((trial) => trial.outcome !== "passed") ?? fitting[0];
  if (deciding === undefined) throw new Error("a scenario has no trial with its own outcome");
  return deciding;
}
