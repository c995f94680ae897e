// Owns the mean over scenarios of a number that each scenario has for itself.

import { requireList } from "./argument.ts";
import { standardError, sum } from "./mean.ts";
import type { ScenarioCount } from "./nested.ts";

export interface OverScenarios {
  readonly mean: number;
  /** Over scenarios; `null` with one scenario. */
  readonly standardError: number | null;
  readonly scenarios: number;
}

/** `null` without a scenario, or where one has no value. */
export function overScenarios(owner: string, scenarios: readonly ScenarioCount[], measure: (scenario: ScenarioCount) => number | null): OverScenarios | null {
  requireList(owner, "scenarios", scenarios);
  const values: number[] = [];
  let missing = scenarios.length === 0;
  for (const scenario of scenarios) {
    const value = measure(scenario);
    if (value === null) missing = true;
    else values.push(value);
  }
  return missing ? null : { mean: sum(values) / values.length, standardError: standardError(values), scenarios: values.length };
}
