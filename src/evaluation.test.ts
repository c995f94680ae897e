import { expect, test } from "vitest";
import { defineConfig, evaluation, isEntailError, todo, type Suite } from "entail";
import { checks } from "entail/score";
import { evaluationOptions } from "./evaluation.ts";

const suite: Suite = { id: "chat", description: "Chats.", scenarios: [] };
const refusal = (options: unknown): string => {
  try {
    evaluation(options as never);
  } catch (error) {
    if (isEntailError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "accepted";
};

test("an evaluation is a mark on its options, known across two copies of the package, and frozen", () => {
  const options = { suite, maxConcurrency: 3 };
  const marked = evaluation(options);
  expect(evaluationOptions(marked)).toBe(options);
  expect(evaluationOptions({ [Symbol.for("entail.evaluation")]: options })).toBe(options);
  expect(Object.isFrozen(marked)).toBe(true);
});

test("nothing else is an evaluation, however hostile", () => {
  const hostile = new Proxy({}, { get: () => { throw new Error("not to be read"); } });
  expect([undefined, null, 1, "x", {}, [], options(), hostile].map(evaluationOptions)).toEqual(Array.from({ length: 8 }, () => undefined));
  function options(): unknown {
    return { suite };
  }
});

test("options that can never run are refused when they are given, with what is wanted", () => {
  expect(refusal(undefined)).toBe("option_invalid: evaluation() takes an object: { suite, judge, … }");
  expect(refusal({ suite, data: [] })).toBe('option_invalid: evaluation() has no member "suite" beside data: give one of them');
  expect(refusal({ suite, reporters: [] })).toBe('option_invalid: evaluation() has no member "reporters"; did you mean "reporter"?');
  expect(refusal({ suite: {} })).toBe("option_invalid: evaluation() needs a suite: what newSuite or implement returns, or { id, description, scenarios }; or { name, data, target }");
  expect(refusal({ suite, maxConcurrency: 0 })).toBe("concurrency_not_positive: evaluation() needs a maxConcurrency of 1 or more, a whole number; not 0");
  expect(refusal({ suite, trials: 1.5 })).toBe("trials_not_positive: evaluation() needs trials of 1 or more, a whole number; not 1.5");
  expect(refusal({ suite, retries: -1 })).toBe("retries_negative: evaluation() needs retries of 0 or more, a whole number; not -1");
  for (const timeout of ["soon", "0s", "-5s", "25h".repeat(30), 5, Number.NaN]) expect(refusal({ suite, timeout })).toContain("option_invalid: evaluation() needs a timeout such as");
  expect(refusal({ suite, afterEach: "later" })).toBe("option_invalid: evaluation() needs a function as its afterEach");
  expect(refusal({ suite, judge: () => [] })).toBe("option_invalid: evaluation() needs a judge as its judge: what createJudge returns, or { judge }");
  expect(refusal({ suite, reporter: "plain" })).toBe("option_invalid: evaluation() needs an object as its reporter, with functions such as scenarioFinished");
  expect(refusal({ suite, judge: todo("later") })).toBe("accepted");
  expect(refusal({ suite, timeout: "1h30m", trials: 2, retries: 0, strict: true, subject: "v2" })).toBe("accepted");
});

test("data and a target stand instead of a suite, and are only marked", () => {
  const target = (): string => "hello";
  const options = { name: "Weather, in two turns", data: [{ inputs: ["a", "b"] }], target, gates: [checks.includes("hello")], strict: true };
  expect(evaluationOptions(evaluation(options))).toBe(options);
  expect(refusal({ data: [], target })).toContain("needs beside data a name");
  expect(refusal({ name: "x", data: {}, target })).toContain("needs a list as its data");
  expect(refusal({ name: "x", data: Promise.resolve([]), target })).toBe("accepted");
  expect(refusal({ name: "x", data: [] })).toContain("needs beside data a target");
  expect(refusal({ name: "x", data: [], target, gate: [] })).toBe('option_invalid: evaluation() has no member "gate"; did you mean "gates"?');
});

test("defineConfig gives back what it was given", () => {
  const config = { evals: "cases", maxConcurrency: 2 } as const;
  expect(defineConfig(config)).toBe(config);
});
