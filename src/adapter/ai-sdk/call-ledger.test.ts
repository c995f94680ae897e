import * as fc from "fast-check";
import { expectation, expectCall } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { FINISH, allPassed, call, cutOf, evidenceOf, inputDelta, inputStart, result, shown, stepOf, text } from "../../../test/ai-sdk/parts.ts";

describe("kind stream-assembly", () => {
  test.each([1, 2, 3, 5, 8])("arguments that come in pieces of %i keep every digit, escape and surrogate", async (size) => {
    const written = '{ "q": "caf\\u00e9 \\ud83d\\ude00 😀", "n": 9007199254740993, "x": -1e2 }';
    const pieces = written.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    const { evidence } = await evidenceOf([inputStart("k", "find"), ...pieces.map((piece) => inputDelta("k", piece)), call("k", "find", JSON.parse(written)), result("k", "find", 1), FINISH]);
    expect(evidence.toolCalls[0]).toMatchObject({ args: { q: "café 😀 😀", x: -100 }, argsJson: '{"n":9007199254740993,"q":"café 😀 😀","x":-1e2}' });
  });

  test("kind stream-assembly: calls whose pieces are interleaved in any way keep their own arguments", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.record({ q: fc.string(), n: fc.integer() }), { minLength: 1, maxLength: 5 }), fc.infiniteStream(fc.nat(4)), async (inputs, choice) => {
        const queues = inputs.map((input, at) => [inputStart(`k${at}`, "t"), ...JSON.stringify(input).match(/[^]{1,3}/g)!.map((piece) => inputDelta(`k${at}`, piece)), call(`k${at}`, "t", input)]);
        const list: unknown[] = [];
        while (queues.some((queue) => queue.length > 0)) {
          const open = queues.filter((queue) => queue.length > 0);
          list.push(open[(choice.next().value ?? 0) % open.length]?.shift());
        }
        const { evidence } = await evidenceOf([...list, ...inputs.map((_, at) => result(`k${at}`, "t", at)), FINISH]);
        const byId = new Map(evidence.toolCalls.map(({ toolCallId, args, result: output }) => [toolCallId, { args, output }]));
        expect(inputs.map((_, at) => byId.get(`k${at}`))).toEqual(inputs.map((args, at) => ({ args, output: at })));
      }),
      { numRuns: 40 },
    ));

  test("a call without arguments has none, whether its text is empty or never comes", async () => {
    const { evidence } = await evidenceOf([inputStart("a", "now"), call("a", "now"), result("a", "now", 1), inputStart("b", "ping"), inputDelta("b", ""), call("b", "ping"), result("b", "ping", 1), FINISH]);
    expect(evidence.toolCalls.map(({ toolName, args }) => [toolName, args])).toEqual([["now", {}], ["ping", {}]]);
  });

  test("what the tool was given counts where the SDK filled in defaults or repaired the call, and what was written where JSON cannot hold it", async () => {
    const { evidence } = await evidenceOf([
      inputStart("a", "t"), inputDelta("a", '{"q":"x"}'), call("a", "t", { q: "x", limit: 10 }), result("a", "t", 1),
      inputStart("b", "t"), inputDelta("b", '{"q": x}'), call("b", "t", { q: "x" }), result("b", "t", 1),
      inputStart("c", "t"), inputDelta("c", '{"day":"2026-11-30"}'), call("c", "t", { day: new Date(0) }), result("c", "t", 1), FINISH,
    ]);
    expect(evidence.toolCalls.map(({ argsJson }) => argsJson)).toEqual(['{"limit":10,"q":"x"}', '{"q":"x"}', '{"day":"2026-11-30"}']);
  });
});

describe("kind id-collision", () => {
  test("a made-up id is never one that the stream uses", async () => {
    const { evidence } = await evidenceOf([call("made-up:1", "a"), call("", "b"), result("made-up:1", "a", 1), result("", "b", 2), FINISH]);
    expect(shown(evidence)).toMatchObject([{ id: "made-up:1", result: 1 }, { id: "made-up:2:", name: "b", result: 2 }]);
  });

  test("calls without an id are matched to their results by tool and input, or not at all", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom(1, 2)), { minLength: 1, maxLength: 5 }), fc.boolean(), async (list, withInput) => {
        const { evidence, warnings } = await evidenceOf([
          ...list.map(([name, n]) => call("", name, { n })),
          ...list.map(([name, n]) => result("", name, `${name}${n}`, withInput ? { input: { n } } : {})).toReversed(),
          FINISH,
        ]);
        expect(evidence.toolCalls).toHaveLength(list.length);
        expect(new Set(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(list.length);
        const ended = evidence.toolCalls.filter(({ completed }) => completed);
        expect(ended.map(({ result: output }) => output)).toEqual(ended.map(({ toolName, args }) => `${toolName}${(args as { n: number }).n}`));
        const open = evidence.toolCalls.some(({ completed }) => !completed);
        expect(warnings.some(({ code }) => code === "result_unmatched")).toBe(open);
        expect(evidence.terminalPhase).toBe(open ? "suspended" : "completed");
      }),
    ));

  test("one id for two calls of different tools, or of different arguments, hides neither", async () => {
    const { evidence, warnings } = await evidenceOf([call("k", "a", { n: 1 }), call("k", "b", { n: 2 }), call("k", "a", { n: 3 }), result("k", "b", "rb"), result("k", "a", "r3", { input: { n: 3 } }), result("k", "a", "r1", { input: { n: 1 } }), FINISH]);
    expect(shown(evidence)).toMatchObject([{ name: "a", args: { n: 1 }, result: "r1" }, { name: "b", args: { n: 2 }, result: "rb" }, { name: "a", args: { n: 3 }, result: "r3" }]);
    expect(warnings.map(({ code }) => code)).toEqual(["call_id_reused", "call_id_reused"]);
  });

  test("an id that each step uses anew names a new call in each", async () => {
    const turn = (n: number): unknown[] => stepOf(call("call_0", "page", { n }), result("call_0", "page", `p${n}`));
    const { evidence } = await evidenceOf([...turn(1), ...turn(2), ...turn(3), FINISH]);
    expect(shown(evidence)).toMatchObject([{ args: { n: 1 }, result: "p1" }, { args: { n: 2 }, result: "p2" }, { args: { n: 3 }, result: "p3" }]);
  });

  test("names of Object.prototype are ids and tools like any other", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
    const { evidence } = await evidenceOf([...names.map((name) => call(name, name, JSON.parse('{"__proto__":1}'))), ...names.map((name) => result(name, name, name)), FINISH]);
    expect(evidence.toolCalls.map(({ toolCallId, toolName, result: output, argsJson }) => [toolCallId, toolName, output, argsJson])).toEqual(names.map((name) => [name, name, name, '{"__proto__":1}']));
  });
});

describe("kind duplicate-events", () => {
  test("a call and a result that come twice count once", async () => {
    const { evidence, warnings } = await evidenceOf([call("k", "search", { q: "x" }), call("k", "search", { q: "x" }), result("k", "search", [1, 2]), result("k", "search", [1, 2]), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "k", name: "search", args: { q: "x" }, result: [1, 2], completed: true }]);
    expect(warnings.map(({ code }) => code)).toEqual(["call_repeated"]);
  });

  test("a second result that differs is named, and the first one counts", async () => {
    const { evidence, warnings } = await evidenceOf([call("k", "search"), result("k", "search", 1), result("k", "search", 2), { type: "tool-error", toolCallId: "k", toolName: "search", error: "no" }, result("k", "search", 0, { preliminary: true }), FINISH]);
    expect(shown(evidence)).toMatchObject([{ result: 1 }]);
    expect(warnings).toEqual([expect.objectContaining({ code: "result_repeated", times: 2 })]);
  });

  test("an end under another tool's name is refused by the collector", async () => {
    expect((await cutOf([call("k", "a"), result("k", "b", 1), FINISH])).code).toBe("tool_end_mismatch");
  });
});

describe("kind provider-executed", () => {
  test("a provider's call without a result stays open; the run has completed all the same", async () => {
    const { evidence } = await evidenceOf([...stepOf(call("st1", "web_search", { query: "x" }, { providerExecuted: true }), text("I could not finish.")), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "st1", name: "web_search", args: { query: "x" }, completed: false }]);
    expect(evidence.terminalPhase).toBe("completed");
    expect(allPassed(expectation({ tools: [expectCall({ name: "web_search" })] }).checks(evidence))).toBe(false);
  });

  test("a provider's error is a failure", async () => {
    const { evidence } = await evidenceOf([call("s", "web_fetch", {}, { providerExecuted: true }), { type: "tool-error", toolCallId: "s", toolName: "web_fetch", error: { type: "web_fetch_tool_result_error", errorCode: "url_not_accessible" }, providerExecuted: true }, text("No."), FINISH]);
    expect(evidence.toolCalls[0]?.failure).toMatchObject({ kind: "unknown", error: { message: expect.stringContaining("url_not_accessible") } });
  });

  test("a call repeated with its deferred result in a later step is one call", async () => {
    const run = call("s", "code_run", { code: "1" }, { providerExecuted: true });
    const { evidence } = await evidenceOf([...stepOf(run), ...stepOf(run, result("s", "code_run", 1, { providerExecuted: true })), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "s", name: "code_run", args: { code: "1" }, result: 1, completed: true }]);
  });

  test("a provider's call that the SDK could not read keeps its result, and is an invalid call only where none comes", async () => {
    const bad = (id: string): object => call(id, "code_run", "{", { providerExecuted: true, dynamic: true, invalid: true, error: new Error("no JSON") });
    const { evidence } = await evidenceOf([...stepOf(bad("a"), bad("b")), ...stepOf(result("a", "code_run", 1, { providerExecuted: true })), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "a", name: "code_run", args: "{", result: 1, completed: true }, { id: "b", name: "code_run", args: "{", failure: "invalid_call", completed: true }]);
  });
});
