// Owns the running of the suites of one invocation: one pool of slots, one calibration a judge, one end for all.

import type { Clock } from "../core/clock.ts";
import type { RecordingsMode } from "../core/current-run.ts";
import type { ReportError, ReportHead, ScenarioReport } from "../core/report.ts";
import type { Reporter } from "../core/reporter.ts";
import type { Judge } from "../core/judge.ts";
import type { JudgeMeasurement } from "../core/store.ts";
import type { Scenario } from "../core/suite.ts";
import type { Variant } from "../core/variant.ts";
import { parseDuration } from "../core/duration.ts";
import type { Config, EvaluationOptions } from "../evaluation.ts";
import { type Budget, createBudget } from "../run/budget.ts";
import { execute } from "../run/execute.ts";
import type { Calibrations, Plan, Selection, Slots } from "../run/plan.ts";
import { createRunIds } from "../run/run-id.ts";
import type { ResumedRun } from "../run/record-run.ts";
import { createSlots } from "../run/slots.ts";
import { type Bail, createBail } from "./bail.ts";
import type { Desk } from "./desk.ts";
import { displayPath } from "./path.ts";
import { type Problem, problemOf } from "./problem.ts";
import { randomBytes } from "./process/random-bytes.ts";
import type { Watchdog } from "./process/watchdog.ts";
import type { RunStore } from "./run-store.ts";
import type { SuiteRun } from "./report-parts.ts";
import { watchSuite } from "./running-suite.ts";
import { createSpool, type Spool } from "./spool.ts";

export interface SuiteToRun {
  readonly file: string;
  /** Which of the file's evaluations it is, from 0. */
  readonly exportIndex: number;
  readonly options: EvaluationOptions;
  readonly selection: Selection;
  /** Those that were selected. */
  readonly scenarios: readonly Scenario[];
  readonly variant?: Variant | undefined;
  /** What an earlier run left of it. */
  readonly earlier?: EarlierRun | undefined;
}

export interface EarlierRun {
  readonly stored: NonNullable<Plan["stored"]>;
  readonly subject?: string | undefined;
  /** Whether scenarios are missing on purpose. */
  readonly selected: boolean;
  /** It goes on as that very run. */
  readonly resumed?: (ResumedRun & { readonly runId: string; readonly startedBefore: NonNullable<Plan["startedBefore"]> }) | undefined;
  /** Its results are judged again. */
  readonly rejudgedFrom?: string | undefined;
  readonly asItRan?: Plan["asItRan"];
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
  readonly maxCost?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly recordings?: RecordingsMode | undefined;
}

export interface RanSuite {
  readonly file: string;
  readonly head: ReportHead;
  readonly strict: boolean;
  /** A suite of data: its verdict decides what strict means. */
  readonly data?: boolean | undefined;
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
  /** Where the runs are kept; nowhere when absent. */
  readonly store?: RunStore | undefined;
  /** What the project keeps of judges in files, beside the store. */
  readonly measurements?: readonly JudgeMeasurement[] | undefined;
  /** Called where code blocks the event loop past every deadline, so that nothing can be waited for: what is known, and where the code is. */
  readonly hopeless: (ran: readonly RanSuite[], place: string) => void;
}

const DEFAULT_CONCURRENCY = 5;
/** Of a larger suite no one scenario is long beside the rest, and asking for all their durations takes longer than it saves. */
const MOST_MEASURED = 5_000;
const newRunId = createRunIds(Date.now, randomBytes);
/** Of the command's own reporters, so that those of the user count from 1. */
const OWN_NAME = "entail";

/** Runs them all. A suite that could not be run, which is a programming error, leaves the others alone. */
export async function runSuites({ suites, flags, config, signal, desk, watchdog, store, measurements = [], hopeless }: RunSuites): Promise<{ readonly ran: readonly RanSuite[]; readonly problems: readonly Problem[] }> {
  const ownConcurrency = ({ options }: SuiteToRun): number => flags.maxConcurrency ?? options.maxConcurrency ?? config.maxConcurrency ?? DEFAULT_CONCURRENCY;
  const calibrations: Calibrations = new WeakMap();
  const configured = (config.reporters ?? []).filter((reporter) => typeof reporter !== "string");
  // One suite bounds itself; several share as many places as the widest of them may use.
  const pool = suites.length > 1 ? createSlots(Math.max(...suites.map(ownConcurrency))) : undefined;
  const slots = Math.max(1, ...suites.map(ownConcurrency));
  const bail = pool !== undefined && flags.bail !== undefined ? createBail(pool, flags.bail) : undefined;
  const replays = new Map<string, number>();
  const budget = createBudget({ maxCost: flags.maxCost, maxTokens: flags.maxTokens });

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

  // The events of a run hold its suite's id, so that each suite has a reporter of its own.
  const jsonl = desk.reporters().jsonl ? (await import("../report/format/jsonl.ts")).jsonlReporter : undefined;
  const eventsOf = jsonl === undefined ? undefined : (): Reporter => jsonl((line) => desk.output.write(line).catch(() => {}), { mask: desk.mask });

  const runs = suites.map((suite) => {
    const { options, scenarios } = suite;
    const strict = flags.strict ?? options.strict ?? false;
    const spool = createSpool();
    const running = watchSuite(options.suite.id, scenarios, spool, desk.clock);
    const judge = options.judge ?? config.judge;
    const file = displayPath(suite.file, desk.cwd);
    let known: ReadonlyMap<string, number> | undefined;
    const reporter = desk.view.suite({ file, suiteId: suite.variant === undefined ? options.suite.id : `${options.suite.id} (${suite.variant.name})`, flags: suite.variant?.name.split(",").flatMap((pair) => ["--variant", pair]), hasJudge: judge !== undefined, order: () => scenarios.map(({ id }) => id), slots, durationOf: (id) => known?.get(id) });
    cutShort.push((error) => ({ ...cutShortRun(running.cutShort(error), suite), file, strict, data: options.suite.data !== undefined, close: spool.close }));
    const events = eventsOf?.();
    const reporters = [...(events === undefined ? [] : [{ ...events, name: OWN_NAME }]), { ...running.reporter, name: OWN_NAME }, watching(reporter, suite, timeLimits(suite, flags), watchDeadlines, desk.clock), ...(options.reporter === undefined ? [] : [options.reporter]), ...configured];
    return runSuite({ suite, file, strict, spool, flags, judge, reporters, maxConcurrency: ownConcurrency(suite), pool: bail?.slots ?? pool, bail, budget, replayed: (path) => void replays.set(path, (replays.get(path) ?? 0) + 1), calibrations, signal, desk, store, measurements, measured: (durations) => void (known = durations) });
  });
  const ended = await Promise.allSettled(runs);
  // A report of replayed answers is that of the run that was recorded; whoever ran it is to know.
  for (const [path, count] of replays) desk.view.note(`${count === 1 ? "1 answer" : `${count} answers`} came from ${displayPath(path, desk.cwd)} and not from a model or a tool`);
  return {
    ran: ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    problems: ended.flatMap((each) => (each.status === "rejected" ? [problemOf(each.reason, desk.cwd)] : [])),
  };
}

function cutShortRun(run: SuiteRun, { variant }: SuiteToRun): SuiteRun {
  return variant === undefined ? run : { ...run, head: { ...run.head, variant: variant.name } };
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
  readonly budget: Budget | undefined;
  readonly replayed: (file: string) => void;
  readonly calibrations: Calibrations;
  readonly signal: AbortSignal;
  readonly desk: Desk;
  readonly store: RunStore | undefined;
  readonly measurements: readonly JudgeMeasurement[];
  /** Told what its trials took in earlier runs, before it starts. */
  readonly measured: (durations: ReadonlyMap<string, number>) => void;
}

async function runSuite({ suite, file, strict, spool, flags, judge, reporters, maxConcurrency, pool, bail, budget, replayed, calibrations, signal, desk, store, measurements, measured }: OneSuite): Promise<RanSuite> {
  const { options, selection } = suite;
  const { beforeAll, afterAll, beforeEach, afterEach } = options;
  const durations = store === undefined || (maxConcurrency === 1 && !desk.screen.live()) || suite.scenarios.length > MOST_MEASURED ? undefined : await store.durations(options.suite.id);
  if (durations !== undefined) measured(durations);
  const plan: Plan = {
    suite: options.suite,
    selection,
    excludeTags: flags.excludeTags,
    judge,
    maxConcurrency,
    slots: pool,
    trials: flags.trials ?? options.trials,
    stopEarly: options.stopEarly,
    variant: suite.variant,
    retries: flags.retries ?? options.retries,
    timeoutMs: flags.timeoutMs ?? ownTimeout(options),
    strict,
    bail: bail === undefined ? flags.bail : undefined,
    maxTimeMs: flags.maxTimeMs,
    budget,
    recordings: flags.recordings,
    replayed,
    mask: desk.mask,
    lifecycle: { beforeAll, afterAll, beforeEach, afterEach },
    signal: bail === undefined ? signal : AbortSignal.any([signal, bail.signal]),
    clock: desk.clock,
    newRunId: () => suite.earlier?.resumed?.runId ?? newRunId(),
    stored: suite.earlier?.stored,
    startedBefore: suite.earlier?.resumed?.startedBefore,
    rejudgedFrom: suite.earlier?.rejudgedFrom,
    asItRan: suite.earlier?.asItRan,
    reporters,
    calibrations,
    measurements: async () => [...measurements, ...((await store?.measurements().catch(() => undefined)) ?? [])],
    ...(durations !== undefined && durations.size > 0 && { durationOf: (id: string) => durations.get(id) }),
  };
  const recorder = store?.recorder({ plan, file: suite.file, exportIndex: suite.exportIndex, subject: suite.earlier?.subject ?? options.subject, resumed: suite.earlier?.resumed, selected: suite.earlier?.selected });
  // The report is written from the spool, whatever becomes of the store.
  const head = await execute(plan, {
    ...recorder,
    scenarioFinished(position, report) {
      bail?.count(report);
      void spool.sink.scenarioFinished(position, report);
      return recorder?.scenarioFinished(position, report);
    },
  });
  return { file, head, strict, data: options.suite.data !== undefined, scenarios: spool.scenarios, close: spool.close };
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

function watching(reporter: Reporter, { options: { suite }, variant }: SuiteToRun, limitOf: (id: string) => number, watch: (key: string, deadline: number | undefined) => void, clock: Clock): Reporter {
  const keyOf = (id: string): string => JSON.stringify([suite.id, variant?.name, id]);
  return {
    ...reporter,
    name: OWN_NAME,
    scenarioStarted(id, startedAt) {
      watch(keyOf(id), clock.now() + limitOf(id));
      return reporter.scenarioStarted?.(id, startedAt);
    },
    scenarioFinished(report) {
      watch(keyOf(report.id), undefined);
      return reporter.scenarioFinished?.(report);
    },
  };
}
