// Owns the gate of `run --baseline`: the baselines are known before anything runs, and the comparison with them decides how the run ends.

import type { Comparison, ScenarioRef } from "../core/comparison.ts";
import type { Suite } from "../core/suite.ts";
import { EntailError } from "../core/error.ts";
import { comparableRun } from "../report/comparable-run.ts";
import { compareReports } from "../report/compare-reports.ts";
import { type BaselineFile, readBaselines } from "./baseline-file.ts";
import { displayPath } from "./path.ts";
import type { SuiteRun } from "./report-parts.ts";
import { suiteFacts } from "./scenario-facts.ts";

export interface GatedSuite {
  readonly suite: Suite;
  readonly subject?: string | undefined;
}

export interface GateOptions {
  /** The folder, or the one file, that holds the baselines. */
  readonly path: string;
  readonly cwd: string;
  readonly level?: number | undefined;
  readonly margin?: number | undefined;
  /** The suites that are about to run. */
  readonly suites: readonly GatedSuite[];
  /** Ids of suites that were found and are not run, since nothing of them was selected. */
  readonly left: readonly string[];
  /** Whether every eval file of the project takes part, so that a baseline whose suite was not found is a suite that is gone. */
  readonly whole: boolean;
}

export interface BaselineGate {
  /** Suites that have no baseline: all of theirs is new. */
  readonly without: readonly string[];
  compare(runs: readonly SuiteRun[]): Comparison;
}

/** Throws `baseline_missing` where none of the suites has one, or `baseline_unreadable`. */
export function openGate({ path, cwd, level, margin, suites, left, whole }: GateOptions): BaselineGate {
  const files = readBaselines(path, cwd);
  const ids = new Set(suites.map(({ suite }) => suite.id));
  const without = [...ids].filter((id) => !files.has(id));
  if (without.length === ids.size) {
    throw new EntailError("baseline_missing", `${displayPath(path, cwd)} holds no baseline of ${without.map((id) => JSON.stringify(id)).join(" or ")}: accept a run with npx entail baseline accept`);
  }
  const known = new Set([...ids, ...left]);
  const taken: readonly BaselineFile[] = [...files.values()].filter(({ baseline: { suiteId } }) => ids.has(suiteId) || (whole && !known.has(suiteId)));
  const declared = new Map(suites.map(({ suite }) => [suite.id, new Set(suite.scenarios.map(({ id }) => id))]));
  return {
    without,
    compare(runs) {
      const after = runs.map(({ head, scenarios }) => {
        const own = suites.find(({ suite }) => suite.id === head.suiteId);
        const facts = suiteFacts(own?.suite.scenarios ?? []);
        return comparableRun(head, scenarios(), { subject: own?.subject, scenario: (id) => facts.get(id) });
      });
      // What the suite still declares and the run does not hold was not selected.
      const unselected = ({ suite, id }: ScenarioRef): boolean => declared.get(suite)?.has(id) === true;
      return compareReports(taken.map(({ baseline }) => baseline), after, { level, margin, unselected, names: { before: "baseline", after: "this run" } });
    },
  };
}
