// Owns the provider: a model of the OpenAI Agents SDK, or one for each model class, behind Entail's model port.

import { EntailError } from "../../core/error.ts";
import { listMember, member, textMember } from "../../core/member.ts";
import type { ModelRequest, ModelResponse, Part, Provider, StopReason } from "../../core/model.ts";
import { modelOfClass, modelsByClass, type ByModelClass } from "../../core/models-by-class.ts";
import { modelRequest, type SdkModelRequest } from "./model-request.ts";
import { readPart } from "./stream-part.ts";
import { readUsage } from "./usage.ts";

/** A model of the SDK: `new OpenAIResponsesModel(client, "gpt-…")`, `await new OpenAIProvider().getModel("gpt-…")`, an application's own. */
export interface AgentsModel {
  getStreamedResponse(request: SdkModelRequest): AsyncIterable<unknown>;
}

export interface ProviderOptions {
  /**
   * Whether an answer holds a call's arguments as the model wrote them. Known for the SDK's own OpenAI models (true) and taken to be false for all
   * others, so that the report never claims to have seen what it could not see.
   */
  readonly rawArguments?: boolean | undefined;
}

function isRaw(model: AgentsModel): boolean {
  return ["OpenAIResponsesModel", "OpenAIChatCompletionsModel", "OpenAIResponsesWSModel"].includes(model.constructor.name);
}

function isModel(value: unknown): value is AgentsModel {
  return typeof member(value, "getStreamedResponse") === "function";
}

function readModel(value: unknown, place: string): AgentsModel {
  if (isModel(value)) return value;
  const mend = typeof value === "string" ? `give the model itself, await new OpenAIProvider().getModel(${JSON.stringify(value)})` : "give one with a getStreamedResponse() method";
  throw new EntailError("option_invalid", `${place} is no model of the OpenAI Agents SDK: ${mend}`);
}

/** The reason in the words of Chat Completions, of the Responses API and of the AI SDK. */
function stopReason(reason: string | undefined, content: readonly Part[], refused: boolean): StopReason | undefined {
  switch (reason) {
    case undefined:
      return undefined;
    case "stop":
      return refused ? "refusal" : content.some(({ type }) => type === "tool_call") ? "tool_calls" : "stop";
    case "tool_calls":
    case "tool-calls":
    case "function_call":
      return "tool_calls";
    case "length":
    case "max_output_tokens":
      return "length";
    case "content_filter":
    case "content-filter":
      return "content_filter";
    default:
      return "error";
  }
}

function contentOf(output: unknown): { readonly content: readonly Part[]; readonly refused: boolean } {
  let refused = false;
  const content = (listMember(output, "output") ?? []).flatMap((item): Part[] => {
    if (textMember(item, "type") === "function_call") {
      // What is no text is refused by `createClient`, which says why.
      return [{ type: "tool_call", id: textMember(item, "callId") ?? "", name: textMember(item, "name") ?? "", arguments: member(item, "arguments") as string }];
    }
    if (textMember(item, "type") !== "message") return [];
    return (listMember(item, "content") ?? []).flatMap((part): Part[] => {
      refused ||= textMember(part, "type") === "refusal";
      const text = textMember(part, "type") === "output_text" ? (textMember(part, "text") ?? "") : "";
      return text === "" ? [] : [{ type: "text", text }];
    });
  });
  return { content, refused };
}

async function ask(model: AgentsModel, request: SdkModelRequest): Promise<ModelResponse> {
  let reason: string | undefined;
  let answeredBy: string | undefined;
  let done: unknown;
  const given = (): ModelResponse | undefined => {
    const { content, refused } = contentOf(done);
    const stopped = stopReason(reason, content, refused);
    if (stopped === undefined) return undefined;
    const usage = readUsage(member(done, "usage"));
    return { content, stopReason: stopped, ...(usage === undefined ? {} : { usage }), ...(answeredBy === undefined ? {} : { model: answeredBy }) };
  };
  try {
    for await (const event of model.getStreamedResponse(request)) {
      if (textMember(event, "type") === "response_done") done = member(event, "response");
      const part = readPart({ type: "raw_model_stream_event", data: event });
      if (part.kind !== "model") continue;
      reason = part.reason ?? reason;
      const told = member(event, "event");
      answeredBy = textMember(told, "model") ?? textMember(member(told, "response"), "model") ?? answeredBy;
    }
  } catch (thrown) {
    // The SDK throws for an answer that was cut or filtered; that is an answer all the same.
    const stopped = done === undefined ? given() : undefined;
    if (stopped?.stopReason === "length" || stopped?.stopReason === "content_filter") return stopped;
    throw thrown;
  }
  const response = done === undefined ? undefined : given();
  if (response !== undefined) return response;
  throw new EntailError("provider_failed", `the answer of the model ${answeredBy ?? ""} broke off, or its model does not say why it stopped: Entail reads that of Chat Completions, of the Responses API and of the AI SDK`.replace("  ", " "));
}

/**
 * Makes a provider of a model of the SDK, or of one for each model class. Each request is one streamed response of the model's own: nothing is
 * retried, repaired or validated in between, schemas go out as they are, and the arguments of a call come back as the model wrote them. What the
 * model throws comes through as it is.
 *
 * Throws `model_class_missing` for a map without a model for each class, and `option_invalid` for what is no model. A request throws
 * `provider_failed` where an answer broke off.
 */
export function provider(models: AgentsModel | ByModelClass<AgentsModel>, options: ProviderOptions = {}): Provider {
  const byClass = modelsByClass(models, isModel, readModel);
  return {
    complete: async (request: ModelRequest, { signal }) => ask(modelOfClass(byClass, request.modelClass), modelRequest(request, signal)),
    rawArguments: options.rawArguments ?? Object.values(byClass).every(isRaw),
  };
}
