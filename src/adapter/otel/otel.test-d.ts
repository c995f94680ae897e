import type { InMemorySpanExporter, ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { events, runs, type OtelRun, type TraceSource } from "entail/adapter/otel";
import { expectTypeOf, test } from "vitest";
import type { EventStream } from "../../core/event.ts";

test("what an exporter of the SDK is given is a trace", () => {
  expectTypeOf<ReadableSpan[]>().toExtend<TraceSource>();
  expectTypeOf<ReturnType<InMemorySpanExporter["getFinishedSpans"]>>().toExtend<TraceSource>();
  expectTypeOf<{ resourceSpans: { scopeSpans: { spans: object[] }[] }[] }>().toExtend<TraceSource>();
  expectTypeOf<string>().toExtend<TraceSource>();
  expectTypeOf(events).returns.toExtend<EventStream>();
  expectTypeOf(runs).returns.toEqualTypeOf<readonly OtelRun[]>();
  // @ts-expect-error a number is no trace
  void (() => events(5));
});

test("bounds and kinds are read with Entail's own words", () => {
  expectTypeOf(events).toBeCallableWith("", { bounds: (tool, result) => (tool === "x" && result !== undefined ? { returned: 1, truncated: false } : undefined), failureKind: (_tool, type) => (type === "E_BUSY" ? "unavailable" : undefined) });
  // @ts-expect-error no kind of failure
  void (() => events("", { failureKind: () => "weird" }));
});
