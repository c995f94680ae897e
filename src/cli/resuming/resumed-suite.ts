// Owns one run that goes on: what of it holds, in words and for the runner, and how the store makes it running again.

import type { ReportHead, Warning } from "../../core/report.ts";
import type { Judge } from "../../core/judge.ts";
import type { Store, StoredRun } from "../../core/store.ts";
import type { Scenario } from "../../core/suite.ts";
import type { Variant } from "../../core/variant.ts";
import { counted, thousands } from "../../report/number-text.ts";
import { readIdentity } from "../../run/judge-identity.ts";
import type { StoredTrial } from "../../run/plan.ts";
import { OF_RESULTS, plannedScenario } from "../../run/record-run.ts";
import { positionAndTrial } from "../../store/cell.ts";
import type { EarlierRun } from "../run-suites.ts";
import { readStoredCells, type StoredCells } from "./stored-cells.ts";

export interface ResumeOptions {
  readonly run: StoredRun;
  readonly store: Store;
  /** Those that are selected now. */
  readonly scenarios: readonly Scenario[];
  /** What a flag or the eval file asks for, over what scenarios declare. */
  readonly trials: number | undefined;
  readonly variant: Variant | undefined;
  /** Of the agent as it is now. */
  readonly subject: string;
  readonly judge: Judge | undefined;
  readonly now: number;
}

export interface ResumedSuite {
  readonly earlier: EarlierRun;
  readonly said: string;
  readonly elapsedMs: number;
}

/** Whether it was made of the same commit: all that is known of a run whose process died before its subject was found out. */
const sameCommit = (run: StoredRun, subject: string): boolean => run.invocation.commit !== undefined && subject.startsWith(run.invocation.commit);

export async function resumeSuite({ run, store, scenarios, trials, variant, subject, judge, now }: ResumeOptions): Promise<ResumedSuite> {
  const { runId, suiteId } = run;
  const planned = scenarios.map((scenario, position) => plannedScenario(scenario, position, trials));
  const unknown = run.subject === undefined;
  const cells = await readStoredCells(run, store, { suiteId, variant: variant?.name, subject, scenarios: planned }, unknown && sameCommit(run, subject) ? subject : run.subject);
  const elapsedMs = await elapsed(run, store, now);
  // What was said of a scenario that is taken as it is; what is counted over all of them is counted anew.
  const finished = new Set(scenarios.map(({ id }) => id));
  for (const position of cells.unfinished) finished.delete((await store.plannedScenario(runId, position))?.id ?? "");
  const warnings: Warning[] = (await warningsOf(runId, store)).filter(({ code, scenario }) => (scenario === undefined ? cells.kept.size > 0 && OF_RESULTS.has(code) : finished.has(scenario) && !COUNTED.has(code)));
  const fingerprint = judge === undefined ? undefined : readIdentity(judge).fingerprint;
  if (cells.kept.size > 0 && run.judge !== undefined && fingerprint !== run.judge && !warnings.some(({ code }) => code === "judge_changed")) {
    warnings.push({ code: "judge_changed", message: `the judge is another one than that of the ${counted(cells.kept.size, "stored result")}: npx entail rejudge #${run.ordinal} judges all of them by the one of now` });
  }
  const taken = async (id: string, position: number, trial: number): Promise<StoredTrial | undefined> => {
    const report = await store.trial({ runId: id, position, trial });
    return report && { report };
  };
  return {
    said: wordsOf(run, cells),
    elapsedMs,
    earlier: {
      stored: (position, _id, trial) => (cells.kept.has(positionAndTrial(position, trial)) ? taken(runId, position, trial) : undefined),
      subject,
      selected: run.selected,
      resumed: {
        runId,
        ordinal: run.ordinal,
        startedBefore: { at: run.startedAt, durationMs: elapsedMs, warnings },
        reopening: (manifest) => ({ stale: cells.stale, unfinished: cells.unfinished, ...((cells.replanned || run.subject !== subject) && { manifest: { ...manifest, ...(run.note !== undefined && { note: run.note }) } }) }),
        before: (position) => store.scenario(runId, position),
      },
    },
  };
}

/** As they were stored when they were said: a head has them with how often. */
async function warningsOf(runId: string, store: Store): Promise<readonly Warning[]> {
  const bodies = (await store.events(runId)).flatMap(({ type, body }) => (type === "warning" ? [body as Partial<Warning> | null] : []));
  return bodies.flatMap((body) => (typeof body?.code === "string" && typeof body.message === "string" ? [body as Warning] : []));
}

const COUNTED = new Set(["nothing_required", "known_failure_passed", "reporter_failed"]);

/** How long it has run, without the time between its processes. */
async function elapsed({ runId, head, startedAt, touchedAt }: Pick<StoredRun, "runId" | "startedAt" | "touchedAt"> & { readonly head?: ReportHead | undefined }, store: Store, now: number): Promise<number> {
  if (head !== undefined) return head.durationMs;
  const last = (await store.events(runId)).findLast(({ type }) => type === "resumed");
  const before = (last?.body as { readonly elapsedMs?: unknown } | undefined)?.elapsedMs;
  const since = Math.max(0, Math.min(Date.parse(touchedAt), now) - Date.parse(last?.at ?? startedAt));
  return (typeof before === "number" ? before : 0) + (Number.isFinite(since) ? since : 0);
}

function wordsOf({ ordinal, suiteId }: StoredRun, { kept, toRun, gone }: StoredCells): string {
  const left = [...toRun.values()].reduce((sum, n) => sum + n, 0);
  const why = [...toRun].map(([reason, n]) => `${thousands(n)} ${reason}`).join(", ");
  const taken = `${counted(kept.size, "result")} taken as ${kept.size === 1 ? "it is" : "they are"}`;
  const what = left === 0 ? "every trial is stored, and its end is not" : `${counted(left, "trial")} to run (${why})`;
  return `run #${ordinal} of ${suiteId} goes on: ${taken}, ${what}${gone.length === 0 ? "" : `; gone from the suite, with what was stored: ${gone.slice(0, 5).join(", ")}${gone.length > 5 ? ` and ${gone.length - 5} more` : ""}`}`;
}
