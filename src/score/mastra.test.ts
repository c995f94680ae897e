import { createScorer as createMastraScorer, notScorable as mastraNotScorable } from "@mastra/core/evals";
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checks, createKeywordCoverageScorer, createCompletenessScorer, createTrajectoryAccuracyScorerCode, readEntry, runScorer, type Scorer, type ScorerRun, type ScorerRunOptions } from "entail/score";
import { agentRun, assistant, user } from "../../test/score-messages.ts";

async function score(scorer: Scorer, run: ScorerRun, options: ScorerRunOptions = {}): Promise<number | string> {
  const seen = await runScorer(scorer, run, options);
  return seen.kind === "scored" ? seen.score : seen.kind === "errored" ? seen.error.code : "not scorable";
}
const weather = agentRun("How is the weather?", assistant({ call: "get_weather", args: { city: "Brooklyn" } }, "It is sunny in Brooklyn."));
const after = (...calls: readonly string[]): ScorerRun => ({ output: [assistant(...calls.map((call) => ({ call })), "done")] });

describe("checks", () => {
  test("mastra 60: includes leaves case aside unless told otherwise", async () => {
    expect([await score(checks.includes("SUNNY"), weather), await score(checks.includes("SUNNY", { ignoreCase: false }), weather)]).toEqual([1, 0]);
  });
  test("mastra 61: a text before a call counts, so a leak there is seen; under compat only the last text counts", async () => {
    const run = { output: [assistant("the secret is 42", { call: "t" }, "all done")] };
    expect([await score(checks.includes("secret"), run), await score(checks.excludes("secret"), run)]).toEqual([1, 0]);
    expect([await score(checks.includes("secret"), run, { compat: "mastra" }), await score(checks.excludes("secret"), run, { compat: "mastra" })]).toEqual([0, 1]);
    expect(await score(checks.excludes("secret", { scope: "final" }), run)).toBe(1);
  });
  test("mastra 62: a blank at the end is a difference", async () => expect(await score(checks.equals("hello"), agentRun("q", "hello "))).toBe(0));
  test("mastra 63: a global expression gives 1 each of three times", async () => {
    const check = checks.matches(/\d+/g);
    expect([await score(check, agentRun("q", "72")), await score(check, agentRun("q", "72")), await score(check, agentRun("q", "72"))]).toEqual([1, 1, 1]);
  });
  test("mastra 64: exact holds both branches of an expression", async () => {
    expect([await score(checks.matches(/a|b/, { exact: true }), agentRun("q", "axxx")), await score(checks.matches(/a|b/, { exact: true }), agentRun("q", "b"))]).toEqual([0, 1]);
  });
  test("mastra 66: two calls reach times 1 and 2, not 3", async () => {
    expect(await Promise.all([1, 2, 3].map((times) => score(checks.calledTool("t", { times }), after("t", "t"))))).toEqual([1, 1, 0]);
  });
  test("mastra 67: an order with a repeated tool needs it twice", async () => {
    const run = after("get_weather", "search", "get_weather");
    expect([await score(checks.toolOrder(["get_weather", "get_weather"]), run), await score(checks.toolOrder(["search", "search"]), run)]).toEqual([1, 0]);
  });
  test("mastra 68: three calls are at most 3 and not at most 2", async () => {
    expect([await score(checks.maxToolCalls(3), after("a", "b", "c")), await score(checks.maxToolCalls(2), after("a", "b", "c"))]).toEqual([1, 0]);
  });
  test("mastra 69: a tool that threw was called and failed", async () => {
    const run = { output: [assistant({ call: "t", state: "output-error", errorText: "boom" })] };
    expect([await score(checks.calledTool("t"), run), await score(checks.noToolErrors(), run)]).toEqual([1, 0]);
  });
  test("mastra 70: a result that is an error is a failed call", async () => expect(await score(checks.noToolErrors(), { output: [assistant({ call: "t", result: { error: "no" } })] })).toBe(0));
  test("mastra 71: a tool that does not exist was called and failed", async () => {
    const run = { output: [assistant({ call: "ghost", state: "output-error", errorText: "unknown tool" })] };
    expect([await score(checks.calledTool("ghost"), run), await score(checks.noToolErrors(), run)]).toEqual([1, 0]);
  });
  test("mastra 72: a call with bad arguments failed", async () => expect(await score(checks.noToolErrors(), { output: [assistant({ call: "t", args: { x: "bad" }, result: { error: true, message: "invalid" } })] })).toBe(0));
  test("mastra 59: a call that waits for approval was called and did not end well", async () => {
    for (const state of ["call", "approval-requested"]) {
      const run = { output: [assistant({ call: "t", state })] };
      expect([await score(checks.calledTool("t"), run), await score(checks.noToolErrors(), run)]).toEqual([1, 0]);
    }
  });
  test("mastra 73: two calls at once are two", async () => expect([await score(checks.calledTool("t", { times: 2 }), after("t", "t")), await score(checks.maxToolCalls(1), after("t", "t"))]).toEqual([1, 0]));
  test("mastra 74: the calls of other dialects are seen", async () => {
    const outputs = [
      [{ role: "assistant", parts: [{ type: "tool-x", toolCallId: "1", state: "output-available", input: {}, output: 1 }] }],
      [{ role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: { name: "x", arguments: "{}" } }] }],
      [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "x", input: {} }] }],
      [{ role: "assistant", content: [{ type: "tool_use", id: "1", name: "x", input: {} }] }],
    ];
    expect(await Promise.all(outputs.map((output) => score(checks.calledTool("x"), { output })))).toEqual([1, 1, 1, 1]);
    expect(await Promise.all(outputs.map((output) => score(checks.usedNoTools(), { output })))).toEqual([0, 0, 0, 0]);
  });
  test("mastra 75: what was only thought was not said", async () => expect(await score(checks.includes("secret"), { output: [assistant({ reasoning: "the secret" }, "hello")] })).toBe(0));
  test("mastra 76: a tool's name is the one that the model calls", async () => expect([await score(checks.calledTool("get_weather"), weather), await score(checks.calledTool("weather-tool-id"), weather)]).toEqual([1, 0]));
  test("mastra 44: a tool called in turn 1 alone is called in the conversation, and not in turn 2", async () => {
    const turns = [[assistant({ call: "get_weather" }, "sunny")], [assistant("the same tomorrow")]];
    expect(await score(checks.calledTool("get_weather"), { output: turns.flat() })).toBe(1);
    expect(await Promise.all(turns.map((output) => score(checks.calledTool("get_weather"), { output })))).toEqual([1, 0]);
  });
  test("mastra 55: an output without any message passes nothing, excludes included", async () => {
    expect(await Promise.all([checks.excludes("secret"), checks.usedNoTools(), checks.noToolErrors(), checks.didNotCall("t")].map((check) => score(check, { output: [] })))).toEqual([0, 0, 0, 0]);
  });
  test("mastra 85: a check of tools on a workflow's result is an error", async () => {
    expect(await Promise.all([checks.usedNoTools(), checks.noToolErrors(), checks.didNotCall("t"), checks.maxToolCalls(3)].map((check) => score(check, { output: { status: "success", result: { n: 1 } } })))).toEqual(Array.from({ length: 4 }, () => "message_unreadable"));
  });
});

describe("code scorers", () => {
  test("mastra 86: a trajectory has the same accuracy with and without tracing", async () => {
    const scorer = createTrajectoryAccuracyScorerCode({ expectedTrajectory: [{ name: "get_weather", stepType: "tool_call" }] });
    const plain = { steps: [{ name: "get_weather", stepType: "tool_call", toolArgs: { city: "Brooklyn" } }], rawOutput: weather.output };
    const traced = { steps: [{ name: "m", stepType: "model_generation", children: [{ name: "get_weather", stepType: "tool_call" }] }, { name: "m", stepType: "model_generation" }] };
    const strict = createTrajectoryAccuracyScorerCode({ expectedTrajectory: [{ name: "get_weather", stepType: "tool_call", toolArgs: { city: "Brooklyn" } }], comparisonOptions: { ordering: "strict" } });
    for (const run of [weather, { output: plain }, { output: { ...traced, rawOutput: weather.output } }]) expect([await score(scorer, run), await score(strict, run)]).toEqual([1, 1]);
    expect(await score(scorer, { output: traced })).toBe(1);
    const twice = createTrajectoryAccuracyScorerCode({ expectedTrajectory: [{ name: "m", stepType: "model_generation" }, { name: "get_weather" }, { name: "m" }], comparisonOptions: { ordering: "strict" } });
    expect(await score(twice, { output: { ...traced, rawOutput: weather.output } })).toBe(1);
  });
  test("mastra 87: keyword coverage and completeness are the same for a single input and for a conversation of one turn, and without an input there is nothing to score", async () => {
    const single = agentRun("Compare Paris hotels and museums", "Paris has hotels.");
    const conversation = { ...single, turns: [{ turn: 0, input: single.input, output: single.output }] };
    for (const scorer of [createKeywordCoverageScorer(), createCompletenessScorer()]) expect([await score(scorer, single), await score(scorer, conversation)]).toEqual([0.5, 0.5]);
    expect(await score(createKeywordCoverageScorer(), { ...single, input: "Compare Paris hotels and museums" })).toBe(0.5);
    expect(await score(createKeywordCoverageScorer(), { output: single.output })).toBe("message_unreadable");
    expect(await score(createKeywordCoverageScorer(), { ...single, input: { ...single.input, inputMessages: [user("")] } })).toBe("not scorable");
  });
});

describe("Mastra's own scorer objects", () => {
  const theirs = createMastraScorer({ id: "theirs", description: "d", type: "agent" })
    .preprocess(({ run }) => ({ count: run.output.length }))
    .generateScore(({ results }) => results.preprocessStepResult.count / 2)
    .generateReason(({ score: value }) => `it is ${value}`);
  test("run unchanged, with their reason and results", async () => {
    const { scorer, threshold } = readEntry({ scorer: theirs, threshold: 0.5 }, "scorers[0]");
    expect(threshold).toBe(0.5);
    expect(await runScorer(scorer, agentRun("q", "a"))).toMatchObject({ kind: "scored", score: 0.5, reason: "it is 0.5", result: { preprocessStepResult: { count: 1 } } });
  });
  test("whose score lies outside 0..1 are errors, whose step throws too, with the step kept as cause", async () => {
    const { scorer } = readEntry(createMastraScorer({ id: "seven", description: "d" }).generateScore(() => 7), "x");
    expect(await score(scorer, agentRun("q", "a"))).toBe("score_invalid");
    const broken = readEntry(createMastraScorer({ id: "broken", description: "d" }).generateScore(() => { throw new Error("boom"); }), "x").scorer;
    const seen = await runScorer(broken, agentRun("q", "a"));
    expect(seen).toMatchObject({ kind: "errored", error: { code: "scorer_failed", cause: { failedStep: "generateScore" } } });
  });
  test("that answer notScorable are left out", async () => {
    const { scorer } = readEntry(createMastraScorer({ id: "ns", description: "d" }).generateScore(() => mastraNotScorable("not here")), "x");
    expect(await runScorer(scorer, agentRun("q", "a"))).toMatchObject({ kind: "not_scorable", reason: "not here" });
  });
  describe("with steps that ask a model", () => {
    const mock = new LLMock({ port: 0, host: "127.0.0.1" });
    beforeAll(() => mock.start());
    afterAll(() => mock.stop());
    // Mastra calls the newest models and does not yet name them in its types.
    const model = (): never => createOpenAI({ baseURL: `${mock.url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini") as never;
    const judged = (): Scorer =>
      createMastraScorer({ id: "judged", description: "d", judge: { model: model(), instructions: "You grade." } }).generateScore({
        description: "grades",
        createPrompt: ({ run }) => `Grade this: ${JSON.stringify(run.output)}`,
      }) as Scorer;
    test("ask it themselves, over HTTP, and their score is taken", async () => {
      mock.addFixture({ match: {}, response: { content: '{"score":0.75}' } });
      expect(await runScorer(readEntry(judged(), "x").scorer, agentRun("q", "a poem of rain"))).toMatchObject({ kind: "scored", score: 0.75 });
      expect(JSON.stringify(mock.getLastRequest()?.body)).toContain("a poem of rain");
    });
    test("are errors where their score is off the scale, never clamped to a pass", async () => {
      mock.clearFixtures();
      mock.addFixture({ match: {}, response: { content: '{"score":7}' } });
      expect(await score(readEntry(judged(), "x").scorer, agentRun("q", "a"))).toBe("score_invalid");
    });
  });
});
