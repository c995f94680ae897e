// Runs streams of Goa-AI, as its runtime writes them, over HTTP through the twelve situations, and through the canonical scenario.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { check, createRunner, type Suite } from "entail";
import { target } from "entail/adapter/goa-ai";
import { collect, expectation, expectCall, expectConfirmation, type CollectorOptions, type Evidence } from "entail/evidence";
import { targetContract, type TargetHarness } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allPassed } from "../ai-sdk/parts.ts";
import { asks, decides, ends, fails, over, phase, RUN, says, serverSent, SESSION, starts, wire, type Wire } from "../goa-ai/wire.ts";
import { ANSWER, ARGS, CANONICAL, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";

afterAll(() => writeCells("goa-ai"));
const seen = (situation: Situation, how: Cell["how"]): void => recordCell("goa-ai", situation, { outcome: "seen", how });

/** What the endpoint answers next, and how many bytes it writes at a time; it breaks the connection after `cutAfter` of them. */
interface Answer {
  readonly events: readonly Wire[];
  readonly piece?: number;
  readonly cutAfter?: number;
  readonly hang?: boolean;
}
let next: Answer = { events: [] };
/** What it answers to certain inputs, in runs and sessions of their own. */
const answers = new Map<string, (session: string) => Answer>();
let runs = 0;
function answerTo({ input, session_id: session = `session-${++runs}` }: { readonly input: string; readonly session_id?: string }): Answer {
  const answer = answers.get(input)?.(session);
  if (answer === undefined) return next;
  const own = `run-of-${input}-${++runs}`;
  return JSON.parse(JSON.stringify(answer).replaceAll(`"${RUN}"`, `"${own}"`).replaceAll(`"${SESSION}"`, JSON.stringify(session))) as Answer;
}
const left: Promise<void>[] = [];
const server = createServer((request, response) => {
  left.push(new Promise((resolve) => response.on("close", resolve)));
  let body = "";
  request.on("data", (data) => void (body += String(data)));
  request.on("end", () => {
    const { events, piece = 4096, cutAfter = Infinity, hang = false } = answerTo(JSON.parse(body) as { input: string; session_id?: string });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const bytes = Buffer.from(serverSent(events));
    for (let at = 0; at < Math.min(bytes.length, cutAfter); at += piece) response.write(bytes.subarray(at, Math.min(at + piece, cutAfter)));
    // Late enough for what was written to arrive.
    if (cutAfter < Infinity) setTimeout(() => response.destroy(), 20);
    else if (!hang) response.end();
  });
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/run`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const { signal } = new AbortController();
async function run(told: readonly (Wire | readonly Wire[])[], options: CollectorOptions = {}, how: Omit<Answer, "events"> = {}): Promise<Evidence> {
  next = { events: told.flat(), ...how };
  return collect(target({ url }).send("Go.", { signal }), {}, options);
}
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolName, args, result, failure, approval, completed }) => [toolName, args, failure?.kind ?? result, approval, completed]);

test("two parallel calls", async () => {
  const evidence = await run([starts("c1", "alarms.list", { window: "24h" }), starts("c2", "alarms.list", { window: "7d" }), ends("c2", "alarms.list", { ids: ["b"] }), ends("c1", "alarms.list", { ids: ["a"] }), says("Done."), over()]);
  expect(look(evidence)).toEqual([["alarms.list", { window: "24h" }, { ids: ["a"] }, undefined, true], ["alarms.list", { window: "7d" }, { ids: ["b"] }, undefined, true]]);
  seen("parallel_calls", "both calls in the order of their starts, each with its own result");
});

test("arguments whose bytes are split inside an escape and a surrogate pair", async () => {
  const args = { window: 'caf\u00e9 \ud83d\ude00 "x" \\', n: 1 };
  for (const piece of [1, 3]) {
    const evidence = await run([wire("tool_call_args_delta", { tool_call_id: "c1", tool_name: "alarms.list", delta: '{"win' }), starts("c1", "alarms.list", args), ends("c1", "alarms.list", {}), over()], {}, { piece });
    expect(evidence.toolCalls).toMatchObject([{ args, argsJson: '{"n":1,"window":"caf\u00e9 \ud83d\ude00 \\"x\\" \\\\"}' }]);
  }
  seen("split_arguments", "the arguments whole, as the call's start has them; pieces of them are progress, and bytes may be split anywhere");
});

test("a tool that throws", async () => {
  const evidence = await run([starts("c1", "payments.pay", { amount: 5 }), fails("c1", "payments.pay", "internal", "card declined"), says("It failed."), over()]);
  expect(look(evidence)).toEqual([["payments.pay", { amount: 5 }, "internal", undefined, true]]);
  expect(evidence).toMatchObject({ terminalPhase: "completed", toolCalls: [{ failure: { error: { message: "card declined", cause: { message: "deeper" } }, recovery: { action: "replan" } } }] });
  seen("tool_throws", "a failed call with Goa-AI's own kind, the chain of causes and the way out");
});

test("a call of an unknown tool", async () => {
  const evidence = await run([starts("c1", "runtime.tool_unavailable", { requested_tool: "no_such_tool" }), fails("c1", "runtime.tool_unavailable", "unavailable"), over()]);
  expect(look(evidence)).toEqual([["runtime.tool_unavailable", { requested_tool: "no_such_tool" }, "unavailable", undefined, true]]);
  seen("unknown_tool", "a failed call of `runtime.tool_unavailable`, the name that the runtime gives to every tool that is none");
});

test("arguments that break the tool's schema", async () => {
  const evidence = await run([starts("c1", "payments.pay", { amount: "five" }), fails("c1", "payments.pay", "invalid_call"), over()]);
  expect(look(evidence)).toEqual([["payments.pay", { amount: "five" }, "invalid_call", undefined, true]]);
  seen("invalid_arguments", "a failed call of kind `invalid_call` with the arguments as they came");
});

const second = { run_id: "run-2" };
const stopped = (): Promise<Evidence> => run([asks("c1", "alarms.remove", { id: "a1" }), over("suspended")]);

test("an approval granted", async () => {
  const first = await stopped();
  const evidence = await run([decides("c1", "alarms.remove", true, second), starts("c1", "alarms.remove", { id: "a1" }, {}, second), ends("c1", "alarms.remove", { removed: "a1" }, {}, second), over("completed", {}, second)], { rootRunId: "run-2", continues: first });
  expect(look(evidence)).toEqual([["alarms.remove", { id: "a1" }, { removed: "a1" }, "approved", true]]);
  seen("approval_granted", "the confirmation in the first run; in the run that goes on, the approved call with its result");
});

test("an approval refused", async () => {
  const first = await stopped();
  const evidence = await run([decides("c1", "alarms.remove", false, second), starts("c1", "alarms.remove", { id: "a1" }, {}, second), ends("c1", "alarms.remove", { status: "denied" }, {}, second), over("completed", {}, second)], { rootRunId: "run-2", continues: first });
  expect(look(evidence)).toEqual([["alarms.remove", { id: "a1" }, { status: "denied" }, "denied", true]]);
  expect(expectation({ tools: [expectCall({ name: "alarms.remove" })] }).checks(evidence)[0]).toMatchObject({ passed: false });
  seen("approval_refused", "the call in the run that goes on, denied, with the payload that told the model so; not a success");
});

test("an approval left pending", async () => {
  const evidence = await stopped();
  expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "alarms.remove", args: { id: "a1" }, state: "pending" }, toolCalls: [] });
  expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "alarms.remove" }), forbidTools: ["alarms.remove"] }).checks(evidence))).toBe(true);
  seen("approval_pending", "a suspended run with the confirmation and without the call");
});

test("a nested agent", async () => {
  const child = { run_id: "child-1" };
  const evidence = await run([
    phase("planning"), starts("c1", "agents.research", {}),
    wire("child_run_linked", { tool_name: "agents.research", tool_call_id: "c1", child_run_id: "child-1", child_agent_id: "research" }),
    starts("d1", "alarms.list", {}, { parent_tool_call_id: "c1" }, child), ends("d1", "alarms.list", { ids: [] }, { parent_tool_call_id: "c1" }, child), says("inner words", child), over("completed", {}, child),
    ends("c1", "agents.research", { count: 1 }), says("One."), over(),
  ]);
  expect(evidence.toolCalls.map(({ toolName, parentToolCallId, runId }) => [toolName, parentToolCallId, runId])).toEqual([["agents.research", undefined, RUN], ["alarms.list", "c1", "child-1"]]);
  expect(evidence.answer).toBe("One.");
  seen("nested_agent", "the child's calls below the call that started it, in a run of their own; its words are no part of the answer");
});

test("a call whose result somebody else brings in a later step, or in a later run", async () => {
  const steps = await run([starts("c1", "external.search", { query: "x" }), starts("c2", "alarms.list"), ends("c2", "alarms.list", {}), says("Sunny."), ends("c1", "external.search", { hits: 1 }), over()]);
  expect(look(steps)).toEqual([["external.search", { query: "x" }, { hits: 1 }, undefined, true], ["alarms.list", {}, {}, undefined, true]]);
  const first = await run([starts("c1", "external.search", { query: "x" }), wire("await_external_tools", { id: "w1", items: [{ tool_name: "external.search", tool_call_id: "c1" }] }), over("suspended")]);
  expect(first).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ completed: false }] });
  const later = await run([ends("c1", "external.search", { hits: 1 }, { call_run_id: RUN }, second), over("completed", {}, second)], { rootRunId: "run-2", continues: first });
  expect(later.completions).toMatchObject([{ startedInRunId: RUN, call: { result: { hits: 1 }, completed: true } }]);
  seen("provider_executed", "one call with the result that the later step brought; from a later run it is among the `completions`; who executed it is not said");
});

test("a stream that is cut off", async () => {
  const events = [says("Your order"), starts("c1", "alarms.list"), ...over()];
  const cutAfter = Buffer.from(serverSent([events[0] as Wire])).length + 40;
  const error: unknown = await run([events], {}, { cutAfter }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order", toolCalls: [], ended: false } });
  seen("cut_off", "`collect` rejects with `stream_incomplete`; what was seen is kept, and no end is made up");
});

test("a run that is aborted, by Goa-AI and by us", async () => {
  const evidence = await run([says("I wait."), starts("c1", "slow"), over("canceled", { cancellation: { reason: "user_requested" } })]);
  expect(evidence).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "I wait.", toolCalls: [{ toolName: "slow", completed: false }] });
  next = { events: [says("I wait."), starts("c1", "slow")], hang: true };
  const controller = new AbortController();
  const reading = collect(target({ url }).send("Go.", { signal: controller.signal }), { signal: controller.signal, attach: ({ evidence: known }) => { if (known?.toolCalls.length === 1) controller.abort(); } });
  expect(await reading.catch((thrown: unknown) => thrown)).toMatchObject({ code: "cancelled", evidence: { answer: "I wait.", ended: false } });
  await left.at(-1);
  seen("abort", "a cancelled run with what it had begun; where we abort it, the request is closed and what was seen is kept");
});

test("the canonical scenario gives the canonical evidence", async () => {
  next = { events: [phase("planning"), starts("call_1", WEATHER_TOOL.name, ARGS), ends("call_1", WEATHER_TOOL.name, RESULT), phase("synthesizing"), says("It is sunny in Brooklyn, "), says("21 degrees."), ...over()], piece: 11 };
  const evidence = await collect(target({ url }).send(QUESTION, { signal }));
  expect(evidence.answer).toBe(ANSWER);
  expect(comparable(evidence)).toEqual(CANONICAL);
  expect(allPassed([...expectation({ tools: [expectCall({ name: "get_weather" })] }).checks(evidence), check("answer", evidence.answer.includes("sunny"), evidence.answer)])).toBe(true);
});

test("an absence cannot be shown through a profile that sends no calls: the scenario is errored", async () => {
  next = { events: [wire("usage", { InputTokens: 3, OutputTokens: 2 }), ...over()] };
  const scenario = (id: string, without: Parameters<typeof target>[0]["without"]): Suite["scenarios"][number] => ({
    id, description: "Deletes nothing.", tags: [], timeoutMs: 5_000,
    run: async (ctx) => ({ checks: expectation({ forbidTools: ["alarms.remove"] }).checks(await collect(target({ url, without }).send("Go.", ctx), ctx)) }),
  });
  const report = await createRunner({ maxConcurrency: 1 }).run({ id: "chat", description: "Chats.", scenarios: [scenario("blind", ["tool_start", "tool_end"]), scenario("seeing", [])] });
  expect(report.scenarios.map(({ id, outcome, error }) => [id, outcome, error?.code])).toEqual([["blind", "errored", "not_observable"], ["seeing", "passed", undefined]]);
});

describe("the target keeps the contract of the port", () => {
  const child = { run_id: "child-1" };
  const turns = new Map<string, number>();
  const told: Readonly<Record<string, Answer>> = {
    answers: { events: [says("Two alarms."), ...over()] },
    waits: { events: [phase("planning"), says("One moment. ")], hang: true },
    breaksOff: { events: [says("Your order"), ...over()], cutAfter: Buffer.from(serverSent([says("Your order")])).length + 100 },
    calls: { events: [starts("c1", "alarms.list", { window: "24h" }), ends("c1", "alarms.list", { ids: ["a1"] }), ...over()] },
    fails: { events: [starts("c1", "alarms.list", {}), fails("c1", "alarms.list", "rate_limited"), ...over()] },
    asks: { events: [asks("c1", "alarms.remove", { id: "a1" }), ...over("suspended")] },
    nests: { events: [starts("c1", "agents.research"), starts("d1", "alarms.list", {}, { parent_tool_call_id: "c1" }, child), ends("d1", "alarms.list", {}, {}, child), ends("c1", "agents.research", {}), ...over()] },
    bounded: { events: [starts("c1", "alarms.list"), ends("c1", "alarms.list", {}, { bounds: { Returned: 2, Total: 5, Truncated: true, NextCursor: "p2", RefinementHint: "" } }), ...over()] },
  };
  for (const [input, answer] of Object.entries(told)) answers.set(input, () => answer);
  answers.set("remembers", (session) => {
    turns.set(session, (turns.get(session) ?? 0) + 1);
    return { events: [says(`turn ${turns.get(session) ?? 0}`), ...over()] };
  });
  const asked = (input: string): { readonly target: ReturnType<typeof target>; readonly input: string } => ({ target: target({ url }), input });
  const harness: TargetHarness<unknown> = {
    answers: () => ({ ...asked("answers"), answer: "Two alarms." }),
    waits: () => asked("waits"),
    breaksOff: () => ({ ...asked("breaksOff"), said: "Your order" }),
    calls: () => ({ ...asked("calls"), toolName: "alarms.list", args: { window: "24h" }, result: { ids: ["a1"] } }),
    fails: () => ({ ...asked("fails"), toolName: "alarms.list", kind: "rate_limited" }),
    asks: () => ({ ...asked("asks"), toolName: "alarms.remove" }),
    nests: () => ({ ...asked("nests"), parent: "agents.research", child: "alarms.list" }),
    bounded: () => ({ ...asked("bounded"), toolName: "alarms.list", bounds: { returned: 2, total: 5, truncated: true, nextCursor: "p2" } }),
    remembers: () => ({ ...asked("remembers"), next: "remembers", shows: (answer) => answer === "turn 2" }),
  };
  test.each(targetContract(harness))("$name", async ({ run: prove }) => {
    await expect(prove()).resolves.toBeUndefined();
  });
});
