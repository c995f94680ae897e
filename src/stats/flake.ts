// Owns flakiness: scenarios that pass one time and fail the next.

import type { Stability } from "../core/report.ts";
import { requireCount, requireCountOf, requireInside, requireLevel, requireList, requireShare, refuse } from "./argument.ts";
import { binomialCdf } from "./binomial.ts";

export type { Stability } from "../core/report.ts";

/** What the scored trials of one scenario and revision say. Throws `value_invalid` unless `0 <= passed <= scored`, both whole. */
export function stability(passed: number, scored: number): Stability {
  requireCountOf("stability", "passed", passed, "scored", scored);
  if (scored === 0) return "unscored";
  if (passed === scored) return "stable_pass";
  return passed === 0 ? "stable_fail" : "flaky";
}

/**
 * Trials needed to see a failure of rate `f` at least once with chance `level`: `⌈ln(1 - level) / ln(1 - f)⌉`; 59 for 5 % at 0.95. `null` when `f` is
 * 0: it is never seen. Throws `value_invalid` unless `f` is a share.
 */
export function trialsToSee(f: number, level = 0.95): number | null {
  requireShare("trialsToSee", "f", f);
  requireLevel("trialsToSee", level);
  if (f === 0) return null;
  // A share of 1 - level that is hit exactly must not cost a trial more by rounding.
  return f === 1 ? 1 : Math.ceil(Math.log(1 - level) / Math.log1p(-f) - 1e-9);
}

/**
 * The pass rate that `retries` retries after a failure would show for a true one of `p`: `1 - (1-p)^(r+1)`. Why a failure is never retried: 0.6 would
 * look like 0.936. Never `null`. Throws `value_invalid` unless `p` is a share and `retries` a whole number from 0.
 */
export function maskedPassRate(p: number, retries: number): number {
  requireShare("maskedPassRate", "p", p);
  requireCount("maskedPassRate", "retries", retries);
  return 1 - (1 - p) ** (retries + 1);
}

/**
 * The share of neighbours in a sequence of equal questions that differ, from 0 to 1. `null` with fewer than two. Throws `value_invalid` unless it is
 * a list.
 */
export function flipRate(sequence: readonly (string | number | boolean)[]): number | null {
  requireList("flipRate", "sequence", sequence);
  if (sequence.length < 2) return null;
  let flips = 0;
  for (let index = 1; index < sequence.length; index += 1) if (sequence[index] !== sequence[index - 1]) flips += 1;
  return flips / (sequence.length - 1);
}

/**
 * The chance of at least `fails` failures in `n` trials of a scenario that fails at its usual rate `f`: small where it is a regression and not its
 * flake. Never `null`. Throws `value_invalid` unless `0 <= fails <= n`, both whole, and `f` is between 0 and 1.
 */
export function flakeTail(fails: number, n: number, f: number): number {
  requireCountOf("flakeTail", "fails", fails, "n", n);
  requireInside("flakeTail", "f", f);
  // By the passes, so that a small tail keeps its digits.
  return fails === 0 ? 1 : binomialCdf(n - fails, n, 1 - f);
}

/** `-p log₂ p - (1-p) log₂(1-p)`: how unsettled a scenario is, from 0 to 1 bit. Throws `value_invalid` unless `p` is a share. */
export function passEntropy(p: number): number {
  if (typeof p !== "number" || !(p >= 0 && p <= 1)) refuse("passEntropy", "p", "from 0 to 1", p);
  const part = (share: number): number => (share === 0 ? 0 : -share * Math.log2(share));
  return part(p) + part(1 - p);
}
