import type Anthropic from "@anthropic-ai/sdk";
import type { MessageStream } from "@anthropic-ai/sdk/lib/MessageStream";
import { events, provider, target, type ClientLike, type InputMessage, type LoopRun, type RunSource, type ToolCallContext } from "entail/adapter/anthropic";
import { describe, expectTypeOf, test } from "vitest";
import type { EventStream } from "../../core/event.ts";
import type { Provider } from "../../core/model.ts";
import type { Target } from "../../core/target.ts";

declare const client: Anthropic;
declare const stream: MessageStream;
declare const result: Anthropic.ToolResultBlockParam;

describe("what the real client gives is a source", () => {
  test("a helper's stream, a raw stream, a whole message, and a loop of all of them", () => {
    expectTypeOf<MessageStream>().toExtend<RunSource>();
    expectTypeOf<Anthropic.Message>().toExtend<RunSource>();
    void (() => events(client.messages.stream({ model: "m", max_tokens: 1, messages: [] })));
    void (() => events(client.messages.create({ model: "m", max_tokens: 1, messages: [], stream: true })));
    void (() => events(client.messages.create({ model: "m", max_tokens: 1, messages: [] })));
    void (() => events(client.beta.messages.stream({ model: "m", max_tokens: 1, messages: [] })));
    void (() => events(client.beta.messages.toolRunner({ model: "m", max_tokens: 1, messages: [], tools: [], stream: true })));
    void (() => events([stream, result, { type: "tool_authorization", toolCallId: "a", approved: true }]));
    void (() => events(stream, { toolResults: [result, { role: "user", content: [result] } satisfies Anthropic.MessageParam] }));
    expectTypeOf(events).returns.toExtend<EventStream>();
    // @ts-expect-error a text is no message
    void (() => events("text"));
    // @ts-expect-error no kind of failure
    void (() => events([], { failureKind: () => "weird" }));
  });
});

describe("the real client is a target's", () => {
  test("with its messages or its beta messages, tools of the application and of the API", () => {
    expectTypeOf<Anthropic>().toExtend<ClientLike>();
    expectTypeOf<{ messages: Anthropic["beta"]["messages"] }>().toExtend<ClientLike>();
    const definition: Anthropic.Tool = { name: "look", description: "Looks.", input_schema: { type: "object", properties: { n: { type: "number" } } } };
    const search: Anthropic.WebSearchTool20250305 = { type: "web_search_20250305", name: "web_search" };
    const made = target({
      client,
      model: "claude-sonnet-5",
      tools: { look: { definition, run: ({ n }: { n: number }, { signal }) => (signal.aborted ? 0 : n), approve: ({ n }: { n: number }) => n < 3 || "pending" }, web_search: { definition: search } },
    });
    expectTypeOf(made).toExtend<Target<string>>();
    expectTypeOf<Anthropic.MessageParam>().toExtend<InputMessage>();
    expectTypeOf<ReturnType<ToolCallContext["nested"]>>().toEqualTypeOf<Promise<string>>();
    expectTypeOf<ReturnType<(typeof made)["send"]>>().toExtend<Parameters<ToolCallContext["nested"]>[0]>();
    // @ts-expect-error a target needs the name of a model
    void (() => target({ client }));
    // @ts-expect-error an answer is yes, no or pending
    void (() => target({ client, model: "m", tools: { look: { definition, approve: () => "maybe" } } }));
  });

  test("an application's own loop is one too, but no promise of one: it would show only its last message", () => {
    void (() => target(({ messages, signal }) => client.messages.stream({ model: "m", max_tokens: 1, messages }, { signal })));
    void (() => target(({ messages, signal }) => client.beta.messages.toolRunner({ model: "m", max_tokens: 1, messages, tools: [], stream: true }, { signal }), { approvals: true }));
    void (() => target(async function* () { yield stream; }));
    expectTypeOf<LoopRun>().returns.toExtend<AsyncIterable<unknown>>();
    // @ts-expect-error a promise
    void (() => target(async ({ messages }) => client.beta.messages.toolRunner({ model: "m", max_tokens: 1, messages, tools: [], stream: true })));
  });
});

test("the real client is a provider's, with a model or one for each class", () => {
  expectTypeOf(provider).toBeCallableWith(client, { model: "claude-sonnet-5" });
  expectTypeOf(provider).toBeCallableWith(client, { model: { "high-reasoning": "a", default: "b", small: "c" }, call: { thinking: { type: "disabled" } } });
  expectTypeOf(provider).returns.toEqualTypeOf<Provider>();
  // @ts-expect-error a class without a model
  void (() => provider(client, { model: { default: "b", small: "c" } }));
});
