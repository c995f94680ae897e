// Owns the evaluation: what an eval file exports, marked so that the command knows it; and the type of a project's configuration.

import type { AnyTarget } from "./core/any-target.ts";
import type { DataItem, Scorers } from "./core/data-item.ts";
import { MAX_DURATION_MS, parseDuration } from "./core/duration.ts";
import { EntailError, type ErrorCode } from "./core/error.ts";
import { isItemId } from "./core/identifier.ts";
import type { Judge } from "./core/judge.ts";
import { didYouMean } from "./core/nearest.ts";
import type { Reporter } from "./core/reporter.ts";
import type { StopRule } from "./core/stop-rule.ts";
import type { Suite } from "./core/suite.ts";
import { todoText } from "./core/todo.ts";
import { type Variants, variantsOf } from "./core/variant.ts";
import type { Lifecycle } from "./run/plan.ts";
import type { ScorerEntry } from "./score/scorer-entry.ts";
import { checkStopRule } from "./run/stop-early.ts";

/** A registered symbol: the mark holds across two copies of the package and two module systems. */
export const EVALUATION: unique symbol = Symbol.for("entail.evaluation") as never;

export interface EvaluationOptions extends Lifecycle {
  readonly suite: Suite;
  /** Needed as soon as a hook returns a claim; the configuration's judge when absent. */
  readonly judge?: Judge | undefined;
  /** How many scenarios of this suite may run at once. */
  readonly maxConcurrency?: number | undefined;
  readonly reporter?: Reporter | undefined;
  /** How often each scenario is executed. Beats what a scenario declares. */
  readonly trials?: number | undefined;
  /** When the trials of a scenario may end before all have run: by Wald's test or by an e-value, and never otherwise. With it they run one after the other. */
  readonly stopEarly?: StopRule | undefined;
  /** What may differ from run to run, with the names of its values: `{ model: ["small", "large"] }`. A hook finds its own in `ctx.variant`; `entail run --matrix` runs them all. */
  readonly variants?: Variants | undefined;
  /** How often an errored trial is tried again; a failed one never is. */
  readonly retries?: number | undefined;
  /** A duration such as `90s`. Beats what a scenario declares. */
  readonly timeout?: string | undefined;
  /** A missed threshold makes the run not passed. */
  readonly strict?: boolean | undefined;
  /** Names the version of the agent under test. */
  readonly subject?: string | undefined;
}

/** Data and a target instead of a suite: each item is a scenario, and the suite's verdict goes by all of them together. */
export interface DataEvaluationOptions extends Omit<EvaluationOptions, "suite"> {
  /** The suite's id. */
  readonly name: string;
  /** A list, or what gives one: `dataset("cases.csv")` of `entail/conversation`, which is then read only when it is to run. */
  readonly data: readonly DataItem<ScorerEntry>[] | PromiseLike<readonly DataItem<ScorerEntry>[]>;
  /** An agent or a workflow of Mastra's, a target of an adapter, an agent of the AI SDK, or a function. */
  readonly target: AnyTarget;
  /** Must score 1 for every item. */
  readonly gates?: readonly ScorerEntry[] | undefined;
  readonly scorers?: Scorers<ScorerEntry> | undefined;
  /** The options of each call, in the target's own words. */
  readonly targetOptions?: Readonly<Record<string, any>> | undefined;
  readonly compat?: "mastra" | undefined;
}

/** What an eval file exports by default, alone or in a list. */
export interface Evaluation {
  readonly [EVALUATION]: EvaluationOptions | DataEvaluationOptions;
}

/** What `entail.config.ts` exports by default. Paths are relative to its folder. */
export interface Config {
  /** Files, or patterns for files, with a design as default export; `design/*.ts` when absent. */
  readonly design?: string | readonly string[] | undefined;
  /** Files, folders or patterns of eval files; every `*.eval.ts` below the configuration's folder when absent. */
  readonly evals?: string | readonly string[] | undefined;
  readonly maxConcurrency?: number | undefined;
  /** Names as of `--reporter` (`terminal`, `plain` or `none`; `github`, `jsonl`), and reporters of your own beside them. */
  readonly reporters?: readonly (string | Reporter)[] | undefined;
  /** For evaluations that bring none. */
  readonly judge?: Judge | undefined;
  /** Where runs are kept: a path, or an address as `openStore` takes it; `.entail/entail.db` when absent, nowhere when `false`. */
  readonly store?: string | false | undefined;
  /** Files that `entail judge test --output` wrote: with them, runs of these judges report corrected rates where no store has them. */
  readonly measurements?: string | readonly string[] | undefined;
  /** Read before any eval file. A variable that is set already keeps its value. */
  readonly envFile?: string | undefined;
  /** Names of environment variables whose values are masked, beside those that end in KEY, TOKEN, SECRET or PASSWORD. */
  readonly secrets?: readonly string[] | undefined;
}

export type ConfigOrFunction = Config | (() => Config | Promise<Config>);

const MEMBERS = {
  suite: true, judge: true, maxConcurrency: true, reporter: true, trials: true, stopEarly: true, variants: true, retries: true, timeout: true, strict: true, subject: true,
  beforeAll: true, afterAll: true, beforeEach: true, afterEach: true,
} as const satisfies Record<keyof EvaluationOptions, true>;

const DATA_MEMBERS = { name: true, data: true, target: true, gates: true, scorers: true, targetOptions: true, compat: true } as const satisfies Record<Exclude<keyof DataEvaluationOptions, keyof EvaluationOptions>, true>;

/** Gives the configuration back; it is there for its type. */
export function defineConfig<const C extends ConfigOrFunction>(config: C): C {
  return config;
}

/**
 * Marks an evaluation; nothing runs until `entail run` finds it, or until the process's own script is the `*.eval.*` file that calls
 * this. Throws `option_invalid` (`concurrency_not_positive`, `trials_not_positive`, `retries_negative`) for what can never run.
 */
export function evaluation(options: EvaluationOptions | DataEvaluationOptions): Evaluation {
  checkOptions(options);
  startDirectly();
  return Object.freeze({ [EVALUATION]: options });
}

/** The options of a marked evaluation; `undefined` for any other value. Never throws. */
export function evaluationOptions(value: unknown): EvaluationOptions | DataEvaluationOptions | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return (value as Partial<Evaluation>)[EVALUATION];
  } catch {
    return undefined;
  }
}

let direct: Promise<void> | undefined;

function startDirectly(): void {
  const script = ownEvalFile();
  if (script !== undefined) direct ??= import("./cli/direct.ts").then((module) => module.runDirectly(script));
}

/** The process's own script, where that is an eval file. */
function ownEvalFile(): string | undefined {
  const script = globalThis.process?.argv?.[1];
  return script !== undefined && /\.eval\.[cm]?[jt]sx?$/.test(script) ? script : undefined;
}

/** What an eval file throws before or in `evaluation()` is told by the command all the same: the direct run loads it and meets it again. */
function tellWhatItThrows(): void {
  if (ownEvalFile() === undefined || !process.getBuiltinModule("node:worker_threads").isMainThread) return;
  process.once("uncaughtException", startDirectly);
}

tellWhatItThrows();

/** True for an evaluation of data, which is compiled only when it is to run. */
export function isOfData(options: EvaluationOptions | DataEvaluationOptions): options is DataEvaluationOptions {
  return Object.hasOwn(options, "data");
}

function checkOptions(options: EvaluationOptions | DataEvaluationOptions): void {
  const given: unknown = options;
  if (typeof given !== "object" || given === null) refuse("option_invalid", "takes an object: { suite, judge, … }");
  const ofData = isOfData(options);
  const { suite: _suite, ...shared } = MEMBERS;
  const known = ofData ? { ...shared, ...DATA_MEMBERS } : MEMBERS;
  for (const member of Object.keys(given)) {
    if (!Object.hasOwn(known, member)) refuse("option_invalid", `has no member ${JSON.stringify(member)}${ofData && member === "suite" ? " beside data: give one of them" : didYouMean(member, Object.keys(known))}`);
  }
  const { judge, reporter, maxConcurrency, trials, stopEarly, variants, retries, timeout } = options;
  if (ofData) checkData(options);
  else if (typeof (options.suite as Suite | undefined)?.id !== "string" || !Array.isArray(options.suite.scenarios)) {
    refuse("option_invalid", "needs a suite: what newSuite or implement returns, or { id, description, scenarios }; or { name, data, target }");
  }
  const whole = (value: number | undefined, least: number): boolean => value === undefined || (Number.isSafeInteger(value) && value >= least);
  if (!whole(maxConcurrency, 1)) refuse("concurrency_not_positive", `needs a maxConcurrency of 1 or more, a whole number; not ${String(maxConcurrency)}`);
  if (!whole(trials, 1)) refuse("trials_not_positive", `needs trials of 1 or more, a whole number; not ${String(trials)}`);
  if (stopEarly !== undefined) checkStopRule(stopEarly, "evaluation(): stopEarly");
  if (variants !== undefined) variantsOf(variants, "evaluation()");
  if (!whole(retries, 0)) refuse("retries_negative", `needs retries of 0 or more, a whole number; not ${String(retries)}`);
  for (const name of ["beforeAll", "afterAll", "beforeEach", "afterEach"] as const) {
    if (options[name] !== undefined && typeof options[name] !== "function") refuse("option_invalid", `needs a function as its ${name}`);
  }
  if (judge !== undefined && todoText(judge) === undefined && typeof (judge as Judge | null)?.judge !== "function") refuse("option_invalid", "needs a judge as its judge: what createJudge returns, or { judge }");
  if (reporter !== undefined && (typeof reporter !== "object" || (reporter as unknown) === null)) refuse("option_invalid", "needs an object as its reporter, with functions such as scenarioFinished");
  if (timeout === undefined) return;
  const ms = typeof timeout === "string" ? parseDuration(timeout) : undefined;
  if (ms === undefined || !(ms > 0) || ms > MAX_DURATION_MS) {
    refuse("option_invalid", `needs a timeout such as "90s" or "1h30m", above 0 and at most 24 days; not ${typeof timeout === "string" ? JSON.stringify(timeout) : typeof timeout}`);
  }
}

/** The items and scorers are looked at when they are compiled. */
function checkData({ name, data, target }: DataEvaluationOptions): void {
  if (typeof name !== "string" || !isItemId(name)) refuse("option_invalid", "needs beside data a name, a text of 1 to 200 characters without control characters");
  if (!Array.isArray(data) && typeof (data as { readonly then?: unknown } | null)?.then !== "function") refuse("option_invalid", "needs a list as its data, or a dataset");
  if ((typeof target !== "object" && typeof target !== "function") || (target as unknown) === null) refuse("option_invalid", "needs beside data a target: an agent, a workflow, a target of an adapter, or a function");
}

function refuse(code: ErrorCode, message: string): never {
  throw new EntailError(code, `evaluation() ${message}`);
}
