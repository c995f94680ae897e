// Owns what a call that gave no answer means: whether another may succeed, and how long the other side wants to be left alone.

import { member, textMember, countMember } from "../core/member.ts";
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
/** The account has nothing left: waiting does not fill it. */
const SPENT = /insufficient_quota|billing_hard_limit|credit balance is too low|exceeded your current quota/i;

function chain(thrown: unknown): readonly unknown[] {
  const links: unknown[] = [];
  for (let link = thrown; link !== undefined && link !== null && links.length < MAX_CAUSES && !links.includes(link); link = member(link, "cause")) links.push(link);
  return links;
}

/** Reads what a provider threw, by shape and through its causes. `now` is the time that a date is measured from, in milliseconds since the epoch. */
export function readFault(thrown: unknown, now: number): TransportFault {
  const links = chain(thrown);
  let status: number | undefined;
  let retryAfterMs: number | undefined;
  for (const link of links) {
    status ??= countMember(link, "statusCode") ?? countMember(link, "status") ?? countMember(member(link, "response"), "status");
    retryAfterMs ??= retryAfter(link, now);
  }
  const told = { ...(status !== undefined && { status }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  const spent = links.some((link) => SPENT.test(`${textMember(link, "message") ?? ""} ${textMember(link, "responseBody") ?? ""} ${textMember(link, "code") ?? ""}`));
  if (spent || links.some((link) => textMember(link, "name") === "AbortError" || textMember(link, "code") === "cancelled")) return { kind: "none", ...told };
  if (status === 429) return { kind: "rate_limit", ...told };
  if (status !== undefined && status >= 400) return { kind: PASSING_STATUSES.has(status) ? "server" : "none", ...told };
  const broken = links.some((link) => PASSING_CODES.has(textMember(link, "code") ?? "") || BROKEN_BODY.has(textMember(link, "name") ?? "") || BROKEN_ANSWER.test(textMember(link, "message") ?? "") || isFetchFailure(link));
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
      const value: unknown = typeof get === "function" ? get.call(each, name) : (member(each, name) ?? member(each, name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())));
      if (typeof value === "string" && value !== "") return value;
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
