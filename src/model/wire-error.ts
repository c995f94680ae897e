// Owns how an error crosses the wire: its code, its words, and what of the provider's own failure others act on. No stack, no body.

import { EntailError, ERROR_CODES, isEntailError, messageOf, type ErrorCode } from "../core/error.ts";
import { countMember, member, recordMember, textMember } from "../core/member.ts";
import { readFault } from "./transport-fault.ts";

export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  /** What the provider threw. */
  readonly cause?: { readonly name: string; readonly message: string; readonly status?: number; readonly retryAfterMs?: number };
}

/** As `createClient` has it: an `EntailError` keeps its code, anything else is the cause of `provider_failed`. */
export function toWireError(thrown: unknown, now: number, mask: (text: string) => string): WireError {
  const own = isEntailError(thrown) ? thrown : new EntailError("provider_failed", `the provider failed: ${messageOf(thrown)}`, { cause: thrown });
  const { status, retryAfterMs } = readFault(own, now);
  const { cause } = own;
  const known = status !== undefined || retryAfterMs !== undefined;
  return {
    code: own.code,
    message: mask(own.message),
    ...((cause !== undefined || known) && {
      cause: {
        name: mask(textMember(cause, "name") ?? "Error"),
        message: mask(cause === undefined ? own.message : messageOf(cause)),
        ...(status !== undefined && { status }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
    }),
  };
}

const STATUS_BY_CODE: ReadonlyMap<ErrorCode, number> = new Map([
  ["gateway_unauthorized", 401],
  ["gateway_request_invalid", 400],
  ["model_class_missing", 400],
  ["model_setting_lost", 400],
  ["cancelled", 499],
]);

/** The status of the answer: a provider's 429 stays one, so that whatever stands between sees it too. */
export function statusOf({ code, cause }: WireError): number {
  const status = cause?.status;
  return STATUS_BY_CODE.get(code) ?? (status === 429 || status === 503 || status === 529 ? status : 502);
}

/** The error that was sent, as it was thrown there; what is no sent error is a failure of whatever answered. */
export function fromWireError(value: unknown, what: string, status?: number, retryAfter?: string | null): EntailError {
  const code = ERROR_CODES.find((each) => each === textMember(value, "code"));
  const message = textMember(value, "message");
  if (code === undefined || message === undefined) {
    const cause = Object.assign(new Error(what), { ...(status !== undefined && { statusCode: status }), ...(retryAfter !== undefined && retryAfter !== null && { responseHeaders: { "retry-after": retryAfter } }) });
    return new EntailError("provider_failed", `the provider failed: ${what}`, { cause });
  }
  const sent = recordMember(value, "cause");
  if (sent === undefined) return new EntailError(code, message);
  const statusCode = countMember(sent, "status");
  const retryAfterMs = countMember(sent, "retryAfterMs");
  const cause = Object.assign(new Error(textMember(sent, "message") ?? message), {
    name: textMember(sent, "name") ?? "Error",
    ...(statusCode !== undefined && { statusCode }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
  return new EntailError(code, message, { cause });
}

/** `{ error }` of a body, where it is one. */
export function errorOfBody(text: string): unknown {
  try {
    return member(JSON.parse(text) as unknown, "error");
  } catch {
    return undefined;
  }
}
