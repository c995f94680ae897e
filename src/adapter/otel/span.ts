// Owns the span as this adapter reads it, and the reading of the spans of the OpenTelemetry SDK and of plain objects.

import { flagMember, listMember, member, namesOf, recordMember, recordOf, textMember } from "../../core/member.ts";

export type SpanStatus = "unset" | "ok" | "error";

export interface SpanEvent {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, unknown>;
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where it is the first of its trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** A call of another process, whose own spans may stand below it. */
  readonly client: boolean;
  /** Nanoseconds since the epoch; `undefined` where the span does not say. */
  readonly start: bigint | undefined;
  /** False where the span was exported before its end. */
  readonly ended: boolean;
  readonly status: SpanStatus;
  readonly statusMessage: string;
  readonly attributes: ReadonlyMap<string, unknown>;
  readonly events: readonly SpanEvent[];
  /** The limits of the exporter cut something off. */
  readonly dropped: boolean;
}

const NANOSECONDS_A_MILLISECOND = 1_000_000n;
const NANOSECONDS_A_SECOND = 1_000_000_000n;

function dateOf(time: unknown): number | undefined {
  try {
    return time instanceof Date ? time.getTime() : undefined;
  } catch {
    // `instanceof` throws for a revoked proxy.
    return undefined;
  }
}

/** `[seconds, nanoseconds]`, milliseconds, a date, an ISO text, or nanoseconds as text or bigint. */
export function readTime(time: unknown): bigint | undefined {
  if (typeof time === "bigint") return time;
  if (typeof time === "number") return Number.isFinite(time * 1e6) ? BigInt(Math.round(time * 1e6)) : undefined;
  if (typeof time === "string") {
    if (/^\d{1,24}$/.test(time)) return BigInt(time);
    const parsed = Date.parse(time);
    return Number.isNaN(parsed) ? undefined : BigInt(parsed) * NANOSECONDS_A_MILLISECOND;
  }
  const milliseconds = dateOf(time);
  if (milliseconds !== undefined) return readTime(milliseconds);
  const seconds = member(time, "0");
  const nanoseconds = member(time, "1");
  return Number.isSafeInteger(seconds) && Number.isSafeInteger(nanoseconds) ? BigInt(seconds as number) * NANOSECONDS_A_SECOND + BigInt(nanoseconds as number) : undefined;
}

/** `{ code, message }` with the code as a number or a name, or the name alone. */
export function readStatus(status: unknown): SpanStatus {
  const code = recordOf(status) === undefined ? status : member(status, "code");
  if (code === 2) return "error";
  if (code === 1) return "ok";
  const name = typeof code === "string" ? code.replace(/^STATUS_CODE_/i, "").toLowerCase() : "";
  return name === "error" || name === "ok" ? name : "unset";
}

export function attributesOf(attributes: unknown): ReadonlyMap<string, unknown> {
  return new Map(namesOf(attributes).map((name) => [name, member(attributes, name)]));
}

function idsOf(span: unknown): { readonly traceId: string; readonly spanId: string } {
  let context: unknown;
  try {
    const read = member(span, "spanContext");
    context = typeof read === "function" ? (read as () => unknown).call(span) : read;
  } catch {
    context = undefined;
  }
  return { traceId: textMember(context, "traceId") ?? textMember(span, "traceId") ?? "", spanId: textMember(context, "spanId") ?? textMember(span, "spanId") ?? "" };
}

function droppedSome(span: unknown): boolean {
  return ["droppedAttributesCount", "droppedEventsCount"].some((name) => Number(member(span, name) ?? 0) > 0);
}

/** A `ReadableSpan` of the SDK, or a plain object with the same members; `undefined` where it has no id. Never throws. */
export function readSpan(span: unknown): Span | undefined {
  const { traceId, spanId } = idsOf(span);
  if (spanId === "") return undefined;
  const kind = member(span, "kind");
  const end = readTime(member(span, "endTime"));
  const ended = member(span, "ended");
  return {
    traceId,
    spanId,
    parentSpanId: textMember(recordMember(span, "parentSpanContext"), "spanId") ?? textMember(span, "parentSpanId") ?? "",
    name: textMember(span, "name") ?? "",
    client: kind === 2 || (typeof kind === "string" && /client$/i.test(kind)),
    start: readTime(member(span, "startTime")),
    ended: typeof ended === "boolean" ? flagMember(span, "ended") : end !== undefined && end > 0n,
    status: readStatus(member(span, "status")),
    statusMessage: textMember(member(span, "status"), "message") ?? textMember(span, "statusMessage") ?? "",
    attributes: attributesOf(member(span, "attributes")),
    events: (listMember(span, "events") ?? []).map((event) => ({ name: textMember(event, "name") ?? "", attributes: attributesOf(member(event, "attributes")) })),
    dropped: droppedSome(span),
  };
}
