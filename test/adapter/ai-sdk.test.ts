// Runs a real agent of the AI SDK over HTTP through the twelve situations, and through the canonical scenario.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { jsonSchema, readUIMessageStream, tool, ToolLoopAgent, type ModelMessage } from "ai";
import { check } from "entail";
import { events, target, type AgentTargetOptions } from "entail/adapter/ai-sdk";
import { checks, converse, runEvals } from "entail/conversation";
import { collect, expectation, expectCall, expectConfirmation, type Evidence } from "entail/evidence";
import { targetContract, type TargetHarness, type TargetSituation } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { chatStream, loopback, type Answer, type Received } from "../ai-sdk/loopback.ts";
import { allPassed } from "../ai-sdk/parts.ts";
import { CANONICAL, canonicalResponse, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
afterAll(() => writeCells("ai-sdk"));

const seen = (situation: Situation, how: Cell["how"]): void => recordCell("ai-sdk", situation, { outcome: "seen", how });

/** The model's answers, in the order of its turns. */
function script(...answers: readonly FixtureResponse[]): void {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: ({ messages }) => answers[messages.filter(({ role }) => role === "assistant").length] ?? { error: { message: "the script is over" }, status: 400 } });
}
const call = (id: string, name: string, args: string): { id: string; name: string; arguments: string } => ({ id, name, arguments: args });
const asks = (...toolCalls: ReturnType<typeof call>[]): FixtureResponse => ({ toolCalls });
const model = (url = mock.url): ReturnType<ReturnType<typeof createOpenAI>["chat"]> => createOpenAI({ baseURL: `${url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini");

const deleted: string[] = [];
const tools = {
  list: tool({ description: "Lists.", inputSchema: z.object({ window: z.string() }), execute: ({ window }) => ({ window, ids: ["a1"] }) }),
  remove: tool({ description: "Deletes.", inputSchema: z.object({ id: z.string() }), execute: ({ id }) => { deleted.push(id); return { deleted: id }; } }),
  pay: tool({ description: "Pays.", inputSchema: z.object({ amount: z.number() }), execute: async (): Promise<string> => { throw new Error("card declined"); } }),
};
const agent = (over: object = {}): ToolLoopAgent<never, typeof tools> => new ToolLoopAgent({ model: model(), tools, onError: () => undefined, ...over });
const run = (of: ToolLoopAgent<never, typeof tools>, prompt: string | ModelMessage[] = "Go."): Promise<Evidence> => collect(events(of.stream({ prompt })));
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolName, args, result, failure, approval, completed }) => [toolName, args, failure?.kind ?? result, approval, completed]);

test("two parallel calls", async () => {
  script(asks(call("c1", "list", '{"window":"24h"}'), call("c2", "list", '{"window":"7d"}')), { content: "Done." });
  expect(look(await run(agent()))).toEqual([
    ["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, undefined, true],
    ["list", { window: "7d" }, { window: "7d", ids: ["a1"] }, undefined, true],
  ]);
  seen("parallel_calls", "both calls in the order in which the model issued them, each with its own result");
});

test("arguments in pieces that split an escape and a surrogate pair", async () => {
  const pieces = ['{ "win', 'dow": "caf\\u0', '0e9 \ud83d', '\ude00", "n": 9007199254740993 }'];
  const first = pieces.map((piece, at) => ({ tool_calls: [{ index: 0, ...(at === 0 ? { id: "c1", type: "function" } : {}), function: { ...(at === 0 ? { name: "list" } : {}), arguments: piece } }] }));
  await using server = await loopback((_request, index) => ({ sse: index === 0 ? chatStream(first, "tool_calls") : chatStream([{ content: "Done." }], "stop") }));
  const open = tool({ description: "Lists.", inputSchema: z.looseObject({ window: z.string() }), execute: () => "none" });
  const evidence = await collect(events(new ToolLoopAgent({ model: model(server.url), tools: { list: open } }).stream({ prompt: "Go." })));
  expect(evidence.toolCalls[0]?.argsJson).toBe('{"n":9007199254740993,"window":"café 😀"}');
  seen("split_arguments", "the arguments as the model wrote them, put together again, with every digit");
});

test("a tool that throws", async () => {
  script(asks(call("c1", "pay", '{"amount":5}')), { content: "It failed." });
  const evidence = await run(agent());
  expect(look(evidence)).toEqual([["pay", { amount: 5 }, "unknown", undefined, true]]);
  expect(evidence).toMatchObject({ terminalPhase: "completed", toolCalls: [{ failure: { error: { message: "card declined" } } }] });
  seen("tool_throws", "a failed call with the error's message; its kind where the error or the application says it, else `unknown`");
});

test("a call of an unknown tool", async () => {
  script(asks(call("c1", "no_such_tool", '{"x":1}')), { content: "No." });
  expect(look(await run(agent()))).toEqual([["no_such_tool", { x: 1 }, "invalid_call", undefined, true]]);
  seen("unknown_tool", "a failed call of kind `invalid_call` under the name that the model gave");
});

test("invalid arguments, and arguments that are no JSON", async () => {
  script(asks(call("c1", "pay", '{"amount":"five"}'), call("c2", "pay", '{"amount": 5,, }')), { content: "No." });
  expect(look(await run(agent()))).toEqual([["pay", { amount: "five" }, "invalid_call", undefined, true], ["pay", '{"amount": 5,, }', "invalid_call", undefined, true]]);
  seen("invalid_arguments", "a failed call of kind `invalid_call` with the arguments as the model wrote them");
});

const cautious = (): ToolLoopAgent<never, typeof tools> => agent({ toolApproval: { remove: "user-approval" } });

async function decided(approved: boolean): Promise<Evidence> {
  deleted.length = 0;
  script(asks(call("c1", "remove", '{"id":"a1"}')), { content: "As you wish." });
  const result = await cautious().stream({ prompt: "Go." });
  const first = await collect(events(result, { runId: "one" }));
  expect(first).toMatchObject({ terminalPhase: "suspended", toolCalls: [] });
  const messages: ModelMessage[] = [{ role: "user", content: "Go." }, ...((await result.responseMessages) as ModelMessage[]), { role: "tool", content: [{ type: "tool-approval-response", approvalId: first.confirmation?.id ?? "", approved }] }];
  return collect(events(cautious().stream({ messages }), { runId: "two" }), {}, { rootRunId: "two", continues: first });
}

test("an approval granted", async () => {
  expect(look(await decided(true))).toEqual([["remove", { id: "a1" }, { deleted: "a1" }, "approved", true]]);
  expect(deleted).toEqual(["a1"]);
  seen("approval_granted", "the confirmation in the first run; in the run that goes on, the approved call with its result");
});

test("an approval refused", async () => {
  expect(await decided(false)).toMatchObject({ terminalPhase: "completed", toolCalls: [{ toolName: "remove", approval: "denied", completed: false }] });
  expect(deleted).toEqual([]);
  seen("approval_refused", "the call in the run that goes on, denied and not executed; not a failure");
});

test("an approval left pending", async () => {
  deleted.length = 0;
  script(asks(call("c1", "remove", '{"id":"a1"}')), { content: "never" });
  const evidence = await run(cautious());
  expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "remove", args: { id: "a1" }, state: "pending" }, toolCalls: [] });
  expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "remove" }), forbidTools: ["remove"] }).checks(evidence))).toBe(true);
  expect(deleted).toEqual([]);
  seen("approval_pending", "a suspended run with the confirmation and without the call");
});

test("a turn whose approvals are decided goes on, with one call and no more", async () => {
  // Two calls wait at once beside one that does not, and what they give leads to a third.
  const turns = [asks(call("c0", "list", '{"window":"1h"}'), call("c1", "remove", '{"id":"a1"}'), call("c2", "remove", '{"id":"a2"}')), asks(call("c3", "remove", '{"id":"a3"}')), { content: "As you wish." }];
  const asked = target(cautious());
  const spoken = async (approvals: "approve" | "reject"): Promise<Evidence> => {
    deleted.length = 0;
    script(...turns);
    const { evidence } = await converse(asked, [{ input: "Go.", approvals }]);
    expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "As you wish.", confirmation: { toolCallId: "c3", state: approvals === "approve" ? "approved" : "denied" } });
    return evidence;
  };
  const listed = ["list", { window: "1h" }, { window: "1h", ids: ["a1"] }, undefined, true];
  expect(look(await spoken("approve"))).toEqual([listed, ...["a1", "a2", "a3"].map((id) => ["remove", { id }, { deleted: id }, "approved", true])]);
  expect(deleted).toEqual(["a1", "a2", "a3"]);
  expect(look(await spoken("reject"))).toEqual([listed, ...["a1", "a2", "a3"].map((id) => ["remove", { id }, undefined, "denied", false])]);
  expect(deleted).toEqual([]);
  script(...turns);
  expect(await runEvals({ target: asked, data: [{ turns: [{ input: "Go.", approvals: "expect" }] }] })).toMatchObject({ verdict: "passed" });
  expect(deleted).toEqual([]);
  script(...turns);
  const bare = await runEvals({ target: target((call) => cautious().stream(call as never).then((result) => result.stream)), data: [{ input: "Go.", approvals: "approve" }], gates: [checks.calledTool("remove")] });
  expect(bare.items[0]?.error?.message).toMatch(/needs the messages of the run that stopped/);
});

test("a model that gives every call the same id loses none of them when the run goes on", async () => {
  deleted.length = 0;
  script(asks(call("call_0", "list", '{"window":"1h"}')), asks(call("call_0", "remove", '{"id":"a1"}')), asks(call("call_0", "list", '{"window":"7d"}')), { content: "Done." });
  const { evidence } = await converse(target(cautious()), [{ input: "Go.", approvals: "approve" }]);
  expect(look(evidence)).toEqual([["list", { window: "1h" }, { window: "1h", ids: ["a1"] }, undefined, true], ["remove", { id: "a1" }, { deleted: "a1" }, "approved", true], ["list", { window: "7d" }, { window: "7d", ids: ["a1"] }, undefined, true]]);
  expect(deleted).toEqual(["a1"]);
});

test("a nested agent", async () => {
  mock.clearFixtures();
  mock.addFixture({
    match: {},
    response: ({ messages }) => {
      const inner = JSON.stringify(messages[0]).includes("You research");
      if (messages.some(({ role }) => role === "assistant")) return { content: inner ? "inner words" : "One." };
      return inner ? asks(call("c1", "list", '{"window":"24h"}')) : asks(call("c1", "research", "{}"));
    },
  });
  const inner = new ToolLoopAgent({ model: model(), instructions: "You research.", tools: { list: tools.list } });
  const shows = tool({ description: "Researches.", inputSchema: z.object({}), async *execute() { for await (const message of readUIMessageStream({ stream: (await inner.stream({ prompt: "Go." })).toUIMessageStream() })) yield message; }, toModelOutput: () => ({ type: "text", value: "one" }) });
  const hides = tool({ description: "Researches.", inputSchema: z.object({}), execute: async () => (await inner.generate({ prompt: "Go." })).text });
  const of = (research: unknown): Promise<Evidence> => collect(events(new ToolLoopAgent({ model: model(), tools: { research: research as typeof hides } }).stream({ prompt: "How many?" })));
  const shown = await of(shows);
  expect(shown.toolCalls.map(({ toolName, parentToolCallId }) => [toolName, parentToolCallId])).toEqual([["research", undefined], ["list", "c1"]]);
  expect(shown.answer).toBe("One.");
  const hidden = await of(hides);
  expect(hidden.toolCalls.map(({ toolName }) => toolName)).toEqual(["research"]);
  expect(hidden.observes.parents).toBe(false);
  seen("nested_agent", "where the tool gives back the UI message that the agent built, its calls below the tool's call; `parents` is declared unseen, since any other tool hides them");
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
      : message([{ type: "web_search_tool_result", tool_use_id: "s1", content: [page] }, { type: "text", text: "Sunny." }], "end_turn"),
  }));
  const anthropic = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: "test" });
  const searching = new ToolLoopAgent({ model: anthropic("claude-sonnet-4-5"), tools: { web_search: anthropic.tools.webSearch_20250305({}), list: tools.list } });
  const evidence = await collect(events(searching.stream({ prompt: "Go." })));
  expect(evidence.toolCalls.map(({ toolName, args, completed }) => [toolName, args, completed])).toEqual([["web_search", { query: "x" }, true], ["list", { window: "24h" }, true]]);
  expect(JSON.stringify(evidence.toolCalls[0]?.result)).toContain("weather.example");
  expect(server.received).toHaveLength(2);
  seen("provider_executed", "one call with the result that the later step brought");
});

test("a stream that is cut off", async () => {
  await using server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut: true }));
  const error: unknown = await run(agent({ model: model(server.url), maxRetries: 0 })).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order", ended: false } });
  seen("cut_off", "`collect` rejects with `stream_incomplete`; what was seen is kept, and no end is made up");
});

test("an abort", async () => {
  const controller = new AbortController();
  const slow = tool({ description: "Waits.", inputSchema: z.object({}), execute: (_input, { abortSignal }) => new Promise((_resolve, reject) => { abortSignal?.addEventListener("abort", () => reject(abortSignal.reason)); queueMicrotask(() => controller.abort(new Error("enough"))); }) });
  script({ content: "I wait.", toolCalls: [call("c1", "slow", "{}")] }, { content: "never" });
  const evidence = await collect(target(agent({ tools: { slow } })).send("Go.", { signal: controller.signal }));
  expect(evidence).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "I wait.", toolCalls: [{ toolName: "slow" }] });
  seen("abort", "a cancelled run with what it had begun");
});

const weather = tool({ description: WEATHER_TOOL.description, inputSchema: jsonSchema<{ city: string }>(WEATHER_TOOL.inputSchema as never), execute: async () => RESULT });
const weatherAgent = (): ToolLoopAgent<never, { get_weather: typeof weather }> => new ToolLoopAgent({ model: model(), tools: { get_weather: weather }, onError: () => undefined });

test("the canonical scenario gives the canonical evidence", async () => {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: canonicalResponse });
  const evidence = await collect(target(weatherAgent()).send(QUESTION, { signal: new AbortController().signal }));
  expect(comparable(evidence)).toEqual(CANONICAL);
  expect(allPassed([...expectation({ tools: [expectCall({ name: "get_weather" })] }).checks(evidence), check("answer", evidence.answer.includes("sunny"), evidence.answer)])).toBe(true);
});

describe("the contract of a target, kept by a ToolLoopAgent", () => {
  const answer = (content: string): Answer => ({ sse: chatStream([{ content }], "stop") });
  const calling = (name: string, args: string): Answer => ({ sse: chatStream([{ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name, arguments: args } }] }], "tool_calls") });
  const over = async (answers: (request: Received) => Answer, settings: object = {}, options: AgentTargetOptions = {}): Promise<TargetSituation<any>> => {
    const server = await loopback(answers);
    return { target: target(agent({ model: model(server.url), maxRetries: 0, ...settings }), options), input: "Go.", close: () => server[Symbol.asyncDispose]() };
  };
  const asked = ({ body }: Received): boolean => body.messages.some(({ role }: { role: string }) => role === "tool");
  const harness: TargetHarness<any> = {
    answers: async () => ({ ...(await over(() => answer("Hi."))), answer: "Hi." }),
    waits: () => over(() => ({ sse: chatStream([{ content: "Wai" }], undefined), hang: true })),
    breaksOff: async () => ({ ...(await over(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut: true }))), said: "Your order" }),
    calls: async () => ({ ...(await over((request) => (asked(request) ? answer("Done.") : calling("list", '{"window":"24h"}')))), toolName: "list", args: { window: "24h" }, result: { window: "24h", ids: ["a1"] } }),
    fails: async () => ({ ...(await over((request) => (asked(request) ? answer("No.") : calling("pay", '{"amount":5}')))), toolName: "pay", kind: "unknown" }),
    asks: async () => ({ ...(await over(() => calling("remove", '{"id":"a1"}'), { toolApproval: { remove: "user-approval" } })), toolName: "remove" }),
    decides: async () => {
      deleted.length = 0;
      return { ...(await over((request) => (asked(request) ? answer("Done.") : calling("remove", '{"id":"a1"}')), { toolApproval: { remove: "user-approval" } })), toolName: "remove", made: () => deleted.length };
    },
    bounded: async () => ({ ...(await over((request) => (asked(request) ? answer("Done.") : calling("list", '{"window":"24h"}')), {}, { bounds: () => ({ returned: 1, truncated: true }) })), toolName: "list", bounds: { returned: 1, truncated: true } }),
    remembers: async () => ({ ...(await over(({ body }) => answer(JSON.stringify(body.messages)))), input: "Brooklyn.", next: "What did I say?", shows: (text: string) => text.includes("Brooklyn") }),
  };
  test.each(targetContract(harness))("$name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });
});
