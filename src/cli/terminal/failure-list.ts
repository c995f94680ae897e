// Owns the failures of an invocation until they are told: what failed alike is kept once, with its count.

import type { Outcome } from "../../core/outcome.ts";
import type { ScenarioReport } from "../../core/report.ts";

export interface FailedScenario {
  /** Counts the suites of the invocation from 0. */
  readonly suite: number;
  readonly id: string;
}

export interface FailureGroup {
  readonly outcome: Outcome;
  /** The report of the first of them. */
  readonly report: ScenarioReport;
  /** The first of them; at most `MAX_NAMES`. */
  readonly scenarios: readonly FailedScenario[];
  readonly count: number;
}

export interface FailureList {
  /** True where nothing failed like this before. `likeness` is its reasons as text. */
  add(scenario: FailedScenario, report: ScenarioReport, likeness: string): boolean;
  groups(): readonly FailureGroup[];
  /** Failures that are in the report alone, because there were too many different ones. */
  untold(): number;
}

/** A person reads no more, and each is kept whole. */
const MAX_GROUPS = 200;
const MAX_NAMES = 100;

export function createFailureList(): FailureList {
  const groups = new Map<string, { readonly outcome: Outcome; readonly report: ScenarioReport; readonly scenarios: FailedScenario[]; count: number }>();
  let untold = 0;
  return {
    add(scenario, report, likeness) {
      const key = `${report.outcome}\n${likeness}`;
      const group = groups.get(key);
      if (group !== undefined) {
        group.count += 1;
        if (group.scenarios.length < MAX_NAMES) group.scenarios.push(scenario);
        return false;
      }
      if (groups.size >= MAX_GROUPS) {
        untold += 1;
        return true;
      }
      groups.set(key, { outcome: report.outcome, report, scenarios: [scenario], count: 1 });
      return true;
    },
    groups: () => [...groups.values()],
    untold: () => untold,
  };
}
