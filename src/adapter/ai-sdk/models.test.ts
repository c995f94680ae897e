import { provider } from "entail/adapter/ai-sdk";
import type { ModelRequest } from "entail/model";
import { describe, expect, test } from "vitest";
import type { LanguageModel, LanguageModelCall } from "../../language-model/language-model.ts";

const REQUEST: ModelRequest = { modelClass: "default", messages: [{ role: "user", content: "Hi." }], tools: [], toolChoice: "none", temperature: 0, maxOutputTokens: 100 };

/** A model of any specification that streams the given parts, and gives the same answer whole. */
function scripted(parts: readonly unknown[], over: Partial<LanguageModel> & { whole?: unknown; calls?: LanguageModelCall[]; body?: unknown } = {}): LanguageModel {
  const { whole, calls, body, ...members } = over;
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted-1",
    async doGenerate(options) {
      calls?.push(options);
      return whole;
    },
    async doStream(options) {
      calls?.push(options);
      return { stream: ReadableStream.from(parts), request: { body } };
    },
    ...members,
  };
}

const finish = (finishReason: unknown, usage?: unknown): unknown => ({ type: "finish", finishReason, usage });
const text = (delta: string, id = "0"): unknown => ({ type: "text-delta", id, delta });

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
  return "nothing was thrown";
}

describe("model classes", () => {
  const model = scripted([]);

  test("one model serves every class", () => {
    expect(["high-reasoning", "default", "small"].map((name) => provider(model).modelName?.(name as "small"))).toEqual(["scripted-1", "scripted-1", "scripted-1"]);
  });

  test("each class has its own model", async () => {
    const of = (name: string): LanguageModel => scripted([text(name), finish({ unified: "stop", raw: "stop" })], { modelId: name });
    const models = provider({ "high-reasoning": of("a"), default: of("b"), small: of("c") });
    for (const [modelClass, name] of [["high-reasoning", "a"], ["default", "b"], ["small", "c"]] as const) {
      expect(models.modelName?.(modelClass)).toBe(name);
      expect((await models.complete({ ...REQUEST, modelClass }, {})).content).toEqual([{ type: "text", text: name }]);
    }
  });

  test("a map without a model for each class is refused, the missing ones named", () => {
    expect(() => provider({ default: model } as never)).toThrow('no model for the class "high-reasoning" and "small"');
    expect(codeOf(() => provider({ default: model } as never))).toBe("model_class_missing");
    expect(codeOf(() => provider({ "high-reasoning": model, default: model, small: undefined } as never))).toBe("model_class_missing");
    expect(codeOf(() => provider(Object.create({ "high-reasoning": model, default: model, small: model }) as never))).toBe("model_class_missing");
  });

  test("a class that does not exist is refused", () => {
    expect(() => provider({ "high-reasoning": model, default: model, small: model, tiny: model } as never)).toThrow('"tiny", which is no model class');
  });

  test.each([["the name of a model", "openai/gpt-4.1"], ["nothing", undefined], ["null", null], ["a number", 4], ["a map of names", { "high-reasoning": "a", default: "b", small: "c" }]])("%s is no model", (_what, value) => {
    expect(codeOf(() => provider(value as never))).toBe("option_invalid");
  });

  test("a specification that Entail does not know is refused", () => {
    expect(() => provider(scripted([], { specificationVersion: "v9" }))).toThrow('specification "v9"; Entail knows v2, v3, v4');
  });
});

describe("what a model answers", () => {
  const answerOf = (parts: readonly unknown[], over: Parameters<typeof scripted>[1] = {}): Promise<unknown> => provider(scripted(parts, over)).complete(REQUEST, {});

  test("specification v2 has flat reasons and counts", async () => {
    const usage = { inputTokens: 5, outputTokens: 3, totalTokens: 8, reasoningTokens: 1, cachedInputTokens: 2 };
    expect(await answerOf([{ type: "stream-start", warnings: [] }, text("Hi"), finish("stop", usage)], { specificationVersion: "v2" })).toEqual({
      content: [{ type: "text", text: "Hi" }],
      stopReason: "stop",
      usage: { inputTokens: 5, outputTokens: 3, reasoningTokens: 1, cachedInputTokens: 2 },
    });
  });

  test.each([
    ["no usage at all", undefined],
    ["null counts", { inputTokens: { total: null }, outputTokens: { total: undefined } }],
    ["counts that are none", { inputTokens: { total: Number.NaN }, outputTokens: { total: -1 } }],
    ["v2 counts that are unknown", { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined }],
  ])("with %s the usage is unknown, never zero", async (_what, usage) => {
    expect(await answerOf([text("Hi"), finish({ unified: "stop", raw: "stop" }, usage)])).toEqual({ content: [{ type: "text", text: "Hi" }], stopReason: "stop" });
  });

  test.each([
    ["stop", { unified: "stop", raw: "end_turn" }, "stop"],
    ["length", { unified: "length", raw: "max_tokens" }, "length"],
    ["tool calls", { unified: "tool-calls", raw: "tool_use" }, "tool_calls"],
    ["a filter", { unified: "content-filter", raw: "content_filter" }, "content_filter"],
    ["a filter of v2", "content-filter", "content_filter"],
    ["Anthropic's refusal", { unified: "content-filter", raw: "refusal" }, "refusal"],
    ["OpenAI's refusal in chat", { unified: "content-filter", raw: "stop" }, "refusal"],
    ["OpenAI's refusal in responses", { unified: "content-filter", raw: undefined }, "refusal"],
    ["an error", { unified: "error", raw: undefined }, "error"],
    ["a reason that the SDK does not know", { unified: "other", raw: "compaction" }, "error"],
  ])("%s", async (_what, reason, stopReason) => {
    expect(await answerOf([text("Hi"), finish(reason)])).toMatchObject({ stopReason });
  });

  test.each([
    ["interrupted", { unified: "interrupted", raw: undefined }],
    ["other, without a word of the provider's", { unified: "other", raw: undefined }],
    ["unknown, of v2", "unknown"],
    ["a reason that a later SDK adds", { unified: "paused", raw: "paused" }],
    ["no reason", undefined],
  ])("an answer that ended with %s broke off", async (_what, reason) => {
    await expect(answerOf([text("Hi"), finish(reason)])).rejects.toMatchObject({ code: "provider_failed", message: expect.stringContaining("broke off") });
  });

  test("a stream without a finish broke off", async () => {
    await expect(answerOf([text("Hi")])).rejects.toMatchObject({ code: "provider_failed" });
  });

  test("an error in the stream comes through as it is, and cancels it", async () => {
    const error = new Error("overloaded");
    let cancelled = false;
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue({ type: "error", error }),
      cancel: () => {
        cancelled = true;
      },
    });
    await expect(answerOf([], { doStream: async () => ({ stream }) })).rejects.toBe(error);
    expect(cancelled).toBe(true);
  });

  test("an error that is no Error becomes one with its words", async () => {
    await expect(answerOf([{ type: "error", error: { message: "overloaded", code: 529 } }])).rejects.toMatchObject({ code: "provider_failed", message: expect.stringContaining("overloaded") });
  });

  test("reasoning, sources, files and unknown parts are no part of the answer, and text of one block stays together", async () => {
    expect(await answerOf([
      { type: "reasoning-delta", id: "r", delta: "hm" }, text("I "), { type: "source", id: "s" }, text("see."), text(""), text("Next.", "1"), { type: "file" }, null, "noise", { type: "brand-new" },
      finish({ unified: "stop", raw: "stop" }),
    ])).toMatchObject({ content: [{ type: "text", text: "I see." }, { type: "text", text: "Next." }] });
  });

  test("two calls keep their texts apart, whatever the order of their pieces, and a call without an id gets one", async () => {
    expect(await answerOf([
      { type: "tool-input-start", id: "a", toolName: "one" }, { type: "tool-input-start", id: "b", toolName: "two" },
      { type: "tool-input-delta", id: "b", delta: '{"b":' }, { type: "tool-input-delta", id: "a", delta: '{"a":' }, { type: "tool-input-delta", id: "b", delta: "2}" }, { type: "tool-input-delta", id: "a", delta: "1}" },
      { type: "tool-call", toolCallId: "a", toolName: "one", input: '{"a":1}' }, { type: "tool-call", toolCallId: "b", toolName: "two", input: '{"b":2}' },
      { type: "tool-call", toolCallId: "", toolName: "three", input: "{}" }, { type: "tool-call", toolCallId: "a", toolName: "four", input: "[]" },
      finish({ unified: "tool-calls", raw: "tool_calls" }),
    ])).toMatchObject({
      content: [
        { id: "a", name: "one", arguments: '{"a":1}' }, { id: "b", name: "two", arguments: '{"b":2}' }, { id: "call_3", name: "three", arguments: "{}" }, { id: "call_4", name: "four", arguments: "[]" },
      ],
    });
  });

  test("the pieces are what the model wrote, where the finished input is a print of its value", async () => {
    expect(await answerOf([
      { type: "tool-input-start", id: "a", toolName: "one" }, { type: "tool-input-delta", id: "a", delta: '{"a": 1,' }, { type: "tool-input-delta", id: "a", delta: ' "a": 2}' }, { type: "tool-call", toolCallId: "a", toolName: "one", input: '{"a":2}' },
      finish({ unified: "tool-calls", raw: "tool_use" }),
    ])).toMatchObject({ content: [{ arguments: '{"a": 1, "a": 2}' }] });
  });

  test("a call whose text never finished keeps what came", async () => {
    expect(await answerOf([{ type: "tool-input-start", id: "a", toolName: "one" }, { type: "tool-input-delta", id: "a", delta: '{"a' }, finish({ unified: "length", raw: "length" })])).toMatchObject({
      content: [{ id: "a", name: "one", arguments: '{"a' }],
      stopReason: "length",
    });
  });

  test("pieces that are no JSON give way to the finished input", async () => {
    expect(await answerOf([
      { type: "tool-input-start", id: "a", toolName: "one", inputEncoding: "text" }, { type: "tool-input-delta", id: "a", delta: "ls -l" }, { type: "tool-call", toolCallId: "a", toolName: "one", input: '"ls -l"' },
      finish({ unified: "tool-calls", raw: "x" }),
    ])).toMatchObject({ content: [{ arguments: '"ls -l"' }] });
  });

  test("a model that is not known to keep raw text says so, unless the application knows better", () => {
    expect(provider(scripted([])).rawArguments).toBe(false);
    expect(provider(scripted([]), { rawArguments: true }).rawArguments).toBe(true);
    expect(provider(scripted([], { provider: "vertex.anthropic.messages" })).rawArguments).toBe(true);
    const raw = scripted([], { provider: "openai.chat" });
    expect(provider({ "high-reasoning": raw, default: raw, small: scripted([]) }).rawArguments).toBe(false);
  });
});

describe("settings", () => {
  const ended = finish({ unified: "stop", raw: "stop" });
  const answerTo = (warnings: readonly unknown[], body?: unknown): Promise<unknown> => provider(scripted([{ type: "stream-start", warnings }, text("Hi"), ended], { body })).complete(REQUEST, {});

  test.each([
    ["of v4", { type: "unsupported", feature: "maxOutputTokens", details: "limited to 50" }],
    ["of v2", { type: "unsupported-setting", setting: "maxOutputTokens" }],
    ["in words alone", { type: "other", message: "max output tokens were limited to 50" }],
    ["in a protocol's spelling", { type: "other", message: "max_completion_tokens is ignored" }],
  ])("a warning %s that the cap was lowered or dropped is an error", async (_what, warning) => {
    await expect(answerTo([warning])).rejects.toMatchObject({ code: "model_setting_lost", message: expect.stringContaining("maxOutputTokens 100") });
  });

  test.each([
    [{ max_tokens: 50 }], [{ max_completion_tokens: 99 }], [{ max_output_tokens: 1 }], [{ generationConfig: { maxOutputTokens: 50 } }], ['{"max_tokens":50}'],
  ])("a request that went out with a lower cap is an error although nobody warned: %j", async (body) => {
    await expect(answerTo([], body)).rejects.toMatchObject({ code: "model_setting_lost" });
  });

  test("every other change is in the response, in words; a deprecation is no change", async () => {
    expect(await answerTo([
      { type: "unsupported", feature: "temperature", details: "ignored" }, { type: "unsupported-setting", setting: "temperature" }, { type: "compatibility", feature: "toolChoice", details: "auto" },
      { type: "other", message: "the schema was simplified" }, { type: "deprecated", setting: "x", message: "use y" }, { type: "unsupported-tool", tool: { name: "submit" } }, null,
    ], { max_tokens: 100 })).toMatchObject({
      changedSettings: ["temperature: ignored", "temperature: unsupported-setting", "toolChoice: auto", "the schema was simplified", "submit: unsupported-tool"],
    });
  });

  test("a lost setting cancels the stream", async () => {
    let cancelled = false;
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue({ type: "stream-start", warnings: [{ type: "unsupported", feature: "maxOutputTokens" }] }),
      cancel: () => {
        cancelled = true;
      },
    });
    await expect(provider(scripted([], { doStream: async () => ({ stream }) })).complete(REQUEST, {})).rejects.toMatchObject({ code: "model_setting_lost" });
    expect(cancelled).toBe(true);
  });
});

test("nothing is added to a request: no tools and no choice of one where there are none", async () => {
  const calls: LanguageModelCall[] = [];
  await provider(scripted([text("Hi"), finish("stop")], { specificationVersion: "v2", calls })).complete(REQUEST, {});
  expect(calls).toEqual([{ prompt: [{ role: "user", content: [{ type: "text", text: "Hi." }] }], maxOutputTokens: 100, temperature: 0 }]);
});

test("a tool's answer goes out under the name of the tool that was called, and arguments that are no JSON as they are", async () => {
  const calls: LanguageModelCall[] = [];
  const messages: ModelRequest["messages"] = [
    { role: "assistant", content: [{ type: "tool_call", id: "c1", name: "submit", arguments: "{broken" }] },
    { role: "tool", toolCallId: "c1", content: "No JSON." },
    { role: "tool", toolCallId: "c2", content: "Whose?" },
    { role: "assistant", content: [{ type: "tool_call", id: "c3", name: "submit", arguments: '{"a":1}' }] },
  ];
  await provider(scripted([text("Hi"), finish("stop")], { calls })).complete({ ...REQUEST, messages }, {});
  expect(calls[0]?.prompt).toEqual([
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "submit", input: "{broken" }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", toolName: "submit", output: { type: "text", value: "No JSON." } }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "c2", toolName: "c2", output: { type: "text", value: "Whose?" } }] },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "c3", toolName: "submit", input: { a: 1 } }] },
  ]);
});
