// Owns one trial: its attempts, the waits between them, and its report.

import { freezeDeep } from "../core/freeze-deep.ts";
import type { Evidence } from "../core/evidence.ts";
import type { TrialReport } from "../core/report.ts";
import type { Scenario } from "../core/suite.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { backoffMs } from "./retry.ts";
import { type AttemptEnd, runAttempt, type Tries } from "./run-attempt.ts";
import { type RunContext, timestamp } from "./run-context.ts";
import { judgeUsage, splitUsage, subjectUsage } from "./spent.ts";

export interface TrialEnd {
  readonly report: TrialReport;
  readonly evidence: Evidence | undefined;
}

/** What is kept of the text that user code wrote to standard output. */
const MAX_STDOUT = 16_384;

/**
 * Runs `scenario` until an attempt is not errored, cannot be mended by another, or the retries are used up. What an abandoned hook
 * still does would mix with another attempt, so there is none while it runs. It never rejects.
 */
export async function runTrial(run: RunContext, scenario: Scenario, trial: number, startedAt: string): Promise<TrialEnd> {
  let stdout = "";
  let ended = false;
  const tries: Tries = {
    trial,
    retries: run.plan.retries ?? 0,
    attempt: 1,
    earlier: [],
    judging: [],
    judgeCalls: 0,
    scoring: undefined,
    print(text) {
      if (!ended && stdout.length < MAX_STDOUT) stdout = (stdout + text).slice(0, MAX_STDOUT);
    },
  };
  let subject: Usage | undefined;
  for (;;) {
    const end = await runAttempt(run, scenario, tries, tries.attempt === 1 ? startedAt : timestamp(run.clock));
    subject = addUsage(subject, subjectUsage(end.result, end.evidence));
    if (!(await worthAnother(run, tries, end))) {
      ended = true;
      return { report: trialReport(tries, end, splitUsage(subject, addUsage(judgeUsage(tries.judging), tries.scoring)), stdout), evidence: end.evidence };
    }
    if ("error" in end) tries.earlier.push({ attempt: tries.attempt, startedAt: end.startedAt, durationMs: end.durationMs, error: end.error });
    tries.attempt += 1;
  }
}

async function worthAnother({ clock, cancellation }: RunContext, tries: Tries, end: AttemptEnd): Promise<boolean> {
  if (end.outcome !== "errored" || !end.mayRetry || tries.attempt > tries.retries || cancellation.aborted()) return false;
  const over = new AbortController();
  const wake = { cancel: (): void => over.abort() };
  cancellation.join(wake);
  await clock.sleep(backoffMs(tries.attempt), over.signal);
  cancellation.leave(wake);
  return !cancellation.aborted() && end.running() === 0;
}

function trialReport(tries: Tries, end: AttemptEnd, usage: TrialReport["usage"], stdout: string): TrialReport {
  const common = {
    trial: tries.trial,
    startedAt: end.startedAt,
    durationMs: end.durationMs,
    ...(tries.judging.length > 0 && { judging: tries.judging }),
    ...(end.scores !== undefined && end.scores.length > 0 && { scores: end.scores }),
    ...(end.turns !== undefined && end.turns.length > 0 && { turns: end.turns }),
    ...(usage !== undefined && { usage }),
    ...(tries.earlier.length > 0 && { attempts: tries.earlier }),
    ...(stdout !== "" && { stdout }),
  };
  if ("error" in end) {
    return freezeDeep({ ...common, outcome: end.outcome, ...(end.result !== undefined && { result: end.result }), error: end.error });
  }
  return freezeDeep({ ...common, outcome: end.outcome, result: end.result, ...(end.judgments.length > 0 && { judgments: end.judgments }) });
}
