// Owns pass^k: the chance that all of `k` trials pass.

import { requireCountOf, requirePositiveCount } from "./argument.ts";
import type { ScenarioCount } from "./nested.ts";
import { overScenarios, type OverScenarios } from "./over-scenarios.ts";

/**
 * The unbiased chance that all of `k` trials pass, from `c` passes in `n` scored trials: `C(c, k) / C(n, k) = Π_{i=0..k-1} (c - i)/(n - i)`.
 *
 * For "does it every time": what a user of an agent meets. Not `(c/n)^k`, which is biased upwards. With `k = n` its variance is largest; report a
 * smaller `k` beside it. Yao et al. 2024 (arXiv 2406.12045). `null` when `k > n`. Throws `value_invalid` unless `0 <= c <= n`, all whole, and `k >=
 * 1`.
 */
export function passHatK(n: number, c: number, k: number): number | null {
  requireCountOf("passHatK", "c", c, "n", n);
  requirePositiveCount("passHatK", "k", k);
  if (k > n) return null;
  if (c < k) return 0;
  let all = 1;
  for (let i = 0; i < k; i += 1) all *= (c - i) / (n - i);
  return all;
}

/**
 * The mean of `passHatK` over scenarios, with the standard error over scenarios. `null` where some scenario has fewer than `k` scored trials or there
 * is none. Throws as `passHatK`.
 */
export function meanPassHatK(scenarios: readonly ScenarioCount[], k: number): OverScenarios | null {
  return overScenarios("meanPassHatK", scenarios, (scenario) => passHatK(scenario.scored, scenario.passed, k));
}
