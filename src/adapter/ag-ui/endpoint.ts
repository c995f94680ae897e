// Owns the endpoint: one request of AG-UI, sent and read as server-sent events. Nothing is retried.

import { EntailError } from "../../core/error.ts";
import { member, recordOf, textMember } from "../../core/member.ts";
import { serverSentEvents } from "../../core/server-sent-event.ts";
import { thrownMessage } from "../../core/thrown.ts";

/** As much of a response as is read. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** A web stream of bytes. */
  readonly body: unknown;
  text(): PromiseLike<string>;
}

/** The platform's `fetch`, as far as it is called. */
export type Fetch = (url: string, init: { readonly method: "POST"; readonly headers: Record<string, string>; readonly body: string; readonly signal: AbortSignal }) => PromiseLike<FetchResponse>;

export interface EndpointOptions {
  /** Of the agent. */
  readonly url: string | URL;
  /** Further headers of each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the platform's own. */
  readonly fetch?: Fetch | undefined;
}

export interface Endpoint {
  /** The events of one request. Throws `provider_failed`, whose cause carries the `statusCode`, where there is no stream of events to read. */
  run(input: object, signal: AbortSignal): AsyncGenerator<unknown, void>;
}

function invalid(message: string): EntailError {
  return new EntailError("option_invalid", message);
}

function readAddress(url: unknown): URL {
  let address: URL;
  try {
    address = new URL(String(url));
  } catch {
    throw invalid(`the url of target() must be the address of an AG-UI endpoint, such as "http://localhost:8000/agent"; it is ${typeof url === "string" ? JSON.stringify(url) : `a ${typeof url}`}`);
  }
  if (address.protocol !== "https:" && address.protocol !== "http:") throw invalid(`the url of target() must begin with https: or http:; it begins with ${address.protocol}`);
  if (address.username !== "" || address.password !== "") throw invalid("the url of target() must not hold a user or a password; send them as a header");
  return address;
}

function readHeaders(headers: unknown): Record<string, string> {
  if (headers === undefined) return {};
  if (recordOf(headers) === undefined) throw invalid("the headers of target() must be an object of texts");
  return Object.fromEntries(
    Object.entries(headers as Record<string, unknown>).map(([name, value]) => {
      if (typeof value !== "string") throw invalid(`the header ${JSON.stringify(name)} of target() must be a text`);
      return [name.toLowerCase(), value];
    }),
  );
}

/** An event that is not JSON stays what it is: the reading says that it is unknown. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return data;
  }
}

/** The events of a response that streams them. */
export async function* eventsIn(body: unknown): AsyncGenerator<unknown, void> {
  for await (const { data } of serverSentEvents(body)) yield parsed(data);
}

const MAX_SHOWN = 500;

/** Throws `option_invalid`. */
export function readEndpoint({ url, headers, fetch }: EndpointOptions): Endpoint {
  const address = readAddress(url);
  const sent = { ...readHeaders(headers), "content-type": "application/json", accept: "text/event-stream" };
  if (fetch !== undefined && typeof fetch !== "function") throw invalid("the fetch of target() must be a function");
  const place = `${address.origin}${address.pathname}`;

  const failed = (message: string, cause: object): EntailError => new EntailError("provider_failed", `${place} ${message}`, { cause: Object.assign(new Error(message), cause) });

  return {
    async *run(input, signal) {
      const send = fetch ?? (globalThis as unknown as { readonly fetch: Fetch }).fetch;
      let response: FetchResponse;
      try {
        response = await send(address.href, { method: "POST", headers: sent, body: JSON.stringify(input), signal });
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        throw new EntailError("provider_failed", `${place} cannot be reached: ${thrownMessage(member(thrown, "cause") ?? thrown)}`, { cause: thrown });
      }
      const type = response.headers.get("content-type") ?? "";
      if (response.ok && /\btext\/event-stream\b/i.test(type)) {
        yield* eventsIn(response.body);
        return;
      }
      const text = (await response.text()).trim();
      const error = parsed(text);
      const said = (textMember(error, "message") ?? textMember(error, "error") ?? textMember(member(error, "error"), "message") ?? text).slice(0, MAX_SHOWN);
      if (!response.ok) throw failed(`answered with status ${response.status}${said === "" ? "" : `: ${said}`}`, { statusCode: response.status });
      throw failed(`did not answer with a stream of AG-UI events, but with ${type === "" ? "something of no type" : type}`, {});
    },
  };
}
