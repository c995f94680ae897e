// Owns a stored run in words: what it came to, with nothing left out of the count.

import type { Totals } from "../core/report.ts";
import type { StoredRun } from "../core/store.ts";
import { counted, percent, thousands } from "../report/number-text.ts";
import { isIncomplete, missingTrials, totalsOf } from "./stored-run.ts";

/** `passed`, `failed`, `error`, `incomplete`, `running`. */
export function stateWord(run: StoredRun): string {
  if (run.state === "running") return "not finished";
  if (isIncomplete(run)) return "incomplete";
  const { head, totals } = run;
  if (head?.error !== undefined) return `error: ${head.error.code}`;
  return head?.verdict ?? (head?.passed === true ? "passed" : totals.errored > 0 ? "errored" : "not passed");
}

/** `8 passed, 1 failed, 2 errored (1 hook, 1 judge), 1 cancelled of 12`. */
export function totalsWords(totals: Totals): string {
  const { scenarios, errors } = totals;
  const parts = (["passed", "scored", "failed", "errored", "cancelled", "skipped"] as const).flatMap((outcome) => {
    if (totals[outcome] === 0) return [];
    const stages = outcome === "errored" ? Object.entries(errors).filter(([, n]) => n > 0).map(([stage, n]) => `${n} ${stage}`) : [];
    return [`${thousands(totals[outcome])} ${outcome}${stages.length > 0 ? ` (${stages.join(", ")})` : ""}`];
  });
  return parts.length === 0 ? "no scenario" : `${parts.join(", ")} of ${thousands(scenarios)}`;
}

/** The share that passed of those that could be measured, with how many there were; nothing where none was. */
export function rateWords({ passed, scored, failed }: Totals): string {
  const measured = passed + scored + failed;
  return measured === 0 ? "" : `${percent(passed, measured)} of ${thousands(measured)} measured`;
}

/** What is missing, in a sentence; nothing where the run is whole. */
export function missingWords(run: StoredRun): string {
  const scenarios = Math.max(0, run.plannedScenarios - run.totals.scenarios);
  const trials = missingTrials(run);
  if (run.state === "finished" && scenarios === 0 && trials === 0) return "";
  if (scenarios === 0 && trials === 0) return "every trial is stored, and the end of the run is not";
  const what = [scenarios > 0 ? `${counted(scenarios, "scenario")} of ${thousands(run.plannedScenarios)}` : "", trials > 0 ? `${counted(trials, "trial")} of ${thousands(run.plannedTrials)}` : ""];
  return `missing: ${what.filter((text) => text !== "").join(", ")}`;
}

/** Where its agent came from: branch, the beginning of the commit, and a mark for a work tree that was not clean. */
export function sourceWords({ invocation: { branch, commit, dirty } }: StoredRun): string {
  if (commit === undefined) return branch ?? "";
  return `${branch ?? "detached"}@${commit.slice(0, 7)}${dirty === true ? " dirty" : ""}`;
}

/** A run as JSON has it: the totals are those of all that was planned. */
export function runBody(run: StoredRun): Readonly<Record<string, unknown>> {
  const { ordinal, runId, suiteId, startedAt, state, file, subject, variant, note, selected, invocation, plannedScenarios, plannedTrials, storedTrials, head } = run;
  return {
    ordinal,
    run_id: runId,
    suite_id: suiteId,
    started_at: startedAt,
    state,
    incomplete: isIncomplete(run),
    passed: head?.passed === true && !isIncomplete(run),
    ...(head?.verdict !== undefined && !isIncomplete(run) && { verdict: head.verdict }),
    ...(head?.error !== undefined && { error: head.error }),
    totals: totalsOf(run),
    scenarios: { planned: plannedScenarios, stored: run.totals.scenarios },
    trials: { planned: plannedTrials, stored: storedTrials },
    selected,
    ...(file !== undefined && { file }),
    ...(subject !== undefined && { subject }),
    ...(variant !== undefined && { variant }),
    ...(note !== undefined && { note }),
    invocation: { id: invocation.id, started_at: invocation.startedAt, command: invocation.command, ...(invocation.branch !== undefined && { branch: invocation.branch }), ...(invocation.commit !== undefined && { commit: invocation.commit }), ...(invocation.dirty !== undefined && { dirty: invocation.dirty }) },
  };
}
