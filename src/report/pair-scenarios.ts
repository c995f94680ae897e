// Owns the pairing of two runs' scenarios, by suite and id: which can be compared, and by name which cannot and why.

import type { ComparableRun, ComparableScenario, NotCompared, ScenarioRef } from "../core/comparison.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Warning } from "../core/report.ts";
import { renamedScenarios } from "./rename.ts";

export interface ComparedPair extends ScenarioRef {
  /** Its id in the first run, where it was renamed. */
  readonly from?: string | undefined;
  readonly before: ComparableScenario;
  readonly after: ComparableScenario;
}

export interface PairedRuns {
  /** Both sides have a scored trial of each. In the order of the second run. */
  readonly compared: readonly ComparedPair[];
  readonly notCompared: readonly NotCompared[];
  readonly renamed: readonly { readonly suite: string; readonly from: string; readonly to: string }[];
  readonly missing: readonly (ScenarioRef & { readonly outcome: Outcome })[];
  readonly new: readonly (ScenarioRef & { readonly outcome: Outcome })[];
  readonly warnings: readonly Warning[];
}

/** `unselected` tells of a scenario that the second run lacks whether it was left out on purpose. Nothing is dropped. */
export function pairScenarios(before: readonly ComparableRun[], after: readonly ComparableRun[], unselected: (scenario: ScenarioRef) => boolean): PairedRuns {
  const compared: ComparedPair[] = [];
  const notCompared: NotCompared[] = [];
  const renamed: { suite: string; from: string; to: string }[] = [];
  const missing: (ScenarioRef & { outcome: Outcome })[] = [];
  const added: (ScenarioRef & { outcome: Outcome })[] = [];
  const warnings: Warning[] = [];

  const [first, second] = [before[0], after[0]];
  const alone = before.length === 1 && after.length === 1 && first !== undefined && second !== undefined;
  if (alone && first.suiteId !== second.suiteId) warnings.push({ code: "suite_renamed", message: `the suites are called ${JSON.stringify(first.suiteId)} and ${JSON.stringify(second.suiteId)}; their scenarios are paired by id` });
  const old = new Map(before.map((run) => [alone ? second.suiteId : run.suiteId, run]));

  for (const run of after) {
    const suite = run.suiteId;
    const earlier = new Map((old.get(suite)?.scenarios ?? []).map((scenario) => [scenario.id, scenario]));
    old.delete(suite);
    const names = new Map([...renamedScenarios([...earlier.values()], run.scenarios, (id) => unselected({ suite, id }))].map(([from, to]) => [to, from]));
    for (const scenario of run.scenarios) {
      const { id } = scenario;
      const from = earlier.has(id) ? undefined : names.get(id);
      const match = earlier.get(from ?? id);
      if (match === undefined) {
        added.push({ suite, id, outcome: scenario.outcome });
        continue;
      }
      earlier.delete(match.id);
      if (from !== undefined) renamed.push({ suite, from, to: id });
      const ref = { suite, id, ...(from !== undefined && { from }) };
      const reason = whyNot(match, scenario);
      if (reason === undefined) compared.push({ ...ref, before: match, after: scenario });
      else notCompared.push({ ...ref, before: match.outcome, after: scenario.outcome, reason });
    }
    for (const { id, outcome } of earlier.values()) leave(suite, id, outcome);
  }
  for (const [suite, run] of old) for (const { id, outcome } of run.scenarios) leave(suite, id, outcome);
  return { compared, notCompared, renamed, missing, new: added, warnings };

  function leave(suite: string, id: string, outcome: Outcome): void {
    if (unselected({ suite, id })) notCompared.push({ suite, id, before: outcome, reason: "not selected this time" });
    else missing.push({ suite, id, outcome });
  }
}

/** `undefined` where both have a trial that was scored. */
function whyNot(before: ComparableScenario, after: ComparableScenario): string | undefined {
  const [first, second] = [scoredTrials(before) === 0, scoredTrials(after) === 0];
  if (second) return reasonOf(after);
  return first ? `${reasonOf(before)}, in the first run` : undefined;
}

export function scoredTrials({ trials: { passed, scored, failed } }: ComparableScenario): number {
  return passed + scored + failed;
}

function reasonOf({ outcome, skip, error }: ComparableScenario): string {
  if (skip !== undefined) return `skipped: ${skip}`;
  return `${outcome}${error === undefined ? "" : ` (${error.code}${error.message === "" ? "" : `: ${error.message}`})`}`;
}
