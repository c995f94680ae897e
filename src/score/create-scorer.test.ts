import { describe, expect, test } from "vitest";
import { checks, createScorer, filterRun, isNotScorable, isScorerRunError, notScorable, runScorer, type ScorerResult, type ScorerRunError } from "entail/score";
import { scriptedProvider, toolCallResponse } from "entail/testing";
import type { ModelResponse } from "entail/model";
import { createClient } from "entail/model";
import { agentRun, assistant, user } from "../../test/score-messages.ts";

const run = agentRun("How is the weather?", "It is sunny.");
const answers = (...texts: readonly string[]): ReturnType<typeof scriptedProvider> => scriptedProvider(texts.map((text) => toolCallResponse("answer", text)));
const says = (text: string): ModelResponse => ({ content: [{ type: "text", text }], stopReason: "stop" });
const failure = async (promise: Promise<unknown>): Promise<ScorerRunError> => {
  const error: unknown = await promise.then(() => undefined, (thrown: unknown) => thrown);
  if (!isScorerRunError(error)) throw new Error(`no ScorerRunError: ${String(error)}`);
  return error;
};
const base = createScorer({ id: "s", description: "d" });

describe("function steps", () => {
  test("four steps see what came before them, and the result has Mastra's members beside the run's own", async () => {
    const scorer = createScorer({ id: "length", description: "d", type: "agent" })
      .preprocess(({ run: { output } }) => ({ count: output.length }))
      .analyze(({ results }) => results.preprocessStepResult.count + 1)
      .generateScore(({ results }) => results.analyzeStepResult / 4)
      .generateReason(({ results, score }) => `${results.preprocessStepResult.count} of 4 is ${score}`);
    const result = await scorer.run({ ...run, groundTruth: "g" });
    expect(result).toMatchObject({ score: 0.5, reason: "1 of 4 is 0.5", preprocessStepResult: { count: 1 }, analyzeStepResult: 2, groundTruth: "g", input: run.input, output: run.output });
    expect(typeof result.runId).toBe("string");
    expect(result).not.toHaveProperty("notScorable");
    expect(scorer.getSteps()).toEqual([{ name: "preprocess", type: "function" }, { name: "analyze", type: "function" }, { name: "generateScore", type: "function" }, { name: "generateReason", type: "function" }]);
    expect(scorer).toMatchObject({ id: "length", name: "length", description: "d", type: "agent" });
  });
  test("a step gives a new scorer and leaves the one before as it is", async () => {
    const one = base.generateScore(() => 1);
    const zero = base.generateScore(() => 0);
    expect([(await one.run(run)).score, (await zero.run(run)).score, base.getSteps().length]).toEqual([1, 0, 0]);
    expect(() => one.generateScore(() => 0)).toThrow(/twice/);
  });
  test("mastra 92: steps run in the order of their declaration, so one declared later has no result yet", async () => {
    const order: string[] = [];
    const scorer = base.generateScore(({ results }) => (order.push("score"), "preprocessStepResult" in results ? 1 : 0)).preprocess(() => order.push("preprocess"));
    expect(await scorer.run(run)).toMatchObject({ score: 0, preprocessStepResult: 2 });
    expect(order).toEqual(["score", "preprocess"]);
  });
  test("mastra 91: notScorable in analyze ends the run: no score, later steps do not run, earlier results are kept", async () => {
    let later = 0;
    const scorer = base.preprocess(() => "kept").analyze(() => notScorable("not a refund")).generateScore(() => (later++, 1));
    const result = await scorer.run(run);
    expect(result).toMatchObject({ notScorable: { step: "analyze", reason: "not a refund" }, preprocessStepResult: "kept" });
    expect(result).not.toHaveProperty("score");
    expect(later).toBe(0);
    expect(await runScorer(scorer, run)).toMatchObject({ kind: "not_scorable", reason: "not a refund", step: "analyze" });
  });
  test("mastra 90: where the reason fails the error keeps the score and says which step failed", async () => {
    const error = await failure(base.preprocess(() => 5).generateScore(() => 0.25).generateReason(() => { throw new Error("no words"); }).run(run));
    expect(error).toMatchObject({ id: "MASTR_SCORER_FAILED_TO_RUN_WORKFLOW_FAILED", code: "scorer_failed", failedStep: "generateReason", completedSteps: ["preprocess", "generateScore"], result: { score: 0.25, preprocessStepResult: 5 } });
    expect(error.message).toBe('scorer "s" failed at generateReason: no words');
    expect(Object.keys(JSON.parse(JSON.stringify(error)) as object)).not.toContain("result");
    const outcome = await runScorer(base.generateScore(() => 0.25).generateReason(() => { throw new Error("no words"); }), run);
    expect(outcome).toMatchObject({ kind: "errored", result: { score: 0.25 } });
  });
  test("a scorer needs an id and a step that gives the score; both errors have Mastra's ids", async () => {
    expect(() => createScorer({ id: "", description: "d" })).toThrow(expect.objectContaining({ code: "scorer_invalid", id: "MASTR_SCORER_FAILED_TO_CREATE_MISSING_ID" }));
    expect(() => createScorer({ description: "d" } as never)).toThrow(expect.objectContaining({ id: "MASTR_SCORER_FAILED_TO_CREATE_MISSING_ID" }));
    await expect(base.preprocess(() => 1).run(run)).rejects.toMatchObject({ code: "scorer_invalid", id: "MASTR_SCORER_FAILED_TO_RUN_MISSING_GENERATE_SCORE" });
    expect(() => base.analyze({} as never)).toThrow(/createPrompt/);
  });
  test("mastra 88: a score of 7 is an error that names it, from a function and from a model", async () => {
    expect((await failure(base.generateScore(() => 7).run(run))).message).toMatch(/from 0 to 1, not 7/);
    const judge = { model: answers('{"score":7}', '{"score":7}'), instructions: "i" };
    const error = await failure(createScorer({ id: "s", description: "d", judge }).generateScore({ description: "d", createPrompt: () => "p" }).run(run));
    expect(error).toMatchObject({ code: "scorer_answer_invalid", failedStep: "generateScore" });
    expect(error.message).toContain("score must be from 0 to 1, not 7");
  });
  test("prepareRun changes what the steps see, and a broken one is an error of the scorer", async () => {
    const scorer = createScorer({ id: "s", description: "d", prepareRun: (given: { output: unknown }) => Promise.resolve({ ...given, output: "prepared" }) }).generateScore(({ run: { output } }) => (output === "prepared" ? 1 : 0));
    expect(await scorer.run(run)).toMatchObject({ score: 1 });
    const broken = createScorer({ id: "s", description: "d", prepareRun: () => { throw new Error("no"); } }).generateScore(() => 1);
    expect((await failure(broken.run(run))).message).toBe('scorer "s" failed: no');
  });
  test("mastra 94: a scorer that empties what it is given changes nothing for the next", async () => {
    const shared = agentRun("q", "a", "b");
    const greedy = createScorer({ id: "greedy", description: "d", type: "agent" }).generateScore(({ run: { output } }) => ((output as unknown[]).length = 0));
    const count = createScorer({ id: "count", description: "d", type: "agent" }).generateScore(({ run: { output } }) => output.length / 4);
    await runScorer(greedy, shared);
    expect(await runScorer(count, shared)).toMatchObject({ score: 0.5 });
    expect(await runScorer(checks.includes("b"), shared)).toMatchObject({ score: 1 });
  });
});

describe("prompt steps", () => {
  const judgeOf = (model: ReturnType<typeof scriptedProvider>): { model: ReturnType<typeof scriptedProvider>; instructions: string } => ({ model, instructions: "Be fair." });
  test("each step asks one question, and results, prompts and attempts are kept by step", async () => {
    const model = scriptedProvider([toolCallResponse("answer", '{"claims":["a","b"]}', { usage: { inputTokens: 7, outputTokens: 3 } }), toolCallResponse("answer", '{"score":0.5}'), says("Half of it.")]);
    const scorer = createScorer({ id: "s", description: "d", judge: judgeOf(model) })
      .analyze({ description: "finds claims", outputSchema: { type: "object", properties: { claims: { type: "array", items: { type: "string" } } }, required: ["claims"] }, createPrompt: () => "Find the claims." })
      .generateScore({ description: "scores", createPrompt: ({ results }) => `Score ${(results.analyzeStepResult as { claims: string[] }).claims.length} claims.` })
      .generateReason({ description: "says why", createPrompt: ({ score }) => `Why ${score}?` });
    const result: ScorerResult = await scorer.run(run);
    expect(result).toMatchObject({ score: 0.5, reason: "Half of it.", analyzeStepResult: { claims: ["a", "b"] }, analyzePrompt: "Find the claims.", generateScorePrompt: "Score 2 claims.", generateReasonPrompt: "Why 0.5?" });
    expect(result.judge?.analyze?.executions).toMatchObject([{ status: "success", attemptCount: 1, modelCallCount: 1, prompt: "Find the claims.", usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 } }]);
    expect(model.calls.map(({ request }) => request.messages[0])).toEqual(Array.from({ length: 3 }, () => ({ role: "system", content: "Be fair." })));
    expect(model.calls[2]?.request.tools).toEqual([]);
  });
  test("mastra 89: two answers that are no JSON are an error with two attempts; a bad one and a good one are a score with two", async () => {
    const scorer = (model: ReturnType<typeof scriptedProvider>): ReturnType<typeof base.generateScore> => createScorer({ id: "s", description: "d", judge: judgeOf(model) }).generateScore({ description: "d", createPrompt: () => "p" });
    const twice = answers("{bad", "{bad");
    const error = await failure(scorer(twice).run(run));
    expect(error).toMatchObject({ code: "scorer_answer_invalid", id: "MASTR_SCORER_FAILED_TO_RUN_WORKFLOW_FAILED", result: { judge: { generateScore: { executions: [{ status: "failed", attemptCount: 2 }] } } } });
    expect(twice.calls).toHaveLength(2);
    const mended = answers("{bad", '{"score":1}');
    expect(await scorer(mended).run(run)).toMatchObject({ score: 1, judge: { generateScore: { executions: [{ status: "success", attemptCount: 2 }] } } });
    expect(JSON.stringify(mended.calls[1]?.request.messages[0])).toContain("previous answer was rejected");
  });
  test("an answer that is prose, cut, refused, duplicated or of another tool is refused; a failing model is asked once", async () => {
    const twice: ModelResponse = { content: ["1", "2"].map((id) => ({ type: "tool_call", id, name: "answer", arguments: '{"score":1}' })), stopReason: "tool_calls" };
    const bad: readonly ModelResponse[] = [twice, says('{"score":1}'), toolCallResponse("answer", '{"score":1}', { stopReason: "length" }), toolCallResponse("answer", '{"score":1}', { stopReason: "refusal" }), toolCallResponse("answer", '{"score":1,"score":0}'), toolCallResponse("other", '{"score":1}'), toolCallResponse("answer", '{"score":"1"}'), toolCallResponse("answer", '{"score":1,"extra":2}')];
    for (const response of bad) {
      const model = scriptedProvider([response, response]);
      expect((await failure(createScorer({ id: "s", description: "d", judge: judgeOf(model) }).generateScore({ description: "d", createPrompt: () => "p" }).run(run))).code).toBe("scorer_answer_invalid");
    }
    const failing = scriptedProvider(() => { throw new Error("HTTP 500"); });
    const error = await failure(createScorer({ id: "s", description: "d", judge: judgeOf(failing) }).generateScore({ description: "d", createPrompt: () => "p" }).run(run));
    expect(error).toMatchObject({ code: "provider_failed", result: { judge: { generateScore: { executions: [{ status: "failed", attemptCount: 1, error: { code: "provider_failed" } }] } } } });
    expect(failing.calls).toHaveLength(1);
  });
  test("the number of corrections is the judge's own", async () => {
    const model = answers("1", "2", "3", '{"score":1}');
    expect(await createScorer({ id: "s", description: "d", judge: { ...judgeOf(model), maxCorrections: 3 } }).generateScore({ description: "d", createPrompt: () => "p" }).run(run)).toMatchObject({ score: 1, judge: { generateScore: { executions: [{ attemptCount: 4 }] } } });
  });
  test("a step's own judge wins member by member; without a model the step says what is missing", async () => {
    const own = answers('{"score":1}');
    const scorer = createScorer({ id: "s", description: "d", judge: { ...judgeOf(answers()), instructions: "kept" } }).generateScore({ description: "d", createPrompt: () => "p", judge: { model: own } });
    expect(await scorer.run(run)).toMatchObject({ score: 1 });
    expect(own.calls[0]?.request.messages[0]).toMatchObject({ content: "kept" });
    expect(await failure(base.generateScore({ description: "d", createPrompt: () => "p" }).run(run))).toMatchObject({ code: "scorer_invalid", cause: { id: "MASTR_SCORER_FAILED_TO_RUN_MISSING_MODEL_OR_INSTRUCTIONS" } });
  });
  test("a model may be a client, an AI SDK model, or a name that somebody resolves", async () => {
    const step = { description: "d", createPrompt: () => "p" };
    const client = createClient(answers('{"score":1}'));
    expect(await createScorer({ id: "s", description: "d", judge: { model: client, instructions: "i" } }).generateScore(step).run(run)).toMatchObject({ score: 1 });
    const named = createScorer({ id: "s", description: "d", judge: { model: "openai/some-model", instructions: "i" } }).generateScore(step);
    expect(await failure(named.run(run))).toMatchObject({ code: "model_unresolved" });
    expect(await named.run(run, { resolveModel: (name) => (name === "openai/some-model" ? answers('{"score":0.25}') : Promise.reject(new Error(name))) })).toMatchObject({ score: 0.25 });
    const languageModel = { specificationVersion: "v3", provider: "openai.chat", modelId: "m", doGenerate: () => Promise.resolve({ content: [{ type: "tool-call", toolCallId: "1", toolName: "answer", input: '{"score":0.75}' }], finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }, warnings: [] }), doStream: () => Promise.reject(new Error("no")) };
    expect(await createScorer({ id: "s", description: "d", judge: { model: languageModel, instructions: "i" } }).generateScore(step).run(run)).toMatchObject({ score: 0.75, judge: { generateScore: { executions: [{ judgeModelId: "m", judgeProvider: "openai.chat" }] } } });
  });
  test("the scope of a step's request names the scorer, and the signal reaches the model", async () => {
    const model = answers('{"score":1}');
    const { signal } = new AbortController();
    await createScorer({ id: "mine", description: "d", judge: judgeOf(model) }).generateScore({ description: "d", createPrompt: () => "p" }).run(run, { scope: { suite: "s", scenario: "c", trial: 1, purpose: "?", ordinal: 0 }, signal });
    expect(model.calls[0]?.options).toMatchObject({ scope: { purpose: "mine", suite: "s" }, signal });
  });
});

describe("scorers of others", () => {
  test("a function like one of autoevals is called with texts and its answer is read", async () => {
    const seen: unknown[] = [];
    const Levenshtein = (args: { output: string; expected?: string; input?: string }): { name: string; score: number; metadata: { rationale: string } } => {
      seen.push([args.input, args.output, args.expected]);
      return { name: "Levenshtein", score: 0.5, metadata: { rationale: "half" } };
    };
    const { toScorer } = await import("entail/score");
    expect(await runScorer(toScorer(Levenshtein, "x"), { ...run, groundTruth: "It is rainy." })).toMatchObject({ kind: "scored", score: 0.5, reason: "half" });
    expect(seen).toEqual([["How is the weather?", "It is sunny.", "It is rainy."]]);
    const answer = async (value: unknown): Promise<string> => (await runScorer(toScorer(Object.assign(() => (value === "reject" ? Promise.reject(new Error("e")) : value), { id: "f" }) as never, "x"), run)).kind;
    expect(await Promise.all([1, { score: 0 }, { score: null }, notScorable(), { score: 2 }, undefined, null, "1", true, {}, { score: 1, error: new Error("e") }, "reject"].map(answer))).toEqual(["scored", "scored", "not_scorable", "not_scorable", "errored", "errored", "errored", "errored", "errored", "errored", "errored", "errored"]);
  });
  test("an aborted signal ends the waiting for a scorer that ignores it", async () => {
    const controller = new AbortController();
    const waiting = runScorer({ id: "slow", run: () => new Promise(() => undefined) }, run, { signal: controller.signal });
    controller.abort();
    expect(await waiting).toMatchObject({ kind: "errored", error: { code: "cancelled" } });
    let called = 0;
    expect(await runScorer({ id: "s", run: () => (called++, Promise.resolve({ score: 1 })) }, run, { signal: controller.signal })).toMatchObject({ kind: "errored" });
    expect(called).toBe(0);
  });
  test("a scorer that throws what cannot be read, or gives a hostile result, is an error and nothing more", async () => {
    const hostile = new Proxy({}, { get: () => { throw new Error("trap"); } });
    for (const give of [() => Promise.reject(hostile), () => Promise.resolve(hostile), () => Promise.resolve(undefined), () => Promise.resolve({ score: 1, notScorable: {} }), () => { throw new Error("sync"); }]) {
      expect((await runScorer({ id: "h", run: give as never }, run)).kind).toBe("errored");
    }
  });
});

describe("filterRun", () => {
  const full = { input: { ...agentRun("q").input, rememberedMessages: [user("a"), user("b"), assistant({ call: "x" })], systemMessages: [user("sys")] }, output: [assistant("t"), assistant({ call: "search_web" }), assistant({ call: "write" }, "w")], groundTruth: 1, requestContext: { a: 1 }, expectedTrajectory: {} };
  test("keeps the last messages, those of the tools named, and drops what is to be dropped, leaving the run as it was", () => {
    const before = structuredClone(full);
    expect(filterRun({ toolNames: ["search"] })(full).output).toEqual([full.output[0], full.output[1]]);
    expect(filterRun({ partTypes: ["tool-"] })(full).output).toEqual([full.output[1], full.output[2]]);
    expect(filterRun({ maxOutputMessages: 1, maxRememberedMessages: 2 })(full)).toMatchObject({ output: [full.output[2]], input: { rememberedMessages: full.input.rememberedMessages.slice(1), systemMessages: full.input.systemMessages } });
    expect(Object.keys(filterRun({ dropGroundTruth: true, dropRequestContext: true, dropExpectedTrajectory: true })(full))).toEqual(["input", "output"]);
    expect(full).toEqual(before);
  });
  test("notScorable is told from every other value, Mastra's own included", async () => {
    const mastra = (await import("@mastra/core/evals")).notScorable("theirs");
    expect([notScorable(), notScorable("r"), mastra].map(isNotScorable)).toEqual([true, true, true]);
    expect([undefined, null, {}, { reason: "r" }, 1, "notScorable", { notScorable: true }].map(isNotScorable)).toEqual([false, false, false, false, false, false, false]);
  });
});
