// Owns the trajectory accuracy scorer: whether the expected steps were taken.

import { createScorer } from "../create-scorer.ts";
import { notScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { compareTrajectory } from "./compare-trajectory.ts";
import { type ExpectedStep, needsTrace, type Ordering, type Trajectory, type TrajectoryExpectation, trajectoryOf } from "./trajectory.ts";

export interface TrajectoryAccuracyOptions {
  /** Steps, or a whole trajectory whose steps are to be taken again. Where absent, that of the item. */
  readonly expectedTrajectory?: readonly ExpectedStep[] | Trajectory | undefined;
  readonly comparisonOptions?: { readonly ordering?: Ordering | undefined; readonly strictOrder?: boolean | undefined; readonly allowRepeatedSteps?: boolean | undefined } | undefined;
  readonly id?: string | undefined;
}

/** See `compareTrajectory`. Where nothing is expected there is nothing to score. */
export function createTrajectoryAccuracyScorerCode({ expectedTrajectory, comparisonOptions = {}, id = "code-trajectory-accuracy-scorer" }: TrajectoryAccuracyOptions = {}): ScorerBuilder {
  const own = expectedTrajectory === undefined ? undefined : stepsOf(expectedTrajectory);
  if (own?.length === 0) throw scorerInvalid("createTrajectoryAccuracyScorerCode: expectedTrajectory has no step; use checks.usedNoTools() where none is to be taken");
  return createScorer({ id, base: "code-trajectory-accuracy-scorer", name: "Trajectory Accuracy Scorer", description: own === undefined ? "Whether the steps that the item expects were taken." : `Whether ${own.map((step) => step.name).join(", ")} were taken.`, type: "trajectory" })
    .preprocess(({ run }) => {
      const item = (run.expectedTrajectory ?? {}) as TrajectoryExpectation;
      const expected = own ?? item.steps ?? [];
      if (expected.length === 0) return notScorable("no trajectory is expected");
      const ordering = item.ordering ?? comparisonOptions.ordering ?? (comparisonOptions.strictOrder === true ? "strict" : "relaxed");
      const actual = trajectoryOf(run, { traced: needsTrace(expected) });
      const comparison = compareTrajectory(expected, actual.steps, { ordering, allowRepeatedSteps: item.allowRepeatedSteps ?? comparisonOptions.allowRepeatedSteps ?? true });
      return { comparison, ordering, expectedStepNames: expected.map((step) => step.name), actualStepNames: actual.steps.map((step) => step.name) };
    })
    .generateScore(({ results }) => results.preprocessStepResult.comparison.score)
    .generateReason(({ results: { preprocessStepResult: { comparison, ordering, expectedStepNames, actualStepNames } } }) => {
      const { matchedSteps, missingSteps } = comparison;
      return `${matchedSteps} of ${expectedStepNames.length} steps are as expected (${ordering})${missingSteps.length === 0 ? "" : `; missing ${missingSteps.join(", ")}`}; taken: ${actualStepNames.length === 0 ? "none" : actualStepNames.join(", ")}`;
    }) as ScorerBuilder;
}

function stepsOf(given: readonly ExpectedStep[] | Trajectory): readonly ExpectedStep[] {
  if (Array.isArray(given)) return given as readonly ExpectedStep[];
  // Of steps that were recorded, what was asked is expected again, not what came back.
  return (given as Trajectory).steps.map(({ name, stepType, toolArgs }) => ({ name, stepType, ...(toolArgs === undefined ? {} : { toolArgs }) }));
}
