// Owns the runner: the face of `execute` for whoever wants a whole report in memory.

import { type Clock, systemClock } from "../core/clock.ts";
import { EntailError } from "../core/error.ts";
import type { Judge } from "../core/judge.ts";
import type { Report, ScenarioReport } from "../core/report.ts";
import type { Reporter } from "../core/reporter.ts";
import type { StopRule } from "../core/stop-rule.ts";
import type { JudgeMeasurement, Store } from "../core/store.ts";
import type { Suite } from "../core/suite.ts";
import { openTodos, todosError } from "../core/todo.ts";
import { createBudget } from "./budget.ts";
import { checkNames, checkOptions } from "./check-options.ts";
import { execute } from "./execute.ts";
import type { Lifecycle, Plan, Selection } from "./plan.ts";
import { recordRun } from "./record-run.ts";
import { newRunId } from "./run-id.ts";

export interface RunnerOptions extends Lifecycle {
  /** May be absent where no hook returns claims. */
  readonly judge?: Judge | undefined;
  /** How many scenarios, and trials of one, may be in flight at once; a positive whole number, and there is no default. */
  readonly maxConcurrency: number;
  readonly reporter?: Reporter | undefined;
  readonly reporters?: readonly Reporter[] | undefined;
  /** Beats what scenarios declare; 1 where neither does. */
  readonly trials?: number | undefined;
  /** When the trials of a scenario may end before all have run; never when absent. */
  readonly stopEarly?: StopRule | undefined;
  /** How often an errored trial is tried again; 0 when absent. */
  readonly retries?: number | undefined;
  /** Beats what scenarios declare. */
  readonly timeoutMs?: number | undefined;
  /** A missed threshold makes the report not passed. */
  readonly strict?: boolean | undefined;
  /** No scenario starts after so many of them failed or errored. */
  readonly bail?: number | undefined;
  /** A run is cancelled after so long. */
  readonly maxTimeMs?: number | undefined;
  /** Nothing starts once each run has cost so many US dollars, as far as costs are known; the rest is cancelled. */
  readonly maxCost?: number | undefined;
  /** The same for tokens, input and output together. */
  readonly maxTokens?: number | undefined;
  /** Keeps each run as it happens, and knows how long scenarios took before; nothing is kept when absent. It stays open. */
  readonly store?: Store | undefined;
  /** What judges were measured to be, beside what `store` knows: the report then has corrected rates. */
  readonly measurements?: readonly JudgeMeasurement[] | undefined;
  /** The system's when absent. */
  readonly clock?: Clock | undefined;
  /** UUIDs of version 7 when absent. */
  readonly newRunId?: (() => string) | undefined;
}

const OPTIONS = [
  "judge",
  "maxConcurrency",
  "reporter",
  "reporters",
  "trials",
  "stopEarly",
  "retries",
  "timeoutMs",
  "strict",
  "bail",
  "maxTimeMs",
  "maxCost",
  "maxTokens",
  "store",
  "measurements",
  "clock",
  "newRunId",
  "beforeAll",
  "afterAll",
  "beforeEach",
  "afterEach",
] as const satisfies readonly (keyof RunnerOptions)[];

export interface RunOptions {
  /** Aborting it ends the run; the report then says what was done. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Each method resolves with a report, also where the suite, the selection or the calibration is at fault: then `report.error` says so.
 * They reject only on a programming error.
 */
export interface Runner {
  run(suite: Suite, options?: RunOptions): Promise<Report>;
  /** The scenarios of these ids, in the order of their declaration. */
  runScenarios<Id extends string>(suite: Suite<Id>, ids: readonly NoInfer<Id>[], options?: RunOptions): Promise<Report>;
  /** The scenarios with at least one of these tags. */
  runTags<Tag extends string>(suite: Suite<string, Tag>, tags: readonly NoInfer<Tag>[], options?: RunOptions): Promise<Report>;
}

/** Throws `concurrency_not_positive`, `trials_not_positive`, `retries_negative`, `option_invalid` or `eval_todo_open`. */
export function createRunner(options: RunnerOptions): Runner {
  if (typeof options !== "object" || options === null) throw new EntailError("option_invalid", "createRunner needs options: { maxConcurrency } at least");
  const open = openTodos(options as unknown as Readonly<Record<string, unknown>>);
  if (open.length > 0) throw todosError(open);
  checkNames(options, OPTIONS, "createRunner");
  const { judge, maxConcurrency, reporter, reporters = [], trials, stopEarly, retries, timeoutMs, strict, bail, maxTimeMs, maxCost, maxTokens, store, measurements = [], clock = systemClock, beforeAll, afterAll, beforeEach, afterEach } = options;
  if (!Array.isArray(reporters)) throw new EntailError("option_invalid", "createRunner: reporters must be a list of reporters");
  const shared: Omit<Plan, "suite" | "selection" | "signal"> = {
    judge,
    maxConcurrency,
    trials,
    stopEarly,
    retries,
    timeoutMs,
    strict,
    bail,
    maxTimeMs,
    clock,
    lifecycle: { beforeAll, afterAll, beforeEach, afterEach },
    newRunId: options.newRunId ?? newRunId,
    reporters: reporter === undefined ? [...reporters] : [reporter, ...reporters],
    measurements: () => measurements,
  };
  if (!Array.isArray(measurements)) throw new EntailError("option_invalid", "measurements must be a list of what measurementOf gives or entail judge test --output writes");
  checkOptions(shared);
  createBudget({ maxCost, maxTokens });

  async function start(suite: Suite, selection: Selection, runOptions: RunOptions = {}): Promise<Report> {
    checkNames(runOptions, ["signal"], "a run");
    if ("aborted" in runOptions) throw new EntailError("option_invalid", "give the signal as { signal }");
    const { signal } = runOptions;
    const todos = openTodos({ suite });
    if (todos.length > 0) throw todosError(todos);
    const scenarios: ScenarioReport[] = [];
    const plan: Plan = { ...shared, budget: createBudget({ maxCost, maxTokens }), suite, selection, signal, ...(store !== undefined && (await knownOf(store, suite.id, measurements))) };
    const recorder = store === undefined ? undefined : recordRun({ store, plan, invocationId: await beginInvocation(store) });
    const head = await execute(plan, {
      ...recorder,
      scenarioFinished(position, report) {
        scenarios[position] = report;
        return recorder?.scenarioFinished(position, report);
      },
    });
    return Object.freeze({ ...head, scenarios: Object.freeze(scenarios) });
  }

  async function beginInvocation(to: Store): Promise<string> {
    const id = newRunId();
    await to.beginInvocation({ id, startedAt: new Date(clock.now()).toISOString(), command: [], cwd: globalThis.process?.cwd?.() ?? "" });
    return id;
  }

  return {
    run: (suite, runOptions) => start(suite, { kind: "all" }, runOptions),
    runScenarios: (suite, ids, runOptions) => start(suite, { kind: "scenarios", ids }, runOptions),
    runTags: (suite, tags, runOptions) => start(suite, { kind: "tags", tags }, runOptions),
  };
}

/** What earlier runs tell of a suite. A store that cannot be read tells nothing. */
async function knownOf(store: Store, suiteId: string, measurements: readonly JudgeMeasurement[]): Promise<Pick<Plan, "durationOf" | "measurements">> {
  const durations = await store.durations(suiteId).catch(() => undefined);
  return { measurements: async () => [...measurements, ...(await store.measurements().catch(() => []))], ...(durations !== undefined && { durationOf: (id: string) => durations.get(id) }) };
}
