import type { BaseCallbackHandlerInput, CallbackHandlerMethods } from "@langchain/core/callbacks/base";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type Annotation, type Command, type CompiledStateGraph, MessagesAnnotation, type Pregel, StateGraph, type StreamMode as RealMode } from "@langchain/langgraph";
import type { createReactAgent } from "@langchain/langgraph/prebuilt";
import type { ChatOpenAI } from "@langchain/openai";
import { events, provider, STREAM, target, watch, type CallbackHandler, type ChatModel, type GraphLike, type StreamMode, type StreamSource } from "entail/adapter/langgraph";
import type { EventStream } from "entail/evidence";
import { describe, expectTypeOf, test } from "vitest";
import type { Provider } from "../../core/model.ts";
import type { Target } from "../../core/target.ts";

const graph = new StateGraph(MessagesAnnotation).addNode("agent", () => ({ messages: [] })).addEdge("__start__", "agent").compile();
type Agent = ReturnType<typeof createReactAgent>;

describe("the real graphs are graphs", () => {
  test("a compiled graph, an agent, and any of them", () => {
    expectTypeOf<typeof graph>().toExtend<GraphLike>();
    expectTypeOf<Agent>().toExtend<GraphLike>();
    expectTypeOf<CompiledStateGraph<typeof MessagesAnnotation.State, typeof MessagesAnnotation.Update>>().toExtend<GraphLike>();
    expectTypeOf<Pregel<any, any>>().toExtend<GraphLike>();
    expectTypeOf(target(graph)).toExtend<Target<string>>();
    expectTypeOf<Command>().toExtend<Parameters<ReturnType<typeof target>["send"]>[0]>();
    // @ts-expect-error what cannot stream is no graph
    void (() => target({ invoke: () => undefined }));
  });

  test("and take the config that Entail streams them with", () => {
    void (() => graph.stream({ messages: [] }, STREAM));
    void (() => graph.stream({ messages: [] }, { ...STREAM, callbacks: watch().callbacks, signal: new AbortController().signal, configurable: { thread_id: "t" } }));
    expectTypeOf<(typeof STREAM)["streamMode"][number]>().toExtend<RealMode>();
    expectTypeOf<StreamMode>().toEqualTypeOf<RealMode>();
  });
});

test("the real streams are streams", () => {
  expectTypeOf<Awaited<ReturnType<typeof graph.stream>>>().toExtend<StreamSource>();
  expectTypeOf(events).toBeCallableWith(graph.stream({ messages: [] }, STREAM));
  expectTypeOf(events).returns.toExtend<EventStream>();
  // @ts-expect-error a text is no stream
  void (() => events("text"));
  // @ts-expect-error no mode of the graph's
  void (() => events(graph.stream({ messages: [] }), { modes: ["everything"] }));
});

test("a watch is a handler of callbacks", () => {
  expectTypeOf<CallbackHandler>().toExtend<CallbackHandlerMethods & BaseCallbackHandlerInput>();
  expectTypeOf<typeof Annotation>().not.toBeAny();
});

test("the real chat models are chat models", () => {
  expectTypeOf<ChatOpenAI>().toExtend<ChatModel>();
  expectTypeOf<BaseChatModel>().toExtend<ChatModel>();
  const make = (settings: { temperature: number; maxTokens: number; maxRetries: 0 }): ChatOpenAI => settings as unknown as ChatOpenAI;
  expectTypeOf(provider).toBeCallableWith(make);
  expectTypeOf(provider).toBeCallableWith({ "high-reasoning": make, default: make, small: make }, { rawArguments: true });
  expectTypeOf(provider).returns.toEqualTypeOf<Provider>();
  // @ts-expect-error a model takes its settings when it is made
  void (() => provider(null as unknown as ChatOpenAI));
  // @ts-expect-error a class without a model
  void (() => provider({ default: make, small: make }));
});
