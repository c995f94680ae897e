import { events, runs, STREAM_WARNINGS, type OtelRun } from "entail/adapter/otel";
import { collect } from "entail/evidence";
import { array, assert, asyncProperty, boolean, constantFrom, dictionary, jsonValue, nat, oneof, record, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { agent, ALL_THAT_A_TRACE_SHOWS, attempt, call, chat, codeOf, content, cutOf, ERROR, look, seen, sees, span, text, tool, typical, TYPICAL, type Attributes, type PlainSpan } from "../../../test/otel/spans.ts";

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
