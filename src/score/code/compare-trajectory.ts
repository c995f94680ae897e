// Owns how far the steps that were taken are the expected ones.

import { type ExpectedStep, matchesStep, type Ordering, type TrajectoryStep } from "./trajectory.ts";

export interface TrajectoryComparison {
  /** From 0 to 1, to two decimals. */
  readonly score: number;
  readonly matchedSteps: number;
  readonly totalExpectedSteps: number;
  readonly totalActualSteps: number;
  readonly missingSteps: readonly string[];
  readonly extraSteps: readonly string[];
  readonly repeatedSteps: readonly string[];
}

export interface ComparisonOptions {
  readonly ordering: Ordering;
  readonly allowRepeatedSteps: boolean;
}

/**
 * `relaxed`: the expected steps found one after another, over those expected. `strict`: those found at their very place, less half for each step too many, over
 * those expected. `unordered`: the most that can be found, each of one's own, over those expected. Less 0.1 for each name that is repeated
 * more often than expected, where that is not allowed.
 */
export function compareTrajectory(expected: readonly ExpectedStep[], actual: readonly TrajectoryStep[], { ordering, allowRepeatedSteps }: ComparisonOptions): TrajectoryComparison {
  const found = ordering === "strict" ? inPlace(expected, actual) : ordering === "relaxed" ? inOrder(expected, actual) : anywhere(expected, actual);
  const matched = found.filter((at) => at !== undefined).length;
  const used = new Set(found);
  const extra = actual.filter((_, at) => !used.has(at));
  const repeated = [...new Set(actual.map((step) => step.name))].filter((name) => count(actual, name) > Math.max(1, count(expected, name)));
  const surplus = ordering === "strict" ? (0.5 * Math.max(0, actual.length - expected.length)) / Math.max(1, expected.length) : 0;
  const exact = expected.length === 0 ? (actual.length === 0 ? 1 : 0) : matched / expected.length - surplus;
  const score = exact - (allowRepeatedSteps ? 0 : 0.1 * repeated.length);
  return {
    score: Math.round(Math.min(1, Math.max(0, score)) * 100) / 100,
    matchedSteps: matched,
    totalExpectedSteps: expected.length,
    totalActualSteps: actual.length,
    missingSteps: expected.filter((_, at) => found[at] === undefined).map((step) => step.name),
    extraSteps: extra.map((step) => step.name),
    repeatedSteps: repeated,
  };
}

/** For each expected step the place of the one that was taken for it. */
type Found = readonly (number | undefined)[];

function count(steps: readonly { readonly name: string }[], name: string): number {
  return steps.filter((step) => step.name === name).length;
}

function inPlace(expected: readonly ExpectedStep[], actual: readonly TrajectoryStep[]): Found {
  return expected.map((step, at) => (actual[at] !== undefined && matchesStep(step, actual[at]) ? at : undefined));
}

function inOrder(expected: readonly ExpectedStep[], actual: readonly TrajectoryStep[]): Found {
  let next = 0;
  return expected.map((step) => {
    const at = actual.findIndex((taken, place) => place >= next && matchesStep(step, taken));
    if (at === -1) return undefined;
    next = at + 1;
    return at;
  });
}

/** The greatest matching, so that a step that would do for two is not given to the wrong one. */
function anywhere(expected: readonly ExpectedStep[], actual: readonly TrajectoryStep[]): Found {
  const takenBy = new Map<number, number>();
  const place = (step: number, tried: Set<number>): boolean => {
    for (const [at, taken] of actual.entries()) {
      if (tried.has(at) || !matchesStep(expected[step] as ExpectedStep, taken)) continue;
      tried.add(at);
      const holder = takenBy.get(at);
      if (holder === undefined || place(holder, tried)) {
        takenBy.set(at, step);
        return true;
      }
    }
    return false;
  };
  expected.forEach((_, step) => place(step, new Set()));
  const found: (number | undefined)[] = expected.map(() => undefined);
  for (const [at, step] of takenBy) found[step] = at;
  return found;
}
