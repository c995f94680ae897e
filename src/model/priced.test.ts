import { costOf, priced, recording, type ModelRequest, type ModelResponse, type ModelStreamPart } from "entail/model";
import { scriptedProvider } from "entail/testing";
import { expect, test } from "vitest";

const request: ModelRequest = { modelClass: "default", messages: [], tools: [], toolChoice: "auto", temperature: 0, maxOutputTokens: 5 };
const answer = (over: Partial<ModelResponse>): ModelResponse => ({ content: [{ type: "text", text: "x" }], stopReason: "stop", ...over });
const TABLE = { m1: { input: 2, output: 10, cachedInput: 0.5 }, m2: { input: 1, output: 1 } };
const ask = async (response: ModelResponse, table?: Parameters<typeof priced>[1], named?: string): Promise<number | undefined> =>
  (await priced(scriptedProvider([response], { modelName: () => named }), table).complete(request, {})).usage?.cost;

test("a table prices input, cached input and output apart, for a million tokens each", async () => {
  const usage = { inputTokens: 1000, outputTokens: 100, cachedInputTokens: 400 };
  expect(await ask(answer({ model: "m1", usage }), TABLE)).toBeCloseTo((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6, 12);
  expect(await costOf(usage, "m2", TABLE)).toBeCloseTo(1100 / 1e6, 12);
});

test("published prices know the models of the day, dated names and providers' prefixes among them", async () => {
  expect(await costOf({ inputTokens: 1_000_000, outputTokens: 0 }, "gpt-4.1-mini")).toBeCloseTo(0.4, 9);
  expect(await costOf({ inputTokens: 0, outputTokens: 1_000_000 }, "gpt-4.1-mini-2025-04-14")).toBeCloseTo(1.6, 9);
  expect(await costOf({ inputTokens: 1_000_000, outputTokens: 0, cachedInputTokens: 1_000_000 }, "gpt-4.1-mini")).toBeCloseTo(0.1, 9);
  expect(await costOf({ inputTokens: 1000, outputTokens: 1000 }, "claude-sonnet-4-5")).toBeCloseTo(0.018, 9);
});

test("what is unknown has no cost, never 0: the model, its price, or one of the two counts", async () => {
  const usage = { inputTokens: 10, outputTokens: 10 };
  for (const table of [TABLE, undefined]) {
    expect(await ask(answer({ model: "nobody-knows-this-one", usage }), table)).toBeUndefined();
    expect(await ask(answer({ usage }), table)).toBeUndefined();
    expect(await ask(answer({ model: "m1", usage: { inputTokens: 10 } }), table)).toBeUndefined();
    expect(await ask(answer({ model: "m1", usage: { outputTokens: 10 } }), table)).toBeUndefined();
    expect(await ask(answer({ model: "m1" }), table)).toBeUndefined();
  }
  for (const name of ["__proto__", "constructor", "toString"]) expect(await costOf(usage, name, TABLE)).toBeUndefined();
});

test("a free model costs 0, a cost that the provider tells stays, and the name that was asked for is tried where the answer's own is unknown", async () => {
  const usage = { inputTokens: 10, outputTokens: 10 };
  expect(await ask(answer({ model: "free", usage }), { free: { input: 0, output: 0 } })).toBe(0);
  expect(await ask(answer({ model: "m1", usage: { ...usage, cost: 7 } }), TABLE)).toBe(7);
  expect(await ask(answer({ model: "m2-2026-01-01", usage }), TABLE, "m2")).toBeCloseTo(20 / 1e6, 12);
});

test("a stream's response is priced too", async () => {
  const provider = priced({ complete: () => Promise.reject(new Error("not asked")), async *stream() { yield { type: "response", response: answer({ model: "m2", usage: { inputTokens: 1, outputTokens: 1 } }) }; } }, TABLE);
  const parts: ModelStreamPart[] = [];
  for await (const part of provider.stream?.(request, {}) ?? []) parts.push(part);
  expect(parts).toMatchObject([{ response: { usage: { cost: 2e-6 } } }]);
});

test.each([[{ m: { input: -1, output: 1 } }], [{ m: { input: 1 } }], [{ m: null }], [{ m: { input: 1, output: Number.NaN } }], [{ m: { input: 1, output: 1, cachedInput: "1" } }], [null]])("the table %j is refused", (table) => {
  expect(() => priced(scriptedProvider([]), table as never)).toThrow(expect.objectContaining({ code: "option_invalid" }));
});

test("what stands around a provider tells what the provider tells of itself", () => {
  const inner = { ...scriptedProvider([], { rawArguments: false, modelName: () => "m1" }), endpoint: () => "https://one.example", countTokens: async () => 1 };
  for (const outer of [priced(inner), recording({ file: "never-written.json", mode: "off" }).provider(inner)]) {
    expect([outer.rawArguments, outer.modelName?.("default"), outer.endpoint?.("default"), "countTokens" in outer, "stream" in outer]).toEqual([false, "m1", "https://one.example", true, false]);
  }
});
