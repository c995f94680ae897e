// Owns `runEvals`: data, a target and what must hold, from one call to one result. Its items are scenarios, and the one engine runs them.

import { systemClock } from "../core/clock.ts";
import { EntailError } from "../core/error.ts";
import type { Judge } from "../core/judge.ts";
import type { Report, ScenarioReport, TrialReport } from "../core/report.ts";
import type { Reporter } from "../core/reporter.ts";
import type { Store } from "../core/store.ts";
import { checkNames, checkOptions } from "../run/check-options.ts";
import { execute } from "../run/execute.ts";
import type { Plan } from "../run/plan.ts";
import { recordRun } from "../run/record-run.ts";
import { newRunId } from "../run/run-id.ts";
import { type Attempt, compileData, type DataOptions } from "./compile-data.ts";
import type { DataItem } from "./data-item.ts";
import { completedItem, type EvalItem, evalItem, evalsResult, type EvalsResult } from "./evals-result.ts";
import type { ScoreTally } from "./score-tally.ts";
import { thrownError } from "./thrown-error.ts";

/** What `onItemComplete` is told, in Mastra's words. */
export interface CompletedItem {
  readonly item: DataItem;
  // `any`: what a target gives is its own; Mastra's type says no more.
  readonly targetResult: any;
  readonly scorerResults: any;
}

export interface RunEvalsOptions extends DataOptions {
  /** Items at once; 1 when absent. `Infinity` for all of them. */
  readonly concurrency?: number | undefined;
  /** Called for each item that got its answers, after its scores were saved, and waited for. What it throws is thrown once all items have ended. */
  readonly onItemComplete?: ((completed: CompletedItem) => void | Promise<void>) | undefined;
  /** Needed as soon as an item or a turn carries claims. It is calibrated first. */
  readonly judge?: Judge | undefined;
  /** `collect` when absent: an item that breaks is told in the result, and every other keeps its own. `throw`: the first one ends the run, as in Mastra. */
  readonly onError?: "collect" | "throw" | undefined;
  /** How often an errored item is tried again; 0 when absent. */
  readonly retries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly reporter?: Reporter | undefined;
  /** Where the run is kept; nowhere when absent. `openStore` of `entail/store` opens one. */
  readonly store?: Store | undefined;
}

const OPTIONS = [
  "target", "data", "gates", "scorers", "targetOptions", "name", "timeoutMs", "trials", "compat", "concurrency", "onItemComplete", "judge", "onError", "retries", "signal", "reporter", "store",
] as const satisfies readonly (keyof RunEvalsOptions)[];

/**
 * Sends each item to the target, scores what came back, and resolves with the scores, the verdict and every item by itself. Rejects before anything is
 * called with `data_invalid`, `scorer_invalid` or `option_invalid` (`error.id` is Mastra's), and afterwards only with what `onItemComplete` threw or, with
 * `onError: "throw"`, with the first item's error.
 */
export async function runEvals(options: RunEvalsOptions): Promise<EvalsResult> {
  if (typeof options !== "object" || options === null) throw new EntailError("option_invalid", "runEvals needs { target, data } and at least one scorer, gate or claim");
  checkNames(options, OPTIONS, "runEvals");
  const { onItemComplete, judge, onError = "collect", retries, reporter, store, trials, timeoutMs, signal } = options;
  const reporters = reporter === undefined ? [] : [reporter];
  const items: EvalItem[] = [];
  // All of them at once, however many there are.
  const data: unknown = await options.data;
  const maxConcurrency = options.concurrency === Number.POSITIVE_INFINITY ? Math.max(1, (Array.isArray(data) ? data.length : 1) * (trials ?? 1)) : (options.concurrency ?? 1);
  checkOptions({ judge, maxConcurrency, trials, retries, timeoutMs, reporters, signal, clock: systemClock, bail: undefined, maxTimeMs: undefined, lifecycle: undefined });
  if (!["collect", "throw"].includes(onError)) throw new EntailError("option_invalid", 'onError must be "collect" or "throw"');
  if (onItemComplete !== undefined && typeof onItemComplete !== "function") throw new EntailError("option_invalid", "onItemComplete must be a function");
  const runId = newRunId();
  const attempts = new Map<string, Attempt[]>();
  let tally: ScoreTally | undefined;
  const compiled = await compileData({ ...options, data: data as readonly DataItem[] }, {
    runId,
    onAttempt: (attempt) => keep(attempts, attempt),
    onTally: (made) => void (tally = made),
  });
  const stop = new AbortController();
  const scenarios: ScenarioReport[] = [];
  let callbackThrew: { readonly thrown: unknown } | undefined;
  let firstError: EntailError | undefined;

  async function finished(position: number, report: ScenarioReport): Promise<void> {
    const attempt = decidingAttempt(attempts.get(report.id) ?? [], report);
    attempts.delete(report.id);
    scenarios[position] = report;
    items[position] = evalItem(position, report, attempt);
    if (report.outcome === "errored" && onError === "throw" && firstError === undefined) {
      firstError = thrownError(report, attempt);
      stop.abort(firstError);
    }
    if (onItemComplete === undefined || attempt?.measured === undefined || attempt.thrown !== undefined) return;
    try {
      await onItemComplete(completedItem(attempt));
    } catch (thrown) {
      callbackThrew ??= { thrown };
    }
  }

  const plan: Plan = {
    suite: compiled.suite,
    selection: { kind: "all" },
    judge,
    maxConcurrency,
    retries,
    signal: onError === "throw" ? anySignal(signal, stop.signal) : signal,
    clock: systemClock,
    newRunId: () => runId,
    reporters,
  };
  const recorder = store === undefined ? undefined : recordRun({ store, plan, invocationId: await beginInvocation(store) });
  const head = await execute(plan, {
    ...recorder,
    async scenarioFinished(position, report) {
      await finished(position, report);
      await recorder?.scenarioFinished(position, report);
    },
  });
  if (head.error?.stage === "selection" && scenarios.length === 0) throw new EntailError("data_invalid", head.error.message, { stage: "selection", id: "INVALID_DATA_ITEM" });
  if (firstError !== undefined) throw firstError;
  if (callbackThrew !== undefined) throw callbackThrew.thrown;
  const report: Report = Object.freeze({ ...head, scenarios: Object.freeze(scenarios) });
  return evalsResult({ compiled, aggregates: tally?.aggregates() ?? [], items, report, runId });
}

async function beginInvocation(store: Store): Promise<string> {
  const id = newRunId();
  await store.beginInvocation({ id, startedAt: new Date(systemClock.now()).toISOString(), command: [], cwd: process.cwd() });
  return id;
}

function keep(attempts: Map<string, Attempt[]>, attempt: Attempt): void {
  const { id } = attempt.item;
  const before = attempts.get(id);
  if (before === undefined) attempts.set(id, [attempt]);
  else before.push(attempt);
}

/** Of the trial that the item's report tells, its last attempt. */
function decidingAttempt(attempts: readonly Attempt[], { trials, startedAt, outcome }: ScenarioReport): Attempt | undefined {
  if (trials === undefined) return attempts.at(-1);
  const decides = (trial: TrialReport): boolean => trial.startedAt === startedAt && (trial.outcome === outcome || outcome === "passed" || outcome === "scored" || outcome === "failed");
  const deciding = trials.find((trial) => decides(trial) && trial.outcome !== "passed") ?? trials.find(decides) ?? trials[0];
  return attempts.findLast(({ trial }) => trial === deciding?.trial) ?? attempts.at(-1);
}

function anySignal(given: AbortSignal | undefined, own: AbortSignal): AbortSignal {
  return given === undefined ? own : AbortSignal.any([given, own]);
}
