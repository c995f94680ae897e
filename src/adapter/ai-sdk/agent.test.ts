import { createOpenAI } from "@ai-sdk/openai";
import { LLMock, type FixtureOpts, type FixtureResponse } from "@copilotkit/aimock";
import { readUIMessageStream, stepCountIs, streamText, tool, ToolLoopAgent, type ModelMessage } from "ai";
import { events, target, type AiSdkEvents } from "entail/adapter/ai-sdk";
import { checks, runEvals } from "entail/conversation";
import { calls, collect, expectation, expectCall, expectConfirmation, type Evidence } from "entail/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { chatStream, loopback } from "../../../test/ai-sdk/loopback.ts";
import { allPassed } from "../../../test/ai-sdk/parts.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());

/** The model's answers, in the order of its turns. */
function script(answers: readonly FixtureResponse[], options: FixtureOpts = {}): void {
  mock.clearFixtures();
  // The Responses protocol has an assistant item for each call of a turn.
  const turns = (roles: readonly string[]): number => roles.filter((role, at) => role === "assistant" && roles[at - 1] !== "assistant").length;
  mock.addFixture({ match: {}, response: ({ messages }) => answers[turns(messages.map(({ role }) => role))] ?? { error: { message: "the script is over" }, status: 400 }, ...options });
}

const model = (protocol: "chat" | "responses" = "chat", url = mock.url): ReturnType<ReturnType<typeof createOpenAI>> => createOpenAI({ baseURL: `${url}/v1`, apiKey: "test" })[protocol]("gpt-4.1-mini");
const asks = (...toolCalls: { id: string; name: string; arguments: string }[]): FixtureResponse => ({ toolCalls });

const ALARMS = [{ id: "a1", severity: "high" }, { id: "a2", severity: "low" }];
const done: string[] = [];
const tools = {
  list_alarms: tool({ description: "Lists.", inputSchema: z.object({ window: z.string(), limit: z.number().optional() }), execute: ({ window }) => ({ window, alarms: ALARMS }) }),
  delete_alarm: tool({ description: "Deletes.", inputSchema: z.object({ id: z.string() }), execute: ({ id }) => { done.push(id); return { deleted: id }; } }),
  pay: tool({ description: "Pays.", inputSchema: z.object({ amount: z.number() }), execute: async (): Promise<string> => { throw Object.assign(new Error("card declined"), { kind: "domain_rejection" }); } }),
  report: tool({
    description: "Reports.", inputSchema: z.object({}),
    async *execute() {
      yield { status: "loading" };
      yield { status: "done", rows: 3 };
    },
  }),
};
const agent = (over: object = {}): ToolLoopAgent<never, typeof tools> => new ToolLoopAgent({ model: model(), tools, onError: () => undefined, ...over });
const run = async (of: ToolLoopAgent<never, typeof tools>, prompt: string | ModelMessage[] = "Go."): Promise<Evidence> => collect(events(of.stream({ prompt })));
const simple = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolName, args, result, failure, completed, approval }) => ({
  name: toolName, args, completed, ...(result === undefined ? {} : { result }), ...(failure === undefined ? {} : { failure: failure.kind }), ...(approval === undefined ? {} : { approval }),
}));

/** The same run seen through the parts and through the chunks of its UI message stream; only what only one of them can say is left out. */
async function bothWays(of: () => ToolLoopAgent<never, typeof tools>): Promise<{ parts: Evidence; chunks: Evidence; warned: AiSdkEvents["warnings"] }> {
  const seen = events(of().stream({ prompt: "Go." }), { runId: "run" });
  const parts = await collect(seen);
  const chunks = await collect(events((await of().stream({ prompt: "Go." })).toUIMessageStream(), { runId: "run" }));
  const shown = ({ usage: _usage, ...evidence }: Evidence): unknown => ({ ...evidence, toolCalls: evidence.toolCalls.map(({ failure, ...call }) => ({ ...call, failed: failure !== undefined })), confirmation: { ...evidence.confirmation, id: undefined }, terminalFailure: evidence.terminalFailure?.kind });
  expect(shown(chunks)).toEqual(shown(parts));
  return { parts, chunks, warned: seen.warnings };
}

describe("an agent over HTTP", () => {
  test.each(["chat", "responses"] as const)("by the %s protocol: two parallel calls, their arguments in small pieces, and an answer", async (protocol) => {
    script([
      asks({ id: "c1", name: "list_alarms", arguments: '{ "window": "caf\\u00e9 \\ud83d\\ude00 😀", "limit": 9007199254740993 }' }, { id: "c2", name: "delete_alarm", arguments: '{"id":"a1"}' }),
      { content: "Two alarms, one deleted.", usage: { prompt_tokens: 20, completion_tokens: 6, total_tokens: 26 } },
    ], { chunkSize: 1 });
    const { parts, warned } = await bothWays(() => agent({ model: model(protocol) }));
    const { argsJson, args, result } = parts.toolCalls[0]!;
    expect(args).toMatchObject({ window: "café 😀 😀" });
    expect(argsJson).toBe('{"limit":9007199254740993,"window":"café 😀 😀"}');
    expect(result).toEqual({ window: "café 😀 😀", alarms: ALARMS });
    expect(parts.toolCalls.map(({ toolName }) => toolName)).toEqual(["list_alarms", "delete_alarm"]);
    expect(parts.toolCalls[1]).toMatchObject({ args: { id: "a1" }, result: { deleted: "a1" }, completed: true });
    expect(parts).toMatchObject({ answer: "Two alarms, one deleted.", terminalPhase: "completed", ended: true, usage: { requests: 2, inputTokens: expect.any(Number) } });
    expect(warned).toEqual([]);
  });

  test("usage is what the run used in all, once", async () => {
    const usage = (prompt_tokens: number, completion_tokens: number): object => ({ usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } });
    script([{ ...asks({ id: "c1", name: "report", arguments: "{}" }), ...usage(100, 10) }, { content: "Done.", ...usage(150, 5) }]);
    expect((await run(agent())).usage).toMatchObject({ inputTokens: 250, outputTokens: 15, requests: 2 });
  });

  test("a tool that throws, a tool that reports as it goes, an unknown tool, invalid arguments and unreadable ones", async () => {
    script([
      asks({ id: "c1", name: "pay", arguments: '{"amount":5}' }, { id: "c2", name: "report", arguments: "{}" }, { id: "c3", name: "no_such_tool", arguments: '{"x":1}' }, { id: "c4", name: "pay", arguments: '{"amount":"five"}' }, { id: "c5", name: "pay", arguments: '{"amount": 5,, }' }),
      { content: "It failed." },
    ]);
    const { parts } = await bothWays(agent);
    expect(simple(parts)).toEqual([
      { name: "pay", args: { amount: 5 }, failure: "domain_rejection", completed: true },
      { name: "report", args: {}, result: { status: "done", rows: 3 }, completed: true },
      { name: "no_such_tool", args: { x: 1 }, failure: "invalid_call", completed: true },
      { name: "pay", args: { amount: "five" }, failure: "invalid_call", completed: true },
      { name: "pay", args: '{"amount": 5,, }', failure: "invalid_call", completed: true },
    ]);
    expect(parts.toolCalls[0]?.failure?.error.message).toBe("card declined");
    expect(parts.toolCalls[2]?.failure?.error.message).toContain("no_such_tool");
    expect(parts).toMatchObject({ answer: "It failed.", terminalPhase: "completed" });
  });

  test("a call that the application repairs counts as it was made", async () => {
    script([asks({ id: "c1", name: "delete_alarm", arguments: '{"id": a1}' }), { content: "Done." }]);
    const evidence = await run(agent({ repairToolCall: ({ toolCall }: any) => ({ ...toolCall, input: '{"id":"a1"}' }) }));
    expect(simple(evidence)).toEqual([{ name: "delete_alarm", args: { id: "a1" }, result: { deleted: "a1" }, completed: true }]);
  });

  test("a run that its step limit stops has completed, its last calls done", async () => {
    script([asks({ id: "c1", name: "report", arguments: "{}" }), asks({ id: "c2", name: "report", arguments: "{}" }), { content: "never" }]);
    const evidence = await run(agent({ stopWhen: stepCountIs(2) }));
    expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "", toolCalls: [{ completed: true }, { completed: true }] });
  });

  test("an answer cut at its limit is a failed run", async () => {
    script([{ content: "Half a", finishReason: "length" }]);
    const { parts } = await bothWays(agent);
    expect(parts).toMatchObject({ terminalPhase: "failed", answer: "Half a", terminalFailure: { kind: "length" } });
  });

  test("a model that cannot be reached is a failed run that says why", async () => {
    script([{ error: { message: "Incorrect API key provided", type: "invalid_request_error", code: "invalid_api_key" }, status: 401 }]);
    const evidence = await run(agent({ maxRetries: 0 }));
    expect(evidence).toMatchObject({ terminalPhase: "failed", answer: "", terminalFailure: { message: "Incorrect API key provided", httpStatus: 401, retryable: false, kind: "AI_APICallError" } });
  });

  test("a connection that breaks half way leaves the run without an end, and what was said is kept", async () => {
    await using server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }, { content: " is" }], undefined), cut: true }));
    const error = await run(agent({ model: model("chat", server.url), maxRetries: 0 })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order is", ended: false }, cause: { name: "AI_APICallError" } });
    expect((error as { evidence: Evidence }).evidence.terminalPhase).toBeUndefined();
  });

  test("an answer that ends too early without breaking, which the SDK reports as a finish, leaves the run without an end", async () => {
    await using server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }, { content: " is" }], undefined) }));
    const error = await run(agent({ model: model("chat", server.url) })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order is", ended: false } });
  });
});

describe("approvals", () => {
  const wanted = asks({ id: "c1", name: "delete_alarm", arguments: '{"id":"a1"}' });
  const cautious = (toolApproval: unknown): ToolLoopAgent<never, typeof tools> => agent({ toolApproval });

  test("pending: the run is suspended at the confirmation, and nothing was done", async () => {
    done.length = 0;
    script([asks({ id: "c0", name: "report", arguments: "{}" }, { id: "c1", name: "delete_alarm", arguments: '{"id":"a1"}' }), { content: "never" }]);
    const { parts } = await bothWays(() => cautious({ delete_alarm: { type: "user-approval", reason: "Delete a1?" } }));
    expect(parts).toMatchObject({ terminalPhase: "suspended", ended: true, confirmation: { toolName: "delete_alarm", toolCallId: "c1", prompt: "Delete a1?", args: { id: "a1" }, state: "pending" } });
    expect(parts.toolCalls.map(({ toolName }) => toolName)).toEqual(["report"]);
    expect(allPassed(expectation({ tools: [expectCall({ name: "report" })], confirmation: expectConfirmation({ name: "delete_alarm" }), forbidTools: ["delete_alarm"] }).checks(parts))).toBe(true);
    expect(done).toEqual([]);
  });

  test("denied by policy: issued, denied, not executed; the run goes on", async () => {
    done.length = 0;
    script([wanted, { content: "I may not delete it." }]);
    const { parts } = await bothWays(() => cautious({ delete_alarm: { type: "denied", reason: "read only" } }));
    expect(simple(parts)).toEqual([{ name: "delete_alarm", args: { id: "a1" }, completed: false, approval: "denied" }]);
    expect(parts).toMatchObject({ terminalPhase: "completed", answer: "I may not delete it." });
    expect(parts.confirmation).toBeUndefined();
    expect(done).toEqual([]);
  });

  test("approved by policy: executed, and nobody was asked", async () => {
    script([wanted, { content: "Deleted." }]);
    const { parts } = await bothWays(() => cautious({ delete_alarm: "approved" }));
    expect(simple(parts)).toEqual([{ name: "delete_alarm", args: { id: "a1" }, result: { deleted: "a1" }, completed: true, approval: "approved" }]);
    expect(parts.confirmation).toBeUndefined();
  });

  const decided = async (approved: boolean): Promise<{ first: Evidence; second: Evidence }> => {
    done.length = 0;
    script([wanted, { content: approved ? "Deleted." : "As you wish." }]);
    const of = cautious({ delete_alarm: "user-approval" });
    const result = await of.stream({ prompt: "Go." });
    const first = await collect(events(result, { runId: "one" }));
    const messages: ModelMessage[] = [{ role: "user", content: "Go." }, ...((await result.responseMessages) as ModelMessage[]), { role: "tool", content: [{ type: "tool-approval-response", approvalId: first.confirmation!.id!, approved }] }];
    const second = await collect(events(of.stream({ messages }), { runId: "two" }), {}, { rootRunId: "two", continues: first });
    return { first, second };
  };

  test("granted by a person: the run that goes on begins with the approved call", async () => {
    const { first, second } = await decided(true);
    expect(first.terminalPhase).toBe("suspended");
    expect(simple(second)).toEqual([{ name: "delete_alarm", args: { id: "a1" }, result: { deleted: "a1" }, completed: true, approval: "approved" }]);
    expect(second).toMatchObject({ terminalPhase: "completed", answer: "Deleted." });
    expect(done).toEqual(["a1"]);
  });

  test("refused by a person: the call is denied and was not made", async () => {
    const { second } = await decided(false);
    expect(second.toolCalls).toMatchObject([{ toolName: "delete_alarm", approval: "denied", completed: false }]);
    expect(second).toMatchObject({ terminalPhase: "completed", answer: "As you wish." });
    expect(done).toEqual([]);
  });
});

describe("what is not part of the plain loop", () => {
  test("a provider's own tool is a call with the provider's result", async () => {
    script([{ content: "Sunny.", webSearches: ["weather Brooklyn"] }]);
    const openai = createOpenAI({ baseURL: `${mock.url}/v1`, apiKey: "test" });
    const evidence = await collect(events(streamText({ model: openai.responses("gpt-4.1-mini"), tools: { web_search: openai.tools.webSearch({}) }, prompt: "Weather?" })));
    expect(evidence).toMatchObject({ answer: "Sunny.", terminalPhase: "completed", toolCalls: [{ toolName: "web_search", completed: true }] });
    expect(JSON.stringify(evidence.toolCalls[0]?.result)).toContain("weather Brooklyn");
  });

  test("a nested agent that gives its message back shows its calls below the one that ran it", async () => {
    mock.clearFixtures();
    mock.addFixture({
      match: {},
      response: ({ messages }) => {
        const inner = JSON.stringify(messages[0]).includes("You research");
        const asked = messages.some(({ role }) => role === "assistant");
        if (inner) return asked ? { content: "inner words" } : asks({ id: "c1", name: "list_alarms", arguments: '{"window":"24h"}' });
        return asked ? { content: "Two alarms." } : asks({ id: "c1", name: "research", arguments: '{"task":"alarms"}' });
      },
    });
    const researcher = new ToolLoopAgent({ model: model(), instructions: "You research.", tools: { list_alarms: tools.list_alarms } });
    const research = tool({
      description: "Researches.", inputSchema: z.object({ task: z.string() }),
      async *execute({ task }, { abortSignal }) {
        const result = await researcher.stream({ prompt: task, ...(abortSignal === undefined ? {} : { abortSignal }) });
        for await (const message of readUIMessageStream({ stream: result.toUIMessageStream() })) yield message;
      },
      toModelOutput: () => ({ type: "text", value: "two" }),
    });
    const evidence = await collect(events(new ToolLoopAgent({ model: model(), tools: { research } }).stream({ prompt: "How many?" })));
    expect(evidence.toolCalls.map(({ toolCallId, toolName, parentToolCallId, completed }) => [toolCallId, toolName, parentToolCallId, completed])).toEqual([["c1", "research", undefined, true], ["c1/c1", "list_alarms", "c1", true]]);
    expect(calls(evidence, "list_alarms")[0]).toMatchObject({ args: { window: "24h" }, result: { alarms: ALARMS } });
    expect(evidence).toMatchObject({ answer: "Two alarms.", terminalPhase: "completed", observes: { parents: false } });
  });

  test("what a retried attempt had said is no part of the answer", async () => {
    await using server = await loopback((_request, index) => ({
      sse: index === 0 ? [...chatStream([{ content: "Half a sen" }], undefined), JSON.stringify({ error: { message: "overloaded", type: "server_error", param: null, code: "overloaded" } })] : chatStream([{ content: "The whole." }], "stop"),
    }));
    const stream = events(streamText({ model: model("chat", server.url), prompt: "Go.", streamRetries: 1, onError: () => undefined }));
    const evidence = await collect(stream);
    expect(server.received).toHaveLength(2);
    expect(evidence).toMatchObject({ answer: "The whole.", terminalPhase: "completed" });
    expect(stream.warnings).toMatchObject([{ code: "text_retracted" }]);
  });

  test("an error in the middle of an answer is a failed run with what was said", async () => {
    await using server = await loopback(() => ({ sse: [...chatStream([{ content: "Hel" }], undefined), JSON.stringify({ error: { message: "upstream 529", type: "server_error", param: null, code: "overloaded" } })] }));
    const evidence = await collect(events(streamText({ model: model("chat", server.url), prompt: "Go.", onError: () => undefined })));
    expect(evidence).toMatchObject({ answer: "Hel", terminalPhase: "failed", terminalFailure: { message: expect.stringContaining("upstream 529") } });
  });

  test("an aborted run is cancelled, with what it had begun", async () => {
    const controller = new AbortController();
    const slow = tool({ description: "Waits.", inputSchema: z.object({}), execute: (_input, { abortSignal }) => new Promise((_resolve, reject) => { abortSignal?.addEventListener("abort", () => reject(abortSignal.reason)); queueMicrotask(() => controller.abort(new Error("enough"))); }) });
    script([{ content: "I wait.", toolCalls: [{ id: "c1", name: "slow", arguments: "{}" }] }, { content: "never" }]);
    const evidence = await collect(events(streamText({ model: model(), tools: { slow }, prompt: "Go.", abortSignal: controller.signal, onError: () => undefined })));
    expect(evidence).toMatchObject({ terminalPhase: "cancelled", ended: true, toolCalls: [{ toolName: "slow" }], answer: "I wait." });
  });
});

describe("target", () => {
  const said = (): unknown => (mock.getLastRequest()?.body as { messages: unknown } | undefined)?.messages;
  const turn = { signal: new AbortController().signal };

  test("sends a text, what was said before it, and the signal; the thread is the session", async () => {
    script([{ content: "First." }, { content: "Second." }]);
    const subject = target(agent(), { newRunId: () => "r1" });
    expect(subject).toMatchObject({ memory: false, observes: { args: true, results: true, failureKinds: true, approvals: true, bounds: false, parents: false } });
    const first = await collect(subject.send("Hello?", { ...turn, threadId: "t1", turn: 0 }));
    expect(first).toMatchObject({ answer: "First.", sessionId: "t1", runId: "r1" });
    const history = [{ role: "user", content: "Hello?" }, { role: "assistant", content: "First." }] as const;
    expect((await collect(subject.send("And now?", { ...turn, threadId: "t1", turn: 1, history }))).answer).toBe("Second.");
    expect(said()).toEqual([{ role: "user", content: "Hello?" }, { role: "assistant", content: "First." }, { role: "user", content: "And now?" }]);
  });

  test("takes messages as they are, and a function that calls streamText", async () => {
    script([{ content: "Hi." }]);
    const subject = target((call) => streamText({ model: model(), ...call }));
    expect(await collect(subject.send([{ role: "user", content: [{ type: "text", text: "Hello?" }] }], turn))).toMatchObject({ answer: "Hi.", terminalPhase: "completed" });
    expect(said()).toEqual([{ role: "user", content: "Hello?" }]);
  });

  test("hands further members of a call on, fixed or by the turn, and never in place of its own", async () => {
    const given: object[] = [];
    const stand = { stream: (call: object) => { given.push(call); return { stream: ReadableStream.from([{ type: "text-delta", text: "x" }, { type: "finish", finishReason: "stop" }]) }; } };
    await collect(target(stand, { call: { options: { user: "u1" }, messages: [] } }).send("Hi.", turn));
    await collect(target(stand, { call: ({ resourceId }) => ({ options: { user: resourceId } }) }).send("Hi.", { ...turn, resourceId: "u2" }));
    expect(given).toEqual([{ options: { user: "u1" }, messages: [{ role: "user", content: "Hi." }], abortSignal: turn.signal }, { options: { user: "u2" }, messages: [{ role: "user", content: "Hi." }], abortSignal: turn.signal }]);
  });

  test("an abort of the turn cancels the run", async () => {
    await using server = await loopback(() => ({ sse: chatStream([{ content: "Wai" }], undefined), hang: true }));
    const controller = new AbortController();
    const subject = target(agent({ model: model("chat", server.url) }));
    const evidence = collect(subject.send("Go.", { signal: controller.signal }));
    while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("deadline"));
    expect(await evidence).toMatchObject({ terminalPhase: "cancelled", ended: true });
  });

  test("nothing runs before its events are looked at, and an agent that throws breaks the stream", async () => {
    let started = 0;
    const broken = target({ stream: () => { started += 1; throw new Error("no prompt"); } });
    const stream = broken.send("Go.", turn);
    expect(started).toBe(0);
    await expect(collect(stream)).rejects.toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("no prompt") });
    await expect(collect(events(Promise.reject(new Error("no model"))))).rejects.toThrow("no model");
    // Never read, and no unhandled rejection.
    events(Promise.reject(new Error("nobody looks")));
    await new Promise((resolve) => setImmediate(resolve));
  });

  test.each([["nothing", undefined], ["a text", "agent"], ["an object without stream()", {}]])("%s is no agent", (_what, value) => {
    expect(() => target(value as never)).toThrow(/needs an agent/);
  });

  test.each([["a text", "stream"], ["an object without a stream", {}], ["nothing", undefined]])("%s is no stream", async (_what, value) => {
    await expect(collect(events(value as never))).rejects.toMatchObject({ code: "option_invalid" });
  });
});

test("an agent is a target of runEvals as it is: what was said before is sent again, and the calls of each turn are its own", async () => {
  script([asks({ id: "c1", name: "list_alarms", arguments: '{"window":"1h"}' }), { content: "Two alarms, one of them high." }]);
  const result = await runEvals({
    target: agent(),
    data: [{ turns: [{ input: "Which alarms?", gates: [checks.calledTool("list_alarms"), checks.includes("Two alarms")] }, { input: "And high ones?", gates: [checks.didNotCall("list_alarms"), checks.includes("high")] }] }],
    gates: [checks.calledTool("list_alarms", { times: 1 }), checks.noToolErrors()],
  });
  expect(result.verdict).toBe("passed");
  expect(result.items[0]?.error).toBeUndefined();
});
