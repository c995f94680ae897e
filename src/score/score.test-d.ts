import { createScorer as createMastraScorer } from "@mastra/core/evals";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { checks, createScorer, notScorable, type Scorer, type ScorerEntry, type ScorerModel } from "entail/score";

test("a scorer of Mastra's, one of ours, a quick check and a function are entries, with and without a threshold", () => {
  const theirs = createMastraScorer({ id: "t", description: "d", type: "agent" }).generateScore(({ run }) => run.output.length);
  const untyped = createMastraScorer({ id: "t", description: "d" }).preprocess(() => ({ a: 1 })).generateScore(() => 1);
  const entries: readonly ScorerEntry[] = [theirs, untyped, createScorer({ id: "o", description: "d" }).generateScore(() => 1), checks.includes("a"), ({ output }: { output: string; expected?: string }) => output.length, { scorer: theirs, threshold: 0.5 }, { scorer: checks.usedNoTools(), threshold: { max: 0.3 } }];
  expectTypeOf(entries).toExtend<readonly ScorerEntry[]>();
  expectTypeOf(theirs).toExtend<Scorer>();
});

test("a step sees what the steps before it gave, without the answer that there is nothing to score", () => {
  createScorer({ id: "s", description: "d", type: "agent" })
    .preprocess(({ run }) => (run.output.length === 0 ? notScorable() : { count: 1 }))
    .analyze(async ({ results }) => {
      expectTypeOf(results.preprocessStepResult).toEqualTypeOf<{ count: number }>();
      return "text";
    })
    .generateScore(({ results, run }) => {
      expectTypeOf(results.analyzeStepResult).toEqualTypeOf<string>();
      expectTypeOf(run.input?.inputMessages).toEqualTypeOf<readonly unknown[] | undefined>();
      return 1;
    })
    .generateReason(({ score }) => {
      expectTypeOf(score).toEqualTypeOf<number>();
      return "r";
    });
});

test("schemas of input and output type the run, and a prompt step's schema its result", () => {
  const scorer = createScorer({ id: "s", description: "d", type: { input: z.object({ q: z.string() }), output: z.object({ a: z.number() }) } })
    .analyze({ description: "d", outputSchema: z.object({ claims: z.array(z.string()) }), createPrompt: ({ run }) => String(run.output.a) })
    .generateScore(({ run }) => run.output.a);
  expectTypeOf(scorer.id).toEqualTypeOf<"s">();
});

test("a score must be a number and a threshold one or bounds", () => {
  // @ts-expect-error -- a text is no score
  createScorer({ id: "s", description: "d" }).generateScore(() => "1");
  // @ts-expect-error -- a text is no threshold
  const entry: ScorerEntry = { scorer: checks.includes("a"), threshold: "0.5" };
  expectTypeOf(entry).not.toBeNever();
});

test("an AI SDK model is a model for a scorer", () => {
  expectTypeOf<LanguageModelV3>().toExtend<ScorerModel>();
});
