import * as fc from "fast-check";
import { events, type StreamSource } from "entail/adapter/goa-ai";
import { collect, type Evidence, type StreamEvent } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { all, asks, decides, ends, fails, inPieces, objects, over, phase, RUN, says, serverSent, SESSION, starts, streamEnd, wire, type Wire } from "../../../test/goa-ai/wire.ts";

const gather = (...told: readonly (Wire | readonly Wire[])[]): Promise<Evidence> => collect(events(objects(...told)));
const from = (source: StreamSource): Promise<Evidence> => collect(events(source));
const rejection = async (promise: Promise<unknown>): Promise<unknown> => promise.then(() => "it resolved", (thrown: unknown) => thrown);
async function* each(...items: readonly unknown[]): AsyncGenerator<unknown, void> {
  yield* items;
}

const TOLD: readonly Wire[] = [
  phase("planning"),
  starts("c1", "list_alarms", { window: "24h", note: 'caf\u00e9 \ud83d\ude00 "quoted"' }),
  ends("c1", "list_alarms", { ids: ["a1"] }, { bounds: { Returned: 1, Total: 3, Truncated: true, NextCursor: "p2", RefinementHint: "narrow it" } }),
  says("One \ud83d\ude00."),
  wire("usage", { Model: "m", ModelClass: "default", InputTokens: 30, OutputTokens: 4, TotalTokens: 34, CacheReadTokens: 10, CacheWriteTokens: 0 }),
  ...over(),
];

describe("one stream gives one evidence, however it arrives", () => {
  const text = serverSent(TOLD);
  const forms: Readonly<Record<string, () => StreamSource>> = {
    "objects": () => objects(TOLD),
    "texts of one event each": () => each(...TOLD.map((event) => JSON.stringify(event))),
    "bytes of one event each": () => each(...TOLD.map((event) => new TextEncoder().encode(JSON.stringify(event)))),
    "server-sent events as one text": () => each(text),
    "server-sent events in pieces of 1 byte": () => inPieces(text, 1),
    "server-sent events in pieces of 7 bytes": () => inPieces(text, 7),
    "server-sent events with carriage returns": () => inPieces(text.replaceAll("\n", "\r\n"), 5),
    "a web stream": () => ReadableStream.from(inPieces(text, 64)),
    "a response": () => new Response(text),
    "server-sent events that name the type alone": () => each(TOLD.map(({ type, ...rest }) => `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`).join("")),
    "server-sent events with an end mark": () => each(`${text}data: [DONE]\n\n`),
    "events without an envelope": () => objects(TOLD.map(({ payload, ...rest }) => ({ ...rest, ...(payload as object) }))),
    "names in Go's spelling": () => objects(TOLD.map((event) => goSpelled(event) as Wire)),
    "names in camel case": () => objects(TOLD.map((event) => spelledBy(event, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) as Wire)),
  };
  test.each(Object.keys(forms))("%s", async (form) => {
    const evidence = await from(forms[form]?.() ?? objects());
    expect(evidence).toMatchObject({ runId: RUN, sessionId: SESSION, answer: "One \ud83d\ude00.", terminalPhase: "completed", ended: true, usage: { inputTokens: 30, outputTokens: 4, cachedInputTokens: 10, requests: 1 } });
    expect(evidence.toolCalls).toEqual([{
      toolCallId: "c1", toolName: "list_alarms", runId: RUN, completed: true,
      args: { window: "24h", note: 'caf\u00e9 \ud83d\ude00 "quoted"' }, argsJson: '{"note":"caf\u00e9 \ud83d\ude00 \\"quoted\\"","window":"24h"}',
      result: { ids: ["a1"] }, resultJson: '{"ids":["a1"]}',
      bounds: { returned: 1, total: 3, truncated: true, nextCursor: "p2", refinementHint: "narrow it" },
    }]);
    expect(evidence).not.toHaveProperty("unknownEvents");
  });
});

/** The names of an event and of its payload, but not those of arguments and results. */
function spelledBy(event: Wire, spell: (name: string) => string): object {
  const rename = (value: object): object => Object.fromEntries(Object.entries(value).map(([name, inner]) => [spell(name), inner]));
  return { ...rename(event), payload: rename(event.payload as object), type: event.type };
}
function goSpelled(event: Wire): object {
  const spelled = spelledBy(event, (name) => name.split("_").map((word) => (["id", "json"].includes(word) ? word.toUpperCase() : word.slice(0, 1).toUpperCase() + word.slice(1))).join("")) as { Payload?: unknown; payload: unknown };
  const { payload, Payload: _payload, type: _type, ...rest } = spelled as Record<string, unknown>;
  return { ...rest, Type: event.type, Payload: payload };
}

test("the digits of a payload that came as text are kept", async () => {
  const text = JSON.stringify(TOLD[1]).replace('"24h"', "9007199254740993").replace('"24h"', "9007199254740993");
  const end = JSON.stringify(ends("c1", "list_alarms", "HERE")).replace('"HERE"', "1.10");
  const { toolCalls } = await from(each(text, end, ...over().map((event) => JSON.stringify(event))));
  expect([toolCalls[0]?.argsJson.includes('"window":9007199254740993'), toolCalls[0]?.resultJson]).toEqual([true, "1.10"]);
});

describe("bounds", () => {
  const bounded = async (bounds: unknown): Promise<unknown> => (await gather(starts("c1", "list"), ends("c1", "list", {}, { bounds }), over())).toolCalls[0]?.bounds;
  test("are read in Go's spelling, in snake case and in camel case, and a null is absent", async () => {
    const read = { returned: 2, total: 9, truncated: true, nextCursor: "x" };
    expect(await bounded({ Returned: 2, Total: 9, Truncated: true, NextCursor: "x", RefinementHint: "" })).toEqual(read);
    expect(await bounded({ returned: 2, total: 9, truncated: true, next_cursor: "x" })).toEqual(read);
    expect(await bounded({ returned: 2, total: 9, truncated: true, nextCursor: "x" })).toEqual(read);
    expect(await bounded({ Returned: 0, Total: null, Truncated: false, NextCursor: null, RefinementHint: "" })).toEqual({ returned: 0, truncated: false });
    expect(await bounded(null)).toBeUndefined();
  });
  test.each([[[]], ["all"], [{ Truncated: true }], [{ Returned: -1, Truncated: false }], [{ Returned: 1, Truncated: "no" }]])("that are none (%j) are refused, not guessed", async (bounds) => {
    expect(await rejection(bounded(bounds))).toMatchObject({ code: "event_invalid" });
  });
});

describe("usage", () => {
  const used = async (...payloads: readonly object[]): Promise<unknown> => (await gather(payloads.map((payload) => wire("usage", payload)), over())).usage;
  test("is the sum over model calls, in either spelling", async () => {
    expect(await used({ InputTokens: 10, OutputTokens: 2, CacheReadTokens: 4 }, { input_tokens: 5, output_tokens: 1 })).toEqual({ inputTokens: 15, outputTokens: 3, cachedInputTokens: 4, requests: 2 });
  });
  test("of a call that Go could not count is unknown, not zero", async () => {
    expect(await used({ Model: "m", InputTokens: 0, OutputTokens: 0, TotalTokens: 0, CacheReadTokens: 0 })).toEqual({ requests: 1, unknownRequests: 1 });
    expect(await used({ InputTokens: 0, OutputTokens: 7 })).toEqual({ outputTokens: 7, requests: 1 });
    expect(await used({ InputTokens: 7, OutputTokens: 0 })).toEqual({ inputTokens: 7, outputTokens: 0, requests: 1 });
    expect(await used({ InputTokens: -1, OutputTokens: 2.5 })).toEqual({ requests: 1, unknownRequests: 1 });
  });
});

test("a failure has its kind, its causes and the way out, its issues included", async () => {
  const failure = {
    kind: "invalid_call",
    error: { message: "bad window", cause: { message: "no unit" } },
    recovery: {
      action: "correct_call",
      issues: [{ field: "window", constraint: "invalid_length", min_len: 2, max_len: 5, expected_json_type: "string", actual_json_type: "number", allowed: ["24h"] }],
      prior_input: { window: 24 },
      example_json: { window: "24h" },
    },
  };
  const { toolCalls } = await gather(starts("c1", "list", { window: 24 }), wire("tool_end", { call_run_id: RUN, tool_call_id: "c1", tool_name: "list", result: null, failure }), over());
  expect(toolCalls[0]?.failure).toEqual({
    kind: "invalid_call",
    error: { message: "bad window", cause: { message: "no unit" } },
    recovery: {
      action: "correct_call",
      issues: [{ field: "window", constraint: "invalid_length", minLen: 2, maxLen: 5, expectedJsonType: "string", actualJsonType: "number", allowed: ["24h"] }],
      priorInput: { window: 24 },
      exampleJson: { window: "24h" },
    },
  });
  expect(await rejection(gather(starts("c1", "list"), fails("c1", "list", "sulking"), over()))).toMatchObject({ code: "tool_failure_invalid" });
  expect(await rejection(gather(starts("c1", "list"), wire("tool_end", { call_run_id: RUN, tool_call_id: "c1", tool_name: "list", failure: "no" }), over()))).toMatchObject({ code: "tool_failure_invalid" });
});

test("a run that failed without saying why says so, and an HTTP status of 0 is none", async () => {
  expect((await gather(over("failed", { failure: { message: "", debug_message: "deep", http_status: 0 } }))).terminalFailure).toEqual({ message: "deep", debugMessage: "deep" });
  expect((await gather(over("failed", { failure: "" }))).terminalFailure).toEqual({ message: "the run failed without saying why" });
});

test("arguments that were absent, null or empty say how they came", async () => {
  const bare = wire("tool_start", { tool_call_id: "c1", tool_name: "now" });
  const { toolCalls } = await gather(bare, starts("c2", "now", null), starts("c3", "now", {}), over());
  expect(toolCalls.map(({ args, argsRaw }) => [args, argsRaw])).toEqual([[{}, "absent"], [{}, "null"], [{}, undefined]]);
});

describe("an approval", () => {
  test("that is asked for holds the call back; granted, the call follows; denied, its end is no success", async () => {
    expect(await gather(asks("c1", "wire", { amount: 5 }), over("suspended"))).toMatchObject({ toolCalls: [], confirmation: { id: "confirm-c1", title: "Confirm", toolName: "wire", args: { amount: 5 }, state: "pending" } });
    expect((await gather(asks("c1", "wire"), decides("c1", "wire", true), starts("c1", "wire"), ends("c1", "wire", { sent: true }), over())).toolCalls).toMatchObject([{ approval: "approved", result: { sent: true } }]);
    expect((await gather(asks("c1", "wire"), decides("c1", "wire", false), starts("c1", "wire"), ends("c1", "wire", { denied: true }), over())).toolCalls).toMatchObject([{ approval: "denied", completed: true }]);
  });
  test("that is no yes or no is refused", async () => {
    expect(await rejection(gather(asks("c1", "wire"), wire("tool_authorization", { tool_call_id: "c1", tool_name: "wire" }), over()))).toMatchObject({ code: "event_invalid" });
  });
});

describe("events that come again", () => {
  test("with their key, word for word but for the time, count once and are told", async () => {
    const keyed = (at: string): Wire[] => [
      starts("c1", "list", {}, {}, { event_key: "k1", timestamp: at }),
      says("Hello. ", { event_key: "k2", timestamp: at }),
      ends("c1", "list", {}, {}, { event_key: "k3", timestamp: at }),
    ];
    const stream = events(objects(keyed("2026-08-22T10:00:00Z"), keyed("2026-08-22T10:00:09Z"), over()));
    const evidence = await collect(stream);
    expect([evidence.toolCalls.length, evidence.answer]).toEqual([1, "Hello. "]);
    expect(stream.warnings.map(({ code, times }) => [code, times])).toEqual([["event_repeated", 1], ["event_repeated", 1], ["event_repeated", 1]]);
  });
  test("one fact of the run may make two events under one key, and pieces of text may share one", async () => {
    const key = { event_key: "hook-9" };
    expect(await gather(says("a", key), says("b", key), says("a", key), over("completed", {}, key))).toMatchObject({ answer: "aba", ended: true, terminalPhase: "completed" });
  });
  test("as texts too, and two of one key come again as two", async () => {
    const told = (at: string): string[] => over("completed", {}, { event_key: "hook-9", timestamp: at }).map((event) => JSON.stringify(event));
    const stream = events(each(...told("2026-08-22T10:00:00Z"), ...told("2026-08-22T10:00:09Z")));
    expect((await all(stream)).map(({ type }) => type)).toEqual(["workflow", "run_stream_end"]);
    expect(stream.warnings).toHaveLength(2);
  });
  test("in other words, or without a key, are two events: a second start or end is refused", async () => {
    expect(await rejection(gather(starts("c1", "list", {}, {}, { event_key: "k" }), starts("c1", "list", { other: 1 }, {}, { event_key: "k" }), over()))).toMatchObject({ code: "tool_start_duplicate" });
    expect(await rejection(gather(starts("c1", "list"), ends("c1", "list", 1), ends("c1", "list", 1), over()))).toMatchObject({ code: "tool_end_duplicate" });
    expect((await gather(says("ha"), says("ha"), over())).answer).toBe("haha");
  });
});

test("events of other sessions are left out where the session is named, and refused where it is not", async () => {
  const foreign = [says("from elsewhere", { session_id: "other", run_id: "x" }), ...over("failed", {}, { session_id: "other", run_id: "x" })];
  const stream = events(objects(foreign, says("ours"), over()), { sessionId: SESSION });
  expect(await collect(stream)).toMatchObject({ runId: RUN, answer: "ours", terminalPhase: "completed" });
  expect(stream.warnings).toEqual([{ code: "session_left_out", message: 'events of session "other" were left out', times: 3 }]);
  expect(await rejection(gather(says("ours"), foreign, over()))).toMatchObject({ code: "session_foreign" });
});

test("the root may be named where another run comes first", async () => {
  const child = { run_id: "child" };
  const evidence = await collect(events(objects(says("inner", child), over("completed", {}, child), says("outer"), over())), {}, { rootRunId: RUN });
  expect(evidence).toMatchObject({ runId: RUN, answer: "outer" });
});

test("progress carries no evidence, and a type of a later version is counted, not lost", async () => {
  const progress = ["assistant_turn", "planner_thought", "prompt_rendered", "tool_update", "tool_call_args_delta", "tool_output_delta", "await_clarification", "await_questions", "await_external_tools", "session_stream_started", "session_stream_end"];
  const evidence = await gather(progress.map((type) => wire(type, { text: "never an answer", tool_call_id: "c9" })), wire("tool_paused", {}), wire("tool_paused", {}), over());
  expect(evidence).toMatchObject({ answer: "", toolCalls: [], unknownEvents: [{ type: "tool_paused", times: 2 }] });
});

describe("what cannot be read is an error, and what was seen before it is kept", () => {
  test.each([
    ["a text that is no JSON", ['{"type":"assistant_reply","payload":{"text":"a"}}', "{nonsense"], "event_invalid"],
    ["a member that stands twice", ['{"type":"assistant_reply","payload":{"text":"a"}}', '{"type":"workflow","type":"usage"}'], "event_invalid"],
    ["an event that is no object", [{ type: "assistant_reply", payload: { text: "a" } }, 7], "event_invalid"],
    ["an event without a type", [{ type: "assistant_reply", payload: { text: "a" } }, { payload: {} }], "event_invalid"],
    ["a reply without a text", [{ type: "assistant_reply", payload: { text: "a" } }, { type: "assistant_reply", payload: { text: 7 } }], "event_invalid"],
    ["a call without an id", [{ type: "assistant_reply", payload: { text: "a" } }, { type: "tool_start", payload: { tool_name: "x" } }], "event_invalid"],
    ["a stream that stops", [{ type: "assistant_reply", payload: { text: "a" } }], "stream_incomplete"],
  ])("%s", async (_what, items, code) => {
    expect(await rejection(from(each(...items)))).toMatchObject({ code, evidence: { answer: "a", ended: false } });
  });
  test("a source that is none, and a refused request", async () => {
    expect(await rejection(from(7 as never))).toMatchObject({ code: "option_invalid" });
    expect(await rejection(from(new Response("no", { status: 503 })))).toMatchObject({ code: "stream_incomplete", message: "there is no stream of events: the answer has status 503" });
    expect(() => events(objects(), { without: ["tool_starts" as never] })).toThrow('"tool_starts" is none of');
  });
  test("an object whose members throw", async () => {
    const hostile = { type: "tool_start", get payload(): never { throw new Error("no"); } };
    expect(await rejection(from(each({ type: "assistant_reply", payload: { text: "a" } }, hostile)))).toMatchObject({ code: "event_invalid", evidence: { answer: "a" } });
    expect(await rejection(from(each(new Proxy({}, { get: (_, name) => { if (name !== "then") throw new Error("no"); return undefined; } }))))).toMatchObject({ code: "event_invalid" });
  });
});

test("leaving early ends the source, and the source is opened with the first look", async () => {
  let [opened, closed] = [false, false];
  const source = (async function* (): AsyncGenerator<unknown, void> {
    opened = true;
    try {
      for (;;) yield says("more");
    } finally {
      closed = true;
    }
  })();
  const stream = events(source);
  expect(opened).toBe(false);
  for await (const event of stream) {
    expect(event.type).toBe("assistant_reply");
    break;
  }
  expect([opened, closed]).toEqual([true, true]);
});

test("an end mark after the last event is no event", async () => {
  expect((await all(events(each(`${serverSent(over())}data: [DONE]\n\n`)))).map(({ type }) => type)).toEqual(["workflow", "run_stream_end"]);
});

test("a promise of a source is awaited, and one that fails is told to whoever reads", async () => {
  expect(await collect(events(Promise.resolve(objects(says("hi"), over()))))).toMatchObject({ answer: "hi" });
  const failed = events(Promise.reject(new Error("connect ECONNREFUSED")));
  await new Promise((resolve) => setTimeout(resolve));
  expect(await rejection(collect(failed))).toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("ECONNREFUSED") as string });
});

test("kind stream-assembly: whatever the pieces, the events are those of the whole", async () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const turn = fc.record({ text: fc.string({ unit: "binary" }), args: json, result: json });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 4 }), fc.integer({ min: 1, max: 40 }), async (turns, size) => {
      const told = [...turns.flatMap(({ text, args, result }, at) => [says(text.toWellFormed()), starts(`c${at}`, "t", args), ends(`c${at}`, "t", result)]), ...over()];
      const clean = JSON.parse(JSON.stringify(told).replaceAll(/\\ud[89a-f][0-9a-f]{2}/gi, "")) as Wire[];
      const whole: StreamEvent[] = await all(events(each(...clean.map((event) => JSON.stringify(event)))));
      expect(await all(events(inPieces(serverSent(clean), size)))).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

test("kind missing-events: a stream cut anywhere before its run's end never gives evidence that looks whole", async () => {
  const told = [starts("c1", "list"), ends("c1", "list", {}), says("Done."), ...over()];
  for (let length = 0; length < told.length; length++) {
    expect(await rejection(gather(told.slice(0, length)))).toMatchObject({ code: "stream_incomplete", evidence: { ended: false } });
  }
  const text = serverSent(told);
  for (const end of [10, 60, text.length - 40, text.length - 2, text.length - 1]) {
    expect(await rejection(from(inPieces(text.slice(0, end), 16)))).toMatchObject({ code: "stream_incomplete" });
  }
  expect((await gather(told)).ended).toBe(true);
  expect((await gather(told, streamEnd())).ended).toBe(true);
});
