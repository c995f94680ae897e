// Owns what may stand between the wire and the provider, and that none of it hides an invalid answer.

import { isEntailError } from "../core/error.ts";
import type { CallOptions, ModelRequest, ModelResponse, ModelStreamPart, Provider } from "../core/model.ts";
import { readResponse } from "./read-response.ts";
import { readStream } from "./read-stream.ts";

/**
 * Sees each call on its way in and out; the first of a list is the outermost. What it makes of a request goes on, what it makes of an
 * answer is validated again.
 */
export interface GatewayMiddleware {
  readonly complete?: ((request: ModelRequest, options: CallOptions, next: (request: ModelRequest) => Promise<ModelResponse>) => Promise<ModelResponse>) | undefined;
  readonly stream?: ((request: ModelRequest, options: CallOptions, next: (request: ModelRequest) => AsyncIterable<ModelStreamPart>) => AsyncIterable<ModelStreamPart>) | undefined;
}

const CALL = "the call through the gateway";

/** The first invalid answer of the provider: it fails the call, whatever a middleware makes of it. */
function watch(): { note: (thrown: unknown) => unknown; check: () => void } {
  let fault: unknown;
  return {
    note(thrown) {
      if (isEntailError(thrown) && thrown.code === "provider_response_invalid") fault ??= thrown;
      return thrown;
    },
    check() {
      if (fault !== undefined) throw fault;
    },
  };
}

export async function completeThrough(provider: Provider, middleware: readonly GatewayMiddleware[], request: ModelRequest, options: CallOptions): Promise<ModelResponse> {
  const faults = watch();
  const ask = async (asked: ModelRequest): Promise<ModelResponse> => {
    try {
      return readResponse(await provider.complete(asked, options));
    } catch (thrown) {
      throw faults.note(thrown);
    }
  };
  const through = middleware.reduceRight<(asked: ModelRequest) => Promise<ModelResponse>>((next, { complete }) => (complete === undefined ? next : async (asked) => complete(asked, options, next)), ask);
  const response = await through(request);
  faults.check();
  return readResponse(response);
}

/** `open` makes the provider's stream. */
export async function* streamThrough(open: NonNullable<Provider["stream"]>, middleware: readonly GatewayMiddleware[], request: ModelRequest, options: CallOptions): AsyncGenerator<ModelStreamPart, void> {
  const faults = watch();
  const ask = async function* (asked: ModelRequest): AsyncGenerator<ModelStreamPart, void> {
    try {
      yield* readStream(open(asked, options), options.signal, CALL);
    } catch (thrown) {
      throw faults.note(thrown);
    }
  };
  const through = middleware.reduceRight<(asked: ModelRequest) => AsyncIterable<ModelStreamPart>>((next, { stream }) => (stream === undefined ? next : (asked) => stream(asked, options, next)), ask);
  for await (const part of readStream(through(request), options.signal, CALL)) {
    faults.check();
    yield part;
  }
  faults.check();
}
