// Runs an agent over an OpenAI-compatible endpoint, by HTTP, through the twelve situations, and through the canonical scenario.
import { LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { createRunner } from "entail";
import { target, type ChatTargetOptions } from "entail/adapter/http";
import { collect, expectation, expectCall, type Evidence, type StreamEvent } from "entail/evidence";
import { targetContract, type TargetHarness } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatStream, loopback, type Answer, type Received } from "../ai-sdk/loopback.ts";
import { allPassed } from "../ai-sdk/parts.ts";
import { CANONICAL, canonicalFor, canonicalResponse, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
afterAll(() => writeCells("http"));

const seen = (situation: Situation, how: Cell["how"]): void => recordCell("http", situation, { outcome: "seen", how });
const cannotOccur = (situation: Situation, how: Cell["how"]): void => recordCell("http", situation, { outcome: "cannot occur", how });

/** The model's answers, in the order of its turns. */
function script(...answers: readonly FixtureResponse[]): void {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: ({ messages }) => answers[messages.filter(({ role }) => role === "assistant").length] ?? { error: { message: "the script is over" }, status: 400 } });
}
const asks = (...toolCalls: { id: string; name: string; arguments: string }[]): FixtureResponse => ({ toolCalls });
const call = (id: string, name: string, args: string): { id: string; name: string; arguments: string } => ({ id, name, arguments: args });

const object = (properties: object, required: readonly string[] = Object.keys(properties)): Record<string, unknown> => ({ type: "object", properties, required });
const list = { name: "list", description: "Lists.", inputSchema: object({ window: { type: "string" } }), execute: ({ window }: { window: string }) => ({ window, ids: ["a1"] }) };
const pay = { name: "pay", inputSchema: object({ amount: { type: "number" } }), execute: (): never => { throw Object.assign(new Error("card declined"), { kind: "domain_rejection" }); } };
const tools = [list, pay];
type Options = Partial<ChatTargetOptions>;
const run = (options: Options = {}, signal: AbortSignal = new AbortController().signal): Promise<Evidence> => collect(target({ url: `${mock.url}/v1`, model: "gpt-4.1-mini", tools, ...options }).send("Go.", { signal }));
const overHttp = async (answer: (index: number) => Answer, options: Options = {}): Promise<Evidence> => {
  await using server = await loopback((_request, index) => answer(index));
  return await run({ url: server.url, ...options });
};
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolName, args, result, failure, completed }) => [toolName, args, failure?.kind ?? result, completed]);

test.each([true, false])("two parallel calls, streamed: %s", async (stream) => {
  script(asks(call("c1", "list", '{"window":"24h"}'), call("c2", "list", '{"window":"7d"}')), { content: "Done." });
  const evidence = await run({ stream });
  expect(look(evidence)).toEqual([["list", { window: "24h" }, { window: "24h", ids: ["a1"] }, true], ["list", { window: "7d" }, { window: "7d", ids: ["a1"] }, true]]);
  expect(evidence).toMatchObject({ answer: "Done.", terminalPhase: "completed", ended: true });
  seen("parallel_calls", "both calls in the order in which the model issued them, each with its own result");
});

test("arguments in pieces that split an escape and a surrogate pair", async () => {
  const pieces = ['{ "win', 'dow": "caf\\u0', '0e9 \ud83d', '\ude00", "n": 9007199254740993 }'];
  const deltas = pieces.map((piece, at) => ({ tool_calls: [{ index: 0, ...(at === 0 ? { id: "c1", type: "function" } : {}), function: { ...(at === 0 ? { name: "list" } : {}), arguments: piece } }] }));
  const evidence = await overHttp((index) => ({ sse: index === 0 ? chatStream(deltas, "tool_calls") : chatStream([{ content: "Done." }], "stop") }));
  expect(evidence.toolCalls[0]?.argsJson).toBe('{"n":9007199254740993,"window":"café 😀"}');
  expect(evidence.toolCalls[0]?.result).toEqual({ window: "café 😀", ids: ["a1"] });
  seen("split_arguments", "the arguments as the model wrote them, put together again, with every digit");
});

test("a tool that throws", async () => {
  script(asks(call("c1", "pay", '{"amount":5}')), { content: "It failed." });
  const evidence = await run();
  expect(look(evidence)).toEqual([["pay", { amount: 5 }, "domain_rejection", true]]);
  expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "It failed.", toolCalls: [{ failure: { error: { message: "card declined" } } }] });
  seen("tool_throws", "a failed call with the error's message; its kind where the error or the application says it, else `unknown`");
});

test("a call of an unknown tool", async () => {
  script(asks(call("c1", "no_such_tool", '{"x":1}')), { content: "No." });
  expect(look(await run())).toEqual([["no_such_tool", { x: 1 }, "invalid_call", true]]);
  seen("unknown_tool", "a failed call of kind `invalid_call` under the name that the model gave");
});

test("invalid arguments, arguments that are no JSON, and a member that stands twice", async () => {
  script(asks(call("c1", "pay", '{"amount":"five"}'), call("c2", "pay", '{"amount": 5,, }'), call("c3", "pay", '{"amount":1,"amount":2}')), { content: "No." });
  const evidence = await run();
  expect(look(evidence)).toEqual([["pay", { amount: "five" }, "invalid_call", true], ["pay", '{"amount": 5,, }', "invalid_call", true], ["pay", '{"amount":1,"amount":2}', "invalid_call", true]]);
  expect(evidence.toolCalls[0]?.failure?.error.message).toBe("the arguments of pay are invalid: amount must be a number");
  seen("invalid_arguments", "a failed call of kind `invalid_call` with the arguments as the model wrote them");
});

describe("approvals", () => {
  /** What other protocols say of approvals, in the places where a lenient reader might look. */
  const asking = [{ content: "May I?" }, { tool_calls: [{ index: 0, id: "c1", function: { name: "list", arguments: '{"window":"24h"}' }, approval: { id: "ap", state: "requested" } }] }, { type: "tool-approval-request", approvalId: "ap" }];

  test("the chat protocol has none: whatever else an answer says, no confirmation, no decision and no denied call is made of it", async () => {
    const events: StreamEvent[] = [];
    await using server = await loopback((_request, index) => ({ sse: index === 0 ? chatStream(asking, "tool_calls") : chatStream([{ content: "Done." }], "stop") }));
    for await (const event of target({ url: server.url, tools }).send("Go.", { signal: new AbortController().signal })) events.push(event);
    const types = new Set(events.map(({ type }) => type));
    expect([types.has("await_confirmation"), types.has("tool_authorization"), types.has("tool_end")]).toEqual([false, false, true]);
    const evidence = await overHttp((index) => ({ sse: index === 0 ? chatStream(asking, "tool_calls") : chatStream([{ content: "Done." }], "stop") }));
    expect(evidence.observes.approvals).toBe(false);
    expect(evidence.confirmation).toBeUndefined();
    const why = "the chat protocol has no approvals, and the tools that the target runs ask nobody";
    for (const situation of ["approval_granted", "approval_refused", "approval_pending"] as const) cannotOccur(situation, why);
  });

  test("a tool that somebody else has to run suspends the run at its call", async () => {
    script(asks(call("c1", "list", '{"window":"24h"}')), { content: "never" });
    const evidence = await run({ tools: [{ name: "list", inputSchema: {} }] });
    expect(evidence).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ toolName: "list", completed: false }], observes: { args: true, results: false } });
  });
});

test("a nested agent runs inside a tool, unseen", async () => {
  script(asks(call("c1", "research", "{}")), { content: "One." });
  const inner = await loopback((_request, index) => ({ sse: index === 0 ? chatStream([{ tool_calls: [{ index: 0, id: "c1", function: { name: "list", arguments: '{"window":"24h"}' } }] }], "tool_calls") : chatStream([{ content: "inner words" }], "stop") }));
  const nested: Evidence[] = [];
  const research = { name: "research", inputSchema: {}, execute: async () => { nested.push(await run({ url: inner.url })); return "one"; } };
  const evidence = await run({ tools: [research] });
  await inner[Symbol.asyncDispose]();
  expect(nested[0]?.toolCalls.map(({ toolName }) => toolName)).toEqual(["list"]);
  expect(evidence.toolCalls.map(({ toolName, parentToolCallId }) => [toolName, parentToolCallId])).toEqual([["research", undefined]]);
  expect([evidence.answer, evidence.observes.parents]).toEqual(["One.", false]);
  cannotOccur("nested_agent", "a tool tells nothing of an agent that it runs, so no call stands below another");
});

test("a provider's own tool is not told as a call", async () => {
  const annotated = { content: "Sunny.", annotations: [{ type: "url_citation", url_citation: { url: "https://weather.example" } }], web_search: { query: "x" } };
  for (const stream of [true, false]) {
    const answer: Answer = stream ? { sse: chatStream([annotated], "stop") } : { json: { choices: [{ index: 0, message: { role: "assistant", ...annotated }, finish_reason: "stop" }] } };
    expect(await overHttp(() => answer, { stream })).toMatchObject({ toolCalls: [], answer: "Sunny." });
  }
  cannotOccur("provider_executed", "the chat protocol tells no call that the provider executes, only words about it");
});

test.each([
  ["before it says why it stopped, by closing", { cut: true }],
  ["by ending without saying why it stopped", {}],
])("a stream that is cut off %s", async (_how, rest) => {
  const error: unknown = await overHttp(() => ({ sse: chatStream([{ content: "Your order" }, { tool_calls: [{ index: 0, id: "c1", function: { name: "pay", arguments: '{"amo' } }] }], undefined), ...rest })).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order", ended: false, toolCalls: [] } });
  seen("cut_off", "`collect` rejects with `stream_incomplete`; what was seen is kept, and no end is made up");
});

test("an abort, while the model answers and while a tool runs", async () => {
  await using server = await loopback(() => ({ sse: chatStream([{ content: "Wai" }], undefined), hang: true }));
  const signal = async (start: (controller: AbortController) => Options): Promise<readonly StreamEvent[]> => {
    const controller = new AbortController();
    const events: StreamEvent[] = [];
    for await (const event of target({ url: `${mock.url}/v1`, tools, ...start(controller) }).send("Go.", { signal: controller.signal })) {
      events.push(event);
      if (event.type === "assistant_reply") controller.abort(new Error("enough"));
    }
    return events;
  };
  expect((await signal(() => ({ url: server.url }))).map((event) => ("phase" in event ? event.phase : event.type))).toEqual(["assistant_reply", "cancelled", "run_stream_end"]);
  script(asks(call("c1", "slow", "{}")), { content: "never" });
  const slow = (controller: AbortController): Options => ({ tools: [{ name: "slow", inputSchema: {}, execute: () => { controller.abort(new Error("enough")); return new Promise(() => undefined); } }] });
  const events = await signal(slow);
  expect(events.filter(({ type }) => !/delta|usage/.test(type)).map((event) => ("phase" in event ? event.phase : event.type))).toEqual(["tool_start", "cancelled", "run_stream_end"]);
  seen("abort", "a cancelled run with what it had begun");
});

describe("the canonical scenario", () => {
  const weather = { ...WEATHER_TOOL, execute: () => RESULT };

  test.each([true, false])("gives the canonical evidence, streamed: %s", async (stream) => {
    mock.clearFixtures();
    mock.addFixture({ match: {}, response: canonicalResponse });
    const evidence = await collect(target({ url: `${mock.url}/v1/chat/completions`, model: "m", tools: [weather], stream }).send(QUESTION, { signal: new AbortController().signal }));
    expect(comparable(evidence)).toEqual(CANONICAL);
    expect(allPassed(expectation({ exact: true, tools: [expectCall({ name: "get_weather" })] }).checks(evidence))).toBe(true);
  });

  test("through an endpoint that runs its own tools, the answer is all that is seen", async () => {
    script({ content: "It is sunny in Brooklyn, 21 degrees." });
    const evidence = await collect(target({ url: `${mock.url}/v1`, model: "m" }).send(QUESTION, { signal: new AbortController().signal }));
    expect(comparable(evidence)).toEqual(canonicalFor(evidence.observes));
    expect(evidence.observes).toMatchObject({ args: false, results: false, failureKinds: false });
  });

  test("on it, that no tool was called makes a scenario errored, neither passed nor failed", async () => {
    script({ content: "Sunny." });
    const blind = { endpoint: target({ url: `${mock.url}/v1`, model: "m" }), function: target(() => "Sunny.") };
    const suite = {
      id: "blind", description: "d",
      scenarios: Object.entries(blind).map(([id, subject]) => ({ id, description: "d", tags: [], timeoutMs: 5000, run: async ({ signal }: { signal: AbortSignal }) => ({ checks: expectation({ forbidTools: ["delete"] }).checks(await collect(subject.send("Go.", { signal }))) }) })),
    };
    const report = await createRunner({ maxConcurrency: 1 }).run(suite);
    expect(report.scenarios).toMatchObject([{ id: "endpoint", outcome: "errored", error: { code: "not_observable" } }, { id: "function", outcome: "errored", error: { code: "not_observable" } }]);
  });
});

describe("the contract of a target, kept by an endpoint", () => {
  const answer = (...deltas: object[]): Answer => ({ sse: chatStream(deltas, "content" in (deltas[0] ?? {}) ? "stop" : "tool_calls") });
  const calling = (name: string, args: string): object => ({ tool_calls: [{ index: 0, id: "c1", function: { name, arguments: args } }] });
  const over = async (answers: (request: Received) => Answer, options: Options = {}): Promise<{ target: ReturnType<typeof target>; input: string; close: () => PromiseLike<void> }> => {
    const server = await loopback(answers);
    return { target: target({ url: server.url, tools, ...options }), input: "Go.", close: () => server[Symbol.asyncDispose]() };
  };
  const asked = ({ body }: Received): boolean => body.messages.some(({ role }: { role: string }) => role === "tool");
  const harness: TargetHarness<any> = {
    answers: async () => ({ ...(await over(() => answer({ content: "Hi." }))), answer: "Hi." }),
    waits: () => over(() => ({ sse: chatStream([{ content: "Wai" }], undefined), hang: true })),
    breaksOff: async () => ({ ...(await over(() => ({ sse: chatStream([{ content: "Your order" }], undefined), cut: true }))), said: "Your order" }),
    calls: async () => ({ ...(await over((request) => (asked(request) ? answer({ content: "Done." }) : answer(calling("list", '{"window":"24h"}'))))), toolName: "list", args: { window: "24h" }, result: { window: "24h", ids: ["a1"] } }),
    fails: async () => ({ ...(await over((request) => (asked(request) ? answer({ content: "No." }) : answer(calling("pay", '{"amount":5}'))))), toolName: "pay", kind: "domain_rejection" }),
    bounded: async () => ({ ...(await over((request) => (asked(request) ? answer({ content: "Done." }) : answer(calling("list", '{"window":"24h"}'))), { bounds: () => ({ returned: 1, truncated: true }) })), toolName: "list", bounds: { returned: 1, truncated: true } }),
    remembers: async () => ({ ...(await over(({ body }) => answer({ content: JSON.stringify(body.messages) }))), input: "Brooklyn.", next: "What did I say?", shows: (text: string) => text.includes("Brooklyn") }),
  };
  test.each(targetContract(harness))("$name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });
});

describe("the contract of a target, kept by a function", () => {
  const messages = [{ role: "assistant", content: null, tool_calls: [{ id: "c", function: { name: "list", arguments: '{"n":1}' } }] }, { role: "tool", tool_call_id: "c", content: "two" }, { role: "assistant", content: "Two." }];
  const waits: TargetHarness<string>["waits"] = () => ({ target: target(() => new Promise<string>(() => undefined)), input: "Go." });
  const harnesses: Readonly<Record<string, TargetHarness<string>>> = {
    text: { waits, answers: () => ({ target: target(() => "Hi."), input: "Go.", answer: "Hi." }) },
    messages: {
      waits,
      answers: () => ({ target: target(() => [{ role: "assistant", content: "Hi." }], { gives: "messages" }), input: "Go.", answer: "Hi." }),
      calls: () => ({ target: target(() => messages, { gives: "messages" }), input: "Go.", toolName: "list", args: { n: 1 }, result: "two" }),
    },
  };
  test.each(Object.entries(harnesses).flatMap(([gives, harness]) => targetContract(harness).map((check) => ({ ...check, gives }))))("$gives: $name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });
});
