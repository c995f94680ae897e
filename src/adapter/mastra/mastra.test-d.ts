import type { Agent } from "@mastra/core/agent";
import type { MastraModelConfig, ModelRouterLanguageModel } from "@mastra/core/llm";
import type { ChunkType, FullOutput, MastraAgentNetworkStream, MastraModelOutput } from "@mastra/core/stream";
import type { AnyWorkflow, Workflow, WorkflowResult } from "@mastra/core/workflows";
import type { OpenAIProvider } from "@ai-sdk/openai";
import { events, provider, resolveModel, target, type AgentLike, type MastraModel, type StreamSource, type TurnInput, type WorkflowLike } from "entail/adapter/mastra";
import type { EventStream, Evidence } from "entail/evidence";
import type { Provider } from "entail/model";
import { describe, expectTypeOf, test } from "vitest";
import type { Target } from "../../core/target.ts";
import type { LanguageModel } from "../../language-model/language-model.ts";

type Tools = { look: { id: string; description: string; execute: () => Promise<number> } };

describe("the real runs are runs", () => {
  test("of agents, of networks and of workflows, streamed and whole", () => {
    expectTypeOf<MastraModelOutput>().toExtend<StreamSource>();
    expectTypeOf<Awaited<ReturnType<Agent["stream"]>>>().toExtend<StreamSource>();
    expectTypeOf<Awaited<ReturnType<Agent["resumeStream"]>>>().toExtend<StreamSource>();
    expectTypeOf<Awaited<ReturnType<Agent["approveToolCall"]>>>().toExtend<StreamSource>();
    expectTypeOf<ReturnType<Agent["stream"]>>().toExtend<PromiseLike<StreamSource>>();
    expectTypeOf<FullOutput>().toExtend<StreamSource>();
    expectTypeOf<ReturnType<Agent["generate"]>>().toExtend<PromiseLike<StreamSource>>();
    expectTypeOf<MastraAgentNetworkStream>().toExtend<StreamSource>();
    expectTypeOf<AsyncIterable<ChunkType>>().toExtend<StreamSource>();
    expectTypeOf<ReturnType<Awaited<ReturnType<Workflow["createRun"]>>["stream"]>>().toExtend<StreamSource>();
    expectTypeOf<WorkflowResult<any, any, any, any>>().toExtend<StreamSource>();
    expectTypeOf(events).returns.toExtend<EventStream>();
    // @ts-expect-error a text is no run
    void (() => events("text"));
  });
});

describe("the real agents and workflows are targets", () => {
  test("an agent takes texts and messages", () => {
    expectTypeOf<Agent>().toExtend<AgentLike>();
    expectTypeOf<Agent<"weather", Tools>>().toExtend<AgentLike>();
    expectTypeOf(target(null as unknown as Agent<"weather", Tools>)).toEqualTypeOf<Target<TurnInput>>();
    expectTypeOf(target(({ messages, options }) => (null as unknown as Agent).network(messages, options), { memory: true })).toEqualTypeOf<Target<TurnInput>>();
    expectTypeOf(target).toBeCallableWith(null as unknown as Agent, { call: { maxSteps: 3 }, bounds: () => undefined });
  });

  test("a workflow takes what it declares", () => {
    expectTypeOf<Workflow>().toExtend<WorkflowLike>();
    expectTypeOf<AnyWorkflow>().toExtend<WorkflowLike>();
    expectTypeOf(target(null as unknown as Workflow)).toEqualTypeOf<Target>();
    // @ts-expect-error nothing to send a turn to
    void (() => target({ run: () => undefined }));
  });
});

describe("the real models are models", () => {
  test("a name, a config, a router's model, one of an AI SDK provider, and one for each class", () => {
    expectTypeOf<"openai/gpt-4.1">().toExtend<MastraModel>();
    expectTypeOf<{ id: "openai/gpt-4.1"; url: string }>().toExtend<MastraModel>();
    expectTypeOf<Extract<MastraModelConfig, { providerId: string }>>().toExtend<MastraModel>();
    expectTypeOf<ModelRouterLanguageModel>().toExtend<LanguageModel>();
    expectTypeOf<ReturnType<OpenAIProvider>>().toExtend<MastraModel>();
    expectTypeOf(provider).toBeCallableWith({ "high-reasoning": "openai/gpt-4.1", default: "openai/gpt-4.1", small: "openai/gpt-4.1-mini" }, { rawArguments: true });
    expectTypeOf(provider).returns.toEqualTypeOf<Provider>();
    expectTypeOf(resolveModel).returns.resolves.toEqualTypeOf<LanguageModel>();
    // @ts-expect-error a class without a model
    void (() => provider({ default: "openai/gpt-4.1", small: "openai/gpt-4.1-mini" }));
  });
});

test("bounds, kinds and the runs before are read with Entail's own words", () => {
  events(null as unknown as MastraModelOutput, { bounds: (tool, output) => (tool === "x" && output !== undefined ? { returned: 1, truncated: false } : undefined), failureKind: () => "domain_rejection", continues: [null as unknown as Evidence] });
  // @ts-expect-error no kind of failure
  events(null as unknown as MastraModelOutput, { failureKind: () => "weird" });
  expectTypeOf<Evidence["toolCalls"][number]["bounds"]>().not.toBeAny();
});
