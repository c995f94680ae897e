// Runs a real agent of LangGraph over HTTP through the twelve situations, and through the canonical scenario.
import { LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { tool } from "@langchain/core/tools";
import { Annotation, Command, entrypoint, interrupt, MemorySaver, MessagesAnnotation, StateGraph, task } from "@langchain/langgraph";
import { createReactAgent, ToolNode } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { check, createRunner } from "entail";
import { events, provider, STREAM, target, watch, type GraphLike, type GraphTargetOptions, type LangGraphEvents, type TurnInput } from "entail/adapter/langgraph";
import { converse, runEvals } from "entail/conversation";
import { collect, expectation, expectCall, expectConfirmation, type Confirmation, type Evidence } from "entail/evidence";
import { createClient, type Client, type ModelRequest } from "entail/model";
import { targetContract, type TargetHarness } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openClient } from "../../src/core/model-client.ts";
import { chatStream, loopback, type Answer } from "../ai-sdk/loopback.ts";
import { allPassed } from "../ai-sdk/parts.ts";
import { canonicalFor, canonicalResponse, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
afterAll(() => writeCells("langgraph"));

const seen = (situation: Situation, how: Cell["how"]): void => recordCell("langgraph", situation, { outcome: "seen", how });

/** The model's answers, in the order of its turns. */
function script(...answers: readonly FixtureResponse[]): void {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: ({ messages }) => answers[messages.filter(({ role }) => role === "assistant").length] ?? { error: { message: "the script is over" }, status: 400 } });
}
const call = (id: string, name: string, args: string): { id: string; name: string; arguments: string } => ({ id, name, arguments: args });
const asks = (...toolCalls: ReturnType<typeof call>[]): FixtureResponse => ({ toolCalls });
const model = (url = mock.url, over: object = {}): ChatOpenAI => new ChatOpenAI({ model: "gpt-4.1-mini", apiKey: "test", configuration: { baseURL: `${url}/v1` }, maxRetries: 0, ...over });

const ran: string[] = [];
const list = tool(({ window }) => ({ window, ids: ["a1"] }), { name: "list", description: "Lists.", schema: z.object({ window: z.string() }) });
const pay = tool((): string => { throw new Error("card declined"); }, { name: "pay", description: "Pays.", schema: z.object({ amount: z.number() }) });
const remove = tool(
  ({ id }) => {
    if (interrupt<unknown, unknown>({ action: "remove", id }) !== "yes") return "nothing was deleted";
    ran.push(id);
    return { deleted: id };
  },
  { name: "remove", description: "Deletes.", schema: z.object({ id: z.string() }) },
);

type Graph = GraphLike;
const agent = (over: object = {}): Graph => createReactAgent({ llm: model(), tools: [list, pay, remove], ...over });
const said = (content: string): { messages: { role: string; content: string }[] } => ({ messages: [{ role: "user", content }] });
const signal = (): AbortSignal => new AbortController().signal;
const send = (graph: Graph, input: TurnInput = "Go.", threadId = "t"): Promise<Evidence> => collect(target(graph).send(input, { signal: signal(), threadId }));
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolName, args, result, failure, approval, completed }) => [toolName, args, failure?.kind ?? result, approval, completed]);

test("two parallel calls", async () => {
  script(asks(call("c1", "list", '{"window":"24h"}'), call("c2", "list", '{"window":"7d"}')), { content: "Done." });
  for (const version of ["v1", "v2"]) {
    const evidence = await send(agent({ version }));
    expect(look(evidence)).toEqual([
      ["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, undefined, true],
      ["list", { window: "7d" }, { window: "7d", ids: ["a1"] }, undefined, true],
    ]);
    expect(evidence).toMatchObject({ answer: "Done.", terminalPhase: "completed", usage: { requests: 2 } });
  }
  seen("parallel_calls", "both calls in the order in which the model issued them, each with its own result");
});

test("arguments in pieces that split an escape and a surrogate pair", async () => {
  const pieces = ['{ "win', 'dow": "caf\\u0', '0e9 \ud83d', '\ude00", "n": 9007199254740993 }'];
  const first = pieces.map((piece, at) => ({ tool_calls: [{ index: 0, ...(at === 0 ? { id: "c1", type: "function" } : {}), function: { ...(at === 0 ? { name: "list" } : {}), arguments: piece } }] }));
  await using server = await loopback((_request, index) => ({ sse: index === 0 ? chatStream(first, "tool_calls") : chatStream([{ content: "Done." }], "stop") }));
  const open = tool(() => "none", { name: "list", description: "Lists.", schema: z.looseObject({ window: z.string() }) });
  const evidence = await send(createReactAgent({ llm: model(server.url), tools: [open] }));
  expect(evidence.toolCalls[0]?.argsJson).toBe('{"n":9007199254740993,"window":"café 😀"}');
  expect(evidence.answer).toBe("Done.");
  seen("split_arguments", "the arguments as the model wrote them, put together again, with every digit");
});

test("a tool that throws", async () => {
  script(asks(call("c1", "pay", '{"amount":5}')), { content: "It failed." });
  const evidence = await send(agent());
  expect(look(evidence)).toEqual([["pay", { amount: 5 }, "unknown", undefined, true]]);
  expect(evidence).toMatchObject({ terminalPhase: "completed", toolCalls: [{ failure: { error: { message: "card declined" } } }] });
  const busy = tool((): string => { throw Object.assign(new Error("slow down"), { status: 429 }); }, { name: "pay", description: "Pays.", schema: z.object({ amount: z.number() }) });
  expect(look(await send(agent({ tools: [busy] })))).toEqual([["pay", { amount: 5 }, "rate_limited", undefined, true]]);
  const unhandled = await send(agent({ tools: new ToolNode([pay], { handleToolErrors: false }) }));
  expect(unhandled).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: "card declined" }, ended: true, toolCalls: [{ failure: { kind: "unknown" } }] });
  seen("tool_throws", "a failed call with the error's message; its kind where the error or the application says it, else `unknown`; where the graph does not catch it, a failed run too");
});

test("a call of an unknown tool", async () => {
  script(asks(call("c1", "no_such_tool", '{"x":1}')), { content: "No." });
  const evidence = await send(agent());
  expect(look(evidence)).toEqual([["no_such_tool", { x: 1 }, "invalid_call", undefined, true]]);
  expect(evidence.toolCalls[0]?.failure?.error.message).toBe('Tool "no_such_tool" not found.');
  seen("unknown_tool", "a failed call of kind `invalid_call` under the name that the model gave");
});

test("invalid arguments, and arguments that are no JSON", async () => {
  script(asks(call("c1", "pay", '{"amount":"five"}'), call("c2", "pay", '{"amount": 5,, }')), { content: "No." });
  expect(look(await send(agent()))).toEqual([["pay", { amount: "five" }, "invalid_call", undefined, true], ["pay", '{"amount": 5,, }', "invalid_call", undefined, true]]);
  seen("invalid_arguments", "a failed call of kind `invalid_call` with the arguments as the model wrote them, also where LangGraph leaves the call unanswered");
});

/** A tool that asks by itself, before it acts. */
const cautious = (over: object = {}): Graph => agent({ checkpointer: new MemorySaver(), ...over });
/** A node between the model and the tools that asks, in the form of LangChain's middleware. */
function reviewed(): Graph {
  const deleting = tool(({ id }) => { ran.push(id); return { deleted: id }; }, { name: "remove", description: "Deletes.", schema: z.object({ id: z.string() }) });
  const last = ({ messages }: { messages: BaseMessage[] }): AIMessage => messages.at(-1) as AIMessage;
  return new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }) => ({ messages: await model().bindTools([deleting]).invoke(messages) }))
    .addNode("review", (state: { messages: BaseMessage[] }) => {
      const calls = last(state).tool_calls ?? [];
      const { decisions } = interrupt<unknown, { decisions: { type: string }[] }>({ actionRequests: calls.map(({ name, args }) => ({ name, args, description: `May ${name} run?` })), reviewConfigs: [] });
      const refused = calls.filter((_call, at) => decisions[at]?.type === "reject");
      if (refused.length === 0) return new Command({ goto: "tools" });
      return new Command({ goto: "agent", update: { messages: refused.map(({ id, name }) => ({ role: "tool", tool_call_id: id, name, status: "error", content: "The user refused it." })) } });
    }, { ends: ["tools", "agent"] })
    .addNode("tools", new ToolNode([deleting]))
    .addEdge("__start__", "agent")
    .addConditionalEdges("agent", (state: { messages: BaseMessage[] }) => ((last(state).tool_calls ?? []).length > 0 ? "review" : "__end__"), ["review", "__end__"])
    .addEdge("tools", "agent")
    .compile({ checkpointer: new MemorySaver() });
}

async function resumed(graph: Graph, answer: TurnInput): Promise<Evidence> {
  ran.length = 0;
  script(asks(call("c1", "remove", '{"id":"a1"}')), { content: "As you wish." });
  let run = 0;
  const asked = target(graph, { newRunId: () => `run ${++run}` });
  const first = await collect(asked.send("Go.", { signal: signal(), threadId: "t" }));
  expect(first).toMatchObject({ terminalPhase: "suspended", toolCalls: [], confirmation: { toolName: "remove", args: { id: "a1" }, state: "pending" } });
  expect(ran).toEqual([]);
  return collect(asked.send(answer, { signal: signal(), threadId: "t" }), {}, { rootRunId: "run 2", continues: first });
}

test.each([
  ["a tool that asks, answered by a text", cautious, "yes"],
  ["a tool that asks, each call a task of its own", () => cautious({ version: "v2" }), { resume: "yes" }],
  ["a node that asks, answered in the middleware's form", reviewed, { resume: { decisions: [{ type: "approve" }] } }],
  ["a node that asks, answered by LangGraph's own command", reviewed, new Command({ resume: { decisions: [{ type: "approve" }] } })],
  ["a graph that is told to stop before its tools", () => agent({ checkpointer: new MemorySaver(), interruptBefore: ["tools"], tools: [tool(({ id }) => { ran.push(id); return { deleted: id }; }, { name: "remove", description: "Deletes.", schema: z.object({ id: z.string() }) })] }), null],
] as const)("an approval granted: %s", async (_what, graph: () => Graph, answer: TurnInput) => {
  const evidence = await resumed(graph(), answer);
  expect(look(evidence)).toEqual([["remove", { id: "a1" }, { deleted: "a1" }, "approved", true]]);
  expect(evidence).toMatchObject({ answer: "As you wish.", terminalPhase: "completed", toolCalls: [{ toolCallId: "c1" }] });
  expect(ran).toEqual(["a1"]);
  seen("approval_granted", "the confirmation in the first run; in the run that goes on, the approved call with its result");
});

test("an approval refused", async () => {
  const byNode = await resumed(reviewed(), { resume: { decisions: [{ type: "reject", message: "no" }] } });
  expect(byNode).toMatchObject({ terminalPhase: "completed", answer: "As you wish.", toolCalls: [{ toolName: "remove", approval: "denied", completed: false }] });
  expect(byNode.toolCalls[0]?.failure).toBeUndefined();
  expect(ran).toEqual([]);
  const byTool = await resumed(cautious(), "no");
  expect(byTool).toMatchObject({ terminalPhase: "completed", toolCalls: [{ toolName: "remove", approval: "denied", completed: true, result: "nothing was deleted" }] });
  expect(allPassed(expectation({ tools: [expectCall({ name: "remove" })] }).checks(byTool))).toBe(false);
  expect(ran).toEqual([]);
  seen("approval_refused", "the call in the run that goes on, denied; not executed where a node asked, with the tool's own words where the tool itself asked; not a failure");
});

test("an approval left pending", async () => {
  ran.length = 0;
  script(asks(call("c1", "remove", '{"id":"a1"}')), { content: "never" });
  const stream = target(cautious()).send("Go.", { signal: signal(), threadId: "t" }) as LangGraphEvents;
  const evidence = await collect(stream);
  expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "remove", args: { id: "a1" }, state: "pending" }, toolCalls: [] });
  expect(evidence.confirmation?.id).toBe(stream.interrupts[0]?.id);
  expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "remove" }), forbidTools: ["remove"] }).checks(evidence))).toBe(true);
  expect(ran).toEqual([]);
  seen("approval_pending", "a suspended run with the confirmation and without the call");
});

const deleting = tool(({ id }) => { ran.push(id); return { deleted: id }; }, { name: "remove", description: "Deletes.", schema: z.object({ id: z.string() }) });
/** A tool that asks in LangGraph's own form. */
const inboxed = tool(({ id }) => {
  const [answer] = interrupt<unknown, { type: string }[]>([{ action_request: { action: "remove", args: { id } }, config: { allow_ignore: true, allow_accept: true }, description: `Delete ${id}?` }]);
  if (answer?.type !== "accept") return "left alone";
  ran.push(id);
  return { deleted: id };
}, { name: "remove", description: "Deletes.", schema: z.object({ id: z.string() }) });
const stopping = (): Graph => agent({ checkpointer: new MemorySaver(), interruptBefore: ["tools"], tools: [deleting] });

// Two calls wait at once, and what they give leads to a third.
const asking = (): void => script(asks(call("c1", "remove", '{"id":"a1"}'), call("c2", "remove", '{"id":"a2"}')), asks(call("c3", "remove", '{"id":"a3"}')), { content: "As you wish." });
const spoken = async (graph: Graph, approvals: "approve" | "reject", options: GraphTargetOptions = {}): Promise<Evidence> => {
  ran.length = 0;
  asking();
  return (await converse(target(graph, options), [{ input: "Go.", approvals }])).evidence;
};
const own: GraphTargetOptions = { answer: (_interrupt, approved) => (approved ? "yes" : "no") };

test.each([
  ["a node that asks in the middleware's form", reviewed, {}, undefined],
  ["tools that ask in LangGraph's own form, each a task of its own", () => cautious({ version: "v2", tools: [inboxed] }), {}, "left alone"],
  ["tools that ask in a form of the application's, each a task of its own", () => cautious({ version: "v2" }), own, "nothing was deleted"],
] as const)("a turn whose approvals are decided goes on, with one call and no more: %s", async (_what, graph: () => Graph, options: GraphTargetOptions, refused: string | undefined) => {
  const approved = await spoken(graph(), "approve", options);
  expect(approved).toMatchObject({ terminalPhase: "completed", answer: "As you wish.", confirmation: { toolCallId: "c3", state: "approved" } });
  expect(look(approved)).toEqual(["a1", "a2", "a3"].map((id) => ["remove", { id }, { deleted: id }, "approved", true]));
  expect(ran).toEqual(["a1", "a2", "a3"]);
  const rejected = await spoken(graph(), "reject", options);
  expect(rejected).toMatchObject({ terminalPhase: "completed", answer: "As you wish." });
  expect(look(rejected)).toEqual(["a1", "a2", "a3"].map((id) => ["remove", { id }, refused, "denied", refused !== undefined]));
  expect(ran).toEqual([]);
  asking();
  expect(await runEvals({ target: target(graph(), options), data: [{ turns: [{ input: "Go.", approvals: "expect" }] }] })).toMatchObject({ verdict: "passed" });
  expect(ran).toEqual([]);
});

test("a turn goes on where one task runs the tools, which ask by themselves, one after the other", async () => {
  for (const [approvals, result] of [["approve", { deleted: "a1" }], ["reject", "nothing was deleted"]] as const) {
    ran.length = 0;
    script(asks(call("c0", "list", '{"window":"1h"}')), asks(call("c1", "remove", '{"id":"a1"}')), asks(call("c2", "remove", '{"id":"a1"}')), { content: "As you wish." });
    const { evidence } = await converse(target(cautious(), own), [{ input: "Go.", approvals }]);
    const removed = ["remove", { id: "a1" }, result, approvals === "approve" ? "approved" : "denied", true];
    expect(look(evidence)).toEqual([["list", { window: "1h" }, { window: "1h", ids: ["a1"] }, undefined, true], removed, removed]);
    expect(ran).toEqual(approvals === "approve" ? ["a1", "a1"] : []);
  }
});

test("each interrupt is given its own answer, and a tool whose graph asked is the same call when it goes on", async () => {
  const wary = tool(({ id }) => {
    if (interrupt<unknown, unknown>({ action: "remove", id }) !== `yes ${id}`) return "nothing was deleted";
    ran.push(id);
    return { deleted: id };
  }, { name: "remove", description: "Deletes.", schema: z.object({ id: z.string() }) });
  const options: GraphTargetOptions = { answer: ({ value }, approved) => `${approved ? "yes" : "no"} ${(value as { id: string }).id}` };
  expect(look(await spoken(cautious({ version: "v2", tools: [wary] }), "approve", options))).toEqual(["a1", "a2", "a3"].map((id) => ["remove", { id }, { deleted: id }, "approved", true]));

  for (const version of ["v1", "v2"]) {
    ran.length = 0;
    const leading = researching(version as "v1", { inner: asks(call("c9", "remove", '{"id":"a1"}')), outer: asks(call("c1", "research", '{"about":"a"}')), tools: [wary], checkpointer: new MemorySaver() });
    const { evidence } = await converse(target(leading, options), [{ input: "Go.", approvals: "approve" }]);
    expect(evidence.toolCalls.map(({ toolCallId, parentToolCallId, approval, completed }) => [toolCallId, parentToolCallId, approval, completed])).toEqual([["c1", undefined, undefined, true], ["c1/c9", "c1", "approved", true]]);
    expect(evidence).toMatchObject({ answer: "One.", terminalPhase: "completed" });
    expect(ran).toEqual(["a1"]);
  }
});

test("a graph that was told to stop goes on where it is approved; what it cannot be told is said, and nothing runs", async () => {
  const approved = await spoken(stopping(), "approve");
  expect(look(approved)).toEqual(["a1", "a2", "a3"].map((id) => ["remove", { id }, { deleted: id }, "approved", true]));
  await expect(spoken(stopping(), "reject")).rejects.toMatchObject({ code: "option_invalid", message: expect.stringContaining("a call cannot be refused") });
  await expect(spoken(cautious(), "approve")).rejects.toMatchObject({ code: "option_invalid", message: expect.stringContaining("target(graph, { answer:") });
  expect(ran).toEqual([]);
  // Whoever answered in words has gone on already.
  asking();
  const asked = target(reviewed());
  const first = await collect(asked.send("Go.", { signal: signal(), threadId: "t" }));
  const answered = await collect(asked.send({ resume: { decisions: [{ type: "reject" }, { type: "reject" }] } }, { signal: signal(), threadId: "t" }));
  expect(answered.terminalPhase).toBe("suspended");
  expect(() => asked.resume?.({ confirmation: first.confirmation as Confirmation, approved: true, evidence: first }, { signal: signal(), threadId: "t" })).toThrow("has gone on since");
  expect("resume" in target(agent())).toBe(false);
});

test("a call beside one that asks runs again when the graph goes on, and both runs tell it", async () => {
  script(asks(call("c1", "remove", '{"id":"a1"}'), call("c2", "list", '{"window":"24h"}')), { content: "Done." });
  const again = async (version: "v1" | "v2"): Promise<unknown[]> => {
    const asked = target(cautious({ version }));
    const first = await collect(asked.send("Go.", { signal: signal(), threadId: "t" }));
    const second = await collect(asked.send("yes", { signal: signal(), threadId: "t" }));
    return [first, second].map(({ toolCalls }) => toolCalls.map(({ toolCallId, toolName }) => [toolCallId, toolName]));
  };
  expect(await again("v1")).toEqual([[["c2", "list"]], [["c1", "remove"], ["made-up:1:c2", "list"]]]);
  // Where each call is a task of its own, the one that was done is not run again.
  expect(await again("v2")).toEqual([[["c2", "list"]], [["c1", "remove"]]]);
});

test("a question that is about no call suspends the run, and a text answers it", async () => {
  const asking = new StateGraph(MessagesAnnotation)
    .addNode("ask", () => ({ messages: [{ role: "assistant", content: `You said ${interrupt<string, string>("Which city?")}.` }] }))
    .addEdge("__start__", "ask")
    .compile({ checkpointer: new MemorySaver() });
  const asked = target(asking);
  const first = asked.send("Go.", { signal: signal(), threadId: "t" }) as LangGraphEvents;
  expect(await collect(first)).toMatchObject({ terminalPhase: "suspended", answer: "", toolCalls: [] });
  expect(first.interrupts).toMatchObject([{ value: "Which city?" }]);
  expect(await collect(asked.send("Brooklyn", { signal: signal(), threadId: "t" }))).toMatchObject({ terminalPhase: "completed", answer: "You said Brooklyn." });
});

function researching(version: "v1" | "v2" = "v1", over: { readonly inner?: FixtureResponse; readonly outer?: FixtureResponse; readonly tools?: readonly unknown[]; readonly checkpointer?: MemorySaver } = {}): Graph {
  const { inner: inside = asks(call("c1", "list", '{"window":"24h"}')), outer = asks(call("c1", "research", '{"about":"a"}'), call("c2", "research", '{"about":"b"}')), tools = [list], checkpointer } = over;
  mock.clearFixtures();
  mock.addFixture({
    match: {},
    response: ({ messages }) => {
      const inner = JSON.stringify(messages[0]).includes("You research");
      if (messages.some(({ role }) => role === "assistant")) return { content: inner ? "inner words" : "One." };
      return inner ? inside : outer;
    },
  });
  const researcher = createReactAgent({ llm: model(), tools: tools as [typeof list], prompt: "You research." });
  const research = tool(async ({ about }) => (await researcher.invoke(said(about))).messages.at(-1)?.text ?? "", { name: "research", description: "Researches.", schema: z.object({ about: z.string() }) });
  return createReactAgent({ llm: model(), tools: [research], version, ...(checkpointer === undefined ? {} : { checkpointer }) });
}
const parents = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolCallId, toolName, parentToolCallId }) => [toolCallId, toolName, parentToolCallId]);
const NESTED = [["c1", "research", undefined], ["c1/c1", "list", "c1"], ["c2", "research", undefined], ["c2/c1", "list", "c2"]];

test("a nested agent", async () => {
  const evidence = await send(researching());
  expect(parents(evidence)).toEqual(NESTED);
  expect(evidence).toMatchObject({ answer: "One.", observes: { parents: true }, usage: { requests: 6 } });
  // Without the callbacks, the stream alone tells whose the inner calls are where each call is a task of its own.
  const alone = await collect(events(researching("v2").stream(said("Go."), STREAM)));
  expect(parents(alone)).toEqual(NESTED);
  expect(alone.observes.parents).toBe(false);
  const shared = events(researching().stream(said("Go."), STREAM));
  expect((await collect(shared)).toolCalls.map(({ toolName, parentToolCallId }) => [toolName, parentToolCallId])).toEqual(expect.arrayContaining([["list", undefined]]));
  expect(shared.warnings.map(({ code }) => code)).toContain("parent_unknown");
  const heard = watch();
  expect(parents(await collect(events(researching().stream(said("Go."), { ...STREAM, callbacks: heard.callbacks }), { watch: heard })))).toEqual(NESTED);
  seen("nested_agent", "the nested agent's calls below the call that ran it, and none of its text in the answer");
});

test("an agent that is a node of a graph: its calls are told, and its last words are the answer, once", async () => {
  script(asks(call("c1", "list", '{"window":"24h"}')), { content: "One alarm." });
  const graph = new StateGraph(MessagesAnnotation).addNode("worker", createReactAgent({ llm: model(), tools: [list] })).addEdge("__start__", "worker").compile({ checkpointer: new MemorySaver() });
  const asked = target(graph);
  const first = await collect(asked.send("Go.", { signal: signal(), threadId: "t" }));
  expect(look(first)).toEqual([["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, undefined, true]]);
  expect(first).toMatchObject({ answer: "One alarm.", usage: { requests: 2 } });
  // What the thread holds of the turn before is not told again.
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: { content: "Still one." } });
  expect(await collect(asked.send("And now?", { signal: signal(), threadId: "t" }))).toMatchObject({ answer: "Still one.", toolCalls: [], usage: { requests: 1 } });
});

test("an agent of the functional API, whose tasks give back messages", async () => {
  script(asks(call("c1", "list", '{"window":"24h"}')), { content: "Done." });
  const ask = task("ask", async (messages: BaseMessage[]) => model().bindTools([list]).invoke(messages));
  const act = task("act", async (of: ToolCall) => list.invoke(of));
  const graph = entrypoint("agent", async (messages: BaseMessage[]) => {
    let answer = await ask(messages);
    let all: BaseMessage[] = [...messages, answer];
    while ((answer.tool_calls ?? []).length > 0) {
      const results = await Promise.all((answer.tool_calls ?? []).map((of) => act({ ...of, type: "tool_call" })));
      answer = await ask([...all, ...results]);
      all = [...all, ...results, answer];
    }
    return all;
  });
  const evidence = await collect(target(graph, { input: (messages) => messages.map((message) => new HumanMessage((message as { content: string }).content)) }).send("Go.", { signal: signal() }));
  expect(look(evidence)).toEqual([["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, undefined, true]]);
  expect(evidence).toMatchObject({ answer: "Done.", terminalPhase: "completed", usage: { requests: 2 } });
});

test("a tool that gives a command back: its message is the result", async () => {
  script(asks(call("c1", "hand_off", '{"to":"sales"}')), { content: "Done." });
  const handOff = tool(({ to }, { toolCall }) => new Command({ update: { messages: [new ToolMessage({ content: `handed to ${to}`, tool_call_id: (toolCall as { id: string }).id })] } }), { name: "hand_off", description: "Hands off.", schema: z.object({ to: z.string() }) });
  expect(look(await send(agent({ tools: [handOff] })))).toEqual([["hand_off", { to: "sales" }, "handed to sales", undefined, true]]);
});

/** Answers in Anthropic's blocks, which LangChain hands on as they are: a provider's own tool in one step, its result in the next. */
class Searching extends SimpleChatModel {
  _llmType(): string { return "searching"; }
  _call(): Promise<string> { return Promise.resolve(""); }
  override bindTools(): this { return this; }
  override _generate(messages: BaseMessage[]): ReturnType<SimpleChatModel["_generate"]> {
    const step = messages.filter((message) => message.getType() === "ai").length;
    const message = step === 0
      ? new AIMessage({ content: [{ type: "server_tool_use", id: "s1", name: "web_search", input: { query: "x" } }], tool_calls: [{ id: "c1", name: "list", args: { window: "24h" } }] })
      : new AIMessage({ content: [{ type: "web_search_tool_result", tool_use_id: "s1", content: [{ url: "https://weather.example" }] }, { type: "text", text: "Sunny." }] });
    return Promise.resolve({ generations: [{ text: "", message }] });
  }
}

test("a provider's own tool whose result comes in a later step", async () => {
  const later = await send(createReactAgent({ llm: new Searching({}), tools: [list] }));
  expect(look(later)).toEqual([
    ["web_search", { query: "x" }, [{ url: "https://weather.example" }], undefined, true],
    ["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, undefined, true],
  ]);
  expect(later).toMatchObject({ answer: "Sunny.", terminalPhase: "completed" });
  const ran = { type: "code_interpreter_call", id: "ci_1", status: "completed", code: "1+1", container_id: "x", outputs: [{ type: "logs", logs: "2" }] };
  await using server = await loopback(() => ({ sse: responseStream(ran, "It is 2.") }));
  const interpreting = createReactAgent({ llm: model(server.url, { useResponsesApi: true }), tools: [{ type: "code_interpreter", container: { type: "auto" } }] as never });
  const evidence = await send(interpreting);
  expect(look(evidence)).toEqual([["code_interpreter", { code: "1+1" }, [{ type: "logs", logs: "2" }], undefined, true]]);
  expect(evidence).toMatchObject({ answer: "It is 2.", terminalPhase: "completed" });
  seen("provider_executed", "one call with the result that the same message or a later one brought");
});

/** A stream of OpenAI's Responses API with one item that the provider ran, and one text. */
function responseStream(ran: object, text: string): string[] {
  const response = { id: "resp_1", object: "response", created_at: 1, model: "gpt-4.1-mini", status: "in_progress", output: [], error: null, incomplete_details: null, usage: null, tools: [], metadata: {} };
  const message = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations: [] }] };
  const usage = { input_tokens: 5, output_tokens: 6, total_tokens: 11, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  return [
    { type: "response.created", response },
    { type: "response.output_item.done", output_index: 0, item: ran },
    { type: "response.output_text.delta", output_index: 1, item_id: "msg_1", content_index: 0, delta: text },
    { type: "response.output_item.done", output_index: 1, item: message },
    { type: "response.completed", response: { ...response, status: "completed", output: [ran, message], usage } },
  ].map((event, at) => JSON.stringify({ ...event, sequence_number: at }));
}

test("a stream that is cut off", async () => {
  for (const cut of [true, false]) {
    await using server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut }));
    const error: unknown = await send(agent({ llm: model(server.url) })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order", ended: false } });
  }
  seen("cut_off", "`collect` rejects with `stream_incomplete`; what was seen is kept, and no end is made up");
});

test("an abort", async () => {
  const controller = new AbortController();
  const slow = tool(() => new Promise(() => { queueMicrotask(() => controller.abort(new Error("enough"))); }), { name: "slow", description: "Waits.", schema: z.object({}) });
  script({ content: "I wait.", toolCalls: [call("c1", "slow", "{}")] }, { content: "never" });
  const evidence = await collect(target(agent({ tools: [slow] })).send("Go.", { signal: controller.signal }));
  expect(evidence).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "I wait.", toolCalls: [{ toolName: "slow", completed: false }] });
  seen("abort", "a cancelled run with what it had begun");
});

describe("how a run of a graph ends", () => {
  const answering = async (answer: () => Answer): Promise<Evidence> => {
    await using server = await loopback(answer);
    return await send(agent({ llm: model(server.url) }));
  };

  test("failed where the answer was cut off at its limit or filtered, which only the callbacks tell of a streamed one", async () => {
    expect(await answering(() => ({ sse: chatStream([{ content: "Your order" }], "length") }))).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "length" }, answer: "Your order" });
    expect(await answering(() => ({ sse: chatStream([{ content: "Your order" }], "content_filter") }))).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "content_filter" } });
    expect(await answering(() => ({ sse: chatStream([{ content: "Your order" }], "stop") }))).toMatchObject({ terminalPhase: "completed" });
  });

  test("failed where the graph throws: its limit of steps, a node's time, the model's own error", async () => {
    script(...Array.from({ length: 9 }, (_, at) => asks(call(`c${at}`, "list", '{"window":"24h"}'))));
    const looping = await collect(target(agent(), { config: { recursionLimit: 4 } }).send("Go.", { signal: signal() }));
    expect(looping).toMatchObject({ terminalPhase: "failed", ended: true, terminalFailure: { kind: "GraphRecursionError", code: "GRAPH_RECURSION_LIMIT" }, toolCalls: [{ completed: true }, { completed: true }] });
    expect(looping.terminalFailure?.message).not.toContain("https://");
    const stuck = new StateGraph(MessagesAnnotation).addNode("stuck", () => new Promise<never>(() => undefined), { timeout: 10 }).addEdge("__start__", "stuck").compile();
    expect(await send(stuck)).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "NodeTimeoutError" } });
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: { error: { message: "boom" }, status: 500 } });
    expect(await send(agent())).toMatchObject({ terminalPhase: "failed", terminalFailure: { httpStatus: 500 } });
  });

  test("suspended where the answer calls for tools that the graph leaves to its caller", async () => {
    script(asks(call("c1", "list", '{"window":"24h"}')));
    const graph = new StateGraph(MessagesAnnotation).addNode("agent", async ({ messages }) => ({ messages: await model().bindTools([list]).invoke(messages) })).addEdge("__start__", "agent").compile();
    expect(await send(graph)).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ toolName: "list", completed: false }] });
  });
});

describe("which message is the answer", () => {
  const Notes = Annotation.Root({ ...MessagesAnnotation.spec, verdict: Annotation<string> });

  test("the last in the state: not a draft that a node kept to itself, nor the text of an attempt that failed", async () => {
    let attempt = 0;
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: ({ messages }) => ({ content: JSON.stringify(messages).includes("Is it safe?") ? "SAFE" : `Try ${attempt}.` }) });
    const graph = new StateGraph(Notes)
      .addNode("agent", async ({ messages }) => {
        const answer = await model().invoke(messages);
        if (attempt++ === 0) throw new Error("flaky");
        return { messages: [answer] };
      }, { retryPolicy: { maxAttempts: 2, initialInterval: 1, logWarning: false } })
      .addNode("guard", async () => ({ verdict: (await model().invoke("Is it safe?")).text }))
      .addEdge("__start__", "agent").addEdge("agent", "guard").compile();
    expect(await send(graph)).toMatchObject({ answer: "Try 1.", usage: { requests: 3 } });
    attempt = 1;
    expect(await collect(target(graph, { nodes: ["guard"] }).send("Go.", { signal: signal() }))).toMatchObject({ answer: "SAFE" });
  });

  test("a call that only shapes an answer is no call of a tool", async () => {
    script(asks(call("c1", "Route", '{"to":"sales"}')));
    const graph = new StateGraph(Notes)
      .addNode("route", async () => ({ verdict: JSON.stringify(await model().withStructuredOutput(z.object({ to: z.string() }), { name: "Route", method: "functionCalling" }).invoke("Go.")), messages: [{ role: "assistant", content: "To sales." }] }))
      .addEdge("__start__", "route").compile();
    expect(await send(graph)).toMatchObject({ answer: "To sales.", toolCalls: [], terminalPhase: "completed" });
  });
});

describe("a thread", () => {
  test("is kept by a graph with a checkpointer, and sent again with each turn to one without", async () => {
    mock.clearFixtures();
    const asked: number[] = [];
    mock.addFixture({ match: {}, response: ({ messages }) => { asked.push(messages.length); return { content: "Yes." }; } });
    const keeping = target(agent({ checkpointer: new MemorySaver() }));
    const forgetting = target(agent());
    expect([keeping.memory, forgetting.memory]).toEqual([true, false]);
    const history = [{ role: "user", content: "Hi." }, { role: "assistant", content: "Yes." }] as const;
    for (const of of [keeping, forgetting]) {
      await collect(of.send("Hi.", { signal: signal(), threadId: "a", history: [] }));
      await collect(of.send("Still?", { signal: signal(), threadId: "a", history }));
      await collect(of.send("Hi.", { signal: signal(), threadId: "b", history: [] }));
    }
    expect(asked).toEqual([1, 3, 1, 1, 3, 1]);
  });
});

const weather = tool(() => RESULT, { name: WEATHER_TOOL.name, description: WEATHER_TOOL.description, schema: WEATHER_TOOL.inputSchema as never });
const weatherAgent = (): Graph => createReactAgent({ llm: model(), tools: [weather] });

test("the canonical scenario gives the canonical evidence", async () => {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: canonicalResponse });
  const evidence = await send(weatherAgent(), QUESTION);
  expect(comparable(evidence)).toEqual(canonicalFor(evidence.observes));
  expect(allPassed([...expectation({ tools: [expectCall({ name: "get_weather" })], exact: true }).checks(evidence), check("answer", evidence.answer.includes("sunny"), evidence.answer)])).toBe(true);
  const alone = await collect(events(weatherAgent().stream(said(QUESTION), STREAM)));
  expect(comparable(alone)).toEqual(canonicalFor(alone.observes));
});

describe("a chat model as a provider", () => {
  const request: ModelRequest = {
    modelClass: "default", temperature: 0.25, maxOutputTokens: 321, toolChoice: { tool: "grade" },
    messages: [
      { role: "system", content: "Grade." }, { role: "user", content: "This." },
      { role: "assistant", content: [{ type: "text", text: "Well." }, { type: "tool_call", id: "c0", name: "grade", arguments: '{"a":1}' }] }, { role: "tool", toolCallId: "c0", content: "Again." },
    ],
    tools: [{ name: "grade", description: "Grades.", inputSchema: { type: "object", properties: { a: { enum: ["x"], description: "d" } }, required: ["a"], additionalProperties: false, $comment: "kept" } }],
  };
  const written = ['{ "a": 1.0, "a":', ' 9007199254740993 }'];
  const graded = written.map((args, at) => ({ tool_calls: [{ index: 0, ...(at === 0 ? { id: "c1", type: "function" } : {}), function: { ...(at === 0 ? { name: "grade" } : {}), arguments: args } }] }));

  test("hands the request on as it is, and gives the text of the arguments as the model wrote it", async () => {
    await using server = await loopback(() => ({ sse: chatStream(graded, "stop") }));
    const of = provider((settings) => model(server.url, settings));
    expect(of.rawArguments).toBe(true);
    expect(of.modelName?.("small")).toBe("gpt-4.1-mini");
    expect(await of.complete(request, {})).toEqual({
      content: [{ type: "tool_call", id: "c1", name: "grade", arguments: written.join("") }], stopReason: "tool_calls", usage: { inputTokens: 11, outputTokens: 7 }, model: "gpt-4.1-mini",
    });
    expect(server.received[0]?.body).toMatchObject({
      temperature: 0.25, max_tokens: 321, tool_choice: { type: "function", function: { name: "grade" } },
      messages: [{ role: "system", content: "Grade." }, { role: "user", content: "This." }, { role: "assistant", content: "Well.", tool_calls: [{ id: "c0", type: "function", function: { name: "grade", arguments: '{"a":1}' } }] }, { role: "tool", tool_call_id: "c0", content: "Again." }],
    });
    expect(server.received[0]?.body.tools).toEqual([{ type: "function", function: { name: "grade", description: "Grades.", parameters: request.tools[0]?.inputSchema } }]);
    expect(server.received).toHaveLength(1);
  });

  test("says why an answer stopped, and refuses one that broke off or failed, asked once", async () => {
    const answered = async (answer: Answer): Promise<unknown> => {
      await using server = await loopback(() => answer);
      const client = createClient(provider((settings) => model(server.url, settings)));
      const stopped = await collectResponse(client, { ...request, tools: [], toolChoice: "none" }).catch((thrown: { code: string }) => thrown.code);
      expect(server.received).toHaveLength(1);
      return stopped;
    };
    expect(await answered({ sse: chatStream([{ content: "Half" }], "length") })).toBe("length");
    expect(await answered({ sse: chatStream([{ content: "Half" }], "content_filter") })).toBe("content_filter");
    expect(await answered({ sse: chatStream([{ content: "Whole." }], "stop") })).toBe("stop");
    expect(await answered({ sse: chatStream([{ content: "Half" }], undefined) })).toBe("provider_failed");
    expect(await answered({ status: 500, json: { error: { message: "boom" } } })).toBe("provider_failed");
  });

  test("is refused where the settings are not handed on, and says that a model of another kind may have written the arguments anew", async () => {
    await expect(provider(() => model()).complete(request, {})).rejects.toMatchObject({ code: "model_setting_lost" });
    expect(() => provider(model() as never)).toThrow(/provider\(\)/);
    expect(provider(() => new Searching({})).rawArguments).toBe(false);
    expect(provider(() => new Searching({}), { rawArguments: true }).rawArguments).toBe(true);
  });
});

/** Through the client, as a judge asks: the reason why the answer stopped. */
async function collectResponse(client: Client, request: ModelRequest): Promise<string> {
  return (await openClient(client).complete(request, {})).stopReason;
}

describe("the contract of a target", () => {
  const bound = { returned: 1, truncated: true } as const;
  const scripted = <More extends object>(answers: readonly FixtureResponse[], more: More, graph: () => Graph = agent, options: GraphTargetOptions = {}): (() => { target: ReturnType<typeof target>; input: string } & More) => () => {
    script(...answers);
    return { target: target(graph(), options), input: "Go.", ...more };
  };
  const waiting = tool(() => new Promise<string>(() => undefined), { name: "wait", description: "Waits.", schema: z.object({}) });
  const listed = asks(call("c1", "list", '{"window":"24h"}'));
  const harness: TargetHarness<TurnInput> = {
    answers: scripted([{ content: "Hello." }], { answer: "Hello." }),
    waits: scripted([asks(call("c1", "wait", "{}"))], {}, () => agent({ tools: [waiting] })),
    breaksOff: async () => {
      const server = await loopback(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut: true }));
      return { target: target(agent({ llm: model(server.url) })), input: "Go.", said: "Your order", close: () => server[Symbol.asyncDispose]() };
    },
    calls: scripted([listed, { content: "Done." }], { toolName: "list", args: { window: "24h" }, result: { window: "24h", ids: ["a1"] } }),
    fails: scripted([asks(call("c1", "pay", '{"amount":5}')), { content: "No." }], { toolName: "pay", kind: "domain_rejection" as const }, agent, { failureKind: (name) => (name === "pay" ? "domain_rejection" : undefined) }),
    asks: scripted([asks(call("c1", "remove", '{"id":"a1"}'))], { toolName: "remove" }, cautious),
    decides: () => {
      ran.length = 0;
      script(asks(call("c1", "remove", '{"id":"a1"}')), { content: "Done." });
      return { target: target(reviewed()), input: "Go.", toolName: "remove", made: () => ran.length };
    },
    nests: () => ({ target: target(researching()), input: "Go.", parent: "research", child: "list" }),
    bounded: scripted([listed, { content: "Done." }], { toolName: "list", bounds: bound }, agent, { bounds: () => bound }),
    remembers: () => {
      mock.clearFixtures();
      mock.addFixture({ match: {}, response: ({ messages }) => ({ content: `You said: ${messages.filter(({ role }) => role === "user").map(({ content }) => JSON.stringify(content)).join(" ")}` }) });
      return { target: target(cautious()), input: "Brooklyn.", next: "What did I say?", shows: (text: string) => text.includes("Brooklyn") };
    },
  };
  test.each(targetContract(harness))("$name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });
});

test("what a stream without its modes cannot show decides nothing: the scenario is errored", async () => {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: canonicalResponse });
  const messages = { streamMode: ["messages"] as const };
  const blind = async (): Promise<Evidence> => collect(events(weatherAgent().stream(said(QUESTION), { streamMode: [...messages.streamMode] }), { modes: messages.streamMode }));
  const hooks = {
    confirmation: async () => ({ checks: expectation({ confirmation: expectConfirmation({ name: "get_weather" }) }).checks(await blind()) }),
    kinds: async () => ({ checks: expectation({ tools: [expectCall({ name: "get_weather" }, { forbidFailureKinds: ["timeout"] })] }).checks(await blind()) }),
    undeclared: async () => ({ checks: expectation({ forbidTools: ["pay"] }).checks(await collect(events(weatherAgent().stream(said(QUESTION), { streamMode: [...messages.streamMode] })))) }),
  };
  const scenarios = Object.entries(hooks).map(([id, run]) => ({ id, description: "Looks.", tags: [], timeoutMs: 10_000, run }));
  const report = await createRunner({ maxConcurrency: 1 }).run({ id: "blind", description: "Cannot see.", scenarios });
  expect(report.scenarios.map(({ outcome, error }) => [outcome, error?.code])).toEqual([["errored", "not_observable"], ["errored", "not_observable"], ["errored", "option_invalid"]]);
});
