// Holds the documented examples of multi-turn evaluation, unchanged but for their import lines, on the real agent with and without memory.
import { Mastra } from "@mastra/core/mastra";
import { LibSQLStore } from "@mastra/libsql";
import { checks, runEvals } from "entail/conversation";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { weatherAgent as newWeatherAgent } from "./agent.ts";
import { saidByUser, startScriptedModel, type ScriptedModel } from "./scripted-model.ts";

let server: ScriptedModel;
let seen = 0;
const storage = new LibSQLStore({ id: "scores", url: ":memory:" });

/** The agent of an application that keeps its scores in LibSQL. */
function agentOf(options: { readonly memory: boolean }) {
  const weather = newWeatherAgent({ model: { id: "scripted/weather", url: server.url, apiKey: "none-needed" }, ...options });
  return new Mastra({ agents: { weather }, storage, logger: false }).getAgent("weather");
}

/** What the user had said, in each first request of a turn since the test began. */
const turnsSeen = (): readonly (readonly string[])[] => server.requests().slice(seen).filter(({ messages }) => messages.at(-1)?.role === "user").map(({ messages }) => saidByUser(messages));

let weatherAgent: ReturnType<typeof agentOf>;
let forgetfulAgent: ReturnType<typeof agentOf>;
beforeAll(async () => {
  server = await startScriptedModel();
  weatherAgent = agentOf({ memory: true });
  forgetfulAgent = agentOf({ memory: false });
});
beforeEach(() => void (seen = server.requests().length));
afterAll(() => server.stop());

describe("the quick start", () => {
  const evaluate = (target: ReturnType<typeof agentOf>) =>
    runEvals({
      data: [
        {
          inputs: [
            "What is the weather in Brooklyn?",
            "What about tomorrow?",
            "Compare the two forecasts.",
          ],
        },
      ],
      target,
      scorers: [checks.calledTool("get_weather", { times: 2 }), checks.includes("Brooklyn")],
    });

  test("with memory both scorers are 1, and the request of turn 2 holds turn 1", async () => {
    const result = await evaluate(weatherAgent);
    expect(result.scores).toEqual({ "check-called-tool": 1, "check-includes": 1 });
    expect(result.verdict).toBeUndefined();
    expect(turnsSeen()).toEqual([
      ["What is the weather in Brooklyn?"],
      ["What is the weather in Brooklyn?", "What about tomorrow?"],
      ["What is the weather in Brooklyn?", "What about tomorrow?", "Compare the two forecasts."],
    ]);
    expect(result.warnings.map(({ code }) => code)).not.toContain("no_memory");
  });

  test("without memory every turn runs on its own, output still adds up, and the warning comes once", async () => {
    const result = await evaluate(forgetfulAgent);
    expect(result.scores).toEqual({ "check-called-tool": 0, "check-includes": 1 });
    expect(turnsSeen()).toEqual([["What is the weather in Brooklyn?"], ["What about tomorrow?"], ["Compare the two forecasts."]]);
    expect(result.warnings.filter(({ code }) => code === "no_memory")).toHaveLength(1);
  });

  test("a pinned resource is kept, and nobody has to give a thread", async () => {
    const result = await runEvals({
      target: weatherAgent,
      data: [{ inputs: ["What is the weather in Brooklyn?", "What about tomorrow?"] }],
      scorers: [checks.similarity("weather forecast")],
      targetOptions: { memory: { resource: "user-42" } },
    });
    expect(result.items[0]).toMatchObject({ outcome: "scored", resourceId: "user-42", threadId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown });
    const thread = await (await weatherAgent.getMemory())?.getThreadById({ threadId: result.items[0]?.threadId ?? "" });
    expect(thread?.resourceId).toBe("user-42");
  });
});

describe("assertions for each turn", () => {
  test("every turn is asked on its own, and its scores are read back from LibSQL with turn and thread", async () => {
    const result = await runEvals({
      data: [
        {
          turns: [
            {
              input: "What is the weather in Brooklyn?",
              gates: [checks.calledTool("get_weather")],
            },
            {
              // The follow-up must call the tool again — it can't be satisfied
              // by the first turn's tool call.
              input: "What about tomorrow?",
              gates: [checks.calledTool("get_weather")],
              scorers: [{ scorer: checks.similarity("tomorrow forecast"), threshold: 0.5 }],
            },
          ],
        },
      ],
      target: weatherAgent,
    });
    expect(result.turnResults).toEqual([
      { index: 0, gateResults: [{ id: "check-called-tool", passed: true, score: 1 }] },
      { index: 1, gateResults: [{ id: "check-called-tool", passed: true, score: 1 }], thresholdResults: [expect.objectContaining({ id: "check-similarity", threshold: 0.5, passed: false })], scores: { "check-similarity": expect.any(Number) as unknown } },
    ]);
    expect(result.verdict).toBe("scored");

    const scores = await storage.getStore("scores");
    const { scores: rows } = (await scores?.listScoresByScorerId({ scorerId: "check-called-tool:get_weather", pagination: { page: 0, perPage: 100 } })) ?? { scores: [] };
    const own = rows.filter(({ threadId }) => threadId === result.items[0]?.threadId);
    expect(own.map(({ metadata, score }) => [metadata?.["turnIndex"], score]).toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual([[0, 1], [1, 1]]);
  });

  const brooklynThenThanks = ["What is the weather in Brooklyn?", "Thank you."];

  test("a tool that only turn 1 calls passes over the whole conversation and fails at the turn that has to call it", async () => {
    const whole = await runEvals({ data: [{ inputs: brooklynThenThanks }], target: weatherAgent, gates: [checks.calledTool("get_weather")] });
    expect(whole.verdict).toBe("passed");
    const byTurn = await runEvals({ data: [{ turns: brooklynThenThanks.map((input) => ({ input, gates: [checks.calledTool("get_weather")] })) }], target: weatherAgent });
    expect(byTurn.verdict).toBe("failed");
    expect(byTurn.turnResults?.[1]?.gateResults?.[0]?.passed).toBe(false);
  });
});

describe("gates, thresholds and mixed items", () => {
  const evaluate = (target: ReturnType<typeof agentOf>) =>
    runEvals({
      data: [
        {
          inputs: ["My favorite city is Brooklyn.", "What is the weather in my favorite city?"],
        },
      ],
      target,
      gates: [checks.calledTool("get_weather")],
      scorers: [{ scorer: checks.similarity("Brooklyn weather forecast"), threshold: 0.5 }],
    });

  test("with memory the gate holds; the similarity of a whole conversation to three words stays below its threshold", async () => {
    const result = await evaluate(weatherAgent);
    expect(result.gateResults).toEqual([{ id: "check-called-tool", passed: true, score: 1 }]);
    expect(result.thresholdResults?.[0]).toMatchObject({ id: "check-similarity", passed: false });
    expect(result.verdict).toBe("scored");
  });

  test("without memory the agent cannot know the city, and the gate fails", async () => {
    const result = await evaluate(forgetfulAgent);
    expect(result.verdict).toBe("failed");
    expect(result.items[0]?.turns[1]?.output).toBe("Which city do you mean?");
  });

  test("single and multi-turn items run in one call", async () => {
    const result = await runEvals({
      data: [
        { input: "What is the weather in Brooklyn?" },
        {
          inputs: ["My favorite city is Brooklyn.", "What is the weather in my favorite city?"],
        },
      ],
      target: weatherAgent,
      scorers: [checks.includes("Brooklyn")],
    });
    expect([result.scores, result.summary]).toEqual([{ "check-includes": 1 }, { totalItems: 2 }]);
  });
});

test("an empty list of inputs is refused before the agent is called", async () => {
  const refused = runEvals({ data: [{ inputs: [] }], target: weatherAgent, scorers: [checks.includes("x")] });
  await expect(refused).rejects.toMatchObject({ id: "INVALID_DATA_ITEM", message: expect.stringContaining("non-empty array") as unknown });
  expect(turnsSeen()).toEqual([]);
});
