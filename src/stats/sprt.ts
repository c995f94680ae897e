// Owns the sequential probability ratio test: stopping trials as soon as the answer is in, without crying too often.

import { EntailError } from "../core/error.ts";
import { requireCount, requireInside } from "./argument.ts";

export interface SprtOptions {
  /** The pass rate that is not good enough. */
  readonly p0: number;
  /** The pass rate that is; above `p0`. */
  readonly p1: number;
  /** The chance to accept `p1` where `p0` holds; 0.05 when absent. */
  readonly alpha?: number;
  /** The chance to accept `p0` where `p1` holds; 0.1 when absent. */
  readonly beta?: number;
}

export type SprtDecision = "accept_p1" | "accept_p0" | "continue";

export interface Sprt {
  /** `ln((1 - β)/α)`: at or above it `p1` is accepted. */
  readonly upper: number;
  /** `ln(β/(1 - α))`: at or below it `p0` is accepted. */
  readonly lower: number;
  /** `ln(p1/p0)`, added by a pass. */
  readonly passStep: number;
  /** `ln((1-p1)/(1-p0))`, added by a fail. */
  readonly failStep: number;
  logRatio(passed: number, failed: number): number;
  /** To be asked after each scored trial; the first answer other than `continue` stands. */
  decide(passed: number, failed: number): SprtDecision;
}

/**
 * The test of `p0` against `p1` by independent trials of one scenario, asked after each.
 *
 * For trials that may stop early; report `p0`, `p1`, `alpha`, `beta` and the trials left out. Looking at a test of fixed size again and again would
 * cry 18.7 % of the time instead of 5 %. Wald 1945. Never `null`. Throws `value_invalid` unless `0 < p0 < p1 < 1` and `alpha + beta < 1`.
 */
export function sprt(options: SprtOptions): Sprt {
  const { p0, p1, alpha = 0.05, beta = 0.1 } = options;
  for (const [name, value] of [["p0", p0], ["p1", p1], ["alpha", alpha], ["beta", beta]] as const) requireInside("sprt", name, value);
  if (p0 >= p1) throw new EntailError("value_invalid", `sprt: "p0" (${p0}) must be below "p1" (${p1})`);
  if (alpha + beta >= 1) throw new EntailError("value_invalid", `sprt: "alpha" and "beta" together must be below 1, not ${alpha + beta}`);
  const upper = Math.log((1 - beta) / alpha);
  const lower = Math.log(beta / (1 - alpha));
  const passStep = Math.log(p1 / p0);
  const failStep = Math.log((1 - p1) / (1 - p0));
  const logRatio = (passed: number, failed: number): number => {
    requireCount("sprt", "passed", passed);
    requireCount("sprt", "failed", failed);
    return passed * passStep + failed * failStep;
  };
  return {
    upper,
    lower,
    passStep,
    failStep,
    logRatio,
    decide: (passed, failed) => {
      const ratio = logRatio(passed, failed);
      if (ratio >= upper) return "accept_p1";
      return ratio <= lower ? "accept_p0" : "continue";
    },
  };
}
