import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock } from "@copilotkit/aimock";
import { generateText, isStepCount, streamText, tool } from "ai";
import { createRunner, type Report } from "entail";
import { events } from "entail/adapter/ai-sdk";
import { collect } from "entail/evidence";
import { recording, type RecordingMode } from "entail/model";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

const folder = mkdtempSync(join(tmpdir(), "entail-recorded-model-"));
const mock = new LLMock({ port: 0, host: "127.0.0.1" });
beforeAll(() => mock.start());
afterAll(async () => {
  await mock.stop().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

const file = join(folder, "weather.json");
const usage = { prompt_tokens: 31, completion_tokens: 17, total_tokens: 48 };
let toolCalls = 0;

function run(mode: RecordingMode, url: string, prompt = "What is the weather in Brooklyn?"): Promise<Report> {
  const all = recording({ file, mode });
  const model = all.model(createOpenAI({ baseURL: `${url}/v1`, apiKey: "sk-0123456789abcdefghij" }).chat("gpt-4.1-mini"));
  const weather = tool({ description: "The weather.", inputSchema: z.object({ city: z.string() }), execute: all.tool("weather", ({ city }: { city: string }) => ({ city, sky: `clear (${(toolCalls += 1)})` })) });
  return createRunner({ maxConcurrency: 2, trials: 2 }).run({
    id: "weather",
    description: "Weather.",
    scenarios: [
      {
        id: "whole",
        description: "One answer.",
        tags: [],
        timeoutMs: 10_000,
        async run({ signal }) {
          const { text, totalUsage, response, steps } = await generateText({ model, prompt, tools: { weather }, stopWhen: isStepCount(3), abortSignal: signal });
          return { checks: [{ name: "steps", passed: true }], output: text, usage: { inputTokens: totalUsage.inputTokens ?? -1 }, metadata: { steps: steps.map(({ toolResults }) => toolResults.map(({ output }) => output)), date: response.timestamp instanceof Date } };
        },
      },
      {
        id: "streamed",
        description: "A stream.",
        tags: [],
        timeoutMs: 10_000,
        async run(ctx) {
          const evidence = await collect(events(streamText({ model, prompt, tools: { weather }, stopWhen: isStepCount(3), abortSignal: ctx.signal, onError: () => {} })), ctx);
          return { checks: [{ name: "one call", passed: true }], output: evidence.answer, evidence, metadata: { calls: evidence.toolCalls.map(({ argsJson, resultJson }) => [argsJson, resultJson]) } };
        },
      },
    ],
  });
}

const told = (report: Report): unknown => JSON.parse(JSON.stringify(report, (name, value: unknown) => (["runId", "startedAt", "durationMs"].includes(name) ? undefined : value)));

test("an AI SDK agent is recorded with its tool, whole and streamed, and replays without a server: the same report but for times", async () => {
  mock.addFixture({ match: { hasToolResult: false }, response: { toolCalls: [{ id: "call_w", name: "weather", arguments: '{"city":"Brooklyn"}' }], usage } });
  mock.addFixture({ match: { hasToolResult: true }, response: { content: "It is clear in Brooklyn.", usage } });
  const { url } = mock;
  const first = await run("record", url);
  expect(first.scenarios.map(({ outcome, result, error }) => error ?? [outcome, result?.output])).toEqual([["passed", "It is clear in Brooklyn."], ["passed", "It is clear in Brooklyn."]]);
  expect(first.scenarios[0]?.result?.metadata).toMatchObject({ date: true });
  expect(toolCalls).toBe(4);
  const asked = mock.getRequests().length;
  expect(asked).toBe(8);
  await mock.stop();
  const second = await run("strict", url);
  expect(told(second)).toEqual(told(first));
  expect(toolCalls).toBe(4);
  expect(readFileSync(file, "utf8")).not.toContain("sk-0123456789");

  // Another prompt is another request, and the miss says which.
  const changed = await run("strict", url, "What is the weather in Queens?");
  expect(changed.passed).toBe(false);
  for (const { error } of changed.scenarios) expect(error).toMatchObject({ code: "recording_missing", message: expect.stringContaining('"What is the weather in Brooklyn?" was recorded, "What is the weather in Queens?" was asked') });
});

test("what is no AI SDK model is refused", () => {
  expect(() => recording({ file }).model("openai/gpt-4.1" as never)).toThrow(expect.objectContaining({ code: "option_invalid" }));
});
