import { events } from "entail/adapter/ai-sdk";
import { collect, expectation } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { FINISH, START, STEP, TOOLS_FINISH, allPassed, call, cutOf, evidenceOf, inputDelta, inputStart, parts, result, shown, stepOf, text } from "../../../test/ai-sdk/parts.ts";

describe("kind terminal-state", () => {
  test("a stream that stops without a finish is incomplete, and what was seen is kept", async () => {
    const cut = await cutOf([START, call("k", "look", { n: 1 }), text("Your order is")]);
    expect(cut.code).toBe("stream_incomplete");
    expect(cut.evidence).toMatchObject({ answer: "Your order is", ended: false, toolCalls: [{ toolCallId: "k", completed: false }] });
    expect(cut.evidence.terminalPhase).toBeUndefined();
    expect(() => expectation({ forbidTools: ["delete_alarm"] }).checks(cut.evidence)).toThrow(/incomplete/);
  });

  test.each([
    ["interrupted", { finishReason: "interrupted" }], ["other, without the provider's word", { finishReason: "other" }], ["unknown", { finishReason: "unknown" }], ["a reason of a later version", { finishReason: "paused" }],
  ])("so is one whose model's connection broke, which the SDK finishes as %s", async (_what, reason) => {
    expect(await cutOf([...stepOf(text("Your order is")), { type: "finish", ...reason }])).toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order is", ended: false } });
  });

  test.each([
    ["length", "max_tokens", "length"], ["content-filter", "refusal", "content_filter"], ["error", undefined, "error"], ["other", "compaction", "other"],
  ])("a last answer that stopped for %s is a failed run", async (finishReason, rawFinishReason, kind) => {
    const { evidence } = await evidenceOf([...stepOf(text("Half")), { type: "finish", finishReason, rawFinishReason }]);
    expect(evidence).toMatchObject({ terminalPhase: "failed", answer: "Half", terminalFailure: { kind } });
  });

  test("a step that was cut does not matter where the run went on to its end", async () => {
    const { evidence } = await evidenceOf([START, text("a"), { type: "finish-step", finishReason: "length" }, ...stepOf(text("b")), FINISH]);
    expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "ab" });
  });

  test("tool calls as the last reason are a completed run where nothing waits: the agent's own stop condition", async () => {
    const { evidence } = await evidenceOf([...stepOf(text("Done."), call("k", "finish"), result("k", "finish", true)), TOOLS_FINISH]);
    expect(evidence.terminalPhase).toBe("completed");
  });

  test("an error is not overruled by a finish, before it or after it", async () => {
    const error = Object.assign(new Error("upstream 529"), { name: "AI_APICallError", statusCode: 529, isRetryable: true, data: { error: { code: "overloaded" } } });
    for (const list of [[text("Hel"), { type: "error", error }, STEP, FINISH], [text("Hel"), STEP, FINISH, { type: "error", error }], [text("Hel"), { type: "error", error }]]) {
      const { evidence } = await evidenceOf(list);
      expect(evidence).toMatchObject({ answer: "Hel", terminalPhase: "failed", terminalFailure: { message: "upstream 529", kind: "AI_APICallError", code: "overloaded", httpStatus: 529, retryable: true } });
    }
  });

  test("an abort is a cancelled run with what it had said", async () => {
    const { evidence } = await evidenceOf([START, call("k", "slow"), text("Wai"), { type: "abort", reason: "deadline" }]);
    expect(evidence).toMatchObject({ terminalPhase: "cancelled", answer: "Wai", ended: true, toolCalls: [{ toolCallId: "k", completed: false }] });
    expect((await evidenceOf([text("x"), { type: "error", error: new DOMException("gone", "AbortError") }])).evidence.terminalPhase).toBe("cancelled");
  });

  test("what the stream itself throws breaks it, and what was seen is kept", async () => {
    async function* broken(): AsyncGenerator {
      yield* stepOf(text("One. "));
      yield* [START, call("k", "look", { n: 1 }), text("Half")];
      throw new Error("socket closed");
    }
    const error = await collect(events(broken())).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete", evidence: { answer: "One. Half", ended: false, toolCalls: [{ toolCallId: "k", completed: false }] } });
    expect((error as Error).message).toContain("socket closed");
  });
});

describe("retracted steps", () => {
  test("what a step said before it was reset is no evidence", async () => {
    const { evidence, warnings } = await evidenceOf([
      START, text("Never"), call("a", "delete_alarm", { id: 1 }), inputStart("b", "x"), inputDelta("b", "{"), { type: "reset-step" },
      text("Said."), call("c", "list_alarms"), result("c", "list_alarms", []), STEP, FINISH,
    ]);
    expect(evidence).toMatchObject({ answer: "Said.", terminalPhase: "completed" });
    expect(evidence.toolCalls.map(({ toolName }) => toolName)).toEqual(["list_alarms"]);
    expect(allPassed(expectation({ forbidTools: ["delete_alarm"] }).checks(evidence))).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(["text_retracted", "call_retracted"]);
  });

  test("a call that was executed has happened, whatever becomes of its step", async () => {
    const { evidence } = await evidenceOf([START, text("Never"), call("a", "delete_alarm", { id: 1 }), result("a", "delete_alarm", true), { type: "reset-step" }, text("Said."), STEP, FINISH]);
    expect(evidence.answer).toBe("Said.");
    expect(shown(evidence)).toEqual([{ id: "a", name: "delete_alarm", args: { id: 1 }, result: true, completed: true }]);
  });

  test("a reset reaches back to the step's start and no further", async () => {
    const { evidence } = await evidenceOf([...stepOf(text("One. "), call("a", "look"), result("a", "look", 1)), START, text("Two?"), { type: "reset-step" }, text("Two."), STEP, FINISH]);
    expect(evidence).toMatchObject({ answer: "One. Two.", toolCalls: [{ toolCallId: "a" }] });
  });

  test("a call whose id is used again after the reset is that call", async () => {
    const { evidence } = await evidenceOf([START, call("k", "look", { n: 1 }), { type: "reset-step" }, call("k", "look", { n: 2 }), result("k", "look", 2), STEP, FINISH]);
    expect(shown(evidence)).toEqual([{ id: "k", name: "look", args: { n: 2 }, result: 2, completed: true }]);
  });

  test("nothing of a step is said before it is committed", async () => {
    const seen: string[] = [];
    async function* watched(): AsyncGenerator {
      for (const part of [START, text("a"), call("k", "t"), result("k", "t", 1), STEP, FINISH]) {
        seen.push(`> ${(part as { type: string }).type}`);
        yield part;
      }
    }
    for await (const event of events(watched())) seen.push(event.type);
    expect(seen).toEqual(["> start-step", "> text-delta", "> tool-call", "> tool-result", "> finish-step", "assistant_reply", "tool_start", "tool_end", "> finish", "workflow", "run_stream_end"]);
  });

  test("a result's own record of its steps decides what was said: a retried attempt leaves no trace in the parts", async () => {
    const stream = parts([START, text("Half a sen"), { type: "text-end" }, text("Whole."), STEP, ...stepOf(text(" More.")), FINISH]);
    const run = events({ stream, steps: Promise.resolve([{ text: "Whole." }, { text: " More." }]) });
    expect(await collect(run)).toMatchObject({ answer: "Whole. More.", terminalPhase: "completed" });
    expect(run.warnings).toEqual([expect.objectContaining({ code: "text_retracted", times: 1 })]);
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("no"))], ["is no list", () => Promise.resolve(null)], ["holds no text", () => Promise.resolve([{}])], ["is shorter than the run", () => Promise.resolve([])],
  ])("where that record %s, what was streamed counts", async (_what, steps) => {
    const stream = parts([...stepOf(text("One.")), text("Two."), FINISH]);
    const source = { stream, get steps() { return steps() as Promise<never>; } };
    expect(await collect(events(source))).toMatchObject({ answer: "One.Two.", terminalPhase: "completed" });
  });
});

describe("kind usage-accounting", () => {
  const usage = (inputTokens: number | undefined, outputTokens: number | undefined): object => ({ inputTokens, outputTokens, inputTokenDetails: { cacheReadTokens: 3 }, outputTokenDetails: { reasoningTokens: undefined } });
  const step = (of?: object): unknown[] => [START, { ...STEP, usage: of }];

  test("the total of the run is counted once, beside its steps", async () => {
    const { evidence } = await evidenceOf([...step(usage(10, 2)), ...step(usage(20, 3)), text("x"), { ...FINISH, totalUsage: { ...usage(30, 5), inputTokenDetails: { cacheReadTokens: 6 } } }]);
    expect(evidence.usage).toEqual({ inputTokens: 30, outputTokens: 5, cachedInputTokens: 6, requests: 2 });
  });

  test("a total alone is enough", async () => {
    expect((await evidenceOf([text("x"), { ...FINISH, totalUsage: usage(30, 5) }])).evidence.usage).toEqual({ inputTokens: 30, outputTokens: 5, cachedInputTokens: 3 });
  });

  test("without a total the steps are summed, and those without a usage are counted as unknown", async () => {
    const { evidence } = await evidenceOf([...step(usage(10, 2)), ...step(), ...step(usage(20, 3)), text("x"), FINISH]);
    expect(evidence.usage).toEqual({ inputTokens: 30, outputTokens: 5, cachedInputTokens: 6, requests: 3, unknownRequests: 1 });
  });

  test("an aborted run has the usage of the steps that it finished", async () => {
    expect((await evidenceOf([...step(usage(10, 2)), START, { type: "abort" }])).evidence.usage).toMatchObject({ inputTokens: 10, outputTokens: 2 });
  });

  test.each([["no usage", undefined], ["nothing known", usage(undefined, undefined)], ["NaN", usage(Number.NaN, Number.NaN)]])("with %s it is unknown, never zero", async (_what, of) => {
    expect((await evidenceOf([...step(of), text("x"), { ...FINISH, totalUsage: of }])).evidence.usage).toBeUndefined();
  });
});
