// Owns a run in one line: its state, its rate with the interval, its cost and time.

import type { StoredRun } from "../../core/store.ts";
import type { Totals } from "../../core/report.ts";
import { wilsonInterval } from "./wilson-interval.ts";
import type { Rate, RunRow, RunState } from "./form.ts";

/** A run that has stored nothing for so long is taken to have stopped: its process may have died without a word. */
const SILENT_MS = 10 * 60_000;

/** How a run stands, in one word. An error of the run itself comes before what its scenarios say. */
export function runState({ head, state, touchedAt }: StoredRun, now: number): RunState {
  if (head === undefined || state === "running") return now - Date.parse(touchedAt) > SILENT_MS ? "incomplete" : "running";
  const { totals, error, verdict } = head;
  if (error !== undefined) return error.code === "cancelled" ? "cancelled" : "errored";
  if (totals.failed > 0) return "failed";
  if (totals.errored > 0) return "errored";
  if (totals.cancelled > 0) return "cancelled";
  if (verdict !== undefined) return verdict;
  if (totals.scored > 0) return "scored";
  return totals.passed > 0 ? "passed" : "skipped";
}

/** Passed of judged scenarios; what errored, was cancelled or skipped is in neither. */
export function rateOf({ passed, scored, failed }: Pick<Totals, "passed" | "scored" | "failed">): Rate | undefined {
  const judged = passed + scored + failed;
  if (judged === 0) return undefined;
  return { passed, judged, rate: passed / judged, interval: wilsonInterval(passed, judged) };
}

/** US dollars of agent and judge together; `undefined` where neither is known. */
export function costOf(usage: { readonly subject?: { readonly cost?: number }; readonly judge?: { readonly cost?: number } } | undefined): number | undefined {
  const { subject, judge } = usage ?? {};
  return subject?.cost === undefined && judge?.cost === undefined ? undefined : (subject?.cost ?? 0) + (judge?.cost ?? 0);
}

export function runRow(run: StoredRun, now: number): Omit<RunRow, "against" | "isBaseline"> {
  const state = runState(run, now);
  const whole = state !== "running" && state !== "incomplete";
  const { invocation, head, plannedTrials: planned, storedTrials: stored } = run;
  const ms = head?.durationMs ?? Math.max(0, (state === "running" ? now : Date.parse(run.touchedAt)) - Date.parse(run.startedAt));
  return {
    id: run.runId,
    n: run.ordinal,
    suite: run.suiteId,
    state,
    at: run.startedAt,
    planned,
    stored,
    rate: whole ? rateOf(run.totals) : undefined,
    branch: invocation.branch,
    dirty: invocation.dirty === true ? true : undefined,
    note: run.note ?? run.variant,
    cost: costOf(head?.usage),
    ms,
    left: state === "running" && stored > 0 ? Math.round((ms / stored) * (planned - stored)) : undefined,
    error: head?.error?.message.slice(0, 200),
  };
}
