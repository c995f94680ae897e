// Owns what is known of scenarios beside their reports: what each of them is, so that a changed or renamed one is seen.

import type { PlannedScenario } from "../core/store.ts";
import type { Scenario } from "../core/suite.ts";
import type { ScenarioFacts } from "../report/comparable-run.ts";
import { plannedScenario } from "../run/record-run.ts";
import { digestOf, inputDigest, revisionOf } from "../store/cell.ts";

/** Longer digests only make longer files: these many are never equal by chance within a suite. */
const DIGITS = 16;

/** By id. */
export function plannedFacts(scenarios: Iterable<PlannedScenario>, toolCalls: (id: string) => number | undefined = () => undefined): ReadonlyMap<string, ScenarioFacts> {
  const facts = new Map<string, ScenarioFacts>();
  for (const scenario of scenarios) {
    const { id, description, inputSchema, revision } = scenario;
    facts.set(id, {
      revision: revisionOf(scenario).slice(0, DIGITS),
      content: digestOf([description, inputSchema ?? null, revision ?? null, inputDigest(scenario)]).slice(0, DIGITS),
      toolCalls: toolCalls(id),
    });
  }
  return facts;
}

/** The same of scenarios that are about to run. */
export function suiteFacts(scenarios: readonly Scenario[]): ReadonlyMap<string, ScenarioFacts> {
  return plannedFacts(scenarios.map((scenario, position) => plannedScenario(scenario, position, undefined)));
}
