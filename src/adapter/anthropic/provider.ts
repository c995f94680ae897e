// Owns the provider: a model of the Messages API, or one for each model class, behind Entail's model port.

import { EntailError, messageOf } from "../../core/error.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { countMember, member, textMember } from "../../core/member.ts";
import type { CallOptions, ModelRequest, ModelStreamPart, Part, Provider, StopReason } from "../../core/model.ts";
import { modelOfClass, modelsByClass, type ByModelClass } from "../../core/models-by-class.ts";
import { assembly } from "./assembly.ts";
import type { MessagesLike } from "./loop.ts";
import { messageRequest } from "./message-request.ts";
import { readPart } from "./part.ts";
import { laterUsage, messageUsage } from "./usage.ts";

export interface ProviderOptions {
  /** The name of a model, or one for each model class. */
  readonly model: string | ByModelClass<string>;
  /** Further members of each request, which stand before Entail's own: `thinking`, `metadata`, or `temperature: undefined` for a model that takes none. */
  readonly call?: Readonly<Record<string, unknown>> | undefined;
}

interface Client {
  readonly messages: MessagesLike & { countTokens?(body: any, options?: any): PromiseLike<unknown> };
}

function readName(value: unknown, place: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new EntailError("option_invalid", `${place} must be the name of one, such as "claude-sonnet-4-5"`);
}

const STOP_REASON: ReadonlyMap<string, StopReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "tool_calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refusal"],
]);

/** The API refuses a forced tool while thinking is on, which a model may have of itself. The refusal is the API's; the mend is ours to name. */
function explained(thrown: unknown, body: Readonly<Record<string, unknown>>): unknown {
  const forced = textMember(body["tool_choice"], "type") === "tool";
  const message = messageOf(thrown);
  if (!forced || countMember(thrown, "status") !== 400 || !/thinking/iu.test(message)) return thrown;
  return new EntailError(
    "provider_failed",
    `the model ${String(body["model"])} refused the request: ${message}; a forced tool (${textMember(body["tool_choice"], "name")}) and thinking exclude each other: turn thinking off for this model, { call: { thinking: { type: "disabled" } } }`,
    { cause: thrown },
  );
}

/** The temperature is the one setting that `call` may change: some models take none. */
function changedTemperature(asked: number, call: Readonly<Record<string, unknown>>): readonly string[] {
  if (!Object.hasOwn(call, "temperature")) return [];
  const { temperature } = call as { readonly temperature?: number };
  return temperature === asked ? [] : [`temperature: the request went out ${temperature === undefined ? "without it" : `with ${temperature}`} instead of ${asked}`];
}

async function* streamed(client: Client, body: Readonly<Record<string, unknown>>, changed: readonly string[], signal: AbortSignal | undefined): AsyncGenerator<ModelStreamPart, void> {
  const stream = await client.messages.create({ ...body, stream: true }, { maxRetries: 0, ...(signal !== undefined && { signal }) });
  if (!isIterable(stream)) throw new EntailError("provider_failed", `the model ${String(body["model"])} gave no stream`);
  const blocks = assembly();
  const parts = new Map<number, Part>();
  let usage: object | undefined;
  let usageWhole = false;
  let reason: string | undefined;
  let answeredBy: string | undefined;
  for await (const event of iterate(stream)) {
    const part = readPart(event);
    switch (part.kind) {
      case "message_start":
        usage = laterUsage(undefined, part.usage);
        answeredBy = textMember(member(event, "message"), "model");
        break;
      case "block_start":
        blocks.start(part.index, part.block);
        break;
      case "block_piece": {
        blocks.piece(part.index, part.delta);
        const open = blocks.open(part.index);
        const text = textMember(part.delta, "type") === "text_delta" ? textMember(part.delta, "text") : undefined;
        const piece = textMember(part.delta, "partial_json");
        if (text !== undefined && text !== "") yield { type: "text_delta", text };
        if (piece !== undefined && piece !== "" && textMember(open, "type") === "tool_use") yield { type: "tool_call_delta", id: textMember(open, "id") ?? "", name: textMember(open, "name") ?? "", arguments: piece };
        break;
      }
      case "block_stop": {
        const finished = blocks.stop(part.index);
        if (finished === undefined) break;
        const { block, inputText } = finished;
        const text = textMember(block, "text");
        if (block["type"] === "text" && text !== undefined && text !== "") parts.set(part.index, { type: "text", text });
        // A call without a piece of input has none.
        if (block["type"] === "tool_use") parts.set(part.index, { type: "tool_call", id: textMember(block, "id") ?? "", name: textMember(block, "name") ?? "", arguments: inputText === "" ? JSON.stringify(block["input"] ?? {}) : inputText });
        break;
      }
      case "message_delta":
        usage = laterUsage(usage, part.usage);
        usageWhole = true;
        reason = part.stopReason ?? reason;
        break;
      case "failure":
        throw new EntailError("provider_failed", `the model ${String(body["model"])} failed: ${textMember(member(part.error, "error"), "message") ?? "it does not say why"}`, { cause: part.error });
      case "message":
      case "block":
      case "tool_results":
      case "message_stop":
      case "said":
      case "none":
      case "unknown":
        break;
      default:
        part satisfies never;
    }
  }
  if (reason === undefined) throw new EntailError("provider_failed", `the answer of the model ${String(body["model"])} broke off: it ended without saying why it stopped`);
  const tokens = messageUsage(usage, usageWhole);
  yield {
    type: "response",
    response: {
      content: [...parts].sort(([a], [b]) => a - b).map(([, part]) => part),
      stopReason: STOP_REASON.get(reason) ?? "error",
      ...(tokens === undefined ? {} : { usage: tokens }),
      ...(answeredBy === undefined ? {} : { model: answeredBy }),
      ...(changed.length === 0 ? {} : { changedSettings: changed }),
    },
  };
}

/**
 * Makes a provider of a client of the Anthropic SDK and the name of a model, or of one for each model class. Each request is one streamed message, whatever retries the client has:
 * schemas go out as they are, and the arguments of a call come back as the model wrote them, so that a member given twice is seen. A forced tool is
 * called once. What the SDK throws comes through as it is.
 *
 * Throws `option_invalid` for what is no client or no name, and `model_class_missing` for a map without a model for each class. A request throws
 * `provider_failed` where an answer broke off, and where thinking and a forced tool exclude each other.
 */
export function provider(client: Client, options: ProviderOptions): Provider {
  if (typeof member(member(client, "messages"), "create") !== "function") throw new EntailError("option_invalid", "provider() needs a client of the Anthropic SDK, such as new Anthropic()");
  const models = modelsByClass(member(options, "model"), (value) => typeof value === "string", readName);
  const { call = {} } = options;
  const stream = async function* (request: ModelRequest, { signal }: CallOptions): AsyncGenerator<ModelStreamPart, void> {
    const body = messageRequest(request, modelOfClass(models, request.modelClass), call);
    const changed = changedTemperature(request.temperature, call);
    try {
      yield* streamed(client, body, changed, signal);
    } catch (thrown) {
      throw explained(thrown, body);
    }
  };
  return {
    async complete(request, callOptions) {
      for await (const part of stream(request, callOptions)) if (part.type === "response") return part.response;
      throw new EntailError("provider_failed", "the answer of the model broke off");
    },
    stream,
    ...(typeof client.messages.countTokens === "function"
      ? {
          async countTokens(request: ModelRequest, { signal }: CallOptions): Promise<number> {
            const { max_tokens: _cap, temperature: _temperature, ...body } = messageRequest(request, modelOfClass(models, request.modelClass), call);
            const counted = countMember(await client.messages.countTokens?.(body, { maxRetries: 0, ...(signal !== undefined && { signal }) }), "input_tokens");
            if (counted === undefined) throw new EntailError("provider_failed", "the API gave no count of tokens");
            return counted;
          },
        }
      : {}),
    rawArguments: true,
    modelName: (modelClass) => (Object.hasOwn(models, modelClass) ? models[modelClass] : undefined),
    endpoint: () => textMember(client, "baseURL"),
  };
}
