// Owns the calls of an A2A agent over HTTP: JSON-RPC in the two forms that agents speak, and what the answer to one may be.

import { abortError } from "../../core/abort.ts";
import { EntailError, messageOf } from "../../core/error.ts";
import { member, recordMember, textMember } from "../../core/member.ts";
import type { InputPart } from "./part.ts";
import { wireParts } from "./part.ts";

export const PROTOCOLS = ["1.0", "0.3"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const METHODS = {
  "1.0": { stream: "SendStreamingMessage", send: "SendMessage", get: "GetTask", cancel: "CancelTask" },
  "0.3": { stream: "message/stream", send: "message/send", get: "tasks/get", cancel: "tasks/cancel" },
} as const;
export type Method = keyof (typeof METHODS)["1.0"];

/** What JSON-RPC and A2A say of a call that the agent refused before it did anything. */
const NO_SUCH_METHOD: ReadonlySet<number> = new Set([-32601, -32009]);
const NOT_SUPPORTED = -32004;

export type Answer =
  | { readonly kind: "stream"; readonly body: unknown }
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "refused"; readonly why: "version" | "streaming" | "other"; readonly message: string };

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

export interface CallOptions {
  readonly url: URL;
  readonly protocol: Protocol;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
}

export interface Turn {
  readonly input: string | readonly InputPart[];
  readonly contextId: string | undefined;
  /** The task that goes on with this turn. */
  readonly taskId: string | undefined;
  /** Further members of the message, and of the parameters. */
  readonly message: Readonly<Record<string, unknown>> | undefined;
}

/** The parameters of a turn. The agent is asked to wait until its task has ended or stopped. */
export function turnParams({ input, contextId, taskId, message }: Turn, protocol: Protocol): object {
  const ids = { ...(contextId === undefined ? {} : { contextId }), ...(taskId === undefined ? {} : { taskId }) };
  const parts = wireParts(input, protocol);
  return protocol === "1.0"
    ? { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts, ...ids, ...message }, configuration: { returnImmediately: false } }
    : { message: { kind: "message", messageId: crypto.randomUUID(), role: "user", parts, ...ids, ...message }, configuration: { blocking: true } };
}

/** Without user, password and query, which may hold secrets. */
export function placeOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** Calls the agent once. Throws `stream_incomplete` where it cannot be reached or answers with no JSON-RPC, and the signal's error where that is aborted. */
export async function callAgent(method: Method, params: object, { url, protocol, headers, signal, fetch }: CallOptions): Promise<Answer> {
  const id = crypto.randomUUID();
  let response: FetchResponse;
  try {
    response = await fetch(url.href, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: method === "stream" ? "text/event-stream, application/json" : "application/json",
        "a2a-version": protocol,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: METHODS[protocol][method], params }),
      signal,
    });
  } catch (thrown) {
    if (signal.aborted) throw abortError(signal, "the request to the agent");
    throw new EntailError("stream_incomplete", `the agent at ${placeOf(url)} could not be reached: ${messageOf(thrown)}`, { cause: thrown });
  }
  if (response.ok && response.body !== null && /event-stream/i.test(response.headers.get("content-type") ?? "")) return { kind: "stream", body: response.body };
  const text = await response.text();
  const envelope = parsed(text);
  const error = recordMember(envelope, "error");
  if (error !== undefined) return refused(member(error, "code"), textMember(error, "message") ?? "it does not say why");
  const result = member(envelope, "result");
  if (response.ok && result !== undefined && result !== null) return { kind: "result", result };
  const said = text.replaceAll(/\s+/g, " ").trim().slice(0, 200);
  throw new EntailError("stream_incomplete", `the agent at ${placeOf(url)} gave no answer of JSON-RPC: it answered ${response.status}${said === "" ? "" : ` (${said})`}`);
}

function refused(code: unknown, message: string): Answer {
  if (typeof code !== "number") return { kind: "refused", why: "other", message };
  const why = NO_SUCH_METHOD.has(code) ? "version" : code === NOT_SUPPORTED ? "streaming" : "other";
  return { kind: "refused", why, message: `${message} (JSON-RPC ${code})` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
