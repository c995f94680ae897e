import * as fc from "fast-check";
import { events, type EventsOptions, type StreamWarning } from "entail/adapter/ag-ui";
import { collect, expectation, expectConfirmation, type Evidence, type StreamEvent } from "entail/evidence";
import { describe, expect, test } from "vitest";

type Given = Readonly<Record<string, unknown>> | null | string | number;
async function* stream(list: readonly unknown[]): AsyncGenerator {
  yield* list;
}
async function evidenceOf(list: readonly unknown[], options: EventsOptions = {}): Promise<{ evidence: Evidence; warnings: readonly StreamWarning[]; told: readonly StreamEvent[] }> {
  const source = events(stream(list), { frontendTools: [], ...options });
  const told: StreamEvent[] = [];
  const evidence = await collect({ observes: source.observes, async *[Symbol.asyncIterator]() { for await (const event of source) { told.push(event); yield event; } } });
  return { evidence, warnings: source.warnings, told };
}
async function cutOf(list: readonly unknown[]): Promise<{ code: string; evidence: Evidence }> {
  return collect(events(stream(list))).then(() => { throw new Error("the stream was complete"); }, (thrown: { code: string; evidence: Evidence }) => thrown);
}
const BEGIN = { type: "RUN_STARTED", threadId: "t", runId: "r" };
const END = { type: "RUN_FINISHED", threadId: "t", runId: "r" };
const start = (toolCallId: string, toolCallName: string, rest: object = {}): Given => ({ type: "TOOL_CALL_START", toolCallId, toolCallName, ...rest });
const args = (toolCallId: string, delta: string): Given => ({ type: "TOOL_CALL_ARGS", toolCallId, delta });
const end = (toolCallId: string): Given => ({ type: "TOOL_CALL_END", toolCallId });
const result = (toolCallId: string, content: unknown): Given => ({ type: "TOOL_CALL_RESULT", toolCallId, messageId: `m-${toolCallId}`, content });
const text = (messageId: string, delta: string, role = "assistant"): Given[] => [{ type: "TEXT_MESSAGE_START", messageId, role }, { type: "TEXT_MESSAGE_CONTENT", messageId, delta }, { type: "TEXT_MESSAGE_END", messageId }];
const snapshot = (...messages: readonly object[]): Given => ({ type: "MESSAGES_SNAPSHOT", messages });
const user = (id: string, content: string): object => ({ id, role: "user", content });
const assistant = (id: string, content: string, ...toolCalls: readonly object[]): object => ({ id, role: "assistant", content, toolCalls });
const called = (id: string, name: string, text_: string): object => ({ id, type: "function", function: { name, arguments: text_ } });
const shown = ({ toolCalls }: Evidence): object[] =>
  toolCalls.map(({ toolCallId, toolName, args: given, result: output, completed }) => ({ id: toolCallId, name: toolName, args: given, completed, ...(output === undefined ? {} : { result: output }) }));

test("case 134: two calls whose events are mixed are two calls, each with its own arguments", async () => {
  const { evidence } = await evidenceOf([BEGIN, start("a", "weather"), start("b", "flights"), args("a", '{"city":'), args("b", '{"to":"O'), args("a", '"Rome"}'), args("b", 'slo"}'), end("b"), end("a"), END]);
  expect(shown(evidence)).toEqual([{ id: "a", name: "weather", args: { city: "Rome" }, completed: false }, { id: "b", name: "flights", args: { to: "Oslo" }, completed: false }]);
});

test("case 136: results that come in another order than the calls belong to their own calls, which keep their order", async () => {
  const { evidence } = await evidenceOf([start("a", "price"), end("a"), start("b", "stock"), end("b"), result("b", "3 left"), result("a", "9.99"), END]);
  expect(shown(evidence)).toEqual([{ id: "a", name: "price", args: {}, completed: true, result: "9.99" }, { id: "b", name: "stock", args: {}, completed: true, result: "3 left" }]);
});

test("case 137: a call that nobody announced is a call without a name; it is named in a warning, and proves no absence", async () => {
  const { evidence, warnings } = await evidenceOf([args("x", '{"q":1}'), end("x"), result("x", "done"), END]);
  expect(shown(evidence)).toEqual([{ id: "x", name: "", args: { q: 1 }, completed: true, result: "done" }]);
  expect(warnings).toMatchObject([{ code: "call_unannounced", message: expect.stringContaining('"x"') }]);
  expect(() => expectation({ forbidTools: ["pay"] }).checks(evidence)).toThrow(expect.objectContaining({ code: "evidence_incomplete" }));
});

test("case 138: a snapshot under new ids replaces what was streamed; the answer is said once", async () => {
  const { evidence, warnings } = await evidenceOf([...text("m1", "Hello"), snapshot(user("u1", "hi"), assistant("other-1", "Hello")), END]);
  expect(evidence.answer).toBe("Hello");
  expect(warnings).toEqual([]);
});

test("case 139: a stream without its end is no run that ended; the text is kept, and nothing is judged as if it were whole", async () => {
  const cut = await cutOf([BEGIN, { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" }, { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Your order is" }]);
  expect(cut).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order is", ended: false } });
  expect(cut.evidence.terminalPhase).toBeUndefined();
});

test("case 140: an error in the middle is not overruled by an end that comes after it", async () => {
  const { evidence } = await evidenceOf([BEGIN, ...text("m", "Hel").slice(0, 2), { type: "RUN_ERROR", message: "upstream 529", code: "overloaded" }, END]);
  expect(evidence).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: "upstream 529", code: "overloaded" }, answer: "Hel", ended: true });
});

describe("kind stream-assembly", () => {
  test("calls whose events are mixed in any way come out whole, and their results belong to them", () => {
    const calls = fc.uniqueArray(fc.record({ id: fc.stringMatching(/^[a-z0-9]{1,6}$/), name: fc.constantFrom("add", "sub"), args: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.string({ unit: "grapheme", maxLength: 6 }), { maxKeys: 3 }), content: fc.stringMatching(/^[a-z .]{0,8}$/) }), { minLength: 1, maxLength: 4, selector: ({ id }) => id });
    return fc.assert(
      fc.asyncProperty(calls, fc.boolean(), fc.infiniteStream(fc.nat()), async (list, chunked, random) => {
        const next = (below: number): number => (random.next().value as number) % below;
        const queues = list.map(({ id, name, args: given, content }) => {
          const raw = JSON.stringify(given);
          const at = next(raw.length + 1);
          const pieces = [raw.slice(0, at), raw.slice(at)];
          const told = chunked
            ? pieces.map((delta, part) => ({ type: "TOOL_CALL_CHUNK", toolCallId: id, delta, ...(part === 0 ? { toolCallName: name } : {}) }))
            : [...pieces.map((delta) => args(id, delta)), end(id)];
          return [...told, result(id, content)];
        });
        const order: unknown[] = chunked ? queues.map((queue) => queue.shift()) : list.map(({ id, name }) => start(id, name));
        while (queues.some((queue) => queue.length > 0)) {
          const left = queues.filter((queue) => queue.length > 0);
          order.push(left[next(left.length)]?.shift());
        }
        const { evidence } = await evidenceOf([BEGIN, ...order, END]);
        expect(shown(evidence)).toEqual(list.map(({ id, name, args: given, content }) => ({ id, name, args: given, completed: true, result: content })));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["chunks that name their call only once", [{ type: "TOOL_CALL_CHUNK", toolCallId: "c", toolCallName: "a", delta: '{"n"' }, { type: "TOOL_CALL_CHUNK", delta: ":1}" }], [["c", "a", { n: 1 }]]],
    ["chunks of one call after another", [{ type: "TOOL_CALL_CHUNK", toolCallId: "c", toolCallName: "a", delta: "{}" }, { type: "TOOL_CALL_CHUNK", toolCallId: "d", toolCallName: "b", delta: '{"n":' }, { type: "TOOL_CALL_CHUNK", delta: "2}" }], [["c", "a", {}], ["d", "b", { n: 2 }]]],
    ["arguments that are no JSON", [start("c", "a"), args("c", '{"n": 1,, }'), end("c")], [["c", "a", '{"n": 1,, }']]],
    ["no arguments", [start("c", "a"), end("c")], [["c", "a", {}]]],
    ["empty pieces", [start("c", "a"), args("c", ""), args("c", '{"n":1}'), args("c", ""), end("c")], [["c", "a", { n: 1 }]]],
  ])("%s", async (_what, list, calls) => {
    const { evidence } = await evidenceOf([BEGIN, ...list, END]);
    expect(evidence.toolCalls.map(({ toolCallId, toolName, args: given }) => [toolCallId, toolName, given])).toEqual(calls);
  });

  test("the text of several messages is the answer, in their order; that of other roles and of subagents is not", async () => {
    const chunks = [{ type: "TEXT_MESSAGE_CHUNK", messageId: "m3", role: "assistant", delta: "three" }, { type: "TEXT_MESSAGE_CHUNK", delta: " four" }];
    const inner = text("m5", "inner").map((event) => ({ ...(event as object), subagentRunId: "s" }));
    const { evidence } = await evidenceOf([BEGIN, ...text("m1", "one "), ...text("u", "not this", "user"), ...text("m2", "two "), ...inner, ...chunks, END]);
    expect(evidence.answer).toBe("one two three four");
  });
});

describe("kind missing-events", () => {
  test.each([
    ["a text without its start", [{ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hi" }], { answer: "Hi" }],
    ["a text without its end", [{ type: "TEXT_MESSAGE_START", messageId: "m" }, { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hi" }], { answer: "Hi" }],
    ["a run without its start", text("m", "Hi"), { answer: "Hi", terminalPhase: "completed" }],
    ["a call without its end", [start("c", "a"), args("c", "{}"), result("c", "ok")], { toolCalls: [{ toolCallId: "c", result: "ok" }] }],
    ["a result alone", [result("c", "ok")], { toolCalls: [{ toolCallId: "c", toolName: "", result: "ok" }] }],
    ["a call that only a snapshot names", [args("x", "{}"), result("x", "ok"), snapshot(user("u", "hi"), assistant("a", "", called("x", "look", "{}")))], { toolCalls: [{ toolCallId: "x", toolName: "look", result: "ok" }] }],
    ["a call and an answer that only a snapshot tells", [snapshot(user("u", "hi"), assistant("a", "", called("x", "look", '{"n":1}')), { id: "r", role: "tool", toolCallId: "x", content: "ok" }, assistant("b", "Done."))], { answer: "Done.", toolCalls: [{ toolCallId: "x", toolName: "look", args: { n: 1 }, result: "ok" }] }],
  ])("%s", async (_what, list, expected) => {
    expect((await evidenceOf([...list, END])).evidence).toMatchObject(expected);
  });

  test("whatever events come in whatever order, the stream is read to its end and no call is made up or lost", () => {
    const id = fc.constantFrom("a", "b", "", undefined);
    const subagentRunId = fc.constantFrom(undefined, "s", "s2");
    const event = fc.oneof(
      fc.record({ type: fc.constantFrom("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_CHUNK", "TOOL_CALL_RESULT"), toolCallId: id, toolCallName: fc.constantFrom("t", "u", undefined), delta: fc.constantFrom("{", "}"), content: fc.constantFrom("r", undefined, 5), subagentRunId }),
      fc.record({ type: fc.constantFrom("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "TEXT_MESSAGE_CHUNK"), messageId: id, delta: fc.constant("x"), role: fc.constantFrom("assistant", "user", undefined), subagentRunId }),
      fc.record({ type: fc.constant("SUBAGENT_STARTED"), subagentRunId, parentToolCallId: id, parentSubagentRunId: subagentRunId, name: fc.constant("n") }),
      fc.constantFrom<Given>(snapshot(), snapshot(user("u", "x")), snapshot(user("u", "x"), assistant("m", "x", called("a", "t", "{}")), { id: "q", role: "tool", toolCallId: "a", content: "r", error: "e" }), { type: "MESSAGES_SNAPSHOT", messages: 7 }, null, 7, "noise", {}, { type: "NOISE" }, { type: 3 }, { type: "run_stream_end" }, { type: "CUSTOM", name: "on_interrupt", value: 1 }),
    );
    return fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 14 }), fc.constantFrom({}, { outcome: { type: "interrupt", interrupts: [{ id: "i", toolCallId: "a" }, { id: "j" }] } }, { outcome: { type: "success", pendingToolCallIds: ["a"] } }), async (list, rest) => {
        const { evidence } = await evidenceOf([BEGIN, ...list, { ...END, ...rest }]);
        expect(evidence).toMatchObject({ runId: "r", sessionId: "t", ended: true });
        expect(new Set(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(evidence.toolCalls.length);
      }),
      { numRuns: 600 },
    );
  });
});

test("a run of 20,000 calls is read like one of two", async () => {
  const { evidence } = await evidenceOf([BEGIN, ...Array.from({ length: 20_000 }, (_, n) => [start(`k${n}`, "t"), args(`k${n}`, "{}"), end(`k${n}`), result(`k${n}`, "ok")]).flat(), END]);
  expect(evidence.toolCalls).toHaveLength(20_000);
});

describe("kind duplicate-events", () => {
  test.each([
    ["a snapshot under the same ids", [...text("m", "Hello"), snapshot(user("u", "hi"), assistant("m", "Hello"))], "Hello"],
    ["two snapshots, each under new ids", [...text("m", "Hello"), snapshot(user("u", "hi"), assistant("x", "Hello")), snapshot(user("v", "hi"), assistant("y", "Hello"))], "Hello"],
    ["a snapshot of a longer conversation", [...text("m", "Hello"), snapshot(user("u", "before"), assistant("w", "Hello"), user("v", "hi"), assistant("y", "Hello"))], "Hello"],
    ["a snapshot that ends with what the user said", [...text("m", "Hello"), snapshot(user("u", "hi"))], "Hello"],
    ["a snapshot that says it otherwise", [...text("m", "Hel"), snapshot(user("u", "hi"), assistant("m", "Hello"))], "Hello"],
    ["a message that is streamed again as it was", [...text("m", "Hello"), ...text("m", "Hello")], "Hello"],
    ["a message that goes on after its end", [...text("m", "Hel"), ...text("m", "lo")], "Hello"],
    ["a message that is still being streamed when the snapshot comes", [...text("m", "Hel").slice(0, 2), snapshot(user("u", "hi"), assistant("x", "Before. ")), { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "lo" }], "Before. Hello"],
  ])("%s", async (_what, list, answer) => {
    const { evidence, warnings } = await evidenceOf([BEGIN, ...list, END]);
    expect(evidence.answer).toBe(answer);
    expect(warnings).toEqual([]);
  });

  test("a text that a snapshot leaves out is taken back, and that is named", async () => {
    const { evidence, warnings } = await evidenceOf([...text("m1", "Draft"), ...text("m2", "Hello"), snapshot(user("u", "hi"), assistant("x", "Hello")), END]);
    expect(evidence.answer).toBe("Hello");
    expect(warnings.map(({ code }) => code)).toEqual(["text_retracted"]);
  });

  test("what stood in the conversation before the run is no part of it, also where a snapshot gives it new ids", async () => {
    const sent = [user("u", "hi"), assistant("a", "Let me look.", called("c", "look", "{}")), { id: "t", role: "tool", toolCallId: "c", content: "ok" }];
    const again = [user("u2", "hi"), assistant("a2", "Let me look.", called("c", "look", "{}")), { id: "t2", role: "tool", toolCallId: "c", content: "ok" }, assistant("b2", "Found.")];
    const { evidence } = await evidenceOf([{ ...BEGIN, input: { messages: sent } }, ...text("b", "Found."), snapshot(...again), END]);
    expect(evidence).toMatchObject({ answer: "Found.", toolCalls: [] });
  });

  test("a result that is told twice is one; a second that differs is named", async () => {
    const twice = await evidenceOf([start("c", "a"), end("c"), result("c", "ok"), result("c", "ok"), END]);
    expect([shown(twice.evidence), twice.warnings]).toEqual([[{ id: "c", name: "a", args: {}, completed: true, result: "ok" }], []]);
    const differs = await evidenceOf([start("c", "a"), end("c"), result("c", "ok"), result("c", "no"), END]);
    expect(differs.evidence.toolCalls[0]?.result).toBe("ok");
    expect(differs.warnings.map(({ code }) => code)).toEqual(["result_repeated"]);
  });

  test("a call that is begun twice counts once; one with the id of a call that ended is another", async () => {
    const again = await evidenceOf([start("c", "a"), args("c", '{"n":1}'), start("c", "a"), args("c", '{"n":1}'), end("c"), result("c", "ok"), END]);
    expect(shown(again.evidence)).toEqual([{ id: "c", name: "a", args: { n: 1 }, completed: true, result: "ok" }]);
    expect(again.warnings.map(({ code }) => code)).toEqual(["call_repeated"]);
    const reused = await evidenceOf([start("c", "a"), end("c"), result("c", "1"), start("c", "a"), end("c"), result("c", "2"), END]);
    expect(shown(reused.evidence).map((call) => Object.values(call).at(-1))).toEqual(["1", "2"]);
    expect(reused.warnings.map(({ code }) => code)).toEqual(["call_id_reused"]);
  });
});

describe("kind terminal-state", () => {
  test.each([
    ["no outcome", {}, "completed"], ["success", { outcome: { type: "success" } }, "completed"], ["an interrupt", { outcome: { type: "interrupt", interrupts: [{ id: "i", reason: "input_needed" }] } }, "suspended"],
    ["a cancellation", { outcome: { type: "cancelled" } }, "cancelled"], ["an outcome that nobody knows", { outcome: { type: "vanished" } }, "failed"], ["an outcome that is none", { outcome: 5 }, "failed"], ["no outcome, said aloud", { outcome: null }, "completed"],
  ])("%s", async (_what, rest, phase) => {
    expect((await evidenceOf([BEGIN, ...text("m", "Hi"), { ...END, ...rest }])).evidence.terminalPhase).toBe(phase);
  });

  test("a stream of nothing, and one that stops after any of its events but the last, is no run that ended", async () => {
    const whole = [BEGIN, start("c", "a"), args("c", "{}"), end("c"), result("c", "ok"), ...text("m", "Hi"), END];
    for (let length = 0; length < whole.length; length++) expect((await cutOf(whole.slice(0, length))).code).toBe("stream_incomplete");
    expect((await evidenceOf(whole)).evidence.ended).toBe(true);
  });

  test("nothing is waited for after the end, though the source stays open", async () => {
    let closed = false;
    async function* open(): AsyncGenerator { try { yield* [BEGIN, ...text("m", "Hi"), END]; await new Promise(() => undefined); } finally { closed = true; } }
    const source = open();
    expect(await collect(events(source))).toMatchObject({ terminalPhase: "completed", answer: "Hi" });
    expect(closed).toBe(true);
  });

  test("a source that breaks keeps what was seen, and its error comes through", async () => {
    async function* breaking(): AsyncGenerator { yield BEGIN; yield* text("m", "Hi").slice(0, 2); throw new TypeError("terminated"); }
    await expect(collect(events(breaking()))).rejects.toMatchObject({ code: "stream_incomplete", cause: { message: "terminated" }, evidence: { answer: "Hi" } });
    await expect(collect(events({} as never))).rejects.toMatchObject({ cause: { message: expect.stringMatching(/stream of AG-UI/) } });
  });

  test("calls that are left open wait for the application where it runs them, or where nobody says who does", async () => {
    const open = [BEGIN, start("c", "pay"), args("c", "{}"), end("c")];
    expect((await evidenceOf([...open, END], { frontendTools: ["pay"] })).evidence.terminalPhase).toBe("suspended");
    expect((await evidenceOf([...open, END], { frontendTools: ["other"] })).evidence.terminalPhase).toBe("completed");
    expect((await evidenceOf([...open, END], { frontendTools: undefined })).evidence.terminalPhase).toBe("suspended");
    expect((await evidenceOf([...open, { ...END, outcome: { type: "success", pendingToolCallIds: ["c"] } }])).evidence.terminalPhase).toBe("suspended");
  });

  test("a run without a word and without a call is named", async () => {
    expect((await evidenceOf([BEGIN, END])).warnings.map(({ code }) => code)).toEqual(["answer_empty"]);
  });
});

describe("kind approvals", () => {
  const asked = (...interrupts: readonly object[]): Given => ({ ...END, outcome: { type: "interrupt", interrupts } });
  test("each interrupt asks about its own call; the others were run", async () => {
    const { evidence, told } = await evidenceOf([BEGIN, start("a", "wire"), end("a"), start("b", "mail"), end("b"), start("c", "look"), end("c"), result("c", "ok"), asked({ id: "i", toolCallId: "b" }, { id: "j", toolCallId: "a", message: "Sure?" })]);
    expect(told.flatMap((event) => (event.type === "await_confirmation" ? [[event.toolCallId, event.id, event.prompt]] : []))).toEqual([["a", "j", "Sure?"], ["b", "i", "mail needs approval"]]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ toolCallId: "c", result: "ok" }] });
  });

  test("a call that was run before anybody was asked is told as it happened", async () => {
    const { evidence } = await evidenceOf([BEGIN, start("a", "wire"), end("a"), result("a", "sent"), asked({ id: "i", toolCallId: "a" })]);
    expect(evidence).toMatchObject({ toolCalls: [{ toolCallId: "a", completed: true, approval: "pending" }] });
    expect(expectation({ confirmation: expectConfirmation({ name: "wire" }) }).checks(evidence)).toContainEqual({ name: "terminal", passed: false, diagnostic: expect.stringContaining("executed before approval") });
  });

  test("a call that runs a subagent has begun, though somebody is asked about it now", async () => {
    const inner = { ...(start("k", "look") as object), subagentRunId: "s" };
    const { evidence } = await evidenceOf([BEGIN, start("a", "research"), end("a"), { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "x", parentToolCallId: "a" }, inner, result("k", "ok"), asked({ id: "i", toolCallId: "a" })]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "a" }, toolCalls: [{ toolCallId: "a", approval: "pending", completed: false }, { toolCallId: "k", parentToolCallId: "a" }] });
  });

  test("an interrupt about no call, or about one that nobody knows, is a question", async () => {
    const { evidence, told, warnings } = await evidenceOf([BEGIN, asked({ id: "i", reason: "input_needed", message: "Which city?" }, { id: "j", reason: "x", toolCallId: "gone" })]);
    expect(told.flatMap((event) => (event.type === "await_clarification" ? [event["prompt"]] : []))).toEqual(["Which city?", "x"]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", toolCalls: [] });
    expect(warnings.map(({ code }) => code)).toEqual(["interrupt_unmatched"]);
  });

  test.each([
    [{ status: "resolved" }, "approved"], [{ status: "resolved", payload: { approved: true } }, "approved"], [{ status: "resolved", payload: "no" }, "denied"], [{ status: "cancelled" }, "denied"], [{ status: "resolved", payload: { amount: 5 } }, undefined],
  ])("the answer %j decides: %s", async (entry, approval) => {
    const first = (await evidenceOf([BEGIN, start("a", "wire"), args("a", '{"n":1}'), end("a"), asked({ id: "i", toolCallId: "a" })])).evidence;
    const second = events(stream([result("a", "sent"), { ...END, runId: "r2" }]), { runId: "r2", sessionId: "t", continues: first, resume: [{ interruptId: "i", ...(entry as { status: "resolved" }) }], frontendTools: [] });
    const evidence = await collect(second, {}, { rootRunId: "r2", continues: first });
    expect(evidence.toolCalls).toMatchObject([{ toolCallId: "a", approval: approval ?? "pending", completed: true }]);
  });

  test("the application may say what an answer decides", async () => {
    const first = (await evidenceOf([BEGIN, start("a", "wire"), end("a"), asked({ id: "i", toolCallId: "a" })])).evidence;
    const second = events(stream([...text("m", "No."), END]), { runId: "r2", sessionId: "t", continues: first, resume: [{ interruptId: "i", status: "resolved", payload: 3 }], decision: ({ payload }, { toolName }) => toolName === "wire" && payload === 5 });
    expect(await collect(second, {}, { rootRunId: "r2", continues: first })).toMatchObject({ toolCalls: [{ toolCallId: "a", approval: "denied", completed: false }] });
  });
});

describe("kind nested-attribution", () => {
  test("subagents within subagents lie below the call of the root that ran them; the same id in two of them is two calls", async () => {
    const of = (event: Given, subagentRunId: string): Given => ({ ...(event as object), subagentRunId });
    const { evidence } = await evidenceOf([
      BEGIN, start("c", "research"), end("c"), { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "one", parentToolCallId: "c" }, { type: "SUBAGENT_STARTED", subagentRunId: "z", name: "two", parentSubagentRunId: "s" },
      of(start("k", "look"), "s"), of(end("k"), "s"), of(result("k", "1"), "s"), of(start("k", "look"), "z"), of(end("k"), "z"), of(result("k", "2"), "z"), result("c", "done"), ...text("m", "Done."), END,
    ]);
    expect(evidence.toolCalls.map(({ toolCallId, parentToolCallId, runId, result: output }) => [toolCallId, parentToolCallId, runId, output])).toEqual([["c", undefined, "r", "done"], ["k", "c", "r/s", "1"], ["made-up:1:k", "c", "r/z", "2"]]);
  });

  test("a subagent that fails is not the run's own failure, and two that name each other have no parent", async () => {
    const loop = [{ type: "SUBAGENT_STARTED", subagentRunId: "s", name: "a", parentSubagentRunId: "z" }, { type: "SUBAGENT_STARTED", subagentRunId: "z", name: "b", parentSubagentRunId: "s" }];
    const { evidence } = await evidenceOf([BEGIN, ...loop, { ...(start("k", "look") as object), subagentRunId: "s" }, { type: "SUBAGENT_ERROR", subagentRunId: "s", message: "no" }, ...text("m", "Hi"), END]);
    expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "Hi", toolCalls: [{ toolCallId: "k", runId: "r/s" }] });
    expect(evidence.toolCalls[0]?.parentToolCallId).toBeUndefined();
  });
});

test("kind usage-accounting: the counts of every model are summed, parts of them kept apart, and what is no count is left out", async () => {
  const usage = [{ provider: "a", inputTokens: 10, outputTokens: 5, reasoningTokens: 2, totalTokens: 15 }, { provider: "b", inputTokens: 1, cachedInputTokens: 1, outputTokens: "many" }, null];
  expect((await evidenceOf([BEGIN, { ...END, usage }])).evidence.usage).toEqual({ inputTokens: 11, outputTokens: 5, reasoningTokens: 2, cachedInputTokens: 1 });
  expect((await evidenceOf([BEGIN, { type: "RUN_ERROR", message: "no", usage }])).evidence.usage).toMatchObject({ inputTokens: 11 });
  expect((await evidenceOf([BEGIN, END])).evidence.usage).toBeUndefined();
});

describe("kind format-variants", () => {
  test("results are texts, structures written as texts, or parts", async () => {
    const contents = ['{"n":9007199254740993}', "[1]", "9.99", "{oops", [{ type: "text", text: '{"a":' }, { type: "text", text: "1}" }], [{ type: "image", source: { type: "url", value: "x" } }], undefined];
    const { evidence } = await evidenceOf([BEGIN, ...contents.flatMap((content, at) => [start(`c${at}`, "t"), end(`c${at}`), result(`c${at}`, content)]), END]);
    expect(evidence.toolCalls.map(({ result: output }) => output)).toEqual([{ n: 9007199254740992 }, [1], "9.99", "{oops", { a: 1 }, [{ type: "image", source: { type: "url", value: "x" } }], undefined]);
    expect(evidence.toolCalls[0]?.resultJson).toBe('{"n":9007199254740993}');
    expect(evidence.toolCalls.every(({ completed }) => completed)).toBe(true);
  });

  test("reasoning of either name is no part of the answer", async () => {
    const { evidence, told } = await evidenceOf([BEGIN, { type: "REASONING_MESSAGE_CONTENT", messageId: "q", delta: "h" }, { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: "m" }, ...text("m", "Hi"), END]);
    expect(evidence.answer).toBe("Hi");
    expect(told.flatMap((event) => (event.type === "planner_thought" ? [event["text"]] : []))).toEqual(["h", "m"]);
  });

  test("known events that carry nothing are no warnings; unknown ones are counted, whatever they are called", async () => {
    const known = ["STATE_SNAPSHOT", "STATE_DELTA", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "RAW", "STEP_STARTED", "STEP_FINISHED", "REASONING_START", "REASONING_END", "REASONING_ENCRYPTED_VALUE"].map((type) => ({ type, delta: "hidden", snapshot: "hidden" }));
    const { evidence, warnings } = await evidenceOf([BEGIN, ...known, { type: "CUSTOM", name: "mine", value: 1 }, "not json", { type: "NEW_THING" }, { type: "run_stream_end" }, ...text("m", "Hi"), END]);
    expect(evidence).toMatchObject({ answer: "Hi", terminalPhase: "completed", unknownEvents: [{ type: "string", times: 1 }, { type: "NEW_THING", times: 1 }, { type: "ag-ui:run_stream_end", times: 1 }] });
    expect(warnings.map(({ code }) => code)).toEqual(["event_unknown", "event_unknown", "event_unknown"]);
  });

  test("bounds and failures are read with the application's own eyes, and only then seen", async () => {
    const list = [BEGIN, start("c", "list"), end("c"), result("c", '{"ids":["a"],"next":"x"}'), start("d", "pay"), end("d"), result("d", "declined"), END];
    expect((await evidenceOf(list)).evidence.observes).toEqual({ args: true, results: true, failures: false, failureKinds: false, parents: false, approvals: true, bounds: false, deltas: true });
    const { evidence } = await evidenceOf(list, {
      bounds: (tool, output: any) => (tool === "list" ? { returned: output.ids.length, truncated: true, nextCursor: output.next } : undefined),
      failureKind: (tool, content) => (tool === "pay" && content === "declined" ? "domain_rejection" : undefined),
    });
    expect(evidence).toMatchObject({ observes: { failureKinds: true, bounds: true }, toolCalls: [{ bounds: { returned: 1, truncated: true, nextCursor: "x" } }, { failure: { kind: "domain_rejection", error: { message: "declined" } } }] });
  });
});
