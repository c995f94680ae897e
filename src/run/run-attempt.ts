// Owns one attempt of a trial: set-up, hook, scoring, judging and tear-down, each fault classified by where it happened.

import type { Claim } from "../core/claim.ts";
import type { HookContext } from "../core/context.ts";
import { withinTrial, type CurrentTrial } from "../core/current-trial.ts";
import { formatDuration, wholeNanoseconds } from "../core/duration.ts";
import type { EntailError, Stage } from "../core/error.ts";
import type { Evidence } from "../core/evidence.ts";
import type { Judge, JudgeAttempt } from "../core/judge.ts";
import { type ReadResult, readPartialResult, readResult } from "../core/read-result.ts";
import type { AttemptReport, ReportError, ReportJudgment, ReportResult, TurnReport } from "../core/report.ts";
import type { Scope } from "../core/scope.ts";
import type { ScoreRecord } from "../core/score.ts";
import type { Hooked, ScoredTurn, Scoring } from "../core/score-stage.ts";
import type { Scenario } from "../core/suite.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { createAttachments } from "./attachments.ts";
import { describeError, memberOf } from "./describe-error.ts";
import { emptyOutputJudgments, grade, type Grade, scoreRecords } from "./grade.ts";
import { judgeResult, type Judging } from "./judge-result.ts";
import { judgeModels, sameModel, subjectModels } from "./subject-model.ts";
import { createLimit, type Cut, GRACE_MS, type Settled } from "./limit.ts";
import type { AttemptContext } from "./plan.ts";
import { backoffMs, mayPass } from "./retry.ts";
import { type RunContext, timestamp } from "./run-context.ts";
import { cutTurns, turnReports } from "./turn-report.ts";

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
  /** What the scorers' models consumed so far. */
  scoring: Usage | undefined;
  readonly print: (text: string) => void;
}

interface Kept {
  readonly result?: ReportResult;
  readonly evidence?: Evidence;
  readonly scores?: readonly ScoreRecord[];
  readonly turns?: readonly TurnReport[];
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
  const current: CurrentTrial = { scope, pause: limit.pause, print: tries.print, warn: (code, message) => run.warnings.say(code, message, scenario.id), fail: (error) => void (failure ??= error) };
  const within = <Value>(call: () => Value | PromiseLike<Value>): Promise<Settled<Value>> => limit.within(() => withinTrial(current, call));
  /** What the agent may have swallowed. */
  let failure: EntailError | undefined;
  let attempt = tries.attempt;
  let attemptStartedAt = startedAt;
  let attemptStarted = started;
  let waitedMs = 0;

  const broken = (error: ReportError, mayRetry: boolean, kept: Kept = attachments.kept()): Broken => ({ outcome: "errored", error, mayRetry, ...kept });

  const hookContext: HookContext = { ...ctx, ...(plan.variant !== undefined && { variant: plan.variant }), attach: attachments.attach };

  const stopped = (cut: Cut, stage: Stage, kept: Kept = attachments.kept()): Broken => {
    if (cut.kind === "cancelled") return { outcome: "cancelled", error: { code: cut.stop.code, stage, message: cut.stop.message }, mayRetry: false, ...kept };
    const what = { setup: "beforeEach", hook: "the hook", score: "the scoring", judge: "the judge" }[stage as string] ?? stage;
    // Scorers and judge had what the hook left: another judging would have nothing, and another hook would repeat what has succeeded.
    return broken({ code: "deadline_exceeded", stage, message: `${what} did not end within the scenario's ${formatDuration(timeoutMs)}` }, stage !== "judge" && stage !== "score", kept);
  };

  async function measure(): Promise<Measured> {
    if (beforeEach !== undefined) {
      const setUp = await within(() => beforeEach(ctx));
      const cut = limit.cut();
      if (cut !== undefined) return stopped(cut, "setup");
      if (setUp.kind === "threw") return broken(describeError(setUp.thrown, "setup", "setup_failed", "beforeEach: "), mayPass(setUp.thrown));
    }
    const hook = await within(() => scenario.run(hookContext));
    if (hook.kind === "threw") attachThrown(hook.thrown);
    const cut = limit.cut();
    if (cut !== undefined) return cutShort(cut, "hook", attachments.kept());
    if (hook.kind === "threw") {
      const error = describeError(hook.thrown, "hook", "hook_threw");
      const kept = attachments.kept();
      const scoring = await score({ kind: "threw", error, thrown: hook.thrown }, kept);
      // What broke first is what the attempt is told by.
      return broken(error, mayPass(hook.thrown), { ...kept, ...("outcome" in scoring ? { turns: scoring.turns ?? [] } : { scores: scoring.scores, turns: turnReports(scoring.turns ?? [], new Map(), error) }) });
    }
    let read: ReadResult;
    try {
      const returned = hook.kind === "returned" ? hook.value : undefined;
      read = attachments.completed(scenario.score === undefined ? readResult(returned) : readPartialResult(returned));
    } catch (thrown) {
      return broken(describeError(thrown, "result", "result_unreadable"), false);
    }
    const scoring = await score({ kind: "returned", ...read }, read);
    if ("outcome" in scoring) return scoring;
    return judged(withChecks(read, scoring), scoring);
  }

  const knownTurns = (): readonly ScoredTurn[] => {
    try {
      return scenario.score?.turns?.(hookContext) ?? [];
    } catch {
      return [];
    }
  };

  function cutShort(cut: Cut, stage: Stage, kept: Kept): Broken {
    const end = stopped(cut, stage, kept);
    return { ...end, turns: cutTurns(knownTurns(), end.outcome, end.error) };
  }

  /** Only the scoring is repeated, as the judging is: the hook has done its work. */
  async function score(hooked: Hooked, kept: Kept): Promise<Scoring | Broken> {
    const { score: stage } = scenario;
    if (stage === undefined) return { scores: [] };
    for (;;) {
      const settled = await within(() => stage.score(hookContext, hooked));
      if (settled.kind === "returned") tries.scoring = addUsage(tries.scoring, settled.value.usage);
      const cut = limit.cut();
      if (cut !== undefined) return cutShort(cut, "score", kept);
      const scoring = settled.kind === "returned" ? settled.value : undefined;
      if (scoring !== undefined && scoring.fault === undefined) return scoring;
      const thrown = settled.kind === "threw" ? settled.thrown : scoring?.fault?.thrown;
      const error = describeError(thrown, "score", "scorer_failed");
      if (hooked.kind === "threw" || attempt > tries.retries || !mayPass(thrown)) {
        const turns = scoring === undefined ? cutTurns(knownTurns(), "errored", error) : turnReports(scoring.turns ?? [], new Map(), error);
        return broken(error, false, { ...kept, turns, ...(scoring !== undefined && { scores: scoring.scores }) });
      }
      await nextTry(error);
    }
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

  /** The claims of the whole first, then those of each turn: one request each. */
  async function judged(read: ReadResult, scoring: Scoring): Promise<Measured> {
    const { result } = read;
    const turns = scoring.turns ?? [];
    const judgments = new Map<number, readonly ReportJudgment[]>();
    const scores = result.scores === undefined ? scoring.scores : [...scoring.scores, ...scoreRecords(result.scores)];
    if (result.claims === undefined && turns.length === 0) return completed({ ...read, scores, turns: NO_TURNS }, NO_JUDGMENTS);
    const kept = (error?: ReportError): Kept => ({ ...read, scores, turns: turnReports(turns, judgments, error) });
    const { evidence } = read;
    warnOfOwnJudge(result);
    const whole: Unit = { claims: result.claims ?? [], output: result.output, reference: result.reference, evidence };
    const ofWhole = await judgeUnit(whole, kept);
    if ("outcome" in ofWhole) return ofWhole;
    for (const { turn, reached, claims = [], output, reference } of turns) {
      if (!reached || claims.length === 0) continue;
      const ofTurn = await judgeUnit({ claims, output, reference, evidence }, kept);
      if ("outcome" in ofTurn) return ofTurn;
      judgments.set(turn, ofTurn);
    }
    return completed({ ...read, scores, turns: turnReports(turns, judgments) }, ofWhole);
  }

  interface Unit {
    readonly claims: readonly Claim[];
    readonly output: string | undefined;
    readonly reference: string | undefined;
    readonly evidence: Evidence | undefined;
  }

  /** A model is a mild judge of its own answers. */
  function warnOfOwnJudge({ claims = [], metadata }: ReportResult): void {
    const own = subjectModels(metadata);
    if (own.length === 0) return;
    const same = judgeModels(plan.judge).find((model) => own.some((subject) => sameModel(subject, model)));
    if (claims.length > 0 && same !== undefined) run.warnings.say("judge_is_subject", `the judge's model, ${same}, is the model under test too: it tends to like its own answers, so judge with a model of another family`);
  }

  async function judgeUnit({ claims, output, reference = "", evidence }: Unit, kept: (error?: ReportError) => Kept): Promise<readonly ReportJudgment[] | Broken> {
    if (claims.length === 0) return [];
    if (plan.judge === undefined) {
      const error: ReportError = { code: "judge_required", stage: "judge", message: "the hook returned claims, and the run has no judge: give it one, or return checks alone" };
      return broken(error, false, kept(error));
    }
    if (output === undefined || output === "") return emptyOutputJudgments(claims);
    for (;;) {
      const answer = await askJudge(plan.judge, { output, claims, reference, evidence });
      const cut = limit.cut();
      if (cut !== undefined) return judgeCut(cut, kept);
      if (answer.kind === "judged") return answer.judgments;
      const thrown = answer.kind === "threw" ? answer.thrown : undefined;
      const error = describeError(thrown, "judge", "judge_failed");
      if (attempt > tries.retries || !mayPass(thrown)) return broken(error, false, kept(error));
      await nextTry(error);
      const cutMeanwhile = limit.cut();
      if (cutMeanwhile !== undefined) return judgeCut(cutMeanwhile, kept);
    }
  }

  function judgeCut(cut: Cut, kept: (error?: ReportError) => Kept): Broken {
    const end = stopped(cut, "judge", {});
    return { ...end, ...kept(end.error) };
  }

  function askJudge(judge: Judge, { output, claims, reference, evidence }: Pick<Judging, "output" | "claims" | "reference" | "evidence">): ReturnType<typeof judgeResult> {
    const judgeScope: Scope = { ...scope, purpose: "judge", ordinal: tries.judgeCalls++ };
    const evidenceCut = (leftOut: number): void => void run.warnings.say("judge_evidence_cut", `scenario ${JSON.stringify(scenario.id)}: the tool calls were too long to be shown to the judge whole; ${leftOut} characters of them were left out, and marked where they were`, scenario.id);
    return judgeResult({ judge, output, claims, reference, evidence, evidenceCut, signal: limit.signal, scope: judgeScope, within, record: (record) => tries.judging.push(record) });
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

  interface Whole extends ReadResult {
    readonly scores: readonly ScoreRecord[];
    readonly turns: readonly TurnReport[];
  }

  function completed(whole: Whole, judgments: readonly ReportJudgment[]): Completed {
    const { result, scores, turns } = whole;
    const graded = grade({ checks: result.checks, claims: result.claims, judgments, scores });
    return { ...ofTurns(graded, turns), ...whole, judgments };
  }

  cancellation.join(limit);
  const measured = notWithout(await measure());
  const durationMs = wholeNanoseconds(Math.max(0, clock.elapsed() - started - waitedMs));
  limit.close();
  cancellation.leave(limit);
  attachments.close();
  const torndown = afterEach === undefined ? measured : await tearDown(measured);
  return { ...torndown, startedAt, durationMs, running: limit.running };

  /** A trial that went on after something it cannot do without is no measurement, whatever it came to. */
  function notWithout(end: Measured): Measured {
    if (failure === undefined || "error" in end) return end;
    const { result, evidence, scores, turns } = end;
    return broken(describeError(failure, "hook", "hook_threw"), mayPass(failure), { result, scores, ...(evidence !== undefined && { evidence }), ...(turns !== undefined && { turns }) });
  }

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
      const { result, evidence, scores, turns = [] } = before;
      return broken(error, false, { result, ...(evidence !== undefined && { evidence }), scores, turns });
    }
    run.warnings.say(error.code, error.message, scenario.id);
    return before;
  }
}

const NO_TURNS: readonly never[] = Object.freeze([]);
const NO_JUDGMENTS: readonly never[] = Object.freeze([]);

/** The stage's own checks stand with those of the hook. */
function withChecks(read: ReadResult, { checks = [] }: Scoring): ReadResult {
  if (checks.length === 0) return read;
  return { ...read, result: Object.freeze({ ...read.result, checks: Object.freeze([...(read.result.checks ?? []), ...checks]) }) };
}

/** A turn that failed fails the whole, one that missed a threshold makes it scored. */
function ofTurns(whole: Grade, turns: readonly TurnReport[]): Grade {
  if (turns.length === 0) return whole;
  let { outcome, required } = whole;
  let missed = required && outcome === "scored";
  for (const { scores = [], claims = [], judgments = [] } of turns) {
    const turn = grade({ claims, judgments, scores });
    required ||= turn.required;
    missed ||= turn.required && turn.outcome === "scored";
    if (turn.outcome === "failed") outcome = "failed";
  }
  if (outcome === "failed") return { outcome, required };
  return { outcome: !required || missed ? "scored" : "passed", required };
}
