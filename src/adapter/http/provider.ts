// Owns the provider: a model behind an endpoint of OpenAI's chat protocol, for judges and whoever else asks a model. No SDK stands in between.

import { EntailError } from "../../core/error.ts";
import { MODEL_CLASSES, type ModelClass, type ModelMessage, type ModelRequest, type ModelResponse, type ModelStreamPart, type Part, type Provider, type StopReason } from "../../core/model.ts";
import type { Completion } from "./completion.ts";
import { ENDPOINT_OPTIONS, readEndpoint, type EndpointOptions } from "./endpoint.ts";
import { brokeOff, readCompletion } from "./exchange.ts";
import { invalid, requireKnown } from "./options.ts";

export interface ProviderOptions extends EndpointOptions {
  /** How the endpoint names the model, or the model of each class. */
  readonly model: string | Readonly<Record<ModelClass, string>>;
  /** The member that holds the cap on an answer's tokens: `max_tokens` when absent, `max_completion_tokens` for OpenAI's models that reason. */
  readonly tokenLimit?: "max_tokens" | "max_completion_tokens" | undefined;
  /** False leaves the temperature out, for a model that refuses one; each response then says so. */
  readonly sendsTemperature?: boolean | undefined;
  /** Further members of each request. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

const OPTIONS = [...ENDPOINT_OPTIONS, "model", "tokenLimit", "sendsTemperature", "body"] as const;
const LIMITS = ["max_tokens", "max_completion_tokens"] as const;

/**
 * Makes a provider of a chat endpoint. Each request is one HTTP request: nothing is retried or repaired, schemas go out and the texts of arguments come
 * back as they are. Throws `option_invalid` for options that are wrong, and `model_class_missing` for a map without a model for each class. A request
 * rejects with `provider_failed`, whose cause carries the `statusCode`, and with `model_setting_lost` where the answer is longer than its cap.
 */
export function provider(options: ProviderOptions): Provider {
  requireKnown(options, OPTIONS, "provider()");
  const { tokenLimit = "max_tokens", sendsTemperature = true, body } = options;
  const endpoint = readEndpoint(options, "provider()");
  const models = readModels(options.model);
  if (!LIMITS.includes(tokenLimit)) throw invalid(`tokenLimit of provider() must be one of ${LIMITS.join(", ")}`);
  if (typeof sendsTemperature !== "boolean") throw invalid("sendsTemperature of provider() must be true or false");
  if (body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body))) throw invalid("body of provider() must be an object");

  const modelOf = (modelClass: ModelClass): string => {
    const model = models.get(modelClass);
    if (model === undefined) throw new EntailError("model_class_missing", `${JSON.stringify(modelClass)} is no model class; the classes are ${MODEL_CLASSES.join(", ")}`);
    return model;
  };

  const requestBody = (request: ModelRequest, stream: boolean): object => ({
    ...body,
    model: modelOf(request.modelClass),
    messages: request.messages.map(chatMessage),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(({ name, description, inputSchema }) => ({ type: "function", function: { name, description, parameters: inputSchema } })), tool_choice: toolChoice(request) }),
    ...(sendsTemperature ? { temperature: request.temperature } : {}),
    [tokenLimit]: request.maxOutputTokens,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  });

  async function* answer(request: ModelRequest, signal: AbortSignal | undefined, stream: boolean): AsyncGenerator<ModelStreamPart, ModelResponse> {
    const pieces = readCompletion(await endpoint.post(requestBody(request, stream), signal), endpoint);
    let piece = await pieces.next();
    for (; piece.done !== true; piece = await pieces.next()) {
      const { value } = piece;
      if (value.kind === "text") yield { type: "text_delta", text: value.text };
      else if (value.id !== "" && value.name !== "") yield { type: "tool_call_delta", id: value.id, name: value.name, arguments: value.text };
    }
    return responseOf(piece.value, request);
  }

  const responseOf = (completion: Completion, { maxOutputTokens }: ModelRequest): ModelResponse => {
    const { error, usage, model } = completion;
    if (error !== undefined) throw new EntailError("provider_failed", `${endpoint.place} failed: ${error}`);
    const stopReason = stopReasonOf(completion);
    if (stopReason === undefined) throw new EntailError("provider_failed", brokeOff(endpoint));
    if (usage?.outputTokens !== undefined && usage.outputTokens > maxOutputTokens) {
      throw new EntailError("model_setting_lost", `${endpoint.place} did not keep maxOutputTokens ${maxOutputTokens}: the answer has ${usage.outputTokens}; give the member that it knows as tokenLimit`);
    }
    return {
      content: contentOf(completion),
      stopReason,
      ...(usage === undefined ? {} : { usage }),
      ...(model === undefined ? {} : { model }),
      ...(sendsTemperature ? {} : { changedSettings: ["temperature: it was not sent"] }),
    };
  };

  return {
    async complete(request, { signal }) {
      const pieces = answer(request, signal, false);
      let piece = await pieces.next();
      while (piece.done !== true) piece = await pieces.next();
      return piece.value;
    },
    async *stream(request, { signal }) {
      yield { type: "response", response: yield* answer(request, signal, true) };
    },
    rawArguments: true,
    modelName: (modelClass) => models.get(modelClass),
    endpoint: () => endpoint.place,
  };
}

function readModels(model: unknown): ReadonlyMap<string, string> {
  if (typeof model === "string" && model !== "") return new Map(MODEL_CLASSES.map((modelClass) => [modelClass, model]));
  if (typeof model !== "object" || model === null) throw invalid("model of provider() must be the name of a model, or one for each model class");
  requireKnown(model, MODEL_CLASSES, "provider(), model");
  return new Map(
    MODEL_CLASSES.map((modelClass) => {
      const name: unknown = Object.hasOwn(model, modelClass) ? (model as Record<string, unknown>)[modelClass] : undefined;
      if (typeof name !== "string" || name === "") throw new EntailError("model_class_missing", `provider() has no model for the class ${JSON.stringify(modelClass)}; give one model, or one for each of ${MODEL_CLASSES.join(", ")}`);
      return [modelClass, name];
    }),
  );
}

function chatMessage(message: ModelMessage): object {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "assistant": {
      const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      const calls = message.content.flatMap((part) => (part.type === "tool_call" ? [{ id: part.id, type: "function", function: { name: part.name, arguments: part.arguments } }] : []));
      return { role: "assistant", content: text === "" ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    }
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
    default:
      return message satisfies never;
  }
}

function toolChoice({ toolChoice: choice }: ModelRequest): unknown {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.tool } };
}

function stopReasonOf({ finishReason, refusal }: Completion): StopReason | undefined {
  switch (finishReason) {
    case "stop":
      return refusal === "" ? "stop" : "refusal";
    case "tool_calls":
    case "function_call":
      return "tool_calls";
    case "length":
      return "length";
    case "content_filter":
      return "content_filter";
    case undefined:
      return undefined;
    default:
      // Never taken for an end that went well.
      return "error";
  }
}

function contentOf({ text, refusal, calls }: Completion): readonly Part[] {
  const taken = new Set<string>();
  return [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...(refusal === "" ? [] : [{ type: "text" as const, text: refusal }]),
    ...calls.map((call, at): Part => {
      const id = call.id === "" || taken.has(call.id) ? `call_${at + 1}` : call.id;
      taken.add(id);
      // What is no text is refused by `createClient`, which says why.
      return { type: "tool_call", id, name: call.name, arguments: call.arguments as string };
    }),
  ];
}
