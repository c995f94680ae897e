// Runs real agents, networks and workflows of Mastra over HTTP through the twelve situations, and through what only Mastra has.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { Agent } from "@mastra/core/agent";
import { noopLogger } from "@mastra/core/logger";
import { Mastra } from "@mastra/core/mastra";
import { RequestContext } from "@mastra/core/request-context";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { LibSQLStore } from "@mastra/libsql";
import { Memory } from "@mastra/memory";
import { check, createRunner, type Suite } from "entail";
import { events, provider, resolveModel, target, type EventsOptions, type MastraEvents, type MastraTargetOptions, type StreamSource, type WorkflowLike } from "entail/adapter/mastra";
import { converse } from "entail/conversation";
import { collect, expectation, expectCall, expectConfirmation, type Evidence } from "entail/evidence";
import { createClient } from "entail/model";
import { targetContract, type TargetHarness, type TargetSituation } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openClient } from "../../src/core/model-client.ts";
import type { ModelRequest } from "../../src/core/model.ts";
import { chatStream, loopback, type Answer, type Received } from "../ai-sdk/loopback.ts";
import { allPassed } from "../ai-sdk/parts.ts";
import { canonicalFor, canonicalResponse, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
afterAll(() => writeCells("mastra"));

const seen = (situation: Situation, how: Cell["how"]): void => recordCell("mastra", situation, { outcome: "seen", how });

/** What the model was sent, in order. */
const requests: { readonly role: string; readonly content: unknown }[][] = [];
/** The model's answers, in the order of its turns; those of an agent whose instructions are `by` its own. */
function script(...answers: readonly FixtureResponse[]): void {
  scripts({ "": answers });
}
function scripts(by: Readonly<Record<string, readonly FixtureResponse[]>>): void {
  mock.clearFixtures();
  requests.length = 0;
  mock.addFixture({
    match: {},
    response: ({ messages }) => {
      requests.push(messages);
      const system = JSON.stringify(messages[0]);
      const [, answers = []] = Object.entries(by).findLast(([words]) => system.includes(words)) ?? [];
      return answers[messages.filter(({ role }) => role === "assistant").length] ?? { error: { message: "the script is over" }, status: 400 };
    },
  });
}
const call = (id: string, name: string, args: string): { id: string; name: string; arguments: string } => ({ id, name, arguments: args });
const asks = (...toolCalls: ReturnType<typeof call>[]): FixtureResponse => ({ toolCalls });
const model = (url = mock.url): ReturnType<ReturnType<typeof createOpenAI>["chat"]> => createOpenAI({ baseURL: `${url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini");

const deleted: string[] = [];
const list = createTool({ id: "list-id", description: "Lists.", inputSchema: z.object({ window: z.string() }), execute: async ({ window }) => ({ window, ids: ["a1"] }) });
const remove = createTool({ id: "remove", description: "Deletes.", inputSchema: z.object({ id: z.string() }), requireApproval: true, execute: async ({ id }) => { deleted.push(id); return { deleted: id }; } });
const pay = createTool({ id: "pay", description: "Pays.", inputSchema: z.object({ amount: z.number() }), execute: async (): Promise<string> => { throw new Error("card declined"); } });
const ask = createTool({
  id: "ask", description: "Asks.", inputSchema: z.object({ q: z.string() }), suspendSchema: z.object({ why: z.string() }), resumeSchema: z.object({ ok: z.boolean() }),
  execute: async (_input, context) => {
    const asked = context.agent as { resumeData?: { ok: boolean }; suspend(payload: object): Promise<void> };
    return asked.resumeData === undefined ? asked.suspend({ why: "a name is needed" }) : { said: asked.resumeData.ok };
  },
});
const tools: Record<string, any> = { list, remove, pay, ask };
const quiet = new Mastra({ logger: false });
/** Alone, an agent or a workflow writes every failure that a test provokes to the console. */
function registered<Made>(made: Made): Made {
  for (const [name, value] of [["__setLogger", noopLogger], ["__registerMastra", quiet]] as const) (made as Record<string, (value: unknown) => void>)[name]?.(value);
  return made;
}
function agent(over: object = {}): Agent<any, any> {
  const made = new Agent({ id: "helper", name: "helper", instructions: "You help.", model: model(), tools, ...over } as never) as Agent<any, any>;
  return registered(made);
}
/** An agent that can be resumed. */
const stored = (over: object = {}): Agent<any, any> => new Mastra({ agents: { helper: agent(over) }, storage: new InMemoryStore(), logger: false }).getAgent("helper");

const run = async (source: StreamSource | PromiseLike<StreamSource>, options: EventsOptions = {}): Promise<Evidence> => collect(events(await source, options));
const look = ({ toolCalls }: Evidence): unknown[][] => toolCalls.map(({ toolName, args, result, failure, approval, completed }) => [toolName, args, failure?.kind ?? result, approval, completed]);
const tree = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolCallId, toolName, parentToolCallId, completed }) => [toolCallId, toolName, parentToolCallId, completed]);
const codes = ({ warnings }: MastraEvents): string[] => warnings.map(({ code }) => code);
const signal = new AbortController().signal;

describe("the twelve situations", () => {
  test("two parallel calls", async () => {
    script(asks(call("c1", "list", '{"window":"24h"}'), call("c2", "list", '{"window":"7d"}')), { content: "Done." });
    expect(look(await run(agent().stream("Go.")))).toEqual([
      ["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, undefined, true],
      ["list", { window: "7d" }, { window: "7d", ids: ["a1"] }, undefined, true],
    ]);
    seen("parallel_calls", "both calls in the order in which the model issued them, each with its own result");
  });

  test("arguments in pieces that split an escape and a surrogate pair", async () => {
    const pieces = ['{ "win', 'dow": "caf\\u0', '0e9 \ud83d', '\ude00", "n": 9007199254740993 }'];
    const first = pieces.map((piece, at) => ({ tool_calls: [{ index: 0, ...(at === 0 ? { id: "c1", type: "function" } : {}), function: { ...(at === 0 ? { name: "list" } : {}), arguments: piece } }] }));
    await using server = await loopback((_request, index) => ({ sse: index === 0 ? chatStream(first, "tool_calls") : chatStream([{ content: "Done." }], "stop") }));
    const evidence = await run(agent({ model: model(server.url) }).stream("Go."));
    expect(evidence.toolCalls[0]?.argsJson).toBe('{"n":9007199254740993,"window":"café 😀"}');
    expect(evidence.toolCalls[0]?.result).toEqual({ window: "café 😀", ids: ["a1"] });
    seen("split_arguments", "the arguments as the model wrote them, put together again, with every digit");
  });

  test("a tool that throws", async () => {
    script(asks(call("c1", "pay", '{"amount":5}')), { content: "It failed." });
    const evidence = await run(agent().stream("Go."));
    expect(look(evidence)).toEqual([["pay", { amount: 5 }, "unknown", undefined, true]]);
    expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "It failed.", toolCalls: [{ failure: { error: { message: "card declined" } } }] });
    expect(evidence.toolCalls[0]?.failure?.error.cause).toBeUndefined();
    seen("tool_throws", "a failed call with the error's message; its kind where the error or the application says it, else `unknown`");
  });

  test("a call of an unknown tool", async () => {
    script(asks(call("c1", "no_such_tool", '{"x":1}')), { content: "No." });
    expect(look(await run(agent().stream("Go.")))).toEqual([["no_such_tool", { x: 1 }, "invalid_call", undefined, true]]);
    expect(look(await run(agent().generate("Go.")))).toEqual([["no_such_tool", { x: 1 }, "invalid_call", undefined, true]]);
    seen("unknown_tool", "a failed call of kind `invalid_call` under the name that the model gave");
  });

  test("invalid arguments, and arguments that are no JSON, for which Mastra calls the tool with an empty object", async () => {
    const open = createTool({ id: "open", description: "Opens.", inputSchema: z.object({ n: z.number().optional() }), execute: async () => "opened" });
    script(asks(call("c1", "pay", '{"amount":"five"}'), call("c2", "pay", '{"amount": 5,, }'), call("c3", "open", '{"n": 1')), { content: "No." });
    const source = events(await agent({ tools: { pay, open } }).stream("Go."));
    const evidence = await collect(source);
    expect(look(evidence)).toEqual([
      ["pay", { amount: "five" }, "invalid_call", undefined, true],
      ["pay", '{"amount": 5,, }', "invalid_call", undefined, true],
      ["open", '{"n": 1', "opened", undefined, true],
    ]);
    expect(evidence.toolCalls[0]?.failure?.error.message).toContain("expected number, received string");
    expect(codes(source)).toEqual(["arguments_unreadable", "arguments_unreadable"]);
    seen("invalid_arguments", "a failed call of kind `invalid_call` with the arguments as the model wrote them, though Mastra hands it to the model as a result");
  });

  async function decided(approved: boolean): Promise<{ first: Evidence; second: Evidence }> {
    deleted.length = 0;
    script(asks(call("c0", "list", '{"window":"0"}'), call("c1", "remove", '{"id":"a1"}'), call("c2", "list", '{"window":"2"}')), { content: "As you wish." });
    const helper = stored();
    const stream = await helper.stream("Go.");
    const first = await run(stream, { runId: "one" });
    expect(first).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "c1" } });
    const resumed = await (approved ? helper.approveToolCall({ runId: stream.runId, toolCallId: "c1" }) : helper.declineToolCall({ runId: stream.runId, toolCallId: "c1", reason: "too risky" }));
    return { first, second: await collect(events(resumed, { runId: "two", continues: first }), {}, { rootRunId: "two", continues: first }) };
  }

  test("an approval granted", async () => {
    const { first, second } = await decided(true);
    expect(look(second)).toEqual([["remove", { id: "a1" }, { deleted: "a1" }, "approved", true]]);
    expect(second).toMatchObject({ terminalPhase: "completed", answer: "As you wish." });
    expect(deleted).toEqual(["a1"]);
    // The calls beside it had begun before the run stopped, and ended after it went on.
    expect(look(first)).toEqual([["list", { window: "0" }, undefined, undefined, false], ["list", { window: "2" }, undefined, undefined, false]]);
    expect(second.completions?.map(({ call: { toolCallId, completed }, startedInRunId }) => [toolCallId, completed, startedInRunId])).toEqual([["c0", true, "one"], ["c2", true, "one"]]);
    seen("approval_granted", "the confirmation in the first run; in the run that goes on, the approved call with its result");
  });

  test("an approval refused", async () => {
    const { second } = await decided(false);
    expect(look(second)).toEqual([["remove", { id: "a1" }, undefined, "denied", false]]);
    expect(second.terminalPhase).toBe("completed");
    expect(deleted).toEqual([]);
    seen("approval_refused", "the call in the run that goes on, denied and not executed; not a failure");
  });

  test("a turn whose approvals are decided goes on, with one call and no more, also where Mastra asks for one after the other", async () => {
    const asked = target(stored());
    const turns = [asks(call("c0", "list", '{"window":"1"}'), call("c1", "remove", '{"id":"a1"}'), call("c2", "remove", '{"id":"a2"}')), asks(call("c3", "remove", '{"id":"a3"}')), { content: "As you wish." }];
    for (const approvals of ["approve", "reject"] as const) {
      deleted.length = 0;
      script(...turns);
      const { evidence } = await converse(asked, [{ input: "Go.", approvals }]);
      const ends = approvals === "approve" ? (id: string): unknown[] => [{ deleted: id }, "approved", true] : (): unknown[] => [undefined, "denied", false];
      // Mastra tells of the second question only once the first is answered.
      expect(look(evidence)).toEqual([["list", { window: "1" }, { window: "1", ids: ["a1"] }, undefined, true], ...["a2", "a1", "a3"].map((id) => ["remove", { id }, ...ends(id)])]);
      expect(evidence).toMatchObject({ answer: "As you wish.", terminalPhase: "completed" });
      expect(deleted).toEqual(approvals === "approve" ? ["a1", "a2", "a3"] : []);

      // The agent itself, whose whole result tells the decision of the last call alone.
      script(...turns);
      const whole = await converse(stored(), [{ input: "Go.", approvals }]);
      expect(whole.evidence).toMatchObject({ answer: "As you wish.", terminalPhase: "completed" });
      expect(look(whole.evidence).filter(([name]) => name === "remove")).toEqual(["a3", "a1", "a2"].map((id) => ["remove", { id }, ...ends(id)]));
    }
  });

  test("an approval left pending", async () => {
    deleted.length = 0;
    script(asks(call("c1", "remove", '{"id":"a1"}')), { content: "never" });
    for (const source of [await stored().stream("Go."), await stored().generate("Go.")] as StreamSource[]) {
      const evidence = await run(source);
      expect(evidence).toMatchObject({ terminalPhase: "suspended", ended: true, confirmation: { toolCallId: "c1", toolName: "remove", args: { id: "a1" }, state: "pending" }, toolCalls: [] });
      expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "remove" }), forbidTools: ["remove"] }).checks(evidence))).toBe(true);
    }
    expect(deleted).toEqual([]);
    seen("approval_pending", "a suspended run with the confirmation and without the call");
  });

  const researcher = (over: object = {}): Agent<any, any> => agent({ id: "research", name: "research", description: "Researches.", instructions: "You research.", tools: { list, pay }, ...over });
  const delegating = { "You help.": [asks(call("c1", "agent-research", '{"prompt":"prices"}')), { content: "One." }], "You research.": [asks(call("c1", "list", '{"window":"24h"}'), call("c2", "pay", '{"amount":5}')), { content: "inner words" }] };

  test("a nested agent", async () => {
    scripts(delegating);
    const evidence = await run(agent({ agents: { research: researcher() } }).stream("How many?"));
    expect(tree(evidence)).toEqual([["c1", "agent-research", undefined, true], ["c1/c1", "list", "c1", true], ["c1/c2", "pay", "c1", true]]);
    expect(evidence).toMatchObject({ answer: "One.", terminalPhase: "completed", observes: { parents: true }, usage: { requests: 4 } });
    expect(new Set(evidence.toolCalls.map(({ runId }) => runId)).size).toBe(2);
    expect(evidence.toolCalls[2]?.failure?.error.message).toBe("card declined");
    expect(evidence.toolCalls[0]?.result).toMatchObject({ text: "inner words" });
    const hidden = createTool({ id: "research", description: "Researches.", inputSchema: z.object({ prompt: z.string() }), execute: async ({ prompt }) => ({ text: (await researcher().generate(prompt)).text }) });
    expect(tree(await run(agent({ tools: { "agent-research": hidden } }).stream("How many?")))).toEqual([["c1", "agent-research", undefined, true]]);
    seen("nested_agent", "the calls of sub-agents, networks and workflow steps below the call that ran them, in runs of their own; not those of an agent that a tool runs unstreamed");
  });

  test("a nested agent of a whole result: only what came back is seen, and parents are declared unseen", async () => {
    scripts(delegating);
    const source = events(await agent({ agents: { research: researcher() } }).generate("How many?"));
    expect(source.observes).toMatchObject({ parents: false, deltas: false });
    expect(tree(await collect(source))).toEqual([["c1", "agent-research", undefined, true], ["c1/c1", "list", "c1", true]]);
    expect(events(agent().stream("Go.")).observes.parents).toBe(false);
  });

  test("a nested agent whose call waits for approval", async () => {
    scripts({ "You help.": [asks(call("c1", "agent-research", '{"prompt":"go"}')), { content: "One." }], "You research.": [asks(call("x1", "remove", '{"id":"a1"}')), { content: "inner words" }] });
    const helper = stored({ agents: { research: researcher({ tools: { remove } }) } });
    const stream = await helper.stream("Go.");
    const first = await run(stream, { runId: "one" });
    expect(first).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "c1/x1", toolName: "remove", args: { id: "a1" } } });
    expect(tree(first)).toEqual([["c1", "agent-research", undefined, false]]);
    const second = await collect(events(await helper.approveToolCall({ runId: stream.runId, toolCallId: "c1" }), { runId: "two", continues: [first] }), {}, { rootRunId: "two", continues: first });
    expect(second).toMatchObject({ terminalPhase: "completed", toolCalls: [{ toolCallId: "c1/x1", approval: "approved", result: { deleted: "a1" } }], completions: [{ call: { toolCallId: "c1", completed: true } }] });
    const whole = await run(helper.generate("Go."));
    expect(whole).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "c1/x1", toolName: "remove", args: { id: "a1" } }, toolCalls: [{ toolCallId: "c1" }] });
  });

  test("a provider's own tool whose result comes in a later step", async () => {
    const event = (value: object): string => JSON.stringify(value);
    const message = (blocks: readonly { type: string; text?: string; input?: object }[], stop_reason: string): string[] => [
      event({ type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [], model: "claude", stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } }),
      ...blocks.flatMap(({ input, ...block }, index) => [
        event({ type: "content_block_start", index, content_block: { ...block, ...(block.type === "text" ? { text: "" } : {}), ...(input === undefined ? {} : { input: {} }) } }),
        ...(input === undefined ? [] : [event({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: event(input) } })]),
        ...(block.type === "text" ? [event({ type: "content_block_delta", index, delta: { type: "text_delta", text: block.text } })] : []),
        event({ type: "content_block_stop", index }),
      ]),
      event({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 2 } }),
      event({ type: "message_stop" }),
    ];
    const search = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } };
    const found = (content: unknown): { type: string } => ({ type: "web_search_tool_result", tool_use_id: "s1", content } as { type: string });
    const page = { type: "web_search_result", url: "https://weather.example", title: "Weather", encrypted_content: "x", page_age: null };
    const searching = (url: string): Promise<Evidence> => {
      const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: "test" });
      return run(agent({ model: anthropic("claude-sonnet-4-5"), tools: { web_search: anthropic.tools.webSearch_20250305({}), list } }).stream("Go."));
    };
    await using later = await loopback((_request, index) => ({ sse: index === 0 ? message([search, { type: "tool_use", id: "c1", name: "list", input: { window: "24h" } } as never], "tool_use") : message([found([page]), { type: "text", text: "Sunny." }], "end_turn") }));
    const evidence = await searching(later.url);
    expect(evidence.toolCalls.map(({ toolName, args, completed }) => [toolName, args, completed])).toEqual([["web_search", { query: "x" }, true], ["list", { window: "24h" }, true]]);
    expect(JSON.stringify(evidence.toolCalls[0]?.result)).toContain("weather.example");
    expect(evidence).toMatchObject({ answer: "Sunny.", terminalPhase: "completed" });
    expect(later.received).toHaveLength(2);
    await using refusing = await loopback(() => ({ sse: message([search, found({ type: "web_search_tool_result_error", error_code: "max_uses_exceeded" }), { type: "text", text: "No." }], "end_turn") }));
    expect((await searching(refusing.url)).toolCalls).toMatchObject([{ toolName: "web_search", failure: { kind: "unknown", error: { message: expect.stringContaining("max_uses_exceeded") } } }]);
    await using silent = await loopback(() => ({ sse: message([search, { type: "text", text: "Sunny." }], "end_turn") }));
    expect(await searching(silent.url)).toMatchObject({ terminalPhase: "completed", toolCalls: [{ toolName: "web_search", completed: false }] });
    seen("provider_executed", "one call with the result that the later step brought");
  });

  test("a stream that is cut off", async () => {
    await using server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut: true }));
    const error: unknown = await run(agent({ model: model(server.url), maxRetries: 0 }).stream("Go.")).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order", ended: false } });
    expect((error as { evidence: Evidence }).evidence.terminalPhase).toBeUndefined();
    seen("cut_off", "`collect` rejects with `stream_incomplete`, though Mastra finishes such a run as a failed one; what was seen is kept, and no end is made up");
  });

  test("an abort", async () => {
    const aborting = (): { controller: AbortController; slow: unknown } => {
      const controller = new AbortController();
      const slow = createTool({ id: "slow", description: "Waits.", inputSchema: z.object({}), execute: (_input, { abortSignal }) => new Promise<never>((_resolve, reject) => { abortSignal?.addEventListener("abort", () => reject(abortSignal.reason as Error)); queueMicrotask(() => controller.abort(new Error("enough"))); }) });
      return { controller, slow };
    };
    script({ content: "I wait.", toolCalls: [call("c1", "slow", "{}")] }, { content: "never" });
    const first = aborting();
    const evidence = await collect(target(agent({ tools: { slow: first.slow } })).send("Go.", { signal: first.controller.signal }));
    expect(evidence).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "I wait.", toolCalls: [{ toolName: "slow" }] });
    // Mastra itself finishes that run as one that waits for its tool.
    const second = aborting();
    expect((await run(agent({ tools: { slow: second.slow } }).stream("Go.", { abortSignal: second.controller.signal }))).terminalPhase).toBe("suspended");
    const before = AbortSignal.abort();
    expect(await run(agent().stream("Go.", { abortSignal: before }))).toMatchObject({ terminalPhase: "cancelled", toolCalls: [] });
    expect(await run(agent().generate("Go.", { abortSignal: before }))).toMatchObject({ terminalPhase: "cancelled", answer: "" });
    seen("abort", "a cancelled run with what it had begun; inside a tool only where the adapter knows the signal, as a target does");
  });
});

describe("the canonical scenario", () => {
  const weather = createTool({ id: "weather", description: WEATHER_TOOL.description, inputSchema: z.object({ city: z.string() }), execute: async () => ({ ...RESULT }) });
  const weatherAgent = (over: object = {}): Agent<any, any> => agent({ tools: { get_weather: weather }, ...over });

  test("gives the canonical evidence, streamed and whole", async () => {
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: canonicalResponse });
    const streamed = await collect(target(weatherAgent()).send(QUESTION, { signal }));
    expect(comparable(streamed)).toEqual(canonicalFor(streamed.observes));
    const whole = await run(weatherAgent().generate(QUESTION));
    expect(comparable(whole)).toEqual(canonicalFor(whole.observes));
    expect(allPassed([...expectation({ tools: [expectCall({ name: "get_weather" })] }).checks(streamed), check("answer", streamed.answer.includes("sunny"), streamed.answer)])).toBe(true);
  });

  test("what Mastra cannot show decides nothing: an expectation of bounds is an errored scenario, unless the application reads them", async () => {
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: canonicalResponse });
    const scenario = (id: string, options: object): Suite["scenarios"][number] => ({
      id, description: "Asks for the weather.", tags: [], timeoutMs: 5000,
      async run(ctx) {
        const evidence = await collect(target(weatherAgent(), options).send(QUESTION, { signal: ctx.signal }), ctx);
        return { checks: expectation({ exact: true, tools: [expectCall({ name: "get_weather" }, { bounds: (bounds) => bounds?.truncated === false })] }).checks(evidence), output: evidence.answer };
      },
    });
    const report = await createRunner({ maxConcurrency: 1 }).run({ id: "weather", description: "Weather.", scenarios: [scenario("blind", {}), scenario("told", { bounds: () => ({ returned: 1, truncated: false }) })] });
    expect(report.scenarios.map(({ outcome, error }) => [outcome, error?.code])).toEqual([["errored", "not_observable"], ["passed", undefined]]);
  });
});

describe("how runs end", () => {
  test.each([
    ["length", { content: "Half a", finishReason: "length" }, "length"],
    ["content filter", { content: "Half a", finishReason: "content_filter" }, "content_filter"],
  ])("an answer stopped by its %s is a failed run, streamed and whole", async (_what, answer, kind) => {
    script(answer);
    for (const source of [await agent().stream("Go."), await agent().generate("Go.")] as StreamSource[]) {
      expect(await run(source)).toMatchObject({ terminalPhase: "failed", answer: "Half a", terminalFailure: { kind } });
    }
  });

  test("a model that cannot be reached is a failed run that says why", async () => {
    script({ error: { message: "Incorrect API key provided", type: "invalid_request_error", code: "invalid_api_key" }, status: 401 });
    expect(await run(agent({ maxRetries: 0 }).stream("Go."))).toMatchObject({ terminalPhase: "failed", answer: "", terminalFailure: { message: "Incorrect API key provided", httpStatus: 401, kind: "AI_APICallError" } });
  });

  test("an answer that ends too early, for which Mastra asks again and again, leaves the run without an end", async () => {
    await using server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }], undefined) }));
    const error: unknown = await run(agent({ model: model(server.url) }).stream("Go.")).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete", evidence: { ended: false } });
    expect(server.received.length).toBeGreaterThan(1);
  });

  test("a run that its step limit stops has completed, its last calls done", async () => {
    script(asks(call("c1", "list", '{"window":"1"}')), asks(call("c2", "list", '{"window":"2"}')), { content: "never" });
    expect(await run(agent().stream("Go.", { maxSteps: 2 }))).toMatchObject({ terminalPhase: "completed", answer: "", toolCalls: [{ completed: true }, { completed: true }] });
  });

  test("a tool without an execute of its own, and one that gives nothing back, leave the run waiting", async () => {
    const client = createTool({ id: "client", description: "Runs elsewhere.", inputSchema: z.object({}) });
    const empty = createTool({ id: "empty", description: "Says nothing.", inputSchema: z.object({}), execute: async () => undefined });
    script(asks(call("c1", "client", "{}")));
    expect(await run(agent({ tools: { client } }).stream("Go."))).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ completed: false }] });
    script(asks(call("c1", "empty", "{}")));
    expect(await run(agent({ tools: { empty } }).stream("Go."))).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ completed: false }] });
  });

  test("a tool whose result breaks its own schema has failed, and a result that holds an error of its own is a result", async () => {
    const wrong = createTool({ id: "wrong", description: "Breaks.", inputSchema: z.object({}), outputSchema: z.object({ n: z.number() }), execute: async () => ({ n: "x" }) as never });
    const polite = createTool({ id: "polite", description: "Says no.", inputSchema: z.object({}), execute: async () => ({ error: "no such city" }) });
    script(asks(call("c1", "wrong", "{}"), call("c2", "polite", "{}")), { content: "Done." });
    for (const source of [await agent({ tools: { wrong, polite } }).stream("Go."), await agent({ tools: { wrong, polite } }).generate("Go.")] as StreamSource[]) {
      expect(look(await run(source))).toEqual([["wrong", {}, "malformed_result", undefined, true], ["polite", {}, { error: "no such city" }, undefined, true]]);
    }
  });

  test("a tool that suspends itself has begun, and the run waits for an answer", async () => {
    script(asks(call("c1", "ask", '{"q":"who"}')), { content: "Thanks." });
    const helper = stored();
    const stream = await helper.stream("Go.");
    const first = await run(stream, { runId: "one" });
    expect(first).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "ask", prompt: expect.stringContaining("a name is needed") }, toolCalls: [{ toolName: "ask", approval: "pending", completed: false }] });
    const second = await collect(events(await helper.resumeStream({ ok: true }, { runId: stream.runId, toolCallId: "c1" }), { runId: "two", continues: first }), {}, { rootRunId: "two", continues: first });
    expect(second).toMatchObject({ terminalPhase: "completed", answer: "Thanks.", toolCalls: [], completions: [{ call: { toolCallId: "c1", completed: true, result: { said: true } } }] });
  });

  test("a whole result of a run that was resumed tells each call once", async () => {
    script(asks(call("c1", "remove", '{"id":"a1"}'), call("c2", "list", '{"window":"2"}')), { content: "As you wish." });
    const helper = stored();
    const first = await helper.generate("Go.");
    const second = await run(helper.approveToolCallGenerate({ runId: first.runId ?? "", toolCallId: "c1" }));
    expect(look(second)).toEqual([["remove", { id: "a1" }, { deleted: "a1" }, "approved", true], ["list", { window: "2" }, { window: "2", ids: ["a1"] }, undefined, true]]);
    expect(second).toMatchObject({ answer: "As you wish.", terminalPhase: "completed" });
  });
});

describe("what processors and other models take back", () => {
  const processed = (over: object, retries?: number): Agent<any, any> => agent({ outputProcessors: [{ id: "guard", name: "guard", ...over }], ...(retries === undefined ? {} : { maxProcessorRetries: retries }) });
  interface Asked { readonly abort: (reason: string, options?: object) => never; readonly text: string; readonly messages: any[]; readonly part: any }
  const bad: FixtureResponse = { content: "bad", toolCalls: [call("c1", "list", '{"window":"1"}')] };

  test("an input that a processor refuses is a failed run that names it", async () => {
    script({ content: "never" });
    const evidence = await run(agent({ inputProcessors: [{ id: "guard", name: "guard", processInput: async ({ abort }: Asked) => abort("no prompts") }] }).stream("Go."));
    expect(evidence).toMatchObject({ terminalPhase: "failed", ended: true, answer: "", terminalFailure: { kind: "tripwire", message: "no prompts", code: "guard" } });
  });

  test("a step that is refused and tried again has said and called nothing", async () => {
    let refusals = 0;
    script(bad, { content: "never" });
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: () => (refusals === 0 ? bad : { content: "good" }) });
    const source = events(await processed({ processOutputStep: async ({ abort, text }: Asked) => { if (text === "bad") { refusals += 1; abort("bad step", { retry: true }); } } }, 2).stream("Go."));
    const evidence = await collect(source);
    expect(evidence).toMatchObject({ answer: "good", toolCalls: [], terminalPhase: "completed", usage: { requests: 2 } });
    expect(codes(source)).toEqual(["call_retracted", "text_retracted"]);
  });

  test("a step that is refused for good has said nothing; the call that was executed has happened", async () => {
    script(bad, { content: "never" });
    const evidence = await run(processed({ processOutputStep: async ({ abort, text }: Asked) => (text === "bad" ? abort("bad step") : undefined) }).stream("Go."));
    expect(evidence).toMatchObject({ answer: "", terminalPhase: "failed", terminalFailure: { kind: "tripwire", message: "bad step" }, toolCalls: [{ toolName: "list", completed: true }] });
  });

  test("a result that a processor refuses after the last chunk is a failed run without an answer", async () => {
    script({ content: "secret" });
    const evidence = await run(processed({ processOutputResult: async ({ abort }: Asked) => abort("bad result") }).stream("Go."));
    expect(evidence).toMatchObject({ answer: "", terminalPhase: "failed", terminalFailure: { kind: "tripwire", message: "bad result" } });
  });

  test("a result that a processor changes is the answer as it left it, and one that breaks fails the run", async () => {
    script({ content: "card 1234" });
    const masked = ({ messages }: Asked): unknown => messages.map((message) => ({ ...message, content: { ...message.content, parts: message.content.parts.map((part: any) => (part.type === "text" ? { ...part, text: "card ****" } : part)) } }));
    const source = events(await processed({ processOutputResult: async (asked: Asked) => masked(asked) }).stream("Go."));
    expect((await collect(source)).answer).toBe("card ****");
    expect(codes(source)).toEqual(["text_retracted"]);
    const broken = await run(processed({ processOutputResult: async () => { throw new Error("kaput"); } }).stream("Go."));
    expect(broken).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: expect.stringContaining("kaput") } });
  });

  test("what a model said before another took its place is no part of the answer", async () => {
    await using server = await loopback((_request, index) => (index === 0 ? { sse: chatStream([{ content: "Your order" }], undefined), cut: true } : { sse: chatStream([{ content: "Hello." }], "stop") }));
    const source = events(await agent({ model: [{ model: model(server.url), maxRetries: 0 }, { model: model(server.url), maxRetries: 0 }] }).stream("Go."));
    expect(await collect(source)).toMatchObject({ answer: "Hello.", terminalPhase: "completed" });
    expect(codes(source)).toEqual(["text_retracted"]);
  });
});

describe("a target with memory", () => {
  const said = (at: number): unknown[] => (requests[at] ?? []).filter(({ role }) => role !== "system").map(({ role, content }) => [role, typeof content === "string" ? content : (content as { text: string }[]).map(({ text }) => text).join("")]);

  test("keeps the thread: the second turn's model is sent the first one, and another thread is not", async () => {
    scripts({ "": [{ content: "Noted." }, { content: "Brooklyn." }] });
    const memory = new Memory({ storage: new LibSQLStore({ id: "eval", url: ":memory:" }), options: { lastMessages: 10 } });
    const call = { memory: { resource: "mine", thread: "ignored", options: { lastMessages: 10 } }, requestContext: new RequestContext([["tenant", "t1"]]) };
    const before = JSON.stringify({ ...call, requestContext: [...call.requestContext.entries()] });
    const helper = target(agent({ memory }), { call });
    expect(helper.memory).toBe(true);
    const turn = (input: string, threadId: string, resourceId?: string): Promise<Evidence> => collect(helper.send(input, { signal, threadId, resourceId, history: [{ role: "user", content: "never sent" }] }));
    const first = await turn("My favorite city is Brooklyn.", "thread-1");
    const second = await turn("What is my favorite city?", "thread-1");
    expect(first).toMatchObject({ answer: "Noted.", sessionId: "thread-1" });
    expect(second.answer).toBe("Brooklyn.");
    expect(said(1)).toEqual([["user", "My favorite city is Brooklyn."], ["assistant", "Noted."], ["user", "What is my favorite city?"]]);
    await turn("And mine?", "thread-2", "user-42");
    expect(said(2)).toEqual([["user", "And mine?"]]);
    expect(JSON.stringify({ ...call, requestContext: [...call.requestContext.entries()] })).toBe(before);
    expect((await memory.getThreadById({ threadId: "thread-1" }))?.resourceId).toBe("mine");
    expect((await memory.getThreadById({ threadId: "thread-2" }))?.resourceId).toBe("user-42");
  });

  test("an agent without memory is sent what was said before, and messages or several texts are one turn", async () => {
    scripts({ "": [{ content: "Noted." }, { content: "Brooklyn." }] });
    const helper = target(agent());
    expect(helper.memory).toBe(false);
    await collect(helper.send(["Where?", "I mean which city?"], { signal, threadId: "t", history: [{ role: "user", content: "Brooklyn is my city." }, { role: "assistant", content: "Noted." }] }));
    expect(said(0)).toEqual([["user", "Brooklyn is my city."], ["assistant", "Noted."], ["user", "Where?"], ["user", "I mean which city?"]]);
  });

  test("nothing runs before the first look at the events, and a request context that cannot be copied is refused", async () => {
    scripts({ "": [{ content: "Hello." }] });
    target(agent()).send("Go.", { signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(requests).toEqual([]);
    await expect(collect(target(agent(), { call: { requestContext: { tenant: "t1" } } }).send("Go.", { signal }))).rejects.toMatchObject({ code: "option_invalid" });
  });
});

describe("a workflow as a target", () => {
  const input = z.object({ a: z.number() });
  const step = (id: string, execute: (context: any) => Promise<unknown>): any => createStep({ id, inputSchema: z.any(), outputSchema: z.any(), execute });
  const workflow = (...steps: any[]): any => registered(steps.reduce((built, next) => built.then(next), createWorkflow({ id: "plan", inputSchema: input, outputSchema: z.any() }) as any).commit());
  const send = (of: any, options: object = {}, given: AbortSignal = signal): Promise<Evidence> => collect(target(of as WorkflowLike, options).send({ a: 1 }, { signal: given }));
  const inc = step("inc", async ({ inputData }) => ({ b: inputData.a + 1 }));

  test("its steps are calls, its result the answer", async () => {
    const evidence = await send(workflow(inc, step("say", async ({ inputData }) => `b is ${inputData.b}`)));
    expect(look(evidence)).toEqual([["inc", { a: 1 }, { b: 2 }, undefined, true], ["say", { b: 2 }, "b is 2", undefined, true]]);
    expect(evidence).toMatchObject({ answer: "b is 2", terminalPhase: "completed", ended: true });
    expect((await send(workflow(inc))).answer).toBe('{"b":2}');
    expect((await send(workflow(inc), { answer: (result: { b: number }) => `it is ${result.b}` })).answer).toBe("it is 2");
  });

  test("an agent as a step, a workflow within, and steps side by side have their place", async () => {
    scripts({ "You research.": [asks(call("c1", "list", '{"window":"24h"}')), { content: "inner words" }] });
    const researcher = agent({ id: "research", name: "research", instructions: "You research.", tools: { list } });
    const inner = createWorkflow({ id: "inner", inputSchema: z.any(), outputSchema: z.any() }).then(step("deep", async () => ({ prompt: "go" }))).commit();
    const evidence = await send(workflow(inner, createStep(researcher as never)));
    expect(evidence.toolCalls.map(({ toolName }) => toolName)).toEqual(["inner", "inner.deep", "research", "list"]);
    const [outer, deep, research, listed] = evidence.toolCalls;
    expect([deep?.parentToolCallId, listed?.parentToolCallId]).toEqual([outer?.toolCallId, research?.toolCallId]);
    expect(evidence).toMatchObject({ answer: '{"text":"inner words"}', usage: { requests: 2 } });
    const each = createWorkflow({ id: "plan", inputSchema: input, outputSchema: z.any() }).map(async () => [{ n: 1 }, { n: 2 }]).foreach(step("each", async ({ inputData }) => inputData.n) as never).commit();
    expect((await send(each)).toolCalls.at(-1)).toMatchObject({ toolName: "each", result: [1, 2], completed: true });
  });

  test("a step that fails, one that suspends, an input that does not fit, and a run that is cancelled", async () => {
    const boom = await send(workflow(step("boom", async () => { throw new Error("boom"); })));
    expect(boom).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: "boom" }, answer: "", toolCalls: [{ toolName: "boom", failure: { error: { message: "boom" } } }] });
    const waiting = await send(new Mastra({ workflows: { plan: workflow(step("ask", async ({ suspend }) => suspend({ why: "human" }))) }, storage: new InMemoryStore(), logger: false }).getWorkflow("plan"));
    expect(waiting).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "ask", prompt: expect.stringContaining("human") }, toolCalls: [{ toolName: "ask", completed: false }] });
    const wrong = await collect(target(workflow(inc) as WorkflowLike).send({ a: "one" }, { signal }));
    expect(wrong).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: expect.stringContaining("expected number") }, toolCalls: [] });
    const controller = new AbortController();
    const stuck = step("stuck", ({ abortSignal }) => new Promise((_resolve, reject) => { abortSignal.addEventListener("abort", () => reject(new Error("stopped"))); setTimeout(() => controller.abort(new Error("enough")), 5); }));
    expect(await send(workflow(stuck), {}, controller.signal)).toMatchObject({ terminalPhase: "cancelled", toolCalls: [{ toolName: "stuck" }] });
  });

  test("what a run gave back whole, and a workflow that an agent delegates to", async () => {
    const started = await (await workflow(inc, step("boom", async () => { throw new Error("boom"); })).createRun()).start({ inputData: { a: 1 } });
    expect(await run(started)).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: "boom" }, toolCalls: [{ toolName: "inc", result: { b: 2 } }, { toolName: "boom", failure: { kind: "unknown" } }] });
    const done = await (await workflow(inc).createRun()).start({ inputData: { a: 1 } });
    expect(await run(done)).toMatchObject({ terminalPhase: "completed", answer: '{"b":2}' });
    const failing = createWorkflow({ id: "bad", description: "Fails.", inputSchema: input, outputSchema: z.any() }).then(step("boom", async () => { throw new Error("boom"); })).commit();
    script(asks(call("c1", "workflow-plan", '{"inputData":{"a":1}}'), call("c2", "workflow-bad", '{"inputData":{"a":1}}')), { content: "Done." });
    const evidence = await run(agent({ workflows: { plan: workflow(inc), bad: failing } }).stream("Go."));
    expect(evidence.toolCalls.map(({ toolName, parentToolCallId, failure }) => [toolName, parentToolCallId, failure?.kind])).toEqual([["workflow-plan", undefined, undefined], ["inc", "c1", undefined], ["workflow-bad", undefined, "unknown"], ["boom", "c2", "unknown"]]);
    expect(evidence.toolCalls[2]?.failure?.error.message).toBe("boom");
  });
});

describe("a network", () => {
  const network = async (type: string, id: string, prompt: string, over: object = {}): Promise<Evidence> => {
    const decisions = [{ primitiveId: id, primitiveType: type, prompt, selectionReason: "because" }, { isComplete: true, finalResult: "All done.", completionReason: "done" }];
    mock.clearFixtures();
    mock.addFixture({
      match: {},
      response: ({ messages }) => {
        if (!JSON.stringify(messages[0]).includes("You research.")) return { content: JSON.stringify(decisions.shift()) };
        return messages.some(({ role }) => role === "tool") ? { content: "inner words" } : asks(call("x1", id === "careful" ? "remove" : "list", id === "careful" ? '{"id":"a1"}' : '{"window":"24h"}'));
      },
    });
    const storage = new LibSQLStore({ id: "network", url: ":memory:" });
    const researcher = agent({ id: "research", name: "research", description: "Researches.", instructions: "You research.", tools: { list } });
    const careful = agent({ id: "careful", name: "careful", description: "Deletes.", instructions: "You research.", tools: { remove } });
    const router = agent({ id: "router", name: "router", instructions: "You route.", agents: { research: researcher, careful }, tools: { list, pay, remove }, memory: new Memory({ storage }), ...over });
    const root = new Mastra({ agents: { router, research: researcher, careful }, storage, logger: false }).getAgent("router");
    return collect(target(({ messages, options }) => root.network(messages, options), { memory: true }).send("Go.", { signal, threadId: `thread-${type}-${id}` }));
  };

  test("hands out calls, under the names that an agent delegates by", async () => {
    const evidence = await network("agent", "research", "prices");
    expect(evidence.toolCalls.map(({ toolName, args }) => [toolName, args])).toEqual([["agent-research", { prompt: "prices" }], ["list", { window: "24h" }]]);
    expect(evidence.toolCalls[1]?.parentToolCallId).toBe(evidence.toolCalls[0]?.toolCallId);
    expect(evidence.toolCalls[0]?.result).toBe("inner words");
    expect(evidence).toMatchObject({ answer: "All done.", terminalPhase: "completed", usage: { requests: 3 } });
    expect(look(await network("tool", "list", '{"window":"1"}'))).toEqual([["list", { window: "1" }, { window: "1", ids: ["a1"] }, undefined, true]]);
  });

  test("a tool that throws ends it as failed, and an approval stops it", async () => {
    expect(await network("tool", "pay", '{"amount":5}')).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: expect.stringContaining("card declined") }, toolCalls: [{ toolName: "pay", completed: false }] });
    expect(await network("tool", "remove", '{"id":"a1"}')).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "remove", args: { id: "a1" } } });
    const within = await network("agent", "careful", "go");
    expect(within).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "remove", args: { id: "a1" } }, toolCalls: [{ toolName: "agent-careful", completed: false }] });
  });
});

describe("a model as Mastra names it", () => {
  const request: ModelRequest = { modelClass: "small", messages: [{ role: "user", content: "Grade." }], tools: [{ name: "grade", description: "Grades.", inputSchema: { type: "object", properties: {} } }], toolChoice: { tool: "grade" }, temperature: 0, maxOutputTokens: 100 };

  test("is resolved by the application's own @mastra/core, with the argument text as the model wrote it", async () => {
    script(asks(call("g1", "grade", '{"a": 1, "a": 2}')));
    const named = provider({ id: "openai/gpt-4.1-mini", url: `${mock.url}/v1`, apiKey: "test" } as never);
    const response = await openClient(createClient(named)).complete(request, {});
    expect(response).toMatchObject({ stopReason: "tool_calls", content: [{ type: "tool_call", id: "g1", name: "grade", arguments: '{"a": 1, "a": 2}' }] });
    expect([named.rawArguments, named.modelName?.("default")]).toEqual([true, "openai/gpt-4.1-mini"]);
    expect(await resolveModel("openai/gpt-4.1-mini")).toMatchObject({ modelId: "gpt-4.1-mini", provider: "openai" });
    const own = model();
    expect(await resolveModel(own)).toBe(own);
    expect((await provider({ "high-reasoning": "openai/gpt-4.1", default: "openai/gpt-4.1", small: own }).complete(request, {})).content).toHaveLength(1);
  });

  test("one that is not known, and one without @mastra/core, say how to mend it", async () => {
    await expect(resolveModel("gpt-4.1")).rejects.toMatchObject({ code: "model_unresolved", message: expect.stringContaining('write it as "provider/model"') });
    for (const named of [provider("no-such-provider/model"), provider("gpt-4.1")]) await expect(openClient(createClient(named)).complete(request, {})).rejects.toMatchObject({ code: "model_unresolved" });
    const absent = { load: () => Promise.reject(Object.assign(new Error("Cannot find package '@mastra/core'"), { code: "ERR_MODULE_NOT_FOUND" })) };
    await expect(resolveModel("openai/gpt-4.1", absent)).rejects.toMatchObject({ code: "model_unresolved", message: expect.stringContaining("install @mastra/core") });
    await expect(openClient(createClient(provider("openai/gpt-4.1", absent))).complete(request, {})).rejects.toMatchObject({ code: "model_unresolved" });
    await expect(resolveModel("openai/gpt-4.1", { load: async () => ({}) })).rejects.toMatchObject({ code: "model_unresolved", message: expect.stringContaining("1.0 or later") });
    await expect(resolveModel("openai/gpt-4.1", { load: async () => ({ resolveModelConfig: () => ({ specificationVersion: "v1" }) }) })).rejects.toMatchObject({ code: "model_unresolved", message: expect.stringContaining('"v1"') });
    await expect(resolveModel("openai/gpt-4.1", { load: async () => ({ resolveModelConfig: () => ({ specificationVersion: "v2", modelId: "m" }) }) })).rejects.toMatchObject({ code: "model_unresolved" });
    expect(() => provider({ default: "openai/gpt-4.1" } as never)).toThrow(expect.objectContaining({ code: "model_class_missing" }));
    expect(() => provider("")).toThrow(expect.objectContaining({ code: "model_class_missing" }));
  });
});

describe("the contract of a target, kept by an agent", () => {
  const answer = (content: string): Answer => ({ sse: chatStream([{ content }], "stop") });
  const calling = (name: string, args: string): Answer => ({ sse: chatStream([{ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name, arguments: args } }] }], "tool_calls") });
  const over = async (answers: (request: Received, url: string) => Answer, settings: (url: string) => object = () => ({}), options: MastraTargetOptions = {}): Promise<TargetSituation<any>> => {
    const server = await loopback((request) => answers(request, server.url));
    return { target: target(stored({ model: model(server.url), maxRetries: 0, ...settings(server.url) }), options), input: "Go.", close: () => server[Symbol.asyncDispose]() };
  };
  const asked = ({ body }: Received): boolean => body.messages.some(({ role }: { role: string }) => role === "tool");
  const inner = ({ body }: Received): boolean => JSON.stringify(body.messages[0]).includes("You research.");
  const listing = (request: Received): Answer => (asked(request) ? answer("Done.") : calling("list", '{"window":"24h"}'));
  const bounds = { returned: 1, truncated: true };
  const echo = ({ body }: Received): Answer => answer(JSON.stringify(body.messages));
  const harness: TargetHarness<any> = {
    answers: async () => ({ ...(await over(() => answer("Hi."))), answer: "Hi." }),
    waits: () => over(() => ({ sse: chatStream([{ content: "Wai" }], undefined), hang: true })),
    breaksOff: async () => ({ ...(await over(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut: true }))), said: "Your order" }),
    calls: async () => ({ ...(await over(listing)), toolName: "list", args: { window: "24h" }, result: { window: "24h", ids: ["a1"] } }),
    fails: async () => ({ ...(await over((request) => (asked(request) ? answer("No.") : calling("pay", '{"amount":5}')))), toolName: "pay", kind: "unknown" }),
    asks: async () => ({ ...(await over(() => calling("remove", '{"id":"a1"}'))), toolName: "remove" }),
    decides: async () => {
      deleted.length = 0;
      return { ...(await over((request) => (asked(request) ? answer("Done.") : calling("remove", '{"id":"a1"}')))), toolName: "remove", made: () => deleted.length };
    },
    nests: async () => ({
      ...(await over((request) => (inner(request) || asked(request) ? listing(request) : calling("agent-research", '{"prompt":"go"}')), (url) => ({ agents: { research: agent({ id: "research", name: "research", description: "Researches.", instructions: "You research.", model: model(url), tools: { list } }) } }))),
      parent: "agent-research", child: "list",
    }),
    bounded: async () => ({ ...(await over(listing, undefined, { bounds: () => bounds })), toolName: "list", bounds }),
    remembers: async () => ({ ...(await over(echo)), input: "Brooklyn.", next: "What did I say?", shows: (text: string) => text.includes("Brooklyn") }),
  };
  const remembering: TargetHarness<any> = {
    ...harness,
    remembers: async () => ({ ...(await over(echo, () => ({ memory: new Memory({ storage: new LibSQLStore({ id: "contract", url: ":memory:" }) }) }))), input: "Brooklyn.", next: "What did I say?", shows: (text: string) => text.includes("Brooklyn") }),
  };

  test.each(targetContract(harness))("$name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });

  test.each(targetContract(remembering).filter(({ name }) => name.includes("second turn")))("with memory: $name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });
});
