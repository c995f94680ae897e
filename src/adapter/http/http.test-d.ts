import type { streamText } from "ai";
import { provider, target, type Fetch, type TargetFunction } from "entail/adapter/http";
import { eventsFromMessages, type StreamEvent } from "entail/evidence";
import { createClient, type Provider } from "entail/model";
import { describe, expectTypeOf, test } from "vitest";
import type { Target } from "../../core/target.ts";

describe("a function is a target", () => {
  test("of its own input, whatever it gives and however it does", () => {
    expectTypeOf(target((input: { city: string }) => input.city)).toEqualTypeOf<Target<{ city: string }>>();
    expectTypeOf(target(async (input: string, { signal, threadId }) => `${input} ${threadId} ${signal.aborted}`)).toEqualTypeOf<Target<string>>();
    target(async function* (input: string) { yield input; });
    target(async function* (_input: string): AsyncGenerator<StreamEvent> { yield { type: "run_stream_end" }; });
    target(async (_input: string) => [{ role: "assistant", content: "Hi." }]);
    target((input: string) => eventsFromMessages([{ role: "assistant", content: input }]), { gives: "messages" });
    target((_input: string) => (null as unknown as ReturnType<typeof streamText>).textStream);
    // @ts-expect-error a number is no answer
    target((_input: string) => 7);
    // @ts-expect-error no kind of answer
    target(() => "Hi.", { gives: "words" });
  });
});

describe("an endpoint is a target and a provider", () => {
  test("whose options keep their words", () => {
    const subject = target({ url: "http://a.example", tools: [{ name: "a", inputSchema: {}, execute: ({ id }: { id: string }) => id }], failureKind: () => "unavailable", bounds: () => ({ returned: 1, truncated: false }) });
    expectTypeOf<Parameters<typeof subject.send>[0]>().toExtend<string | readonly { role: string }[]>();
    // @ts-expect-error no kind of failure
    target({ url: "http://a.example", failureKind: () => "weird" });
    // @ts-expect-error no such member
    target({ url: "http://a.example", tool: [] });
  });

  test("the platform's fetch is a fetch", () => {
    expectTypeOf<typeof fetch>().toExtend<Fetch>();
    expectTypeOf(provider({ url: "http://a.example", model: "m", fetch })).toEqualTypeOf<Provider>();
    createClient(provider({ url: "http://a.example", model: { "high-reasoning": "a", default: "b", small: "c" }, tokenLimit: "max_completion_tokens" }));
    // @ts-expect-error a class without a model
    provider({ url: "http://a.example", model: { default: "b" } });
    // @ts-expect-error no model
    provider({ url: "http://a.example" });
  });
});

test("any function of the shape is one that can be named", () => {
  const run: TargetFunction<{ n: number }> = ({ n }) => String(n);
  expectTypeOf(target(run)).toEqualTypeOf<Target<{ n: number }>>();
});
