import * as fc from "fast-check";
import { events } from "entail/adapter/ai-sdk";
import { calls, collect, expectation, expectCall, expectConfirmation } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { FINISH, START, STEP, allPassed, call, evidenceOf, parts, result, shown, text } from "../../../test/ai-sdk/parts.ts";

test("case 108: two calls without an id are two calls, their ids made up and marked, each result paired by its tool", async () => {
  const { evidence, warnings } = await evidenceOf([call("", "a", { n: 1 }), call("", "b", { n: 2 }), result("", "b", "rb"), result("", "a", "ra"), FINISH]);
  expect(shown(evidence)).toEqual([
    { id: "made-up:1", name: "a", args: { n: 1 }, result: "ra", completed: true },
    { id: "made-up:2", name: "b", args: { n: 2 }, result: "rb", completed: true },
  ]);
  expect(warnings.map(({ code }) => code)).toEqual(["call_id_missing", "call_id_missing"]);
});

test("case 110: preliminary results are progress; the call has its last result and counts once", async () => {
  const loading = (output: unknown): unknown => result("k", "report", output, { preliminary: true });
  const { evidence } = await evidenceOf([call("k", "report"), loading({ status: "loading" }), loading({ status: "half" }), result("k", "report", { status: "done", rows: 3 }), FINISH]);
  expect(shown(evidence)).toEqual([{ id: "k", name: "report", args: {}, result: { status: "done", rows: 3 }, completed: true }]);
});

test("case 111: a part of an unknown type and a part that is nothing are left out and named, and the answer is whole", async () => {
  const { evidence, warnings } = await evidenceOf([
    { type: "start" }, { type: "brand-new-thing", foo: 1 }, { type: "text-start", id: "1" }, { type: "text-delta", id: "1", text: "Hi" }, { type: "text-delta", id: "1", delta: " there" }, { type: "text-end", id: "1" }, null,
    { type: "finish", finishReason: "stop" },
  ]);
  expect(evidence).toMatchObject({ answer: "Hi there", terminalPhase: "completed", unknownEvents: [{ type: "brand-new-thing", times: 1 }, { type: "null", times: 1 }] });
  expect(warnings.map(({ code, times }) => [code, times])).toEqual([["part_unknown", 1], ["part_unknown", 1]]);
});

test("case 112: a provider's tool whose result comes a step later has that result, and is one call", async () => {
  const { evidence } = await evidenceOf([
    START, call("s1", "code_run", { code: "1+1" }, { providerExecuted: true }), STEP,
    START, result("s1", "code_run", "2", { providerExecuted: true }), text("It is 2."), STEP, FINISH,
  ]);
  expect(shown(evidence)).toEqual([{ id: "s1", name: "code_run", args: { code: "1+1" }, result: "2", completed: true }]);
  expect(evidence.answer).toBe("It is 2.");
});

test("case 113: a tool that throws is a failed call in a run that completed", async () => {
  const { evidence } = await evidenceOf([
    call("k", "pay", { amount: 5 }), { type: "tool-error", toolCallId: "k", toolName: "pay", input: { amount: 5 }, error: { name: "Error", message: "card declined" } }, text("Payment failed."),
    { type: "finish", finishReason: "stop" },
  ]);
  expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "Payment failed.", toolCalls: [{ failure: { kind: "unknown", error: { message: "card declined" } }, completed: true }] });
});

test("case 114: a run that ends with an approval pending is suspended: asked for, not executed", async () => {
  const wire = call("k", "wire", { amount: 900 });
  const { evidence } = await evidenceOf([wire, { type: "tool-approval-request", approvalId: "ap1", toolCall: wire }, { type: "finish-step", finishReason: "tool-calls" }, { type: "finish", finishReason: "tool-calls" }]);
  expect(evidence).toMatchObject({ terminalPhase: "suspended", ended: true, toolCalls: [], confirmation: { toolName: "wire", toolCallId: "k", id: "ap1", args: { amount: 900 }, state: "pending" } });
  const asked = { name: "wire", args: ({ amount }: any) => amount === 900 || "another amount" };
  expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "wire" }, { args: asked.args }), forbidTools: ["wire"] }).checks(evidence))).toBe(true);
  expect(allPassed(expectation({ tools: [expectCall({ name: "wire" })] }).checks(evidence))).toBe(false);
});

test("case 117: a run that completes without a word has an empty answer and a visible warning", async () => {
  const { evidence, warnings } = await evidenceOf([
    START, { type: "finish-step", finishReason: "stop", usage: { inputTokens: 10, outputTokens: 0 } }, { type: "finish", finishReason: "stop" },
  ]);
  expect(evidence).toMatchObject({ answer: "", terminalPhase: "completed", usage: { inputTokens: 10, outputTokens: 0 } });
  expect(warnings).toEqual([{ code: "answer_empty", message: "the run completed without a word of answer and without a call", times: 1 }]);
});

describe("kind format-variants", () => {
  test.each([
    ["text", "noise"], ["a number", 7], ["a list", ["tool-call"]], ["an object without a type", {}], ["a type that is no text", { type: 3 }], ["one of Entail's own types", { type: "run_stream_end" }],
    ["a part whose type throws", Object.defineProperty({}, "type", { get: () => { throw new Error("no"); } })],
  ])("%s is no part, and changes nothing but the warnings", async (_what, part) => {
    const { evidence, warnings } = await evidenceOf([text("Hi"), part, FINISH]);
    expect(evidence).toMatchObject({ answer: "Hi", terminalPhase: "completed", toolCalls: [] });
    expect(warnings).toMatchObject([{ code: "part_unknown" }]);
    expect(evidence.unknownEvents).toHaveLength(1);
  });

  test("known parts that carry nothing are no warnings", async () => {
    const known = ["start", "text-start", "text-end", "reasoning-start", "reasoning-delta", "reasoning-end", "reasoning-file", "custom", "source", "source-url", "source-document", "file", "raw", "ping", "steering-message", "message-metadata", "data-weather", "tool-input-end"];
    const { evidence, warnings } = await evidenceOf([...known.map((type) => ({ type, text: "hidden", delta: "hidden" })), text("Hi"), FINISH]);
    expect(evidence.answer).toBe("Hi");
    expect(warnings).toEqual([]);
  });

  test("dynamic tools are tools", async () => {
    const { evidence } = await evidenceOf([call("k", "mcp_search", { q: 1 }, { dynamic: true }), result("k", "mcp_search", 1, { dynamic: true }), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "k", name: "mcp_search", args: { q: 1 }, result: 1, completed: true }]);
  });

  test("a stream of nonsense holds no more than a hundred warnings", async () => {
    const { warnings } = await evidenceOf([...Array.from({ length: 1000 }, (_, n) => ({ type: `noise-${n}` })), text("Hi"), FINISH]);
    expect(warnings).toHaveLength(100);
  });

  test("a run of 20,000 calls is read in a breath", async () => {
    const list = Array.from({ length: 20_000 }, (_, n) => [call(`k${n}`, "t", { n }), result(`k${n}`, "t", n)]).flat();
    const began = performance.now();
    const { evidence } = await evidenceOf([...list, FINISH]);
    expect(evidence.toolCalls).toHaveLength(20_000);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe("what is seen", () => {
  test("bounds are seen where the application reads them from an output, and only then", async () => {
    const list = [call("k", "list_alarms"), result("k", "list_alarms", { alarms: [1, 2], next: "c2" }), text("x"), FINISH];
    expect((await evidenceOf(list)).evidence.observes).toEqual({ args: true, results: true, failureKinds: true, parents: false, approvals: true, bounds: false, deltas: true });
    const bounds = (tool: string, output: any): any => (tool === "list_alarms" ? { returned: output.alarms.length, truncated: output.next !== undefined, nextCursor: output.next } : undefined);
    const { evidence } = await evidenceOf(list, { bounds });
    expect(evidence.observes.bounds).toBe(true);
    expect(evidence.toolCalls[0]?.bounds).toEqual({ returned: 2, truncated: true, nextCursor: "c2" });
    const whole = expectCall({ name: "list_alarms" }, { bounds: (of) => of?.truncated === false || "truncated" });
    expect(allPassed(expectation({ tools: [whole] }).checks(evidence))).toBe(false);
    expect(() => expectation({ tools: [whole] }).checks({ ...evidence, observes: { ...evidence.observes, bounds: false } })).toThrow(/cannot see/);
  });

  test("the run and the session are those that are asked for; without one each run has an id of its own", async () => {
    expect((await evidenceOf([text("x"), FINISH], { runId: "r7", sessionId: "s1" })).evidence).toMatchObject({ runId: "r7", sessionId: "s1" });
    const [a, b] = [events(parts([text("x"), FINISH])), events(parts([text("x"), FINISH]))];
    expect((await collect(a)).runId).not.toBe((await collect(b)).runId);
  });

  test("the message that a nested agent gives back shows its calls, below the call that ran it, and nothing of its text", async () => {
    const message = {
      id: "m1", role: "assistant",
      parts: [
        { type: "step-start" }, { type: "text", text: "inner words" },
        { type: "tool-fetch", toolCallId: "k1", state: "output-available", input: { url: "u" }, output: "42" },
        { type: "dynamic-tool", toolName: "shell", toolCallId: "k2", state: "output-error", input: { cmd: "x" }, errorText: "boom" },
        { type: "tool-fetch", toolCallId: "k3", state: "output-error", input: undefined, rawInput: { url: 1 }, errorText: "Invalid input" },
        { type: "tool-wipe", toolCallId: "k4", state: "output-denied", input: {} }, { type: "tool-fetch", toolCallId: "k5", state: "input-streaming", input: {} },
      ],
    };
    const { evidence } = await evidenceOf([call("k1", "research", { q: "prices" }), result("k1", "research", message), call("k2", "look"), result("k2", "look", 1), text("42 euro"), FINISH]);
    expect(evidence.answer).toBe("42 euro");
    expect(evidence.toolCalls.map(({ toolCallId, toolName, parentToolCallId, failure, approval }) => [toolCallId, toolName, parentToolCallId, failure?.kind ?? approval])).toEqual([
      ["k1", "research", undefined, undefined], ["k1/k1", "fetch", "k1", undefined], ["k1/k2", "shell", "k1", "unknown"], ["k1/k3", "fetch", "k1", "invalid_call"], ["k1/k4", "wipe", "k1", "denied"], ["k2", "look", undefined, undefined],
    ]);
    expect(calls(evidence, "fetch")[0]).toMatchObject({ args: { url: "u" }, result: "42", runId: "run/k1" });
  });
});

test("kind missing-events: whatever parts come in whatever order, the stream is read to its end and no call is made up or lost", () => {
  const id = fc.constantFrom("a", "b", "");
  const name = fc.constantFrom("t", "u");
  const part = fc.oneof(
    fc.record({ type: fc.constant("tool-call"), toolCallId: id, toolName: name, input: fc.constantFrom({}, { n: 1 }), invalid: fc.boolean(), providerExecuted: fc.boolean() }),
    fc.record({ type: fc.constant("tool-result"), toolCallId: id, output: fc.constantFrom(1, 2), preliminary: fc.boolean() }),
    fc.record({ type: fc.constant("tool-error"), toolCallId: id, error: fc.constant("no") }),
    fc.record({ type: fc.constant("tool-approval-request"), approvalId: id, toolCallId: id, isAutomatic: fc.boolean() }),
    fc.record({ type: fc.constant("tool-approval-response"), approvalId: id, approved: fc.boolean() }),
    fc.record({ type: fc.constantFrom("tool-output-denied", "reset-step", "start-step", "finish-step", "tool-input-start", "text-delta", "abort", "noise"), toolCallId: id, id, text: fc.constant("x") }),
    fc.constant(null),
  );
  return fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (list) => {
      const { evidence } = await evidenceOf([...list, FINISH]);
      expect(evidence.ended).toBe(true);
      expect(new Set(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(evidence.toolCalls.length);
      // Text and ends are only ever those that were there.
      expect(evidence.answer.length).toBeLessThanOrEqual(list.filter((given) => given?.type === "text-delta").length);
      expect(evidence.toolCalls.filter(({ completed }) => completed).length).toBeLessThanOrEqual(list.filter((given) => given !== null && ["tool-result", "tool-error", "tool-call"].includes(given.type)).length);
    }),
    { numRuns: 400 },
  );
});
