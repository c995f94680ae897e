import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCollector, type Evidence, OBSERVES_EVERYTHING, PROGRESS_EVENTS, type StreamEvent } from "entail/evidence";
import { asks, call, called, completed, end, fail, gather, phase, reply, ROOT, start, streamEnd } from "../../test/agent-events.ts";

const ofChild = { runId: "child", sessionId: "session" } as const;
const ids = (evidence: Evidence): string[] => evidence.toolCalls.map((call) => call.toolCallId);
const code = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return (error as { code: unknown }).code;
  }
  return "nothing was thrown";
};

test("[116] interleaved runs become one causal list, the root's answer and the root's end", () => {
  const collector = createCollector();
  const events: StreamEvent[] = [
    start("call-1", "list", { window: "24h" }),
    start("call-2", "helper"),
    start("call-2a", "detail", {}, { ...ofChild, parentToolCallId: "call-2" }),
    end("call-1", "list", { alarms: [1, 2] }),
    { type: "assistant_reply", ...ofChild, text: "the child thinks " },
    end("call-2a", "detail", {}, { ...ofChild, parentToolCallId: "call-2" }),
    reply("The answer "),
    { type: "run_stream_end", ...ofChild },
    end("call-2", "helper"),
    reply("is 42."),
    phase("completed"),
    streamEnd,
  ];
  for (const [at, event] of events.entries()) {
    expect(collector.done).toBe(false);
    collector.consume(event);
    expect(collector.done).toBe(at === events.length - 1);
  }
  const evidence = collector.finish();
  expect(evidence).toMatchObject({ runId: "root", sessionId: "session", answer: "The answer is 42.", terminalPhase: "completed", ended: true, observes: OBSERVES_EVERYTHING });
  expect(evidence.toolCalls.map((call) => call.toolName)).toEqual(["list", "helper", "detail"]);
  expect(evidence.toolCalls.every((call) => call.completed && call.failure === undefined)).toBe(true);
  expect(evidence.toolCalls[0]).toEqual({
    toolCallId: "call-1",
    toolName: "list",
    args: { window: "24h" },
    argsJson: '{"window":"24h"}',
    result: { alarms: [1, 2] },
    resultJson: '{"alarms":[1,2]}',
    runId: "root",
    completed: true,
  });
  expect(evidence.toolCalls[2]?.parentToolCallId).toBe("call-2");
});

test("[117] a failed call and a failed run keep their reasons", () => {
  const evidence = gather([start("a", "list"), fail("a", "list", "invalid_call", "no window"), { type: "workflow", ...ROOT, phase: "failed", failure: { message: "the model gave up", retryable: false } }, streamEnd]);
  expect(evidence.toolCalls[0]).toMatchObject({ completed: true, failure: { kind: "invalid_call", error: { message: "no window" } } });
  expect(Object.hasOwn(evidence.toolCalls[0] ?? {}, "result")).toBe(false);
  expect(evidence.terminalPhase).toBe("failed");
  expect(evidence.terminalFailure).toEqual({ message: "the model gave up", retryable: false });
});

test("[118] a confirmation alone is evidence, with its tool and its prompt", () => {
  const evidence = gather([{ ...asks("a", "delete_alarm", { id: "7" }), id: "confirm-1", title: "Delete?" }]);
  expect(evidence.confirmation).toEqual({
    toolCallId: "a",
    toolName: "delete_alarm",
    id: "confirm-1",
    title: "Delete?",
    prompt: "May I call delete_alarm?",
    args: { id: "7" },
    argsJson: '{"id":"7"}',
    state: "pending",
  });
  expect(evidence.toolCalls).toEqual([]);
  expect(evidence.ended).toBe(false);
});

test("[119] a child's failure and end are not the root's", () => {
  const collector = createCollector();
  collector.consume(phase("planning"));
  collector.consume({ type: "workflow", ...ofChild, phase: "failed", failure: { message: "the child failed" } });
  collector.consume({ type: "run_stream_end", ...ofChild });
  expect(collector.done).toBe(false);
  const evidence = collector.finish();
  expect(evidence.terminalPhase).toBeUndefined();
  expect(evidence.terminalFailure).toBeUndefined();
  expect(evidence.ended).toBe(false);
});

test("[120] a call id that starts twice is refused with the id and the tool", () => {
  const collector = createCollector();
  collector.consume(start("a", "list"));
  expect(() => collector.consume(start("a", "detail"))).toThrow(expect.objectContaining({ code: "tool_start_duplicate", message: expect.stringMatching(/"a".*"detail".*"list"/) }));
  expect(ids(collector.finish())).toEqual(["a"]);
});

test("[121] an end without a start is refused", () => {
  expect(() => gather([end("a", "list")])).toThrow(expect.objectContaining({ code: "tool_end_unknown", message: expect.stringContaining('"a"') }));
});

test("[122] a call whose parent was never seen makes finish refuse, and names both", () => {
  expect(() => gather([start("a", "list", {}, { ...ofChild, parentToolCallId: "lost" })])).toThrow(expect.objectContaining({ code: "causal_orphan", message: expect.stringMatching(/"a".*"lost"/) }));
});

test("[210] a second end for one call, and an end of another name, are refused", () => {
  const collector = createCollector();
  for (const event of call("a", "list", {}, { first: true })) collector.consume(event);
  expect(code(() => collector.consume(end("a", "list", { first: false })))).toBe("tool_end_duplicate");
  collector.consume(start("b", "list"));
  expect(code(() => collector.consume(end("b", "detail")))).toBe("tool_end_mismatch");
  const [a, b] = collector.finish().toolCalls;
  expect(a?.result).toEqual({ first: true });
  expect(b).toMatchObject({ toolName: "list", completed: false });
});

test("[211] what is consumed after finish changes later evidence and no earlier one", () => {
  const collector = createCollector();
  // The child starts before its parent, so the causal order is another than that of the starts.
  collector.consume(start("child", "detail", {}, { parentToolCallId: "parent" }));
  collector.consume(start("parent", "helper"));
  const early = collector.finish();
  const before = structuredClone(early);
  collector.consume(end("child", "detail", "of the child"));
  collector.consume(end("parent", "helper", "of the parent"));
  collector.consume(start("late", "list"));
  const late = collector.finish();
  expect(early).toEqual(before);
  expect(late.toolCalls.map((call) => [call.toolName, call.result])).toEqual([
    ["helper", "of the parent"],
    ["detail", "of the child"],
    ["list", undefined],
  ]);
});

test("[212] calls that are each other's or their own parents make finish refuse", () => {
  expect(code(() => gather([start("a", "x", {}, { parentToolCallId: "b" }), start("b", "y", {}, { parentToolCallId: "a" })]))).toBe("causal_orphan");
  expect(code(() => gather([start("a", "x", {}, { parentToolCallId: "a" })]))).toBe("causal_orphan");
});

test("[219] the confirmation asked for last is the one shown, also one of a child", () => {
  const evidence = gather([asks("a", "delete_alarm"), { ...asks("b", "wire", { amount: 900 }), ...ofChild }]);
  expect(evidence.confirmation).toMatchObject({ toolCallId: "b", toolName: "wire", args: { amount: 900 }, state: "pending" });
});

test("[220] events without runs are the root's, whose id is then empty", () => {
  const evidence = gather([
    { type: "tool_start", toolCallId: "a", toolName: "list" },
    { type: "tool_end", toolCallId: "a", toolName: "list", result: [1] },
    { type: "assistant_reply", text: "one " },
    { type: "assistant_reply", text: "alarm" },
    { type: "workflow", phase: "completed" },
    { type: "run_stream_end" },
  ]);
  expect(evidence).toMatchObject({ runId: "", sessionId: "", answer: "one alarm", terminalPhase: "completed", ended: true });
  expect(evidence.toolCalls[0]).toMatchObject({ args: {}, result: [1] });
});

test("[221] a named root is not taken over by a child that speaks first", () => {
  const story: StreamEvent[] = [{ type: "assistant_reply", ...ofChild, text: "child" }, { type: "run_stream_end", ...ofChild }, reply("root"), phase("completed"), streamEnd];
  expect(gather(story).answer).toBe("child");
  const evidence = gather(story, { rootRunId: "root" });
  expect(evidence).toMatchObject({ runId: "root", answer: "root", terminalPhase: "completed", ended: true });
});

describe("a call without arguments", () => {
  test.each([
    ["nothing", {}, "absent"],
    ["null", { args: null }, "null"],
    ["an empty text", { args: "" }, "empty"],
    ["an empty raw text", { argsJson: "" }, "empty"],
    ["a raw null", { argsJson: "null" }, "null"],
    ["a raw null with space", { argsJson: " null\n" }, "null"],
  ] as const)("case 094: that came with %s has the arguments {}, and how they came is kept", (_, given, raw) => {
    const evidence = gather([{ type: "tool_start", toolCallId: "a", toolName: "ping", ...given }]);
    expect(evidence.toolCalls[0]).toEqual({ toolCallId: "a", toolName: "ping", args: {}, argsJson: "{}", argsRaw: raw, completed: false });
  });

  test("case 094: that came with {} says nothing of how it came", () => {
    expect(gather([{ type: "tool_start", toolCallId: "a", toolName: "ping", args: {} }]).toolCalls[0]).toEqual({ toolCallId: "a", toolName: "ping", args: {}, argsJson: "{}", completed: false });
  });
});

describe("arguments and results", () => {
  test("keep every digit of their raw text, in canonical form", () => {
    const evidence = gather([start("a", "x", undefined, { argsJson: ' { "b" : 9007199254740993, "a": 1.50 } ' }), end("a", "x", undefined, { resultJson: "[1e400, 2]" })]);
    expect(evidence.toolCalls[0]).toMatchObject({ argsJson: '{"a":1.50,"b":9007199254740993}', resultJson: "[1e400,2]" });
  });

  test.each(['{"a":', "```json\n{}\n```", '{"a":1,"a":2}', "  ", '{"a":"\\ud800"}'])("that are not JSON (%j) stay the raw text on both members", (text) => {
    const evidence = gather([start("a", "x", undefined, { argsJson: text }), end("a", "x", undefined, { resultJson: text })]);
    expect(evidence.toolCalls[0]).toMatchObject({ args: text, argsJson: text, result: text, resultJson: text });
  });

  test("an empty text and null are results like any other; none at all is none", () => {
    const evidence = gather([call("a", "x", {}, ""), call("b", "x", {}, null), start("c", "x"), { type: "tool_end", toolCallId: "c", toolName: "x" }]);
    expect(evidence.toolCalls.map((call) => [call.result, call.resultJson])).toEqual([["", '""'], [null, "null"], [undefined, undefined]]);
    expect(evidence.toolCalls[2]?.completed).toBe(true);
  });

  test("that were left out on purpose say so", () => {
    const evidence = gather([start("a", "x"), { type: "tool_end", ...ROOT, toolCallId: "a", toolName: "x", resultOmitted: { reason: "too large", bytes: 4096 } }]);
    expect(evidence.toolCalls[0]?.resultOmitted).toEqual({ reason: "too large", bytes: 4096 });
  });

  test("are members of their own, whatever they are called", () => {
    const evidence = gather([start("__proto__", "constructor", undefined, { argsJson: '{"__proto__":{"isAdmin":true},"constructor":1}' }), end("__proto__", "constructor")]);
    const [call] = evidence.toolCalls;
    expect(call?.toolCallId).toBe("__proto__");
    expect(Object.keys(call?.args as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });
});

describe("the causal order", () => {
  test("is that of the starts, never that of the ends", () => {
    const evidence = gather([start("a", "weather"), start("b", "flights"), end("b", "flights"), end("a", "weather")]);
    expect(ids(evidence)).toEqual(["a", "b"]);
  });

  test("of any forest: each parent right before its subtree, siblings as they were issued, whatever the interleaving", () => {
    const forest = fc
      .array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 40 })
      .map((draws) => draws.map(([draw, isRoot], at) => (at === 0 || isRoot ? undefined : draw % at)))
      .chain((parents) => fc.tuple(fc.constant(parents), fc.shuffledSubarray(parents.map((_, at) => at), { minLength: parents.length })));
    fc.assert(
      fc.property(forest, ([parents, issued]) => {
        const evidence = gather(issued.map((at) => start(String(at), "x", {}, parents[at] === undefined ? {} : { parentToolCallId: String(parents[at]) })));
        const walk = (parent: number | undefined): number[] => issued.filter((at) => parents[at] === parent).flatMap((at) => [at, ...walk(at)]);
        expect(ids(evidence)).toEqual(walk(undefined).map(String));
      }),
    );
  });

  test("of ten thousand calls, each within the one before, needs no stack", () => {
    const evidence = gather(Array.from({ length: 10_000 }, (_, at) => start(`${at}`, "x", {}, at === 0 ? {} : { parentToolCallId: `${at - 1}` })).toReversed());
    expect(evidence.toolCalls[9_999]?.toolCallId).toBe("9999");
  });
});

describe("how a run ends", () => {
  test.each([["completed", "completed"], ["failed", "failed"], ["cancelled", "cancelled"], ["canceled", "cancelled"], ["suspended", "suspended"], ["planning", undefined]])("the phase %s is read as %s", (name, read) => {
    expect(gather([phase(name)]).terminalPhase).toBe(read);
  });

  test("the last terminal phase counts, and only a failure has a reason", () => {
    const failed: StreamEvent = { type: "workflow", ...ROOT, phase: "failed", failure: { message: "first" } };
    expect(gather([failed, phase("completed")])).toMatchObject({ terminalPhase: "completed" });
    expect(gather([failed, phase("completed")]).terminalFailure).toBeUndefined();
    expect(gather([phase("completed"), failed])).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: "first" } });
    expect(gather([failed, phase("executing_tools")]).terminalPhase).toBe("failed");
  });

  test("a call that ends after the run has ended is completed, and marked as late", () => {
    const evidence = gather([start("a", "x"), call("b", "x"), phase("completed"), streamEnd, end("a", "x", "late")]);
    expect(evidence.toolCalls[0]).toMatchObject({ completed: true, result: "late", endedLate: true });
    expect(evidence.toolCalls[1]?.endedLate).toBeUndefined();
  });
});

describe("a confirmation that was answered", () => {
  const decision = (approved: boolean): StreamEvent => ({ type: "tool_authorization", ...ROOT, toolCallId: "a", approved });

  test("has the answer as its state, and so has the call", () => {
    const approved = gather([asks("a", "wire"), decision(true), call("a", "wire")]);
    expect(approved.confirmation?.state).toBe("approved");
    expect(approved.toolCalls[0]?.approval).toBe("approved");
    const denied = gather([asks("a", "wire"), decision(false), call("a", "wire", {}, { denied: true })]);
    expect(denied.confirmation?.state).toBe("denied");
    expect(denied.toolCalls[0]).toMatchObject({ approval: "denied", completed: true });
    expect(denied.toolCalls[0]?.failure).toBeUndefined();
  });

  test("marks a call that started before, and one that nobody allowed stays pending", () => {
    expect(gather([start("a", "wire"), asks("a", "wire")]).toolCalls[0]?.approval).toBe("pending");
    expect(gather([start("a", "wire"), asks("a", "wire"), decision(true)]).toolCalls[0]?.approval).toBe("approved");
    expect(gather([asks("a", "wire"), call("a", "wire")]).toolCalls[0]?.approval).toBe("pending");
    expect(called("wire").toolCalls[0]?.approval).toBeUndefined();
  });
});

test("usage is added up over the whole tree, and unknown where nothing was said", () => {
  const evidence = gather([
    { type: "usage", ...ROOT, usage: { inputTokens: 10, outputTokens: 2, requests: 1 } },
    { type: "usage", ...ofChild, usage: { inputTokens: 5, requests: 1, cost: 0.5 } },
  ]);
  expect(evidence.usage).toEqual({ inputTokens: 15, outputTokens: 2, requests: 2, cost: 0.5 });
  expect(Object.hasOwn(called("x"), "usage")).toBe(false);
});

test("events of unknown type are counted and left aside; the known ones that carry nothing are not even counted", () => {
  const unheard = { type: "brand_new", ...ROOT, foo: 1 } as unknown as StreamEvent;
  const progress = PROGRESS_EVENTS.map((type) => ({ type, ...ROOT }));
  const evidence = completed(unheard, reply("Hi"), unheard, { ...unheard, type: "__proto__" } as unknown as StreamEvent, ...progress);
  expect(evidence.unknownEvents).toEqual([{ type: "brand_new", times: 2 }, { type: "__proto__", times: 1 }]);
  expect(evidence.answer).toBe("Hi");
  expect(Object.hasOwn(completed(...progress), "unknownEvents")).toBe(false);
});

describe("a malformed event", () => {
  const hostile = { type: "tool_start" } as Record<string, unknown>;
  Object.defineProperty(hostile, "toolCallId", { get: () => { throw new Error("no reading here"); } });
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;

  test.each<[string, unknown, RegExp]>([
    ["is no object", null, /must be an object; it is null/],
    ["is a text", "tool_start", /must be an object/],
    ["has no type", { runId: "root" }, /type must be a text.*undefined/],
    ["has a run that is no text", { type: "usage", runId: 7 }, /runId must be a text; it is the number 7/],
    ["starts a call without an id", { type: "tool_start", toolName: "x" }, /tool_start: toolCallId .*undefined/],
    ["starts a call with an empty id", { type: "tool_start", toolCallId: "", toolName: "x" }, /toolCallId/],
    ["starts a call without a name", { type: "tool_start", toolCallId: "a" }, /tool_start of call "a": toolName must be a text/],
    ["has arguments with a bigint", { type: "tool_start", toolCallId: "a", toolName: "x", args: { n: 1n } }, /call "a": args must be a JSON value.*n/],
    ["has cyclic arguments", { type: "tool_start", toolCallId: "a", toolName: "x", args: cyclic }, /args must be a JSON value/],
    ["has arguments with NaN", { type: "tool_start", toolCallId: "a", toolName: "x", args: [Number.NaN] }, /args must be a JSON value/],
    ["has raw arguments that are no text", { type: "tool_start", toolCallId: "a", toolName: "x", argsJson: {} }, /argsJson must be a text/],
    ["replies with no text", { type: "assistant_reply", text: { value: "hi" } }, /assistant_reply: text must be a text; it is an object/],
    ["has no phase", { type: "workflow" }, /phase must be a text/],
    ["fails without a reason in words", { type: "workflow", phase: "failed", failure: {} }, /failure.message/],
    ["asks without a prompt", { type: "await_confirmation", toolCallId: "a", toolName: "x" }, /prompt must be a text/],
    ["decides nothing", { type: "tool_authorization", toolCallId: "a", approved: "yes" }, /approved must be true or false; it is "yes"/],
    ["consumed less than nothing", { type: "usage", usage: { inputTokens: -1 } }, /inputTokens must be a number that is not negative/],
    ["consumed no numbers", { type: "usage", usage: { cost: "1" } }, /cost/],
    ["cannot be read", hostile, /cannot be read: no reading here/],
  ])("that %s is refused in one sentence", (_, event, message) => {
    const collector = createCollector();
    expect(() => collector.consume(event as StreamEvent)).toThrow(expect.objectContaining({ code: "event_invalid", message: expect.stringMatching(message) }));
    collector.consume(reply("still here"));
    expect(collector.finish()).toMatchObject({ runId: "root", answer: "still here", toolCalls: [] });
  });

  test.each<[string, unknown, RegExp]>([
    ["a result and a failure", { result: 1, failure: { kind: "timeout", error: { message: "late" } } }, /result and a failure/],
    ["bounds that are no bounds", { bounds: { returned: 2 } }, /bounds.truncated/],
    ["bounds that count backwards", { bounds: { returned: -2, truncated: false } }, /bounds.returned/],
    ["a result that is left out for no text", { resultOmitted: { reason: 7 } }, /resultOmitted.reason/],
    ["a result that JSON cannot hold", { result: () => 1 }, /result must be a JSON value/],
  ])("that ends a call with %s leaves it open", (_, members, message) => {
    const collector = createCollector();
    collector.consume(start("a", "x"));
    expect(() => collector.consume({ type: "tool_end", ...ROOT, toolCallId: "a", toolName: "x", ...(members as object) })).toThrow(expect.objectContaining({ code: "event_invalid", message: expect.stringMatching(message) }));
    expect(collector.finish().toolCalls[0]?.completed).toBe(false);
    collector.consume(end("a", "x", "mended"));
    expect(collector.finish().toolCalls[0]?.result).toBe("mended");
  });

  test("elects no root", () => {
    const collector = createCollector();
    expect(code(() => collector.consume(end("a", "x", 1, { runId: "other", sessionId: "elsewhere" })))).toBe("tool_end_unknown");
    collector.consume(reply("mine"));
    expect(collector.finish()).toMatchObject({ runId: "root", sessionId: "session", answer: "mine" });
  });
});

test("null stands for a member that is not there", () => {
  const evidence = gather([
    { type: "tool_start", runId: null, toolCallId: "a", toolName: "x", parentToolCallId: null, args: { b: 1 }, argsJson: null },
    { type: "tool_end", toolCallId: "a", toolName: "x", result: 1, resultJson: null, failure: null, bounds: null, resultOmitted: null },
  ] as unknown as StreamEvent[]);
  expect(evidence.toolCalls[0]).toEqual({ toolCallId: "a", toolName: "x", args: { b: 1 }, argsJson: '{"b":1}', result: 1, resultJson: "1", completed: true });
});

test("bounds are copied as they are", () => {
  const bounds = { returned: 2, total: 3, truncated: true, nextCursor: "c2", refinementHint: "narrow the window" };
  const evidence = gather([start("a", "x"), end("a", "x", [], { bounds })]);
  bounds.returned = 99;
  expect(evidence.toolCalls[0]?.bounds).toEqual({ returned: 2, total: 3, truncated: true, nextCursor: "c2", refinementHint: "narrow the window" });
});

test("an event of another session is refused; the first session counts, or the one that is named", () => {
  const collector = createCollector();
  collector.consume({ type: "workflow", runId: "root", phase: "planning" });
  collector.consume(reply("mine"));
  expect(code(() => collector.consume({ type: "assistant_reply", runId: "root", sessionId: "other", text: "not mine" }))).toBe("session_foreign");
  expect(collector.finish()).toMatchObject({ sessionId: "session", answer: "mine" });
  expect(code(() => gather([reply("x")], { sessionId: "other" }))).toBe("session_foreign");
});

test("an end may leave out what its start said, and may not contradict it", () => {
  const child = start("a", "x", {}, { ...ofChild, parentToolCallId: "p" });
  const ends = (more: object): unknown => code(() => gather([start("p", "helper"), child, end("a", "x", 1, { ...ofChild, ...more })]));
  expect(ends({})).toBe("nothing was thrown");
  expect(ends({ parentToolCallId: "p", callRunId: "child" })).toBe("nothing was thrown");
  expect(ends({ parentToolCallId: "q" })).toBe("tool_end_mismatch");
  expect(ends({ callRunId: "root" })).toBe("tool_end_mismatch");
  expect(ends({ toolName: "" })).toBe("nothing was thrown");
});

test("a call whose start has no name takes that of its end", () => {
  expect(gather([start("a", ""), end("a", "x")]).toolCalls[0]?.toolName).toBe("x");
});

test("options that cannot be meant are refused", () => {
  for (const options of [{ rootRunID: "a" }, { rootRunId: "" }, { sessionId: 7 }, { observes: { args: true } }, { observes: { ...OBSERVES_EVERYTHING, args: "yes" } }, "root"]) {
    expect(code(() => createCollector(options as object))).toBe("option_invalid");
  }
});
