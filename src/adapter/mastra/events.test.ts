import { events, STREAM_WARNINGS, type EventsOptions, type StreamWarning } from "entail/adapter/mastra";
import { collect, expectation, expectCall, type Evidence } from "entail/evidence";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

const chunk = (type: string, payload: object = {}, runId = "r", from = "AGENT"): object => ({ type, runId, from, payload });
const call = (toolCallId: string, toolName: string, args: unknown = {}, rest: object = {}): object => chunk("tool-call", { toolCallId, toolName, args, ...rest });
const result = (toolCallId: string, toolName: string, value: unknown, rest: object = {}): object => chunk("tool-result", { toolCallId, toolName, result: value, ...rest });
const failed = (toolCallId: string, toolName: string, error: unknown): object => chunk("tool-error", { toolCallId, toolName, error });
const within = (toolCallId: string, output: unknown): object => chunk("tool-output", { toolCallId, output }, "r", "USER");
const of = (runId: string, inner: object): object => ({ ...inner, runId });
const start = (toolCallId: string, toolName: string): object => chunk("tool-call-input-streaming-start", { toolCallId, toolName });
const delta = (toolCallId: string, argsTextDelta: string): object => chunk("tool-call-delta", { toolCallId, argsTextDelta });
const text = (words: string): object => chunk("text-delta", { id: "t", text: words });
const START = chunk("step-start");
const step = (usage?: object, reason = "stop"): object => chunk("step-finish", { stepResult: { reason }, output: { usage } });
const finish = (reason: string | undefined = "stop", rawReason?: string): object => chunk("finish", { stepResult: { reason, rawReason }, output: { usage: { inputTokens: 0, outputTokens: 0 } } });
const FINISH = finish();

async function* stream(list: readonly unknown[]): AsyncGenerator {
  yield* list;
}
async function seen(list: readonly unknown[], options: EventsOptions = {}): Promise<{ evidence: Evidence; warnings: readonly StreamWarning[] }> {
  const source = events(stream(list), { runId: "run", ...options });
  return { evidence: await collect(source), warnings: source.warnings };
}
async function cut(list: readonly unknown[]): Promise<{ code: string; evidence: Evidence }> {
  return collect(events(stream(list), { runId: "run" })).then(() => { throw new Error("the stream was complete"); }, (thrown: unknown) => thrown as { code: string; evidence: Evidence });
}
const shown = ({ toolCalls }: Evidence): object[] =>
  toolCalls.map(({ toolCallId, toolName, args, result: value, failure, completed, approval, parentToolCallId }) => ({
    id: toolCallId, name: toolName, args, completed,
    ...(value === undefined ? {} : { result: value }), ...(failure === undefined ? {} : { failure: failure.kind }), ...(approval === undefined ? {} : { approval }), ...(parentToolCallId === undefined ? {} : { parent: parentToolCallId }),
  }));
const codes = (warnings: readonly StreamWarning[]): string[] => warnings.map(({ code }) => code);

describe("kind duplicate-events", () => {
  test("case 119: a tool result that is sent twice, and once more in the step's summary, is one result", async () => {
    const summary = chunk("step-finish", { output: { toolResults: [{ payload: { toolCallId: "k", toolName: "search", result: [1, 2] } }] } });
    const { evidence, warnings } = await seen([call("k", "search", { q: "x" }), result("k", "search", [1, 2]), summary, result("k", "search", [1, 2]), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "k", name: "search", args: { q: "x" }, completed: true, result: [1, 2] }]);
    expect(warnings).toEqual([]);
    const second = await seen([call("k", "search", { q: "x" }), result("k", "search", [1, 2]), summary, result("k", "search", [3]), FINISH]);
    expect(shown(second.evidence)).toMatchObject([{ result: [1, 2] }]);
    expect(second.warnings).toMatchObject([{ code: "result_repeated", message: expect.stringMatching(/\[1,2\].*\[3\]/) }]);
  });

  test("a call that comes twice counts once, before and after its end", async () => {
    const { evidence, warnings } = await seen([START, call("k", "search", { q: "x" }), call("k", "search", { q: "x" }), result("k", "search", 1), call("k", "search", { q: "x" }), step(), FINISH]);
    expect(shown(evidence)).toHaveLength(1);
    expect(warnings).toMatchObject([{ code: "call_repeated", times: 2 }]);
  });

  test("an end of another kind, a result that cannot be written and a late denial do not change the first end", async () => {
    const { evidence, warnings } = await seen([call("k", "a"), result("k", "a", 1), failed("k", "a", new Error("no")), result("k", "a", 10n), FINISH]);
    expect(shown(evidence)).toMatchObject([{ result: 1 }]);
    expect(codes(warnings)).toEqual(["result_repeated", "result_repeated"]);
  });

  test("a second finish and what a finished run repeats of its usage change nothing", async () => {
    const { evidence } = await seen([START, text("a"), step({ inputTokens: 3, outputTokens: 1 }), FINISH, FINISH]);
    expect(evidence).toMatchObject({ answer: "a", terminalPhase: "completed", usage: { inputTokens: 3, outputTokens: 1, requests: 1 } });
  });
});

describe("kind nested-attribution", () => {
  test("case 120: a sub-agent's calls are its own, though they have the ids of its parent's", async () => {
    const { evidence } = await seen([
      call("k1", "agent-research", { prompt: "prices" }),
      within("k1", of("c", call("k1", "fetch", { url: "https://example.test" }))),
      within("k1", of("c", result("k1", "fetch", "42"))),
      result("k1", "agent-research", { text: "42 euro" }),
      FINISH,
    ]);
    expect(shown(evidence)).toEqual([
      { id: "k1", name: "agent-research", args: { prompt: "prices" }, completed: true, result: { text: "42 euro" } },
      { id: "k1/k1", name: "fetch", args: { url: "https://example.test" }, completed: true, result: "42", parent: "k1" },
    ]);
    // Expectations look at every level.
    expect(expectation({ tools: [expectCall({ name: "fetch" })] }).checks(evidence).every(({ passed }) => passed)).toBe(true);
    expect(expectation({ forbidTools: ["fetch"] }).checks(evidence).every(({ passed }) => passed)).toBe(false);
  });

  test("runs side by side within one call, runs within runs, and their words, have their own place", async () => {
    const deep = within("k", of("c1", chunk("tool-output", { toolCallId: "k", output: of("d", call("k", "third")) })));
    const { evidence } = await seen([
      call("k", "first"), within("k", of("c1", START)), within("k", of("c2", START)), within("k", of("c1", call("k", "second"))), within("k", of("c2", call("k", "other"))), within("k", of("c1", text("inner"))),
      deep, within("k", of("c1", step({ inputTokens: 5, outputTokens: 5 }))), within("k", of("c2", step())), result("k", "first", 1), text("One."), FINISH,
    ]);
    expect(evidence.toolCalls.map(({ toolCallId, parentToolCallId }) => [toolCallId, parentToolCallId])).toEqual([["k", undefined], ["k/k", "k"], ["k/k/k", "k/k"], ["made-up:1:k/k", "k"]]);
    expect(new Set(evidence.toolCalls.map(({ runId }) => runId)).size).toBe(4);
    expect(evidence).toMatchObject({ answer: "One.", usage: { inputTokens: 5, requests: 2, unknownRequests: 1 } });
  });

  test("what a tool gives out for itself is no run, however it is made", async () => {
    const { evidence } = await seen([call("k", "report"), within("k", { type: "tool-call", payload: { toolCallId: "x", toolName: "ghost" } }), within("k", { type: "tool-call", from: "me", payload: { toolCallId: "y", toolName: "ghost" } }), within("k", "half done"), within("k", null), result("k", "report", 1), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "k", name: "report", args: {}, completed: true, result: 1 }]);
  });

  test("a run within a call that ends before its own last chunk keeps its calls", async () => {
    const { evidence } = await seen([call("k", "agent-a"), within("k", of("c", START)), within("k", of("c", call("x", "look"))), result("k", "agent-a", "done"), FINISH]);
    expect(shown(evidence)).toMatchObject([{ id: "k" }, { id: "k/x", completed: false, parent: "k" }]);
  });

  test("a sub-agent's abort, error or refusal ends its own run, not the root's", async () => {
    for (const inner of [chunk("abort"), chunk("error", { error: new Error("inner") }), chunk("tripwire", { reason: "inner" }), finish("length")]) {
      const { evidence } = await seen([call("k", "agent-a"), within("k", of("c", inner)), failed("k", "agent-a", new Error("inner")), text("It failed."), FINISH]);
      expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "It failed." });
    }
  });
});

describe("kind format-variants", () => {
  const whole = (dbMessages: unknown, rest: object = {}): Promise<Evidence> => collect(events({ text: "ok", finishReason: "stop", response: { dbMessages }, ...rest } as never, { runId: "run" }));

  test("case 121: calls of both layouts of stored messages are read, and a layout that is not known is an error", async () => {
    const newer = { role: "assistant", content: { format: 2, parts: [{ type: "tool-invocation", toolInvocation: { state: "result", toolCallId: "k1", toolName: "a", args: { x: 1 }, result: "ra" } }, { type: "text", text: "ok" }] } };
    const older = { role: "assistant", content: "", toolInvocations: [{ state: "result", toolCallId: "k2", toolName: "b", args: {}, result: "rb" }] };
    expect(shown(await whole([newer, older]))).toEqual([{ id: "k1", name: "a", args: { x: 1 }, completed: true, result: "ra" }, { id: "k2", name: "b", args: {}, completed: true, result: "rb" }]);
    for (const unknown of [{ role: "assistant", content: { format: 3, blocks: [] } }, { role: "assistant", steps: [{ call: "a" }] }, { role: "assistant", content: { format: 2, parts: [{ type: "sparkle" }] } }, "text"]) {
      await expect(whole([newer, unknown])).rejects.toMatchObject({ code: "event_invalid" });
    }
  });

  test.each([
    ["output-error", { errorText: "boom" }, { failure: "unknown", completed: true }],
    ["output-error", { errorText: 'Tool "a" not found. Available tools: b.' }, { failure: "invalid_call", completed: true }],
    ["result", { result: { error: true, message: "Tool input validation failed for a.", validationErrors: {} } }, { failure: "invalid_call", completed: true }],
    ["result", { result: { error: "not found" } }, { result: { error: "not found" }, completed: true }],
    ["result", { result: "no", isError: true }, { failure: "unknown", completed: true }],
    ["call", {}, { completed: false }],
    ["output-denied", { approval: { id: "k", approved: false, reason: "no" } }, { approval: "denied", completed: false }],
  ])("a stored call of the state %s with %j", async (state, rest, expected) => {
    const evidence = await whole([{ role: "assistant", content: { format: 2, parts: [{ type: "tool-invocation", toolInvocation: { state, toolCallId: "k", toolName: "a", args: {}, ...rest } }] } }]);
    expect(shown(evidence)).toEqual([{ id: "k", name: "a", args: {}, ...expected }]);
    expect(evidence.terminalPhase).toBe(state === "call" ? "suspended" : "completed");
  });

  test("a result without messages is read from its lists, and text from its steps", async () => {
    const lists = { toolCalls: [call("k", "a", { n: 1 }), { toolCallId: "l", toolName: "b", args: {} }], toolResults: [result("k", "a", 1)], steps: [{ text: "One. ", usage: { inputTokens: 2, outputTokens: 1 } }, { text: "Two.", usage: {} }] };
    const evidence = await collect(events({ text: "Two.", finishReason: "stop", ...lists } as never, { runId: "run" }));
    expect(shown(evidence)).toEqual([{ id: "k", name: "a", args: { n: 1 }, completed: true, result: 1 }, { id: "l", name: "b", args: {}, completed: false }]);
    expect(evidence).toMatchObject({ answer: "One. Two.", terminalPhase: "suspended", usage: { inputTokens: 2, requests: 2, unknownRequests: 1 } });
  });

  test("a chunk of a type that is not known is named, and the rest is read", async () => {
    const { evidence, warnings } = await seen([START, chunk("quantum-leap"), { type: "tool_start", toolCallId: "x", toolName: "ghost" }, text("a"), step(), FINISH]);
    expect(evidence).toMatchObject({ answer: "a", toolCalls: [], unknownEvents: [{ type: "mastra:quantum-leap", times: 1 }, { type: "mastra:tool_start", times: 1 }] });
    expect(codes(warnings)).toEqual(["chunk_unknown", "chunk_unknown"]);
  });

  test("what Mastra does not stream is refused at once, with what would do", async () => {
    for (const wrong of [undefined, null, "text", 7, {}, { text: "x" }, { steps: [] }, []]) await expect(collect(events(wrong as never))).rejects.toMatchObject({ code: "option_invalid" });
  });
});

describe("kind stream-assembly", () => {
  test("arguments in any pieces, of calls side by side, are what the model wrote", async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.integer({ min: 1, max: 5 })), async (values, sizes) => {
      const written = values.map((value) => ` ${JSON.stringify({ value })}`);
      const pieces = written.map((whole, at) => {
        const cuts: object[] = [start(`k${at}`, "a")];
        for (let from = 0; from < whole.length;) { const size = sizes.next().value; cuts.push(delta(`k${at}`, whole.slice(from, from + size))); from += size; }
        return cuts;
      });
      const mixed: object[] = [];
      for (let at = 0; pieces.some((list) => at < list.length); at++) for (const list of pieces) if (list[at] !== undefined) mixed.push(list[at] as object);
      const { evidence } = await seen([START, ...mixed, ...values.map((value, at) => call(`k${at}`, "a", { value })), ...values.map((_value, at) => result(`k${at}`, "a", at)), step(), FINISH]);
      expect(evidence.toolCalls.map(({ args }) => args)).toEqual(written.map((whole) => JSON.parse(whole) as unknown));
    }), { numRuns: 60 });
  });

  test("every digit is kept, and what cannot be read is shown as it was written", async () => {
    const { evidence, warnings } = await seen([START, start("k", "a"), delta("k", '{"n":9007199254740993}'), call("k", "a", { n: 9007199254740992 }), start("l", "b"), delta("l", '{"n":1'), call("l", "b", {}), result("l", "b", 1), step(), FINISH]);
    expect(evidence.toolCalls.map(({ argsJson }) => argsJson)).toEqual(['{"n":9007199254740993}', '{"n":1']);
    expect(codes(warnings)).toEqual(["arguments_unreadable"]);
  });
});

describe("kind id-collision", () => {
  test("an id that each step uses anew names a new call in each", async () => {
    const turn = (n: number): object[] => [START, call("call_0", "page", { n }), result("call_0", "page", `p${n}`), step()];
    const { evidence } = await seen([...turn(1), ...turn(2), ...turn(3), FINISH]);
    expect(shown(evidence)).toMatchObject([{ args: { n: 1 }, result: "p1" }, { args: { n: 2 }, result: "p2" }, { args: { n: 3 }, result: "p3" }]);
  });

  test("one id for two calls of a step: names and arguments tell which end is whose", async () => {
    const { evidence } = await seen([START, call("k", "a", { n: 1 }), call("k", "b"), call("k", "a", { n: 2 }), result("k", "b", "rb"), result("k", "a", "r2", { args: { n: 2 } }), result("k", "a", "r1", { args: { n: 1 } }), step(), FINISH]);
    expect(shown(evidence)).toMatchObject([{ args: { n: 1 }, result: "r1" }, { name: "b", result: "rb" }, { args: { n: 2 }, result: "r2" }]);
  });

  test("names of Object.prototype are ids and tools like any other", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const { evidence } = await seen([...names.map((name) => call(name, name, JSON.parse('{"__proto__":1}'))), ...names.map((name) => result(name, name, name)), FINISH]);
    expect(evidence.toolCalls.map(({ toolCallId, toolName, result: value, argsJson }) => [toolCallId, toolName, value, argsJson])).toEqual(names.map((name) => [name, name, name, '{"__proto__":1}']));
  });
});

describe("kind missing-events", () => {
  test("ends without ids belong to the one open call of their name, or to nobody", async () => {
    const { evidence, warnings } = await seen([START, call("", "a"), call("", "b"), call("", "b"), result("", "a", 1), result("", "b", 2), result("", "ghost", 3), step(), FINISH]);
    expect(shown(evidence)).toMatchObject([{ name: "a", result: 1 }, { name: "b", completed: false }, { name: "b", completed: false }]);
    expect(new Set(codes(warnings))).toEqual(new Set(["call_id_missing", "result_unmatched"]));
  });

  test("a result whose call was not seen is a call that came back; one that was told before is not told again", async () => {
    const { evidence } = await seen([result("k", "a", 1, { args: { n: 1 } }), call("k", "a", { n: 1 }), START, text("x"), step(), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "k", name: "a", args: { n: 1 }, completed: true, result: 1 }]);
  });

  test("an end under another tool's name is refused", async () => {
    expect((await cut([call("k", "a"), within("k", 1), result("k", "b", 1), FINISH])).code).toBe("tool_end_mismatch");
  });
});

describe("kind approvals", () => {
  const request = (toolCallId: string, toolName: string, args: unknown = {}): object => chunk("tool-call-approval", { toolCallId, toolName, args });
  const go = async (list: readonly object[], first: Evidence): Promise<Evidence> => collect(events(stream(list), { runId: "two", continues: first }), {}, { rootRunId: "two", continues: first });

  test("calls beside the one that is asked for have begun; that one has not", async () => {
    const { evidence } = await seen([START, call("a", "list"), call("b", "remove"), call("c", "list"), request("b", "remove")]);
    expect(shown(evidence)).toMatchObject([{ id: "a", completed: false }, { id: "c", completed: false }]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", ended: true, confirmation: { toolCallId: "b", state: "pending" } });
  });

  test("asked twice, the second only after the first was allowed", async () => {
    const { evidence: first } = await seen([START, call("a", "remove", { n: 1 }), call("b", "remove", { n: 2 }), request("a", "remove", { n: 1 })]);
    const second = await go([request("b", "remove", { n: 2 })], first);
    expect(second).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "b", args: { n: 2 } } });
  });

  test("a call that is done in the run before is not told again by the one that goes on", async () => {
    const { evidence: first } = await seen([START, call("a", "list"), result("a", "list", 1), call("b", "remove"), request("b", "remove")]);
    const second = await go([result("a", "list", 1), chunk("tool-output-denied", { toolCallId: "b", toolName: "remove", args: {}, approval: { approved: false } }), step(), START, text("No."), step(), FINISH], first);
    expect(shown(second)).toEqual([{ id: "b", name: "remove", args: {}, completed: false, approval: "denied" }]);
    expect(second.completions).toEqual([]);
  });

  test("without the evidence before, a run that goes on is one that stands alone, and no approval is made up", async () => {
    const { evidence } = await seen([result("a", "remove", 1), result("b", "list", 2), step(), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "a", name: "remove", args: {}, completed: true, result: 1 }, { id: "b", name: "list", args: {}, completed: true, result: 2 }]);
  });

  test("a question about what is not known is named", async () => {
    const { warnings } = await seen([request("", "remove"), chunk("tool-output-denied", { toolName: "remove" }), START, text("No."), step(), FINISH]);
    expect(codes(warnings)).toEqual(["approval_unmatched", "approval_unmatched"]);
  });
});

describe("kind provider-executed", () => {
  test("a provider's call ends while the model writes, later, or never", async () => {
    const own = (id: string): object => call(id, "web_search", { q: id }, { providerExecuted: true });
    const { evidence } = await seen([START, own("now"), result("now", "web_search", 1), own("later"), own("never"), step(), START, result("later", "web_search", 2), text("Done."), step(), FINISH]);
    expect(shown(evidence)).toMatchObject([{ id: "now", result: 1 }, { id: "later", result: 2 }, { id: "never", completed: false }]);
    expect(evidence.terminalPhase).toBe("completed");
  });

  test("one that ended before its step was retracted has happened", async () => {
    const { evidence, warnings } = await seen([START, call("p", "web_search", {}, { providerExecuted: true }), result("p", "web_search", 1), call("m", "remove"), text("bad"), step({}, "retry"), START, text("good"), step(), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "p", name: "web_search", args: {}, completed: true, result: 1 }]);
    expect(evidence.answer).toBe("good");
    expect(codes(warnings)).toEqual(["call_retracted", "text_retracted"]);
  });

  test("a tool that goes on in the background has not come back before it has", async () => {
    const ack = "Background task started. Task ID: t. The tool is running.";
    const begun = [START, call("k", "crawl"), chunk("background-task-started", { taskId: "t", toolCallId: "k", toolName: "crawl" }), result("k", "crawl", ack), step(), START, text("It runs."), step()];
    const open = await seen([...begun, FINISH]);
    expect(open.evidence).toMatchObject({ terminalPhase: "completed", toolCalls: [{ completed: false }] });
    const done = await seen([...begun, chunk("background-task-completed", { toolCallId: "k", toolName: "crawl", result: 7 }), FINISH]);
    expect(shown(done.evidence)).toMatchObject([{ result: 7 }]);
    const lost = await seen([...begun, chunk("background-task-failed", { toolCallId: "k", toolName: "crawl", error: { message: "gone" } }), FINISH]);
    expect(shown(lost.evidence)).toMatchObject([{ failure: "unknown" }]);
  });
});

describe("kind terminal-state", () => {
  test.each([
    ["stop", undefined, "completed"], ["tool-calls", undefined, "completed"], ["length", undefined, "failed"], ["content-filter", undefined, "failed"], ["error", undefined, "failed"],
    ["tripwire", undefined, "failed"], ["retry", undefined, "failed"], ["other", "compaction", "failed"], ["aborted", undefined, "cancelled"], ["suspended", undefined, "suspended"],
  ])("a run that finishes for %s (%s) has %s", async (reason, rawReason, phase) => {
    expect((await seen([START, text("a"), step(), finish(reason, rawReason)])).evidence.terminalPhase).toBe(phase);
  });

  test.each([["interrupted"], ["unknown"], ["other"], ["paused"]])("one that finishes for %s has no end that anybody knows", async (reason) => {
    expect(await cut([START, text("Half"), step(), finish(reason)])).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Half", ended: false } });
  });

  test("an error and an abort are not overruled by the finish that Mastra writes after them", async () => {
    const error = Object.assign(new Error("upstream 529"), { name: "AI_APICallError", statusCode: 529, isRetryable: true });
    expect((await seen([START, text("Hel"), chunk("error", { error }), step(undefined, "error"), finish("error")])).evidence).toMatchObject({ answer: "Hel", terminalPhase: "failed", terminalFailure: { httpStatus: 529, retryable: true, kind: "AI_APICallError" } });
    expect((await seen([START, text("Wai"), chunk("abort"), finish("tripwire")])).evidence).toMatchObject({ answer: "Wai", terminalPhase: "cancelled" });
    expect((await seen([chunk("error", { error: new DOMException("gone", "AbortError") }), finish("error")])).evidence.terminalPhase).toBe("cancelled");
  });

  test("a processor that stops a step half way takes back what it had said; what it stops after a finish is named too", async () => {
    const { evidence, warnings } = await seen([START, text("One. "), step(), START, text("a bad wo"), call("k", "look"), chunk("tripwire", { reason: "bad word", processorId: "guard" })]);
    expect(evidence).toMatchObject({ answer: "One. ", toolCalls: [], terminalPhase: "failed", terminalFailure: { kind: "tripwire", message: "bad word", code: "guard" } });
    expect(codes(warnings)).toEqual(["call_retracted", "text_retracted"]);
  });

  test("an answer that broke off while it was read is no end, whatever Mastra writes after it", async () => {
    const closed = Object.assign(new TypeError("terminated"), { cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }) });
    for (const error of [closed, Object.assign(new Error("Failed to process successful response"), { name: "AI_APICallError", statusCode: 200 })]) {
      const ended = await cut([START, text("Half"), chunk("error", { error }), step(undefined, "error"), finish("error")]);
      expect(ended).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Half", ended: false } });
      expect((ended as unknown as Error).message).toContain(error.message);
    }
  });

  test("a stream that stops without an end is incomplete, and one that throws says why", async () => {
    expect(await cut([START, call("k", "look"), text("Your order")])).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order", toolCalls: [{ toolCallId: "k" }] } });
    async function* broken(): AsyncGenerator {
      yield* [START, text("Half")];
      throw new Error("socket closed");
    }
    await expect(collect(events(broken()))).rejects.toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("socket closed"), evidence: { answer: "Half" } });
    await expect(collect(events(Promise.reject(new Error("no instructions"))))).rejects.toThrow("no instructions");
  });

  test("a signal that was aborted tells a run that was stopped from one that waits", async () => {
    const list = [START, call("k", "slow"), step(undefined, "tool-calls"), finish("tool-calls")];
    expect((await seen(list)).evidence.terminalPhase).toBe("suspended");
    expect((await seen(list, { signal: AbortSignal.abort(new Error("enough")) })).evidence.terminalPhase).toBe("cancelled");
    expect((await seen([START, text("Done."), step(), FINISH], { signal: AbortSignal.abort() })).evidence.terminalPhase).toBe("completed");
  });

  test("a run that says and calls nothing is named", async () => {
    expect(codes((await seen([START, step(), FINISH])).warnings)).toEqual(["answer_empty"]);
    expect(STREAM_WARNINGS).toContain("answer_empty");
  });
});

describe("kind usage-accounting", () => {
  test("usage is that of the steps, once each, at every depth; what is not known is not zero", async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.record({ tokens: fc.option(fc.nat(1000), { nil: undefined }), nested: fc.boolean() }), { minLength: 1, maxLength: 8 }), async (steps) => {
      const list = steps.flatMap(({ tokens, nested }, at) => {
        const usage = tokens === undefined ? {} : { inputTokens: tokens, outputTokens: 1, reasoningTokens: 2, cachedInputTokens: 3 };
        return nested ? [call(`k${at}`, "agent-a"), within(`k${at}`, of(`c${at}`, START)), within(`k${at}`, of(`c${at}`, step(usage))), within(`k${at}`, of(`c${at}`, chunk("finish", { stepResult: { reason: "stop" }, output: { usage } }))), result(`k${at}`, "agent-a", 1)] : [START, step(usage)];
      });
      const { evidence } = await seen([...list, FINISH]);
      const known = steps.flatMap(({ tokens }) => tokens ?? []);
      const sum = {
        inputTokens: known.reduce((total, tokens) => total + tokens, 0), outputTokens: known.length, reasoningTokens: 2 * known.length, cachedInputTokens: 3 * known.length, requests: steps.length,
        ...(known.length === steps.length ? {} : { unknownRequests: steps.length - known.length }),
      };
      expect(evidence.usage).toEqual(known.length === 0 ? undefined : sum);
    }), { numRuns: 60 });
  });
});

describe("hostile input", () => {
  // Whoever yields it asks for `then`.
  const trap = new Proxy({}, { get: (_target, name) => { if (name === "then") return undefined; throw new Error("trap"); }, ownKeys: () => { throw new Error("trap"); } });

  test("nothing that a stream holds breaks the reading", async () => {
    const loop: Record<string, unknown> = {};
    loop["loop"] = loop;
    const odd = [trap, null, undefined, 7, {}, { type: "tool-call" }, { type: "tool-call", payload: trap }, { type: "tool-result", payload: { toolCallId: "k", toolName: "a", result: loop } }, { type: "step-finish", payload: trap }, { type: "finish", get payload() { throw new Error("no"); } }, chunk("tool-output", { toolCallId: "k", output: trap }), call("k", "a", { big: 10n, loop, bad: "\ud800" })];
    const { evidence } = await seen([...odd, FINISH]);
    expect(evidence.ended).toBe(true);
    await fc.assert(fc.asyncProperty(fc.array(fc.record({ type: fc.constantFrom("tool-call", "tool-result", "tool-output", "step-start", "step-finish", "workflow-step-start", "workflow-step-output", "workflow-step-result", "agent-execution-start", "agent-execution-end", "tool-call-approval", "tool-output-denied"), from: fc.constant("AGENT"), runId: fc.constantFrom("r", "c"), payload: fc.oneof(fc.anything(), fc.record({ toolCallId: fc.constantFrom("k", "l", ""), toolName: fc.constantFrom("a", "b"), args: fc.anything(), result: fc.anything(), id: fc.constantFrom("a", "a.b"), output: fc.anything() })) }), { maxLength: 12 }), async (list) => {
      const code = await collect(events(stream([...list, FINISH]))).then(() => "", (thrown: { code?: string }) => thrown.code);
      expect(["", "tool_end_mismatch"]).toContain(code);
    }), { numRuns: 150 });
  });

  test("a run of 20,000 calls is read in a breath", async () => {
    const list = Array.from({ length: 20_000 }, (_, at) => [call(`k${at}`, "a", { at }), result(`k${at}`, "a", at)]).flat();
    const began = performance.now();
    expect((await seen([START, ...list, step(), FINISH])).evidence.toolCalls).toHaveLength(20_000);
    expect(performance.now() - began).toBeLessThan(3000);
  });
});

test("a call's start, though it is told only with its end, has the time at which Mastra told it", async () => {
  async function* slowly(): AsyncGenerator {
    yield* [START, call("k", "search"), call("l", "search")];
    await new Promise((resolve) => setTimeout(resolve, 30));
    yield* [result("k", "search", 1), result("l", "search", 2), FINISH];
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { toolCalls } = await collect(events(slowly(), { runId: "run" }), { signal: new AbortController().signal });
  expect(toolCalls.map(({ startedMs = 0, endedMs = 0 }) => startedMs < 15 && endedMs - startedMs > 20)).toEqual([true, true]);
});
