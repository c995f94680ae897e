// Owns the trajectory accuracy scorer with a model: whether the steps were needed, in order, and all there.

import { listMember } from "../../core/member.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { type ExpectedStep, needsTrace, type Trajectory, type TrajectoryExpectation, trajectoryOf } from "../code/trajectory.ts";
import { notScorable } from "../not-scorable.ts";
import { agentTextOf } from "../observed.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { NOTHING_SAID } from "../text-check.ts";
import { llmScorer, type LlmScorerConfig, worst } from "./llm-scorer.ts";
import { askedOf } from "./material.ts";
import { claimsOn, countOf, told, verdictsOn } from "./statement.ts";

export interface TrajectoryAccuracyLlmConfig extends LlmScorerConfig {
  /** Steps, or a whole trajectory whose steps are to be taken again. Where absent, that of the item; where that is absent too, the task alone decides. */
  readonly expectedTrajectory?: readonly ExpectedStep[] | Trajectory | undefined;
}

/**
 * 0.6 · needed steps over steps + 0.3 · steps in their place over steps + 0.1 · (1 − missing over steps and missing). Missing are the expected steps that
 * were not taken; without expected steps, one where the task needs a step that was not taken. Without a step: 0 where one was expected or needed, else 1;
 * an agent that neither did nor said anything scores 0.
 */
export function createTrajectoryAccuracyScorerLLM(config: TrajectoryAccuracyLlmConfig): ScorerBuilder {
  const own = config.expectedTrajectory === undefined ? undefined : stepsOf(config.expectedTrajectory);
  if (own?.length === 0) throw scorerInvalid("createTrajectoryAccuracyScorerLLM: expectedTrajectory has no step; leave it out, or use checks.usedNoTools() where none is to be taken");
  return llmScorer({
    base: "llm-trajectory-accuracy-scorer",
    name: "Trajectory Accuracy (LLM)",
    description: own === undefined ? "Whether the steps taken were what the task needs." : "Whether the steps taken were the expected ones and what the task needs.",
    type: "trajectory",
    config,
    prepare(run) {
      const expected = own ?? ((run.expectedTrajectory ?? {}) as TrajectoryExpectation).steps ?? [];
      const actual = trajectoryOf(run, { traced: needsTrace(expected) });
      const messages = listMember(run.output, "steps") === undefined ? run.output : actual.rawOutput;
      const answer = agentTextOf({ ...run, output: messages ?? [] }) ?? "";
      if (actual.steps.length === 0 && answer.trim() === "") return worst(NOTHING_SAID);
      const steps = actual.steps.map((step, at) => ({ ...(wireSafe(step) as { readonly name: string }), number: at + 1 }));
      if (steps.length === 0 && expected.length > 0) return worst(`no step was taken; missing ${expected.map(({ name }) => name).join(", ")}`);
      const input = askedOf(run);
      return input === "" ? notScorable("the user asked nothing") : { input, answer, steps, expectedSteps: expected.map((step, at) => ({ ...(wireSafe(step) as object), name: step.name, number: at + 1 })) };
    },
    async decide({ input, answer, steps, expectedSteps }, ask) {
      const data = { input, ...(expectedSteps.length === 0 ? {} : { expectedSteps }), steps, answer };
      const names = steps.map(({ name }) => name);
      const needed = claimsOn(names, "needed", (number) => `The step number ${number} of "steps" was needed for what "input" asks${expectedSteps.length === 0 ? "" : `, or is one of "expectedSteps"`}, and does not repeat in vain what was done before.`);
      const ordered = claimsOn(names, "ordered", (number) => `The step number ${number} of "steps" stands at a fitting place among the others${expectedSteps.length === 0 ? "" : `, as "expectedSteps" has them`}.`);
      const taken = claimsOn(expectedSteps.map(({ name }) => name), "taken", (number) => `One of "steps" is what the step number ${number} of "expectedSteps" says.`);
      const whole = expectedSteps.length > 0 ? [] : [{ id: "whole", text: `What "input" asks needs no step that is not among "steps".` }];
      const judged = await ask.labels(data, [...needed, ...ordered, ...taken, ...whole]);
      const count = names.length;
      const rest = judged.slice(2 * count);
      const missing = verdictsOn(expectedSteps.length > 0 ? expectedSteps.map(({ name }) => name) : ["a step that the task needs"], rest).filter(({ label }) => label !== "entailed");
      return { needed: verdictsOn(names, judged.slice(0, count)), ordered: verdictsOn(names, judged.slice(count, 2 * count)), missing };
    },
    score(_, { needed, ordered, missing }) {
      const total = needed.length;
      if (total === 0) return missing.length === 0 ? 1 : 0;
      return (0.6 * countOf(needed, "entailed") + 0.3 * countOf(ordered, "entailed")) / total + 0.1 * (1 - missing.length / (total + missing.length));
    },
    reason: (_, { needed, ordered, missing }) =>
      `${needed.length} steps, ${countOf(needed, "entailed")} of them needed and ${countOf(ordered, "entailed")} in place${told("not needed", needed.filter(({ label }) => label !== "entailed"))}${told("missing", missing)}`,
  });
}

function stepsOf(given: readonly ExpectedStep[] | Trajectory): readonly ExpectedStep[] {
  if (Array.isArray(given)) return given as readonly ExpectedStep[];
  return (given as Trajectory).steps.map(({ name, stepType }) => ({ name, stepType }));
}
