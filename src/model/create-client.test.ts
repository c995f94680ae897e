import { describe, expect, test } from "vitest";
import { EntailError, isEntailError } from "entail";
import { createJudge } from "entail/judge";
import { createClient, type ModelRequest, type ModelResponse, type ModelStreamPart, type Provider } from "entail/model";
import { judgeAnswer, scriptedProvider, toolCallResponse } from "entail/testing";
import { openClient } from "../core/model-client.ts";

const REQUEST: ModelRequest = { modelClass: "default", messages: [{ role: "user", content: "hi" }], tools: [], toolChoice: "none", temperature: 0, maxOutputTokens: 10 };
const TEXT = { type: "text", text: "hello" };
const CALL = { type: "tool_call", id: "1", name: "t", arguments: "{}" };

const completing = (value: unknown): Provider => ({ complete: async () => value as ModelResponse });
const complete = (value: unknown): Promise<ModelResponse> => openClient(createClient(completing(value))).complete(REQUEST, {});

/** What is no response, each with a word of the sentence that says so. */
const NO_RESPONSE: readonly (readonly [string, unknown, string])[] = [
  ["nothing", undefined, "there is none"],
  ["null", null, "there is none"],
  ["a text", "hello", "no object"],
  ["a list", [TEXT], "no object"],
  ["no content", { stopReason: "stop" }, "content is no list"],
  ["content that is a text", { content: "hello", stopReason: "stop" }, "content is no list"],
  ["no stop reason", { content: [TEXT] }, "no stopReason"],
  ["an empty stop reason", { content: [TEXT], stopReason: "" }, "no stopReason"],
  ["an unknown stop reason", { content: [TEXT], stopReason: "end_turn" }, "stopReason must be one of"],
  ["no parts at a stop", { content: [], stopReason: "stop" }, "content is empty"],
  ["no parts at tool calls", { content: [], stopReason: "tool_calls" }, "content is empty"],
  ["a part that is nothing", { content: [null], stopReason: "stop" }, "content[0] is no object"],
  ["a hole instead of a part", { content: Array.from({ length: 1 }), stopReason: "stop" }, "content[0] is no object"],
  ["an empty text", { content: [TEXT, { type: "text", text: "" }], stopReason: "stop" }, "content[1].text is empty"],
  ["a text that is none", { content: [{ type: "text", text: 1 }], stopReason: "stop" }, "content[0].text is no text"],
  ["an unfinished thought", { content: [{ type: "reasoning", text: "hm" }], stopReason: "stop" }, 'content[0].type must be "text" or "tool_call"'],
  ["a message of another role", { content: [{ role: "user", content: "hi" }], stopReason: "stop" }, "content[0].type"],
  ["one call id for two calls", { content: [CALL, { ...CALL }], stopReason: "tool_calls" }, "content[1].id names a tool call a second time"],
  ["a call without an id", { content: [{ ...CALL, id: "" }], stopReason: "tool_calls" }, "content[0].id is empty"],
  ["a call without a name", { content: [{ ...CALL, name: undefined }], stopReason: "tool_calls" }, "content[0].name is no text"],
  ["arguments that are parsed already", { content: [{ ...CALL, arguments: {} }], stopReason: "tool_calls" }, "content[0].arguments must be the raw JSON text"],
  ["no arguments", { content: [{ type: "tool_call", id: "1", name: "t" }], stopReason: "tool_calls" }, "content[0].arguments must be the raw JSON text"],
  ["a negative usage", { content: [TEXT], stopReason: "stop", usage: { inputTokens: -1 } }, "usage.inputTokens is negative"],
  ["a negative cost", { content: [TEXT], stopReason: "stop", usage: { cost: -0.1 } }, "usage.cost is negative"],
  ["a usage that is not a number", { content: [TEXT], stopReason: "stop", usage: { outputTokens: Number.NaN } }, "usage.outputTokens is no number"],
  ["a usage in a text", { content: [TEXT], stopReason: "stop", usage: { outputTokens: "3" } }, "usage.outputTokens is no number"],
  ["half a token", { content: [TEXT], stopReason: "stop", usage: { outputTokens: 1.5 } }, "no whole number"],
  ["a usage that is no object", { content: [TEXT], stopReason: "stop", usage: 7 }, "usage is no object"],
  ["a model that is no text", { content: [TEXT], stopReason: "stop", model: 7 }, "model is no text"],
  ["changed settings that are no texts", { content: [TEXT], stopReason: "stop", changedSettings: [1] }, "changedSettings"],
];

describe("a response", () => {
  test("[191] that is nothing, or has no content, stop reason, parts, text, other id, or a negative usage, is refused; arguments that are no JSON are an answer", async () => {
    for (const [what, value, said] of NO_RESPONSE) {
      let requests = 0;
      const provider: Provider = { complete: async () => (requests++, value as ModelResponse) };
      const error: unknown = await createJudge(createClient(provider), { maxOutputTokens: 10 }).judge({ output: "x", claims: [{ id: "c", text: "t" }], reference: "" }).catch((thrown: unknown) => thrown);
      expect([what, isEntailError(error) && error.code, isEntailError(error) && error.message.includes(said), requests]).toEqual([what, "provider_response_invalid", true, 1]);
    }
    // No response at all is asked once; a bad answer is asked again.
    for (const text of ["", "not json", "[]", "7"]) {
      const provider = scriptedProvider(() => toolCallResponse("grade_claims", text));
      await expect(createJudge(createClient(provider), { maxOutputTokens: 10 }).judge({ output: "x", claims: [{ id: "c", text: "t" }], reference: "" })).rejects.toMatchObject({ code: "judge_invalid_response" });
      expect(provider.calls).toHaveLength(4);
    }
  });

  test.each(["length", "content_filter", "refusal", "error"] as const)("may be empty when the stop reason is %s", async (stopReason) => {
    expect(await complete({ content: [], stopReason })).toStrictEqual({ content: [], stopReason });
  });

  test("is a frozen copy of its known members; what is unknown of its usage stays out", async () => {
    const given = {
      content: [{ ...TEXT, extra: 1 }, { ...CALL, arguments: '{"a": 1.0}' }],
      stopReason: "tool_calls",
      usage: { inputTokens: 0, outputTokens: undefined, reasoningTokens: null, cost: 0.25, total: 9 },
      model: "m-1",
      changedSettings: ["temperature was dropped"],
      raw: { huge: true },
    };
    const response = await complete(given);
    expect(response).toStrictEqual({ content: [TEXT, { ...CALL, arguments: '{"a": 1.0}' }], stopReason: "tool_calls", usage: { inputTokens: 0, cost: 0.25 }, model: "m-1", changedSettings: ["temperature was dropped"] });
    expect([response, response.content, response.content[0], response.usage, response.changedSettings].every(Object.isFrozen)).toBe(true);
    expect(await complete({ content: [TEXT], stopReason: "stop", usage: {}, model: "", changedSettings: [] })).toStrictEqual({ content: [TEXT], stopReason: "stop" });
  });

  test("with a getter that throws, or that answers anew each time, is read once or refused", async () => {
    const hidden = new Error("hidden");
    const broken = { stopReason: "stop", get content() { throw hidden; } };
    await expect(complete(broken)).rejects.toMatchObject({ code: "provider_response_invalid", cause: hidden });
    let reads = 0;
    const shifting = { stopReason: "stop", content: [{ type: "text", get text() { return reads++ === 0 ? "first" : ""; } }] };
    expect((await complete(shifting)).content).toEqual([{ type: "text", text: "first" }]);
    await expect(complete(new Proxy({}, { get: (_target, name) => { if (name === "then") return undefined; throw hidden; } }))).rejects.toMatchObject({ code: "provider_response_invalid" });
  });
});

describe("a client", () => {
  test("says nothing of itself, and needs a provider with complete", () => {
    const client = createClient(completing(undefined));
    expect(Reflect.ownKeys(client)).toEqual([]);
    expect(Object.isFrozen(client)).toBe(true);
    for (const provider of [undefined, null, {}, { complete: 1 }, "gpt"]) expect(() => createClient(provider as unknown as Provider)).toThrow(expect.objectContaining({ code: "option_invalid" }));
  });

  test("calls the provider's methods on the provider, with the request and the options as they are", async () => {
    class Counting {
      count = 0;
      async complete(request: ModelRequest): Promise<ModelResponse> {
        this.count++;
        expect(request).toBe(REQUEST);
        return { content: [{ type: "text", text: String(this.count) }], stopReason: "stop" };
      }
    }
    const model = openClient(createClient(new Counting()));
    await model.complete(REQUEST, {});
    expect((await model.complete(REQUEST, {})).content).toEqual([{ type: "text", text: "2" }]);
    expect([model.stream, model.countTokens, model.rawArguments, model.modelName("small")]).toEqual([undefined, undefined, true, undefined]);
  });

  test("keeps an EntailError of the provider's as it is, and wraps anything else", async () => {
    const own = new EntailError("model_setting_lost", "maxOutputTokens was lowered");
    for (const fail of [() => Promise.reject(own), () => { throw own; }]) await expect(openClient(createClient({ complete: fail })).complete(REQUEST, {})).rejects.toBe(own);
    const foreign = new Error("socket closed");
    await expect(openClient(createClient({ complete: () => Promise.reject(foreign) })).complete(REQUEST, {})).rejects.toMatchObject({ code: "provider_failed", message: "the provider failed: socket closed", cause: foreign });
  });

  test("leaves a late failure of abandoned work unheard", async () => {
    const controller = new AbortController();
    let fail = (_error: Error): void => undefined;
    const model = openClient(createClient({ complete: () => new Promise((_resolve, reject) => { fail = reject; }) }));
    const called = model.complete(REQUEST, { signal: controller.signal });
    controller.abort();
    await expect(called).rejects.toMatchObject({ code: "cancelled" });
    fail(new Error("too late"));
    await new Promise((resolve) => setTimeout(resolve, 0));
  });

  test("counts tokens where the provider does, and takes whole numbers alone", async () => {
    const counting = (count: unknown): Promise<number> | undefined => openClient(createClient({ ...completing(undefined), countTokens: async () => count as number })).countTokens?.(REQUEST, {});
    expect(await counting(0)).toBe(0);
    expect(await counting(1234)).toBe(1234);
    for (const count of [-1, 1.5, Number.NaN, "12", undefined]) await expect(counting(count)).rejects.toMatchObject({ code: "provider_response_invalid" });
  });
});

describe("a stream", () => {
  const RESPONSE: ModelResponse = { content: [{ type: "text", text: "hello" }], stopReason: "stop" };
  async function streamed(parts: readonly unknown[], signal?: AbortSignal): Promise<readonly ModelStreamPart[]> {
    const provider: Provider = { ...completing(undefined), stream: async function* () { yield* parts as ModelStreamPart[]; } };
    const seen: ModelStreamPart[] = [];
    for await (const part of openClient(createClient(provider)).stream?.(REQUEST, { signal }) ?? []) seen.push(part);
    return seen;
  }

  test("is its deltas and then one response", async () => {
    const parts = [{ type: "text_delta", text: "hel" }, { type: "tool_call_delta", id: "1", name: "t", arguments: "" }, { type: "response", response: RESPONSE }];
    expect(await streamed(parts)).toStrictEqual(parts);
  });

  test.each([
    ["ends without a response", [{ type: "text_delta", text: "a" }], "ended without a response"],
    ["is empty", [], "ended without a response"],
    ["goes on after its response", [{ type: "response", response: RESPONSE }, { type: "text_delta", text: "a" }], "follows the response"],
    ["has two responses", [{ type: "response", response: RESPONSE }, { type: "response", response: RESPONSE }], "follows the response"],
    ["has an empty delta", [{ type: "text_delta", text: "" }], "text_delta has no text"],
    ["has a delta of no tool", [{ type: "tool_call_delta", id: "1", name: "", arguments: "{" }], "tool_call_delta has no name"],
    ["has an unknown part", [{ type: "ping" }], "type must be"],
    ["has a part that is nothing", [null], "no object"],
    ["has a response that is none", [{ type: "response", response: { content: [], stopReason: "stop" } }], "content is empty"],
  ])("that %s is refused", async (_what, parts, said) => {
    await expect(streamed(parts)).rejects.toMatchObject({ code: "provider_response_invalid", message: expect.stringContaining(said) });
  });

  test("that throws, or is none, is the provider's failure", async () => {
    const torn = new Error("connection reset");
    const read = async (stream: unknown): Promise<unknown> => {
      try {
        for await (const part of openClient(createClient({ ...completing(undefined), stream: stream as NonNullable<Provider["stream"]> })).stream?.(REQUEST, {}) ?? []) void part;
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(await read(async function* () { yield { type: "text_delta", text: "a" }; throw torn; })).toMatchObject({ code: "provider_failed", cause: torn });
    expect(await read(() => { throw torn; })).toMatchObject({ code: "provider_failed", cause: torn });
    expect(await read(() => undefined)).toMatchObject({ code: "provider_response_invalid" });
  });

  test("ends when the signal is aborted, though its source hangs, and its source is closed when the reader leaves", async () => {
    const controller = new AbortController();
    let closed = 0;
    const source = (hang: boolean): AsyncIterable<ModelStreamPart> => ({
      [Symbol.asyncIterator]: () => ({
        next: () => (hang ? new Promise(() => undefined) : Promise.resolve({ done: false, value: { type: "text_delta", text: "a" } })),
        return: async () => (closed++, { done: true, value: undefined }),
      }),
    });
    const stream = (hang: boolean, signal?: AbortSignal): AsyncIterable<ModelStreamPart> => openClient(createClient({ ...completing(undefined), stream: () => source(hang) })).stream?.(REQUEST, { signal }) ?? source(hang);
    const hanging = (async () => { for await (const part of stream(true, controller.signal)) void part; })();
    controller.abort();
    await expect(hanging).rejects.toMatchObject({ code: "cancelled" });
    for await (const part of stream(false)) if (part.type === "text_delta") break;
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(closed).toBe(2);
  });
});

test("a judge on a client judges, so all of the above is what a judge rests on", async () => {
  const judge = createJudge(createClient(scriptedProvider((request) => judgeAnswer(request, () => "entailed"))), { maxOutputTokens: 10 });
  expect(await judge.judge({ output: "x", claims: [{ id: "c", text: "t" }], reference: "" })).toHaveLength(1);
});
