// Owns the order of starting: which trial goes next, and what became of the trials of a scenario.

import type { ReportError, TrialReport, TrialStop } from "../core/report.ts";
import type { Scenario } from "../core/suite.ts";
import type { Plan } from "./plan.ts";
import { unstartedTrial } from "./scenario-report.ts";

/** A scenario that has begun and not ended. */
export interface OpenScenario {
  /** Among the selected, from 0, in the order of declaration. */
  readonly position: number;
  readonly scenario: Scenario;
  readonly asked: number;
  /** By trial; a gap is one that has not ended. */
  readonly trials: (TrialReport | undefined)[];
  left: number;
  /** Set once a rule has ended its trials early. */
  stopped?: TrialStop | undefined;
  /** Whether a trial that ended was required to show anything. */
  required: boolean;
}

export interface Unit {
  readonly open: OpenScenario;
  readonly trial: number;
}

export interface Schedule {
  /** The next trial to start; `undefined` when all have started. */
  next(): Unit | undefined;
  /** The scenarios of which nothing has started, in the order of declaration. From now on nothing starts. */
  unstarted(): readonly { readonly position: number; readonly scenario: Scenario }[];
  /** The scenario that has begun and whose other trials will not start any more, with `error` as what became of them. */
  cutShort(error: ReportError): OpenScenario | undefined;
}

/**
 * Scenarios in the order of declaration where only one runs at a time; else the longest first, by what was measured of it and by its
 * timeout where nothing was, so that no long one is left to run alone at the end. The trials of a scenario follow each other. Those at the
 * positions of `done` have ended before.
 */
export function createSchedule(selected: readonly Scenario[], plan: Plan, done: ReadonlySet<number> = new Set()): Schedule {
  let order = runnable(selected, done);
  if (plan.maxConcurrency > 1) {
    const lengths = Float64Array.from(selected, (scenario) => lengthOf(scenario, plan));
    order = order.toSorted((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0));
  }
  let cursor = 0;
  let current: OpenScenario | undefined;
  let trial = 0;

  return {
    next() {
      // With a rule that may stop them, whoever begins a scenario runs its trials one after the other.
      if (current === undefined || trial === current.asked || plan.stopEarly !== undefined) {
        const position = order[cursor];
        const scenario = position === undefined ? undefined : selected[position];
        if (position === undefined || scenario === undefined) return undefined;
        cursor += 1;
        current = openScenario(position, scenario, plan);
        trial = 0;
      }
      trial += 1;
      return { open: current, trial };
    },
    unstarted() {
      const rest = order.slice(cursor).toSorted((a, b) => a - b);
      cursor = order.length;
      return rest.flatMap((position) => {
        const scenario = selected[position];
        return scenario === undefined ? [] : [{ position, scenario }];
      });
    },
    cutShort(error) {
      if (current === undefined || current.left === 0) return undefined;
      for (let at = 0; at < current.asked; at++) current.trials[at] ??= unstartedTrial(at + 1, error);
      current.left = 0;
      return current;
    },
  };
}

/** A scenario of which nothing has begun. */
export function openScenario(position: number, scenario: Scenario, plan: Pick<Plan, "trials">): OpenScenario {
  const asked = plan.trials ?? scenario.trials ?? 1;
  return { position, scenario, asked, trials: [], left: asked, required: false };
}

function runnable(selected: readonly Scenario[], done: ReadonlySet<number>): readonly number[] {
  const positions: number[] = [];
  for (const [position, { skip }] of selected.entries()) if (skip === undefined && !done.has(position)) positions.push(position);
  return positions;
}

function lengthOf(scenario: Scenario, { durationOf, timeoutMs }: Plan): number {
  const measured = durationOf?.(scenario.id);
  return measured !== undefined && Number.isFinite(measured) ? measured : (timeoutMs ?? scenario.timeoutMs);
}
