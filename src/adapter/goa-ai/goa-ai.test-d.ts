import { events, target, type StreamSource } from "entail/adapter/goa-ai";
import { collect, type EventStream } from "entail/evidence";
import { expectTypeOf, test } from "vitest";
import type { Target } from "../../core/target.ts";

test("whatever carries a stream is a source", () => {
  expectTypeOf<Response>().toExtend<StreamSource>();
  expectTypeOf<ReadableStream<Uint8Array>>().toExtend<StreamSource>();
  expectTypeOf<AsyncIterable<{ type: string; run_id: string; payload: object }>>().toExtend<StreamSource>();
  expectTypeOf<ReturnType<typeof fetch>>().toExtend<PromiseLike<StreamSource>>();
  expectTypeOf(events).returns.toExtend<EventStream>();
  expectTypeOf(collect).toBeCallableWith(events(null as unknown as Response));
  // @ts-expect-error a text is no stream
  void (() => events("text"));
  // @ts-expect-error no type of event that a profile leaves out
  void (() => events(null as unknown as Response, { without: ["usage"] }));
});

test("an endpoint is a target", () => {
  expectTypeOf(target({ url: "http://127.0.0.1" })).toExtend<Target>();
  expectTypeOf(target).toBeCallableWith({ url: new URL("http://127.0.0.1"), headers: { a: "b" }, body: (input) => ({ input }), memory: false, without: ["tool_start"] });
  // @ts-expect-error no address
  void (() => target({}));
});
