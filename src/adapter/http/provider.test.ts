import { LLMock } from "@copilotkit/aimock";
import { createRunner } from "entail";
import { provider, type Fetch } from "entail/adapter/http";
import { createJudge, type Label } from "entail/judge";
import { createClient, type ModelRequest, type ModelResponse, type ModelStreamPart } from "entail/model";
import { judgeArguments } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatStream, loopback } from "../../../test/ai-sdk/loopback.ts";

const ADDRESS = "http://judge.example/v1";
const REQUEST: ModelRequest = { modelClass: "default", messages: [{ role: "user", content: "Hi." }], tools: [], toolChoice: "none", temperature: 0, maxOutputTokens: 100 };

function platform(body: unknown, status = 200, headers: Record<string, string> = {}): { fetch: Fetch; sent: any[] } {
  const sent: any[] = [];
  const streamed = Array.isArray(body);
  const text = streamed ? (body as string[]).map((data) => `data: ${data}\n\n`).join("") : typeof body === "string" ? body : JSON.stringify(body);
  return {
    sent,
    fetch: async (_url, init) => {
      sent.push(JSON.parse(init.body));
      return { ok: status < 300, status, headers: new Headers({ "content-type": streamed ? "text/event-stream" : "application/json", ...headers }), body: ReadableStream.from([new TextEncoder().encode(text)]) };
    },
  };
}

const answer = (message: object, finish_reason: string | null = "stop", rest: object = {}): object => ({ model: "m-1", choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }], ...rest });
const toolCall = (id: string | undefined, name: string, args: unknown): object => ({ ...(id === undefined ? {} : { id }), type: "function", function: { name, arguments: args } });
const complete = (body: unknown, options: object = {}, request: Partial<ModelRequest> = {}): Promise<ModelResponse> => provider({ url: ADDRESS, model: "m", fetch: platform(body).fetch, ...options }).complete({ ...REQUEST, ...request }, {});

describe("what is asked", () => {
  const request: ModelRequest = {
    modelClass: "high-reasoning", temperature: 0.5, maxOutputTokens: 77, toolChoice: { tool: "grade" },
    tools: [{ name: "grade", description: "Grades.", inputSchema: { type: "object", properties: { a: { const: 1 } } } }],
    messages: [
      { role: "system", content: "Judge." }, { role: "user", content: "This." },
      { role: "assistant", content: [{ type: "text", text: "So: " }, { type: "tool_call", id: "c1", name: "grade", arguments: '{"a": 1.0}' }] }, { role: "tool", toolCallId: "c1", content: "No." }, { role: "assistant", content: [{ type: "text", text: "Yes." }] },
    ],
  };

  test("goes out in the chat protocol, schemas and texts of arguments as they are", async () => {
    const { fetch, sent } = platform(answer({ content: "Hi." }));
    await provider({ url: ADDRESS, model: { "high-reasoning": "big", default: "middle", small: "tiny" }, fetch, body: { seed: 7, model: "mine" } }).complete(request, {});
    expect(sent[0]).toEqual({
      seed: 7, model: "big", temperature: 0.5, max_tokens: 77, tools: [{ type: "function", function: { name: "grade", description: "Grades.", parameters: { type: "object", properties: { a: { const: 1 } } } } }], tool_choice: { type: "function", function: { name: "grade" } },
      messages: [
        { role: "system", content: "Judge." }, { role: "user", content: "This." }, { role: "assistant", content: "So: ", tool_calls: [toolCall("c1", "grade", '{"a": 1.0}')] }, { role: "tool", tool_call_id: "c1", content: "No." }, { role: "assistant", content: "Yes." },
      ],
    });
  });

  test("without tools says nothing of them; the cap goes under the name that the endpoint knows; a temperature that was not sent is told", async () => {
    const { fetch, sent } = platform(answer({ content: "Hi." }));
    const response = await provider({ url: ADDRESS, model: "m", fetch, tokenLimit: "max_completion_tokens", sendsTemperature: false }).complete(REQUEST, {});
    expect(sent[0]).toEqual({ model: "m", max_completion_tokens: 100, messages: [{ role: "user", content: "Hi." }] });
    expect(response.changedSettings).toEqual(["temperature: it was not sent"]);
  });
});

describe("what is answered", () => {
  test("is text and calls, the arguments as the model wrote them, with what it cost and who answered", async () => {
    expect(await complete(answer({ content: "Hi.", tool_calls: [toolCall("c1", "grade", '{ "a": 9007199254740993, "a": 2 }')] }, "tool_calls", { usage: { prompt_tokens: 5, completion_tokens: 3, completion_tokens_details: { reasoning_tokens: 1 } } }))).toEqual({
      content: [{ type: "text", text: "Hi." }, { type: "tool_call", id: "c1", name: "grade", arguments: '{ "a": 9007199254740993, "a": 2 }' }],
      stopReason: "tool_calls", usage: { inputTokens: 5, outputTokens: 3, reasoningTokens: 1 }, model: "m-1",
    });
  });

  test("a call without an id, or with one that another has, gets one", async () => {
    expect((await complete(answer({ content: null, tool_calls: [toolCall(undefined, "a", "{}"), toolCall("x", "b", "{}"), toolCall("x", "c", "{}")] }, "tool_calls"))).content).toMatchObject([{ id: "call_1" }, { id: "x" }, { id: "call_3" }]);
  });

  test.each([
    ["stop", answer({ content: "Hi." }), "stop"], ["a refusal", answer({ content: null, refusal: "No." }), "refusal"], ["length", answer({ content: "Hi." }, "length"), "length"],
    ["a filter", answer({ content: "" }, "content_filter"), "content_filter"], ["calls", answer({ content: null, tool_calls: [toolCall("a", "b", "{}")] }, "tool_calls"), "tool_calls"], ["a reason that nobody knows", answer({ content: "Hi." }, "tired"), "error"],
  ])("%s", async (_what, body, stopReason) => {
    expect(await complete(body)).toMatchObject({ stopReason });
  });

  test.each([
    ["that never said why it stopped", answer({ content: "Hi." }, null), "broke off"], ["without choices", { object: "list" }, "it has no choices"], ["that is no JSON", "<html>", "is not JSON"], ["with an error in it", { error: { message: "overloaded" } }, "overloaded"],
    ["in pieces that stop", chatStream([{ content: "Hi" }], undefined), "broke off"],
  ])("%s, is none", async (_what, body, message) => {
    await expect(complete(body)).rejects.toMatchObject({ code: "provider_failed", message: expect.stringContaining(message) });
  });

  test("that is longer than its cap shows that the cap was not kept", async () => {
    await expect(complete(answer({ content: "Hi." }, "stop", { usage: { prompt_tokens: 1, completion_tokens: 101 } }))).rejects.toMatchObject({ code: "model_setting_lost", message: expect.stringContaining("tokenLimit") });
  });

  test("with arguments that are parsed already is refused: nobody can tell what the model wrote", async () => {
    const judge = createJudge(createClient(provider({ url: ADDRESS, model: "m", fetch: platform(answer({ content: null, tool_calls: [toolCall("a", "grade_claims", {})] }, "tool_calls")).fetch })), { maxOutputTokens: 100 });
    await expect(judge.judge({ output: "x", claims: [{ id: "c", text: "t" }], reference: "" })).rejects.toMatchObject({ code: "provider_response_invalid", message: expect.stringContaining("raw JSON text") });
  });

  test("streamed, comes in pieces and then whole", async () => {
    const parts: ModelStreamPart[] = [];
    const { fetch, sent } = platform(chatStream([{ content: "Hi" }, { content: "." }, { tool_calls: [{ index: 0, id: "c", function: { name: "a", arguments: '{"n"' } }] }, { tool_calls: [{ index: 0, function: { arguments: ": 1}" } }] }], "tool_calls"));
    for await (const part of provider({ url: ADDRESS, model: "m", fetch }).stream?.(REQUEST, {}) ?? []) parts.push(part);
    expect(sent[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(parts).toEqual([
      { type: "text_delta", text: "Hi" }, { type: "text_delta", text: "." }, { type: "tool_call_delta", id: "c", name: "a", arguments: '{"n"' }, { type: "tool_call_delta", id: "c", name: "a", arguments: ": 1}" },
      { type: "response", response: { content: [{ type: "text", text: "Hi." }, { type: "tool_call", id: "c", name: "a", arguments: '{"n": 1}' }], stopReason: "tool_calls", usage: { inputTokens: 11, outputTokens: 7 }, model: "gpt-4.1-mini" } },
    ]);
  });
});

describe("a request that fails", () => {
  test("says its status, so that whoever retries can tell; nothing was retried", async () => {
    const { fetch, sent } = platform({ error: { message: "slow down", type: "rate_limit" } }, 429, { "retry-after": "7" });
    await expect(provider({ url: ADDRESS, model: "m", fetch }).complete(REQUEST, {})).rejects.toMatchObject({ code: "provider_failed", message: `${ADDRESS}/chat/completions answered with status 429: slow down`, cause: { statusCode: 429, isRetryable: true, retryAfter: "7" } });
    expect(sent).toHaveLength(1);
    await expect(complete("", { fetch: platform("", 403).fetch })).rejects.toMatchObject({ cause: { statusCode: 403, isRetryable: false } });
  });

  test("whose signal is aborted is cancelled", async () => {
    await using server = await loopback(() => ({ json: {}, hang: true, sse: chatStream([{ content: "Wai" }], undefined) }));
    const controller = new AbortController();
    const asked = provider({ url: server.url, model: "m" }).complete(REQUEST, { signal: controller.signal });
    while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    const early = provider({ url: ADDRESS, model: "m", fetch: (_url, { signal }) => new Promise((_resolve, reject) => { signal?.addEventListener("abort", () => reject(signal.reason as Error)); }) });
    const leaving = new AbortController();
    const unanswered = early.complete(REQUEST, { signal: leaving.signal });
    leaving.abort(new Error("no longer"));
    await expect(unanswered).rejects.toThrow(/^no longer$/);
  });
});

describe("options", () => {
  test.each([
    ["no model", { url: ADDRESS }, "option_invalid", "the name of a model"],
    ["a model without a name", { url: ADDRESS, model: "" }, "option_invalid", "the name of a model"],
    ["a class without a model", { url: ADDRESS, model: { default: "b", small: "c" } }, "model_class_missing", '"high-reasoning"'],
    ["a class that does not exist", { url: ADDRESS, model: { "high-reasoning": "a", default: "b", small: "c", tiny: "d" } }, "option_invalid", '"tiny"'],
    ["a member that nobody knows", { url: ADDRESS, model: "m", key: "k" }, "option_invalid", '"key"'],
    ["a limit of another name", { url: ADDRESS, model: "m", tokenLimit: "max" }, "option_invalid", "tokenLimit"],
    ["a body that is none", { url: ADDRESS, model: "m", body: [] }, "option_invalid", "body"],
    ["a flag that is none", { url: ADDRESS, model: "m", sendsTemperature: 0 }, "option_invalid", "sendsTemperature"],
    ["no address", { model: "m" }, "option_invalid", "address"],
  ])("%s", (_what, options, code, message) => {
    expect(() => provider(options as never)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
  });

  test("the model of each class has its name, and a class that does not exist has none", async () => {
    const models = provider({ url: ADDRESS, model: { "high-reasoning": "a", default: "b", small: "c" }, fetch: platform(answer({ content: "Hi." })).fetch });
    expect(["high-reasoning", "default", "small", "toString"].map((name) => models.modelName?.(name as "small"))).toEqual(["a", "b", "c", undefined]);
    await expect(models.complete({ ...REQUEST, modelClass: "huge" as never }, {})).rejects.toMatchObject({ code: "model_class_missing" });
    expect(models.rawArguments).toBe(true);
  });
});

describe("a judge over HTTP", () => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());

  test("is calibrated and grades claims, with no SDK in between", async () => {
    const labels: Readonly<Record<string, Label>> = { calibration_entailed: "entailed", calibration_contradicted: "contradicted", calibration_not_addressed: "not_addressed", calibration_indeterminate: "indeterminate", sunny: "entailed" };
    mock.addFixture({
      match: {},
      response: ({ messages, tools }) => {
        const text = JSON.stringify(messages);
        const asked = Object.entries(labels).filter(([id]) => text.includes(id));
        return { toolCalls: [{ name: tools?.[0]?.function.name ?? "", arguments: judgeArguments(asked.map(([claimId, label]) => ({ claimId, label, rationale: "It says so." }))) }] };
      },
    });
    const judge = createJudge(createClient(provider({ url: `${mock.url}/v1`, model: "gpt-4.1-mini" })), { maxOutputTokens: 500 });
    const suite = { id: "s", description: "d", scenarios: [{ id: "weather", description: "d", tags: [], timeoutMs: 5000, run: async () => ({ claims: [{ id: "sunny", text: "It is sunny." }], output: "It is sunny." }) }] };
    const report = await createRunner({ maxConcurrency: 1, judge }).run(suite);
    expect(report).toMatchObject({ passed: true, scenarios: [{ judgments: [{ claimId: "sunny", label: "entailed" }] }] });
  });
});
