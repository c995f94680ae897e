import { type EventsOptions } from "entail/adapter/ai-sdk";
import { expectation, expectFailure } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { FINISH, allPassed, call, evidenceOf, inputDelta, inputStart, result, stepOf, text } from "../../../test/ai-sdk/parts.ts";

describe("kind tool-errors", () => {
  const failed = (error: unknown, options: EventsOptions = {}): Promise<unknown> =>
    evidenceOf([call("k", "pay"), { type: "tool-error", toolCallId: "k", toolName: "pay", error }, text("No."), FINISH], options).then(({ evidence }) => evidence.toolCalls[0]?.failure);
  const named = (name: string, message = "no"): Error => Object.assign(new Error(message), { name });

  test.each([
    ["the SDK's word for an unknown tool", named("AI_NoSuchToolError"), "invalid_call"],
    ["the SDK's word for invalid input", named("AI_InvalidToolInputError"), "invalid_call"],
    ["a timeout", named("TimeoutError"), "timeout"],
    ["an abort", named("AbortError"), "cancelled"],
    ["an API that is asked too often", Object.assign(named("AI_APICallError"), { statusCode: 429 }), "rate_limited"],
    ["an API that is down", Object.assign(named("AI_APICallError"), { statusCode: 503 }), "unavailable"],
    ["a fetch that found nobody", new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) }), "unavailable"],
    ["a tool's own word", Object.assign(new Error("limit"), { kind: "domain_rejection" }), "domain_rejection"],
    ["a word of its own that is none of Entail's", Object.assign(new Error("x"), { kind: "weird" }), "unknown"],
    ["an error that says nothing", new Error("card declined"), "unknown"],
    ["a text", "card declined", "unknown"],
    ["nothing", undefined, "unknown"],
  ])("%s", async (_what, error, kind) => {
    expect(await failed(error)).toMatchObject({ kind, error: { message: expect.stringMatching(/./) } });
  });

  test("the application may say of which kind a failure is", async () => {
    expect(await failed(new Error("over the limit"), { failureKind: (tool, error) => (tool === "pay" && /limit/.test(String(error)) ? "domain_rejection" : undefined) })).toMatchObject({ kind: "domain_rejection" });
  });

  test("causes are kept, a cycle of them too, to a depth", async () => {
    const error = new Error("outer", { cause: new Error("inner", { cause: "root" }) });
    expect(await failed(error)).toEqual({ kind: "unknown", error: { message: "outer", cause: { message: "inner", cause: { message: "root" } } } });
    const loop: Error = new Error("loop");
    loop.cause = new Error("other", { cause: loop });
    expect(await failed(loop)).toMatchObject({ error: { message: "loop", cause: { message: "other" } } });
  });

  test.each([
    ["a getter that throws", Object.defineProperty({}, "message", { get: () => { throw new Error("no"); } })], ["a revoked proxy", (() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })()], ["a cycle", (() => { const o: any = {}; o.self = o; return o; })()], ["a bigint", 1n], ["an empty message", new Error("")],
  ])("an error that is %s is a failure all the same", async (_what, error) => {
    expect(await failed(error)).toMatchObject({ kind: "unknown", error: { message: expect.stringMatching(/./) } });
  });

  test("an invalid call fails as one: with the SDK's error where it comes, and without", async () => {
    const invalid = call("k", "pay", { amount: "five" }, { dynamic: true, invalid: true, error: named("AI_InvalidToolInputError", "amount must be a number") });
    const error = { type: "tool-error", toolCallId: "k", toolName: "pay", error: "Invalid input for tool pay", dynamic: true };
    for (const list of [stepOf(invalid, error), stepOf(invalid)]) {
      const { evidence } = await evidenceOf([...list, ...stepOf(text("Sorry.")), FINISH]);
      expect(evidence.toolCalls).toMatchObject([{ args: { amount: "five" }, failure: { kind: "invalid_call", error: { message: "amount must be a number" } }, completed: true }]);
      expect(allPassed(expectation({ tools: [expectFailure({ name: "pay" }, "invalid_call")] }).checks(evidence))).toBe(true);
    }
  });

  test("an unreadable input is shown as it was written", async () => {
    const { evidence } = await evidenceOf([inputStart("k", "pay"), inputDelta("k", '{"amount": 5,, }'), call("k", "pay", '{"amount": 5,, }', { invalid: true, error: new Error("no JSON") }), text("Sorry."), FINISH]);
    expect(evidence.toolCalls[0]).toMatchObject({ args: '{"amount": 5,, }', argsJson: '{"amount": 5,, }', failure: { kind: "invalid_call" } });
  });

  test.each([
    ["NaN within", { a: Number.NaN }, { a: null }], ["a date", new Date(0), "1970-01-01T00:00:00.000Z"], ["a function within", { f: () => 1, a: 1 }, { a: 1 }], ["null", null, null], ["an empty text", "", ""],
  ])("an output with %s is shown as the model was shown it", async (_what, output, shown) => {
    const { evidence } = await evidenceOf([call("k", "t"), result("k", "t", output), FINISH]);
    expect(evidence.toolCalls[0]).toMatchObject({ result: shown, completed: true });
  });

  test.each([["a cycle", (() => { const o: any = {}; o.self = o; return o; })()], ["a bigint", { n: 1n }], ["a function", () => 1]])("an output that is %s is left out, and the reason said", async (_what, output) => {
    const { evidence } = await evidenceOf([call("k", "t"), result("k", "t", output), FINISH]);
    expect(evidence.toolCalls[0]).toMatchObject({ completed: true, resultOmitted: { reason: expect.stringContaining("JSON") } });
    expect(evidence.toolCalls[0]?.result).toBeUndefined();
  });
});
