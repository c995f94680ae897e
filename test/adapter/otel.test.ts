// Runs a real agent of the AI SDK over HTTP, traced by the real OpenTelemetry SDK, through the twelve situations; and reads what the AI SDK's own telemetry recorded.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { jsonSchema, tool, ToolLoopAgent, type ModelMessage, type ToolSet } from "ai";
import { createRunner } from "entail";
import { events, type EventsOptions, type OtelEvents } from "entail/adapter/otel";
import { collect, expectation, expectCall, expectConfirmation, type Evidence } from "entail/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { chatStream, loopback } from "../ai-sdk/loopback.ts";
import { allPassed } from "../ai-sdk/parts.ts";
import { CANONICAL, canonicalFor, canonicalResponse, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";
import { tracing, type Tracing } from "./otel-telemetry.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
afterAll(() => writeCells("otel"));

const seen = (situation: Situation, how: Cell["how"]): void => recordCell("otel", situation, { outcome: "seen", how });
const cannotOccur = (situation: Situation, how: Cell["how"]): void => recordCell("otel", situation, { outcome: "cannot occur", how });

/** The model's answers, in the order of its turns; an agent within a tool is told by its prompt. */
function script(...answers: readonly FixtureResponse[]): void {
  mock.clearFixtures();
  mock.addFixture({
    match: {},
    response: ({ messages }) => {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      if (JSON.stringify(messages).includes("Look inside.")) return turn === 0 ? { toolCalls: [{ id: "i1", name: "list", arguments: '{"window":"24h"}' }] } : { content: "Found." };
      return answers[turn] ?? { error: { message: "the script is over" }, status: 400 };
    },
  });
}
const asks = (...calls: readonly (readonly [string, string, string])[]): FixtureResponse => ({ toolCalls: calls.map(([id, name, args]) => ({ id, name, arguments: args })) });
const model = (url = mock.url): ReturnType<ReturnType<typeof createOpenAI>["chat"]> => createOpenAI({ baseURL: `${url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini");

const list = tool({ description: "Lists.", inputSchema: z.looseObject({ window: z.string() }), execute: ({ window }) => ({ window, ids: ["a1"] }) });
const tools = (traced: Tracing): ToolSet => ({
  list,
  pay: tool({ description: "Pays.", inputSchema: z.object({ amount: z.number() }), execute: async (): Promise<string> => { throw new Error("card declined"); } }),
  remove: tool({ description: "Deletes.", inputSchema: z.object({ id: z.string() }), execute: ({ id }) => ({ deleted: id }) }),
  research: tool({ description: "Researches.", inputSchema: z.object({}), execute: async () => (await agent(traced, { tools: { list } }).generate({ prompt: "Look inside." })).text }),
});
function agent(traced: Tracing, over: object = {}): ToolLoopAgent<never, ToolSet> {
  return new ToolLoopAgent<never, ToolSet>({ model: model(), tools: tools(traced), maxRetries: 0, onError: () => undefined, telemetry: { integrations: [traced.telemetry] }, ...over });
}

/** Runs the agent to its end, and reads its trace. */
async function trace(over: object = {}, prompt: string | ModelMessage[] = "Go.", { signal, ...options }: EventsOptions & { signal?: AbortSignal } = {}, traced = tracing()): Promise<OtelEvents> {
  try {
    const { fullStream } = await agent(traced, over).stream({ prompt, ...(signal === undefined ? {} : { abortSignal: signal }) });
    for await (const part of fullStream) void part;
  } catch {
    // What became of it is in the trace.
  }
  return events(traced.spans(), options);
}
const run = async (over: object = {}, prompt: string | ModelMessage[] = "Go.", options: EventsOptions & { signal?: AbortSignal } = {}): Promise<Evidence> => collect(await trace(over, prompt, options));
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolName, args, result, failure, completed }) => [toolName, args, failure?.kind ?? result, completed]);

test("two parallel calls", async () => {
  script(asks(["c1", "list", '{"window":"24h"}'], ["c2", "list", '{"window":"7d"}']), { content: "Done." });
  expect(look(await run())).toEqual([["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, true], ["list", { window: "7d" }, { window: "7d", ids: ["a1"] }, true]]);
  seen("parallel_calls", "both calls in the order in which the model issued them, each with its own result");
});

test("arguments in pieces that split an escape and a surrogate pair", async () => {
  const pieces = ['{ "win', 'dow": "caf\\u0', '0e9 \ud83d', '\ude00" }'];
  const first = pieces.map((piece, at) => ({ tool_calls: [{ index: 0, ...(at === 0 ? { id: "c1", type: "function" } : {}), function: { ...(at === 0 ? { name: "list" } : {}), arguments: piece } }] }));
  await using server = await loopback((_request, index) => ({ sse: index === 0 ? chatStream(first, "tool_calls") : chatStream([{ content: "Done." }], "stop") }));
  const stream = await trace({ model: model(server.url) });
  const evidence = await collect(stream);
  expect(evidence.toolCalls).toMatchObject([{ argsJson: '{"window":"café 😀"}' }]);
  expect(stream.observes.deltas).toBe(false);
  seen("split_arguments", "the whole arguments, as the span holds them; the pieces are gone once a trace is finished");
});

test("a tool that throws", async () => {
  script(asks(["c1", "pay", '{"amount":5}']), { content: "It failed." });
  const evidence = await run();
  expect(look(evidence)).toEqual([["pay", { amount: 5 }, "unknown", true]]);
  expect(evidence).toMatchObject({ terminalPhase: "completed", toolCalls: [{ failure: { error: { message: "card declined" } } }], observes: { results: true, failureKinds: false } });
  expect(look(await run({}, "Go.", { failureKind: (_tool, _type, message) => (message === "card declined" ? "domain_rejection" : undefined) }))).toEqual([["pay", { amount: 5 }, "domain_rejection", true]]);
  seen("tool_throws", "a failed call with the span's message; its kind where `error.type` or the application says it, else kinds are declared unseen");
});

test("a call of an unknown tool", async () => {
  script(asks(["c1", "no_such_tool", '{"x":1}']), { content: "No." });
  const evidence = await run();
  expect(look(evidence)).toEqual([["no_such_tool", { x: 1 }, "invalid_call", true]]);
  seen("unknown_tool", "the call that the model issued: `invalid_call` where the next request tells the AI SDK's refusal, else without an end");
});

test("invalid arguments", async () => {
  script(asks(["c1", "pay", '{"amount":"five"}'], ["c2", "list", '{"window":"24h"}']), { content: "No." });
  const evidence = await run();
  expect(look(evidence)).toEqual([["pay", { amount: "five" }, "invalid_call", true], ["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, true]]);
  seen("invalid_arguments", "the call as the model issued it: `invalid_call` where the next request tells the AI SDK's refusal, else without an end");
});

const cautious = { toolApproval: { remove: "user-approval" } };

async function decided(approved: boolean): Promise<{ first: Evidence; second: Evidence; types: string[] }> {
  script(asks(["c1", "remove", '{"id":"a1"}']), { content: "As you wish." });
  const asked = tracing({ conversationId: "talk" });
  const result = await agent(asked, cautious).stream({ prompt: "Go." });
  const parts: { type: string; approvalId?: string }[] = [];
  for await (const part of result.fullStream) parts.push(part);
  const approvalId = parts.find(({ type }) => type === "tool-approval-request")?.approvalId ?? "";
  const messages: ModelMessage[] = [{ role: "user", content: "Go." }, ...((await result.responseMessages) as ModelMessage[]), { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved }] }];
  const stream = await trace(cautious, messages, {}, tracing({ conversationId: "talk" }));
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  return { first: await collect(events(asked.spans())), second: await collect(stream), types };
}

test.each([{ approved: true, situation: "approval_granted" }, { approved: false, situation: "approval_refused" }] as const)("$situation: what was done is seen, who allowed it is not", async ({ approved, situation }) => {
  const { first, second, types } = await decided(approved);
  expect(first).toMatchObject({ terminalPhase: "suspended", sessionId: "talk" });
  expect(second).toMatchObject({ terminalPhase: "completed", sessionId: "talk", answer: "As you wish.", observes: { approvals: false } });
  expect(look(second)).toEqual(approved ? [["remove", { id: "a1" }, { deleted: "a1" }, true]] : []);
  expect(second.toolCalls.some(({ approval }) => approval !== undefined)).toBe(false);
  expect(types.filter((type) => /confirm|authori/.test(type))).toEqual([]);
  cannotOccur(situation, approved ? "the conventions record no approval: the call is there because it ran, as if nobody had been asked" : "the conventions record no approval: a call that was refused did not run, and its run holds nothing of it");
});

test("an approval left pending", async () => {
  script(asks(["c1", "remove", '{"id":"a1"}']), { content: "never" });
  const evidence = await run(cautious);
  expect(look(evidence)).toEqual([["remove", { id: "a1" }, undefined, false]]);
  expect(evidence).toMatchObject({ terminalPhase: "suspended", ended: true });
  expect(evidence.confirmation).toBeUndefined();
  expect(() => expectation({ confirmation: expectConfirmation({ name: "remove" }) }).checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }) as Error);
  cannotOccur("approval_pending", "the conventions record no approval: the run is `suspended` with a call that was issued and has no end, and nothing says that somebody was asked");
});

test("a nested agent", async () => {
  script(asks(["c1", "research", "{}"]), { content: "One." });
  const evidence = await run();
  expect(evidence.toolCalls.map(({ toolName, parentToolCallId, result }) => [toolName, parentToolCallId, result])).toEqual([["research", undefined, "Found."], ["list", "c1", { window: "24h", ids: ["a1"] }]]);
  expect(evidence).toMatchObject({ answer: "One.", observes: { parents: true } });
  seen("nested_agent", "its calls below the call of the tool, by the parents of the spans; its words are none of the answer");
});

test("a provider's own tool whose result comes in a later step", async () => {
  const event = (value: object): string => JSON.stringify(value);
  const message = (blocks: readonly object[], stop_reason: string): string[] => [
    event({ type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [], model: "claude", stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } }),
    ...blocks.flatMap((content_block, index) => {
      const json = "input" in content_block ? [event({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: event(content_block.input as object) } })] : [];
      return [event({ type: "content_block_start", index, content_block: "input" in content_block ? { ...content_block, input: {} } : content_block }), ...json, event({ type: "content_block_stop", index })];
    }),
    event({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 2 } }),
    event({ type: "message_stop" }),
  ];
  const page = { type: "web_search_result", url: "https://weather.example", title: "Weather", encrypted_content: "x", page_age: null };
  await using server = await loopback((_request, index) => ({
    sse: index === 0
      ? message([{ type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } }, { type: "tool_use", id: "c1", name: "list", input: { window: "24h" } }], "tool_use")
      : message([{ type: "web_search_tool_result", tool_use_id: "s1", content: [page] }], "end_turn"),
  }));
  const anthropic = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: "test" });
  const evidence = await run({ model: anthropic("claude-sonnet-4-5"), tools: { web_search: anthropic.tools.webSearch_20250305({}), list } });
  expect(evidence.toolCalls.map(({ toolName, args, completed }) => [toolName, args, completed])).toEqual([["web_search", { query: "x" }, true], ["list", { window: "24h" }, true]]);
  expect(JSON.stringify(evidence.toolCalls[0]?.result)).toContain("weather.example");
  expect(evidence.observes).toMatchObject({ args: true, results: true });
  seen("provider_executed", "one call with the response that the model's output of a later step holds");
});

test("a stream that is cut off", async () => {
  await using server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut: true }));
  const traced = tracing();
  await trace({ model: model(server.url) }, "Go.", {}, traced).catch(() => undefined);
  const spans = traced.spans();
  const root = spans.find(({ name }) => name.startsWith("invoke_agent"));
  expect(root?.name).toMatch(/^invoke_agent/);
  // The instrumentation says that the run failed.
  expect(await collect(events(spans))).toMatchObject({ terminalPhase: "failed", ended: true });
  // A process that went down exports no root.
  script(asks(["c1", "list", '{"window":"24h"}']), { content: "Done." });
  const whole = tracing();
  await trace({}, "Go.", {}, whole);
  const error: unknown = await collect(events(whole.spans().filter(({ name }) => !name.startsWith("invoke_agent")))).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "stream_incomplete", evidence: { ended: false, answer: "Done.", toolCalls: [{ toolName: "list" }] } });
  seen("cut_off", "a `failed` run where the root's span says so; without the root, or without its end, `collect` rejects with `stream_incomplete`");
});

test("an abort", async () => {
  const controller = new AbortController();
  const slow = tool({ description: "Waits.", inputSchema: z.object({}), execute: (_input, { abortSignal }) => new Promise((_resolve, reject) => { abortSignal?.addEventListener("abort", () => reject(abortSignal.reason as Error)); queueMicrotask(() => controller.abort(new Error("enough"))); }) });
  script({ content: "I wait.", toolCalls: [{ id: "c1", name: "slow", arguments: "{}" }] }, { content: "never" });
  const evidence = await run({ tools: { slow } }, "Go.", { signal: controller.signal });
  expect(evidence).toMatchObject({ terminalPhase: "cancelled", ended: true, toolCalls: [{ toolName: "slow", failure: { kind: "cancelled" } }] });
  seen("abort", "a `cancelled` run where the root's `error.type` says so; a root that ends without a word of its end has none");
});

describe("the canonical scenario", () => {
  const weather = tool({ description: WEATHER_TOOL.description, inputSchema: jsonSchema<{ city: string }>(WEATHER_TOOL.inputSchema as never), execute: async () => RESULT });
  const canonical = async (traced: Tracing, options: EventsOptions = {}): Promise<Evidence> => {
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: canonicalResponse });
    return collect(await trace({ tools: { get_weather: weather } }, QUESTION, options, traced));
  };

  test("gives the canonical evidence", async () => {
    const evidence = await canonical(tracing());
    expect(comparable(evidence)).toEqual(CANONICAL);
    expect(allPassed(expectation({ exact: true, tools: [expectCall({ name: "get_weather" }, { args: { city: "Brooklyn" } })] }).checks(evidence))).toBe(true);
  });

  test("without content, nothing is said of its calls", async () => {
    const evidence = await canonical(tracing({ content: false }), { withoutMessages: true });
    expect({ ...comparable(evidence), answer: "" }).toEqual({ ...canonicalFor(evidence.observes), answer: "" });
    expect(evidence.observes).toMatchObject({ args: false, results: false, failureKinds: false, parents: false });
  });
});

test("on a trace without content, that no tool was called makes a scenario errored, neither passed nor failed", async () => {
  script({ content: "Nothing was deleted." });
  const stream = await trace({}, "Go.", { withoutMessages: true }, tracing({ content: false }));
  const seeing = await trace();
  const asked = { blind: stream, seeing };
  const report = await createRunner({ maxConcurrency: 1 }).run({
    id: "recorded", description: "d",
    scenarios: Object.entries(asked).map(([id, one]) => ({ id, description: "d", tags: [], timeoutMs: 5000, run: async () => ({ checks: expectation({ forbidTools: ["remove"] }).checks(await collect(one)) }) })),
  });
  expect(report.scenarios.map(({ id, outcome, error }) => [id, outcome, error?.code])).toEqual([["blind", "errored", "not_observable"], ["seeing", "passed", undefined]]);
});

describe("what the AI SDK's own telemetry recorded", () => {
  type Recorded = Readonly<Record<"parallel" | "throws" | "unknown" | "invalid" | "pending" | "nested" | "nocontent" | "cut" | "abort" | "provider", object>>;
  const recorded = (name: string): Recorded => JSON.parse(readFileSync(join(import.meta.dirname, `../fixture/otel/${name}.json`), "utf8")) as Recorded;

  test.each([["by the conventions", recorded("ai-sdk")], ["by its older names", recorded("ai-sdk-legacy")]])("%s", async (_how, traces) => {
    const of = (name: keyof Recorded, options: EventsOptions = {}): Promise<Evidence> => collect(events(traces[name], options));
    expect(look(await of("parallel"))).toEqual([["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, true], ["list", { window: "7d" }, { window: "7d", ids: ["a1"] }, true]]);
    expect(await of("parallel")).toMatchObject({ answer: "Done.", terminalPhase: "completed", usage: { inputTokens: 16, outputTokens: 12, requests: 2 } });
    expect(await of("throws")).toMatchObject({ terminalPhase: "completed", toolCalls: [{ toolName: "pay", failure: { kind: "unknown", error: { message: "card declined" } } }] });
    expect(look(await of("unknown"))).toEqual([["nope", { amount: 5 }, "invalid_call", true]]);
    expect(look(await of("invalid"))).toEqual([["pay", { amount: "five" }, "invalid_call", true]]);
    expect(await of("pending")).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ toolName: "remove", completed: false }] });
    expect((await of("nested")).toolCalls.map(({ toolName, parentToolCallId }) => [toolName, parentToolCallId])).toEqual([["research", undefined], ["list", "c0"]]);
    expect(await of("cut")).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: "boom", kind: "AI_APICallError" } });
    await expect(of("abort")).rejects.toMatchObject({ code: "stream_incomplete" });
    await expect(of("nocontent")).rejects.toMatchObject({ code: "not_observable" });
    expect(await of("nocontent", { withoutMessages: true })).toMatchObject({ observes: { args: false, results: false }, toolCalls: [{ toolName: "list" }] });
  });

  test("a provider's own call, whose response only the conventions record", async () => {
    const [web] = (await collect(events(recorded("ai-sdk").provider))).toolCalls;
    expect(web).toMatchObject({ toolName: "web_search", completed: true });
    expect(web?.resultJson).toContain("weather.example");
    const older = await collect(events(recorded("ai-sdk-legacy").provider));
    expect(older).toMatchObject({ observes: { args: true, results: false }, toolCalls: [{ toolName: "web_search", completed: false }, { toolName: "list", completed: true }] });
  });
});
