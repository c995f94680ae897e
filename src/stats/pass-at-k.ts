// Owns pass@k: the chance that at least one of `k` trials passes.

import { requireCountOf, requirePositiveCount } from "./argument.ts";
import { overScenarios, type OverScenarios } from "./over-scenarios.ts";
import type { ScenarioCount } from "./nested.ts";

/**
 * The unbiased chance that at least one of `k` trials passes, from `c` passes in `n` scored trials: `1 - C(n-c, k) / C(n, k) = 1 - Π_{i=n-c+1..n} (1
 * - k/i)`.
 *
 * For "can it at all": the best of `k`. Not `1 - (1 - c/n)^k`, which is biased. Chen et al. 2021 (arXiv 2107.03374). `null` when `k > n`. Throws
 * `value_invalid` unless `0 <= c <= n`, all whole, and `k >= 1`.
 */
export function passAtK(n: number, c: number, k: number): number | null {
  requireCountOf("passAtK", "c", c, "n", n);
  requirePositiveCount("passAtK", "k", k);
  if (k > n) return null;
  if (n - c < k) return 1;
  let none = 1;
  for (let i = n - c + 1; i <= n; i += 1) none *= 1 - k / i;
  return 1 - none;
}

/**
 * The mean of `passAtK` over scenarios, with the standard error over scenarios. `null` where some scenario has fewer than `k` scored trials (a
 * smaller set of scenarios would not be the same question) or there is none. Throws as `passAtK`.
 */
export function meanPassAtK(scenarios: readonly ScenarioCount[], k: number): OverScenarios | null {
  return overScenarios("meanPassAtK", scenarios, (scenario) => passAtK(scenario.scored, scenario.passed, k));
}
