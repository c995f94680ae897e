import { describe, expect, test } from "vitest";
import {
  createCompletenessScorer,
  createContentSimilarityScorer,
  createKeywordCoverageScorer,
  createTextualDifferenceScorer,
  createToneScorer,
  createToolCallAccuracyScorerCode,
  createTrajectoryAccuracyScorerCode,
  createTrajectoryScorerCode,
  type ExpectedStep,
  runScorer,
  type Scorer,
  type ScorerRun,
  trajectoryOf,
} from "entail/score";
import { agentRun, assistant } from "../../test/score-messages.ts";

async function value(scorer: Scorer, run: ScorerRun): Promise<number | string> {
  const seen = await runScorer(scorer, run);
  return seen.kind === "scored" ? seen.score : seen.kind === "errored" ? seen.error.code : "not scorable";
}
type Row = readonly [input: string, output: string, value: number | string];
/** To 1e-9, or the word itself. */
const near = (expected: number | string): unknown => (typeof expected === "number" ? expect.closeTo(expected, 9) : expected);
/** The rows as they came out, beside those that were wanted. */
async function held(scorer: Scorer, rows: readonly Row[]): Promise<{ readonly found: readonly unknown[]; readonly wanted: readonly unknown[] }> {
  const found = await Promise.all(rows.map(async ([input, output]) => [input, output, await value(scorer, output === "" ? agentRun(input) : agentRun(input, output))]));
  return { found, wanted: rows.map(([input, output, expected]) => [input, output, near(expected)]) };
}

describe("texts", () => {
  test("completeness is the share of the input's content words that are taken up, plurals with singulars", async () => {
    const { found, wanted } = await held(createCompletenessScorer(), [
      ["Compare Paris hotels and museums", "Paris has a hotel and a museum; to compare them is easy.", 1],
      ["Compare Paris hotels and museums", "Paris is big.", 0.25],
      ["What is the capital of France?", "The capital of France is Paris.", 1],
      ["Explain cats", "Dogs are nice.", 0],
      ["cat", "concatenate", 0],
      ["the of and", "anything", "not scorable"],
      ["", "anything", "not scorable"],
      ["Explain cats", "", 0],
      ["", "", "not scorable"],
    ]);
    expect(found).toEqual(wanted);
  });
  test("content similarity is the Dice value of input and output", async () => {
    const { found, wanted } = await held(createContentSimilarityScorer(), [
      ["night", "nacht", 0.25],
      ["hello world", "HELLO  WORLD", 1],
      ["healed", "sealed", 0.8],
      ["weather forecast", "forecast weather", 26 / 28],
      ["abc", "xyz", 0],
      ["abc", "", 0],
      ["", "abc", "not scorable"],
    ]);
    expect(found).toEqual(wanted);
  });
  test("content similarity heeds case and blanks where it is told to", async () => {
    expect(await value(createContentSimilarityScorer({ ignoreCase: false }), agentRun("ABCD", "abcd"))).toBe(0);
    expect(await value(createContentSimilarityScorer({ ignoreWhitespace: false }), agentRun("a b", "ab"))).toBe(0);
  });
  test("textual difference is twice the common row of characters over both lengths", async () => {
    const { found, wanted } = await held(createTextualDifferenceScorer(), [
      ["hello", "hello", 1],
      ["abcd", "abxd", 0.75],
      ["abc", "xyz", 0],
      ["kitten", "sitting", 8 / 13],
      ["caf\u00e9", "cafe\u0301", 1],
      ["abc", "", 0],
      ["", "", "not scorable"],
    ]);
    expect(found).toEqual(wanted);
  });
  test("keyword coverage is the share of the input's keywords that are said", async () => {
    const { found, wanted } = await held(createKeywordCoverageScorer(), [
      ["Compare Paris hotels and museums", "Paris has hotels.", 0.5],
      ["JavaScript frameworks like React and Vue", "React and Vue are JavaScript frameworks.", 1],
      ["React", "Angular", 0],
      ["What is the capital of France in 2024?", "France", 0.5],
      ["is it the", "yes", "not scorable"],
      ["React", "", 0],
      ["", "React", "not scorable"],
    ]);
    expect(found).toEqual(wanted);
  });
  test("tone against a reference is 1 less the difference of the sentiments", async () => {
    const { found, wanted } = await held(createToneScorer({ referenceTone: "I love this great product" }), [
      ["x", "I love this great product", 1],
      ["x", "I hate this terrible product", 0],
      ["x", "The table is made of wood", 0],
      ["x", "good", 0],
      ["x", "We think that this is a really very good chair here", 1 - Math.abs(3 / 11 - 6 / 5)],
      ["x", "", 0],
    ]);
    expect(found).toEqual(wanted);
  });
  test("tone without a reference is 1 less the variance over the sentences", async () => {
    const { found, wanted } = await held(createToneScorer(), [
      ["x", "The sky is blue. The grass is green.", 1],
      ["x", "This is great. This is terrible.", 0],
      ["x", "This is not bad. This is fine.", 1 - ((3 / 4 - 2 / 3) / 2) ** 2],
      ["x", "One sentence alone.", "not scorable"],
      ["x", "It is good! It is good! It is good!", 1],
      ["x", "", 0],
    ]);
    expect(found).toEqual(wanted);
  });
});

describe("tool calls", () => {
  const calls = (...names: readonly string[]): ScorerRun => agentRun("q", assistant(...names.map((call) => ({ call })), "done"));
  test("the tool was called, alone in strict mode", async () => {
    const rows: readonly (readonly [boolean, readonly string[], number])[] = [[false, ["a"], 1], [false, ["b", "a"], 1], [false, ["b"], 0], [true, ["a"], 1], [true, ["a", "b"], 0], [true, ["a", "a"], 0], [false, [], 0]];
    for (const [strictMode, names, expected] of rows) expect([names, await value(createToolCallAccuracyScorerCode({ expectedTool: "a", strictMode }), calls(...names))]).toEqual([names, expected]);
    expect(await value(createToolCallAccuracyScorerCode({ expectedTool: "a" }), agentRun("q"))).toBe(0);
  });
  test("tools in an order may be repeated, with others between unless strict", async () => {
    const rows: readonly (readonly [boolean, readonly string[], number])[] = [[false, ["a", "x", "b", "a"], 1], [false, ["a", "b"], 0], [false, ["b", "a", "a"], 0], [true, ["a", "b", "a"], 1], [true, ["a", "b", "a", "x"], 0], [false, [], 0]];
    for (const [strictMode, names, expected] of rows) expect([names, await value(createToolCallAccuracyScorerCode({ expectedToolOrder: ["a", "b", "a"], strictMode }), calls(...names))]).toEqual([names, expected]);
    expect(() => createToolCallAccuracyScorerCode({})).toThrow(expect.objectContaining({ code: "scorer_invalid" }));
    expect(await value(createToolCallAccuracyScorerCode({ expectedTool: "a", strictMode: true }), { output: [{ odd: 1 }] })).toBe("message_unreadable");
    expect(await value(createToolCallAccuracyScorerCode({ expectedTool: "a" }), { output: "text" })).toBe("message_unreadable");
  });
  const steps = (...names: readonly string[]): readonly ExpectedStep[] => names.map((name) => ({ name }));
  test("trajectory accuracy: relaxed, strict and unordered, to two decimals", async () => {
    const rows = [
      ["relaxed", ["a", "b"], ["a", "b"], 1],
      ["relaxed", ["a", "b"], ["b", "a"], 0.5],
      ["relaxed", ["a", "b"], ["a", "x", "b", "y"], 1],
      ["relaxed", ["a", "b", "c"], ["a", "c"], 0.67],
      ["strict", ["a", "b"], ["a", "b"], 1],
      ["strict", ["a", "b"], ["a", "b", "c"], 0.75],
      ["strict", ["a", "b"], ["x", "a", "b"], 0],
      ["unordered", ["a", "b"], ["b", "a"], 1],
      ["unordered", ["a", "a"], ["a"], 0.5],
      ["relaxed", ["a"], [], 0],
      ["strict", ["a"], [], 0],
      ["unordered", ["a"], [], 0],
    ] as const;
    for (const [ordering, expected, taken, score] of rows) {
      const found = await value(createTrajectoryAccuracyScorerCode({ expectedTrajectory: steps(...expected), comparisonOptions: { ordering } }), calls(...taken));
      expect([ordering, expected, taken, found]).toEqual([ordering, expected, taken, near(score)]);
    }
    expect(await value(createTrajectoryAccuracyScorerCode({ expectedTrajectory: steps("a"), comparisonOptions: { allowRepeatedSteps: false } }), calls("a", "a"))).toBeCloseTo(0.9, 9);
  });
  test("a step with a type is compared by its arguments whatever their order, and the greatest matching is found", async () => {
    const run = agentRun("q", assistant({ call: "a", args: { x: 1, y: { p: 1, q: 2 } } }, { call: "a", args: { x: 2 } }));
    const exact: ExpectedStep = { name: "a", stepType: "tool_call", toolArgs: { y: { q: 2, p: 1 }, x: 1 } };
    expect(await value(createTrajectoryAccuracyScorerCode({ expectedTrajectory: [exact] }), run)).toBe(1);
    expect(await value(createTrajectoryAccuracyScorerCode({ expectedTrajectory: [{ ...exact, toolArgs: { x: 9 } }] }), run)).toBe(0);
    expect(await value(createTrajectoryAccuracyScorerCode({ expectedTrajectory: [{ name: "a" }, exact], comparisonOptions: { ordering: "unordered" } }), run)).toBe(1);
  });
  test("without an expectation there is nothing to score; the item's own is used, and an empty one of the author's is refused", async () => {
    expect(await value(createTrajectoryAccuracyScorerCode(), calls("a"))).toBe("not scorable");
    expect(await value(createTrajectoryAccuracyScorerCode(), { ...calls("a"), expectedTrajectory: { steps: [{ name: "a" }] } })).toBe(1);
    expect(await value(createTrajectoryScorerCode(), calls("a"))).toBe("not scorable");
    expect(() => createTrajectoryAccuracyScorerCode({ expectedTrajectory: [] })).toThrow(expect.objectContaining({ code: "scorer_invalid" }));
    expect(await value(createTrajectoryAccuracyScorerCode({ expectedTrajectory: steps("a") }), { output: [{ odd: 1 }] })).toBe("message_unreadable");
    expect(await value(createTrajectoryAccuracyScorerCode({ expectedTrajectory: steps("a") }), { output: { status: "done" } })).toBe("message_unreadable");
  });
  test("the trajectory scorer weighs accuracy, efficiency, failures and forbidden steps", async () => {
    const failed = agentRun("q", assistant(...Array.from({ length: 5 }, () => ({ call: "a", state: "output-error", errorText: "no" }))));
    const rows: readonly (readonly [Parameters<typeof createTrajectoryScorerCode>[0], ScorerRun, number | string])[] = [
      [{ defaults: { steps: steps("a", "b") } }, calls("a", "b"), 1],
      [{ defaults: { steps: steps("a", "b"), maxSteps: 2 } }, calls("a", "x", "b"), Math.round(((0.4 * 1 + 0.3 * 0.75) / 0.7) * 100) / 100],
      [{ defaults: { steps: steps("a"), blacklistedTools: ["x"] } }, calls("a", "x"), 0],
      [{ defaults: { steps: steps("a"), blacklistedTools: ["x"] } }, calls("a"), 1],
      [{ defaults: { blacklistedSequences: [["a", "b"]] } }, calls("a", "b"), 0],
      [{ defaults: { blacklistedSequences: [["a", "b"]] } }, calls("a", "c", "b"), 1],
      [{ defaults: { noRedundantCalls: true } }, calls("a", "a"), 0.8],
      [{ defaults: { steps: steps("a") } }, failed, Math.round(((0.4 * 1 + 0.2 * 0.6) / 0.6) * 100) / 100],
      [{ defaults: { steps: steps("a", "b"), maxSteps: 2 }, weights: { accuracy: 1, efficiency: 0 } }, calls("a"), 0.5],
      [{ defaults: { maxTotalDurationMs: 100 } }, { ...calls("a"), durationMs: 150 }, Math.round(((0.5 + 1) / 2) * 100) / 100],
      [{ defaults: { maxTotalDurationMs: 100 } }, calls("a"), "not_observable"],
      [{ defaults: { maxTotalTokens: 100 } }, calls("a"), "not_observable"],
      [{ defaults: { steps: steps("a") } }, agentRun("q"), 0],
      [{ defaults: { blacklistedTools: ["x"] } }, agentRun("q"), "not scorable"],
      [{ defaults: { maxSteps: 5 } }, { output: { steps: [] } }, "not scorable"],
    ];
    for (const [options, run, expected] of rows) {
      const found = await value(createTrajectoryScorerCode(options), run);
      expect([options, found]).toEqual([options, near(expected)]);
    }
  });
  test("what is expected of a step's children counts for 30%", async () => {
    const output = { steps: [{ name: "helper", stepType: "agent_run", children: [{ name: "a", stepType: "tool_call" }] }] };
    const expecting = (...names: readonly string[]): Scorer => createTrajectoryScorerCode({ defaults: { steps: [{ name: "helper", stepType: "agent_run", children: { steps: steps(...names) } }] } });
    expect([await value(expecting("a"), { output }), await value(expecting("a", "b"), { output }), await value(expecting("z"), { output })]).toEqual([1, 0.85, 0.7]);
    expect(await value(createTrajectoryScorerCode({ defaults: { blacklistedTools: ["a"] } }), { output })).toBe(0);
  });
  test("the trajectory of messages holds each call with its arguments and whether it succeeded", () => {
    expect(trajectoryOf(agentRun("q", assistant({ call: "a", args: { x: 1 }, result: { y: 2 } }, { call: "b", state: "call" }))).steps).toEqual([
      { stepType: "tool_call", name: "a", toolArgs: { x: 1 }, toolResult: { y: 2 }, success: true },
      { stepType: "tool_call", name: "b", toolArgs: {}, success: false },
    ]);
  });
});

test("the scorers have Mastra's ids, and each says why in one line", async () => {
  const all = [createCompletenessScorer(), createContentSimilarityScorer(), createTextualDifferenceScorer(), createKeywordCoverageScorer(), createToneScorer({ referenceTone: "good" }), createToolCallAccuracyScorerCode({ expectedTool: "a" }), createTrajectoryAccuracyScorerCode({ expectedTrajectory: [{ name: "a" }] }), createTrajectoryScorerCode({ defaults: { maxSteps: 1 } })];
  expect(all.map(({ id }) => id)).toEqual(["completeness-scorer", "content-similarity-scorer", "textual-difference-scorer", "keyword-coverage-scorer", "tone-scorer", "code-tool-call-accuracy-scorer", "code-trajectory-accuracy-scorer", "code-trajectory-scorer"]);
  for (const scorer of all) {
    const seen = await runScorer(scorer, agentRun("Explain React", assistant({ call: "a" }, "React is a library.")));
    expect([scorer.id, seen]).toEqual([scorer.id, expect.objectContaining({ reason: expect.stringMatching(/^[^\n]{5,}$/) as string })]);
  }
});
