// Owns one attempt of a trial: set-up, hook, scoring, judging and tear-down, each fault classified by where it happened.

import type { HookContext } from "../core/context.ts";
import { withinTrial, type CurrentTrial } from "../core/current-trial.ts";
import { formatDuration, wholeNanoseconds } from "../core/duration.ts";
import type { Stage } from "../core/error.ts";
import type { Evidence } from "../core/evidence.ts";
import type { Judge, JudgeAttempt } from "../core/judge.ts";
import { type ReadResult, readResult } from "../core/read-result.ts";
import type { AttemptReport, ReportError, ReportJudgment, ReportResult } from "../core/report.ts";
import type { Scope } from "../core/scope.ts";
import type { ScoreRecord } from "../core/score.ts";
import type { Scenario } from "../core/suite.ts";
import { createAttachments } from "./attachments.ts";
import { describeError, memberOf } from "./describe-error.ts";
import { emptyOutputJudgments, grade, scoreRecords } from "./grade.ts";
import { judgeResult } from "./judge-result.ts";
import { createLimit, type Cut, GRACE_MS, type Settled } from "./limit.ts";
import type { AttemptContext } from "./plan.ts";
import { backoffMs, mayPass } from "./retry.ts";
import { type RunContext, timestamp } from "./run-context.ts";

/** What the attempts of one trial share. */
export interface Tries {
  readonly trial: number;
  readonly retries: number;
  /** The attempt that goes on; counts from 1. */
  attempt: number;
  /** The errored ones before it. */
  readonly earlier: AttemptReport[];
  readonly judging: JudgeAttempt[];
  /** Equal requests to the judge so far. */
  judgeCalls: number;
  readonly print: (text: string) => void;
}

interface Kept {
  readonly result?: ReportResult;
  readonly evidence?: Evidence;
}

/** It ran to its end. */
interface Completed extends Kept {
  readonly outcome: "passed" | "scored" | "failed";
  readonly result: ReportResult;
  readonly judgments: readonly ReportJudgment[];
  readonly scores: readonly ScoreRecord[];
  /** False where nothing was required of it. */
  readonly required: boolean;
}

/** It could not be measured, or was stopped. */
interface Broken extends Kept {
  readonly outcome: "errored" | "cancelled";
  readonly error: ReportError;
  readonly scores?: readonly ScoreRecord[];
  /** Whether the whole attempt, hook and all, may be tried again. */
  readonly mayRetry: boolean;
}

type Measured = Completed | Broken;

export type AttemptEnd = Measured & {
  readonly startedAt: string;
  readonly durationMs: number;
  /** Calls of it that ignored their signal and have not come back. */
  readonly running: () => number;
};

/** Runs `scenario` once. It never rejects. */
export async function runAttempt(run: RunContext, scenario: Scenario, tries: Tries, startedAt: string): Promise<AttemptEnd> {
  const { clock, alarm, cancellation, plan, onRunning } = run;
  const { beforeEach, afterEach } = plan.lifecycle ?? {};
  const timeoutMs = plan.timeoutMs ?? scenario.timeoutMs;
  const started = clock.elapsed();
  const limit = createLimit({ clock, alarm, ms: timeoutMs, message: `scenario ${JSON.stringify(scenario.id)} did not end within ${formatDuration(timeoutMs)}`, onRunning });
  const attachments = createAttachments();
  const scope: Scope = Object.freeze({ suite: plan.suite.id, scenario: scenario.id, trial: tries.trial, purpose: "subject", ordinal: 0 });
  const ctx: AttemptContext = { signal: limit.signal, suite: plan.suite.id, scenario: scenario.id, trial: tries.trial, attempt: tries.attempt, scope };
  const current: CurrentTrial = { scope, pause: limit.pause, print: tries.print, warn: (code, message) => run.warnings.say(code, message, scenario.id) };
  const within = <Value>(call: () => Value | PromiseLike<Value>): Promise<Settled<Value>> => limit.within(() => withinTrial(current, call));
  let attempt = tries.attempt;
  let attemptStartedAt = startedAt;
  let attemptStarted = started;
  let waitedMs = 0;

  const broken = (error: ReportError, mayRetry: boolean, kept: Kept = attachments.kept()): Broken => ({ outcome: "errored", error, mayRetry, ...kept });

  const stopped = (cut: Cut, stage: Stage, kept: Kept = attachments.kept()): Broken => {
    if (cut.kind === "cancelled") return { outcome: "cancelled", error: { code: cut.stop.code, stage, message: cut.stop.message }, mayRetry: false, ...kept };
    const what = { setup: "beforeEach", hook: "the hook", judge: "the judge" }[stage as string] ?? stage;
    // The judge had what the hook left: another judging would have nothing, and another hook would repeat what has succeeded.
    return broken({ code: "deadline_exceeded", stage, message: `${what} did not end within the scenario's ${formatDuration(timeoutMs)}` }, stage !== "judge", kept);
  };

  async function measure(): Promise<Measured> {
    if (beforeEach !== undefined) {
      const setUp = await within(() => beforeEach(ctx));
      const cut = limit.cut();
      if (cut !== undefined) return stopped(cut, "setup");
      if (setUp.kind === "threw") return broken(describeError(setUp.thrown, "setup", "setup_failed", "beforeEach: "), mayPass(setUp.thrown));
    }
    const hookContext: HookContext = { ...ctx, attach: attachments.attach };
    const hook = await within(() => scenario.run(hookContext));
    if (hook.kind === "threw") attachThrown(hook.thrown);
    const cut = limit.cut();
    if (cut !== undefined) return stopped(cut, "hook");
    if (hook.kind === "threw") return broken(describeError(hook.thrown, "hook", "hook_threw"), mayPass(hook.thrown));
    let read: ReadResult;
    try {
      read = attachments.completed(readResult(hook.kind === "returned" ? hook.value : undefined));
    } catch (thrown) {
      return broken(describeError(thrown, "result", "result_unreadable"), false);
    }
    return judged(read);
  }

  /** Evidence that hangs on what was thrown is the last word on what the agent did. */
  function attachThrown(thrown: unknown): void {
    const evidence = memberOf(thrown, "evidence");
    if (evidence === undefined) return;
    try {
      attachments.attach({ evidence });
    } catch {
      // No evidence: what was thrown is told all the same.
    }
  }

  async function judged(read: ReadResult): Promise<Measured> {
    const { result } = read;
    const { claims = [], output, reference = "" } = result;
    if (claims.length === 0) return completed(read, []);
    if (plan.judge === undefined) {
      return broken({ code: "judge_required", stage: "judge", message: "the hook returned claims, and the run has no judge: give it one, or return checks alone" }, false, read);
    }
    if (output === undefined) return completed(read, emptyOutputJudgments(claims));
    for (;;) {
      const answer = await askJudge(plan.judge, { output, claims, reference });
      const cut = limit.cut();
      if (cut !== undefined) return stopped(cut, "judge", read);
      if (answer.kind === "judged") return completed(read, answer.judgments);
      const thrown = answer.kind === "threw" ? answer.thrown : undefined;
      const error = describeError(thrown, "judge", "judge_failed");
      if (attempt > tries.retries || !mayPass(thrown)) return broken(error, false, read);
      await nextTry(error);
      const cutMeanwhile = limit.cut();
      if (cutMeanwhile !== undefined) return stopped(cutMeanwhile, "judge", read);
    }
  }

  function askJudge(judge: Judge, { output, claims, reference }: { readonly output: string; readonly claims: NonNullable<ReportResult["claims"]>; readonly reference: string }): ReturnType<typeof judgeResult> {
    const judgeScope: Scope = { ...scope, purpose: "judge", ordinal: tries.judgeCalls++ };
    return judgeResult({ judge, output, claims, reference, signal: limit.signal, scope: judgeScope, within, record: (record) => tries.judging.push(record) });
  }

  /** Only the judging is repeated; the wait before it is not the scenario's. */
  async function nextTry(error: ReportError): Promise<void> {
    tries.earlier.push({ attempt, startedAt: attemptStartedAt, durationMs: wholeNanoseconds(Math.max(0, clock.elapsed() - attemptStarted)), error });
    const goOn = limit.pause();
    const waitStarted = clock.elapsed();
    await clock.sleep(backoffMs(attempt), limit.signal);
    waitedMs += clock.elapsed() - waitStarted;
    goOn();
    attempt = ++tries.attempt;
    attemptStartedAt = timestamp(clock);
    attemptStarted = clock.elapsed();
  }

  function completed(read: ReadResult, judgments: readonly ReportJudgment[]): Completed {
    const scores = scoreRecords(read.result.scores ?? []);
    return { ...grade(read.result, judgments, scores), ...read, judgments, scores };
  }

  cancellation.join(limit);
  const measured = await measure();
  const durationMs = wholeNanoseconds(Math.max(0, clock.elapsed() - started - waitedMs));
  limit.close();
  cancellation.leave(limit);
  attachments.close();
  const torndown = afterEach === undefined ? measured : await tearDown(measured);
  return { ...torndown, startedAt, durationMs, running: limit.running };

  async function tearDown(before: Measured): Promise<Measured> {
    const ownLimit = createLimit({ clock, alarm, ms: GRACE_MS, message: "afterEach did not end within 5s", onRunning });
    const context = { ...ctx, signal: ownLimit.signal, attempt, outcome: before.outcome, ...("error" in before && { error: before.error }) };
    const settled = await ownLimit.within(() => withinTrial(current, () => afterEach?.(context)));
    const late = ownLimit.cut() !== undefined;
    ownLimit.close();
    if (settled.kind === "returned" && !late) return before;
    const error: ReportError =
      settled.kind === "threw" && !late
        ? describeError(settled.thrown, "teardown", "teardown_failed", "afterEach: ")
        : { code: "teardown_failed", stage: "teardown", message: "afterEach did not end within its 5s" };
    if (before.outcome === "passed" || before.outcome === "scored") {
      const { result, evidence, scores } = before;
      return { ...broken(error, false, { result, ...(evidence !== undefined && { evidence }) }), scores };
    }
    run.warnings.say(error.code, error.message, scenario.id);
    return before;
  }
}
