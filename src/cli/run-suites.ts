// Owns the running of the suites of one invocation: one pool of slots, one calibration a judge, one end for all.

import type { Clock } from "../core/clock.ts";
import type { ReportError, ReportHead, ScenarioReport } from "../core/report.ts";
import type { Reporter } from "../core/reporter.ts";
import type { Judge } from "../core/judge.ts";
import type { Scenario } from "../core/suite.ts";
import { parseDuration } from "../core/duration.ts";
import type { Config, EvaluationOptions } from "../evaluation.ts";
import { execute } from "../run/execute.ts";
import type { Calibrations, Selection, Slots } from "../run/plan.ts";
import { createRunIds } from "../run/run-id.ts";
import { createSlots } from "../run/slots.ts";
import { type Bail, createBail } from "./bail.ts";
import type { Desk } from "./desk.ts";
import { displayPath } from "./path.ts";
import { type Problem, problemOf } from "./problem.ts";
import { randomBytes } from "./process/random-bytes.ts";
import type { Watchdog } from "./process/watchdog.ts";
import { watchSuite } from "./running-suite.ts";
import { createSpool, type Spool } from "./spool.ts";

export interface SuiteToRun {
  readonly file: string;
  readonly options: EvaluationOptions;
  readonly selection: Selection;
  /** Those that were selected. */
  readonly scenarios: readonly Scenario[];
}

/** What the flags say, where they say it; each beats the file's own. */
export interface RunFlags {
  readonly excludeTags: readonly string[];
  readonly maxConcurrency?: number | undefined;
  readonly trials?: number | undefined;
  readonly retries?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly bail?: number | undefined;
  readonly maxTimeMs?: number | undefined;
}

export interface RanSuite {
  readonly file: string;
  readonly head: ReportHead;
  readonly strict: boolean;
  readonly scenarios: () => Iterable<ScenarioReport>;
  readonly close: () => void;
}

export interface RunSuites {
  readonly suites: readonly SuiteToRun[];
  readonly flags: RunFlags;
  readonly config: Config;
  readonly signal: AbortSignal;
  readonly desk: Desk;
  readonly watchdog: Watchdog;
  /** Called where code blocks the event loop past every deadline, so that nothing can be waited for: what is known, and where the code is. */
  readonly hopeless: (ran: readonly RanSuite[], place: string) => void;
}

const DEFAULT_CONCURRENCY = 5;
const newRunId = createRunIds(Date.now, randomBytes);
/** Of the command's own reporters, so that those of the user count from 1. */
const OWN_NAME = "entail";

/** Runs them all. A suite that could not be run, which is a programming error, leaves the others alone. */
export async function runSuites({ suites, flags, config, signal, desk, watchdog, hopeless }: RunSuites): Promise<{ readonly ran: readonly RanSuite[]; readonly problems: readonly Problem[] }> {
  const ownConcurrency = ({ options }: SuiteToRun): number => flags.maxConcurrency ?? options.maxConcurrency ?? config.maxConcurrency ?? DEFAULT_CONCURRENCY;
  const calibrations: Calibrations = new WeakMap();
  const configured = (config.reporters ?? []).filter((reporter) => typeof reporter !== "string");
  // One suite bounds itself; several share as many places as the widest of them may use.
  const pool = suites.length > 1 ? createSlots(Math.max(...suites.map(ownConcurrency))) : undefined;
  const bail = pool !== undefined && flags.bail !== undefined ? createBail(pool, flags.bail) : undefined;

  // By suite and scenario: until when it may run.
  const deadlines = new Map<string, number>();
  const watchDeadlines = (key: string, deadline: number | undefined): void => {
    if (deadline === undefined) deadlines.delete(key);
    else deadlines.set(key, deadline);
    watchdog.until(Math.max(0, ...deadlines.values()));
  };
  const cutShort: ((error: ReportError) => RanSuite)[] = [];
  watchdog.onHopeless((place) => {
    const message = `code at ${place} did not give the event loop back, and every running scenario is past its deadline`;
    hopeless(cutShort.map((end) => end({ code: "deadline_exceeded", stage: "hook", message })), place);
  });

  const runs = suites.map((suite) => {
    const { options, scenarios } = suite;
    const strict = flags.strict ?? options.strict ?? false;
    const spool = createSpool();
    const running = watchSuite(options.suite.id, scenarios, spool, desk.clock);
    const judge = options.judge ?? config.judge;
    const file = displayPath(suite.file, desk.cwd);
    const reporter = desk.view.suite({ file, suiteId: options.suite.id, hasJudge: judge !== undefined, order: () => scenarios.map(({ id }) => id) });
    cutShort.push((error) => ({ ...running.cutShort(error), file, strict, close: spool.close }));
    const reporters = [{ ...running.reporter, name: OWN_NAME }, watching(reporter, suite, timeLimits(suite, flags), watchDeadlines, desk.clock), ...(options.reporter === undefined ? [] : [options.reporter]), ...configured];
    return runSuite({ suite, file, strict, spool, flags, judge, reporters, maxConcurrency: ownConcurrency(suite), pool: bail?.slots ?? pool, bail, calibrations, signal, desk });
  });
  const ended = await Promise.allSettled(runs);
  return {
    ran: ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    problems: ended.flatMap((each) => (each.status === "rejected" ? [problemOf(each.reason, desk.cwd)] : [])),
  };
}

interface OneSuite {
  readonly suite: SuiteToRun;
  readonly file: string;
  readonly strict: boolean;
  readonly spool: Spool;
  readonly flags: RunFlags;
  readonly judge: Judge | undefined;
  readonly reporters: readonly Reporter[];
  readonly maxConcurrency: number;
  readonly pool: Slots | undefined;
  readonly bail: Bail | undefined;
  readonly calibrations: Calibrations;
  readonly signal: AbortSignal;
  readonly desk: Desk;
}

async function runSuite({ suite, file, strict, spool, flags, judge, reporters, maxConcurrency, pool, bail, calibrations, signal, desk }: OneSuite): Promise<RanSuite> {
  const { options, selection } = suite;
  const { beforeAll, afterAll, beforeEach, afterEach } = options;
  const head = await execute(
    {
      suite: options.suite,
      selection,
      excludeTags: flags.excludeTags,
      judge,
      maxConcurrency,
      slots: pool,
      trials: flags.trials ?? options.trials,
      retries: flags.retries ?? options.retries,
      timeoutMs: flags.timeoutMs ?? ownTimeout(options),
      strict,
      bail: bail === undefined ? flags.bail : undefined,
      maxTimeMs: flags.maxTimeMs,
      lifecycle: { beforeAll, afterAll, beforeEach, afterEach },
      signal: bail === undefined ? signal : AbortSignal.any([signal, bail.signal]),
      clock: desk.clock,
      newRunId,
      reporters,
      calibrations,
    },
    {
      scenarioFinished(position, report) {
        bail?.count(report);
        return spool.sink.scenarioFinished(position, report);
      },
    },
  );
  return { file, head, strict, scenarios: spool.scenarios, close: spool.close };
}

function ownTimeout({ timeout }: EvaluationOptions): number | undefined {
  return timeout === undefined ? undefined : parseDuration(timeout);
}

/** What a tear-down may take beside the deadline. */
const TEARDOWN_MS = 5_000;

/** How long a scenario may go on, with all its trials and retries and what comes after each. */
function timeLimits({ options, scenarios }: SuiteToRun, flags: RunFlags): (id: string) => number {
  const timeoutMs = flags.timeoutMs ?? ownTimeout(options);
  const tries = (flags.retries ?? options.retries ?? 0) + 1;
  const after = options.afterEach === undefined ? 0 : TEARDOWN_MS;
  const longest = (of: readonly Scenario[]): number =>
    of.reduce((most, scenario) => Math.max(most, ((timeoutMs ?? scenario.timeoutMs) + after) * tries * (flags.trials ?? options.trials ?? scenario.trials ?? 1)), 0);
  // Of a large suite the longest stands for all.
  if (scenarios.length > 1_000) {
    const all = longest(scenarios);
    return () => all;
  }
  const byId = new Map(scenarios.map((scenario) => [scenario.id, longest([scenario])]));
  return (id) => byId.get(id) ?? 0;
}

function watching(reporter: Reporter, { options: { suite } }: SuiteToRun, limitOf: (id: string) => number, watch: (key: string, deadline: number | undefined) => void, clock: Clock): Reporter {
  return {
    ...reporter,
    name: OWN_NAME,
    scenarioStarted(id, startedAt) {
      watch(`${suite.id}/${id}`, clock.now() + limitOf(id));
      return reporter.scenarioStarted?.(id, startedAt);
    },
    scenarioFinished(report) {
      watch(`${suite.id}/${report.id}`, undefined);
      return reporter.scenarioFinished?.(report);
    },
  };
}
