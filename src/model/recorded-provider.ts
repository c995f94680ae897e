// Owns the recorded provider: each response that is an answer is kept, and comes back as it was.

import { EntailError, messageOf } from "../core/error.ts";
import type { ModelRequest, ModelResponse, ModelStreamPart, Provider } from "../core/model.ts";
import { fromJson, type Json } from "./plain-json.ts";
import { factsOf } from "./provider-facts.ts";
import { readResponse } from "./read-response.ts";
import { readStream } from "./read-stream.ts";
import { keptJson, recall, type Kept, type Recorder } from "./recorded-call.ts";

const replays = new WeakSet<object>();

/** True for a response that was replayed: no model has been asked for it. */
export function isReplayed(response: ModelResponse): boolean {
  return replays.has(response);
}

/** A refusal, a filter's cut, an error and an answer that was cut off say nothing about the next time, so none is kept. */
export function keptResponse(response: ModelResponse): Kept {
  if (response.stopReason !== "stop" && response.stopReason !== "tool_calls") return { left: `it ended with ${response.stopReason}, and only whole answers are kept` };
  return keptJson(response, false);
}

function replayed({ book }: Recorder, answer: Json): ModelResponse {
  try {
    const response = readResponse(fromJson(answer));
    replays.add(response);
    return response;
  } catch (thrown) {
    throw new EntailError("recording_unreadable", `a recording in ${book.path} holds no response of a model: ${messageOf(thrown)}; record it anew`, { cause: thrown });
  }
}

/** The same text in one piece each. */
function* partsOf(response: ModelResponse): Generator<ModelStreamPart> {
  for (const part of response.content) {
    if (part.type === "text") yield { type: "text_delta", text: part.text };
    else yield { type: "tool_call_delta", id: part.id, name: part.name, arguments: part.arguments };
  }
  yield { type: "response", response };
}

export interface RecordedProviderOptions {
  /** Tells providers apart that name neither a model nor an address. */
  readonly name?: string | undefined;
}

export function recordedProvider(recorder: Recorder, provider: Provider, { name }: RecordedProviderOptions = {}): Provider {
  const asked = (request: ModelRequest): unknown => ({
    name,
    model: provider.modelName?.(request.modelClass),
    endpoint: provider.endpoint?.(request.modelClass),
    ...request,
  });
  const stream = provider.stream?.bind(provider);
  const countTokens = provider.countTokens?.bind(provider);
  return {
    async complete(request, options) {
      const found = recall(recorder, "response", options.scope, asked(request));
      if (found?.answer !== undefined) return replayed(recorder, found.answer);
      const response: unknown = await provider.complete(request, options);
      // What is no response at all is the client's to refuse.
      if (found !== undefined) keepValid(found.keep, response);
      return response as ModelResponse;
    },
    ...(stream !== undefined && {
      async *stream(request, options) {
        const found = recall(recorder, "response", options.scope, asked(request));
        if (found?.answer !== undefined) {
          yield* partsOf(replayed(recorder, found.answer));
          return;
        }
        let response: ModelResponse | undefined;
        for await (const part of readStream(stream(request, options), options.signal, "the call of the model")) {
          if (part.type === "response") response = part.response;
          yield part;
        }
        if (response !== undefined) found?.keep(keptResponse(response));
      },
    }),
    ...(countTokens !== undefined && {
      async countTokens(request, options) {
        const found = recall(recorder, "tokens", options.scope, asked(request));
        if (found?.answer !== undefined) return found.answer as number;
        const count = await countTokens(request, options);
        found?.keep(keptJson(count, false));
        return count;
      },
    }),
    ...factsOf(provider),
  };
}

function keepValid(keep: (kept: Kept) => void, response: unknown): void {
  let valid: ModelResponse;
  try {
    valid = readResponse(response);
  } catch {
    return;
  }
  keep(keptResponse(valid));
}
