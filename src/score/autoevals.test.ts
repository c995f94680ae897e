// Holds that the scorers of autoevals run as they are: two by code, two by a model over HTTP.
import { LLMock } from "@copilotkit/aimock";
import { ExactMatch, Factuality, init, Levenshtein } from "autoevals";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readEntry, runScorer, type ScorerRun } from "entail/score";
import { agentRun } from "../../test/score-messages.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1" });
beforeAll(async () => {
  await mock.start();
  const client = new OpenAI({ baseURL: `${mock.url}/v1`, apiKey: "test", maxRetries: 0 });
  // One class, declared once for import and once for require.
  init({ client: client as never, defaultModel: "gpt-4.1-mini" });
});
afterAll(() => mock.stop());
beforeEach(() => mock.clearFixtures());

const run: ScorerRun = { ...agentRun("Where does Pip live?", "Pip lives in Brooklyn."), groundTruth: "Pip lives in Brooklyn" };
const chooses = (choice: string): void => {
  mock.addFixture({ match: {}, response: { toolCalls: [{ name: "select_choice", arguments: JSON.stringify({ choice, reasons: "They agree." }) }] } });
};

describe("a scorer of autoevals", () => {
  test("without a model sees the texts of answer and ground truth", async () => {
    const { scorer } = readEntry(Levenshtein, "scorers[0]");
    expect(scorer.id).toBe("Levenshtein");
    expect(await runScorer(scorer, run)).toMatchObject({ kind: "scored", score: expect.closeTo(1 - 1 / 22, 9) });
    expect(await Promise.all([run, { ...run, groundTruth: "Pip lives in Brooklyn." }].map(async (each) => runScorer(readEntry(ExactMatch, "x").scorer, each)))).toMatchObject([{ score: 0 }, { score: 1 }]);
  });

  test("with a model asks it with question, answer and ground truth, and its rationale is the reason", async () => {
    chooses("C");
    const { scorer, threshold } = readEntry({ scorer: Factuality, threshold: 0.6 }, "scorers[0]");
    expect(await runScorer(scorer, run)).toMatchObject({ kind: "scored", score: 1, reason: expect.stringContaining("agree") });
    expect(threshold).toBe(0.6);
    const asked = JSON.stringify(mock.getLastRequest()?.body);
    for (const text of ["Where does Pip live?", "Pip lives in Brooklyn.", "Pip lives in Brooklyn"]) expect(asked).toContain(text);
  });

  test("with a model that answers a middle choice scores between", async () => {
    chooses("A");
    expect(await runScorer(readEntry(Factuality, "x").scorer, run)).toMatchObject({ kind: "scored", score: 0.4 });
  });

  test("whose model fails is an error, neither 0 nor a pass", async () => {
    mock.addFixture({ match: {}, response: { error: { message: "overloaded" }, status: 503 } });
    expect(await runScorer(readEntry(Factuality, "x").scorer, run)).toMatchObject({ kind: "errored", error: { code: "scorer_failed" } });
  });

  test("without a ground truth that it needs is no pass", async () => {
    const seen = await runScorer(readEntry(Levenshtein, "x").scorer, agentRun("q", "a"));
    expect(seen.kind).not.toBe("scored");
  });
});
