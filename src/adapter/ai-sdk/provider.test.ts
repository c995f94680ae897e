import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock } from "@copilotkit/aimock";
import { defaultSettingsMiddleware, wrapLanguageModel } from "ai";
import { provider } from "entail/adapter/ai-sdk";
import type { ModelRequest, ModelStreamPart } from "entail/model";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loopback, messageStream } from "../../../test/ai-sdk/loopback.ts";
import { isEntailError } from "../../core/error.ts";

const schema = {
  type: "object",
  properties: { "claim one": { type: "object", properties: { label: { enum: ["entailed", "contradicted"] }, rationale: { type: "string" } }, required: ["label", "rationale"], additionalProperties: false } },
  required: ["claim one"],
  additionalProperties: false,
};

function request(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    modelClass: "default",
    messages: [
      { role: "system", content: "You grade." },
      { role: "user", content: "Grade this." },
    ],
    tools: [{ name: "submit", description: "Submits the grades.", inputSchema: schema }],
    toolChoice: { tool: "submit" },
    temperature: 0,
    maxOutputTokens: 513,
    ...over,
  };
}

const mock = new LLMock({ port: 0, host: "127.0.0.1" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
const openai = (): ReturnType<typeof createOpenAI> => createOpenAI({ baseURL: `${mock.url}/v1`, apiKey: "test" });

async function thrownBy(work: () => unknown): Promise<any> {
  try {
    await work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("nothing was thrown");
}

const DUPLICATED = '{ "claim one" : {"label":"contradicted","rationale":"caf\\u00e9 \\ud83d\\ude00", "label":"entailed"} }';

describe("over HTTP with @ai-sdk/openai", () => {
  test.each(["chat", "responses"] as const)("the %s protocol carries the schema out and the argument text back as they are", async (protocol) => {
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: { toolCalls: [{ id: "c1", name: "submit", arguments: DUPLICATED }], usage: { prompt_tokens: 31, completion_tokens: 17, total_tokens: 48 } } });
    const model = provider(openai()[protocol]("gpt-4.1-mini"));
    const frozen = structuredClone(request());
    const response = await model.complete(request(), {});
    expect(response.content).toEqual([{ type: "tool_call", id: "c1", name: "submit", arguments: DUPLICATED }]);
    expect(response.stopReason).toBe("tool_calls");
    expect(response.usage).toMatchObject({ inputTokens: 31, outputTokens: 17 });
    expect(response.model).toBe("gpt-4.1-mini");
    expect(response.changedSettings).toBeUndefined();
    expect(model.rawArguments).toBe(true);
    const sent = mock.getLastRequest()?.body as any;
    expect(sent.tools[0].function?.parameters ?? sent.tools[0].parameters).toEqual(schema);
    expect(sent.max_tokens ?? sent.max_completion_tokens ?? sent.max_output_tokens).toBe(513);
    expect(sent.temperature).toBe(0);
    // The whole answer holds the model's own text, so there is nothing to stream for.
    expect(sent.stream).not.toBe(true);
    expect(sent.tool_choice).toMatchObject({ type: "function" });
    expect(request()).toEqual(frozen);
  });

  test("a streamed answer gives the same text, its pieces before it", async () => {
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: { toolCalls: [{ id: "c1", name: "submit", arguments: DUPLICATED }] }, chunkSize: 1 });
    const parts: ModelStreamPart[] = [];
    for await (const part of provider(openai().chat("gpt-4.1-mini")).stream?.(request(), {}) ?? []) parts.push(part);
    const deltas = parts.filter((part) => part.type === "tool_call_delta");
    expect(deltas.length).toBeGreaterThan(50);
    expect(deltas.map((part) => part.arguments).join("")).toBe(DUPLICATED);
    expect(parts.at(-1)).toMatchObject({ type: "response", response: { content: [{ arguments: DUPLICATED }], stopReason: "tool_calls" } });
  });

  test("an earlier exchange goes out as assistant and tool messages", async () => {
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: { content: "Two alarms.", finishReason: "stop" } });
    const response = await provider(openai().chat("gpt-4.1-mini")).complete(
      request({
        messages: [
          { role: "user", content: "How many?" },
          { role: "assistant", content: [{ type: "text", text: "I look." }, { type: "tool_call", id: "c9", name: "submit", arguments: '{"n":2}' }] },
          { role: "tool", toolCallId: "c9", content: "two" },
        ],
        toolChoice: "auto",
      }),
      {},
    );
    expect(response).toMatchObject({ content: [{ type: "text", text: "Two alarms." }], stopReason: "stop" });
    const sent = mock.getLastRequest()?.body as any;
    expect(sent.messages[1].tool_calls[0]).toMatchObject({ id: "c9", function: { name: "submit", arguments: '{"n":2}' } });
    expect(sent.messages[2]).toMatchObject({ role: "tool", tool_call_id: "c9", content: "two" });
    expect(sent.tool_choice).toBe("auto");
  });

  test.each([
    ["length", "length"],
    ["content_filter", "content_filter"],
    ["stop", "stop"],
    ["a_new_reason", "error"],
  ] as const)("finish reason %s is stop reason %s", async (finishReason, stopReason) => {
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: { content: "Well.", finishReason } });
    expect((await provider(openai().chat("gpt-4.1-mini")).complete(request({ tools: [], toolChoice: "auto" }), {})).stopReason).toBe(stopReason);
  });

  test("a refused request is asked once and its own error comes through", async () => {
    mock.clearFixtures();
    mock.clearRequests();
    mock.addFixture({ match: {}, response: { error: { message: "Rate limit reached", type: "rate_limit_error" }, status: 429 } });
    const model = provider(openai().chat("gpt-4.1-mini"));
    const thrown = await thrownBy(() => model.complete(request(), {}));
    expect(thrown.name).toBe("AI_APICallError");
    expect(thrown.statusCode).toBe(429);
    expect(mock.getRequests()).toHaveLength(1);
  });

  test("a reasoning model that takes no temperature says so in changedSettings", async () => {
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: { toolCalls: [{ id: "c1", name: "submit", arguments: "{}" }] } });
    const response = await provider(openai().responses("o4-mini")).complete(request(), {});
    expect(response.changedSettings).toEqual(["temperature: temperature is not supported for reasoning models"]);
  });

  test("an aborted signal ends the call", async () => {
    await using server = await loopback(() => ({ sse: [], hang: true }));
    const controller = new AbortController();
    const model = provider(createOpenAI({ baseURL: `${server.url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini"));
    const answer = thrownBy(() => model.complete(request(), { signal: controller.signal }));
    while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await answer).name).toBe("AbortError");
  });
});

describe("over HTTP with @ai-sdk/anthropic", () => {
  const anthropic = (url: string): ReturnType<typeof createAnthropic> => createAnthropic({ baseURL: `${url}/v1`, apiKey: "test" });

  test("a label given twice is visible, because the answer is streamed", async () => {
    await using server = await loopback(() => ({ sse: messageStream("submit", ['{ "claim one" : {"label":"contradicted",', '"rationale":"caf\\u00', 'e9 \\ud83d', '\\ude00", "label":"entailed"} }']) }));
    const model = provider(anthropic(server.url)("claude-sonnet-4-5"));
    const response = await model.complete(request(), {});
    expect(response.content).toEqual([{ type: "tool_call", id: "toolu_1", name: "submit", arguments: DUPLICATED }]);
    expect(response).toMatchObject({ stopReason: "tool_calls", usage: { inputTokens: 21, outputTokens: 13 }, model: "claude-sonnet-4-5" });
    expect(model.rawArguments).toBe(true);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.body).toMatchObject({ stream: true, max_tokens: 513, temperature: 0, tool_choice: { type: "tool", name: "submit" }, tools: [{ name: "submit", input_schema: schema }] });
  });

  test("the SDK's own unary answer would have lost it", async () => {
    await using server = await loopback(() => ({
      json: { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [{ type: "tool_use", id: "toolu_1", name: "submit", input: JSON.parse(DUPLICATED) }], stop_reason: "tool_use", stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
    }));
    const { content } = await anthropic(server.url)("claude-sonnet-4-5").doGenerate({ prompt: [{ role: "user", content: [{ type: "text", text: "Grade." }] }] });
    expect(content).toMatchObject([{ type: "tool-call", input: '{"claim one":{"label":"entailed","rationale":"café 😀"}}' }]);
  });

  test("a refusal is one", async () => {
    await using server = await loopback(() => ({ sse: messageStream("submit", ["{}"], "refusal") }));
    expect((await provider(anthropic(server.url)("claude-sonnet-4-5")).complete(request(), {})).stopReason).toBe("refusal");
  });

  test("an answer cut at its limit keeps the text it had", async () => {
    await using server = await loopback(() => ({ sse: messageStream("submit", ['{"claim one":{"lab'], "max_tokens") }));
    expect(await provider(anthropic(server.url)("claude-sonnet-4-5")).complete(request(), {})).toMatchObject({ stopReason: "length", content: [{ arguments: '{"claim one":{"lab' }] });
  });

  test("a stream that breaks off is no answer", async () => {
    await using server = await loopback(() => ({ sse: messageStream("submit", ['{"claim one":', "{"]).slice(0, 4) }));
    const thrown = await thrownBy(() => provider(anthropic(server.url)("claude-sonnet-4-5")).complete(request(), {}));
    expect(thrown).toMatchObject({ code: "provider_failed" });
    expect(thrown.message).toContain("broke off");
  });

  test("a cap that the model cannot keep is an error that names both", async () => {
    await using server = await loopback(() => ({ sse: messageStream("submit", ["{}"]) }));
    const thrown = await thrownBy(() => provider(anthropic(server.url)("claude-3-haiku-20240307")).complete(request({ maxOutputTokens: 100_000 }), {}));
    expect(thrown).toMatchObject({ code: "model_setting_lost" });
    expect(thrown.message).toContain("maxOutputTokens 100000");
    expect(thrown.message).toContain("4096");
  });

  test("a setting that the SDK changes is reported in words", async () => {
    await using server = await loopback(() => ({ sse: messageStream("submit", ["{}"]) }));
    const response = await provider(anthropic(server.url)("claude-sonnet-4-5")).complete(request({ temperature: 1.5 }), {});
    expect(response.changedSettings).toEqual([expect.stringContaining("temperature: 1.5 exceeds anthropic maximum of 1.0")]);
    expect(server.received[0]?.body.temperature).toBe(1);
  });

  const thinking = (url: string, type: "enabled" | "adaptive"): ReturnType<typeof wrapLanguageModel> =>
    wrapLanguageModel({
      model: anthropic(url)("claude-sonnet-4-5"),
      middleware: defaultSettingsMiddleware({ settings: { providerOptions: { anthropic: { thinking: type === "enabled" ? { type, budgetTokens: 2048 } : { type } } } } }),
    });

  test("a cap that thinking raises is reported, although the SDK does not warn of it", async () => {
    await using server = await loopback(() => ({ sse: messageStream("submit", ["{}"]) }));
    const response = await provider(thinking(server.url, "enabled")).complete(request({ toolChoice: "auto" }), {});
    expect(server.received[0]?.body.max_tokens).toBe(2561);
    expect(response.changedSettings).toContain("maxOutputTokens: the request went out with 2561 instead of 513");
  });

  test("case 030: with thinking on, the SDK asks for the tool instead of forcing it, and the response says so", async () => {
    await using server = await loopback(() => ({ sse: messageStream("submit", ["{}"]) }));
    const response = await provider(thinking(server.url, "enabled")).complete(request(), {});
    expect(server.received[0]?.body).toMatchObject({ tool_choice: { type: "auto" }, thinking: { type: "enabled" }, tools: [{ name: "submit" }] });
    expect(response.changedSettings).toContainEqual(expect.stringContaining("toolChoice: toolChoice 'tool' is not supported with this model or thinking configuration"));
  });

  test("case 030: where the provider refuses thinking with a forced tool, the error names its words, both settings and the mend", async () => {
    const refused = { type: "error", error: { type: "invalid_request_error", message: "Thinking may not be enabled when tool_choice forces tool use." } };
    await using server = await loopback(({ body }) => (body.thinking !== undefined && body.tool_choice?.type === "tool" ? { status: 400, json: refused } : { sse: messageStream("submit", ["{}"]) }));
    const thrown = await thrownBy(() => provider(thinking(server.url, "adaptive")).complete(request(), {}));
    expect(isEntailError(thrown)).toBe(true);
    expect(thrown.code).toBe("provider_failed");
    expect(thrown.message).toContain("Thinking may not be enabled when tool_choice forces tool use.");
    expect(thrown.message).toContain('thinking "adaptive"');
    expect(thrown.message).toContain('forced tool "submit"');
    expect(thrown.message).toContain("turn thinking off");
    expect(thrown.cause).toMatchObject({ name: "AI_APICallError", statusCode: 400 });
    expect(server.received).toHaveLength(1);
    // The same model without thinking answers.
    expect((await provider(anthropic(server.url)("claude-sonnet-4-5")).complete(request(), {})).stopReason).toBe("tool_calls");
  });
});

test("with @ai-sdk/google the raw text never arrives, and the provider says so", async () => {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: { toolCalls: [{ id: "c1", name: "submit", arguments: DUPLICATED }], finishReason: "stop" } });
  const model = provider(createGoogle({ baseURL: `${mock.url}/v1beta`, apiKey: "test" })("gemini-2.5-flash"));
  expect(model.rawArguments).toBe(false);
  const response = await model.complete(request(), {});
  expect(response.content).toEqual([{ type: "tool_call", id: "c1", name: "submit", arguments: '{"claim one":{"label":"entailed","rationale":"café 😀"}}' }]);
  expect(response.stopReason).toBe("tool_calls");
});
