// Runs AG-UI endpoints over HTTP through the twelve situations, and through the canonical scenario.
import { AGUIMock, type AGUIEvent, type AGUIRunAgentInput } from "@copilotkit/aimock";
import { check, createRunner } from "entail";
import { events, target, type AgUiEvents, type AgUiTargetOptions, type TurnInput } from "entail/adapter/ag-ui";
import { converse, runEvals } from "entail/conversation";
import { collect, expectation, expectCall, expectConfirmation, expectFailure, type Confirmation, type Evidence } from "entail/evidence";
import { targetContract, type TargetHarness } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loopback, type Answer, type Received } from "../ai-sdk/loopback.ts";
import { allPassed } from "../ai-sdk/parts.ts";
import { ANSWER, ARGS, canonicalFor, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";

const mock = new AGUIMock({ logLevel: "silent" });
let url = "";
beforeAll(async () => {
  url = await mock.start();
});
afterAll(() => mock.stop());
afterAll(() => writeCells("ag-ui"));

const cell = (outcome: Cell["outcome"]) => (situation: Situation, how: string): void => recordCell("ag-ui", situation, { outcome, how });
const seen = cell("seen");

const asked: AGUIRunAgentInput[] = [];
/** The agent's answers, in the order of the requests: what stands between the beginning and the end of each run. */
function script(...answers: readonly (readonly AGUIEvent[])[]): void {
  mock.reset();
  asked.length = 0;
  answers.forEach((answer, at) => mock.onPredicate((input) => (input === asked[at] ? true : asked.length === at && asked.push(input) > 0), [...answer]));
}
const START: AGUIEvent = { type: "RUN_STARTED", threadId: "server-thread", runId: "server-run" };
const finish = (rest: object = {}): AGUIEvent => ({ type: "RUN_FINISHED", threadId: "server-thread", runId: "server-run", ...rest });
const run = (...inner: readonly AGUIEvent[]): AGUIEvent[] => [START, ...inner, finish()];
const say = (delta: string, messageId = "m"): AGUIEvent[] => [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }, { type: "TEXT_MESSAGE_CONTENT", messageId, delta }, { type: "TEXT_MESSAGE_END", messageId }];
const calls = (toolCallId: string, toolCallName: string, ...args: readonly string[]): AGUIEvent[] => [
  { type: "TOOL_CALL_START", toolCallId, toolCallName }, ...args.map((delta): AGUIEvent => ({ type: "TOOL_CALL_ARGS", toolCallId, delta })), { type: "TOOL_CALL_END", toolCallId },
];
const result = (toolCallId: string, content: string): AGUIEvent => ({ type: "TOOL_CALL_RESULT", messageId: `r-${toolCallId}`, toolCallId, content });
const interrupted = (...interrupts: readonly { id: string; reason: string; toolCallId?: string; message?: string }[]): AGUIEvent => finish({ outcome: { type: "interrupt", interrupts } });

const signal = (): AbortSignal => new AbortController().signal;
const of = (options: Partial<AgUiTargetOptions> = {}): ReturnType<typeof target> => target({ url, ...options });
const send = (input: TurnInput = "Go.", options: Partial<AgUiTargetOptions> = {}): Promise<Evidence> => collect(of(options).send(input, { signal: signal(), threadId: "t" }));
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolName, args, result: output, failure, approval, completed }) => [toolName, args, failure?.kind ?? output, approval, completed]);

test("two parallel calls", async () => {
  script(run(
    { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "list" }, { type: "TOOL_CALL_START", toolCallId: "c2", toolCallName: "list" },
    { type: "TOOL_CALL_ARGS", toolCallId: "c2", delta: '{"window":' }, { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '{"window":"24h"}' }, { type: "TOOL_CALL_ARGS", toolCallId: "c2", delta: '"7d"}' },
    { type: "TOOL_CALL_END", toolCallId: "c2" }, { type: "TOOL_CALL_END", toolCallId: "c1" }, result("c2", '{"ids":[]}'), result("c1", '{"ids":["a1"]}'), ...say("Done."),
  ));
  const evidence = await send();
  expect(look(evidence)).toEqual([["list", { window: "24h" }, { ids: ["a1"] }, undefined, true], ["list", { window: "7d" }, { ids: [] }, undefined, true]]);
  expect(evidence).toMatchObject({ answer: "Done.", terminalPhase: "completed", ended: true, sessionId: "t" });
  expect(asked[0]).toMatchObject({ threadId: "t", runId: evidence.runId, messages: [{ role: "user", content: "Go." }], tools: [] });
  seen("parallel_calls", "both calls in the order in which they were begun, each with its own arguments and result, however their events are mixed");
});

test("arguments in pieces that split an escape and a surrogate pair", async () => {
  const pieces = ['{ "win', 'dow": "caf\\u0', "0e9 \ud83d", '\ude00", "n": 9007199254740993 }'];
  script(run(...calls("c1", "list", ...pieces), result("c1", "none"), ...say("Done.")));
  expect((await send()).toolCalls[0]?.argsJson).toBe('{"n":9007199254740993,"window":"café 😀"}');
  seen("split_arguments", "the arguments as the model wrote them, put together again, with every digit");
});

const failedSnapshot: AGUIEvent = {
  type: "MESSAGES_SNAPSHOT",
  messages: [{ id: "u", role: "user", content: "Go." }, { id: "a", role: "assistant", toolCalls: [{ id: "c1", type: "function", function: { name: "pay", arguments: '{"amount":5}' } }] }, { id: "r-c1", role: "tool", toolCallId: "c1", content: "card declined", error: "card declined" }],
};

test("a tool that throws", async () => {
  script(run(...calls("c1", "pay", '{"amount":5}'), result("c1", "card declined"), failedSnapshot, ...say("It failed.")));
  const evidence = await send();
  expect(look(evidence)).toEqual([["pay", { amount: 5 }, "unknown", undefined, true]]);
  expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "It failed.", toolCalls: [{ failure: { error: { message: "card declined" } } }], observes: { failureKinds: false } });
  script(run(...calls("c1", "pay", '{"amount":5}'), result("c1", "Error: card declined"), ...say("It failed.")));
  expect(look(await send())).toEqual([["pay", { amount: 5 }, "Error: card declined", undefined, true]]);
  script(run(...calls("c1", "pay", '{"amount":5}'), result("c1", "Error: card declined"), ...say("It failed.")));
  const told = await send("Go.", { failureKind: (_tool, content) => (content.startsWith("Error: ") ? "domain_rejection" : undefined) });
  expect(look(told)).toEqual([["pay", { amount: 5 }, "domain_rejection", undefined, true]]);
  expect(allPassed(expectation({ tools: [expectFailure({ name: "pay" }, "domain_rejection")] }).checks(told))).toBe(true);
  seen("tool_throws", "a failed call where a snapshot holds its error; a result alone has no sign of failure and stands as it is, unless the application reads one from it");
});

test("a call of an unknown tool", async () => {
  script(run(...calls("c1", "no_such_tool", '{"x":1}'), result("c1", "there is no such tool"), ...say("No.")));
  expect(look(await send())).toEqual([["no_such_tool", { x: 1 }, "there is no such tool", undefined, true]]);
  seen("unknown_tool", "the call under the name that the model gave, with what the agent answered to it; that this is a failure the protocol does not say");
});

test("invalid arguments, and arguments that are no JSON", async () => {
  script(run(...calls("c1", "pay", '{"amount":"five"}'), result("c1", "amount must be a number"), ...calls("c2", "pay", '{"amount": 5,, }'), result("c2", "no JSON"), ...say("No.")));
  expect(look(await send())).toEqual([["pay", { amount: "five" }, "amount must be a number", undefined, true], ["pay", '{"amount": 5,, }', "no JSON", undefined, true]]);
  seen("invalid_arguments", "the arguments as the model wrote them, with what the agent answered to them; that this is a failure the protocol does not say");
});

const wire = calls("c1", "wire", '{"amount":900}');
const approval = [START, ...wire, interrupted({ id: "i1", reason: "tool_approval", toolCallId: "c1", message: "Wire 900?" })];

async function resumed(answer: TurnInput, ...second: readonly AGUIEvent[]): Promise<Evidence> {
  script(approval, run(...second));
  let n = 0;
  const agent = of({ newRunId: () => `run ${++n}` });
  const first = await collect(agent.send("Go.", { signal: signal(), threadId: "t" }));
  expect(first).toMatchObject({ terminalPhase: "suspended", toolCalls: [], confirmation: { toolCallId: "c1", toolName: "wire", id: "i1", prompt: "Wire 900?", args: { amount: 900 }, state: "pending" } });
  return collect(agent.send(answer, { signal: signal(), threadId: "t" }), {}, { rootRunId: "run 2", continues: first });
}

test("an approval granted", async () => {
  const evidence = await resumed({ resume: { approved: true } }, result("c1", "sent"), ...say("As you wish."));
  expect(look(evidence)).toEqual([["wire", { amount: 900 }, "sent", "approved", true]]);
  expect(evidence).toMatchObject({ answer: "As you wish.", terminalPhase: "completed" });
  expect(asked[1]).toMatchObject({ threadId: "t", runId: "run 2", resume: [{ interruptId: "i1", status: "resolved", payload: { approved: true } }] });
  expect(asked[1]?.messages).toMatchObject([{ role: "user", content: "Go." }, { role: "assistant", toolCalls: [{ id: "c1", function: { name: "wire", arguments: '{"amount":900}' } }] }]);
  // An agent may tell the call once more before it runs it.
  expect(look(await resumed("yes", ...wire, result("c1", "sent")))).toEqual([["wire", { amount: 900 }, "sent", "approved", true]]);
  seen("approval_granted", "the confirmation in the first run; in the run that goes on, the approved call with its result");
});

test("an approval refused", async () => {
  const answers: TurnInput[] = [{ resume: { approved: false } }, "no", { resume: [{ interruptId: "i1", status: "cancelled" }] }];
  for (const answer of answers) {
    const evidence = await resumed(answer, ...say("As you wish."));
    expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "As you wish.", toolCalls: [{ toolName: "wire", approval: "denied", completed: false }] });
    expect(evidence.toolCalls[0]?.failure).toBeUndefined();
  }
  seen("approval_refused", "the call in the run that goes on, denied and not executed; not a failure");
});

test("an approval left pending", async () => {
  script(approval);
  const stream = of().send("Go.", { signal: signal(), threadId: "t" }) as AgUiEvents;
  const evidence = await collect(stream);
  expect(evidence).toMatchObject({ terminalPhase: "suspended", toolCalls: [], confirmation: { state: "pending" } });
  expect(stream.interrupts).toMatchObject([{ id: "i1", toolCallId: "c1" }]);
  expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "wire" }), forbidTools: ["wire"] }).checks(evidence))).toBe(true);
  seen("approval_pending", "a suspended run with the confirmation and without the call");
});

test("a turn whose approvals are decided goes on, with one call and no more", async () => {
  const wired = (id: string): AGUIEvent[] => calls(id, "wire", `{"to":"${id}"}`);
  const ask = (id: string): { id: string; reason: string; toolCallId: string } => ({ id: `i-${id}`, reason: "tool_call", toolCallId: id });
  // Two calls wait at once beside one that has begun, and what they give leads to a third.
  const spoken = async (approvals: "approve" | "reject"): Promise<Evidence> => {
    const after = (...ids: readonly string[]): AGUIEvent[] => (approvals === "approve" ? ids.map((id) => result(id, `sent ${id}`)) : []);
    script([START, ...calls("c0", "list", "{}"), ...wired("c1"), ...wired("c2"), interrupted(ask("c1"), ask("c2"))], [START, result("c0", "none"), ...after("c1", "c2"), ...wired("c3"), interrupted(ask("c3"))], run(...after("c3"), ...say("As you wish.")), run(...say("Bye.")));
    const { evidence, turns } = await converse(of(), [{ input: "Go.", approvals }, { input: "Thanks." }]);
    expect(turns.map(({ output }) => output)).toEqual(["As you wish.", "Bye."]);
    const approved = approvals === "approve";
    expect(asked.map(({ resume }) => resume)).toEqual([undefined, ["c1", "c2"].map((id) => ({ interruptId: `i-${id}`, status: "resolved", payload: { approved } })), [{ interruptId: "i-c3", status: "resolved", payload: { approved } }], undefined]);
    // The agent is sent each call once.
    expect(asked[3]?.messages?.flatMap((message) => ("toolCalls" in message ? (message.toolCalls ?? []).map(({ id }) => id) : []))).toEqual(["c0", "c1", "c2", "c3"]);
    return evidence;
  };
  expect(look(await spoken("approve"))).toEqual([["list", {}, "none", undefined, true], ...["c1", "c2", "c3"].map((to) => ["wire", { to }, `sent ${to}`, "approved", true])]);
  expect(look(await spoken("reject"))).toEqual([["list", {}, "none", undefined, true], ...["c1", "c2", "c3"].map((to) => ["wire", { to }, undefined, "denied", false])]);
  script(approval);
  expect(await runEvals({ target: of(), data: [{ turns: [{ input: "Go.", approvals: "expect" }] }] })).toMatchObject({ verdict: "passed" });
  expect(asked).toHaveLength(1);
});

test("an agent is answered in its own form, and nobody guesses one", async () => {
  const old: AGUIEvent[] = [START, ...wire, { type: "CUSTOM", name: "on_interrupt", value: "Wire 900?" }, finish()];
  script(old, run(result("c1", "sent")), old);
  const answering = of({ answer: ({ message }, approved) => `${message ?? ""} ${approved ? "yes" : "no"}` });
  expect(look((await converse(answering, [{ input: "Go.", approvals: "approve" }])).evidence)).toEqual([["wire", { amount: 900 }, "sent", "approved", true]]);
  expect(asked[1]).toMatchObject({ forwardedProps: { command: { resume: "Wire 900? yes" } } });
  await expect(converse(of(), [{ input: "Go.", approvals: "approve" }])).rejects.toMatchObject({ code: "option_invalid", message: expect.stringContaining("target({ url, answer:") as string });
  // Whoever answered in words has gone on already.
  script(approval, run(...say("No.")));
  const agent = of();
  const first = await collect(agent.send("Go.", { signal: signal(), threadId: "t" }));
  await collect(agent.send("no", { signal: signal(), threadId: "t" }));
  expect(() => agent.resume?.({ confirmation: first.confirmation as Confirmation, approved: true, evidence: first }, { signal: signal(), threadId: "t" })).toThrow("has gone on since");
});

test("a nested agent", async () => {
  const inner = { subagentRunId: "s1" };
  script(run(
    ...calls("c1", "research", "{}"), { type: "SUBAGENT_STARTED", subagentRunId: "s1", name: "researcher", parentToolCallId: "c1" },
    { type: "TOOL_CALL_START", toolCallId: "c2", toolCallName: "list", ...inner }, { type: "TOOL_CALL_ARGS", toolCallId: "c2", delta: '{"window":"24h"}', ...inner }, { type: "TOOL_CALL_END", toolCallId: "c2", ...inner }, { ...result("c2", "none"), ...inner },
    { type: "TEXT_MESSAGE_START", messageId: "i", role: "assistant", ...inner }, { type: "TEXT_MESSAGE_CONTENT", messageId: "i", delta: "inner words", ...inner }, { type: "TEXT_MESSAGE_END", messageId: "i", ...inner }, { type: "SUBAGENT_FINISHED", subagentRunId: "s1" },
    result("c1", "one"), ...say("One."),
  ));
  const evidence = await send();
  expect(evidence.toolCalls.map(({ toolName, parentToolCallId, runId }) => [toolName, parentToolCallId, runId])).toEqual([["research", undefined, evidence.runId], ["list", "c1", `${evidence.runId}/s1`]]);
  expect(evidence).toMatchObject({ answer: "One.", observes: { parents: false } });
  seen("nested_agent", "where the agent tells of its subagents, their calls below the call that ran them; `parents` is declared unseen, since no agent has to");
});

test("a provider's own tool whose result comes in a later step", async () => {
  script(run({ type: "STEP_STARTED", stepName: "one" }, ...calls("s1", "web_search", '{"query":"x"}'), { type: "STEP_FINISHED", stepName: "one" }, { type: "STEP_STARTED", stepName: "two" }, result("s1", '[{"url":"https://weather.example"}]'), ...say("Sunny."), { type: "STEP_FINISHED", stepName: "two" }));
  expect(look(await send())).toEqual([["web_search", { query: "x" }, [{ url: "https://weather.example" }], undefined, true]]);
  seen("provider_executed", "one call with the result that the later step brought; who ran it the protocol does not say");
});

test("a stream that is cut off", async () => {
  const begun = [START, ...calls("c1", "list", "{}"), { type: "TOOL_CALL_START", toolCallId: "c2", toolCallName: "pay" }, { type: "TOOL_CALL_ARGS", toolCallId: "c2", delta: '{"amo' }, ...say("Your order").slice(0, 2)];
  for (const cut of [true, false]) {
    await using server = await loopback(() => ({ sse: begun.map((event) => JSON.stringify(event)), cut }));
    const error: unknown = await collect(target({ url: server.url }).send("Go.", { signal: signal() })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order", ended: false, toolCalls: [{ toolCallId: "c1", completed: false }] } });
    expect((error as { evidence: Evidence }).evidence.toolCalls).toHaveLength(1);
  }
  seen("cut_off", "`collect` rejects with `stream_incomplete`; what was seen is kept, without a call that was cut in its arguments, and no end is made up");
});

test("an abort", async () => {
  await using server = await loopback(() => ({ sse: [START, ...say("I wait."), ...calls("c1", "slow", "{}")].map((event) => JSON.stringify(event)), hang: true }));
  const controller = new AbortController();
  const stream = target({ url: server.url }).send("Go.", { signal: controller.signal }) as AgUiEvents;
  const stopping = { observes: stream.observes, async *[Symbol.asyncIterator]() { for await (const event of stream) { if (event.type === "tool_call_args_delta") controller.abort(new Error("enough")); yield event; } } };
  expect(await collect(stopping)).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "I wait.", toolCalls: [{ toolName: "slow", completed: false }] });
  seen("abort", "a cancelled run with what it had begun");
});

describe("tools that the application runs itself", () => {
  const paid: unknown[] = [];
  const pay = { name: "pay", description: "Pays.", parameters: { type: "object", properties: { amount: { type: "number" } } }, execute: ({ amount }: { amount: number }) => { paid.push(amount); return { paid: amount }; } };
  const pending = (id: string, ...inner: readonly AGUIEvent[]): AGUIEvent[] => [START, ...inner, finish({ outcome: { type: "success", pendingToolCallIds: [id] } })];

  test("are told to the agent and run, and the run goes on with their results", async () => {
    paid.length = 0;
    script(pending("c1", ...say("I pay.", "m1"), ...calls("c1", "pay", '{"amount":5}')), run(...say("Paid.", "m2")));
    const evidence = await send("Go.", { tools: [pay], newRunId: () => "r" });
    expect(look(evidence)).toEqual([["pay", { amount: 5 }, { paid: 5 }, undefined, true]]);
    expect(evidence).toMatchObject({ answer: "I pay.Paid.", terminalPhase: "completed", runId: "r" });
    expect(paid).toEqual([5]);
    expect(asked[0]?.tools).toEqual([{ name: "pay", description: "Pays.", parameters: pay.parameters }]);
    expect(asked.map(({ runId }) => runId)).toEqual(["r", "r/2"]);
    expect(asked[1]?.messages?.slice(1)).toMatchObject([{ id: "m1", role: "assistant", content: "I pay." }, { role: "assistant", toolCalls: [{ id: "c1", function: { name: "pay", arguments: '{"amount":5}' } }] }, { role: "tool", toolCallId: "c1", content: '{"paid":5}' }]);
  });

  test("may fail, and the agent is told", async () => {
    const busy = { ...pay, execute: () => { throw Object.assign(new Error("slow down"), { status: 429 }); } };
    script(pending("c1", ...calls("c1", "pay", '{"amount":5}')), run(...calls("c2", "pay", "{oops")), run(...say("No.")));
    const evidence = await send("Go.", { tools: [busy] });
    expect(look(evidence)).toEqual([["pay", { amount: 5 }, "rate_limited", undefined, true], ["pay", "{oops", "invalid_call", undefined, true]]);
    expect(asked[1]?.messages?.at(-1)).toMatchObject({ role: "tool", content: "slow down", error: "slow down" });
  });

  test("suspend the run where nobody runs them, and end it in failure where the agent never has enough", async () => {
    script(pending("c1", ...calls("c1", "pay", '{"amount":5}')));
    expect(await send("Go.", { tools: [{ name: "pay" }] })).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ toolName: "pay", completed: false }] });
    const again = (id: string): AGUIEvent[] => pending(id, ...calls(id, "pay", '{"amount":1}'));
    script(again("c1"), again("c2"));
    expect(await send("Go.", { tools: [pay], maxSteps: 2 })).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "max_steps" }, toolCalls: [{ completed: true }, { completed: false }] });
  });

  test("are not those of the agent: a call of its own that has no result is unfinished, and waits for nobody", async () => {
    script(run(...calls("c1", "list", "{}"), ...say("Done.")));
    expect(await send("Go.", { tools: [pay] })).toMatchObject({ terminalPhase: "completed", toolCalls: [{ toolName: "list", completed: false }] });
  });
});

describe("a thread", () => {
  test("is kept by the target, with its calls and results, and each thread apart", async () => {
    script(run(...calls("c1", "list", "{}"), result("c1", "none"), ...say("None.", "m1")), run(...say("Still none.", "m2")), run(...say("Hello.", "m3")));
    const agent = of();
    expect(agent.memory).toBe(true);
    await collect(agent.send("How many?", { signal: signal(), threadId: "a", history: [] }));
    const second = await collect(agent.send("And now?", { signal: signal(), threadId: "a", history: [{ role: "user", content: "How many?" }, { role: "assistant", content: "None." }] }));
    expect(second).toMatchObject({ answer: "Still none.", toolCalls: [] });
    await collect(agent.send("Hi.", { signal: signal(), threadId: "b", history: [{ role: "user", content: "Before." }, { role: "assistant", content: "Yes." }] }));
    expect(asked.map(({ messages }) => messages?.map(({ role }) => role).join())).toEqual(["user", "user,assistant,tool,assistant,user", "user,assistant,user"]);
  });

  test("a snapshot is the thread from then on, and what it holds of turns before is not told again", async () => {
    const snapshot = (...messages: readonly { id: string; role: "user" | "assistant"; content: string }[]): AGUIEvent => ({ type: "MESSAGES_SNAPSHOT", messages: [...messages] });
    const first = [{ id: "x1", role: "user", content: "Hi." }, { id: "x2", role: "assistant", content: "Hello." }] as const;
    const second = [{ id: "y1", role: "user", content: "Hi." }, { id: "y2", role: "assistant", content: "Hello." }, { id: "y3", role: "user", content: "Bye." }, { id: "y4", role: "assistant", content: "Bye." }] as const;
    script(run(...say("Hello."), snapshot(...first)), run(...say("Bye."), snapshot(...second)));
    const agent = of();
    expect((await collect(agent.send("Hi.", { signal: signal(), threadId: "a" }))).answer).toBe("Hello.");
    expect((await collect(agent.send("Bye.", { signal: signal(), threadId: "a" }))).answer).toBe("Bye.");
    expect(asked[1]?.messages?.map(({ content }) => content)).toEqual(["Hi.", "Hello.", "Bye."]);
  });

  test("an agent whose interrupts have no ids is answered as it expects", async () => {
    script(run(...wire, { type: "CUSTOM", name: "on_interrupt", value: "Wire it?" }), run(result("c1", "sent"), ...say("Sent.")));
    const agent = of();
    expect(await collect(agent.send("Go.", { signal: signal(), threadId: "t" }))).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "c1", prompt: "Wire it?" }, toolCalls: [] });
    expect(look(await collect(agent.send("yes", { signal: signal(), threadId: "t" })))).toEqual([["wire", { amount: 900 }, "sent", "approved", true]]);
    expect(asked[1]).toMatchObject({ forwardedProps: { command: { resume: "yes" } } });
    expect(asked[1]).not.toHaveProperty("resume");
  });
});

describe("an endpoint", () => {
  test("is sent further members and headers, and is told apart from what answers otherwise", async () => {
    await using server = await loopback(({ path }) => (path === "/busy" ? { status: 429, json: { error: { message: "slow down" } } } : path === "/json" ? { json: { ok: true } } : { sse: run(...say("Hi.")).map((event) => JSON.stringify(event)) }));
    const to = (path: string, options: Partial<AgUiTargetOptions> = {}): Promise<Evidence> => collect(target({ url: `${server.url}${path}`, ...options }).send("Go.", { signal: signal() }));
    const headers: Record<string, string>[] = [];
    const listening: AgUiTargetOptions["fetch"] = (address, init) => { headers.push(init.headers); return fetch(address, init); };
    expect(await to("/", { input: { state: { city: "Brooklyn" } }, headers: { Authorization: "Bearer x" }, fetch: listening })).toMatchObject({ answer: "Hi.", terminalPhase: "completed" });
    expect(headers).toMatchObject([{ authorization: "Bearer x", accept: "text/event-stream" }]);
    expect(server.received[0]?.body).toMatchObject({ state: { city: "Brooklyn" }, context: [], tools: [] });
    await using open = await loopback(() => ({ sse: run(...say("Hi.")).map((event) => JSON.stringify(event)), hang: true }));
    expect(await collect(target({ url: open.url }).send("Go.", { signal: signal() }))).toMatchObject({ answer: "Hi.", terminalPhase: "completed" });
    expect(await to("/busy")).toMatchObject({ terminalPhase: "failed", terminalFailure: { httpStatus: 429, message: expect.stringMatching(/status 429: slow down$/) } });
    expect(await to("/json")).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: expect.stringMatching(/did not answer with a stream of AG-UI events/) } });
    expect(await collect(target({ url: "http://127.0.0.1:1/" }).send("Go.", { signal: signal() }))).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: expect.stringMatching(/cannot be reached/) } });
    expect(await collect(events(fetch(server.url, { method: "POST", body: "{}" })))).toMatchObject({ answer: "Hi.", runId: "server-run", sessionId: "server-thread" });
  });

  test.each([
    ["no address", { url: "nowhere" }, /address of an AG-UI endpoint/], ["an address with a password", { url: "http://a:b@localhost" }, /must not hold a user or a password/], ["another protocol", { url: "ftp://localhost" }, /begin with https: or http:/],
    ["a header that is no text", { url: "http://localhost", headers: { a: 1 } }, /header "a"/], ["two tools of one name", { url: "http://localhost", tools: [{ name: "a" }, { name: "a" }] }, /two tools/], ["no steps", { url: "http://localhost", maxSteps: 0 }, /maxSteps/], ["nothing", undefined, /target\(\{ url \}\)/],
  ])("%s is refused", (_what, options, words) => {
    expect(() => target(options as never)).toThrow(words);
  });

  test("nothing can be resumed where nothing waits", () => {
    expect(() => of().send({ resume: true }, { signal: signal(), threadId: "new" })).toThrow(/nothing waits/);
  });
});

test("the canonical scenario gives the canonical evidence", async () => {
  script(run(...calls("call_1", WEATHER_TOOL.name, JSON.stringify(ARGS)), result("call_1", JSON.stringify(RESULT)), ...say(ANSWER)));
  const evidence = await send(QUESTION);
  expect(comparable(evidence)).toEqual(canonicalFor(evidence.observes));
  expect(allPassed([...expectation({ tools: [expectCall({ name: "get_weather" }, { result: RESULT })], exact: true }).checks(evidence), check("answer", evidence.answer.includes("sunny"), evidence.answer)])).toBe(true);
});

test("a result has no sign of failure, so a success is only shown to whoever looks into it", async () => {
  script(run(...calls("call_1", WEATHER_TOOL.name, JSON.stringify(ARGS)), result("call_1", "Error: the weather service is down"), ...say("I do not know.")));
  const evidence = await send(QUESTION);
  expect(() => expectation({ tools: [expectCall({ name: "get_weather" })] }).checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }));
  const [trajectory] = expectation({ tools: [expectCall({ name: "get_weather" }, { result: RESULT })] }).checks(evidence);
  expect(trajectory).toMatchObject({ name: "trajectory", passed: false });
});

describe("the contract of a target", () => {
  const bound = { returned: 1, truncated: true } as const;
  const over = async <More extends object>(answer: (request: Received) => readonly AGUIEvent[], more: More, options: Partial<AgUiTargetOptions> = {}, rest: Partial<Answer> = {}): Promise<{ target: ReturnType<typeof target>; input: string; close: () => PromiseLike<void> } & More> => {
    const server = await loopback((request) => ({ sse: answer(request).map((event) => JSON.stringify(event)), ...rest }));
    return { target: target({ url: server.url, ...options }), input: "Go.", ...more, close: () => server[Symbol.asyncDispose]() };
  };
  const listed = run(...calls("c1", "list", '{"window":"24h"}'), result("c1", '{"ids":["a1"]}'), ...say("Done."));
  const harness: TargetHarness<TurnInput> = {
    answers: () => over(() => run(...say("Hello.")), { answer: "Hello." }),
    waits: () => over(() => [START], {}, {}, { hang: true }),
    breaksOff: () => over(() => [START, ...say("Your order").slice(0, 2)], { said: "Your order" }, {}, { cut: true }),
    calls: () => over(() => listed, { toolName: "list", args: { window: "24h" }, result: { ids: ["a1"] } }),
    fails: () => over(() => run(...calls("c1", "pay", "{}"), result("c1", "declined"), ...say("No.")), { toolName: "pay", kind: "domain_rejection" as const }, { failureKind: () => "domain_rejection" }),
    asks: () => over(() => approval, { toolName: "wire" }),
    decides: () => {
      let made = 0;
      return over(({ body }) => {
        const [entry] = (body.resume ?? []) as { payload: { approved: boolean } }[];
        if (entry?.payload.approved === true) made++;
        return entry === undefined ? approval : run(...(entry.payload.approved ? [result("c1", "sent")] : []), ...say("Done."));
      }, { toolName: "wire", made: () => made });
    },
    nests: () => over(() => run(...calls("c1", "research", "{}"), { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "x", parentToolCallId: "c1" }, { type: "TOOL_CALL_START", toolCallId: "c2", toolCallName: "list", subagentRunId: "s" }, result("c1", "one"), ...say("One.")), { parent: "research", child: "list" }),
    bounded: () => over(() => listed, { toolName: "list", bounds: bound }, { bounds: () => bound }),
    remembers: () => over(({ body }) => run(...say(`You said: ${(body.messages as { role: string; content: string }[]).filter(({ role }) => role === "user").map(({ content }) => content).join(" ")}`)), { input: "Brooklyn.", next: "What did I say?", shows: (text: string) => text.includes("Brooklyn") }),
  };
  test.each(targetContract(harness))("$name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });
});

test("what AG-UI cannot show decides nothing: the scenario is errored", async () => {
  const weather = run(...calls("call_1", "get_weather", "{}"), result("call_1", "Error: timeout"), ...say("Sorry."));
  const hooks = {
    kinds: async () => ({ checks: expectation({ tools: [expectCall({ name: "get_weather" }, { forbidFailureKinds: ["timeout"] })] }).checks(await send()) }),
    unnamed: async () => ({ checks: expectation({ forbidTools: ["pay"] }).checks(await send()) }),
  };
  script(weather, run({ type: "TOOL_CALL_ARGS", toolCallId: "x", delta: "{}" }, { type: "TOOL_CALL_END", toolCallId: "x" }, ...say("Done.")));
  const scenarios = Object.entries(hooks).map(([id, hook]) => ({ id, description: "Looks.", tags: [], timeoutMs: 10_000, run: hook }));
  const report = await createRunner({ maxConcurrency: 1 }).run({ id: "blind", description: "Cannot see.", scenarios });
  expect(report.scenarios.map(({ outcome, error }) => [outcome, error?.code])).toEqual([["errored", "not_observable"], ["errored", "evidence_incomplete"]]);
});
