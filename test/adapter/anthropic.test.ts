// Runs real agents on the Messages API over HTTP through the twelve situations, and through the canonical scenario: the loop of `target`, the SDK's own
// tool runner, and an application's loop.
import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { check, createRunner } from "entail";
import { events, provider, target, type LoopTargetOptions, type TargetTool } from "entail/adapter/anthropic";
import { converse, runEvals } from "entail/conversation";
import { collect, expectation, expectCall, expectConfirmation, type Evidence, type StreamEvent } from "entail/evidence";
import { createJudge } from "entail/judge";
import { createClient } from "entail/model";
import { targetContract, type TargetHarness, type TargetSituation } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { loopback, type Loopback, type Received } from "../ai-sdk/loopback.ts";
import { allPassed } from "../ai-sdk/parts.ts";
import { CANONICAL, canonicalResponse, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
afterAll(() => writeCells("anthropic"));

const seen = (situation: Situation, how: Cell["how"]): void => recordCell("anthropic", situation, { outcome: "seen", how });
const MODEL = "claude-test";
const clientOf = (baseURL = mock.url): Anthropic => new Anthropic({ baseURL, apiKey: "test", maxRetries: 0 });

/** The model's answers, in the order of its turns. */
function script(...answers: readonly FixtureResponse[]): void {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: ({ messages }) => answers[messages.filter(({ role }) => role === "assistant").length] ?? { error: { message: "the script is over" }, status: 400 } });
}
const call = (id: string, name: string, args: string): { id: string; name: string; arguments: string } => ({ id, name, arguments: args });
const asks = (...toolCalls: ReturnType<typeof call>[]): FixtureResponse => ({ toolCalls });

const event = (value: object): string => JSON.stringify(value);
interface Block { readonly block: object; readonly pieces?: readonly string[]; readonly text?: string }
/** A streamed message with these blocks. */
function message(blocks: readonly Block[], stopReason: string | undefined, usage: object = { output_tokens: 13 }): string[] {
  return [
    event({ type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [], model: MODEL, stop_reason: null, stop_sequence: null, usage: { input_tokens: 21, output_tokens: 1 } } }),
    ...blocks.flatMap(({ block, pieces = [], text }, index) => [
      event({ type: "content_block_start", index, content_block: block }),
      ...pieces.map((partial_json) => event({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } })),
      ...(text === undefined ? [] : [event({ type: "content_block_delta", index, delta: { type: "text_delta", text } })]),
      event({ type: "content_block_stop", index }),
    ]),
    ...(stopReason === undefined ? [] : [event({ type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage }), event({ type: "message_stop" })]),
  ];
}
const words = (text: string): Block => ({ block: { type: "text", text: "" }, text });
const use = (id: string, name: string, ...pieces: readonly string[]): Block => ({ block: { type: "tool_use", id, name, input: {} }, pieces });
const serving = (answer: (request: Received, index: number) => readonly string[], rest: object = {}): Promise<Loopback> => loopback((request, index) => ({ named: true, sse: answer(request, index), ...rest }));

const object = (properties: object, required: readonly string[] = Object.keys(properties)): object => ({ type: "object", properties, required });
const deleted: string[] = [];
const list: TargetTool = { definition: { name: "list", description: "Lists.", input_schema: object({ window: { type: "string" } }) }, run: ({ window }: { window: string }) => ({ window, ids: ["a1"] }) };
const pay: TargetTool = { definition: { name: "pay", description: "Pays.", input_schema: object({ amount: { type: "number" } }) }, run: () => { throw Object.assign(new Error("card declined"), { kind: "domain_rejection" }); } };
const removing = (approve?: TargetTool["approve"]): TargetTool => ({ definition: { name: "remove", description: "Deletes.", input_schema: object({ id: { type: "string" } }) }, approve, run: ({ id }: { id: string }) => { deleted.push(id); return { deleted: id }; } });

const agent = (over: Partial<LoopTargetOptions> = {}): ReturnType<typeof target> => target({ client: clientOf(), model: MODEL, tools: { list, pay }, system: "You test.", ...over });
const never = new AbortController().signal;
const run = (of = agent(), input: Parameters<ReturnType<typeof target>["send"]>[0] = "Go."): Promise<Evidence> => collect(of.send(input, { signal: never }));
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolName, args, result, failure, approval, completed }) => [toolName, args, failure?.kind ?? result, approval, completed]);

test("two parallel calls, through the loop of the target, the SDK's tool runner and an application's own loop", async () => {
  const both = [
    ["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, undefined, true],
    ["list", { window: "7d" }, { window: "7d", ids: ["a1"] }, undefined, true],
  ];
  script(asks(call("c1", "list", '{"window":"24h"}'), call("c2", "list", '{"window":"7d"}')), { content: "Done." });
  const driven = agent().send("Go.", { signal: never });
  expect(look(await collect(driven))).toEqual(both);
  expect(driven).toMatchObject({ warnings: [] });

  const runnable = betaZodTool({ name: "list", description: "Lists.", inputSchema: z.object({ window: z.string() }), run: ({ window }) => JSON.stringify({ window, ids: ["a1"] }) });
  const body = { model: MODEL, max_tokens: 99, tools: [runnable], thread: false };
  for (const stream of [true, false]) {
    const runner = target(({ messages, signal }) => clientOf().beta.messages.toolRunner({ ...body, messages, stream } as never, { signal }) as never);
    const evidence = await run(runner);
    expect(look(evidence)).toEqual(both);
    expect(evidence).toMatchObject({ answer: "Done.", terminalPhase: "completed", ended: true });
  }

  const client = clientOf();
  async function* loop(): AsyncGenerator {
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Go." }];
    for (;;) {
      const stream = client.messages.stream({ model: MODEL, max_tokens: 99, tools: [list.definition as Anthropic.Tool], messages });
      yield stream;
      const { content, stop_reason } = await stream.finalMessage();
      if (stop_reason !== "tool_use") return;
      const results = content.flatMap((block) => (block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: JSON.stringify({ window: (block.input as { window: string }).window, ids: ["a1"] }) }] : []));
      yield results;
      messages.push({ role: "assistant", content: content as Anthropic.ContentBlockParam[] }, { role: "user", content: results });
    }
  }
  const own = await collect(events(loop()));
  expect(look(own)).toEqual(both);
  expect(own).toMatchObject({ answer: "Done.", terminalPhase: "completed", ended: true, observes: { approvals: false, failureKinds: false } });

  const first = await collect(events(clientOf().messages.stream({ model: MODEL, max_tokens: 99, messages: [{ role: "user", content: "Go." }] }), { toolResults: [{ type: "tool_result", tool_use_id: "c1", content: "one" }, { role: "user", content: [{ type: "tool_result", tool_use_id: "c2", content: [{ type: "text", text: "two" }], is_error: true }] }] }));
  expect(look(first)).toEqual([["list", { window: "24h" }, "one", undefined, true], ["list", { window: "7d" }, "unknown", undefined, true]]);
  expect([first.ended, first.terminalPhase]).toEqual([true, undefined]);
  seen("parallel_calls", "both calls in the order in which the model issued them, each with its own result");
});

test("arguments in pieces that split an escape and a surrogate pair", async () => {
  const pieces = ["", '{ "win', 'dow": "caf\\u0', '0e9 \ud83d', '\ude00", "n": 9007199254740993 }'];
  await using server = await serving((_request, index) => (index === 0 ? message([use("c1", "list", ...pieces)], "tool_use") : message([words("Done.")], "end_turn")));
  const evidence = await run(agent({ client: clientOf(server.url) }));
  expect(evidence.toolCalls[0]?.argsJson).toBe('{"n":9007199254740993,"window":"café 😀"}');
  expect(evidence).toMatchObject({ answer: "Done.", usage: { inputTokens: 42, outputTokens: 26, requests: 2 } });
  expect(server.received[1]?.body.messages[1].content[0]).toEqual({ type: "tool_use", id: "c1", name: "list", input: { window: "café 😀", n: 9007199254740992 } });
  seen("split_arguments", "the arguments as the model wrote them, put together again, with every digit");
});

test("a tool that throws, in the target's loop, and as an error result of another's", async () => {
  script(asks(call("c1", "pay", '{"amount":5}')), { content: "It failed." });
  const evidence = await run();
  expect(look(evidence)).toEqual([["pay", { amount: 5 }, "domain_rejection", undefined, true]]);
  expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "It failed.", toolCalls: [{ failure: { error: { message: "card declined" } } }] });
  const runnable = betaZodTool({ name: "pay", description: "Pays.", inputSchema: z.object({ amount: z.number() }), run: () => { throw new Error("card declined"); } });
  const runner = (): unknown => clientOf().beta.messages.toolRunner({ model: MODEL, max_tokens: 99, tools: [runnable], messages: [{ role: "user", content: "Go." }], stream: true, thread: false });
  expect(look(await collect(events(runner() as never)))).toEqual([["pay", { amount: 5 }, "unknown", undefined, true]]);
  const told = await collect(events(runner() as never, { failureKind: (name, content) => (name === "pay" && String(content).includes("declined") ? "domain_rejection" : undefined) }));
  expect(told.toolCalls[0]?.failure).toEqual({ kind: "domain_rejection", error: { message: "Error: card declined" } });
  seen("tool_throws", "a failed call with the error's message; its kind in the target's loop, where the error or the application says it, else `unknown`");
});

test("a call of an unknown tool", async () => {
  script(asks(call("c1", "no_such_tool", '{"x":1}')), { content: "No." });
  const evidence = await run();
  expect(look(evidence)).toEqual([["no_such_tool", { x: 1 }, "invalid_call", undefined, true]]);
  expect(evidence.terminalPhase).toBe("completed");
  script(asks(call("c1", "web_search", "{}")), { content: "No." });
  expect(look(await run(agent({ tools: { web_search: { definition: { type: "web_search_20250305", name: "web_search" } } } })))).toEqual([["web_search", {}, "invalid_call", undefined, true]]);
  seen("unknown_tool", "a failed call under the name that the model gave, of kind `invalid_call` in the target's loop");
});

test("invalid arguments, and arguments that are no JSON", async () => {
  await using server = await serving((_request, index) => (index === 0 ? message([use("c1", "pay", '{"amount":"five"}'), use("c2", "pay", '{"amount": 5,, }')], "tool_use") : message([words("No.")], "end_turn")));
  const evidence = await run(agent({ client: clientOf(server.url) }));
  expect(look(evidence)).toEqual([["pay", { amount: "five" }, "invalid_call", undefined, true], ["pay", '{"amount": 5,, }', "invalid_call", undefined, true]]);
  expect(evidence.toolCalls[0]?.failure?.error.message).toBe("amount must be a number");
  expect(server.received[1]?.body.messages[1].content[1].input).toEqual({ INVALID_JSON: '{"amount": 5,, }' });
  expect(server.received[1]?.body.messages[2].content).toMatchObject([{ tool_use_id: "c1", is_error: true, content: "amount must be a number" }, { tool_use_id: "c2", is_error: true }]);
  seen("invalid_arguments", "a failed call of kind `invalid_call` with the arguments as the model wrote them; the tool does not run");
});

test("what the model thought goes back to it as it was signed", async () => {
  const thought: Block = { block: { type: "thinking", thinking: "", signature: "" } };
  await using server = await serving((_request, index) => {
    if (index > 0) return message([words("Done.")], "end_turn");
    const lines = message([thought, use("c1", "list", '{"window":"1h"}')], "tool_use");
    return [...lines.slice(0, 2), event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "I look." } }), event({ type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "sig" } }), ...lines.slice(2)];
  });
  expect(await run(agent({ client: clientOf(server.url) }))).toMatchObject({ answer: "Done." });
  expect(server.received[1]?.body.messages[1].content[0]).toEqual({ type: "thinking", thinking: "I look.", signature: "sig" });
});

const asked = (answer: Awaited<ReturnType<NonNullable<TargetTool["approve"]>>>): Promise<Evidence> => {
  deleted.length = 0;
  mock.clearRequests();
  script(asks(call("c0", "list", '{"window":"1h"}'), call("c1", "remove", '{"id":"a1"}')), { content: "As you wish." });
  return run(agent({ tools: { list, remove: removing(async () => answer) } }));
};
const LISTED = ["list", { window: "1h" }, { window: "1h", ids: ["a1"] }, undefined, true];

test("an approval granted", async () => {
  const evidence = await asked(true);
  expect(look(evidence)).toEqual([LISTED, ["remove", { id: "a1" }, { deleted: "a1" }, "approved", true]]);
  expect(evidence).toMatchObject({ terminalPhase: "completed", confirmation: { toolCallId: "c1", toolName: "remove", args: { id: "a1" }, state: "approved" } });
  expect(deleted).toEqual(["a1"]);
  seen("approval_granted", "the API knows no approvals; where the tool of the target, or the application's loop, asks: the confirmation, and the approved call with its result");
});

test("an approval refused", async () => {
  expect(look(await asked(false))).toEqual([LISTED, ["remove", { id: "a1" }, undefined, "denied", false]]);
  expect(deleted).toEqual([]);
  seen("approval_refused", "where somebody is asked, the call, denied and not executed; not a failure");
});

test("an approval left pending, and one that goes on in a later run of the application's own loop", async () => {
  const evidence = await asked("pending");
  expect(look(evidence)).toEqual([LISTED]);
  expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "remove", args: { id: "a1" }, state: "pending" } });
  expect(mock.getRequests()).toHaveLength(1);
  expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "remove" }), forbidTools: ["remove"] }).checks(evidence))).toBe(true);
  expect(deleted).toEqual([]);

  const client = clientOf();
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Go." }];
  script(asks(call("c1", "remove", '{"id":"a1"}')), { content: "Gone." });
  const asking = client.messages.stream({ model: MODEL, max_tokens: 99, messages });
  const first = await collect(events([asking, { type: "await_confirmation", toolCallId: "c1" }], { approvals: true, runId: "one" }));
  expect(first).toMatchObject({ toolCalls: [], terminalPhase: "suspended", confirmation: { toolName: "remove", args: { id: "a1" } }, observes: { approvals: true } });
  const { content } = await asking.finalMessage();
  const result = { type: "tool_result" as const, tool_use_id: "c1", content: '{"deleted":"a1"}' };
  const going = client.messages.stream({ model: MODEL, max_tokens: 99, messages: [...messages, { role: "assistant", content: content as Anthropic.ContentBlockParam[] }, { role: "user", content: [result] }] });
  const second = await collect(events([content.filter(({ type }) => type === "tool_use"), { type: "tool_authorization", toolCallId: "c1", approved: true }, result, going], { approvals: true, runId: "two" }), {}, { rootRunId: "two", continues: first });
  expect(look(second)).toEqual([["remove", { id: "a1" }, { deleted: "a1" }, "approved", true]]);
  expect(second).toMatchObject({ answer: "Gone.", terminalPhase: "completed" });
  seen("approval_pending", "where somebody is asked, a suspended run with the confirmation and without the call");
});

test("a turn whose approvals are decided goes on, with one call and no more", async () => {
  // Two calls wait at once beside one that does not, and what they give leads to a third.
  const turns = [asks(call("c0", "list", '{"window":"1h"}'), call("c1", "remove", '{"id":"a1"}'), call("c2", "remove", '{"id":"a2"}')), asks(call("c3", "remove", '{"id":"a3"}')), { content: "As you wish." }];
  const waiting = agent({ tools: { list, remove: removing(() => "pending") } });
  const spoken = async (approvals: "approve" | "reject"): Promise<Evidence> => {
    deleted.length = 0;
    mock.clearRequests();
    script(...turns);
    const { evidence } = await converse(waiting, [{ input: "Go.", approvals }]);
    expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "As you wish.", confirmation: { toolCallId: "c3", state: approvals === "approve" ? "approved" : "denied" } });
    expect(mock.getRequests()).toHaveLength(3);
    return evidence;
  };
  expect(look(await spoken("approve"))).toEqual([LISTED, ...["a1", "a2", "a3"].map((id) => ["remove", { id }, { deleted: id }, "approved", true])]);
  expect(deleted).toEqual(["a1", "a2", "a3"]);
  expect(look(await spoken("reject"))).toEqual([LISTED, ...["a1", "a2", "a3"].map((id) => ["remove", { id }, undefined, "denied", false])]);
  expect(deleted).toEqual([]);
  script(...turns);
  expect(await runEvals({ target: waiting, data: [{ turns: [{ input: "Go.", approvals: "expect" }] }] })).toMatchObject({ verdict: "passed" });
  expect(deleted).toEqual([]);
  expect("resume" in agent()).toBe(false);
});

test("a nested agent, below the call of the tool that started it; a call that a program of the API made, below the program", async () => {
  mock.clearFixtures();
  mock.addFixture({
    match: {},
    response: ({ messages }) => {
      const inner = JSON.stringify(messages[0]).includes("You research");
      if (messages.some(({ role }) => role === "tool")) return { content: inner ? "inner words" : "One." };
      return inner ? asks(call("c1", "list", '{"window":"24h"}')) : asks(call("c1", "research", "{}"));
    },
  });
  const researcher = agent({ system: "You research.", tools: { list } });
  const research = (show: boolean): TargetTool => ({
    definition: { name: "research", description: "Researches.", input_schema: object({}) },
    run: async (_input, { nested, signal }) => (show ? nested(researcher.send("Go.", { signal })) : (await collect(researcher.send("Go.", { signal }))).answer),
  });
  const tree = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolCallId, toolName, parentToolCallId, result }) => [toolCallId, toolName, parentToolCallId, result]);
  const shown = await run(agent({ system: "You lead.", tools: { research: research(true) } }));
  expect(tree(shown)).toEqual([["c1", "research", undefined, "inner words"], ["c1/c1", "list", "c1", { window: "24h", ids: ["a1"] }]]);
  expect(shown).toMatchObject({ answer: "One.", terminalPhase: "completed", usage: { requests: 4 } });
  expect(tree(await run(agent({ system: "You lead.", tools: { research: research(false) } })))).toEqual([["c1", "research", undefined, "inner words"]]);

  await using server = await serving((_request, index) => (index === 0
    ? message([{ block: { type: "server_tool_use", id: "s1", name: "code_execution", input: {} }, pieces: ['{"code":"list()"}'] }, { block: { type: "tool_use", id: "c1", name: "list", input: {}, caller: { type: "code_execution_20260120", tool_id: "s1" } }, pieces: ['{"window":"1h"}'] }], "tool_use")
    : message([{ block: { type: "code_execution_tool_result", tool_use_id: "s1", content: { type: "code_execution_result", stdout: "1", stderr: "", return_code: 0, content: [] } } }, words("One.")], "end_turn")));
  expect(tree(await run(agent({ client: clientOf(server.url) })))).toEqual([["s1", "code_execution", undefined, { type: "code_execution_result", stdout: "1", stderr: "", return_code: 0, content: [] }], ["c1", "list", "s1", { window: "1h", ids: ["a1"] }]]);
  seen("nested_agent", "where the tool hands the agent's run to `nested`, its calls below the tool's call; an agent that a tool runs by hand is not seen");
});

test("the API's own tools, one with its result in a later message, one that failed, and a turn that pauses", async () => {
  const page = { type: "web_search_result", url: "https://weather.example", title: "Weather", encrypted_content: "x", page_age: null };
  const server_use = (id: string, name: string, json: string): Block => ({ block: { type: "server_tool_use", id, name, input: {} }, pieces: [json] });
  await using server = await serving((_request, index) => [
    message([server_use("s1", "web_search", '{"query":"x"}'), use("c1", "list", '{"window":"24h"}')], "tool_use"),
    message([{ block: { type: "web_search_tool_result", tool_use_id: "s1", content: [page] } }, server_use("s2", "web_fetch", '{"url":"u"}'), { block: { type: "web_fetch_tool_result", tool_use_id: "s2", content: { type: "web_fetch_tool_result_error", error_code: "url_not_allowed" } } }], "pause_turn"),
    message([words("Sunny.")], "end_turn"),
  ][index] ?? []);
  const evidence = await run(agent({ client: clientOf(server.url), tools: { list, web_search: { definition: { type: "web_search_20250305", name: "web_search" } } } }));
  expect(look(evidence)).toEqual([
    ["web_search", { query: "x" }, [page], undefined, true],
    ["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, undefined, true],
    ["web_fetch", { url: "u" }, "domain_rejection", undefined, true],
  ]);
  expect(evidence).toMatchObject({ answer: "Sunny.", terminalPhase: "completed" });
  expect(server.received).toHaveLength(3);
  expect(server.received[0]?.body.tools[1]).toEqual({ type: "web_search_20250305", name: "web_search" });
  expect(server.received[2]?.body.messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  seen("provider_executed", "one call with the result that the later message brought");
});

test("a stream that is cut off, by a broken connection and without one", async () => {
  for (const cut of [true, false]) {
    await using server = await serving(() => message([words("Your order")], undefined), { cut });
    const broken = [() => run(agent({ client: clientOf(server.url) })), () => collect(events(clientOf(server.url).messages.stream({ model: MODEL, max_tokens: 9, messages: [{ role: "user", content: "Go." }] })))];
    for (const go of broken) expect(await go().catch((thrown: unknown) => thrown)).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order", ended: false } });
  }
  seen("cut_off", "`collect` rejects with `stream_incomplete`; what was seen is kept, and no end is made up");
});

test("an abort, in a tool and in the middle of a text", async () => {
  const controller = new AbortController();
  const slow: TargetTool = { definition: { name: "slow", description: "Waits.", input_schema: object({}) }, run: () => { queueMicrotask(() => controller.abort(new Error("enough"))); return new Promise(() => undefined); } };
  script({ content: "I wait.", toolCalls: [call("c1", "slow", "{}")] }, { content: "never" });
  const evidence = await collect(agent({ tools: { slow } }).send("Go.", { signal: controller.signal }));
  expect(evidence).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "I wait.", toolCalls: [{ toolName: "slow", completed: false }] });

  await using server = await serving(() => message([words("Your order")], undefined), { hang: true });
  const loops = [agent({ client: clientOf(server.url) }), target(({ messages, signal }) => clientOf(server.url).messages.stream({ model: MODEL, max_tokens: 9, messages }, { signal }))];
  for (const of of loops) {
    const stopped = new AbortController();
    const stream = of.send("Go.", { signal: stopped.signal });
    const stopping = async function* (): AsyncGenerator<StreamEvent> {
      for await (const told of stream) {
        yield told;
        if (told.type === "assistant_reply") stopped.abort();
      }
    };
    expect(await collect(stopping())).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "Your order" });
  }
  seen("abort", "a cancelled run with what it had begun");
});

const weather: TargetTool = { definition: { name: WEATHER_TOOL.name, description: WEATHER_TOOL.description, input_schema: WEATHER_TOOL.inputSchema }, run: async () => RESULT };

test("the canonical scenario gives the canonical evidence", async () => {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: canonicalResponse });
  const evidence = await run(agent({ tools: { get_weather: weather } }), QUESTION);
  expect(comparable(evidence)).toEqual(CANONICAL);
  expect(allPassed([...expectation({ tools: [expectCall({ name: "get_weather" })] }).checks(evidence), check("answer", evidence.answer.includes("sunny"), evidence.answer)])).toBe(true);
});

test("why a run ended: its limit, a refusal, an outage, an error in the middle, and a loop without an end", async () => {
  await using server = await loopback(({ body }) => {
    const text = JSON.stringify(body);
    if (text.includes("long")) return { named: true, sse: message([words("Your")], "max_tokens") };
    if (text.includes("refuse")) return { named: true, sse: message([words("I")], "refusal") };
    if (text.includes("middle")) return { named: true, sse: [...message([words("Hel")], undefined), event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }), event({ type: "message_stop" })] };
    if (text.includes("again")) return { named: true, sse: message([use("c1", "list", '{"window":"1h"}')], "tool_use") };
    return { status: 529, json: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } };
  });
  const of = agent({ client: clientOf(server.url), maxTurns: 2 });
  expect(await run(of, "long")).toMatchObject({ answer: "Your", terminalPhase: "failed", terminalFailure: { kind: "length" } });
  expect(await run(of, "refuse")).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "refusal" } });
  expect(await run(of, "middle")).toMatchObject({ answer: "Hel", ended: true, terminalPhase: "failed", terminalFailure: { kind: "overloaded_error", message: "Overloaded" } });
  expect(await run(of, "down")).toMatchObject({ terminalPhase: "failed", terminalFailure: { httpStatus: 529, kind: "overloaded_error" } });
  const again = await run(of, "again");
  expect(again).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "max_turns" } });
  expect(again.toolCalls.map(({ completed }) => completed)).toEqual([true, true]);
  await using off = await serving(() => []);
  await off[Symbol.asyncDispose]();
  expect(await run(agent({ client: clientOf(off.url) })).catch((thrown: unknown) => thrown)).toMatchObject({ code: "stream_incomplete" });
});

test("a helper stream that nobody listened to in time is read as its whole message, and its error is not swallowed", async () => {
  script(asks(call("c1", "list", '{"window":"24h"}')));
  const stream = clientOf().messages.stream({ model: MODEL, max_tokens: 9, messages: [{ role: "user", content: "Go." }] });
  await stream.finalMessage();
  const late = events([stream, { type: "tool_result", tool_use_id: "c1", content: "x" }]);
  expect(look(await collect(late))).toEqual([["list", { window: "24h" }, "x", undefined, true]]);
  const half = clientOf().messages.stream({ model: MODEL, max_tokens: 9, messages: [{ role: "user", content: "Go." }] });
  await half.emitted("streamEvent");
  expect(look(await collect(events([half])))).toEqual([["list", { window: "24h" }, undefined, undefined, false]]);
  await using server = await serving(() => [...message([words("Hel")], undefined), event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })]);
  const direct = clientOf(server.url).messages.stream({ model: MODEL, max_tokens: 9, messages: [{ role: "user", content: "Go." }] });
  const phases: object[] = [];
  for await (const told of events([direct])) {
    // A reader that is slower than the stream.
    if (told.type === "assistant_reply") await new Promise((resolve) => setTimeout(resolve, 20));
    if (told.type === "workflow") phases.push(told);
  }
  expect(phases.at(-1)).toMatchObject({ phase: "failed", failure: { kind: "overloaded_error" } });
  const early = events([clientOf(server.url).messages.stream({ model: MODEL, max_tokens: 9, messages: [{ role: "user", content: "Go." }] })]);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(await collect(early)).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "overloaded_error" } });
});

test("turns, options and what is refused at the door", async () => {
  script({ content: "Hello." }, { content: "Again." });
  const history = [{ role: "user", content: "Hi" }, { role: "assistant", content: "Hello." }] as const;
  const of = agent({ newRunId: () => "run-7", call: ({ threadId }) => ({ metadata: { user_id: threadId } }), maxTokens: 77 });
  expect(await collect(of.send("And?", { signal: never, threadId: "t1", history }))).toMatchObject({ runId: "run-7", sessionId: "t1", answer: "Again." });
  await using server = await serving(() => message([words("Hi.")], "end_turn"));
  await collect(target({ client: clientOf(server.url), model: MODEL, call: { metadata: { user_id: "u" } }, maxTokens: 77 }).send([{ role: "user", content: "Hi" }], { signal: never }));
  expect(server.received[0]?.body).toEqual({ model: MODEL, max_tokens: 77, metadata: { user_id: "u" }, messages: [{ role: "user", content: "Hi" }], stream: true });
  expect(() => target({ client: {}, model: MODEL } as never)).toThrow("{ client, model }");
  expect(() => agent({ tools: { broken: { run: () => 1 } as never } })).toThrow('the tool "broken" has no definition');
  expect(of.memory).toBe(false);
  await expect(collect(target((async () => ({ type: "message" })) as never).send("Hi", { signal: never }))).rejects.toMatchObject({ code: "option_invalid", message: expect.stringContaining("a promise shows only its last message") });

  let left: AbortSignal | undefined;
  script({ content: "I wait.", toolCalls: [call("c1", "slow", "{}")] });
  const slow: TargetTool = { definition: { name: "slow", input_schema: object({}) }, run: (_input, { signal }) => { left = signal; return new Promise(() => undefined); } };
  for await (const { type } of agent({ tools: { slow } }).send("Go.", { signal: never })) if (type === "tool_start") break;
  // Who stops reading stops the loop.
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(left?.aborted ?? true).toBe(true);
});

describe("the contract of a target, kept by the loop around the Messages API", () => {
  const answered = ({ body }: Received): boolean => JSON.stringify(body.messages).includes("tool_result");
  const over = async (answers: (request: Received) => readonly string[], options: Partial<LoopTargetOptions> = {}, rest: object = {}): Promise<TargetSituation<any>> => {
    const server = await serving(answers, rest);
    return { target: agent({ client: clientOf(server.url), ...options }), input: "Go.", close: () => server[Symbol.asyncDispose]() };
  };
  const saying = (text: string): string[] => message([words(text)], "end_turn");
  const calling = (name: string, args: string, done = "Done."): ((request: Received) => readonly string[]) => (request) => (answered(request) ? saying(done) : message([use("c1", name, args)], "tool_use"));
  const harness: TargetHarness<any> = {
    answers: async () => ({ ...(await over(() => saying("Hi."))), answer: "Hi." }),
    waits: () => over(() => message([words("Wai")], undefined), {}, { hang: true }),
    breaksOff: async () => ({ ...(await over(() => message([words("Your order")], undefined), {}, { cut: true })), said: "Your order" }),
    calls: async () => ({ ...(await over(calling("list", '{"window":"24h"}'))), toolName: "list", args: { window: "24h" }, result: { window: "24h", ids: ["a1"] } }),
    fails: async () => ({ ...(await over(calling("pay", '{"amount":5}'))), toolName: "pay", kind: "domain_rejection" }),
    asks: async () => ({ ...(await over(calling("remove", '{"id":"a1"}'), { tools: { remove: removing(() => "pending") } })), toolName: "remove" }),
    decides: async () => {
      deleted.length = 0;
      return { ...(await over(calling("remove", '{"id":"a1"}'), { tools: { remove: removing(() => "pending") } })), toolName: "remove", made: () => deleted.length };
    },
    nests: async () => {
      const inner = await over(calling("list", '{"window":"24h"}'));
      const research: TargetTool = { definition: { name: "research", input_schema: object({}) }, run: (_input, { nested, signal }) => nested(inner.target.send("Go.", { signal })) };
      const outer = await over(calling("research", "{}"), { tools: { research } });
      return { ...outer, parent: "research", child: "list", close: async () => { await inner.close?.(); await outer.close?.(); } };
    },
    bounded: async () => ({ ...(await over(calling("list", '{"window":"24h"}'), { bounds: () => ({ returned: 1, truncated: true }) })), toolName: "list", bounds: { returned: 1, truncated: true } }),
    remembers: async () => ({ ...(await over(({ body }) => saying(JSON.stringify(body.messages)))), input: "Brooklyn.", next: "What did I say?", shows: (text: string) => text.includes("Brooklyn") }),
  };
  test.each(targetContract(harness))("$name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });
});

test("what a blind adapter cannot see is errored, not passed: approvals and bounds of a loop that does not tell them", async () => {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: canonicalResponse });
  const scenario = (id: string, of: () => Promise<Evidence>, wanted: Parameters<typeof expectation>[0]): never =>
    ({ id, description: id, tags: [], timeoutMs: 5000, run: async () => ({ checks: expectation(wanted).checks(await of()) }) }) as never;
  const weatherRun = (): Promise<Evidence> => run(agent({ tools: { get_weather: weather } }), QUESTION);
  await using server = await serving(() => message([words("It is")], undefined), { cut: true });
  const report = await createRunner({ maxConcurrency: 1 }).run({
    id: "blind",
    description: "What cannot be seen.",
    scenarios: [
      scenario("approvals", weatherRun, { confirmation: expectConfirmation({ name: "get_weather" }) }),
      scenario("bounds", weatherRun, { tools: [expectCall({ name: "get_weather" }, { bounds: () => true })] }),
      scenario("cut", () => run(agent({ client: clientOf(server.url) })), { forbidTools: ["delete_alarm"] }),
      scenario("seen", weatherRun, { tools: [expectCall({ name: "get_weather" })], forbidTools: ["delete_alarm"] }),
    ],
  });
  expect(report.scenarios.map(({ id, outcome, error }) => [id, outcome, error?.code])).toEqual([
    ["approvals", "errored", "not_observable"],
    ["bounds", "errored", "not_observable"],
    ["cut", "errored", "stream_incomplete"],
    ["seen", "passed", undefined],
  ]);
});

test("a judge on the Messages API: raw arguments, stop reasons, usage, and thinking that excludes a forced tool", async () => {
  const twice = '{"a":1,"a":2}';
  await using server = await loopback(({ path, body }) => {
    if (path.includes("count_tokens")) return { json: { input_tokens: 42 } };
    const text = JSON.stringify(body);
    if (text.includes("too long")) return { named: true, sse: message([words("I")], "max_tokens") };
    if (text.includes("refuse")) return { named: true, sse: message([], "refusal", { output_tokens: 0 }) };
    if (text.includes("cut")) return { named: true, sse: message([words("I")], undefined) };
    if (text.includes("thinks")) return { status: 400, json: { type: "error", error: { type: "invalid_request_error", message: "Thinking may not be enabled when tool_choice forces tool use." } } };
    if (text.includes("judge_claims") || text.includes("entailed")) return { named: true, sse: message([use("j1", body.tool_choice.name, '{"c1":{"label":"entailed",', '"rationale":"It says so."}}')], "tool_use") };
    return { named: true, sse: message([use("c1", "grade", twice.slice(0, 5), twice.slice(5))], "tool_use") };
  });
  const client = clientOf(server.url);
  const given = provider(client, { model: MODEL });
  const request = (content: string): Parameters<typeof given.complete>[0] =>
    ({ modelClass: "default", messages: [{ role: "system", content: "Grade." }, { role: "user", content }, { role: "assistant", content: [{ type: "tool_call", id: "c0", name: "grade", arguments: "no json" }] }, { role: "tool", toolCallId: "c0", content: "again" }], tools: [{ name: "grade", description: "Grades.", inputSchema: { type: "object" } }], toolChoice: { tool: "grade" }, temperature: 0, maxOutputTokens: 99 });
  expect(await given.complete(request("go"), {})).toEqual({ content: [{ type: "tool_call", id: "c1", name: "grade", arguments: twice }], stopReason: "tool_calls", usage: { inputTokens: 21, outputTokens: 13 }, model: MODEL });
  expect(server.received[0]?.body).toEqual({
    model: MODEL, max_tokens: 99, temperature: 0, stream: true, system: "Grade.",
    messages: [{ role: "user", content: [{ type: "text", text: "go" }] }, { role: "assistant", content: [{ type: "tool_use", id: "c0", name: "grade", input: { INVALID_JSON: "no json" } }] }, { role: "user", content: [{ type: "tool_result", tool_use_id: "c0", content: "again" }] }],
    tools: [{ name: "grade", description: "Grades.", input_schema: { type: "object" } }],
    tool_choice: { type: "tool", name: "grade", disable_parallel_tool_use: true },
  });
  await given.complete({ ...request("go"), messages: [{ role: "user", content: "one" }, { role: "assistant", content: [] }, { role: "user", content: "two" }] }, {});
  expect(server.received[1]?.body.messages).toEqual([{ role: "user", content: [{ type: "text", text: "one" }, { type: "text", text: "two" }] }]);
  expect(await given.complete(request("too long"), {})).toMatchObject({ content: [{ type: "text", text: "I" }], stopReason: "length" });
  expect(await given.complete(request("refuse"), {})).toMatchObject({ content: [], stopReason: "refusal" });
  await expect(given.complete(request("cut"), {})).rejects.toMatchObject({ code: "provider_failed", message: expect.stringContaining("broke off") });
  await expect(given.complete(request("thinks"), {})).rejects.toMatchObject({ code: "provider_failed", message: expect.stringContaining("turn thinking off") });
  const thinking = provider(client, { model: MODEL, call: { thinking: { type: "enabled", budget_tokens: 1024 } } });
  await expect(thinking.complete(request("go"), {})).rejects.toMatchObject({ code: "provider_failed", message: expect.stringMatching(/thinking "enabled" and the forced tool "grade", which exclude each other/) });
  expect(await given.countTokens?.(request("go"), {})).toBe(42);
  expect(await provider(client, { model: MODEL, call: { temperature: undefined } }).complete(request("go"), {})).toMatchObject({ changedSettings: ["temperature: the request went out without it instead of 0"] });
  expect(given).toMatchObject({ rawArguments: true });
  expect(given.modelName?.("small")).toBe(MODEL);
  expect(() => provider({} as never, { model: MODEL })).toThrow("needs a client");
  expect(() => provider(client, { model: { default: MODEL, small: MODEL } as never })).toThrow('"high-reasoning"');
  expect(() => provider(client, { model: "" })).toThrow("the name of one");

  const judgments = await createJudge(createClient(given), { maxOutputTokens: 99 }).judge({ output: "It is sunny.", claims: [{ id: "c1", text: "It is sunny." }], reference: "" });
  expect(judgments).toEqual([{ claimId: "c1", label: "entailed", rationale: "It says so." }]);
});

test("the provider asks once, although the SDK would ask three times", async () => {
  await using server = await loopback(() => ({ status: 503, json: { type: "error", error: { type: "overloaded_error", message: "overloaded" } } }));
  const retrying = provider(new Anthropic({ baseURL: server.url, apiKey: "test" }), { model: MODEL });
  await expect(retrying.complete({ modelClass: "default", messages: [{ role: "user", content: "go" }], tools: [], toolChoice: "auto", temperature: 0, maxOutputTokens: 9 }, {})).rejects.toMatchObject({ status: 503 });
  expect(server.received).toHaveLength(1);
});
