// The judge over HTTP with the three SDKs, through a server that fails nearly a third of the time.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock } from "@copilotkit/aimock";
import { createRunner, type Suite } from "entail";
import { provider, type LanguageModel } from "entail/adapter/ai-sdk";
import { CALIBRATION_CLAIMS, CALIBRATION_OUTPUT, createJudge } from "entail/judge";
import { createClient, limited } from "entail/model";
import { fakeClock } from "entail/testing";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../stats/random.ts";

const SCENARIOS = 48;
const RETRIES = 2;
const CORRECTIONS = 1;

/** The right label of a claim about the alarm of this scenario: every third answer names it wrongly. */
const isWrong = (at: number): boolean => at % 3 === 0;
const suite: Suite = {
  id: "chaos",
  description: "One claim an answer.",
  scenarios: Array.from({ length: SCENARIOS }, (_, at) => ({
    id: `s${at}`,
    description: "One.",
    tags: [],
    timeoutMs: 30_000,
    run: () => ({ claims: [{ id: "names_it", text: "The answer names alarm A." }], output: isWrong(at) ? `It was alarm B (${at}).` : `It was alarm A (${at}).` }),
  })),
};

/** Labels rightly what a judge's request asks, in the shape that the server takes for every protocol. */
function grade(request: any): { name: string; arguments: string } {
  const { name } = request.tools[0].function;
  const output = JSON.stringify(request.messages);
  // The server does not hand on the schema that Google's protocol carries.
  const ids = output.includes(CALIBRATION_OUTPUT.slice(0, 30)) ? CALIBRATION_CLAIMS.map(({ id }) => id) : ["names_it"];
  const label = (id: string): string => (id.startsWith("calibration_") ? id.slice("calibration_".length) : output.includes("alarm B") ? "contradicted" : "entailed");
  return { name, arguments: JSON.stringify(Object.fromEntries(ids.map((id) => [id, { label: label(id), rationale: "So it stands." }]))) };
}

/** Google ends a call with its word for a whole answer, which the server does not do unasked. */
const finish = (name: keyof typeof model): object => (name === "Google" ? { finishReason: "stop" } : {});

const model = {
  OpenAI: (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini"),
  Anthropic: (url: string) => createAnthropic({ baseURL: `${url}/v1`, apiKey: "test" })("claude-sonnet-4-5"),
  Google: (url: string) => createGoogle({ baseURL: `${url}/v1beta`, apiKey: "test" })("gemini-2.5-flash"),
} satisfies Record<string, (url: string) => LanguageModel>;

describe.each(["OpenAI", "Anthropic", "Google"] as const)("a judge over HTTP with the %s SDK and faults at 30 %", (name) => {
  test("every scenario ends judged rightly or errored at stage judge, none is lost, none passes by accident, and the requests stay within their bound", async () => {
    const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
    const random = createRandom(7);
    let calibrated = false;
    let asked = 0;
    // A stream that breaks off in its middle, beside the faults below, which break before it begins.
    mock.addFixture({ match: { predicate: () => calibrated && random.next() < 0.06 }, response: (request) => ({ toolCalls: [grade(request)], ...finish(name) }), truncateAfterChunks: 2, chunkSize: 5 });
    mock.addFixture({ match: {}, response: (request) => ({ toolCalls: [grade(request)], ...finish(name), usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 } }) });
    await mock.start();
    try {
      const near = limited(provider(model[name](mock.url)), { retries: RETRIES, clock: fakeClock({ auto: true }), random: () => random.next() });
      const counted = { ...near, complete: ((request, options) => ((asked += 1), near.complete(request, options))) as typeof near.complete };
      const judge = createJudge(createClient(counted), { maxOutputTokens: 500, maxCorrections: CORRECTIONS });
      const runner = createRunner({
        judge,
        maxConcurrency: 6,
        beforeAll() {
          calibrated = true;
          // Drawn one after the other, together with the cut streams three in ten.
          mock.setChaos({ dropRate: 0.07, malformedRate: 0.07, rateLimitRate: 0.07, disconnectRate: 0.07 });
        },
      });
      const report = await runner.run(suite);
      const requests = mock.getRequests();
      expect(report.judge?.calibration?.passed).toBe(true);
      expect(report.scenarios.map(({ id }) => id)).toEqual(suite.scenarios.map(({ id }) => id));
      const errored = report.scenarios.filter(({ outcome }) => outcome === "errored");
      for (const { error, judgments } of errored) {
        expect([error?.stage, judgments]).toEqual(["judge", undefined]);
        expect(error?.code).toMatch(/^(provider_failed|provider_response_invalid|judge_invalid_response)$/);
      }
      const judged = [...report.scenarios.entries()].filter(([, { outcome }]) => outcome !== "errored");
      for (const [at, { outcome, judgments }] of judged) expect([at, outcome, judgments?.map(({ label }) => label)]).toEqual([at, isWrong(at) ? "failed" : "passed", [isWrong(at) ? "contradicted" : "entailed"]]);
      // The faults were there, and most of the scenarios got over them.
      const faults = requests.filter(({ response }) => response.chaosAction !== undefined);
      expect(faults.length).toBeGreaterThan(0);
      expect(report.totals.passed + report.totals.failed).toBeGreaterThan(SCENARIOS / 2);
      expect(asked - 1).toBeLessThanOrEqual(SCENARIOS * (1 + CORRECTIONS));
      expect(requests.length - 1).toBeLessThanOrEqual(SCENARIOS * (1 + CORRECTIONS) * (1 + RETRIES));
      expect(requests.length - 1).toBeGreaterThan(SCENARIOS);
      // What the judge recorded is what it asked.
      expect(report.scenarios.reduce((sum, { judging = [] }) => sum + judging.length, 0)).toBe(asked - 1);
    } finally {
      await mock.stop();
    }
  });

  test("with the server gone for good every scenario is errored after its retries, and not one is failed or passed", async () => {
    const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
    mock.addFixture({ match: {}, response: (request) => ({ toolCalls: [grade(request)], ...finish(name) }) });
    await mock.start();
    try {
      const near = limited(provider(model[name](mock.url)), { retries: RETRIES, clock: fakeClock({ auto: true }) });
      const report = await createRunner({ judge: createJudge(createClient(near), { maxOutputTokens: 500 }), maxConcurrency: 4, beforeAll: () => void mock.setChaos({ dropRate: 1 }) }).run({ ...suite, scenarios: suite.scenarios.slice(0, 4) });
      expect(report.totals).toMatchObject({ scenarios: 4, errored: 4, passed: 0, failed: 0, errors: { judge: 4 } });
      expect(mock.getRequests()).toHaveLength(1 + 4 * (1 + RETRIES));
    } finally {
      await mock.stop();
    }
  });
});
