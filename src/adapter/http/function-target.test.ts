import { target, type FunctionTargetOptions, type Given, type TargetFunction } from "entail/adapter/http";
import { collect, eventsFromMessages, expectation, OBSERVES_EVERYTHING, type Evidence, type Observes, type StreamEvent } from "entail/evidence";
import { describe, expect, test } from "vitest";

const turn = { signal: new AbortController().signal };
const NOTHING: Observes = { args: false, results: false, failureKinds: false, parents: false, approvals: false, bounds: false, deltas: false };
const run = (given: unknown, options: FunctionTargetOptions = {}): Promise<Evidence> => collect(target((() => given) as TargetFunction, options).send("Hi.", turn));
const EVENTS: readonly StreamEvent[] = [
  { type: "tool_start", runId: "r", toolCallId: "c", toolName: "look", args: { n: 1 } }, { type: "tool_end", runId: "r", toolCallId: "c", toolName: "look", result: 2 },
  { type: "assistant_reply", runId: "r", text: "Two." }, { type: "workflow", runId: "r", phase: "completed" }, { type: "run_stream_end", runId: "r" },
];
async function* streamOf(...items: readonly unknown[]): AsyncGenerator {
  yield* items;
}
const MESSAGES = [{ role: "assistant", content: null, tool_calls: [{ id: "c", function: { name: "look", arguments: '{"n":1}' } }] }, { role: "tool", tool_call_id: "c", content: "two" }, { role: "assistant", content: "Two." }];

describe("a function that gives a text", () => {
  test.each([
    ["at once", "Hello."],
    ["as a promise", Promise.resolve("Hello.")],
    ["in pieces", streamOf("Hel", "", "lo.")],
    ["in a web stream", ReadableStream.from(["Hel", "lo."])],
  ])("%s, answers and completes, and shows nothing else", async (_how, given) => {
    const evidence = await run(given, { newRunId: () => "r" });
    expect(evidence).toMatchObject({ runId: "r", answer: "Hello.", terminalPhase: "completed", ended: true, toolCalls: [], observes: NOTHING });
    expect(() => expectation({ forbidTools: ["delete"] }).checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }));
    expect(() => expectation({ exact: true }).checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }));
  });

  test("that is empty has answered nothing; so has a stream without an item", async () => {
    for (const given of ["", streamOf(), streamOf("")]) expect(await run(given)).toMatchObject({ answer: "", terminalPhase: "completed", observes: NOTHING });
  });
});

describe("a function that gives messages", () => {
  test.each([["a list", MESSAGES], ["a state that holds them", { messages: MESSAGES }], ["a promise", Promise.resolve(MESSAGES)]])("as %s, shows its calls and their results", async (_how, given) => {
    expect(await run(given)).toMatchObject({ answer: "Two.", toolCalls: [{ toolName: "look", args: { n: 1 }, result: "two" }], observes: { ...NOTHING, args: true, results: true } });
  });

  test("or one message", async () => {
    expect(await run({ role: "assistant", content: "Hi." })).toMatchObject({ answer: "Hi.", observes: { args: true } });
  });

  test("that are not understood, or none at all, breaks the run: no absence is made up", async () => {
    await expect(run([{ role: "assistant", content: { format: 3 } }])).rejects.toMatchObject({ code: "message_unreadable" });
    await expect(run([...EVENTS, ...MESSAGES])).rejects.toMatchObject({ code: "message_unreadable" });
    await expect(run([])).rejects.toMatchObject({ code: "message_unreadable", message: expect.stringContaining("there are no messages") });
    expect(() => eventsFromMessages([])).toThrow(expect.objectContaining({ code: "message_unreadable" }));
  });
});

describe("a function that gives events", () => {
  test.each([["a list", EVENTS], ["a generator", streamOf(...EVENTS)], ["a stream that says what it observes", { observes: { ...OBSERVES_EVERYTHING, bounds: false }, [Symbol.asyncIterator]: () => streamOf(...EVENTS) }]])("as %s, shows what they show", async (_how, given) => {
    const evidence = await run(given);
    expect(evidence).toMatchObject({ runId: "r", answer: "Two.", toolCalls: [{ toolName: "look", result: 2 }], terminalPhase: "completed" });
    expect(evidence.observes).toEqual({ ...OBSERVES_EVERYTHING, bounds: !("observes" in (given as object)) });
  });

  test("is believed in what it observes", async () => {
    const observes = { ...NOTHING, args: true };
    const subject = target(() => streamOf(...EVENTS) as AsyncIterable<StreamEvent>, { gives: "events", observes });
    expect(subject.observes).toEqual(observes);
    expect((await collect(subject.send("Hi.", turn))).observes).toEqual(observes);
  });

  test("that stop before their end leave the run without one", async () => {
    await expect(run(EVENTS.slice(0, 3))).rejects.toMatchObject({ code: "stream_incomplete", evidence: { answer: "Two.", ended: false } });
    await expect(run(streamOf(...EVENTS.slice(0, 3)))).rejects.toMatchObject({ code: "stream_incomplete" });
  });
});

describe("what a function is called with, and what it may not do", () => {
  test("the input, and the turn with its signal, thread and history; nothing runs before its events are looked at", async () => {
    const given: unknown[] = [];
    const subject = target((input: { n: number }, options) => { given.push(input, options.threadId, options.signal, options.history); return "Hi."; }, { memory: true });
    const stream = subject.send({ n: 1 }, { ...turn, threadId: "t", history: [] });
    expect(given).toEqual([]);
    expect(await collect(stream)).toMatchObject({ sessionId: "t" });
    expect([given, subject.memory]).toEqual([[{ n: 1 }, "t", turn.signal, []], true]);
  });

  test("what it says beforehand that it gives is what is observed beforehand, and anything else breaks the run", async () => {
    expect(target(() => "Hi.").observes).toEqual(NOTHING);
    expect(target(() => "Hi.", { gives: "text" }).observes).toEqual(NOTHING);
    expect(target(() => MESSAGES, { gives: "messages" }).observes).toEqual({ ...NOTHING, args: true, results: true });
    expect(target(() => EVENTS, { gives: "events" }).observes).toEqual(OBSERVES_EVERYTHING);
    await expect(run("Hi.", { gives: "messages" })).rejects.toMatchObject({ code: "event_invalid", message: "the target's function gave text, and target() was told that it gives messages" });
  });

  test.each([
    ["nothing", undefined, "gave nothing"],
    ["null", null, "gave nothing"],
    ["a number", 7, "gave a number"],
    ["an object", { text: "Hi." }, "gave an object of an unknown form"],
    ["a stream of numbers", streamOf(7), "a stream of a number"],
    ["a stream of bytes", ReadableStream.from([new Uint8Array([72])]), "a stream of an object of an unknown form"],
    ["texts and then something else", streamOf("Hi.", { type: "tool_start" }), "in a stream of texts"],
  ])("%s is no run", async (_what, given, message) => {
    await expect(run(given)).rejects.toMatchObject({ code: "event_invalid", message: expect.stringContaining(message) });
  });

  test("what it throws, or rejects with, breaks the run; so does a stream that breaks, and what it said is kept", async () => {
    const failing: TargetFunction[] = [() => { throw new Error("no key"); }, () => Promise.reject(new Error("no key")), () => (async function* (): AsyncGenerator<string> { yield "Your order"; throw new Error("no key"); })()];
    for (const fail of failing) await expect(collect(target(fail).send("Hi.", turn))).rejects.toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("no key") });
    await expect(collect(target(failing[2] as TargetFunction).send("Hi.", turn))).rejects.toMatchObject({ evidence: { answer: "Your order" } });
  });

  test("an aborted turn is a cancelled run, whether the function listens or not", async () => {
    const listening: TargetFunction = (_input, { signal }) => new Promise((_resolve, reject) => { signal.addEventListener("abort", () => reject(signal.reason as Error)); });
    const deaf: TargetFunction = () => new Promise<Given>(() => undefined);
    for (const waits of [listening, deaf]) {
      const controller = new AbortController();
      const events: StreamEvent[] = [];
      const reading = (async () => { for await (const event of target(waits, { newRunId: () => "r" }).send("Hi.", { signal: controller.signal })) events.push(event); })();
      controller.abort(new Error("enough"));
      await reading;
      expect(events).toEqual([{ runId: "r", type: "workflow", phase: "cancelled" }, { runId: "r", type: "run_stream_end" }]);
    }
  });

  test("a stream that is left early is closed", async () => {
    let closed = false;
    const stream = async function* (): AsyncGenerator<string> { try { for (;;) yield "on and on"; } finally { closed = true; } };
    for await (const event of target(() => stream()).send("Hi.", turn)) if (event.type === "assistant_reply") break;
    expect(closed).toBe(true);
  });

  test.each([
    ["an option that nobody knows", { give: "text" }, 'did you mean "gives"?'],
    ["a kind that is none", { gives: "words" }, "gives"],
    ["observations of a text", { observes: NOTHING }, 'say gives: "events"'],
    ["a memory that is no flag", { memory: 1 }, "memory"],
  ])("%s is refused", (_what, options, message) => {
    expect(() => target(() => "Hi.", options as never)).toThrow(expect.objectContaining({ code: "option_invalid", message: expect.stringContaining(message) }));
  });
});
