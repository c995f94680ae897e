// Owns the check of what a caller asks of a run, before anything is looked at or started.

import { MAX_DURATION_MS } from "../core/duration.ts";
import { EntailError, type ErrorCode } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Plan } from "./plan.ts";
import { checkStopRule } from "./stop-early.ts";

export type CheckedOptions = Pick<Plan, "judge" | "maxConcurrency" | "trials" | "stopEarly" | "retries" | "timeoutMs" | "strict" | "bail" | "maxTimeMs" | "lifecycle" | "reporters" | "clock" | "signal">;

const LIFECYCLE = ["beforeAll", "afterAll", "beforeEach", "afterEach"] as const;

/** Throws `concurrency_not_positive`, `trials_not_positive`, `retries_negative` or `option_invalid`. */
export function checkOptions({ judge, maxConcurrency, trials, stopEarly, retries, timeoutMs, strict, bail, maxTimeMs, lifecycle = {}, reporters, clock, signal }: CheckedOptions): void {
  if (!isPositive(maxConcurrency)) throw invalid("concurrency_not_positive", `maxConcurrency must be a positive whole number, not ${String(maxConcurrency)}`);
  if (trials !== undefined && !isPositive(trials)) throw invalid("trials_not_positive", `trials must be a positive whole number, not ${String(trials)}`);
  if (stopEarly !== undefined) checkStopRule(stopEarly, "stopEarly");
  if (retries !== undefined && !(Number.isSafeInteger(retries) && retries >= 0)) throw invalid("retries_negative", `retries must be a whole number, 0 or more, not ${String(retries)}`);
  if (bail !== undefined && !isPositive(bail)) throw invalid("option_invalid", `bail must be a positive whole number, not ${String(bail)}`);
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== "function") throw invalid("option_invalid", "signal must be an AbortSignal: the signal of a controller, not the controller");
  duration("timeoutMs", timeoutMs);
  duration("maxTimeMs", maxTimeMs);
  if (judge !== undefined && typeof (judge as { readonly judge?: unknown } | null)?.judge !== "function") throw invalid("option_invalid", "judge must be a judge: an object with a function judge, as createJudge makes it");
  for (const name of LIFECYCLE) {
    const hook: unknown = lifecycle[name];
    if (hook !== undefined && typeof hook !== "function") throw invalid("option_invalid", `${name} must be a function, not ${typeof hook}`);
  }
  if (strict !== undefined && typeof strict !== "boolean") throw invalid("option_invalid", `strict must be true or false, not ${String(strict)}`);
  for (const reporter of reporters as readonly unknown[]) {
    if (typeof reporter !== "object" || reporter === null) throw invalid("option_invalid", "a reporter must be an object with functions such as scenarioFinished");
  }
  if (typeof clock?.now !== "function" || typeof clock.elapsed !== "function" || typeof clock.sleep !== "function") throw invalid("option_invalid", "clock must have the functions now, elapsed and sleep");
}

/** Throws `option_invalid` for an option that `what` does not have. */
export function checkNames(options: object, known: readonly string[], what: string): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw invalid("option_invalid", `${what} has no option ${JSON.stringify(name)}${didYouMean(name, known)}`);
  }
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function duration(name: string, ms: number | undefined): void {
  if (ms !== undefined && !(typeof ms === "number" && ms > 0 && ms <= MAX_DURATION_MS)) {
    throw invalid("option_invalid", `${name} must be a positive number of milliseconds, 24 days at most, not ${String(ms)}`);
  }
}

function invalid(code: ErrorCode, message: string): EntailError {
  return new EntailError(code, message);
}
