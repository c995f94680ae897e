import type { Agent } from "@mastra/core/agent";
import type { MastraScorer } from "@mastra/core/evals";
import type { RequestContext } from "@mastra/core/request-context";
import type { AnyWorkflow, Workflow } from "@mastra/core/workflows";
import type { ToolLoopAgent } from "ai";
import { evaluation } from "entail";
import { checks, converse, createScorer, runEvals, type AnyTarget, type ConversationSoFar, type Conversed, type EvalsResult, type ScorerEntry, type TurnPlayer } from "entail/conversation";
import type { Target } from "entail/evidence";
import { expectTypeOf, test } from "vitest";

declare const agent: Agent;
declare const scorer: MastraScorer<any, any, any, any>;
declare const requestContext: RequestContext;

test("what there is may be a target as it is", () => {
  expectTypeOf<Agent>().toExtend<AnyTarget>();
  expectTypeOf<Workflow>().toExtend<AnyTarget>();
  expectTypeOf<AnyWorkflow>().toExtend<AnyTarget>();
  expectTypeOf<Target<{ city: string }>>().toExtend<AnyTarget>();
  expectTypeOf<ToolLoopAgent>().toExtend<AnyTarget>();
  expectTypeOf<(question: string) => Promise<string>>().toExtend<AnyTarget>();
});

test("Mastra's own scorers are entries, alone and with a threshold", () => {
  expectTypeOf<MastraScorer<any, any, any, any>>().toExtend<ScorerEntry>();
  expectTypeOf(runEvals).toBeCallableWith({ target: agent, data: [{ input: "a", requestContext }], gates: [scorer], scorers: [{ scorer, threshold: { min: 0.5 } }, checks.includes("a")] });
  expectTypeOf(runEvals).toBeCallableWith({ target: agent, data: [{ inputs: ["a", ["b", "c"]] }], scorers: { agent: [scorer], trajectory: [scorer] }, concurrency: Number.POSITIVE_INFINITY });
  expectTypeOf(runEvals).toBeCallableWith({ target: agent, data: [{ input: { any: "value" } }], scorers: { workflow: [scorer], steps: { one: [scorer] } } });
  expectTypeOf(runEvals).returns.resolves.toEqualTypeOf<EvalsResult>();
});

test("a turn's function is told what it is given, and items are told apart by their forms", () => {
  void runEvals({
    target: agent,
    data: [
      { turns: [{ input: "a", gates: [checks.calledTool("t")] }, { input: (conversation) => { expectTypeOf(conversation).toEqualTypeOf<ConversationSoFar>(); return conversation.output; }, approvals: "expect" }] },
      { input: "hello", user: null as unknown as TurnPlayer },
    ],
  });
  // @ts-expect-error turns stand alone
  void runEvals({ target: agent, data: [{ input: "a", turns: [{ input: "b" }] }], scorers: [scorer] });
  // @ts-expect-error no such policy
  void runEvals({ target: agent, data: [{ turns: [{ input: "b", approvals: "maybe" }] }], scorers: [scorer] });
  // @ts-expect-error an item sends something
  void runEvals({ target: agent, data: [{ groundTruth: 1 }], scorers: [scorer] });
});

test("a conversation within a hook, and one in an eval file", () => {
  expectTypeOf(converse(agent, ["a", { input: "b", approvals: "approve" }, (conversation) => conversation.output])).resolves.toEqualTypeOf<Conversed>();
  expectTypeOf(evaluation).toBeCallableWith({ name: "weather", data: [{ input: "a" }], target: agent, gates: [scorer, createScorer({ id: "s", description: "s" }).generateScore(() => 1)], trials: 3 });
  // @ts-expect-error data needs a name
  void evaluation({ data: [{ input: "a" }], target: agent, gates: [scorer] });
});
