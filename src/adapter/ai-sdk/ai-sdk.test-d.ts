import type { AnthropicProvider } from "@ai-sdk/anthropic";
import type { GoogleProvider } from "@ai-sdk/google";
import type { OpenAIProvider } from "@ai-sdk/openai";
import type { LanguageModelV2CallOptions, LanguageModelV2, LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Agent, ModelMessage, streamText, TextStreamPart, ToolLoopAgent, ToolSet, UIMessageChunk } from "ai";
import { events, provider, target, type AgentCall, type LanguageModel, type StreamSource } from "entail/adapter/ai-sdk";
import type { Evidence } from "entail/evidence";
import { describe, expectTypeOf, test } from "vitest";
import type { EventStream } from "../../core/event.ts";
import type { Provider } from "../../core/model.ts";
import type { Target } from "../../core/target.ts";
import type { LanguageModelCall } from "../../language-model/language-model.ts";

type Result = ReturnType<typeof streamText>;
type Tools = { look: { inputSchema: any; execute: (input: { n: number }) => number } };

describe("the real models are models", () => {
  test("of every specification", () => {
    expectTypeOf<LanguageModelV4>().toExtend<LanguageModel>();
    expectTypeOf<LanguageModelV3>().toExtend<LanguageModel>();
    expectTypeOf<LanguageModelV2>().toExtend<LanguageModel>();
    expectTypeOf<ReturnType<OpenAIProvider>>().toExtend<LanguageModel>();
    expectTypeOf<ReturnType<AnthropicProvider>>().toExtend<LanguageModel>();
    expectTypeOf<ReturnType<GoogleProvider>>().toExtend<LanguageModel>();
  });

  test("and take the options that Entail calls them with", () => {
    expectTypeOf<LanguageModelCall>().toExtend<LanguageModelV4CallOptions>();
    expectTypeOf<LanguageModelCall>().toExtend<LanguageModelV3CallOptions>();
    expectTypeOf<LanguageModelCall>().toExtend<LanguageModelV2CallOptions>();
  });

  test("so one of them, or one for each class, is a provider", () => {
    const model = null as unknown as LanguageModelV4;
    expectTypeOf(provider).toBeCallableWith(model);
    expectTypeOf(provider).toBeCallableWith({ "high-reasoning": model, default: model, small: model }, { rawArguments: true });
    expectTypeOf(provider).returns.toEqualTypeOf<Provider>();
    // @ts-expect-error a class without a model
    void (() => provider({ default: model, small: model }));
    // @ts-expect-error the name of a model is no model
    void (() => provider("gpt-4.1"));
  });
});

describe("the real streams are streams", () => {
  test("a result, a promise of one, its parts and its UI message chunks", () => {
    expectTypeOf<Result>().toExtend<StreamSource>();
    expectTypeOf<Awaited<ReturnType<ToolLoopAgent<never, Tools>["stream"]>>>().toExtend<StreamSource>();
    expectTypeOf<ReturnType<ToolLoopAgent["stream"]>>().toExtend<PromiseLike<StreamSource>>();
    expectTypeOf<Result["fullStream"]>().toExtend<StreamSource>();
    expectTypeOf<AsyncIterable<TextStreamPart<ToolSet>>>().toExtend<StreamSource>();
    expectTypeOf<ReadableStream<UIMessageChunk>>().toExtend<StreamSource>();
    expectTypeOf(events).returns.toExtend<EventStream>();
    // @ts-expect-error a text is no stream
    void (() => events("text"));
  });
});

describe("the real agents are targets", () => {
  test("ToolLoopAgent, any Agent, and a function that calls streamText", () => {
    expectTypeOf(target).toBeCallableWith(null as unknown as ToolLoopAgent);
    expectTypeOf(target).toBeCallableWith(null as unknown as ToolLoopAgent<never, Tools>);
    expectTypeOf(target).toBeCallableWith(null as unknown as Agent);
    expectTypeOf(target).toBeCallableWith((call: AgentCall) => (null as unknown as typeof streamText)({ model: null as unknown as LanguageModelV4, ...call }));
    expectTypeOf(target(null as unknown as ToolLoopAgent)).toExtend<Target<string>>();
    expectTypeOf<Parameters<ReturnType<typeof target>["send"]>[0]>().toExtend<string | readonly { role: string; content: unknown }[]>();
    expectTypeOf<ModelMessage>().toExtend<Exclude<Parameters<ReturnType<typeof target>["send"]>[0], string>[number]>();
  });
});

test("bounds and kinds are read with Entail's own words", () => {
  events(null as unknown as Result, { bounds: (tool, output) => (tool === "x" && output !== undefined ? { returned: 1, truncated: false } : undefined), failureKind: () => "domain_rejection" });
  // @ts-expect-error no kind of failure
  events(null as unknown as Result, { failureKind: () => "weird" });
  expectTypeOf<Evidence["toolCalls"][number]["bounds"]>().not.toBeAny();
});
