import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { defaultSettingsMiddleware, wrapLanguageModel } from "ai";
import { createRunner, type Suite } from "entail";
import { provider } from "entail/adapter/ai-sdk";
import { createJudge } from "entail/judge";
import { createClient } from "entail/model";
import { describe, expect, test } from "vitest";
import { chatStream, loopback, messageStream, proseStream, type Loopback, type Received } from "../../../test/ai-sdk/loopback.ts";

const claims = [
  { id: "names_both", text: "The answer names both alarms." },
  { id: "says when", text: "The answer says when they began." },
];
const grades = (first: string): string => `{"names_both":{"label":${first},"rationale":"Both stand there."},"says when":{"label":"not_addressed","rationale":"No time."}}`;
const VALID = grades('"entailed"');
const LABEL_TWICE = grades('"contradicted","label":"entailed"');
const LABEL_TWICE_ESCAPED = grades('"contradicted","l\\u0061bel":"entailed"');
const CLAIM_TWICE = `${VALID.slice(0, -1)},"names_both":{"label":"contradicted","rationale":"No."}}`;

const asked = { output: "A1 and A2 are on.", claims, reference: "" };
const judged = [
  { claimId: "names_both", label: "entailed", rationale: "Both stand there." },
  { claimId: "says when", label: "not_addressed", rationale: "No time." },
];

const call = (body: any, text: string): object => ({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: body.tools[0].function.name, arguments: text } }] });
const whole = (body: any, text: string): object => ({
  id: "chatcmpl-1", object: "chat.completion", created: 1, model: "gpt-4.1-mini",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...call(body, text) }, finish_reason: "tool_calls" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Servers that answer the first request with `first` and every later one with a valid text. */
const openaiServer = (first: string): Promise<Loopback> =>
  loopback(({ body }, index) => (body.stream === true ? { sse: chatStream([call(body, index === 0 ? first : VALID)], "tool_calls") } : { json: whole(body, index === 0 ? first : VALID) }));
const anthropicServer = (first: string): Promise<Loopback> => loopback(({ body }, index) => ({ sse: messageStream(body.tools[0].name, (index === 0 ? first : VALID).match(/[^]{1,7}/g) ?? []) }));

const openaiJudge = (url: string): ReturnType<typeof createJudge> => createJudge(createClient(provider(createOpenAI({ baseURL: `${url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini"))), { maxOutputTokens: 2048 });
const anthropicJudge = (url: string): ReturnType<typeof createJudge> => createJudge(createClient(provider(createAnthropic({ baseURL: `${url}/v1`, apiKey: "test" })("claude-sonnet-4-5"))), { maxOutputTokens: 2048 });

const capOf = ({ body }: Received): number => body.max_tokens ?? body.max_completion_tokens;

describe.each([
  ["OpenAI", openaiServer, openaiJudge],
  ["Anthropic", anthropicServer, anthropicJudge],
] as const)("a judge over HTTP with the %s SDK", (_name, serve, judgeAt) => {
  test("labels every claim with one request", async () => {
    await using server = await serve(VALID);
    expect(await judgeAt(server.url).judge(asked)).toEqual(judged);
    expect(server.received).toHaveLength(1);
    expect(judgeAt(server.url).identity?.rawArguments).toBe(true);
  });

  test.each([["a label given twice", LABEL_TWICE], ["a label given twice, once escaped", LABEL_TWICE_ESCAPED], ["a claim given twice", CLAIM_TWICE], ["a lone surrogate", VALID.replace("No time.", "\\ud83d")]])(
    "%s is refused and asked for again, with the same cap",
    async (_what, first) => {
      await using server = await serve(first);
      const causes: (string | undefined)[] = [];
      expect(await judgeAt(server.url).judge({ ...asked, record: ({ cause }) => causes.push(cause) })).toEqual(judged);
      expect(server.received.map(capOf)).toEqual([2048, 2048]);
      expect(causes).toEqual([expect.any(String), undefined]);
    },
  );
});

test("a judge over HTTP with the Google SDK calibrates and labels, and the report says that a label given twice would go unseen", async () => {
  await using server = await loopback(({ body }) => {
    const { name, parametersJsonSchema } = body.tools[0].functionDeclarations[0];
    const label = (id: string): string => (id.startsWith("calibration_") ? id.slice("calibration_".length) : "entailed");
    const args = Object.fromEntries(Object.keys(parametersJsonSchema.properties).map((id) => [id, { label: label(id), rationale: "So it stands." }]));
    const content = { role: "model", parts: [{ functionCall: { name, args } }] };
    return { sse: [JSON.stringify({ candidates: [{ content, finishReason: "STOP", index: 0 }], usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 } })] };
  });
  const judge = createJudge(createClient(provider(createGoogle({ baseURL: `${server.url}/v1beta`, apiKey: "test" })("gemini-2.5-flash"))), { maxOutputTokens: 2048 });
  const runner = createRunner({ judge, maxConcurrency: 1 });
  const report = await runner.run({ id: "chat", description: "Chats.", scenarios: [{ id: "one", description: "Asks.", tags: [], timeoutMs: 10_000, run: () => ({ claims: claims.slice(0, 1), output: asked.output }) }] });
  expect(report).toMatchObject({ passed: true, judge: { rawArguments: false, model: "gemini-2.5-flash" } });
  expect(server.received).toHaveLength(2);
});

test("case 030: a judge whose model thinks asks for the tool unforced, and an answer in prose is corrected", async () => {
  await using server = await loopback(({ body }, index) => ({ sse: index === 0 ? proseStream("Both are named.") : messageStream(body.tools[0].name, [VALID]) }));
  const model = wrapLanguageModel({
    model: createAnthropic({ baseURL: `${server.url}/v1`, apiKey: "test" })("claude-sonnet-4-5"),
    middleware: defaultSettingsMiddleware({ settings: { providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 2048 } } } } }),
  });
  const changed: unknown[] = [];
  const judge = createJudge(createClient(provider(model)), { maxOutputTokens: 2048 });
  expect(await judge.judge({ ...asked, record: ({ response }) => changed.push(response?.changedSettings) })).toEqual(judged);
  expect(server.received).toHaveLength(2);
  expect(server.received[0]?.body).toMatchObject({ tool_choice: { type: "auto" }, thinking: { type: "enabled" } });
  expect(changed).toEqual([expect.arrayContaining([expect.stringContaining("toolChoice")]), expect.arrayContaining([expect.stringContaining("toolChoice")])]);
});

test("case 030: where the provider refuses the judge's settings, calibration says so once and no hook runs", async () => {
  const refused = { type: "error", error: { type: "invalid_request_error", message: "Thinking may not be enabled when tool_choice forces tool use." } };
  await using server = await loopback(() => ({ status: 400, json: refused }));
  const model = wrapLanguageModel({
    model: createAnthropic({ baseURL: `${server.url}/v1`, apiKey: "test" })("claude-sonnet-4-5"),
    middleware: defaultSettingsMiddleware({ settings: { providerOptions: { anthropic: { thinking: { type: "adaptive" } } } } }),
  });
  let hooks = 0;
  const scenario = (id: string): Suite["scenarios"][number] => ({ id, description: "Asks.", tags: [], timeoutMs: 10_000, run: () => { hooks += 1; return { claims, output: asked.output }; } });
  const runner = createRunner({ judge: createJudge(createClient(provider(model)), { maxOutputTokens: 2048 }), maxConcurrency: 2 });
  const report = await runner.run({ id: "chat", description: "Chats.", scenarios: [scenario("one"), scenario("two"), scenario("three")] });
  expect(report.error).toMatchObject({ code: "calibration_failed", stage: "calibration", message: expect.stringContaining("turn thinking off") });
  expect(report.scenarios.map(({ outcome }) => outcome)).toEqual(["skipped", "skipped", "skipped"]);
  expect(hooks).toBe(0);
  expect(server.received).toHaveLength(1);
});

test("a refused request is asked once: nothing between the judge and the wire retries", async () => {
  await using server = await loopback(() => ({ status: 503, json: { error: { message: "overloaded", type: "server_error" } } }));
  await expect(openaiJudge(server.url).judge(asked)).rejects.toMatchObject({ code: "provider_failed", message: expect.stringContaining("overloaded") });
  expect(server.received).toHaveLength(1);
});
