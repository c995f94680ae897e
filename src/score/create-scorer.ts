// Owns the making of scorers: up to four steps that run in the order in which they were declared.

import type { ScorerResult, ScorerRun, ScorerRunOptions, ScorerStepName } from "../core/scorer.ts";
import type { ScorerJudge } from "./ask-model.ts";
import type { Scale } from "./read-score.ts";
import { runSteps } from "./run-steps.ts";
import { scorerInvalid } from "./scorer-error.ts";
import { isPromptStep, type RunOf, type ScorerBuilder, type Step } from "./scorer-step.ts";

export interface ScorerConfig<Id extends string = string, Type = any> {
  readonly id: Id;
  /** The id of its kind, where `id` says more than that. */
  readonly base?: string | undefined;
  readonly name?: string | undefined;
  readonly description: string;
  /** `agent`, `trajectory`, or the schemas of input and output. */
  readonly type?: Type;
  /** For the steps that ask a model. */
  readonly judge?: ScorerJudge | undefined;
  /** Changes the run before the first step sees it. */
  readonly prepareRun?: ((run: any) => any) | undefined;
  /** The bounds of what `generateScore` gives, where they are not 0 and 1. The score is then brought to 0..1; what lies outside is an error. */
  readonly scale?: Scale | undefined;
}

/**
 * Starts a scorer. Each of `preprocess`, `analyze`, `generateScore` and `generateReason` takes a function or an object that makes a prompt, and
 * gives a new scorer. Throws `scorer_invalid` where the id is missing (Mastra's `MASTR_SCORER_FAILED_TO_CREATE_MISSING_ID`), the scale is none, or
 * a step is declared twice.
 */
export function createScorer<const Id extends string, const Type = undefined>(config: ScorerConfig<Id, Type>): ScorerBuilder<Id, RunOf<Type>> {
  if (typeof config.id !== "string" || config.id === "") throw scorerInvalid("createScorer needs an id, a text that is not empty", "MASTR_SCORER_FAILED_TO_CREATE_MISSING_ID");
  const { scale } = config;
  if (scale !== undefined && !(scale.length === 2 && scale.every(Number.isFinite) && scale[0] < scale[1])) {
    throw scorerInvalid(`scorer ${JSON.stringify(config.id)}: scale must be [least, most], two finite numbers of which the first is the smaller`);
  }
  return build(config, []) as ScorerBuilder<Id, RunOf<Type>>;
}

function build(config: ScorerConfig, steps: readonly Step[]): ScorerBuilder {
  const add = (name: ScorerStepName) => (form: Step["form"]) => {
    if (steps.some((step) => step.name === name)) throw scorerInvalid(`scorer ${JSON.stringify(config.id)} declares the step ${name} twice`);
    if (typeof form !== "function" && typeof (form as { readonly createPrompt?: unknown } | null | undefined)?.createPrompt !== "function") {
      throw scorerInvalid(`scorer ${JSON.stringify(config.id)}: the step ${name} must be a function, or an object with createPrompt`);
    }
    return build(config, [...steps, { name, form }]);
  };
  return {
    id: config.id,
    ...(config.base === undefined ? {} : { base: config.base }),
    name: config.name ?? config.id,
    description: config.description,
    type: config.type,
    judge: config.judge,
    preprocess: add("preprocess"),
    analyze: add("analyze"),
    generateScore: add("generateScore"),
    generateReason: add("generateReason"),
    getSteps: () =>
      steps.map(({ name, form }) => (isPromptStep(form) ? { name, type: "prompt" as const, ...(form.description === undefined ? {} : { description: form.description }) } : { name, type: "function" as const })),
    run: (run: ScorerRun, options?: ScorerRunOptions): Promise<ScorerResult> => runSteps(config, steps, run, options),
  } as ScorerBuilder;
}
