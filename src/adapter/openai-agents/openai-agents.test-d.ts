import type { Agent, FunctionTool, Model, ModelRequest, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, RunResult, StreamedRunResult } from "@openai/agents";
import { tool } from "@openai/agents";
import { events, provider, target, toolError, watch, type AgentLike, type AgentsModel, type ErrorFunction, type RunnerLike, type RunSource } from "entail/adapter/openai-agents";
import { describe, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { EventStream } from "../../core/event.ts";
import type { Provider } from "../../core/model.ts";
import type { Target } from "../../core/target.ts";
import type { SdkModelRequest } from "./model-request.ts";

describe("the real runs are runs", () => {
  test("streamed or not, with any agent, their promises and their streams", () => {
    expectTypeOf<StreamedRunResult<unknown, Agent<any, any>>>().toExtend<RunSource>();
    expectTypeOf<RunResult<{ user: string }, Agent<any, any>>>().toExtend<RunSource>();
    expectTypeOf<ReturnType<StreamedRunResult<unknown, Agent<any, any>>["toStream"]>>().toExtend<RunSource>();
    expectTypeOf(events).toBeCallableWith(null as unknown as Promise<StreamedRunResult<unknown, Agent<any, any>>>);
    expectTypeOf(events).returns.toExtend<EventStream>();
    // @ts-expect-error a text is no run
    void (() => events("text"));
    // @ts-expect-error no kind of failure
    void (() => events(null as unknown as RunResult<unknown, Agent<any, any>>, { failureKind: () => "weird" }));
  });
});

describe("the real agents are targets", () => {
  test("of any context and output, with the real runner", () => {
    expectTypeOf<Agent>().toExtend<AgentLike>();
    expectTypeOf<Agent<{ user: string }, z.ZodObject<{ n: z.ZodNumber }>>>().toExtend<AgentLike>();
    expectTypeOf<Runner>().toExtend<RunnerLike>();
    expectTypeOf(target(null as unknown as Agent, { runner: null as unknown as Runner })).toExtend<Target<string>>();
    expectTypeOf(watch(null as unknown as Agent<{ user: string }>)).toEqualTypeOf<Agent<{ user: string }>>();
    // @ts-expect-error an agent is given, not its name
    void (() => target("Weather"));
  });

  test("a tool takes toolError as its errorFunction, with and without an answer of its own", () => {
    expectTypeOf<ErrorFunction>().toExtend<(context: any, error: any) => string | Promise<string>>();
    const made = tool({ name: "pay", description: "Pays.", parameters: z.object({ amount: z.number() }), errorFunction: toolError((_context, error) => `no: ${String(error)}`), execute: ({ amount }) => amount });
    expectTypeOf(made).toExtend<FunctionTool<any, any, any>>();
  });
});

describe("the real models are models", () => {
  test("of Chat Completions, of the Responses API, and any other", () => {
    expectTypeOf<OpenAIChatCompletionsModel>().toExtend<AgentsModel>();
    expectTypeOf<OpenAIResponsesModel>().toExtend<AgentsModel>();
    expectTypeOf<Model>().toExtend<AgentsModel>();
    expectTypeOf(provider).toBeCallableWith(null as unknown as Model);
    expectTypeOf(provider).toBeCallableWith({ "high-reasoning": null as unknown as Model, default: null as unknown as Model, small: null as unknown as Model }, { rawArguments: true });
    expectTypeOf(provider).returns.toEqualTypeOf<Provider>();
    // @ts-expect-error a class without a model
    void (() => provider({ default: null as unknown as Model, small: null as unknown as Model }));
  });

  test("and take the request that Entail makes", () => {
    expectTypeOf<SdkModelRequest>().toExtend<ModelRequest>();
  });
});
