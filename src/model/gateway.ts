// Owns the gateway: a fetch handler through which another process asks a provider that lives in this one.

import { abortError, untilAborted } from "../core/abort.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { EntailError } from "../core/error.ts";
import type { CallOptions, ModelStreamPart, Provider } from "../core/model.ts";
import { didYouMean } from "../core/nearest.ts";
import { createMask } from "../core/secret.ts";
import { authorizer, type Authorize } from "./bearer.ts";
import { completeThrough, streamThrough, type GatewayMiddleware } from "./middleware.ts";
import { invalidRequest, readRequest, readScope } from "./read-request.ts";
import { statusOf, toWireError } from "./wire-error.ts";

export interface GatewayOptions {
  readonly provider: Provider;
  /** Who may ask: a token of at least 8 characters, several, or a function of the request. There is no gateway without it. */
  readonly authorize: Authorize;
  /** The first is the outermost. */
  readonly middleware?: readonly GatewayMiddleware[] | undefined;
  /** No request may be larger; 8 MiB when absent. */
  readonly maxBodyBytes?: number | undefined;
  /** Masks secrets in the messages of errors; well-known shapes when absent. */
  readonly mask?: ((text: string) => string) | undefined;
  /** The system's when absent. */
  readonly clock?: Clock | undefined;
}

/** Takes a request and gives its answer: `export default { fetch: createGateway(…) }`. It never rejects. */
export type Gateway = (request: Request) => Promise<Response>;

const OPTIONS = ["provider", "authorize", "middleware", "maxBodyBytes", "mask", "clock"] as const satisfies readonly (keyof GatewayOptions)[];
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** The last part of the address says what is asked. */
export const GATEWAY_PATHS = { complete: "complete", stream: "stream", countTokens: "count-tokens" } as const;
const CALL = "the call through the gateway";

interface Asked {
  readonly request: ReturnType<typeof readRequest>;
  readonly options: CallOptions;
}

/**
 * Makes the handler. Requests and answers are validated here and by `remoteProvider`, before and after `middleware`; an error keeps its code, the
 * provider's status and its `Retry-After`; and whoever leaves ends the call of the provider. Throws `option_invalid`.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { provider, middleware, authorized, maxBodyBytes, mask, clock } = readOptions(options);

  function refused(thrown: unknown, status?: number): Response {
    const error = toWireError(thrown, clock.now(), mask);
    const retryAfterMs = error.cause?.retryAfterMs;
    return Response.json({ error }, { status: status ?? statusOf(error), headers: { "cache-control": "no-store", ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }) } });
  }

  function read(text: string, signal: AbortSignal): Asked {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch (thrown) {
      throw invalidRequest("its body is no JSON", thrown);
    }
    const { request: asked, scope, rawArguments } = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
    if (rawArguments === true && provider.rawArguments === false) throw invalidRequest("it relies on raw arguments, and this gateway's provider cannot give them: leave rawArguments out");
    return { request: readRequest(asked), options: { signal, scope: readScope(scope) } };
  }

  async function answer(request: Request, path: string, leave: AbortController): Promise<Response> {
    const text = await readBody(request, maxBodyBytes);
    if (text === undefined) return refused(invalidRequest(`it is larger than the ${maxBodyBytes} bytes that the gateway takes`), 413);
    const { request: asked, options: call } = read(text, leave.signal);
    switch (path) {
      case GATEWAY_PATHS.complete:
        return Response.json({ response: await untilAborted(completeThrough(provider, middleware, asked, call), leave.signal, CALL) }, { headers: { "cache-control": "no-store" } });
      case GATEWAY_PATHS.countTokens: {
        if (provider.countTokens === undefined) throw invalidRequest("this gateway's provider cannot count tokens");
        const tokens: unknown = await untilAborted(provider.countTokens(asked, call), leave.signal, CALL);
        if (typeof tokens !== "number" || !Number.isSafeInteger(tokens) || tokens < 0) throw new EntailError("provider_response_invalid", "the provider's countTokens gave no whole number of tokens");
        return Response.json({ tokens }, { headers: { "cache-control": "no-store" } });
      }
      default: {
        const stream = provider.stream?.bind(provider);
        if (stream === undefined) throw invalidRequest("this gateway's provider does not stream");
        const parts = streamThrough(stream, middleware, asked, call);
        // An error before the first part is an answer of its own, with its own status.
        const first = await parts.next();
        return new Response(events(parts, first, leave, (thrown) => toWireError(thrown, clock.now(), mask)), { headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" } });
      }
    }
  }

  return async (request) => {
    const leave = new AbortController();
    const left = (): void => leave.abort(abortError(AbortSignal.abort(), CALL));
    try {
      if (!(await authorized(request))) return refused(new EntailError("gateway_unauthorized", "the gateway needs its token: Authorization: Bearer <token>"));
      const path = new URL(request.url).pathname.split("/").at(-1) ?? "";
      if (!(Object.values(GATEWAY_PATHS) as readonly string[]).includes(path)) return refused(invalidRequest(`there is no ${JSON.stringify(path)}; there are ${Object.values(GATEWAY_PATHS).join(", ")}`), 404);
      if (request.method !== "POST") return refused(invalidRequest(`it was sent by ${request.method} and must be sent by POST`), 405);
      request.signal.addEventListener("abort", left, { once: true });
      if (request.signal.aborted) left();
      return await answer(request, path, leave);
    } catch (thrown) {
      return refused(thrown);
    }
  };
}

/** One event a part; a broken stream ends with one of the type `error`. */
function events(parts: AsyncGenerator<ModelStreamPart, void>, first: IteratorResult<ModelStreamPart, void>, leave: AbortController, toError: (thrown: unknown) => object): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let step: IteratorResult<ModelStreamPart, void> | undefined = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next: IteratorResult<ModelStreamPart, void> = step ?? (await parts.next());
          step = undefined;
          if (next.done === true) controller.close();
          else controller.enqueue(encoder.encode(`data: ${JSON.stringify(next.value)}\n\n`));
        } catch (thrown) {
          controller.enqueue(encoder.encode(`event: error\ndata: ${JSON.stringify({ error: toError(thrown) })}\n\n`));
          controller.close();
        }
      },
      async cancel() {
        leave.abort(abortError(AbortSignal.abort(), CALL));
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** `undefined` where it is too large; no more than that is read. */
async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  const reader = request.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let step = await reader?.read(); step?.done === false; step = await reader?.read()) {
    const { value } = step;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Nobody reads the rest.
      void reader?.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

interface Settings {
  readonly provider: Provider;
  readonly middleware: readonly GatewayMiddleware[];
  readonly authorized: (request: Request) => Promise<boolean>;
  readonly maxBodyBytes: number;
  readonly mask: (text: string) => string;
  readonly clock: Clock;
}

function readOptions(options: GatewayOptions): Settings {
  if (typeof options !== "object" || options === null) throw new EntailError("option_invalid", "createGateway needs { provider, authorize }");
  for (const name of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(name)) throw new EntailError("option_invalid", `createGateway has no option ${JSON.stringify(name)}${didYouMean(name, OPTIONS)}`);
  }
  const { provider, authorize, middleware = [], maxBodyBytes = MAX_BODY_BYTES, mask = createMask({}), clock = systemClock } = options;
  if (typeof (provider as Partial<Provider> | undefined)?.complete !== "function") throw new EntailError("option_invalid", "createGateway needs a provider: an object with complete(request, options)");
  if (!Array.isArray(middleware)) throw new EntailError("option_invalid", "createGateway: middleware must be a list");
  if (!(Number.isSafeInteger(maxBodyBytes) && maxBodyBytes > 0)) throw new EntailError("option_invalid", `createGateway: maxBodyBytes must be a positive whole number, not ${String(maxBodyBytes)}`);
  return { provider, middleware: [...middleware], authorized: authorizer(authorize), maxBodyBytes, mask, clock };
}
