import { events, runs } from "entail/adapter/otel";
import { collect, expectation, expectCall, expectFailure } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { agent, ALL_THAT_A_TRACE_SHOWS, call, chat, content, cutOf, ERROR, look, said, seen, sees, span, text, tool, typical, TYPICAL, type Attributes, type PlainSpan } from "../../../test/otel/spans.ts";

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
