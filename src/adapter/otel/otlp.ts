// Owns the reading of OTLP in its JSON form: spans, and the log records that carry a span's events.

import { listMember, listOf, member, recordMember, textMember } from "../../core/member.ts";
import { readStatus, readTime, type Span, type SpanEvent } from "./span.ts";

const MAX_DEPTH = 100;

/** A value of an attribute: `{ stringValue }`, `{ intValue }` and so on, down to lists and maps. */
function readValue(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  for (const name of ["stringValue", "boolValue", "doubleValue", "bytesValue"]) {
    const read = member(value, name);
    if (read !== undefined) return read;
  }
  // 64 bits come as text: a number where it stays the same.
  const whole = member(value, "intValue");
  if (whole !== undefined) return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
  const list = recordMember(value, "arrayValue");
  if (list !== undefined) return (listMember(list, "values") ?? []).map((item) => readValue(item, depth + 1));
  const map = recordMember(value, "kvlistValue");
  return map === undefined ? undefined : Object.fromEntries(pairsOf(member(map, "values"), depth + 1));
}

function pairsOf(pairs: unknown, depth = 0): readonly (readonly [string, unknown])[] {
  return (listOf(pairs) ?? []).flatMap((pair) => {
    const key = textMember(pair, "key");
    return key === undefined ? [] : [[key, readValue(member(pair, "value"), depth)] as const];
  });
}

function readOtlpSpan(span: unknown): Span | undefined {
  const spanId = textMember(span, "spanId") ?? "";
  if (spanId === "") return undefined;
  const kind = member(span, "kind");
  const end = readTime(member(span, "endTimeUnixNano"));
  return {
    traceId: textMember(span, "traceId") ?? "",
    spanId,
    parentSpanId: textMember(span, "parentSpanId") ?? "",
    name: textMember(span, "name") ?? "",
    client: kind === 3 || kind === "SPAN_KIND_CLIENT",
    start: readNanoseconds(member(span, "startTimeUnixNano")),
    ended: end !== undefined && end > 0n,
    status: readStatus(member(span, "status")),
    statusMessage: textMember(member(span, "status"), "message") ?? "",
    attributes: new Map(pairsOf(member(span, "attributes"))),
    events: (listMember(span, "events") ?? []).map((event) => ({ name: textMember(event, "name") ?? "", attributes: new Map(pairsOf(member(event, "attributes"))) })),
    dropped: Number(member(span, "droppedAttributesCount") ?? 0) > 0 || Number(member(span, "droppedEventsCount") ?? 0) > 0,
  };
}

/** A number is nanoseconds here, whatever it lost on the way. */
function readNanoseconds(time: unknown): bigint | undefined {
  return typeof time === "number" && Number.isFinite(time) ? BigInt(Math.round(time)) : readTime(time);
}

/** The scopes of a document's resources, under whatever name its version gives them. */
function scopesOf(document: unknown, resources: readonly string[], scopes: readonly string[]): readonly unknown[] {
  const within = (of: unknown, names: readonly string[]): readonly unknown[] => names.flatMap((name) => listMember(of, name) ?? []);
  return within(document, resources).flatMap((resource) => within(resource, scopes));
}

/** True for a document of OTLP. */
export function isOtlp(document: unknown): boolean {
  return ["resourceSpans", "resource_spans", "batches", "resourceLogs"].some((name) => listMember(document, name) !== undefined);
}

export function otlpSpans(document: unknown): readonly Span[] {
  return scopesOf(document, ["resourceSpans", "resource_spans", "batches"], ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"])
    .flatMap((scope) => listMember(scope, "spans") ?? [])
    .flatMap((span) => readOtlpSpan(span) ?? []);
}

export interface LoggedEvent {
  readonly spanId: string;
  readonly event: SpanEvent;
}

/** Events that were logged beside the spans that they belong to: the conventions write messages so. */
export function otlpEvents(document: unknown): readonly LoggedEvent[] {
  return scopesOf(document, ["resourceLogs"], ["scopeLogs"])
    .flatMap((scope) => listMember(scope, "logRecords") ?? [])
    .flatMap((record) => {
      const attributes = new Map(pairsOf(member(record, "attributes")));
      const name = textMember(record, "eventName") ?? attributes.get("event.name");
      const spanId = textMember(record, "spanId") ?? "";
      if (typeof name !== "string" || spanId === "") return [];
      const body = readValue(member(record, "body"));
      const named = typeof body === "object" && body !== null && !Array.isArray(body) ? Object.entries(body) : [];
      return [{ spanId, event: { name, attributes: new Map([...named, ...attributes]) } }];
    });
}
