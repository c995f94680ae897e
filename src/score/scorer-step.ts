// Owns the steps of a scorer in both forms: a function, or an object that makes a prompt for a model.

import type { AnySchema, JsonSchema } from "../core/schema.ts";
import type { AgentInput, ScorerExecution, ScorerResult, ScorerRun, ScorerRunOptions, ScorerStepName } from "../core/scorer.ts";
import type { StepJudge } from "./ask-model.ts";
import type { NotScorable } from "./not-scorable.ts";

/** A run as the steps of a scorer of a type see it. Without a type nothing is known of it. */
export type RunOf<Type> = Type extends "agent"
  ? Omit<ScorerRun, "input" | "output"> & { readonly input?: AgentInput; readonly output: readonly any[] }
  : Type extends { readonly input: infer Input; readonly output: infer Output }
    ? Omit<ScorerRun, "input" | "output"> & { readonly input?: SchemaValue<Input>; readonly output: SchemaValue<Output> }
    : // `any`, as in Mastra: without schemas a step is free to know what it is given.
      Omit<ScorerRun, "input" | "output" | "groundTruth"> & { readonly input?: any; readonly output: any; readonly groundTruth?: any };

type SchemaValue<One> = One extends { readonly "~standard": { readonly types?: { readonly output: infer Value } | undefined } } ? Value : any;

export interface StepContext<Run, Results> {
  readonly run: Run;
  /** What the steps before gave: `preprocessStepResult`, `analyzeStepResult` and so on. */
  readonly results: Results;
  /** The signal, clock and scope of the run, for steps that call something themselves. */
  readonly options: ScorerRunOptions;
  /** Keeps in the result's `judge` a request that a step of functions made itself. */
  readonly record: (execution: ScorerExecution) => void;
}

/** Beside the score, once it is known. */
export type ReasonContext<Run, Results> = StepContext<Run, Results> & { readonly score: number };

export type StepFunction<Context, Output> = (context: Context) => Output | NotScorable | Promise<Output | NotScorable>;

/** Asks a model. Its answer has the form of `outputSchema`: a schema of whatever library, or JSON Schema. */
export interface PromptStep<Context, Output> {
  readonly description: string;
  readonly outputSchema: AnySchema | JsonSchema | { readonly "~standard": { readonly types?: { readonly output: Output } | undefined } };
  readonly createPrompt: (context: Context) => string | Promise<string>;
  readonly judge?: StepJudge | undefined;
}

/** The answer has the form `{ score }`, or is the reason's text. */
export interface PlainPromptStep<Context> {
  readonly description: string;
  readonly createPrompt: (context: Context) => string | Promise<string>;
  readonly judge?: StepJudge | undefined;
}

/** The results so far, and this step's. */
export type With<Results, Name extends ScorerStepName, Output> = Results & { readonly [K in `${Name}StepResult`]: Exclude<Awaited<Output>, NotScorable> };

export interface Step {
  readonly name: ScorerStepName;
  readonly form: StepFunction<any, unknown> | PromptStep<any, unknown> | PlainPromptStep<any>;
}

export function isPromptStep(form: Step["form"]): form is PromptStep<any, unknown> | PlainPromptStep<any> {
  return typeof form !== "function";
}

/** A scorer that is still being built: each step gives a new one. It can be run once it has `generateScore`. */
export interface ScorerBuilder<Id extends string = string, Run = any, Results = object> {
  readonly id: Id;
  readonly base?: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly type: unknown;
  readonly judge: StepJudge | undefined;
  preprocess<Output>(step: StepFunction<StepContext<Run, Results>, Output>): ScorerBuilder<Id, Run, With<Results, "preprocess", Output>>;
  preprocess<Output = any>(step: PromptStep<StepContext<Run, Results>, Output>): ScorerBuilder<Id, Run, With<Results, "preprocess", Output>>;
  analyze<Output>(step: StepFunction<StepContext<Run, Results>, Output>): ScorerBuilder<Id, Run, With<Results, "analyze", Output>>;
  analyze<Output = any>(step: PromptStep<StepContext<Run, Results>, Output>): ScorerBuilder<Id, Run, With<Results, "analyze", Output>>;
  generateScore(step: StepFunction<StepContext<Run, Results>, number> | PlainPromptStep<StepContext<Run, Results>>): ScorerBuilder<Id, Run, With<Results, "generateScore", number>>;
  generateReason(step: StepFunction<ReasonContext<Run, Results>, string> | PlainPromptStep<ReasonContext<Run, Results>>): ScorerBuilder<Id, Run, With<Results, "generateReason", string>>;
  getSteps(): readonly { readonly name: ScorerStepName; readonly type: "function" | "prompt"; readonly description?: string }[];
  run(run: ScorerRun, options?: ScorerRunOptions): Promise<ScorerResult>;
}
