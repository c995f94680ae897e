import { events } from "entail/adapter/otel";
import { assert, asyncProperty, nat, shuffledSubarray } from "fast-check";
import { describe, expect, test } from "vitest";
import { agent, ALL_THAT_A_TRACE_SHOWS, call, chat, content, ERROR, look, response, seen, sees, span, text, tool, typical, TYPICAL, type PlainSpan } from "../../../test/otel/spans.ts";

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
