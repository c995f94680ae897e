// Owns the secret side of the opaque client: only the framework can make one from a model, and only the framework can call it.

import { EntailError } from "./error.ts";
import type { CallOptions, Client, ModelClass, ModelRequest, ModelResponse, ModelStreamPart } from "./model.ts";

/** What a client is inside: a provider whose every answer has been validated. */
export interface ValidatedModel {
  /**
   * One request, one validated and frozen response. Rejects with `provider_failed` (its cause is what the provider threw; an
   * `EntailError` of the provider's comes through as it is), `provider_response_invalid`, or the signal's `cancelled`.
   */
  complete(request: ModelRequest, options: CallOptions): Promise<ModelResponse>;
  /** Present where the provider streams. Ends with exactly one `response` part, or throws as `complete` rejects. */
  readonly stream?: (request: ModelRequest, options: CallOptions) => AsyncIterable<ModelStreamPart>;
  /** Present where the provider counts. A whole number, not negative. */
  readonly countTokens?: (request: ModelRequest, options: CallOptions) => Promise<number>;
  /** False where the raw text of a tool call's arguments cannot be had. */
  readonly rawArguments: boolean;
  /** How the provider names the model of a class, where it knows; throws what the provider throws for a class it has no model for. */
  modelName(modelClass: ModelClass): string | undefined;
}

const models = new WeakMap<object, ValidatedModel>();

/** Makes the opaque client of a model. */
export function sealClient(model: ValidatedModel): Client {
  const client = Object.freeze({}) as Client;
  models.set(client, model);
  return client;
}

/** The model of a client. Throws `option_invalid` for anything that `createClient` did not make. */
export function openClient(client: Client): ValidatedModel {
  const model = typeof client === "object" && client !== null ? models.get(client) : undefined;
  if (model === undefined) {
    throw new EntailError("option_invalid", "this is no client: make one with createClient(provider) from \"entail/model\", of the same copy of entail");
  }
  return model;
}
