import { defineConfig, evaluation, type Evaluation, type Suite } from "entail";
import { expectTypeOf, test } from "vitest";

declare const suite: Suite<"greeting", "smoke">;

test("an evaluation takes a suite and options of a run, and nothing misspelt", () => {
  expectTypeOf(evaluation({ suite, maxConcurrency: 5, timeout: "90s", beforeEach: ({ scenario, signal }) => void [scenario, signal] })).toEqualTypeOf<Evaluation>();
  // @ts-expect-error: a suite is needed
  evaluation({ maxConcurrency: 5 });
  // @ts-expect-error: did you mean maxConcurrency
  evaluation({ suite, maxConcurency: 5 });
  // @ts-expect-error: a conversation is not an evaluation yet
  evaluation({ name: "chat", data: [], target: {} });
});

test("a configuration is an object or a function that gives one", () => {
  defineConfig({ design: ["design/*.ts"], evals: "evals", maxConcurrency: 2, reporters: ["plain"], envFile: ".env" });
  defineConfig(async () => ({ evals: ["a", "b"] }));
  expectTypeOf(defineConfig({ maxConcurrency: 2 }).maxConcurrency).toEqualTypeOf<2>();
  // @ts-expect-error: a number is wanted
  defineConfig({ maxConcurrency: "2" });
});
