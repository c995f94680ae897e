// Owns the evaluation: what an eval file exports, marked so that the command knows it; and the type of a project's configuration.

import { MAX_DURATION_MS, parseDuration } from "./core/duration.ts";
import { EntailError, type ErrorCode } from "./core/error.ts";
import type { Judge } from "./core/judge.ts";
import { didYouMean } from "./core/nearest.ts";
import type { Reporter } from "./core/reporter.ts";
import type { Suite } from "./core/suite.ts";
import { todoText } from "./core/todo.ts";
import type { Lifecycle } from "./run/plan.ts";

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
  /** How often an errored trial is tried again; a failed one never is. */
  readonly retries?: number | undefined;
  /** A duration such as `90s`. Beats what a scenario declares. */
  readonly timeout?: string | undefined;
  /** A missed threshold makes the run not passed. */
  readonly strict?: boolean | undefined;
  /** Names the version of the agent under test. */
  readonly subject?: string | undefined;
}

/** What an eval file exports by default, alone or in a list. */
export interface Evaluation {
  readonly [EVALUATION]: EvaluationOptions;
}

/** What `entail.config.ts` exports by default. Paths are relative to its folder. */
export interface Config {
  /** Files, or patterns for files, with a design as default export; `design/*.ts` when absent. */
  readonly design?: string | readonly string[] | undefined;
  /** Files, folders or patterns of eval files; every `*.eval.ts` below the configuration's folder when absent. */
  readonly evals?: string | readonly string[] | undefined;
  readonly maxConcurrency?: number | undefined;
  /** `terminal`, `plain` or `none`, and reporters of your own beside it. */
  readonly reporters?: readonly (string | Reporter)[] | undefined;
  /** For evaluations that bring none. */
  readonly judge?: Judge | undefined;
  /** Read before any eval file. A variable that is set already keeps its value. */
  readonly envFile?: string | undefined;
  /** Names of environment variables whose values are masked, beside those that end in KEY, TOKEN, SECRET or PASSWORD. */
  readonly secrets?: readonly string[] | undefined;
}

export type ConfigOrFunction = Config | (() => Config | Promise<Config>);

const MEMBERS = {
  suite: true, judge: true, maxConcurrency: true, reporter: true, trials: true, retries: true, timeout: true, strict: true, subject: true,
  beforeAll: true, afterAll: true, beforeEach: true, afterEach: true,
} as const satisfies Record<keyof EvaluationOptions, true>;

/** Gives the configuration back; it is there for its type. */
export function defineConfig<const C extends ConfigOrFunction>(config: C): C {
  return config;
}

/**
 * Marks an evaluation; nothing runs until `entail run` finds it, or until the process's own script is the `*.eval.*` file that calls
 * this. Throws `option_invalid` (`concurrency_not_positive`, `trials_not_positive`, `retries_negative`) for what can never run.
 */
export function evaluation(options: EvaluationOptions): Evaluation {
  checkOptions(options);
  startDirectly();
  return Object.freeze({ [EVALUATION]: options });
}

/** The options of a marked evaluation; `undefined` for any other value. Never throws. */
export function evaluationOptions(value: unknown): EvaluationOptions | undefined {
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

function checkOptions(options: EvaluationOptions): void {
  const given: unknown = options;
  if (typeof given !== "object" || given === null) refuse("option_invalid", "takes an object: { suite, judge, … }");
  for (const member of Object.keys(given)) {
    if (!Object.hasOwn(MEMBERS, member)) refuse("option_invalid", `has no member ${JSON.stringify(member)}${didYouMean(member, Object.keys(MEMBERS))}`);
  }
  const { suite, judge, reporter, maxConcurrency, trials, retries, timeout } = options;
  if (typeof (suite as Suite | undefined)?.id !== "string" || !Array.isArray(suite.scenarios)) {
    refuse("option_invalid", "needs a suite: what newSuite or implement returns, or { id, description, scenarios }");
  }
  const whole = (value: number | undefined, least: number): boolean => value === undefined || (Number.isSafeInteger(value) && value >= least);
  if (!whole(maxConcurrency, 1)) refuse("concurrency_not_positive", `needs a maxConcurrency of 1 or more, a whole number; not ${String(maxConcurrency)}`);
  if (!whole(trials, 1)) refuse("trials_not_positive", `needs trials of 1 or more, a whole number; not ${String(trials)}`);
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

function refuse(code: ErrorCode, message: string): never {
  throw new EntailError(code, `evaluation() ${message}`);
}
