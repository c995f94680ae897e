// Owns the provider: a chat model of LangChain, or one for each model class, behind Entail's model port.

import { EntailError } from "../../core/error.ts";
import { member, textMember } from "../../core/member.ts";
import type { CallOptions, ModelRequest, ModelResponse, Part, Provider, StopReason } from "../../core/model.ts";
import { type ByModelClass, modelOfClass, modelsByClass } from "../../core/models-by-class.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import { chatMessages, chatTools, toolChoice } from "./chat-request.ts";
import { readMessage } from "./message.ts";
import { assembly } from "./pieces.ts";

/** What one request asks of the model: a chat model takes it when it is made, not when it is called. */
export interface ChatSettings {
  readonly temperature: number;
  readonly maxTokens: number;
  /** A call that is tried again behind the caller's back is counted nowhere. */
  readonly maxRetries: 0;
}

interface Streams {
  // `any`: LangChain's messages and options are its own classes.
  stream(messages: any, options?: any): PromiseLike<AsyncIterable<unknown>>;
}

/** `ChatOpenAI`, `ChatAnthropic`, or any other chat model of LangChain that can be given tools. */
export interface ChatModel extends Streams {
  bindTools?(tools: any[], options?: any): Streams;
  _llmType?(): string;
}

/** Makes the model for a request: `(settings) => new ChatOpenAI({ model: "…", ...settings })`. */
export type MakeChatModel = (settings: ChatSettings) => ChatModel;

export interface ProviderOptions {
  /** Whether the model's stream hands on the text of arguments as the model wrote it. Known for OpenAI's and Anthropic's; false where it is not known. */
  readonly rawArguments?: boolean | undefined;
}

/** Chat models whose streams hand on the provider's own pieces of text. Others parse the arguments and write them anew. */
const RAW: ReadonlySet<string> = new Set(["openai", "anthropic"]);

function make(maker: MakeChatModel, settings: ChatSettings): ChatModel {
  const model: unknown = maker(settings);
  if (typeof member(model, "stream") !== "function") throw new EntailError("option_invalid", "provider() needs a function that makes a chat model of LangChain: (settings) => new ChatOpenAI({ model, ...settings })");
  return model as ChatModel;
}

/** The settings are the application's to hand on; a model that shows that it has others would answer under them unseen. */
function requireSettings(model: ChatModel, settings: ChatSettings): void {
  const named = model as unknown as object;
  const lost = (["temperature", "maxTokens"] as const).filter((name) => name in named && member(named, name) !== settings[name]);
  if (lost.length > 0) {
    throw new EntailError("model_setting_lost", `the chat model was made with ${lost.map((name) => `${name} ${JSON.stringify(member(named, name))} instead of ${settings[name]}`).join(" and ")}; hand the settings on: (settings) => new ChatOpenAI({ model, ...settings })`);
  }
}

function isRaw(maker: MakeChatModel): boolean {
  try {
    const model = maker({ temperature: 0, maxTokens: 1, maxRetries: 0 });
    const kind = member(model, "_llmType");
    return typeof kind === "function" && RAW.has(String(kind.call(model)));
  } catch {
    // The first request says what is wrong.
    return false;
  }
}

function stopReasonOf(reason: string | undefined, calls: boolean): StopReason {
  switch (reason) {
    case "stop":
    case "end_turn":
    case "stop_sequence":
    case "STOP":
    case "completed":
    case "tool_calls":
    case "tool_use":
    case "function_call":
      return calls ? "tool_calls" : "stop";
    case "length":
    case "max_tokens":
    case "MAX_TOKENS":
    case "max_output_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "content_filter":
    case "SAFETY":
    case "RECITATION":
    case "PROHIBITED_CONTENT":
    case "guardrail_intervened":
      return "content_filter";
    case "refusal":
      return "refusal";
    case undefined:
      throw new EntailError("provider_failed", "the model's answer ended without a reason: nobody knows whether it was whole");
    default:
      return "error";
  }
}

async function readAnswer(chunks: AsyncIterable<unknown>): Promise<ModelResponse> {
  const calls = assembly();
  let text = "";
  let usage: Usage | undefined;
  let reason: string | undefined;
  let model: string | undefined;
  for await (const chunk of chunks) {
    const message = readMessage(chunk, true);
    if (message?.kind !== "ai") continue;
    text += message.text;
    for (const piece of message.pieces) calls.add(piece);
    // A model that does not stream gives its answer whole.
    if (!message.piece) for (const { rawId, toolName, text: written, args } of message.calls) calls.add({ index: rawId, rawId, toolName, text: written ?? JSON.stringify(args) });
    usage = addUsage(usage, message.usage);
    const metadata = member(chunk, "response_metadata");
    reason = message.finishReason ?? (textMember(metadata, "status") === "completed" ? "completed" : undefined) ?? reason;
    model = textMember(metadata, "model_name") ?? textMember(metadata, "model") ?? model;
  }
  const parts: Part[] = text === "" ? [] : [{ type: "text", text }];
  calls.calls.forEach(({ rawId, toolName, text: written }, at) => parts.push({ type: "tool_call", id: rawId === "" ? `call_${at + 1}` : rawId, name: toolName, arguments: written }));
  const stopReason = stopReasonOf(reason, calls.calls.length > 0);
  return { content: parts, stopReason, ...(usage === undefined ? {} : { usage }), ...(model === undefined ? {} : { model }) };
}

/**
 * Makes a provider of a function that makes chat models of LangChain, or of one for each model class. Each request makes its model, with the request's
 * settings, and streams it: so the text of arguments comes as the model wrote it where `rawArguments` says so. Schemas go through untouched.
 * A request throws `model_setting_lost` where the model shows other settings, `provider_failed` where an answer ended without a reason, and what the model threw.
 */
export function provider(models: MakeChatModel | ByModelClass<MakeChatModel>, options: ProviderOptions = {}): Provider {
  const makers = modelsByClass<MakeChatModel>(models, (value) => typeof value === "function", (value, place) => {
    if (typeof value === "function") return value as MakeChatModel;
    throw new EntailError("option_invalid", `${place} must be a function that makes a chat model of LangChain: (settings) => new ChatOpenAI({ model, ...settings })`);
  });

  async function complete(request: ModelRequest, { signal }: CallOptions): Promise<ModelResponse> {
    const settings: ChatSettings = { temperature: request.temperature, maxTokens: request.maxOutputTokens, maxRetries: 0 };
    const model = make(modelOfClass(makers, request.modelClass), settings);
    requireSettings(model, settings);
    if (request.tools.length > 0 && typeof model.bindTools !== "function") throw new EntailError("provider_failed", "the chat model cannot be given tools: it has no bindTools()");
    const asked: Streams = request.tools.length === 0 || model.bindTools === undefined ? model : model.bindTools(chatTools(request), { tool_choice: toolChoice(request) });
    return readAnswer(await asked.stream(chatMessages(request), signal === undefined ? {} : { signal }));
  }

  return {
    complete,
    rawArguments: options.rawArguments ?? Object.values(makers).every(isRaw),
    modelName: (modelClass) => {
      try {
        const model: unknown = modelOfClass(makers, modelClass)({ temperature: 0, maxTokens: 1, maxRetries: 0 });
        return textMember(model, "model") ?? textMember(model, "modelName");
      } catch {
        return undefined;
      }
    },
  };
}
