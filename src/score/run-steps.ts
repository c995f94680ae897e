// Owns one run of a scorer's steps: their results, prompts and attempts, and what is kept where one of them breaks.

import { EntailError } from "../core/error.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { ScorerExecution, ScorerResult, ScorerRun, ScorerRunOptions, ScorerStepName } from "../core/scorer.ts";
import { readJsonSchema, readSchema } from "../schema/read-schema.ts";
import { askModel, executionOf, stepJudge } from "./ask-model.ts";
import type { ScorerConfig } from "./create-scorer.ts";
import { isNotScorable } from "./not-scorable.ts";
import { readLooseScore, readScore } from "./read-score.ts";
import { scorerRunError } from "./scorer-error.ts";
import { isPromptStep, type Step } from "./scorer-step.ts";

const SCORE_FORM: JsonSchema = { type: "object", properties: { score: { type: "number" } }, required: ["score"], additionalProperties: false };

interface Progress {
  readonly results: Record<string, unknown>;
  readonly prompts: Record<string, string>;
  readonly judge: Partial<Record<ScorerStepName, { executions: ScorerExecution[] }>>;
  readonly completed: ScorerStepName[];
}

/**
 * Resolves with the run's own members and what the steps gave: exactly one of `score`, from 0 to 1, and `notScorable`. Rejects with a
 * `ScorerRunError` that keeps what was known until then.
 */
export async function runSteps(config: ScorerConfig, steps: readonly Step[], given: ScorerRun, options: ScorerRunOptions = {}): Promise<ScorerResult> {
  const { id } = config;
  if (!steps.some((step) => step.name === "generateScore")) {
    throw new EntailError("scorer_invalid", `scorer ${JSON.stringify(id)} has no step generateScore, so it can give no score`, { stage: "score", id: "MASTR_SCORER_FAILED_TO_RUN_MISSING_GENERATE_SCORE" });
  }
  const scope = options.scope === undefined ? undefined : { ...options.scope, purpose: id };
  const lent: ScorerRunOptions = scope === undefined ? options : { ...options, scope };
  const progress: Progress = { results: {}, prompts: {}, judge: {}, completed: [] };
  let run = given;
  let failedStep: ScorerStepName | undefined;
  try {
    if (config.prepareRun !== undefined) run = (await config.prepareRun(given)) as ScorerRun;
    const withId: ScorerRun = { ...run, runId: run.runId ?? crypto.randomUUID() };
    run = withId;
    for (const step of steps) {
      failedStep = step.name;
      const result = await runStep(config, step, withId, progress, lent);
      if (isNotScorable(result)) return resultOf(withId, progress, { step: step.name, ...(result.reason === undefined ? {} : { reason: result.reason }) });
      progress.results[`${step.name}StepResult`] = step.name !== "generateScore" ? result : options.compat === "mastra" && config.scale === undefined ? readLooseScore(result) : readScore(result, config.scale);
      progress.completed.push(step.name);
    }
    return resultOf(withId, progress);
  } catch (cause) {
    throw scorerRunError({ scorerId: id, ...(failedStep === undefined ? {} : { failedStep }), completedSteps: progress.completed, result: resultOf(run, progress), cause });
  }
}

async function runStep(config: ScorerConfig, { name, form }: Step, run: ScorerRun, progress: Progress, options: ScorerRunOptions): Promise<unknown> {
  const { results } = progress;
  const record = (execution: ScorerExecution): void => {
    (progress.judge[name] ??= { executions: [] }).executions.push(execution);
    progress.prompts[`${name}Prompt`] ??= execution.prompt;
  };
  const context = { run, results: { ...results }, options, record, ...(name === "generateReason" ? { score: results["generateScoreStepResult"] } : {}) };
  if (!isPromptStep(form)) return form(context);
  const prompt = await form.createPrompt(context);
  progress.prompts[`${name}Prompt`] = prompt;
  const judge = stepJudge(config.id, name, config.judge, form.judge);
  const executions = ((progress.judge[name] ??= { executions: [] }).executions);
  try {
    const schema = name === "generateScore" ? SCORE_FORM : "outputSchema" in form && name !== "generateReason" ? formOf(form.outputSchema, config.id, name) : undefined;
    const { value, execution } = await askModel(judge, { prompt, schema, ...(name === "generateScore" ? { faults: (value) => scoreFaults(value, config) } : {}) }, options);
    executions.push(execution);
    return name === "generateScore" ? (value as { readonly score: number }).score : value;
  } catch (thrown) {
    const execution = executionOf(thrown);
    if (execution !== undefined) executions.push(execution);
    throw thrown;
  }
}

/** A score off its scale is the model's mistake, which it may mend. */
function scoreFaults(value: unknown, { scale = [0, 1] }: ScorerConfig): readonly string[] {
  const { score } = value as { readonly score: number };
  return score >= scale[0] - 1e-9 && score <= scale[1] + 1e-9 ? [] : [`score must be from ${scale[0]} to ${scale[1]}, not ${score}`];
}

function formOf(schema: unknown, id: string, step: string): JsonSchema {
  const standard = (schema as { readonly "~standard"?: unknown } | null | undefined)?.["~standard"];
  const reading = standard === undefined ? readJsonSchema(schema as JsonSchema, "tool") : readSchema(schema, "tool");
  const [fault] = reading.faults;
  if (fault !== undefined) throw new EntailError("scorer_invalid", `scorer ${JSON.stringify(id)}: the outputSchema of ${step} cannot be used: ${fault.message}`, { stage: "score" });
  return reading.schema;
}

function resultOf(run: ScorerRun, { results, prompts, judge }: Progress, notScorable?: ScorerResult["notScorable"]): ScorerResult {
  const score = results["generateScoreStepResult"];
  const reason = results["generateReasonStepResult"];
  const kept = Object.fromEntries(["preprocessStepResult", "analyzeStepResult"].filter((name) => results[name] !== undefined).map((name) => [name, results[name]]));
  return {
    ...run,
    ...(notScorable === undefined ? (score === undefined ? {} : { score: score as number }) : { notScorable }),
    ...(reason === undefined ? {} : { reason }),
    ...kept,
    ...prompts,
    ...(Object.keys(judge).length === 0 ? {} : { judge }),
  };
}
