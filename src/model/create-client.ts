// Owns the client: a provider made safe to rely on. Every answer is validated, every throw is told apart from an answer.

import { abortError, untilAborted } from "../core/abort.ts";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { sealClient } from "../core/model-client.ts";
import type { CallOptions, Client, ModelClass, ModelRequest, ModelResponse, ModelStreamPart, Provider } from "../core/model.ts";
import { readResponse } from "./read-response.ts";
import { readStream } from "./read-stream.ts";

const CALL = "the call of the model";

/** An `EntailError` keeps its own code (a lost setting, a missing model class); anything else becomes the cause of `provider_failed`. */
function failure(thrown: unknown): EntailError {
  return isEntailError(thrown) ? thrown : new EntailError("provider_failed", `the provider failed: ${messageOf(thrown)}`, { cause: thrown });
}

async function call<Value>(options: CallOptions, work: () => Promise<Value>): Promise<Value> {
  const { signal } = options;
  if (signal?.aborted === true) throw abortError(signal, CALL);
  try {
    return await untilAborted(work(), signal, CALL);
  } catch (thrown) {
    throw failure(thrown);
  }
}

/**
 * Makes the client of a provider: opaque, safe for concurrent calls, and never a source of more than one request a call. It takes
 * nothing from the provider on trust: what is no response is `provider_response_invalid`, what the provider throws stays reachable
 * as the `cause` of `provider_failed`, and an aborted signal ends a call whether the provider obeys it or not. Throws
 * `option_invalid` where `provider` has no `complete`.
 */
export function createClient(provider: Provider): Client {
  const given = provider as Partial<Provider> | null | undefined;
  if (typeof given !== "object" && typeof given !== "function" || given === null || typeof given.complete !== "function") {
    throw new EntailError("option_invalid", "createClient needs a provider: an object with complete(request, options)");
  }
  const complete = (request: ModelRequest, options: CallOptions): Promise<ModelResponse> =>
    call(options, async () => readResponse(await provider.complete(request, options)));

  const stream = async function* (request: ModelRequest, options: CallOptions): AsyncIterable<ModelStreamPart> {
    const { signal } = options;
    if (signal?.aborted === true) throw abortError(signal, CALL);
    try {
      yield* readStream(provider.stream?.(request, options), signal, CALL);
    } catch (thrown) {
      throw failure(thrown);
    }
  };

  const countTokens = (request: ModelRequest, options: CallOptions): Promise<number> =>
    call(options, async () => {
      const count: unknown = await provider.countTokens?.(request, options);
      if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
      throw new EntailError("provider_response_invalid", "the provider's countTokens gave no whole number of tokens");
    });

  const modelName = (modelClass: ModelClass): string | undefined => {
    try {
      const name: unknown = provider.modelName?.(modelClass);
      return typeof name === "string" && name !== "" ? name : undefined;
    } catch (thrown) {
      throw failure(thrown);
    }
  };

  return sealClient({
    complete,
    ...(typeof provider.stream === "function" ? { stream } : {}),
    ...(typeof provider.countTokens === "function" ? { countTokens } : {}),
    rawArguments: provider.rawArguments !== false,
    modelName,
  });
}
