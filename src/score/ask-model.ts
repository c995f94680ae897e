// Owns the asking of a model by a scorer: one question, one answer of the form asked for, and a bounded number of corrections.

import { systemClock } from "../core/clock.ts";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { openClient } from "../core/model-client.ts";
import type { CallOptions, ModelClass, ModelMessage, ModelRequest, ModelResponse, ModelTool } from "../core/model.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { ResolvedModel, ScorerExecution, ScorerModel, ScorerRunOptions } from "../core/scorer.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { valueOf } from "../json/json-value.ts";
import { readJson } from "../json/read-json.ts";
import { isLanguageModel } from "../language-model/language-model.ts";
import { provider } from "../language-model/provider.ts";
import { compileSchema, type Validator } from "../schema/validator.ts";

/** What a scorer asks its model with. Members of Mastra's that only its own agents know are left alone. */
export interface ScorerJudge {
  readonly model: ScorerModel;
  readonly instructions: string;
  readonly modelClass?: ModelClass | undefined;
  /** 1 when absent, as in Mastra: a refused answer may be replaced once. */
  readonly maxCorrections?: number | undefined;
  /** 4096 when absent. */
  readonly maxOutputTokens?: number | undefined;
  readonly modelSettings?: { readonly temperature?: number | undefined; readonly maxOutputTokens?: number | undefined } | undefined;
}

/** A step's own settings win member by member. */
export type StepJudge = Partial<ScorerJudge>;

export interface Question {
  readonly prompt: string;
  /** The form of the answer, as JSON Schema; a text where absent. */
  readonly schema?: JsonSchema | undefined;
  /** What is wrong with an answer of the right form, said to the model; nothing where it is taken. */
  readonly faults?: ((value: unknown) => readonly string[]) | undefined;
}

export interface Answer {
  readonly value: unknown;
  readonly execution: ScorerExecution;
  readonly usage: Usage | undefined;
}

/** An `EntailError` whose `execution` tells the attempts. */
export interface AskError extends EntailError {
  readonly execution: ScorerExecution;
}

/** A model that can be asked, whatever it was given as. */
export interface OpenModel {
  readonly name: string;
  readonly provider?: string | undefined;
  /** False where a duplicated member of a tool call's arguments would go unseen. */
  readonly rawArguments: boolean;
  complete(request: ModelRequest, options: CallOptions): Promise<ModelResponse>;
}

const ANSWER_TOOL = "answer";

/**
 * Asks `judge.model` one question. With a schema the model must call one tool whose arguments are the answer; they are read strictly and never
 * repaired. A refused answer is replaced at most `maxCorrections` times. Rejects with `model_unresolved`, with `scorer_answer_invalid` once the
 * corrections are used up, or with the model's own error, asked once; the last two are `AskError`s.
 */
export async function askModel(judge: ScorerJudge, question: Question, options: ScorerRunOptions = {}): Promise<Answer> {
  const model = await openModel(judge, options);
  const clock = options.clock ?? systemClock;
  const { maxCorrections = 1 } = judge;
  const maxOutputTokens = judge.maxOutputTokens ?? judge.modelSettings?.maxOutputTokens ?? 4096;
  const form = question.schema === undefined ? undefined : formOf(question.schema);
  const tool: ModelTool | undefined = form === undefined ? undefined : { name: ANSWER_TOOL, description: "Gives the answer. Call it exactly once.", inputSchema: form.schema };
  const started = clock.elapsed();
  const refused: string[] = [];
  let usage: Usage | undefined;
  let rawOutput: string | undefined;
  let finishReason: string | undefined;

  const execution = (status: "success" | "failed", rest: Partial<ScorerExecution>): ScorerExecution => ({
    status,
    prompt: question.prompt,
    judgeModelId: model.name,
    ...(model.provider === undefined ? {} : { judgeProvider: model.provider }),
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
    attemptCount: refused.length + (status === "success" ? 1 : 0),
    modelCallCount: refused.length + (status === "success" ? 1 : 0),
    durationMs: clock.elapsed() - started,
    ...rest,
  });

  while (refused.length <= maxCorrections) {
    const note = refused.at(-1);
    const system = note === undefined ? judge.instructions : `${judge.instructions}\n\nYour previous answer was rejected and nothing of it is kept: ${note}. Answer again, wholly.`;
    const messages: readonly ModelMessage[] = [
      { role: "system", content: system },
      { role: "user", content: question.prompt },
    ];
    const request: ModelRequest = {
      modelClass: judge.modelClass ?? "default",
      messages,
      tools: tool === undefined ? [] : [tool],
      toolChoice: tool === undefined ? "none" : { tool: tool.name },
      temperature: judge.modelSettings?.temperature ?? 0,
      maxOutputTokens,
    };
    let response: ModelResponse;
    try {
      response = await model.complete(request, { signal: options.signal, scope: options.scope });
      if (response.stopReason === "error") throw new EntailError("provider_failed", 'the provider ended its answer with the stop reason "error"', { stage: "score", cause: response });
    } catch (thrown) {
      const error = isEntailError(thrown) ? thrown : new EntailError("provider_failed", `the model ${model.name} failed: ${messageOf(thrown)}`, { stage: "score", cause: thrown });
      throw withExecution(error, execution("failed", { attemptCount: refused.length + 1, modelCallCount: refused.length + 1, error: { name: error.name, message: error.message, code: error.code } }));
    }
    usage = addUsage(usage, response.usage);
    finishReason = response.stopReason;
    rawOutput = rawOf(response);
    const read = readAnswer(response, form, question.faults);
    if ("value" in read) return { value: read.value, usage, execution: execution("success", { output: read.value, finishReason }) };
    refused.push(read.fault);
  }
  const lines = refused.map((fault, at) => `\n  answer ${at + 1}: ${fault}`).join("");
  const error = new EntailError("scorer_answer_invalid", `the model ${model.name} gave no valid answer in ${refused.length} ${refused.length === 1 ? "request" : "requests"}${lines}`, { stage: "score" });
  throw withExecution(error, execution("failed", { rawOutput, finishReason, error: { name: error.name, message: error.message, code: error.code } }));
}

/** The settings of a step: its own, else the scorer's. Throws Mastra's `…_MISSING_MODEL_OR_INSTRUCTIONS` where a model or instructions are missing. */
export function stepJudge(scorerId: string, step: string, whole: ScorerJudge | undefined, own: StepJudge | undefined): ScorerJudge {
  const merged: Partial<ScorerJudge> = { ...whole, ...own };
  if (merged.model === undefined || merged.instructions === undefined) {
    throw new EntailError("scorer_invalid", `scorer ${JSON.stringify(scorerId)}: the step ${step} asks a model, so it needs judge: { model, instructions }`, {
      stage: "score",
      id: "MASTR_SCORER_FAILED_TO_RUN_MISSING_MODEL_OR_INSTRUCTIONS",
    });
  }
  return merged as ScorerJudge;
}

/** The model of a judge. Rejects with `model_unresolved` for a name that nothing here knows. */
export async function openModel(judge: Pick<ScorerJudge, "model" | "modelClass">, options: ScorerRunOptions): Promise<OpenModel> {
  const resolved = typeof judge.model === "string" ? await resolve(judge.model, options) : judge.model;
  const modelClass = judge.modelClass ?? "default";
  if (isLanguageModel(resolved)) {
    const made = provider(resolved);
    return { name: resolved.modelId, provider: resolved.provider, rawArguments: made.rawArguments !== false, complete: (request, call) => made.complete(request, call) };
  }
  if (typeof (resolved as { readonly complete?: unknown } | null)?.complete === "function") {
    const own = resolved as Extract<ResolvedModel, { complete: unknown }>;
    return { name: own.modelName?.(modelClass) ?? modelClass, rawArguments: own.rawArguments !== false, complete: (request, call) => own.complete(request, call) };
  }
  const client = openClient(resolved as Parameters<typeof openClient>[0]);
  return { name: client.modelName(modelClass) ?? modelClass, rawArguments: client.rawArguments, complete: (request, call) => client.complete(request, call) };
}

async function resolve(name: string, { resolveModel }: ScorerRunOptions): Promise<ResolvedModel> {
  if (resolveModel === undefined) {
    throw new EntailError("model_unresolved", `nothing here knows the model ${JSON.stringify(name)}: give a Provider or an AI SDK model, or resolveModel from "entail/adapter/mastra"`, { stage: "score" });
  }
  return resolveModel(name);
}

interface Form {
  readonly schema: JsonSchema;
  readonly validator: Validator;
  /** The answer stands in the member `value`: a tool's arguments are an object, whatever the answer is. */
  readonly boxed: boolean;
}

function formOf(schema: JsonSchema): Form {
  const boxed = schema["type"] !== "object";
  const { $defs, ...rest } = schema as { readonly $defs?: unknown } & JsonSchema;
  const form = boxed ? { type: "object", properties: { value: rest }, required: ["value"], additionalProperties: false, ...($defs === undefined ? {} : { $defs }) } : schema;
  return { schema: form, validator: compileSchema(form), boxed };
}

type Read = { readonly value: unknown } | { readonly fault: string };

function readAnswer(response: ModelResponse, form: Form | undefined, faultsOf: Question["faults"]): Read {
  if (response.stopReason === "length") return { fault: "it was cut off at the token limit" };
  if (response.stopReason === "content_filter" || response.stopReason === "refusal") return { fault: `it ended with the stop reason ${JSON.stringify(response.stopReason)}` };
  const read = form === undefined ? readText(response) : readArguments(response, form);
  if ("fault" in read) return read;
  const faults = faultsOf?.(read.value) ?? [];
  return faults.length === 0 ? read : { fault: faults.slice(0, 20).join("; ") };
}

function readText(response: ModelResponse): Read {
  const text = response.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  return text.trim() === "" ? { fault: "it is empty" } : { value: text };
}

function readArguments(response: ModelResponse, { validator, boxed }: Form): Read {
  const calls = response.content.filter((part) => part.type === "tool_call");
  const [call] = calls;
  if (call === undefined) return { fault: `it does not call the tool ${JSON.stringify(ANSWER_TOOL)}` };
  if (calls.length > 1) return { fault: `it calls tools ${calls.length} times, and exactly one call was asked for` };
  if (call.name !== ANSWER_TOOL) return { fault: `it calls ${JSON.stringify(call.name.slice(0, 100))}, and the tool is ${JSON.stringify(ANSWER_TOOL)}` };
  let value: unknown;
  try {
    value = valueOf(readJson(call.arguments));
  } catch (thrown) {
    return { fault: messageOf(thrown).slice(0, 600) };
  }
  const faults = validator.faults(value);
  if (faults.length > 0) return { fault: faults.slice(0, 20).map(({ path, message }) => `${path === "" ? "the answer" : path} ${message}`).join("; ") };
  return { value: boxed ? (value as { readonly value: unknown }).value : value };
}

function rawOf(response: ModelResponse): string {
  return response.content.map((part) => (part.type === "text" ? part.text : part.arguments)).join("\n");
}

export function usageOf(usage: Usage): NonNullable<ScorerExecution["usage"]> {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = usage;
  const total = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  const known = { inputTokens, outputTokens, totalTokens: total, reasoningTokens, cachedInputTokens };
  return Object.fromEntries(Object.entries(known).filter(([, count]) => count !== undefined));
}

function withExecution(error: EntailError, execution: ScorerExecution): AskError {
  // A frozen or shared error of a provider's must not be written to.
  const own = new EntailError(error.code, error.message, { stage: "score", cause: error.cause ?? error, faults: error.faults });
  return Object.defineProperty(own, "execution", { value: execution }) as AskError;
}

/** The attempts that an error tells of, where it does. */
export function executionOf(error: unknown): ScorerExecution | undefined {
  return isEntailError(error) ? (error as Partial<AskError>).execution : undefined;
}
