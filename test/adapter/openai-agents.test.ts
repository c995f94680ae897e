// Runs a real agent of the OpenAI Agents SDK over HTTP through the twelve situations, and through the canonical scenario.
import { LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { Agent, OpenAIProvider, run as sdkRun, Runner, setTracingDisabled, tool, type AgentInputItem, type Model, type RunState } from "@openai/agents";
import { check, createRunner } from "entail";
import { events, provider, target, toolError, watch, type AgentTargetOptions, type EventsOptions } from "entail/adapter/openai-agents";
import { converse, runEvals } from "entail/conversation";
import { collect, expectation, expectCall, expectConfirmation, type Evidence } from "entail/evidence";
import { createClient } from "entail/model";
import { targetContract, type TargetHarness, type TargetSituation } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { chatStream, loopback, type Answer, type Received } from "../ai-sdk/loopback.ts";
import { allPassed } from "../ai-sdk/parts.ts";
import { CANONICAL, canonicalResponse, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";

// Nothing is sent anywhere but to the servers of this file.
setTracingDisabled(true);
const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
afterAll(() => writeCells("openai-agents"));

const seen = (situation: Situation, how: Cell["how"]): void => recordCell("openai-agents", situation, { outcome: "seen", how });

/** The model's answers, in the order of its turns. */
function script(...answers: readonly FixtureResponse[]): void {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: ({ messages }) => answers[messages.filter(({ role }) => role === "assistant").length] ?? { error: { message: "the script is over" }, status: 400 } });
}
const call = (id: string, name: string, args: string): { id: string; name: string; arguments: string } => ({ id, name, arguments: args });
const asks = (...toolCalls: ReturnType<typeof call>[]): FixtureResponse => ({ toolCalls });
const modelProvider = (url = mock.url, useResponses = false): OpenAIProvider => new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: "test", useResponses });
const runner = (url?: string, useResponses?: boolean): Runner => new Runner({ modelProvider: modelProvider(url, useResponses), model: "gpt-4.1-mini", tracingDisabled: true });

const deleted: string[] = [];
const list = tool({ name: "list", description: "Lists.", parameters: z.object({ window: z.string() }), execute: ({ window }) => ({ window, ids: ["a1"] }) });
const remove = tool({ name: "remove", description: "Deletes.", parameters: z.object({ id: z.string() }), needsApproval: true, execute: ({ id }) => { deleted.push(id); return { deleted: id }; } });
const declined = async (): Promise<string> => { throw Object.assign(new Error("card declined"), { kind: "domain_rejection" }); };
const pay = tool({ name: "pay", description: "Pays.", parameters: z.object({ amount: z.number() }), execute: declined });
const agentWith = (...tools: readonly (typeof list | typeof remove | typeof pay)[]): Agent => new Agent({ name: "Tester", instructions: "You test.", tools: [...tools] });
const agent = agentWith(list, remove, pay);

type Input = string | AgentInputItem[] | RunState<any, any>;
const run = async (of: Agent, input: Input = "Go.", options: EventsOptions = {}, by = runner()): Promise<Evidence> => collect(events(by.run(of, input as string, { stream: true }), options));
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolName, args, result, failure, approval, completed }) => [toolName, args, failure?.kind ?? result, approval, completed]);

test("two parallel calls, of Chat Completions and of the Responses API, streamed and not", async () => {
  const both = [
    ["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, undefined, true],
    ["list", { window: "7d" }, { window: "7d", ids: ["a1"] }, undefined, true],
  ];
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: ({ messages }) => (messages.some(({ role }) => role === "tool") ? { content: "Done." } : asks(call("c1", "list", '{"window":"24h"}'), call("c2", "list", '{"window":"7d"}'))) });
  for (const useResponses of [false, true]) {
    const evidence = await run(agent, "Go.", {}, runner(mock.url, useResponses));
    expect(look(evidence)).toEqual(both);
    expect(evidence).toMatchObject({ answer: "Done.", terminalPhase: "completed", ended: true });
  }
  const whole = events(runner().run(agent, "Go."));
  const evidence = await collect(whole);
  expect(look(evidence)).toEqual(both);
  expect(evidence).toMatchObject({ answer: "Done.", terminalPhase: "completed", ended: true, usage: { requests: 2 } });
  expect(whole.observes).toMatchObject({ args: true, results: true, failureKinds: true, deltas: false });
  seen("parallel_calls", "both calls in the order in which the model issued them, each with its own result");
});

test("arguments in pieces that split an escape and a surrogate pair", async () => {
  const pieces = ['{ "win', 'dow": "caf\\u0', '0e9 \ud83d', '\ude00", "n": 9007199254740993 }'];
  const first = pieces.map((piece, at) => ({ tool_calls: [{ index: 0, ...(at === 0 ? { id: "c1", type: "function" } : {}), function: { ...(at === 0 ? { name: "list" } : {}), arguments: piece } }] }));
  await using server = await loopback((_request, index) => ({ sse: index === 0 ? chatStream(first, "tool_calls") : chatStream([{ content: "Done." }], "stop") }));
  const evidence = await run(agent, "Go.", {}, runner(server.url));
  expect(evidence.toolCalls[0]?.argsJson).toBe('{"n":9007199254740993,"window":"café 😀"}');
  expect(evidence.usage).toEqual({ inputTokens: 22, outputTokens: 14, reasoningTokens: 0, cachedInputTokens: 0, requests: 2 });
  seen("split_arguments", "the arguments as the model wrote them, put together again, with every digit");
});

test("a tool that throws: as the SDK tells it, as `toolError` keeps it, as an error of the run, and in the words of an application", async () => {
  const scripted = (): void => script(asks(call("c1", "pay", '{"amount":5}')), { content: "It failed." });
  scripted();
  const told = await run(agent);
  expect(look(told)).toEqual([["pay", { amount: 5 }, "unknown", undefined, true]]);
  expect(told).toMatchObject({ terminalPhase: "completed", toolCalls: [{ failure: { error: { message: "An error occurred while running the tool. Please try again." } } }] });

  scripted();
  const kept = tool({ name: "pay", description: "Pays.", parameters: z.object({ amount: z.number() }), errorFunction: toolError(() => "try later"), execute: declined });
  expect((await run(agentWith(kept))).toolCalls[0]?.failure).toEqual({ kind: "domain_rejection", error: { message: "card declined" } });
  expect(JSON.stringify(mock.getLastRequest()?.body)).toContain("try later");

  scripted();
  const fatal = tool({ name: "pay", description: "Pays.", parameters: z.object({ amount: z.number() }), errorFunction: null, execute: declined });
  const ended = await run(agentWith(fatal));
  expect(look(ended)).toEqual([["pay", { amount: 5 }, "domain_rejection", undefined, true]]);
  expect(ended).toMatchObject({ ended: true, terminalPhase: "failed", terminalFailure: { kind: "ToolCallError", message: expect.stringContaining("card declined") } });

  scripted();
  const spoken = tool({ name: "pay", description: "Pays.", parameters: z.object({ amount: z.number() }), errorFunction: () => "sorry, no", execute: declined });
  expect(look(await run(agentWith(spoken), "Go.", { isFailure: (name, output) => name === "pay" && output === "sorry, no", failureKind: () => "unavailable" }))).toEqual([["pay", { amount: 5 }, "unavailable", undefined, true]]);

  scripted();
  const slow = tool({ name: "pay", description: "Pays.", parameters: z.object({ amount: z.number() }), timeoutMs: 20, execute: () => new Promise<string>((resolve) => setTimeout(() => resolve("late"), 60)) });
  expect(look(await run(agentWith(slow)))).toEqual([["pay", { amount: 5 }, "timeout", undefined, true]]);
  seen("tool_throws", "a failed call; its message and kind where the run throws or the tool has `toolError`, else the SDK's own text and `unknown`");
});

test("a call of an unknown tool, which ends the run, or goes back to the model", async () => {
  script(asks(call("c1", "list", '{"window":"24h"}'), call("c2", "no_such_tool", '{"x":1}')), { content: "No." });
  const ended = await run(agent);
  expect(look(ended)).toEqual([["list", { window: "24h" }, undefined, undefined, false], ["no_such_tool", { x: 1 }, "invalid_call", undefined, true]]);
  expect(ended).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: "Tool no_such_tool not found in agent Tester." } });
  script(asks(call("c1", "no_such_tool", '{"x":1}')), { content: "No." });
  const goesOn = await collect(events(runner().run(agent, "Go.", { stream: true, toolNotFoundBehavior: "return_error_to_model" })));
  expect(look(goesOn)).toEqual([["no_such_tool", { x: 1 }, "invalid_call", undefined, true]]);
  expect(goesOn.terminalPhase).toBe("completed");
  seen("unknown_tool", "a failed call of kind `invalid_call` under the name that the model gave");
});

test("invalid arguments, and arguments that are no JSON", async () => {
  script(asks(call("c1", "pay", '{"amount":"five"}'), call("c2", "pay", '{"amount": 5,, }')), { content: "No." });
  const evidence = await run(agent);
  expect(look(evidence)).toEqual([["pay", { amount: "five" }, "invalid_call", undefined, true], ["pay", '{"amount": 5,, }', "invalid_call", undefined, true]]);
  expect(evidence.toolCalls[0]?.failure?.error.message).toBe("amount must be a number");
  seen("invalid_arguments", "a failed call of kind `invalid_call` with the arguments as the model wrote them");
});

async function decided(approved: boolean): Promise<Evidence> {
  deleted.length = 0;
  script(asks(call("c0", "list", '{"window":"1h"}'), call("c1", "remove", '{"id":"a1"}')), { content: "As you wish." });
  const result = await runner().run(agent, "Go.", { stream: true });
  const first = await collect(events(result, { runId: "one" }));
  expect(look(first)).toEqual([["list", { window: "1h" }, { window: "1h", ids: ["a1"] }, undefined, true]]);
  expect(first).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "c1", toolName: "remove", state: "pending" } });
  for (const interruption of result.interruptions) result.state[approved ? "approve" : "reject"](interruption);
  return collect(events(runner().run(agent, result.state, { stream: true }), { runId: "two" }), {}, { rootRunId: "two", continues: first });
}

test("an approval granted", async () => {
  const evidence = await decided(true);
  expect(look(evidence)).toEqual([["remove", { id: "a1" }, { deleted: "a1" }, "approved", true]]);
  expect(evidence).toMatchObject({ answer: "As you wish.", terminalPhase: "completed" });
  expect(deleted).toEqual(["a1"]);
  seen("approval_granted", "the confirmation in the first run; in the run that goes on, the approved call with its result");
});

test("an approval refused", async () => {
  expect(await decided(false)).toMatchObject({ terminalPhase: "completed", toolCalls: [{ toolName: "remove", args: { id: "a1" }, approval: "denied", completed: false }] });
  expect(deleted).toEqual([]);
  seen("approval_refused", "the call in the run that goes on, denied and not executed; not a failure");
});

test("an approval left pending", async () => {
  deleted.length = 0;
  script(asks(call("c1", "remove", '{"id":"a1"}')), { content: "never" });
  const evidence = await run(agent);
  expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "remove", args: { id: "a1" }, state: "pending" }, toolCalls: [] });
  expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "remove" }), forbidTools: ["remove"] }).checks(evidence))).toBe(true);
  expect(deleted).toEqual([]);
  seen("approval_pending", "a suspended run with the confirmation and without the call");
});

test("a turn whose approvals are decided goes on, with one call and no more", async () => {
  // Two calls wait at once beside one that does not, and what they give leads to a third.
  const turns = [asks(call("c0", "list", '{"window":"1h"}'), call("c1", "remove", '{"id":"a1"}'), call("c2", "remove", '{"id":"a2"}')), asks(call("c3", "remove", '{"id":"a3"}')), { content: "As you wish." }];
  const asked = target(agent, { runner: runner() });
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
});

test("a model that uses an id again, which the SDK refuses, loses no call when the run goes on", async () => {
  deleted.length = 0;
  script(asks(call("call_0", "list", '{"window":"1h"}')), asks(call("call_1", "remove", '{"id":"a1"}')), asks(call("call_0", "list", '{"window":"7d"}')), { content: "Done." });
  const error: unknown = await converse(target(agent, { runner: runner() }), [{ input: "Go.", approvals: "approve" }]).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "target_failed", message: expect.stringContaining("call_0 was reused") as string });
  expect(look((error as { evidence: Evidence }).evidence)).toEqual([["list", { window: "1h" }, { window: "1h", ids: ["a1"] }, undefined, true], ["remove", { id: "a1" }, { deleted: "a1" }, "approved", true], ["list", { window: "7d" }, undefined, undefined, false]]);
  expect(deleted).toEqual(["a1"]);
});

test("a turn goes on after the approval of a call that an agent below makes", async () => {
  deleted.length = 0;
  const { evidence } = await converse(target(research(call("c9", "remove", '{"id":"a1"}')), { runner: runner() }), [{ input: "Go.", approvals: "approve" }]);
  expect(tree(evidence)).toEqual([["c1", "research", undefined, "inner words", undefined, true], ["c1/c9", "remove", "c1", { deleted: "a1" }, "approved", true]]);
  expect(evidence).toMatchObject({ answer: "One.", terminalPhase: "completed" });
  expect(deleted).toEqual(["a1"]);
});

/** An agent that has another research for it; the inner model calls `inner` first. */
function research(inner: ReturnType<typeof call>): Agent {
  mock.clearFixtures();
  mock.addFixture({
    match: {},
    response: ({ messages }) => {
      const below = JSON.stringify(messages[0]).includes("You research");
      if (messages.some(({ role }) => role === "tool")) return { content: below ? "inner words" : "One." };
      return asks(below ? inner : call("c1", "research", '{"input":"prices"}'));
    },
  });
  const researcher = new Agent({ name: "Researcher", instructions: "You research.", tools: [list, remove] });
  return new Agent({ name: "Leader", instructions: "You lead.", tools: [researcher.asTool({ toolName: "research", toolDescription: "Researches." })] });
}
const tree = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolCallId, toolName, parentToolCallId, result, approval, completed }) => [toolCallId, toolName, parentToolCallId, result, approval, completed]);

test("a nested agent, whose calls stand below its own, and its approvals too", async () => {
  const leader = research(call("c1", "list", '{"window":"24h"}'));
  const leading = target(leader, { runner: runner() });
  expect(leading.observes.parents).toBe(true);
  const shown = await collect(leading.send("How many?", { signal: new AbortController().signal }));
  expect(tree(shown)).toEqual([
    ["c1", "research", undefined, "inner words", undefined, true],
    ["c1/c1", "list", "c1", { window: "24h", ids: ["a1"] }, undefined, true],
  ]);
  expect(shown).toMatchObject({ answer: "One.", usage: { requests: 4 } });

  const hidden = await run(research(call("c1", "list", '{"window":"24h"}')));
  expect(tree(hidden)).toEqual([["c1", "research", undefined, "inner words", undefined, true]]);
  expect(hidden.observes.parents).toBe(false);

  for (const watched of [true, false]) {
    deleted.length = 0;
    const careful = research(call("c9", "remove", '{"id":"a1"}'));
    if (watched) watch(careful);
    const id = watched ? "c1/c9" : "c9";
    const result = await runner().run(careful, "Go.", { stream: true });
    const first = await collect(events(Promise.resolve(result), { runId: "one" }));
    expect(tree(first)).toEqual([["c1", "research", undefined, undefined, undefined, false]]);
    expect(first).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: id, toolName: "remove", args: { id: "a1" } }, observes: { parents: watched } });
    for (const interruption of result.interruptions) result.state.approve(interruption);
    const second = await collect(events(runner().run(careful, result.state, { stream: true }), { runId: "two" }), {}, { rootRunId: "two", continues: first });
    expect(tree(second)).toEqual(watched ? [["c1/c9", "remove", "c1", { deleted: "a1" }, "approved", true]] : []);
    expect(second.toolCalls[0]?.args).toEqual(watched ? { id: "a1" } : undefined);
    expect(second).toMatchObject({ answer: "One.", terminalPhase: "completed", completions: [{ call: { toolCallId: "c1", result: "inner words", completed: true }, startedInRunId: "one" }] });
    expect(deleted).toEqual(["a1"]);
  }
  seen("nested_agent", "where `target` or `watch` listens to agents that are tools, their calls below the call that started them; an agent that a tool runs by hand is not seen");
});

test("what was begun is seen while it goes on, also below, so that a deadline loses nothing", async () => {
  const leader = research(call("c1", "hang", "{}"));
  const deadline = new AbortController();
  const hang = tool({ name: "hang", description: "Hangs.", parameters: z.object({}), execute: async () => { setTimeout(() => deadline.abort(), 20); return new Promise<string>(() => undefined); } });
  const researcher = new Agent({ name: "Researcher", instructions: "You research.", tools: [hang] });
  const error: unknown = await collect(target(new Agent({ name: "Leader", instructions: leader.instructions, tools: [researcher.asTool({ toolName: "research", toolDescription: "d" })] }), { runner: runner() }).send("Go.", { signal: new AbortController().signal }), { signal: deadline.signal }).catch((thrown: unknown) => thrown);
  expect(tree((error as { evidence: Evidence }).evidence)).toEqual([["c1", "research", undefined, undefined, undefined, false], ["c1/c1", "hang", "c1", undefined, undefined, false]]);
});

const sse = (value: object): string => JSON.stringify(value);
/** A response of the Responses API with these items. */
function response(id: string, output: readonly object[]): string[] {
  const of = { id, object: "response", created_at: 1, model: "gpt-5", output: [] };
  return [
    sse({ type: "response.created", response: { ...of, status: "in_progress" } }),
    ...output.flatMap((item, output_index) => [sse({ type: "response.output_item.added", output_index, item }), sse({ type: "response.output_item.done", output_index, item })]),
    sse({ type: "response.completed", response: { ...of, status: "completed", output, usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8, input_tokens_details: { cached_tokens: 2 }, output_tokens_details: { reasoning_tokens: 1 } } } }),
  ];
}
const message = (text: string): object => ({ type: "message", id: "m", role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations: [] }] });

test("a provider's own tools, one with its result in a later step", async () => {
  await using server = await loopback((_request, index) => ({
    sse: index === 0
      ? response("r1", [
          { type: "web_search_call", id: "ws1", status: "completed", action: { type: "search", query: "x" } },
          { type: "mcp_call", id: "m1", name: "lookup", server_label: "s", arguments: '{"q":1}', output: '{"found":1}' },
          { type: "mcp_call", id: "m2", name: "lookup", server_label: "s", arguments: "{}", error: "no such record" },
          { type: "shell_call", id: "sh1", call_id: "s1", status: "in_progress", action: { commands: ["ls"], timeout_ms: null, max_output_length: null } },
        ])
      : response("r2", [{ type: "shell_call_output", id: "so1", call_id: "s1", status: "completed", max_output_length: null, output: [{ stdout: "a.txt", stderr: "", outcome: { type: "exit", exit_code: 0 } }] }, message("One file.")]),
  }));
  const { hostedMcpTool, shellTool, webSearchTool } = await import("@openai/agents");
  const hosted = new Agent({ name: "Hosted", instructions: "x", tools: [webSearchTool(), hostedMcpTool({ serverLabel: "s", serverUrl: "https://mcp.example" }), shellTool({ environment: { type: "container_auto" } })] });
  const evidence = await run(hosted, "Go.", {}, runner(server.url, true));
  expect(look(evidence)).toEqual([
    ["web_search", { type: "search", query: "x" }, undefined, undefined, true],
    ["lookup", { q: 1 }, { found: 1 }, undefined, true],
    ["lookup", {}, "unknown", undefined, true],
    ["shell", { commands: ["ls"], timeoutMs: undefined, maxOutputLength: undefined }, [{ stdout: "a.txt", stderr: "", outcome: { type: "exit", exitCode: 0 } }], undefined, true],
  ]);
  expect(evidence.toolCalls[0]?.resultOmitted?.reason).toContain("does not show");
  expect(evidence).toMatchObject({ answer: "One file.", terminalPhase: "completed", usage: { inputTokens: 10, outputTokens: 6, cachedInputTokens: 4, reasoningTokens: 2, requests: 2 } });
  expect(server.received).toHaveLength(2);
  seen("provider_executed", "one call with the result that the later step brought; where the provider shows no result, that it was left out");
});

test("a stream that is cut off, by a broken connection and without one", async () => {
  for (const cut of [true, false]) {
    await using server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut }));
    const error: unknown = await run(agent, "Go.", {}, runner(server.url)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order", ended: false } });
  }
  await using server = await loopback(() => ({ sse: response("r", [message("Your order")]).slice(0, 3) }));
  expect(await run(agent, "Go.", {}, runner(server.url, true)).catch((thrown: unknown) => thrown)).toMatchObject({ code: "stream_incomplete", evidence: { ended: false } });
  seen("cut_off", "`collect` rejects with `stream_incomplete`; what was seen is kept, and no end is made up");
});

test("an abort, in a tool and in the middle of a text", async () => {
  const controller = new AbortController();
  const slow = tool({ name: "slow", description: "Waits.", parameters: z.object({}), execute: (_input, _context, details) => new Promise<string>((_resolve, reject) => { details?.signal?.addEventListener("abort", () => reject(new Error("stopped"))); queueMicrotask(() => controller.abort(new Error("enough"))); }) });
  script({ content: "I wait.", toolCalls: [call("c1", "slow", "{}")] }, { content: "never" });
  const waiting = new Agent({ name: "Waiter", instructions: "x", tools: [slow] });
  const evidence = await collect(target(waiting, { runner: runner() }).send("Go.", { signal: controller.signal }));
  expect(evidence).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "I wait.", toolCalls: [{ toolName: "slow", completed: false }] });

  await using server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }], undefined), hang: true }));
  const second = new AbortController();
  const model = await modelProvider(server.url).getModel("gpt-4.1-mini");
  const stopping: Model = {
    getResponse: (request) => model.getResponse(request),
    async *getStreamedResponse(request) {
      for await (const told of model.getStreamedResponse(request)) {
        yield told;
        if (told.type === "output_text_delta") setTimeout(() => second.abort(), 10);
      }
    },
  };
  const stream = await runner().run(new Agent({ name: "A", instructions: "x", model: stopping }), "Go.", { stream: true, signal: second.signal });
  expect(await collect(events(stream))).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "Your order" });
  seen("abort", "a cancelled run with what it had begun");
});

const weather = tool({ name: WEATHER_TOOL.name, description: WEATHER_TOOL.description, parameters: z.object({ city: z.string() }), execute: async () => RESULT });
const weatherAgent = new Agent({ name: "Weather", instructions: "You tell the weather.", tools: [weather] });

test("the canonical scenario gives the canonical evidence", async () => {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: canonicalResponse });
  const evidence = await collect(target(weatherAgent, { runner: runner() }).send(QUESTION, { signal: new AbortController().signal }));
  expect(comparable(evidence)).toEqual(CANONICAL);
  expect(allPassed([...expectation({ tools: [expectCall({ name: "get_weather" })] }).checks(evidence), check("answer", evidence.answer.includes("sunny"), evidence.answer)])).toBe(true);
});

test("a handoff is one call, and the run goes on with the other agent", async () => {
  const billing = new Agent({ name: "billing", instructions: "You bill.", tools: [list] });
  const triage = new Agent({ name: "triage", instructions: "You sort.", handoffs: [billing] });
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: ({ messages }) => (JSON.stringify(messages[0]).includes("You bill") ? { content: "Billed." } : asks(call("h1", "transfer_to_billing", "{}"))) });
  const stream = events(runner().run(triage, "Go.", { stream: true }));
  const evidence = await collect(stream);
  expect(look(evidence)).toEqual([["transfer_to_billing", {}, { assistant: "billing" }, undefined, true]]);
  expect(evidence).toMatchObject({ answer: "Billed.", terminalPhase: "completed" });
  expect(stream.handoffs).toEqual([{ toolCallId: "h1", from: "triage", to: "billing" }]);
});

test("runs that the SDK ends with an error have failed, and say why; an outage of the provider is its HTTP status", async () => {
  const trips = { name: "never", execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) };
  script(asks(call("c1", "list", '{"window":"1h"}')), asks(call("c2", "list", '{"window":"1h"}')));
  const tooLong = await collect(events(runner().run(agent, "Go.", { stream: true, maxTurns: 1 })));
  expect(tooLong).toMatchObject({ ended: true, terminalPhase: "failed", terminalFailure: { kind: "MaxTurnsExceededError" }, toolCalls: [{ toolName: "list", completed: true }] });
  const rejected = await collect(events(runner().run(agent, "Go.", { maxTurns: 1 })));
  expect(rejected).toMatchObject({ ended: true, terminalPhase: "failed", terminalFailure: { kind: "MaxTurnsExceededError" }, toolCalls: [{ toolName: "list", completed: true }] });
  script({ content: "hi" });
  expect(await run(new Agent({ name: "A", instructions: "x", inputGuardrails: [trips] }))).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "InputGuardrailTripwireTriggered" } });
  expect(await run(new Agent({ name: "A", instructions: "x", outputGuardrails: [trips] }))).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "OutputGuardrailTripwireTriggered" } });
  await using server = await loopback(({ body }) => {
    const asked = JSON.stringify(body);
    if (asked.includes("refuse")) return { sse: chatStream([{ refusal: "I will not" }], "stop") };
    if (asked.includes("long")) return { sse: chatStream([{ content: "Your" }], "length") };
    if (asked.includes("filter")) return { sse: chatStream([{ content: "Your" }], "content_filter") };
    return { status: 400, json: { error: { message: "bad" } } };
  });
  expect((await run(agent, "refuse", {}, runner(server.url))).terminalFailure).toMatchObject({ kind: "refusal" });
  expect((await run(agent, "long", {}, runner(server.url))).terminalFailure).toMatchObject({ kind: "length" });
  expect((await run(agent, "filter", {}, runner(server.url))).terminalFailure).toMatchObject({ kind: "content_filter" });
  expect((await run(agent, "bad", {}, runner(server.url))).terminalFailure).toMatchObject({ httpStatus: 400 });
});

test("a tool whose output ends the run is the answer; a guardrail that refuses a call has denied it", async () => {
  script(asks(call("c1", "list", '{"window":"1h"}')));
  expect((await run(new Agent({ name: "A", instructions: "x", tools: [list], toolUseBehavior: "stop_on_first_tool" }))).answer).toBe('{"window":"1h","ids":["a1"]}');
  const guarded = (behavior: object): Agent => new Agent({ name: "A", instructions: "x", tools: [tool({ name: "list", description: "d", parameters: z.object({ window: z.string() }), execute: () => "ran", inputGuardrails: [{ type: "tool_input", name: "g", run: async () => ({ behavior }) } as never] })] });
  script(asks(call("c1", "list", '{"window":"1h"}')), { content: "No." });
  expect(look(await run(guarded({ type: "rejectContent", message: "not you" })))).toEqual([["list", { window: "1h" }, undefined, "denied", false]]);
  const ended = await run(guarded({ type: "throwException" }));
  expect(look(ended)).toEqual([["list", { window: "1h" }, undefined, "denied", false]]);
  expect(ended.terminalPhase).toBe("failed");
});

test("turns: what was said before is sent again, and a session keeps it where there is one", async () => {
  script({ content: "Hello." }, { content: "Again." });
  const history = [{ role: "user", content: "Hi" }, { role: "assistant", content: "Hello." }] as const;
  const evidence = await collect(target(weatherAgent, { runner: runner(), newRunId: () => "run-7" }).send("And?", { signal: new AbortController().signal, threadId: "t1", history }));
  expect(evidence).toMatchObject({ runId: "run-7", sessionId: "t1", answer: "Again." });
  const sent = mock.getLastRequest()?.body as { readonly messages: readonly { readonly role: string }[] } | undefined;
  expect(sent?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  const remembers = target(weatherAgent, { runner: runner(), memory: true, call: ({ threadId }) => ({ context: { threadId } }) });
  script({ content: "Once." });
  expect((await collect(remembers.send("And?", { signal: new AbortController().signal, threadId: "t1", history }))).answer).toBe("Once.");
  expect(remembers.memory).toBe(true);
});

test("without a runner the SDK's own runs the agent, and traces nothing", async () => {
  script({ content: "Hello." });
  const model = await modelProvider().getModel("gpt-4.1-mini");
  const evidence = await collect(target(new Agent({ name: "A", instructions: "x", model })).send("Hi", { signal: new AbortController().signal }));
  expect(evidence).toMatchObject({ answer: "Hello.", terminalPhase: "completed" });
  expect(() => target({} as never)).toThrow("needs an agent");
  expect(() => target(weatherAgent, { runner: {} as never })).toThrow("run() method");
  expect(typeof sdkRun).toBe("function");
});

describe("the contract of a target, kept by an agent of the SDK", () => {
  const answer = (content: string): Answer => ({ sse: chatStream([{ content }], "stop") });
  const calling = (name: string, args: string): Answer => ({ sse: chatStream([{ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name, arguments: args } }] }], "tool_calls") });
  const asked = ({ body }: Received): boolean => body.messages.some(({ role }: { role: string }) => role === "tool");
  const over = async (answers: (request: Received) => Answer, options: AgentTargetOptions = {}, of: Agent = agent): Promise<TargetSituation<any>> => {
    const server = await loopback(answers);
    return { target: target(of, { runner: runner(server.url), ...options }), input: "Go.", close: () => server[Symbol.asyncDispose]() };
  };
  const leading = (): Agent => new Agent({ name: "Leader", instructions: "You lead.", tools: [new Agent({ name: "Researcher", instructions: "You research.", tools: [list] }).asTool({ toolName: "research", toolDescription: "d" })] });
  const harness: TargetHarness<any> = {
    answers: async () => ({ ...(await over(() => answer("Hi."))), answer: "Hi." }),
    waits: () => over(() => ({ sse: chatStream([{ content: "Wai" }], undefined), hang: true })),
    breaksOff: async () => ({ ...(await over(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut: true }))), said: "Your order" }),
    calls: async () => ({ ...(await over((request) => (asked(request) ? answer("Done.") : calling("list", '{"window":"24h"}')))), toolName: "list", args: { window: "24h" }, result: { window: "24h", ids: ["a1"] } }),
    fails: async () => ({ ...(await over((request) => (asked(request) ? answer("No.") : calling("pay", '{"amount":5}')))), toolName: "pay", kind: "unknown" }),
    asks: async () => ({ ...(await over(() => calling("remove", '{"id":"a1"}'))), toolName: "remove" }),
    decides: async () => {
      deleted.length = 0;
      return { ...(await over((request) => (asked(request) ? answer("Done.") : calling("remove", '{"id":"a1"}')))), toolName: "remove", made: () => deleted.length };
    },
    nests: async () => ({ ...(await over((request) => (asked(request) ? answer("One.") : JSON.stringify(request.body).includes("You research") ? calling("list", '{"window":"24h"}') : calling("research", '{"input":"x"}')), {}, leading())), parent: "research", child: "list" }),
    bounded: async () => ({ ...(await over((request) => (asked(request) ? answer("Done.") : calling("list", '{"window":"24h"}')), { bounds: () => ({ returned: 1, truncated: true }) })), toolName: "list", bounds: { returned: 1, truncated: true } }),
    remembers: async () => ({ ...(await over(({ body }) => answer(JSON.stringify(body.messages)))), input: "Brooklyn.", next: "What did I say?", shows: (text: string) => text.includes("Brooklyn") }),
  };
  test.each(targetContract(harness))("$name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });
});

test("what a blind adapter cannot see is errored, not passed: bounds, and parents without a listener", async () => {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: canonicalResponse });
  const scenario = (id: string, asked: () => Promise<Evidence>, wanted: Parameters<typeof expectation>[0]): never =>
    ({ id, description: id, tags: [], timeoutMs: 5000, run: async () => ({ checks: expectation(wanted).checks(await asked()) }) }) as never;
  const weatherRun = (): Promise<Evidence> => run(weatherAgent, QUESTION);
  await using server = await loopback(() => ({ sse: chatStream([{ content: "It is" }], undefined), cut: true }));
  const report = await createRunner({ maxConcurrency: 1 }).run({
    id: "blind",
    description: "What cannot be seen.",
    scenarios: [
      scenario("bounds", weatherRun, { tools: [expectCall({ name: "get_weather" }, { bounds: () => true })] }),
      scenario("cut", () => run(weatherAgent, QUESTION, {}, runner(server.url)), { forbidTools: ["delete_alarm"] }),
      scenario("seen", weatherRun, { tools: [expectCall({ name: "get_weather" })], forbidTools: ["delete_alarm"] }),
    ],
  });
  expect(report.scenarios.map(({ id, outcome, error }) => [id, outcome, error?.code])).toEqual([["bounds", "errored", "not_observable"], ["cut", "errored", "stream_incomplete"], ["seen", "passed", undefined]]);
});

test("a model of the SDK is a judge's model: raw arguments, stop reasons and usage as they are", async () => {
  const twice = '{"a":1,"a":2}';
  const forced = { tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "grade", arguments: twice } }] };
  await using server = await loopback(({ body }) => {
    const asked = JSON.stringify(body);
    if (asked.includes("too long")) return { sse: chatStream([{ content: "I" }], "length") };
    if (asked.includes("cut")) return { sse: chatStream([{ content: "I" }], undefined) };
    if (asked.includes("refuse")) return { sse: chatStream([{ refusal: "no" }], "stop", null) };
    return { sse: chatStream([forced], "stop") };
  });
  const model = await modelProvider(server.url).getModel("gpt-4.1-mini");
  const judge = provider(model);
  expect(judge.rawArguments).toBe(true);
  createClient(judge);
  const ask = (content: string): ReturnType<typeof judge.complete> =>
    judge.complete({ modelClass: "default", messages: [{ role: "system", content: "Grade." }, { role: "user", content }, { role: "assistant", content: [{ type: "tool_call", id: "c0", name: "grade", arguments: "{}" }] }, { role: "tool", toolCallId: "c0", content: "again" }], tools: [{ name: "grade", description: "Grades.", inputSchema: { type: "object", properties: { a: { type: "number" } } } }], toolChoice: { tool: "grade" }, temperature: 0, maxOutputTokens: 99 }, {});
  expect(await ask("go")).toEqual({ content: [{ type: "tool_call", id: "c1", name: "grade", arguments: twice }], stopReason: "tool_calls", usage: { inputTokens: 11, outputTokens: 7, reasoningTokens: 0, cachedInputTokens: 0 }, model: "gpt-4.1-mini" });
  expect(server.received[0]?.body).toMatchObject({ model: "gpt-4.1-mini", temperature: 0, max_tokens: 99, tool_choice: { type: "function", function: { name: "grade" } }, tools: [{ function: { name: "grade", parameters: { type: "object", properties: { a: { type: "number" } } } } }] });
  expect(await ask("too long")).toMatchObject({ content: [{ type: "text", text: "I" }], stopReason: "length" });
  expect(await ask("refuse")).toEqual({ content: [], stopReason: "refusal", model: "gpt-4.1-mini" });
  await expect(ask("cut")).rejects.toMatchObject({ code: "provider_failed", message: expect.stringContaining("broke off") });
  expect(() => provider("gpt-4.1" as never)).toThrow("getModel");
  expect(() => provider({ default: model, small: model } as never)).toThrow('"high-reasoning"');
});
