import { events, runs, STREAM_WARNINGS, type EventsOptions, type OtelRun, type StreamWarning } from "entail/adapter/otel";
import { collect, expectation, expectCall, expectFailure, type Evidence, type Observes } from "entail/evidence";
import { array, assert, asyncProperty, boolean, constantFrom, dictionary, jsonValue, nat, oneof, record, shuffledSubarray, string } from "fast-check";
import { describe, expect, test } from "vitest";

type Attributes = Readonly<Record<string, unknown>>;
interface PlainSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly kind?: string;
  readonly status?: unknown;
  readonly attributes: Attributes;
  readonly events?: readonly { readonly name: string; readonly attributes: Attributes }[];
}

let clock = 0;
const span = (name: string, spanId: string, parentSpanId: string, attributes: Attributes, over: Partial<PlainSpan> = {}): PlainSpan => ({
  traceId: "t", spanId, ...(parentSpanId === "" ? {} : { parentSpanId }), name, startTime: (clock += 10), endTime: clock + 5, attributes, ...over,
});
const agent = (id: string, parent = "", attributes: Attributes = {}, over: Partial<PlainSpan> = {}): PlainSpan => span(`invoke_agent ${id}`, id, parent, { "gen_ai.operation.name": "invoke_agent", ...attributes }, over);
const text = (content: string): object => ({ type: "text", content });
const call = (id: string | null, name: string, args: unknown): object => ({ type: "tool_call", id, name, arguments: args });
const response = (id: string, value: unknown): object => ({ type: "tool_call_response", id, response: value });
const said = (...parts: object[]): object[] => [{ role: "assistant", parts, finish_reason: "stop" }];
const chat = (id: string, parent: string, parts: readonly object[] | undefined, reason = "stop", attributes: Attributes = {}, over: Partial<PlainSpan> = {}): PlainSpan =>
  span(`chat ${id}`, id, parent, { "gen_ai.operation.name": "chat", "gen_ai.response.finish_reasons": [reason], ...(parts === undefined ? {} : { "gen_ai.output.messages": JSON.stringify(said(...parts)) }), ...attributes }, over);
const tool = (id: string, parent: string, name: string, callId: string | undefined, attributes: Attributes = {}, over: Partial<PlainSpan> = {}): PlainSpan =>
  span(`execute_tool ${name}`, id, parent, { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, ...(callId === undefined ? {} : { "gen_ai.tool.call.id": callId }), ...attributes }, over);
const content = (args: unknown, result?: unknown): Attributes => ({ "gen_ai.tool.call.arguments": JSON.stringify(args), ...(result === undefined ? {} : { "gen_ai.tool.call.result": JSON.stringify(result) }) });
const ERROR = { code: 2, message: "it broke" };

async function seen(spans: unknown, options: EventsOptions = {}): Promise<{ evidence: Evidence; warned: readonly StreamWarning["code"][] }> {
  const stream = events(spans as object, options);
  return { evidence: await collect(stream), warned: [...new Set(stream.warnings.map(({ code }) => code))] };
}
const codeOf = (thrown: unknown): unknown => (thrown as { code?: unknown }).code;
function attempt(make: () => unknown): unknown {
  try {
    return make();
  } catch (thrown) {
    return thrown;
  }
}
const cutOf = async (spans: unknown, options: EventsOptions = {}): Promise<{ code: string; message: string; evidence: Evidence }> =>
  (await collect(events(spans as object, options)).then(() => { throw new Error("the run was whole"); }, (thrown: unknown) => thrown)) as never;
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolCallId, toolName, args, result, failure, completed, parentToolCallId }) => [toolCallId, toolName, args, failure?.kind ?? result, completed, parentToolCallId]);
const sees = ({ observes }: { observes: Observes }): string[] => Object.entries(observes).filter(([, value]) => value).map(([name]) => name);
const ALL_THAT_A_TRACE_SHOWS = ["args", "results", "failureKinds", "parents"];

/** An agent that looks twice, at once, and answers. */
const typical = (): PlainSpan[] => [
  agent("root", "", { "gen_ai.conversation.id": "talk", "gen_ai.response.finish_reasons": ["stop"], "gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 12 }),
  chat("c1", "root", [text("Let me see. "), call("a", "list", { window: "24h" }), call("b", "list", { window: "7d" })], "tool_calls", { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 5, "gen_ai.usage.reasoning.output_tokens": 2 }),
  tool("x1", "root", "list", "b", content({ window: "7d" }, { ids: [2] })),
  tool("x2", "root", "list", "a", content({ window: "24h" }, { ids: [1] })),
  chat("c2", "root", [text("Two alarms.")], "stop", { "gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 7, "gen_ai.usage.cache_read.input_tokens": 4 }),
];
const TYPICAL = {
  runId: "root",
  sessionId: "talk",
  answer: "Let me see. Two alarms.",
  terminalPhase: "completed",
  ended: true,
  usage: { inputTokens: 30, outputTokens: 12, reasoningTokens: 2, cachedInputTokens: 4, requests: 2 },
};

test("a trace gives its run: the calls as the model issued them, what each gave back, the answer, the usage once", async () => {
  const { evidence, warned } = await seen(typical());
  expect(evidence).toMatchObject(TYPICAL);
  expect(look(evidence)).toEqual([["a", "list", { window: "24h" }, { ids: [1] }, true, undefined], ["b", "list", { window: "7d" }, { ids: [2] }, true, undefined]]);
  expect(sees(evidence)).toEqual(ALL_THAT_A_TRACE_SHOWS);
  expect(warned).toEqual([]);
});

describe("format variants: the same trace in every form in which it is kept", () => {
  const value = (of: unknown): object => (typeof of === "string" ? { stringValue: of } : typeof of === "number" ? { intValue: String(of) } : Array.isArray(of) ? { arrayValue: { values: of.map(value) } } : { kvlistValue: { values: Object.entries(of as object).map(([key, inner]) => ({ key, value: value(inner) })) } });
  const otlp = (spans: readonly PlainSpan[], names = ["resourceSpans", "scopeSpans"]): object => ({
    [names[0] ?? ""]: [{ [names[1] ?? ""]: [{ spans: spans.map(({ attributes, startTime, endTime, ...rest }) => ({ ...rest, kind: 1, startTimeUnixNano: `${startTime}000000`, endTimeUnixNano: `${endTime}000000`, attributes: Object.entries(attributes).map(([key, of]) => ({ key, value: value(of) })) })) }] }],
  });
  /** As an instrumentation with structured attributes writes it. */
  const structured = (): PlainSpan[] => typical().map((one) => ({ ...one, attributes: Object.fromEntries(Object.entries(one.attributes).map(([key, of]) => [key, typeof of === "string" && /^[[{]/.test(of) ? (JSON.parse(of) as unknown) : of])) }));
  const asReadable = ({ traceId, spanId, parentSpanId, startTime, endTime, ...rest }: PlainSpan): object => ({ ...rest, spanContext: () => ({ traceId, spanId }), ...(parentSpanId === undefined ? {} : { parentSpanContext: { traceId, spanId: parentSpanId } }), startTime: [startTime, 0], endTime: [endTime, 0], ended: true });

  test.each<[string, () => unknown]>([
    ["plain objects", typical],
    ["spans of the SDK", () => typical().map(asReadable)],
    ["structured attributes", structured],
    ["OTLP", () => otlp(typical())],
    ["OTLP with structured attributes", () => otlp(structured())],
    ["OTLP of older scopes", () => otlp(typical(), ["resourceSpans", "instrumentationLibrarySpans"])],
    ["batches", () => otlp(typical(), ["batches", "scopeSpans"])],
    ["several documents", () => typical().map((one) => otlp([one]))],
    ["a text", () => JSON.stringify(otlp(typical()))],
    ["a text with a document a line", () => typical().map((one) => JSON.stringify(otlp([one]))).join("\n")],
    ["dates as texts", () => typical().map(({ startTime, endTime, ...one }) => ({ ...one, startTime: new Date(startTime).toISOString(), endTime: new Date(endTime) }))],
    ["in any order, some twice, one of them first without its end", () => [{ ...typical()[0], spanId: "root", endTime: 0 }, ...typical().toReversed(), ...typical().slice(1, 3)]],
  ])("%s", async (_form, source) => {
    const { evidence } = await seen(source());
    expect(evidence).toMatchObject(TYPICAL);
    expect(look(evidence).map((of) => (of as unknown[]).slice(0, 5))).toEqual([["a", "list", { window: "24h" }, { ids: [1] }, true], ["b", "list", { window: "7d" }, { ids: [2] }, true]]);
  });

  test("messages as events of the span, and as log records beside it", async () => {
    const root = agent("root");
    const first = chat("c1", "root", undefined, "tool_calls");
    const last = chat("c2", "root", undefined, "stop");
    const x = tool("x", "root", "list", "a", content({}, 1));
    const details = (parts: object[]): { name: string; attributes: Attributes } => ({ name: "gen_ai.client.inference.operation.details", attributes: { "gen_ai.output.messages": said(...parts) } });
    const choice = (message: object, finish_reason: string): { name: string; attributes: Attributes } => ({ name: "gen_ai.choice", attributes: { index: 0, finish_reason, message: JSON.stringify(message) } });
    const older = { tool_calls: [{ id: "a", type: "function", function: { name: "list", arguments: "{}" } }] };
    const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [
      { spanId: "c1", eventName: "gen_ai.choice", body: value({ index: 0, finish_reason: "tool_calls", message: older }) },
      { spanId: "c2", attributes: [{ key: "event.name", value: { stringValue: "gen_ai.choice" } }], body: value({ index: 0, finish_reason: "stop", message: { content: "One." } }) },
    ] }] }] };
    const sources = [
      [root, { ...first, events: [details([call("a", "list", {})])] }, x, { ...last, events: [details([text("One.")])] }],
      [root, { ...first, events: [choice(older, "tool_calls")] }, x, { ...last, events: [{ name: "gen_ai.choice", attributes: { index: 1, message: { content: "Two." } } }, choice({ content: "One." }, "stop")] }],
      [root, { ...first, events: [{ name: "gen_ai.choice", attributes: { "gen_ai.event.content": JSON.stringify({ index: 0, message: older }) } }] }, x, { ...last, events: [choice({ content: "One." }, "stop")] }],
      [root, first, x, last, logs],
    ];
    for (const source of sources) {
      const { evidence } = await seen(source);
      expect(evidence.answer).toBe("One.");
      expect(look(evidence)).toEqual([["a", "list", {}, 1, true, undefined]]);
      expect(sees(evidence)).toEqual(ALL_THAT_A_TRACE_SHOWS);
    }
  });
});

describe("what the trace lets be seen is computed from what it holds", () => {
  const trace = (over: { parts?: readonly object[] | undefined; attributes?: Attributes; spans?: readonly PlainSpan[] } = {}): PlainSpan[] => [
    agent("root", "", { "gen_ai.response.finish_reasons": ["stop"] }),
    chat("c1", "root", "parts" in over ? over.parts : [call("a", "list", { n: 1 })], "tool_calls"),
    tool("x", "root", "list", "a", over.attributes ?? content({ n: 1 }, 5)),
    chat("c2", "root", "parts" in over && over.parts === undefined ? undefined : [text("Five.")]),
    ...(over.spans ?? []),
  ];

  test.each<[string, PlainSpan[], string[]]>([
    ["everything recorded", trace(), ALL_THAT_A_TRACE_SHOWS],
    ["no results", trace({ attributes: content({ n: 1 }) }), ["args", "failureKinds", "parents"]],
    ["the tool without arguments, but with those that the model wrote", trace({ attributes: { "gen_ai.tool.call.result": "5" } }), ALL_THAT_A_TRACE_SHOWS],
    ["arguments nowhere", trace({ parts: [{ type: "tool_call", id: "a", name: "list" }], attributes: { "gen_ai.tool.call.result": "5" } }), ["results", "failureKinds", "parents"]],
    ["no content at all", trace({ parts: undefined, attributes: {} }), []],
    ["no messages, though the tools have content: other tools may have been called", trace({ parts: undefined }), []],
    ["messages that were cut off", trace().map((one) => (one.spanId === "c2" ? { ...one, attributes: { ...one.attributes, "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","con' } } : one)), []],
    ["a failure of unknown kind", trace({ spans: [tool("y", "root", "pay", undefined, content({}), { status: ERROR })] }), ["args", "results", "parents"]],
    ["a failure whose class leaves no doubt", trace({ spans: [tool("y", "root", "pay", undefined, { ...content({}), "error.type": "timeout" }, { status: ERROR })] }), ALL_THAT_A_TRACE_SHOWS],
    ["a span below one that is missing", trace({ spans: [tool("y", "gone", "pay", undefined, content({}, 1))] }), []],
    ["a nested agent without messages", trace({ spans: [agent("inner", "x"), chat("i1", "inner", undefined)] }), ["args", "results", "failureKinds"]],
    ["a hidden agent that the work was handed to", trace({ spans: [agent("inner", "root")] }), []],
  ])("%s", (_what, spans, expected) => {
    expect(sees({ observes: events(spans, { withoutMessages: true }).observes })).toEqual(expected);
  });

  test("tools alone, without model calls, are seen where they were recorded with content", () => {
    expect(sees({ observes: events([agent("root"), tool("x", "root", "list", "a", content({}, 1))]).observes })).toEqual(ALL_THAT_A_TRACE_SHOWS);
    expect(sees({ observes: events([agent("root"), tool("x", "root", "list", "a")]).observes })).toEqual([]);
  });

  test("without content, names of calls are in the evidence, and whatever is asked of tools decides nothing", async () => {
    const { evidence } = await seen(trace({ parts: undefined, attributes: {} }), { withoutMessages: true });
    expect(evidence.toolCalls).toMatchObject([{ toolName: "list", args: {}, argsRaw: "absent", completed: true, resultOmitted: { reason: "the trace does not hold it" } }]);
    for (const asked of [expectation({ forbidTools: ["delete"] }), expectation({ exact: true }), expectation({ tools: [expectCall({ name: "list" })] }), expectation({ tools: [expectFailure({ name: "list" }, "timeout")] })]) {
      expect(() => asked.checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }) as Error);
    }
  });

  test("a completed run whose messages were not recorded is no empty answer", async () => {
    expect(await cutOf(trace({ parts: undefined }))).toMatchObject({ code: "not_observable", evidence: { ended: false } });
    expect((await seen(trace({ parts: undefined }), { withoutMessages: true })).evidence).toMatchObject({ answer: "", terminalPhase: "completed" });
    const { evidence, warned } = await seen([agent("root"), chat("c1", "root", [text("")])]);
    expect(evidence.answer).toBe("");
    expect(warned).toEqual(["answer_empty"]);
  });

  test("bounds and kinds are read with the application's own words", async () => {
    const spans = trace({ spans: [tool("y", "root", "pay", undefined, content({}), { status: ERROR })] });
    const stream = events(spans, { bounds: (name, result) => (name === "list" && result === 5 ? { returned: 5, truncated: true } : undefined), failureKind: (name, type, message) => (name === "pay" && type === "" && message === "it broke" ? "domain_rejection" : undefined) });
    expect(sees(stream)).toEqual(["args", "results", "failureKinds", "parents", "bounds"]);
    expect((await collect(stream)).toolCalls.toSorted((a, b) => (a.toolName < b.toolName ? -1 : 1))).toMatchObject([{ toolName: "list", bounds: { returned: 5, truncated: true } }, { toolName: "pay", failure: { kind: "domain_rejection" } }]);
  });
});

describe("the answer", () => {
  test("of several choices is the first", async () => {
    const { evidence } = await seen([agent("root"), chat("c", "root", undefined, "stop", { "gen_ai.request.choice.count": 2, "gen_ai.output.messages": [...said(text("One.")), ...said(text("Two."))] })]);
    expect(evidence.answer).toBe("One.");
  });

  test("is what the agent's own span holds where its model calls hold nothing", async () => {
    const { evidence } = await seen([agent("root", "", { "gen_ai.output.messages": said(text("One.")) }), chat("c", "root", undefined)]);
    expect(evidence).toMatchObject({ answer: "One.", terminalPhase: "completed", observes: { args: false } });
  });

  test("leaves thoughts and files out; a part that is not known is noticed", async () => {
    const { evidence, warned } = await seen([agent("root"), chat("c", "root", [{ type: "reasoning", content: "Hm." }, { type: "blob", content: "AA==" }, text("One."), { type: "sparkle" }])]);
    expect(evidence.answer).toBe("One.");
    expect(warned).toEqual(["part_unknown"]);
  });
});

test("what cannot be read, and what an exporter cut off, is noticed", () => {
  const { warnings } = events([agent("root"), chat("c1", "root", undefined, "stop", { "gen_ai.output.messages": "[{" }), { ...chat("c2", "root", [text("Hi.")]), droppedAttributesCount: 2 }]);
  expect(warnings.map(({ code }) => code)).toEqual(["messages_unreadable", "attributes_dropped"]);
});

describe("calls", () => {
  test("a call that was issued and not run has no end; with a refusal it has failed", async () => {
    const spans = (told: readonly object[]): PlainSpan[] => [agent("root"), chat("c1", "root", [call("a", "list", {}), call("b", "nope", {})], "tool_calls"), tool("x", "root", "list", "a", content({}, 1)), chat("c2", "root", [text("Done.")], "stop", { "gen_ai.input.messages": JSON.stringify([{ role: "tool", parts: told }]) })];
    const left = await seen(spans([response("a", 1), response("b", "there is no such tool")]));
    expect(look(left.evidence)).toEqual([["a", "list", {}, 1, true, undefined], ["b", "nope", {}, undefined, false, undefined]]);
    expect(left.warned).toEqual(["call_not_executed"]);
    const refused = await seen(spans([response("b", "AI_NoSuchToolError: Model tried to call unavailable tool 'nope'.")]));
    expect(look(refused.evidence)[1]).toEqual(["b", "nope", {}, "invalid_call", true, undefined]);
    expect(sees(refused.evidence)).toEqual(ALL_THAT_A_TRACE_SHOWS);
  });

  test("where no tool is recorded, a response does not say that its call succeeded, unless that is asked for", async () => {
    const spans = [agent("root"), chat("c1", "root", [call("a", "list", {})], "tool_calls"), chat("c2", "root", [text("Done.")], "stop", { "gen_ai.input.messages": JSON.stringify([{ role: "tool", parts: [response("a", { ids: [] })] }]) })];
    const { evidence } = await seen(spans);
    expect(look(evidence)).toEqual([["a", "list", {}, undefined, false, undefined]]);
    expect(sees(evidence)).toEqual(["args", "failureKinds", "parents"]);
    const trusted = await seen(spans, { responsesAreResults: true });
    expect(look(trusted.evidence)).toEqual([["a", "list", {}, { ids: [] }, true, undefined]]);
    expect(sees(trusted.evidence)).toEqual(ALL_THAT_A_TRACE_SHOWS);
  });

  test("a call that the run passed over without a word of it may have been run by anybody: its end is not seen", () => {
    const { observes } = events([agent("root"), chat("c1", "root", [call("a", "web_search", {})], "tool_calls"), chat("c2", "root", [text("Done.")])]);
    expect(sees({ observes })).toEqual(["args", "failureKinds", "parents"]);
  });

  test("a provider's own call has the result that its response brings, in the same step or a later one", async () => {
    const server = { type: "server_tool_call", id: "s", name: "web_search", server_tool_call: { type: "web_search", query: "x" } };
    const answer = { type: "server_tool_call_response", id: "s", server_tool_call_response: { type: "web_search", pages: 3 } };
    for (const spans of [[chat("c1", "root", [server, answer, text("Three.")])], [chat("c1", "root", [server], "pause_turn"), chat("c2", "root", [answer, text("Three.")])], [chat("c1", "root", [call("s", "web_search", { query: "x" })], "tool_calls"), tool("x", "root", "web_search", "s"), chat("c2", "root", [response("s", { pages: 3 }), text("Three.")])]]) {
      const { evidence } = await seen([agent("root"), ...spans]);
      expect(look(evidence)).toEqual([["s", "web_search", { query: "x" }, { pages: 3 }, true, undefined]]);
      expect(sees(evidence)).toEqual(ALL_THAT_A_TRACE_SHOWS);
    }
    const { observes } = events([agent("root"), chat("c1", "root", [server, text("Three.")])]);
    expect(observes.results).toBe(false);
  });

  test("arguments keep every digit and stay as they were written where they are no JSON; a result may be plain words", async () => {
    const { evidence } = await seen([agent("root"), chat("c1", "root", []), tool("x", "root", "list", "a", { "gen_ai.tool.call.arguments": '{"n":9007199254740993}', "gen_ai.tool.call.result": "rainy, 57°F" }), tool("y", "root", "list", "b", { "gen_ai.tool.call.arguments": "{n: 1", "gen_ai.tool.call.result": "5" })]);
    expect(evidence.toolCalls).toMatchObject([{ argsJson: '{"n":9007199254740993}', result: "rainy, 57°F", resultJson: '"rainy, 57°F"' }, { argsJson: "{n: 1", args: "{n: 1", result: 5 }]);
  });

  describe("id collision", () => {
    test("an id that is used again is another call, with the runs in their order", async () => {
      const { evidence, warned } = await seen([agent("root"), chat("c1", "root", [call("a", "list", { n: 1 })], "tool_calls"), tool("x", "root", "list", "a", content({ n: 1 }, 1)), chat("c2", "root", [call("a", "list", { n: 2 })], "tool_calls"), tool("y", "root", "list", "a", content({ n: 2 }, 2)), chat("c3", "root", [text("Done.")])]);
      expect(look(evidence)).toEqual([["a", "list", { n: 1 }, 1, true, undefined], ["a#2", "list", { n: 2 }, 2, true, undefined]]);
      expect(warned).toEqual(["call_id_reused"]);
    });

    test("a tool that ran twice for one call ran twice", async () => {
      const { evidence } = await seen([agent("root"), chat("c1", "root", [call("a", "list", {})], "tool_calls"), tool("x", "root", "list", "a", content({}), { status: ERROR }), tool("y", "root", "list", "a", content({}, 2)), chat("c3", "root", [text("Done.")])]);
      expect(look(evidence)).toEqual([["a", "list", {}, "unknown", true, undefined], ["a#2", "list", {}, 2, true, undefined]]);
    });

    test("calls of nested agents may have the ids of others", async () => {
      const { evidence } = await seen([agent("root"), chat("c1", "root", [call("a", "ask", {})], "tool_calls"), tool("x", "root", "ask", "a", content({}, "ok")), agent("inner", "x"), chat("i1", "inner", [call("a", "list", {})], "tool_calls"), tool("y", "inner", "list", "a", content({}, 1)), chat("i2", "inner", [text("ok")]), chat("c2", "root", [text("Done.")])]);
      expect(look(evidence)).toEqual([["a", "ask", {}, "ok", true, undefined], ["a#2", "list", {}, 1, true, "a"]]);
    });

    test("calls without an id are matched with their runs by name, in their order", async () => {
      const { evidence, warned } = await seen([agent("root"), chat("c1", "root", [call(null, "list", { n: 1 }), call(null, "pay", {}), call(null, "list", { n: 2 })], "tool_calls"), tool("x", "root", "list", undefined, content({ n: 1 }, 1)), tool("y", "root", "list", undefined, content({ n: 2 }, 2)), chat("c2", "root", [text("Done.")])]);
      expect(look(evidence).map((of) => (of as unknown[]).slice(1, 5))).toEqual([["list", { n: 1 }, 1, true], ["pay", {}, undefined, false], ["list", { n: 2 }, 2, true]]);
      expect(new Set(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(3);
      expect(warned).toEqual(["call_id_missing", "call_not_executed"]);
    });

    test("names that every object has are names like others", async () => {
      const { evidence } = await seen([agent("root"), chat("c1", "root", [call("__proto__", "constructor", {})], "tool_calls"), tool("x", "root", "constructor", "__proto__", content({}, 1)), chat("c2", "root", [text("Done.")])]);
      expect(look(evidence)).toEqual([["__proto__", "constructor", {}, 1, true, undefined]]);
    });
  });
});

describe("nested attribution", () => {
  test("an agent within a tool: its calls below the tool's, its words none of the answer, its tokens counted", async () => {
    const { evidence } = await seen([
      agent("root"), chat("c1", "root", [call("a", "ask", {}), call("b", "list", {})], "tool_calls", { "gen_ai.usage.input_tokens": 1, "gen_ai.usage.output_tokens": 1 }),
      tool("x", "root", "ask", "a", content({}, "ok")), agent("inner", "x", { "gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 100 }), chat("i1", "inner", [text("Hm. "), call("d", "list", { deep: true })], "tool_calls", { "gen_ai.usage.input_tokens": 2, "gen_ai.usage.output_tokens": 2 }), tool("y", "inner", "list", "d", content({ deep: true }, 1)), chat("i2", "inner", [text("ok")]),
      tool("z", "root", "list", "b", content({}, 2)), chat("c2", "root", [text("Done.")]),
    ]);
    expect(look(evidence)).toEqual([["a", "ask", {}, "ok", true, undefined], ["d", "list", { deep: true }, 1, true, "a"], ["b", "list", {}, 2, true, undefined]]);
    expect(evidence).toMatchObject({ answer: "Done.", usage: { inputTokens: 3, outputTokens: 3, requests: 4, unknownRequests: 2 } });
    expect(evidence.toolCalls.map(({ runId }) => runId)).toEqual(["root", "root/inner", "root"]);
  });

  test("agents that the work was handed to: their calls stand by themselves, and the last one's words are the answer where the first says nothing", async () => {
    const { evidence, warned } = await seen([
      span("invoke_workflow w", "root", "", { "gen_ai.operation.name": "invoke_workflow" }),
      agent("first", "root"), chat("a1", "first", [call("a", "list", {})], "tool_calls"), tool("x", "first", "list", "a", content({}, 1)), chat("a2", "first", [text("A draft.")]),
      agent("second", "root"), chat("b1", "second", [text("The letter.")]),
    ]);
    expect(look(evidence)).toEqual([["a", "list", {}, 1, true, undefined]]);
    expect(evidence).toMatchObject({ answer: "The letter.", terminalPhase: "completed" });
    expect(sees(evidence)).toEqual(ALL_THAT_A_TRACE_SHOWS);
    expect(warned).toEqual(["answer_of_nested_agent"]);
  });

  test("a remote agent and the call of it are one; so are a tool and the protocol that ran it", async () => {
    const { evidence, warned } = await seen([
      agent("root", "", { "gen_ai.agent.name": "support" }, { kind: "CLIENT" }), agent("server", "root", { "gen_ai.agent.name": "support" }),
      chat("c1", "server", [call("a", "list", {})], "tool_calls"), tool("x", "server", "list", "a", content({})), span("tools/call list", "m", "x", { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "list", "gen_ai.tool.call.result": "7" }), chat("c2", "server", [text("Done.")]),
    ]);
    expect(look(evidence)).toEqual([["a", "list", {}, 7, true, undefined]]);
    expect(evidence).toMatchObject({ answer: "Done.", toolCalls: [{ runId: "root" }] });
    expect(warned).toEqual([]);
  });

  test("steps and requests between them change nothing", async () => {
    const wrap = typical().flatMap((one) => (one.parentSpanId === undefined ? [one] : [{ ...one, parentSpanId: `step ${one.spanId}` }, span("step", `step ${one.spanId}`, "root", { "gen_ai.operation.name": "agent_step" }), span("POST", `http ${one.spanId}`, one.spanId, { "http.request.method": "POST" })]));
    expect((await seen(wrap)).evidence).toMatchObject(TYPICAL);
  });

  test("a hundred thousand agents within one another neither break the reading nor pass for seen", () => {
    const deep = Array.from({ length: 100_000 }, (_, at) => agent(`a${at}`, at === 0 ? "" : `a${at - 1}`));
    expect(sees({ observes: events(deep, { withoutMessages: true }).observes })).toEqual([]);
  }, 20_000);
});

describe("clocks that disagree", () => {
  test("a tool whose clock is an hour behind stands where the model issued its call", async () => {
    const spans = typical().map((one) => (one.spanId.startsWith("x") ? { ...one, startTime: one.startTime - 3_600_000, endTime: one.endTime - 3_600_000 } : one));
    expect((await seen(spans)).evidence).toMatchObject(TYPICAL);
    expect(look((await seen(spans)).evidence).map((of) => (of as unknown[])[0])).toEqual(["a", "b"]);
  });

  test("whatever the order in which spans come, and whatever the children's clocks, the evidence is the same", async () => {
    const spans = typical();
    await assert(
      asyncProperty(shuffledSubarray([...spans, ...spans.slice(0, 2)], { minLength: 7 }), nat(10_000), async (shuffled, skew) => {
        const { evidence } = await seen(shuffled.map((one) => (one.spanId.startsWith("x") ? { ...one, startTime: one.startTime - skew } : one)));
        expect(evidence).toMatchObject(TYPICAL);
        expect(look(evidence)).toEqual([["a", "list", { window: "24h" }, { ids: [1] }, true, undefined], ["b", "list", { window: "7d" }, { ids: [2] }, true, undefined]]);
      }),
      { numRuns: 40 },
    );
  });

  test("branches that ran side by side are told by the time of their model calls, not by that of what wraps them", async () => {
    const branch = (id: string, startTime: number): PlainSpan => span("branch", id, "root", {}, { startTime });
    const { evidence } = await seen([agent("root", "", {}, { startTime: 1 }), branch("b1", 2), branch("b2", 3), chat("late", "b1", [text("second.")], "stop", {}, { startTime: 20 }), chat("soon", "b2", [text("First, ")], "stop", {}, { startTime: 10 })]);
    expect(evidence.answer).toBe("First, second.");
  });

  test("spans without a time are taken in the order in which they are given", async () => {
    const spans = typical().map(({ startTime: _start, endTime: _end, ...one }) => ({ ...one, ended: true }));
    expect((await seen(spans)).evidence).toMatchObject(TYPICAL);
  });
});

describe("missing events", () => {
  test("a run whose root is not there, or has no end, has none", async () => {
    const [root, ...rest] = typical();
    expect(await cutOf(rest)).toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("is not in the trace") as string, evidence: { ended: false, answer: "Let me see. Two alarms." } });
    expect(await cutOf([{ ...root, endTime: 0 }, ...rest])).toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("has no end") as string });
  });

  test("a tool below a missing span is told by the id of its call, and nothing else is guessed", async () => {
    const spans = typical().map((one) => (one.spanId === "x1" ? { ...one, parentSpanId: "gone" } : one));
    const { evidence, warned } = await seen(spans);
    expect(look(evidence)).toEqual([["a", "list", { window: "24h" }, { ids: [1] }, true, undefined], ["b", "list", { window: "7d" }, { ids: [2] }, true, undefined]]);
    expect(sees(evidence)).toEqual([]);
    expect(warned).toEqual(["parent_missing"]);
  });

  test("what stood beside the agent, below the same request, is none of it", async () => {
    const [root, ...rest] = typical();
    const beside = [chat("m", "request", [text("Is this allowed?"), call("z", "moderate", {})], "tool_calls")];
    for (const request of [[], [span("POST /chat", "request", "", {})]]) {
      const { evidence, warned } = await seen([{ ...root, parentSpanId: "request" }, ...rest, ...beside, ...request]);
      expect(evidence).toMatchObject(TYPICAL);
      expect(evidence.toolCalls).toHaveLength(2);
      expect(sees(evidence)).toEqual(ALL_THAT_A_TRACE_SHOWS);
      expect(warned).toEqual(request.length === 0 ? ["parent_missing"] : []);
    }
  });

  test("a call whose span has no end was not seen to end", async () => {
    const { evidence, warned } = await seen([agent("root"), chat("c1", "root", [call("a", "list", {})], "tool_calls"), tool("x", "root", "list", "a", content({}), { endTime: 0 }), chat("c2", "root", [text("Done.")])]);
    expect(look(evidence)).toEqual([["a", "list", {}, undefined, false, undefined]]);
    expect(warned).toEqual(["span_open"]);
  });

  test("spans whose parents go round in a circle belong to nothing", () => {
    const { observes, warnings } = events([...typical(), chat("p", "q", [call("z", "delete", {})]), tool("q", "p", "delete", "z")]);
    expect(sees({ observes })).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(["parent_missing"]);
    expect(() => events([chat("p", "q", []), tool("q", "p", "delete", "z")])).toThrow("hold no run");
  });
});

describe("terminal state", () => {
  const run = (reason: string | undefined, root: Attributes = {}, over: Partial<PlainSpan> = {}, parts: readonly object[] | null = [text("Hm.")]): PlainSpan[] => [agent("root", "", root, over), span("chat", "c", "root", { "gen_ai.operation.name": "chat", ...(reason === undefined ? {} : { "gen_ai.response.finish_reasons": [reason] }), ...(parts === null ? {} : { "gen_ai.output.messages": [{ role: "assistant", parts }] }) })];

  test.each<[string, PlainSpan[], object]>([
    ["stop", run("stop"), { terminalPhase: "completed" }],
    ["Anthropic's end", run("end_turn"), { terminalPhase: "completed" }],
    ["Google's end", run("STOP"), { terminalPhase: "completed" }],
    ["no reason, but an answer", run(undefined), { terminalPhase: "completed" }],
    ["no reason, but a status that is well", run(undefined, {}, { status: { code: "STATUS_CODE_OK" } }, [text("")]), { terminalPhase: "completed" }],
    ["the token limit", run("max_tokens"), { terminalPhase: "failed", terminalFailure: { kind: "length", code: "max_tokens" } }],
    ["a filter", run("content_filter"), { terminalPhase: "failed", terminalFailure: { kind: "content_filter" } }],
    ["the root's own reason before its last call's", run("tool_calls", { "gen_ai.response.finish_reasons": ["stop"] }), { terminalPhase: "completed" }],
    ["an error of the root", run("stop", { "error.type": "RateLimitError" }, { status: ERROR }), { terminalPhase: "failed", terminalFailure: { message: "it broke", kind: "RateLimitError" } }],
    ["an error without a status", run("stop", { "error.type": "500" }), { terminalPhase: "failed", terminalFailure: { message: "500", kind: "500" } }],
    ["an exception", run("stop", {}, { status: { code: 2 }, events: [{ name: "exception", attributes: { "exception.type": "TypeError", "exception.message": "no" } }] }), { terminalPhase: "failed", terminalFailure: { message: "no", kind: "TypeError" } }],
    ["an abort", run(undefined, { "error.type": "AbortError" }, { status: { code: 2, message: "enough" } }), { terminalPhase: "cancelled" }],
    ["a cancelled task", run(undefined, { "error.type": "asyncio.CancelledError" }, { status: { code: 2 } }), { terminalPhase: "cancelled" }],
    ["a call that nobody answered", run("tool_calls", { "gen_ai.response.finish_reasons": ["tool_calls"] }, {}, [call("a", "pay", {})]), { terminalPhase: "suspended" }],
    ["the limit of steps", [...run("tool_calls", { "gen_ai.response.finish_reasons": ["tool-calls"] }, {}, [call("a", "pay", {})]), tool("x", "root", "pay", "a", content({}, 1))], { terminalPhase: "completed" }],
  ])("%s", async (_what, spans, expected) => {
    expect((await seen(spans)).evidence).toMatchObject({ ended: true, ...expected });
  });

  test.each<[string, PlainSpan[], string]>([
    ["a root that says nothing after its last call asked for tools", run("tool_calls"), "asked for tools"],
    ["a root and model calls that say nothing at all", run(undefined, {}, {}, null), "no finish reason"],
    ["a reason that is not known", run("weird"), '"weird" is not known'],
    ["a turn that was paused", run("pause_turn"), "is not known"],
  ])("%s is no end", async (_what, spans, why) => {
    expect(await cutOf(spans)).toMatchObject({ code: "stream_incomplete", message: expect.stringContaining(why) as string, evidence: { ended: false } });
  });

  test.each([["timeout", "timeout"], ["TimeoutError", "timeout"], ["429", "rate_limited"], ["openai.RateLimitError", "rate_limited"], ["ECONNREFUSED", "unavailable"], ["503", "unavailable"], ["CancelledError", "cancelled"], ["ValueError", "unknown"], ["_OTHER", "unknown"], ["not a timeout at all", "unknown"]])("a tool's error of the class %s is of the kind %s", async (type, kind) => {
    const { evidence } = await seen([agent("root"), chat("c", "root", [call("a", "pay", {})], "tool_calls"), tool("x", "root", "pay", "a", { ...content({}), "error.type": type }, { status: { code: 2, message: "no" } }), chat("d", "root", [text("It failed.")])]);
    expect(evidence.toolCalls).toMatchObject([{ failure: { kind, error: { message: "no", cause: { message: type } } } }]);
  });
});

describe("several runs", () => {
  const two = (): PlainSpan[] => [...typical(), ...typical().map((one) => ({ ...one, traceId: "u", spanId: `u-${one.spanId}`, ...(one.parentSpanId === undefined ? {} : { parentSpanId: `u-${one.parentSpanId}` }) }))];

  test("are never mixed: one is named, by its span or its trace", async () => {
    expect(() => events(two())).toThrow("the spans hold 2 runs (root (invoke_agent root), u-root (invoke_agent root)); name the root of one, or take them all from runs()");
    for (const root of ["u", "u-root"]) expect((await seen(two(), { root })).evidence).toMatchObject({ ...TYPICAL, runId: "u-root" });
    expect(() => events(two(), { root: "nowhere" })).toThrow('hold no run "nowhere"');
  });

  test("are all given, in the order of their start", async () => {
    const all = runs(two().toReversed());
    expect(all.map(({ spanId, traceId, name, startedAt }) => [spanId, traceId, name, typeof startedAt])).toEqual([["root", "t", "invoke_agent root", "string"], ["u-root", "u", "invoke_agent root", "string"]]);
    for (const { events: one, spanId } of all) expect(await collect(one)).toMatchObject({ ...TYPICAL, runId: spanId });
  });

  test("the same ids in two traces are two spans", () => {
    expect(runs([...typical(), ...typical().map((one) => ({ ...one, traceId: "u" }))])).toHaveLength(2);
  });

  test("without an agent's span, a tree with model calls is a run", async () => {
    const [, ...rest] = typical();
    const request = span("POST /chat", "root", "", {});
    expect((await seen([request, ...rest])).evidence).toMatchObject({ answer: "Let me see. Two alarms.", terminalPhase: "completed", toolCalls: [{ toolCallId: "a" }, { toolCallId: "b" }] });
    expect((await seen([chat("alone", "", [text("Hi.")])])).evidence).toMatchObject({ answer: "Hi.", runId: "alone", terminalPhase: "completed" });
  });
});

describe("what is no trace", () => {
  test.each<[string, unknown]>([
    ["nothing", undefined], ["a number", 5], ["an empty list", []], ["a text that is no JSON", "spans"], ["an empty text", ""], ["objects without ids", [{ name: "x" }]], ["OTLP without spans", { resourceSpans: [] }], ["spans of something else", [span("GET", "a", "", {})]],
  ])("%s is said", (_what, source) => {
    expect(() => events(source as object)).toThrow(expect.objectContaining({ code: "option_invalid" }) as Error);
  });

  test("a list within itself", () => {
    const list: unknown[] = [];
    list.push(list, ...typical());
    expect(events(list).observes.args).toBe(true);
  });
});

describe("hostile spans", () => {
  const anything = jsonValue({ maxDepth: 3 });
  const hostile = record(
    {
      traceId: constantFrom("t", "u", "__proto__"), spanId: constantFrom("a", "b", "c", "d", "constructor"), parentSpanId: constantFrom("a", "b", "c", "d", ""), name: oneof(string(), constantFrom("execute_tool", "invoke_agent x")),
      startTime: oneof(anything, nat()), endTime: oneof(anything, nat()), ended: boolean(), status: anything, kind: anything,
      attributes: oneof(anything, dictionary(constantFrom("gen_ai.operation.name", "gen_ai.tool.name", "gen_ai.tool.call.id", "gen_ai.output.messages", "gen_ai.input.messages", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result", "error.type", "gen_ai.response.finish_reasons", "gen_ai.usage.input_tokens"), oneof(anything, constantFrom("invoke_agent", "chat", "execute_tool", "stop", '[{"role":"assistant","parts":[{"type":"tool_call","name":"x"}]}]')))),
      events: anything,
    },
    { requiredKeys: ["spanId", "attributes"] },
  );

  test("whatever spans hold, reading them either says what is wrong or gives events that the collector takes", async () => {
    await assert(
      asyncProperty(array(hostile, { maxLength: 8 }), async (spans) => {
        const all = attempt(() => runs(spans));
        const found = Array.isArray(all) ? (all as readonly OtelRun[]) : [];
        const codes = Array.isArray(all) ? await Promise.all(found.map(({ events: one }) => collect(one).then(() => "whole", codeOf))) : [codeOf(all)];
        expect(["option_invalid", "whole", "stream_incomplete", "not_observable"]).toEqual(expect.arrayContaining(codes));
        expect(STREAM_WARNINGS).toEqual(expect.arrayContaining(found.flatMap(({ events: one }) => one.warnings.map(({ code }) => code))));
      }),
      { numRuns: 300 },
    );
  });

  test("members that throw, and values that JSON cannot hold", async () => {
    const throws = Object.defineProperty({ ...chat("c9", "root", []) }, "attributes", { get: () => { throw new Error("gotcha"); } });
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const { evidence } = await seen([throws, agent("root"), chat("c1", "root", [call("a", "list", {})], "tool_calls"), tool("x", "root", "list", "a", { "gen_ai.tool.call.arguments": { n: 1n, cyclic }, "gen_ai.tool.call.result": { at: new Date(0), big: 5n } }), chat("c2", "root", [text("Done.")])]);
    expect(evidence.toolCalls).toMatchObject([{ args: { n: "1", cyclic: { self: "[circular]" } }, completed: true }]);
  });
});
