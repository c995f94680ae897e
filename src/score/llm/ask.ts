// Owns the two requests that a prebuilt scorer makes: a form that a model fills in, and claims that the judge's strict protocol labels.

import type { Claim } from "../../core/claim.ts";
import { systemClock } from "../../core/clock.ts";
import { EntailError, isEntailError, messageOf } from "../../core/error.ts";
import type { JudgeAttempt } from "../../core/judge.ts";
import type { Judgment } from "../../core/judgment.ts";
import { sealClient } from "../../core/model-client.ts";
import { STOP_REASONS, type ModelClass, type ModelResponse } from "../../core/model.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { ScorerExecution, ScorerModel, ScorerRunOptions } from "../../core/scorer.ts";
import { addUsage } from "../../core/usage.ts";
import { dataLine } from "../../json/data-line.ts";
import { createJudge } from "../../judge/create-judge.ts";
import { askModel, executionOf, openModel, usageOf, type OpenModel } from "../ask-model.ts";
import { UNTRUSTED } from "./untrusted.ts";

/** How a prebuilt scorer asks its model. */
export interface LlmScorerJudge {
  /** `default` when absent. */
  readonly modelClass?: ModelClass | undefined;
  /** Replacements of an invalid answer, at most: for a form 1 when absent, for labels 3. */
  readonly maxCorrections?: number | undefined;
  /** The cap on one answer; 4096 when absent. */
  readonly maxOutputTokens?: number | undefined;
  readonly modelSettings?: { readonly temperature?: number | undefined; readonly maxOutputTokens?: number | undefined } | undefined;
}

export interface FormQuestion {
  /** What to do with the data, in our own words. */
  readonly task: string;
  readonly data: object;
  readonly schema: JsonSchema;
  readonly faults?: ((value: unknown) => readonly string[]) | undefined;
}

/** What the steps of a prebuilt scorer ask with. Each call is one request, but for corrections. */
export interface Ask {
  /** The arguments of the one tool call that the model must make, of the form of `schema`. */
  form(question: FormQuestion): Promise<unknown>;
  /** One judgment for each claim, in the claims' order. The claims are our own words or the author's; `data` is what they speak of. */
  labels(data: object, claims: readonly Claim[]): Promise<readonly Judgment[]>;
}

export interface AskContext {
  readonly options: ScorerRunOptions;
  readonly record: (execution: ScorerExecution) => void;
}

export function createAsk(model: ScorerModel, settings: LlmScorerJudge, { options, record }: AskContext): Ask {
  return {
    async form({ task, data, schema, faults }) {
      try {
        const { value, execution } = await askModel({ ...settings, model, instructions: `${UNTRUSTED}\n\n${task}` }, { prompt: dataLine(data), schema, faults }, options);
        record(execution);
        return value;
      } catch (thrown) {
        const execution = executionOf(thrown);
        if (execution !== undefined) record(execution);
        throw thrown;
      }
    },
    async labels(data, claims) {
      const opened = await openModel({ ...settings, model }, options);
      return label(opened, settings, { data, claims }, { options, record });
    },
  };
}

async function label(model: OpenModel, settings: LlmScorerJudge, asked: { readonly data: object; readonly claims: readonly Claim[] }, { options, record }: AskContext): Promise<readonly Judgment[]> {
  const { claims } = asked;
  const clock = options.clock ?? systemClock;
  const client = sealClient({ complete: async (request, call) => whole(await model.complete(request, call)), rawArguments: model.rawArguments, modelName: () => model.name });
  const judge = createJudge(client, {
    maxOutputTokens: settings.maxOutputTokens ?? settings.modelSettings?.maxOutputTokens ?? 4096,
    modelClass: settings.modelClass ?? "default",
    ...(settings.maxCorrections === undefined ? {} : { maxCorrections: settings.maxCorrections }),
    clock,
  });
  const output = dataLine(asked.data);
  const attempts: JudgeAttempt[] = [];
  const started = clock.elapsed();
  const execution = (rest: Pick<ScorerExecution, "status"> & Partial<ScorerExecution>): ScorerExecution => {
    const usage = addUsage(...attempts.map((attempt) => attempt.usage));
    const finishReason = attempts.at(-1)?.response?.stopReason;
    return {
      prompt: output,
      judgeModelId: model.name,
      ...(model.provider === undefined ? {} : { judgeProvider: model.provider }),
      ...(usage === undefined ? {} : { usage: usageOf(usage) }),
      attemptCount: attempts.length,
      modelCallCount: attempts.length,
      durationMs: clock.elapsed() - started,
      ...(finishReason === undefined ? {} : { finishReason }),
      ...rest,
    };
  };
  try {
    const judgments = await judge.judge({ output, claims, reference: "", signal: options.signal, scope: options.scope, record: (attempt) => attempts.push(attempt) });
    record(execution({ status: "success", output: judgments }));
    return judgments;
  } catch (thrown) {
    const error = isEntailError(thrown) ? thrown : new EntailError("provider_failed", `the model ${model.name} failed: ${messageOf(thrown)}`, { stage: "score", cause: thrown });
    record(execution({ status: "failed", error: { name: error.name, message: error.message, code: error.code } }));
    throw error;
  }
}

/** An application's provider may be asked as it is; what is no response must not be read as one. */
function whole(response: ModelResponse): ModelResponse {
  const { content, stopReason } = (response ?? {}) as Partial<ModelResponse>;
  const parts = Array.isArray(content) && content.every((part: unknown) => isPart(part));
  if (parts && STOP_REASONS.some((reason) => reason === stopReason)) return response;
  throw new EntailError("provider_response_invalid", "the provider gave no valid response: it needs content, a list of texts and tool calls with raw arguments, and a stopReason", { stage: "score" });
}

function isPart(part: unknown): boolean {
  const { type, text, id, name, arguments: raw } = (part ?? {}) as Readonly<Record<string, unknown>>;
  return type === "text" ? typeof text === "string" : type === "tool_call" && [id, name, raw].every((member) => typeof member === "string");
}
