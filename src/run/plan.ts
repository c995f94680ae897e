// Owns the plan of a run and the sink that takes what comes of it: all that `execute` is told, and all that it hands on.

import type { Clock } from "../core/clock.ts";
import type { RecordingsMode } from "../core/current-run.ts";
import type { Evidence } from "../core/evidence.ts";
import type { Judge } from "../core/judge.ts";
import type { Outcome } from "../core/outcome.ts";
import type { CalibrationReport, ReportError, ReportHead, ScenarioReport, TrialReport, Warning } from "../core/report.ts";
import type { Reporter, RunStarted } from "../core/reporter.ts";
import type { Scope } from "../core/scope.ts";
import type { StopRule } from "../core/stop-rule.ts";
import type { JudgeMeasurement } from "../core/store.ts";
import type { Scenario, Suite } from "../core/suite.ts";
import type { Variant } from "../core/variant.ts";
import type { Budget } from "./budget.ts";

export type Selection =
  | { readonly kind: "all" }
  | { readonly kind: "scenarios"; readonly ids: readonly string[] }
  | { readonly kind: "tags"; readonly tags: readonly string[] };

/** What `beforeAll` and `afterAll` receive. */
export interface SuiteContext {
  readonly signal: AbortSignal;
  readonly suite: string;
}

/** What `beforeEach` receives. */
export interface AttemptContext extends SuiteContext {
  readonly scenario: string;
  /** Counts from 1. */
  readonly trial: number;
  /** Counts from 1. */
  readonly attempt: number;
  readonly scope: Scope;
}

/** What `afterEach` receives: it sees what became of its attempt. Its signal is aborted after 5 s of its own. */
export interface TeardownContext extends AttemptContext {
  readonly outcome: Outcome;
  readonly error?: ReportError | undefined;
}

/**
 * Set-up and tear-down around a run and around each attempt. A set-up that throws makes its scenarios errored at `setup`, and no hook is
 * called; a tear-down always runs, and where it throws, a scenario that had passed is errored at `teardown`. `beforeEach` shares the
 * scenario's deadline; `afterEach` has 5 s, `beforeAll` 10 minutes and `afterAll` 1 minute of its own.
 */
export interface Lifecycle {
  readonly beforeAll?: ((ctx: SuiteContext) => void | Promise<void>) | undefined;
  readonly afterAll?: ((ctx: SuiteContext) => void | Promise<void>) | undefined;
  readonly beforeEach?: ((ctx: AttemptContext) => void | Promise<void>) | undefined;
  readonly afterEach?: ((ctx: TeardownContext) => void | Promise<void>) | undefined;
}

/** A pool of places that several runs share. `createSlots(count)` makes one. */
export interface Slots {
  /** True where a place was free and is now taken. */
  tryTake(): boolean;
  /** Resolves with true once a place is taken, with false (and none taken) when `signal` is aborted first. First come, first served. */
  take(signal: AbortSignal): Promise<boolean>;
  /** Gives one place back. */
  release(): void;
}

/** Each judge object's calibration, so that it happens once an invocation: `new WeakMap()` to begin with. */
export type Calibrations = WeakMap<Judge, Promise<CalibrationReport>>;

/** A trial's result as an earlier run left it. */
export interface StoredTrial {
  readonly report: TrialReport;
  /** The run is another one than that which left it, so that the sink is given it too. */
  readonly evidence?: Evidence | undefined;
}

export interface Plan {
  readonly suite: Suite;
  readonly selection: Selection;
  /** Scenarios with one of these tags are left out of the selection. */
  readonly excludeTags?: readonly string[] | undefined;
  readonly judge?: Judge | undefined;
  readonly maxConcurrency: number;
  /** A pool shared by several runs of one invocation; `maxConcurrency` still bounds this run within it. */
  readonly slots?: Slots | undefined;
  /** Beats what a scenario declares. */
  readonly trials?: number | undefined;
  /** When the trials of a scenario may end before all have run; never when absent. With it they run one after the other. */
  readonly stopEarly?: StopRule | undefined;
  /** Handed to every hook, and named in the report. */
  readonly variant?: Variant | undefined;
  readonly retries?: number | undefined;
  /** Beats what a scenario declares. */
  readonly timeoutMs?: number | undefined;
  /** A missed threshold makes the run not passed. */
  readonly strict?: boolean | undefined;
  /** No scenario starts after so many of them failed or errored; those that are known to fail do not count. */
  readonly bail?: number | undefined;
  /** The run is cancelled after so long. */
  readonly maxTimeMs?: number | undefined;
  /** Nothing starts once it is spent; several runs may share one. `createBudget` makes it. */
  readonly budget?: Budget | undefined;
  /** The mode of recordings that leave theirs out. */
  readonly recordings?: RecordingsMode | undefined;
  /** Told of each answer that came from a recording, with the path of its file. */
  readonly replayed?: ((file: string) => void) | undefined;
  /** Masks secrets in what is written while the run goes on, such as recordings. */
  readonly mask?: ((text: string) => string) | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
  readonly newRunId: () => string;
  readonly reporters: readonly Reporter[];
  readonly calibrations?: Calibrations | undefined;
  /** What judges were measured to be: asked once something was judged. Where it throws, nothing is known. */
  readonly measurements?: (() => readonly JudgeMeasurement[] | Promise<readonly JudgeMeasurement[]>) | undefined;
  /** A scenario's measured duration in milliseconds, where one is known: the longest go first. */
  readonly durationOf?: ((scenarioId: string) => number | undefined) | undefined;
  /** The result of a trial that is taken as it is, and not run; `undefined` for one that is to run. May be asked for one several times. */
  readonly stored?: ((position: number, scenarioId: string, trial: number) => StoredTrial | undefined | Promise<StoredTrial | undefined>) | undefined;
  /** Of a run that goes on: when it began, how many milliseconds it went on before, and what was said of the results that are taken. */
  readonly startedBefore?: { readonly at: string; readonly durationMs: number; readonly warnings: readonly Warning[] } | undefined;
  /** The run whose stored results this one judges again. */
  readonly rejudgedFrom?: string | undefined;
  /** What a trial that was judged again keeps of the one that the agent ran: when that was, and how long it took. */
  readonly asItRan?: ((position: number, report: TrialReport) => TrialReport | Promise<TrialReport>) | undefined;
}

/**
 * Takes each trial and each scenario as it finishes, and is waited for. `position` counts the selected scenarios from 0 in the order
 * of their declaration, whatever order they finish in. A sink that throws is a failure of the run, at stage `store`.
 */
export interface Sink {
  /**
   * Called once the selection is known, before anything is called for it. `say` puts a warning into the report and tells it to the reporters. Not called
   * where the suite or the selection is no good: then nothing was planned.
   */
  runStarted?(run: RunStarted, scenarios: readonly Scenario[], say: (code: string, message: string) => void): void | Promise<void>;
  /** Called for each trial that was started, before its scenario's `scenarioFinished`; for one whose stored result was taken only where that is another run's. */
  trialFinished?(position: number, id: string, trial: TrialReport, evidence?: Evidence): void | Promise<void>;
  /** Called exactly once for each selected scenario. */
  scenarioFinished(position: number, report: ScenarioReport): void | Promise<void>;
  /** Called for each warning the first time it is said. */
  warned?(warning: Warning): void | Promise<void>;
  /** Called after the last scenario and before the head is made: it waits until what was handed over is safe. */
  settled?(): void | Promise<void>;
  /** Called last. */
  runFinished?(head: ReportHead): void | Promise<void>;
}
