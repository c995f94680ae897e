// Owns the provider: an AI SDK model, or one for each model class, behind Entail's model port.

import { EntailError, messageOf } from "../core/error.ts";
import type { CallOptions, ModelRequest, ModelResponse, ModelStreamPart, Provider } from "../core/model.ts";
import { modelOfClass, modelsByClass, type ByModelClass } from "../core/models-by-class.ts";
import { readAnswer } from "./answer.ts";
import { isIterable, iterate } from "../core/iterate.ts";
import { endpointOf } from "./endpoint.ts";
import { isLanguageModel, SPECIFICATION_VERSIONS, streamIsRaw, unaryIsRaw, type LanguageModel, type LanguageModelCall } from "./language-model.ts";
import { member, textMember } from "../core/member.ts";
import { languageModelCall } from "./prompt.ts";

/** A model for each class; none may be left out. */
export type ModelsByClass = ByModelClass<LanguageModel>;

export interface ProviderOptions {
  /**
   * Whether a streamed answer holds a call's arguments as the model wrote them. Known for the OpenAI, Azure and Anthropic models
   * (true) and taken to be false for all others, so that the report never claims to have seen what it could not see.
   */
  readonly rawArguments?: boolean | undefined;
}

function readModel(value: unknown, place: string): LanguageModel {
  if (!isLanguageModel(value)) {
    const mend = typeof value === "string" ? `give a model of an AI SDK provider, not its name ${JSON.stringify(value)}` : 'give a model such as openai("…")';
    throw new EntailError("option_invalid", `${place} is no AI SDK language model: ${mend}`);
  }
  if (!SPECIFICATION_VERSIONS.includes(value.specificationVersion)) {
    throw new EntailError("option_invalid", `${place} speaks specification ${JSON.stringify(value.specificationVersion)}; Entail knows ${SPECIFICATION_VERSIONS.join(", ")}`);
  }
  return value;
}

/** Anthropic refuses a forced tool while thinking is on. The refusal is the provider's; the mend is ours to name. */
function explained(thrown: unknown, call: LanguageModelCall, model: LanguageModel): unknown {
  const body = member(thrown, "requestBodyValues");
  const thinking = textMember(member(body, "thinking"), "type");
  const refused = member(thrown, "statusCode") === 400 && call.toolChoice?.type === "tool" && thinking !== undefined && thinking !== "disabled";
  if (!refused) return thrown;
  return new EntailError(
    "provider_failed",
    `the model ${model.modelId} refused the request: ${messageOf(thrown)}; it was sent with thinking ${JSON.stringify(thinking)} and the forced tool ${JSON.stringify(call.toolChoice?.type === "tool" ? call.toolChoice.toolName : "")}, which exclude each other: turn thinking off for this model`,
    { cause: thrown },
  );
}

async function* streamed(model: LanguageModel, call: LanguageModelCall): AsyncGenerator<ModelStreamPart, void> {
  const result = await model.doStream(call);
  const stream = member(result, "stream");
  if (!isIterable(stream)) throw new EntailError("provider_failed", `the model ${model.modelId} gave no stream`);
  yield* readStream(model, call, result, stream);
}

async function* readStream(model: LanguageModel, call: LanguageModelCall, result: unknown, stream: Parameters<typeof iterate>[0]): AsyncGenerator<ModelStreamPart, void> {
  const answer = readAnswer(model, call, member(member(result, "request"), "body"));
  for await (const part of iterate(stream)) {
    const delta = answer.take(part);
    if (delta !== undefined) yield delta;
  }
  yield { type: "response", response: answer.response() };
}

async function whole(model: LanguageModel, call: LanguageModelCall): Promise<ModelResponse> {
  const result = await model.doGenerate(call);
  const content = member(result, "content");
  const streamed = member(result, "stream");
  // Mastra's models answer a unary call with a stream too.
  if (content === undefined && isIterable(streamed)) return lastResponse(readStream(model, call, result, streamed));
  const answer = readAnswer(model, call, member(member(result, "request"), "body"));
  answer.warnings(member(result, "warnings"));
  for (const part of Array.isArray(content) ? (content as unknown[]) : []) answer.take(part);
  answer.take({ type: "response-metadata", modelId: member(member(result, "response"), "modelId") });
  answer.take({ type: "finish", finishReason: member(result, "finishReason"), usage: member(result, "usage") });
  return answer.response();
}

async function lastResponse(stream: AsyncIterable<ModelStreamPart>): Promise<ModelResponse> {
  let response: ModelResponse | undefined;
  for await (const part of stream) if (part.type === "response") response = part.response;
  if (response === undefined) throw new EntailError("provider_failed", "the answer of the model broke off");
  return response;
}

/**
 * Makes a provider of an AI SDK model, or of one for each model class. Each request is one call of the model's own `doGenerate` or
 * `doStream`: nothing is retried, repaired or validated in between, schemas go out and argument texts come back as they are. Where the
 * whole answer would arrive parsed, it is streamed. What the SDK throws comes through as it is.
 *
 * Throws `model_class_missing` for a map without a model for each class, and `option_invalid` for what is no model. A request throws
 * `model_setting_lost` where `maxOutputTokens` was lowered or dropped, and `provider_failed` where an answer broke off.
 */
export function provider(models: LanguageModel | ModelsByClass, options: ProviderOptions = {}): Provider {
  const byClass = modelsByClass(models, isLanguageModel, readModel);
  const attempt = async function* (model: LanguageModel, call: LanguageModelCall, stream: AsyncIterable<ModelStreamPart>): AsyncGenerator<ModelStreamPart, void> {
    try {
      yield* stream;
    } catch (thrown) {
      throw explained(thrown, call, model);
    }
  };
  const modelFor = ({ modelClass }: ModelRequest): LanguageModel => modelOfClass(byClass, modelClass);
  const stream = (request: ModelRequest, { signal }: CallOptions): AsyncIterable<ModelStreamPart> => {
    const model = modelFor(request);
    const call = languageModelCall(request, signal);
    return attempt(model, call, streamed(model, call));
  };
  return {
    async complete(request, callOptions) {
      const model = modelFor(request);
      if (!unaryIsRaw(model)) return lastResponse(stream(request, callOptions));
      const call = languageModelCall(request, callOptions.signal);
      try {
        return await whole(model, call);
      } catch (thrown) {
        throw explained(thrown, call, model);
      }
    },
    stream,
    rawArguments: options.rawArguments ?? Object.values(byClass).every(streamIsRaw),
    modelName: (modelClass) => (Object.hasOwn(byClass, modelClass) ? byClass[modelClass].modelId : undefined),
    endpoint: (modelClass) => (Object.hasOwn(byClass, modelClass) ? endpointOf(byClass[modelClass]) : undefined),
  };
}
