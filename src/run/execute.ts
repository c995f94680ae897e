// Owns the run of a plan, from the selection to the head of the report. Whoever runs a suite, on whatever road, calls this.

import { formatDuration, wholeNanoseconds } from "../core/duration.ts";
import { EntailError, type Stage } from "../core/error.ts";
import { withinRun } from "../core/current-run.ts";
import { freezeDeep } from "../core/freeze-deep.ts";
import type { CalibrationReport, ReportError, ReportHead, ScenarioReport, TrialReport } from "../core/report.ts";
import type { VerdictTally } from "../core/score-stage.ts";
import type { Scenario, Suite } from "../core/suite.ts";
import { createJudgedTally } from "../judge/judged-tally.ts";
import { createAlarm } from "./alarm.ts";
import { setUpSuite, tearDownSuite } from "./around-suite.ts";
import { createAudience } from "./audience.ts";
import { calibrateOnce, judgeReport } from "./calibrate-once.ts";
import { createCancellation, type Stop } from "./cancellation.ts";
import { checkOptions } from "./check-options.ts";
import { checkSuite } from "./check-suite.ts";
import { codeOf, describeError } from "./describe-error.ts";
import { judgedWorth } from "./judged-worth.ts";
import { requiredOf } from "./required.ts";
import type { Plan, Sink, StoredTrial } from "./plan.ts";
import { type RunContext, timestamp } from "./run-context.ts";
import { runTrial } from "./run-trial.ts";
import { scenarioReport, skippedReport, unstartedReport, unstartedTrial, withTeardownError } from "./scenario-report.ts";
import { createSchedule, openScenario, type OpenScenario, type Schedule, type Unit } from "./schedule.ts";
import { select } from "./select.ts";
import { createTally } from "./tally.ts";
import { stoppingBy } from "./stop-early.ts";
import { sumTrials } from "./trial-summary.ts";
import { turn } from "./turn.ts";
import { createWarnings } from "./warnings.ts";

/** So many trials may end within one turn of the event loop. */
const TRIALS_A_TURN = 64;

/**
 * Runs `plan.suite` and hands each trial and scenario to `sink` as it finishes; it keeps none. Whatever a hook, a judge, a reporter or
 * the sink does is in the head or in a scenario's report. It rejects only on a programming error: options that are none
 * (`concurrency_not_positive`, `option_invalid` …), or a suite that is no object.
 */
export async function execute(plan: Plan, sink: Sink): Promise<ReportHead> {
  checkOptions(plan);
  if (typeof plan.suite !== "object" || plan.suite === null) throw new EntailError("suite_invalid", "a suite must be an object with id, description and scenarios");
  const { clock, suite, judge, strict = false } = plan;
  const suiteId = typeof suite.id === "string" ? suite.id : "";
  const runId = plan.newRunId();
  const startedAt = plan.startedBefore?.at ?? timestamp(clock);
  const started = clock.elapsed();
  const alarm = createAlarm(clock);
  const cancellation = createCancellation(plan.signal);
  const audience = createAudience(plan.reporters, clock, (message) => void warnings.say("reporter_failed", message));
  const warnings = createWarnings((warning) => {
    audience.tell("warning", warning);
    if (sink.warned !== undefined) void hand(() => sink.warned?.(warning));
  });
  const data = dataTally(suite);
  const tally = createTally(strict, data);
  // A missed threshold of one item is not a verdict about all of them.
  const strictly = strict && data === undefined;
  const judged = createJudgedTally();
  const summing = sumTrials();
  const stopping = plan.stopEarly === undefined ? undefined : stoppingBy(plan.stopEarly);
  let stoppedEarly = 0;
  let hooksRunning = 0;
  const run: RunContext = { plan, clock, alarm, cancellation, warnings, onRunning: (change) => void (hooksRunning += change) };

  let stage: Stage = "selection";
  let stoppedAt: Stage = stage;
  cancellation.halted.addEventListener("abort", () => void (stoppedAt = stage), { once: true });
  let calibration: CalibrationReport | undefined;
  let sinkError: ReportError | undefined;
  let idle = 0;
  let firstIdle: string | undefined;
  let unfinished = 0;
  let suiteSetUp = false;
  let forgetBudget: (() => void) | undefined;

  let error: ReportError | undefined;
  let selected: readonly Scenario[] = [];
  try {
    selected = selectValid(plan);
  } catch (thrown) {
    error = describeError(thrown, "selection", "suite_invalid");
  }
  try {
    const runStarted = Object.freeze({ runId, suiteId, startedAt, scenarios: selected.length, trials: plan.trials ?? 1 });
    if (error === undefined) await hand(() => sink.runStarted?.(runStarted, selected, (code, message) => void warnings.say(code, message)));
    audience.tell("runStarted", runStarted);
    for (const { code, message, scenario } of plan.startedBefore?.warnings ?? []) warnings.say(code, message, scenario);
    if (error === undefined) error = await withinRun({ recordings: plan.recordings, replayed: plan.replayed, mask: plan.mask }, runSelected);
    return await conclude();
  } finally {
    forgetBudget?.();
    warnings.close();
    cancellation.close();
    alarm.close();
  }

  async function runSelected(): Promise<ReportError | undefined> {
    if (plan.maxTimeMs !== undefined) {
      const message = `the run took longer than ${formatDuration(plan.maxTimeMs)}`;
      alarm.set(started + plan.maxTimeMs, () => cancellation.abort({ code: "max_time_reached", message, reason: new EntailError("max_time_reached", message) }));
    }
    forgetBudget = plan.budget?.onReached((message) => cancellation.halt({ code: "budget_reached", message, reason: new EntailError("budget_reached", message) }));
    if (judge !== undefined && cancellation.stop() === undefined) {
      stage = "calibration";
      const calibrated = await calibrateOnce(judge, clock, cancellation.halted, plan.calibrations);
      calibration = calibrated.report;
      tally.spend(calibrated.usage);
      // Another run of the invocation has paid for it where this one did not.
      if (calibrated.usage !== undefined) plan.budget?.spend({ usage: calibrated.usage, judging: calibration.attempts, subject: false });
      if (!calibration.passed && (cancellation.stop() === undefined || (!cancellation.aborted() && calibration.error?.code === "calibration_failed"))) {
        const failed: ReportError = { code: "calibration_failed", stage: "calibration", message: calibration.error?.message ?? "the calibration of the judge failed" };
        const taken = await takeStored();
        for (const [position, scenario] of selected.entries()) {
          if (!taken.has(position)) await deliver(position, skippedReport(scenario, scenario.skip === undefined ? failed : skipError(scenario.skip)), false);
        }
        return failed;
      }
    }
    for (const [position, scenario] of selected.entries()) {
      if (scenario.skip !== undefined) await deliver(position, skippedReport(scenario, skipError(scenario.skip)), false);
    }
    const taken = await takeStored();
    const schedule = createSchedule(selected, plan, taken);
    if (unfinished > 0 && cancellation.stop() === undefined) await runAll(schedule);
    const stop = cancellation.stop();
    if (stop !== undefined) {
      const cutShort = schedule.cutShort(stopError(stop));
      if (cutShort !== undefined) await finish(cutShort);
      for (const { position, scenario } of schedule.unstarted()) await deliver(position, unstartedReport(scenario, "cancelled", stopError(stop)), false);
    }
    return undefined;
  }

  /** Finishes the scenarios of which every trial is stored, before anything is set up. Their positions. */
  async function takeStored(): Promise<ReadonlySet<number>> {
    const taken = new Set<number>();
    unfinished = selected.filter(({ skip }) => skip === undefined).length;
    if (plan.stored === undefined) return taken;
    for (const [position, scenario] of selected.entries()) {
      if (scenario.skip !== undefined) continue;
      const open = openScenario(position, scenario, plan);
      const found: StoredTrial[] = [];
      while (open.left > 0) {
        const stored = await storedTrial(open, open.asked - open.left + 1);
        if (stored === undefined) break;
        found.push(stored);
        take(open, stored.report);
        if (open.left > 0) open.stopped = stopping?.(open.trials, open.asked);
        if (open.stopped !== undefined) open.left = 0;
      }
      if (open.left > 0) continue;
      taken.add(position);
      if (open.stopped !== undefined) stoppedEarly += 1;
      for (const stored of found) await adopt(open, stored);
      await finish(open);
    }
    return taken;
  }

  /** What cannot be read is no reason to run it again. */
  async function storedTrial({ position, scenario }: OpenScenario, trial: number): Promise<StoredTrial | undefined> {
    if (plan.stored === undefined) return undefined;
    try {
      const stored = await plan.stored(position, scenario.id, trial);
      return stored && { ...stored, report: freezeDeep({ ...stored.report, trial }) };
    } catch (thrown) {
      return { report: freezeDeep({ trial, outcome: "errored", durationMs: 0, error: describeError(thrown, "store", "store_unreadable") }) };
    }
  }

  /** Counts it as if it had run; what another run left becomes this one's. */
  async function adopt({ position, scenario }: OpenScenario, { report, evidence }: StoredTrial): Promise<void> {
    spend(report);
    if (plan.rejudgedFrom !== undefined) await hand(() => sink.trialFinished?.(position, scenario.id, report, evidence));
  }

  function take(open: OpenScenario, report: TrialReport): void {
    open.trials[report.trial - 1] = report;
    open.required ||= requiredOf(report);
    open.left -= 1;
  }

  function spend({ usage, judging }: TrialReport): void {
    tally.spend(usage);
    // What is judged again was paid for when the agent gave it.
    const judged = usage?.judge === undefined ? undefined : { judge: usage.judge };
    plan.budget?.spend(plan.rejudgedFrom === undefined ? { usage, judging, subject: true } : { usage: judged, judging, subject: false });
  }

  async function runAll(schedule: Schedule): Promise<void> {
    stage = "setup";
    suiteSetUp = true;
    const setUpError = await setUpSuite(run);
    if (setUpError !== undefined && !cancellation.aborted()) {
      for (const { position, scenario } of schedule.unstarted()) await deliver(position, unstartedReport(scenario, "errored", setUpError), false);
    } else {
      stage = "hook";
      const places = Math.min(plan.maxConcurrency, unfinished * (plan.trials ?? Math.max(...distinctTrials(selected))));
      await Promise.all(Array.from({ length: places }, () => work(schedule)));
    }
    const tearDownError = await tearDown();
    if (tearDownError !== undefined) warnings.say(tearDownError.code, tearDownError.message);
  }

  async function work(schedule: Schedule): Promise<void> {
    for (let ended = 1; ; ended++) {
      if (plan.slots !== undefined && !plan.slots.tryTake() && !(await plan.slots.take(cancellation.halted))) return;
      try {
        // The run may have been stopped while this waited for its place.
        const unit = cancellation.stop() === undefined ? schedule.next() : undefined;
        if (unit === undefined) return;
        await runUnit(unit);
      } finally {
        plan.slots?.release();
      }
      if (ended % TRIALS_A_TURN === 0) await turn();
    }
  }

  async function runUnit({ open, trial }: Unit): Promise<void> {
    if (stopping === undefined) return runOne(open, trial);
    for (let at = trial; ; at++) {
      await runOne(open, at);
      if (open.left === 0) return;
      open.stopped = stopping(open.trials, open.asked);
      const stop = cancellation.stop();
      if (open.stopped === undefined && stop === undefined) continue;
      if (open.stopped === undefined && stop !== undefined) for (let rest = at; rest < open.asked; rest++) open.trials[rest] = unstartedTrial(rest + 1, stopError(stop));
      if (open.stopped !== undefined) stoppedEarly += 1;
      open.left = 0;
      return finish(open);
    }
  }

  async function runOne(open: OpenScenario, trial: number): Promise<void> {
    const { scenario, position } = open;
    const trialStartedAt = timestamp(clock);
    if (trial === 1) audience.tell("scenarioStarted", scenario.id, trialStartedAt);
    const stored = plan.stored === undefined ? undefined : await storedTrial(open, trial);
    const { report: ended, evidence } = stored ?? (await runTrial(run, scenario, trial, trialStartedAt));
    const report = stored === undefined && plan.asItRan !== undefined ? freezeDeep(await plan.asItRan(position, ended)) : ended;
    if (stored === undefined) {
      spend(report);
      await hand(() => sink.trialFinished?.(position, scenario.id, report, evidence));
      audience.tell("trialFinished", scenario.id, report);
    } else {
      await adopt(open, stored);
    }
    // Only now: of trials that end together, exactly one comes last.
    take(open, report);
    if (open.left === 0) await finish(open);
  }

  async function finish({ position, scenario, trials, required, stopped }: OpenScenario): Promise<void> {
    let report = scenarioReport(scenario, trials.filter((trial) => trial !== undefined), strictly, stopped);
    unfinished -= 1;
    if (unfinished === 0) {
      // The last one carries a fault of the tear-down that all of them share; those before it have been reported.
      const tearDownError = await tearDown();
      if (tearDownError !== undefined) {
        if (report.outcome === "passed" || report.outcome === "scored") report = withTeardownError(report, tearDownError);
        else warnings.say(tearDownError.code, tearDownError.message);
      }
    }
    if (report.outcome === "passed" && scenario.knownFailure !== undefined) {
      warnings.say("known_failure_passed", `scenario ${JSON.stringify(scenario.id)} passed, though it is known to fail: ${scenario.knownFailure}`, scenario.id);
    }
    if (report.outcome === "scored" && !required) {
      idle += 1;
      firstIdle ??= scenario.id;
    }
    await deliver(position, report, required);
    if (plan.bail !== undefined && tally.unexpected() >= plan.bail) {
      const message = `the run stopped after ${plan.bail} ${plan.bail === 1 ? "scenario that did not pass" : "scenarios that did not pass"}`;
      cancellation.halt({ code: "bail_reached", message, reason: new EntailError("bail_reached", message) });
    }
  }

  /** Once, and only where the run got to its set-up. */
  async function tearDown(): Promise<ReportError | undefined> {
    if (!suiteSetUp) return undefined;
    suiteSetUp = false;
    stage = "teardown";
    return tearDownSuite(run);
  }

  async function deliver(position: number, report: ScenarioReport, required: boolean): Promise<void> {
    tally.add(report, required);
    summing.add(report);
    data?.add(position, report);
    judged.add(report);
    await hand(() => sink.scenarioFinished(position, report));
    audience.tell("scenarioFinished", report);
  }

  async function hand(call: () => void | Promise<void>): Promise<void> {
    try {
      const taken = call();
      if (taken !== undefined) await taken;
    } catch (thrown) {
      sinkError ??= describeError(thrown, "store", "output_unwritable");
    }
  }

  async function conclude(): Promise<ReportHead> {
    if (idle > 0) {
      const message = idle === 1 ? `scenario ${JSON.stringify(firstIdle)} required nothing` : `${idle} scenarios required nothing, ${JSON.stringify(firstIdle)} for one`;
      warnings.say("nothing_required", `${message}: no check, no claim and no score with a threshold, so nothing could fail`, firstIdle);
    }
    const uncounted = plan.budget?.uncounted();
    if (uncounted !== undefined) warnings.say("cost_unknown", uncounted);
    if (stoppedEarly > 0) {
      const message = stoppedEarly === 1 ? "the trials of one scenario ended" : `the trials of ${stoppedEarly} scenarios ended`;
      warnings.say("trials_stopped_early", `${message} before all had run, by the rule ${plan.stopEarly?.rule}; trialCounts.stopped says which`);
    }
    await hand(() => sink.settled?.());
    await audience.settled();
    const stop = cancellation.stop();
    if (error === undefined && stop !== undefined && (stop.code === "cancelled" || tally.cancelled() > 0)) error = { ...stopError(stop), stage: stoppedAt };
    error ??= sinkError;
    const worth = judge === undefined ? {} : await judgedWorth(judge, calibration, judged, plan.measurements);
    const trialSummary = summing.summary();
    const headOf = (): ReportHead => ({
      runId,
      suiteId,
      startedAt,
      durationMs: wholeNanoseconds(Math.max(0, clock.elapsed() - started) + (plan.startedBefore?.durationMs ?? 0)),
      ...(plan.rejudgedFrom !== undefined && { rejudgedFrom: plan.rejudgedFrom }),
      ...(error !== undefined && { error }),
      ...tally.head(error),
      ...(plan.variant !== undefined && { variant: plan.variant.name }),
      ...(trialSummary !== undefined && { trials: trialSummary }),
      ...(judge !== undefined && judgeReport(judge, calibration, worth)),
      ...(hooksRunning > 0 && { hooksRunning }),
    });
    const head = headOf();
    audience.tell("runFinished", withWarnings(head));
    await audience.settled();
    await hand(() => sink.runFinished?.(withWarnings(head)));
    if (error !== undefined || sinkError === undefined) return withWarnings(head);
    error = sinkError;
    return withWarnings(headOf());
  }

  function withWarnings(head: ReportHead): ReportHead {
    const list = warnings.list();
    return freezeDeep({ ...head, ...(list.length > 0 && { warnings: list }) });
  }
}

/** Who selects wrongly from a suite that is wrong itself is told of the suite where nothing can be selected from it at all. */
function selectValid({ suite, selection, excludeTags }: Plan): readonly Scenario[] {
  let selected: readonly Scenario[];
  try {
    selected = select(suite, selection, excludeTags);
  } catch (thrown) {
    if (codeOf(thrown) === undefined) checkSuite(suite);
    throw thrown;
  }
  checkSuite(suite);
  return selected;
}

/** None where the suite is not made of data, and none where what it says of that is wrong: the check of the suite tells so. */
function dataTally(suite: Suite): VerdictTally | undefined {
  try {
    return suite.data?.tally();
  } catch {
    return undefined;
  }
}

function stopError({ code, message }: Stop): ReportError {
  return { code, stage: "selection", message };
}

function skipError(reason: string): ReportError {
  return { code: "scenario_skipped", stage: "selection", message: reason };
}

function distinctTrials(scenarios: readonly Scenario[]): ReadonlySet<number> {
  return new Set(scenarios.map(({ trials = 1 }) => trials));
}
