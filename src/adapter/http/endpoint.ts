// Owns the endpoint: where requests of the chat protocol go, how one is sent, and what its failure says. Nothing is retried.

import { EntailError, messageOf } from "../../core/error.ts";
import { iterate, isIterable } from "../../core/iterate.ts";
import { recordOf, textMember, recordMember, member } from "../../core/member.ts";
import { thrownMessage } from "../../core/thrown.ts";
import { invalid } from "./options.ts";

/** As much of a response as is read. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** A web stream of bytes. */
  readonly body: unknown;
}

/** The platform's `fetch`, as far as it is called. */
export type Fetch = (url: string, init: { readonly method: "POST"; readonly headers: Record<string, string>; readonly body: string; readonly signal?: AbortSignal }) => PromiseLike<FetchResponse>;

export interface EndpointOptions {
  /** Of the endpoint (`…/chat/completions`), or of what stands before it (`…/v1`). */
  readonly url: string | URL;
  /** Sent as `Authorization: Bearer …`. */
  readonly apiKey?: string | undefined;
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the platform's own. */
  readonly fetch?: Fetch | undefined;
}

export const ENDPOINT_OPTIONS = ["url", "apiKey", "headers", "fetch"] as const;

export interface Endpoint {
  /** Without what may be a secret. */
  readonly place: string;
  /** Resolves with a response that is a success. Rejects with `provider_failed`, whose cause carries the `statusCode`, or as an aborted signal has it. */
  post(body: object, signal: AbortSignal | undefined): Promise<FetchResponse>;
}

/** Throws `option_invalid`. */
export function readEndpoint({ url, apiKey, headers, fetch }: EndpointOptions, place: string): Endpoint {
  const address = readAddress(url, place);
  if (apiKey !== undefined && (typeof apiKey !== "string" || apiKey === "")) throw invalid(`the apiKey of ${place} must be a text that is not empty`);
  if (fetch !== undefined && typeof fetch !== "function") throw invalid(`the fetch of ${place} must be a function`);
  const sent: Record<string, string> = { "content-type": "application/json", ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...readHeaders(headers, place) };
  const shown = `${address.origin}${address.pathname}`;
  return {
    place: shown,
    async post(body, signal) {
      const send = fetch ?? (globalThis as unknown as { readonly fetch: Fetch }).fetch;
      let response: FetchResponse;
      try {
        response = await send(address.href, { method: "POST", headers: sent, body: JSON.stringify(body), ...(signal === undefined ? {} : { signal }) });
      } catch (thrown) {
        if (signal?.aborted === true) throw thrown;
        throw new EntailError("provider_failed", `${shown} cannot be reached: ${thrownMessage(member(thrown, "cause") ?? thrown)}`, { cause: thrown });
      }
      if (response.ok) return response;
      throw await failureOf(response, shown);
    },
  };
}

function readAddress(url: unknown, place: string): URL {
  let address: URL;
  try {
    address = new URL(String(url));
  } catch {
    throw invalid(`the url of ${place} must be an address such as "https://api.example.com/v1"; it is ${typeof url === "string" ? JSON.stringify(url) : `a ${typeof url}`}`);
  }
  if (address.protocol !== "https:" && address.protocol !== "http:") throw invalid(`the url of ${place} must begin with https: or http:; it begins with ${address.protocol}`);
  if (address.username !== "" || address.password !== "") throw invalid(`the url of ${place} must not hold a user or a password; send them as a header`);
  if (!address.pathname.endsWith("/chat/completions")) address.pathname = `${address.pathname.replace(/\/+$/, "")}/chat/completions`;
  return address;
}

function readHeaders(headers: unknown, place: string): Record<string, string> {
  if (headers === undefined) return {};
  if (recordOf(headers) === undefined) throw invalid(`the headers of ${place} must be an object of texts`);
  return Object.fromEntries(
    Object.entries(headers as Record<string, unknown>).map(([name, value]) => {
      if (typeof value !== "string") throw invalid(`the header ${JSON.stringify(name)} of ${place} must be a text`);
      return [name.toLowerCase(), value];
    }),
  );
}

/** Characters of one answer that is not streamed. */
const MAX_TEXT = 64 * 1024 * 1024;
const MAX_SHOWN = 500;

/** The whole body as text. Throws a `RangeError` past 64 Mi characters. */
export async function textOf({ body }: FetchResponse, limit: number = MAX_TEXT): Promise<string> {
  if (!isIterable(body)) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of iterate(body)) {
    text += typeof piece === "string" ? piece : decoder.decode(piece as Uint8Array, { stream: true });
    if (text.length > limit) throw new RangeError(`the answer is longer than ${limit} characters`);
  }
  return text + decoder.decode();
}

/** Statuses after which the same request may succeed. */
const PASSING: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504, 529];

async function failureOf(response: FetchResponse, place: string): Promise<EntailError> {
  const { status } = response;
  let text = "";
  try {
    text = await textOf(response, 1024 * 1024);
  } catch {
    // The status alone says that it failed.
  }
  const error = errorIn(text);
  const said = error === undefined ? text.trim().slice(0, MAX_SHOWN) : thrownBody(error);
  const cause = Object.assign(new Error(said === "" ? `status ${status}` : said), {
    statusCode: status,
    isRetryable: PASSING.includes(status),
    ...(response.headers.get("retry-after") === null ? {} : { retryAfter: response.headers.get("retry-after") }),
    data: { error },
  });
  return new EntailError("provider_failed", `${place} answered with status ${status}${said === "" ? "" : `: ${said}`}`, { cause });
}

/** The `error` of a body; some servers send a text there. */
function errorIn(text: string): unknown {
  try {
    return member(JSON.parse(text), "error") ?? undefined;
  } catch {
    return undefined;
  }
}

/** What the error of a body says, in its own words. */
export function thrownBody(error: unknown): string {
  return (typeof error === "string" ? error : (textMember(error, "message") ?? textMember(recordMember(error, "error"), "message") ?? messageOf(error))).slice(0, MAX_SHOWN);
}
