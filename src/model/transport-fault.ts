// Owns what a call that gave no answer means: whether another may succeed, and how long the other side wants to be left alone.

import { countMember, listMember, listOf, member, namesOf, textMember } from "../core/member.ts";
import { isBrokenConnection } from "../core/thrown.ts";

/**
 * `rate_limit`: too much at once. `server`: the other side failed, or the way to it. `none`: asking again gives the same, or an answer was
 * given and is not to be asked for twice.
 */
export interface TransportFault {
  readonly kind: "rate_limit" | "server" | "none";
  readonly status?: number | undefined;
  /** What `Retry-After` asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

const MAX_CAUSES = 8;
/** Timeouts, conflicts of the transport, and what comes from the other side. 501 and 505 say that it never will. */
const PASSING_STATUSES = new Set([408, 409, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);
const PASSING_CODES = new Set(["ECONNRESET", "ECONNREFUSED", "ETIMEDOUT", "EPIPE", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_SOCKET"]);
/** Bodies that are no JSON, as the SDKs call them: something between here and the model broke them. */
const BROKEN_BODY = new Set(["AI_JSONParseError", "AI_EmptyResponseBodyError"]);
const BROKEN_ANSWER = /broke off|invalid json response|failed to process successful response/i;
/** The SDKs' words for a request that never came to an answer; the other side's for having no room, where no status came with them. */
const NO_ANSWER = /^(?:request timed out|connection error|the operation was aborted due to timeout)\.?$|\b(?:server_)?overloaded(?:_error)?\b/i;
const TOO_MUCH = /\b(?:RESOURCE_EXHAUSTED|Throttling(?:Exception)?|TooManyRequests(?:Exception)?|rate_limit_(?:exceeded|error))\b/;
/** The account has nothing left: waiting does not fill it. */
const SPENT = /insufficient_quota|billing_hard_limit|credit balance is too low|exceeded your current quota/i;

function chain(thrown: unknown): readonly unknown[] {
  const links: unknown[] = [];
  for (let link = thrown; link !== undefined && link !== null && links.length < MAX_CAUSES && !links.includes(link); link = within(link)) links.push(link);
  return links;
}

/** What lies behind an error: the last of several tries, its cause, or the first of several at once. */
function within(link: unknown): unknown {
  return member(link, "lastError") ?? member(link, "cause") ?? listMember(link, "errors")?.[0];
}

/** A status is a number, or its digits. */
function statusIn(link: unknown, name: string): number | undefined {
  const text = textMember(link, name);
  return countMember(link, name) ?? (text !== undefined && /^[1-5]\d\d$/.test(text) ? Number(text) : undefined);
}

/** Reads what a provider threw, by shape and through its causes. `now` is the time that a date is measured from, in milliseconds since the epoch. */
export function readFault(thrown: unknown, now: number): TransportFault {
  const links = chain(thrown);
  let status: number | undefined;
  let retryAfterMs: number | undefined;
  for (const link of links) {
    status ??= statusIn(link, "statusCode") ?? statusIn(link, "status") ?? countMember(member(link, "response"), "status") ?? countMember(member(link, "$metadata"), "httpStatusCode");
    retryAfterMs ??= retryAfter(link, now);
  }
  const told = { ...(status !== undefined && { status }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  const spent = links.some((link) => SPENT.test(`${textMember(link, "message") ?? ""} ${textMember(link, "responseBody") ?? ""} ${textMember(link, "code") ?? ""}`));
  if (spent || links.some((link) => textMember(link, "name") === "AbortError" || textMember(link, "code") === "cancelled")) return { kind: "none", ...told };
  if (status === 429) return { kind: "rate_limit", ...told };
  if (status !== undefined && status >= 400) return { kind: PASSING_STATUSES.has(status) ? "server" : "none", ...told };
  const saysTooMuch = (link: unknown): boolean => ["name", "code", "message"].some((name) => TOO_MUCH.test(textMember(link, name) ?? ""));
  if (status === undefined && links.some(saysTooMuch)) return { kind: "rate_limit", ...told };
  const broken = links.some((link) => textMember(link, "name") === "TimeoutError" || NO_ANSWER.test(textMember(link, "message") ?? "") || PASSING_CODES.has(textMember(link, "code") ?? "") || BROKEN_BODY.has(textMember(link, "name") ?? "") || BROKEN_ANSWER.test(textMember(link, "message") ?? "") || isFetchFailure(link));
  return { kind: broken || isBrokenConnection(thrown) ? "server" : "none", ...told };
}

/** `fetch` gives a bare `TypeError` where it never got an answer. */
function isFetchFailure(link: unknown): boolean {
  return textMember(link, "name") === "TypeError" && /^(fetch failed|failed to fetch|network ?error.*|load failed|terminated)$/i.test(textMember(link, "message") ?? "");
}

/** Seconds, or a date; and `retry-after-ms`, which OpenAI and Azure send beside it. */
function retryAfter(link: unknown, now: number): number | undefined {
  const own = countMember(link, "retryAfterMs");
  if (own !== undefined) return own;
  const headers = [member(link, "responseHeaders"), member(link, "headers"), member(member(link, "response"), "headers")];
  const header = (name: string): string | undefined => {
    for (const each of headers) {
      const get = member(each, "get");
      const value: unknown = typeof get === "function" ? get.call(each, name) : member(each, namesOf(each).find((own) => own.toLowerCase() === name) ?? name);
      const first: unknown = listOf(value)?.[0] ?? value;
      if (typeof first === "number" || (typeof first === "string" && first !== "")) return String(first);
    }
    return undefined;
  };
  const ms = Number(header("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = header("retry-after") ?? textMember(link, "retryAfter");
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
