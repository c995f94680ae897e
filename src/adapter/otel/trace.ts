// Owns the trace: the spans of a source in whatever form it has them, each once.

import { EntailError, messageOf } from "../../core/error.ts";
import { listOf, recordOf } from "../../core/member.ts";
import { isOtlp, otlpEvents, otlpSpans, type LoggedEvent } from "./otlp.ts";
import { readSpan, type Span } from "./span.ts";
import type { Warnings } from "./warning.ts";

/**
 * A finished trace: spans of the OpenTelemetry SDK (what an exporter is given), plain objects with the same members, or OTLP in its JSON form, as a
 * value or as text (one document, or one a line). Log records of OTLP beside the spans bring the events that were logged for them.
 */
export type TraceSource = readonly unknown[] | string | object;

/** A list of documents, each a list of spans. */
const MAX_DEPTH = 4;

const NOT_A_TRACE = "events() needs a finished trace: the spans of the OpenTelemetry SDK, plain objects with the same members, or OTLP as JSON";

/** Throws `option_invalid` where the text is no JSON, whole or line by line. */
function documentsOf(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch (thrown) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      // The whole text's own error says more.
    }
    throw new EntailError("option_invalid", `the text of the trace is no JSON: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** A trace's spans in the order in which they came, each id once; of a span that was exported again, the one that has ended. */
export function readSpans(source: unknown, warnings: Warnings): readonly Span[] {
  const spans: Span[] = [];
  const logged: LoggedEvent[] = [];
  const take = (item: unknown, depth = 0): void => {
    if (isOtlp(item)) {
      spans.push(...otlpSpans(item));
      logged.push(...otlpEvents(item));
      return;
    }
    const list = listOf(item);
    if (list !== undefined) {
      if (depth < MAX_DEPTH) for (const inner of list) take(inner, depth + 1);
      return;
    }
    const span = readSpan(item);
    if (span !== undefined) spans.push(span);
  };
  if (typeof source !== "string" && listOf(source) === undefined && recordOf(source) === undefined) throw new EntailError("option_invalid", NOT_A_TRACE);
  (typeof source === "string" ? documentsOf(source) : [source]).forEach((document) => take(document));
  if (spans.length === 0) throw new EntailError("option_invalid", `there is no span in what was given. ${NOT_A_TRACE}`);
  return withEvents(once(spans, warnings), logged);
}

function once(spans: readonly Span[], warnings: Warnings): readonly Span[] {
  const byId = new Map<string, Span>();
  for (const span of spans) {
    const id = `${span.traceId} ${span.spanId}`;
    const known = byId.get(id);
    if (known !== undefined) warnings.add("span_repeated", "a span was exported more than once; it counts once");
    if (known === undefined || (span.ended && !known.ended)) byId.set(id, span);
  }
  return [...byId.values()];
}

function withEvents(spans: readonly Span[], logged: readonly LoggedEvent[]): readonly Span[] {
  if (logged.length === 0) return spans;
  const bySpan = Map.groupBy(logged, ({ spanId }) => spanId);
  return spans.map((span) => {
    const events = bySpan.get(span.spanId)?.map(({ event }) => event);
    return events === undefined ? span : { ...span, events: [...span.events, ...events] };
  });
}
