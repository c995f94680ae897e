// Owns the other end of a gateway: a provider that asks one in another process.

import { EntailError } from "../core/error.ts";
import { member } from "../core/member.ts";
import type { CallOptions, ModelClass, ModelRequest, ModelResponse, ModelStreamPart, Provider } from "../core/model.ts";
import { didYouMean } from "../core/nearest.ts";
import { serverSentEvents } from "../core/server-sent-event.ts";
import { GATEWAY_PATHS } from "./gateway.ts";
import { readResponse } from "./read-response.ts";
import { readStream } from "./read-stream.ts";
import { errorOfBody, fromWireError } from "./wire-error.ts";

export interface RemoteProviderOptions {
  /** Where the gateway is served; `https:`, or `http:` in a network that can be trusted. */
  readonly url: string | URL;
  readonly token: string;
  /** True where the gateway's provider is known to give a call's arguments as the model wrote them; it is asked, and refuses where it cannot. */
  readonly rawArguments?: boolean | undefined;
  /** How the model of a class is called, for the report and for prices. */
  readonly modelName?: ((modelClass: ModelClass) => string | undefined) | undefined;
  /** The platform's when absent. */
  readonly fetch?: typeof fetch | undefined;
}

/** A provider that counts the tokens of a request before it is made. */
export type CountingProvider = Provider & Required<Pick<Provider, "countTokens">>;

const OPTIONS = ["url", "token", "rawArguments", "modelName", "fetch"] as const satisfies readonly (keyof RemoteProviderOptions)[];
const WHAT = "the stream of the gateway";

/**
 * Asks the gateway at `url`, one request a call: complete and streamed. Errors come back as they were thrown there: the same code, the provider's status
 * and `Retry-After` in the cause. An aborted signal ends the call there too. Throws `option_invalid`.
 */
export function remoteProvider(options: RemoteProviderOptions): Provider {
  return remote("remoteProvider", options);
}

/** `remoteProvider` that also counts the exact tokens of a request's input, where the gateway's provider can. */
export function countingRemoteProvider(options: RemoteProviderOptions): CountingProvider {
  const { post, ...provider } = withPost("countingRemoteProvider", options);
  return {
    ...provider,
    async countTokens(request, callOptions) {
      const tokens = member(await json(await post(GATEWAY_PATHS.countTokens, request, callOptions)), "tokens");
      if (typeof tokens !== "number") throw new EntailError("provider_response_invalid", "the gateway gave no number of tokens");
      return tokens;
    },
  };
}

function remote(name: string, options: RemoteProviderOptions): Provider {
  const { post: _post, ...provider } = withPost(name, options);
  return provider;
}

type Post = (path: string, request: ModelRequest, options: CallOptions) => Promise<Response>;

function withPost(name: string, options: RemoteProviderOptions): Provider & { readonly post: Post } {
  const { url, token, rawArguments = false, modelName, fetch: send = fetch } = readOptions(name, options);
  const endpoint = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;

  const post: Post = async (path, request, { signal, scope }) => {
    const address = new URL(`${endpoint}/${path}`);
    address.search = url.search;
    const response = await send(address, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ request, scope, ...(rawArguments && { rawArguments }) }),
      // A redirect would carry the token elsewhere.
      redirect: "error",
      ...(signal !== undefined && { signal }),
    });
    if (response.ok) return response;
    const text = await response.text();
    throw fromWireError(errorOfBody(text), `the gateway at ${endpoint} answered ${response.status}`, response.status, response.headers.get("retry-after"));
  };

  async function* parts(request: ModelRequest, callOptions: CallOptions): AsyncGenerator<unknown, void> {
    const { body } = await post(GATEWAY_PATHS.stream, request, callOptions);
    let answered = false;
    for await (const { event, data } of serverSentEvents(body)) {
      if (event === "error") throw fromWireError(errorOfBody(data), "the gateway's stream broke off");
      const part = parsed(data);
      answered ||= member(part, "type") === "response";
      yield part;
    }
    if (!answered) throw new EntailError("provider_failed", "the answer of the gateway broke off: its stream ended without a response");
  }

  return {
    post,
    async complete(request, callOptions): Promise<ModelResponse> {
      return readResponse(member(await json(await post(GATEWAY_PATHS.complete, request, callOptions)), "response"));
    },
    stream: (request, callOptions): AsyncIterable<ModelStreamPart> => readStream(parts(request, callOptions), callOptions.signal, WHAT),
    rawArguments,
    ...(modelName !== undefined && { modelName }),
    endpoint: () => endpoint,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new EntailError("provider_failed", "the answer of the gateway broke off: it is no JSON", { cause });
  }
}

async function json(response: Response): Promise<unknown> {
  return parsed(await response.text());
}

function readOptions(name: string, options: RemoteProviderOptions): Omit<RemoteProviderOptions, "url"> & { readonly url: URL } {
  if (typeof options !== "object" || options === null) throw new EntailError("option_invalid", `${name} needs { url, token }`);
  for (const option of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(option)) throw new EntailError("option_invalid", `${name} has no option ${JSON.stringify(option)}${didYouMean(option, OPTIONS)}`);
  }
  const { url, token } = options;
  const address = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) throw new EntailError("option_invalid", `${name} needs url, the address of a gateway, such as "https://models.example.com/gateway"`);
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) throw new EntailError("option_invalid", `${name} needs token, the gateway's token: printable ASCII without white space`);
  return { ...options, url: address };
}
