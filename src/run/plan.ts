// Owns the plan of a run and the sink that takes what comes of it: all that `execute` is told, and all that it hands on.

import type { Clock } from "../core/clock.ts";
import type { Evidence } from "../core/evidence.ts";
import type { Judge } from "../core/judge.ts";
import type { Outcome } from "../core/outcome.ts";
import type { CalibrationReport, ReportError, ScenarioReport, TrialReport } from "../core/report.ts";
import type { Reporter } from "../core/reporter.ts";
import type { Scope } from "../core/scope.ts";
import type { Suite } from "../core/suite.ts";

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
  readonly retries?: number | undefined;
  /** Beats what a scenario declares. */
  readonly timeoutMs?: number | undefined;
  /** A missed threshold makes the run not passed. */
  readonly strict?: boolean | undefined;
  /** No scenario starts after so many of them failed or errored; those that are known to fail do not count. */
  readonly bail?: number | undefined;
  /** The run is cancelled after so long. */
  readonly maxTimeMs?: number | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
  readonly newRunId: () => string;
  readonly reporters: readonly Reporter[];
  readonly calibrations?: Calibrations | undefined;
  /** A scenario's measured duration in milliseconds, where one is known: the longest go first. */
  readonly durationOf?: ((scenarioId: string) => number | undefined) | undefined;
}

/**
 * Takes each trial and each scenario as it finishes, and is waited for. `position` counts the selected scenarios from 0 in the order
 * of their declaration, whatever order they finish in. A sink that throws is a failure of the run, at stage `store`.
 */
export interface Sink {
  /** Called for each trial that was started, before its scenario's `scenarioFinished`. */
  trialFinished?(position: number, id: string, trial: TrialReport, evidence?: Evidence): void | Promise<void>;
  /** Called exactly once for each selected scenario. */
  scenarioFinished(position: number, report: ScenarioReport): void | Promise<void>;
}
