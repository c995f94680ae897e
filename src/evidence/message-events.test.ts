import { createRunner } from "entail";
import { collect, eventsFromMessages, expectation, expectCall, expectConfirmation, type Evidence, type StreamEvent } from "entail/evidence";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CANONICAL, canonicalFor, comparable, QUESTION, RESULT, ANSWER, ARGS } from "../../test/adapter/canonical.ts";
import { DIALECTS, turns, type NeutralCall } from "../../test/message/dialects.ts";

const evidenceOf = (messages: unknown, options: Parameters<typeof eventsFromMessages>[1] = {}): Promise<Evidence> => collect(eventsFromMessages(messages, { runId: "run", ...options }));
const passed = (checks: readonly { readonly passed: boolean }[]): boolean => checks.every((check) => check.passed);

describe("messages of a finished run", () => {
  test.each(DIALECTS)("the canonical scenario as $name gives the canonical evidence", async (dialect) => {
    const call: NeutralCall = { id: "c1", name: "get_weather", args: ARGS, ending: { state: "succeeded", result: RESULT } };
    const evidence = await evidenceOf(dialect.render({ user: QUESTION, steps: [{ texts: [], calls: [call] }, { texts: [ANSWER], calls: [] }] }));
    expect(evidence.observes).toEqual({ args: true, results: true, failureKinds: false, parents: false, approvals: false, bounds: false, deltas: false });
    expect(comparable(evidence)).toEqual(canonicalFor(evidence.observes));
    expect(canonicalFor(evidence.observes)).toEqual(CANONICAL);
  });

  test("any conversation in any dialect gives evidence with all of its calls, each with an id of its own", async () => {
    await fc.assert(fc.asyncProperty(turns, fc.constantFrom(...DIALECTS), async (conversation, dialect) => {
      const evidence = await evidenceOf(conversation.flatMap((turn) => dialect.render(turn)));
      const steps = conversation.flatMap((turn) => turn.steps);
      const pending = ({ ending }: NeutralCall): boolean => ending.state === "pending" && dialect.tells.includes("pending");
      expect(evidence.answer).toBe(steps.flatMap(({ texts }) => texts).join(""));
      expect(evidence.toolCalls.map(({ toolName }) => toolName)).toEqual(steps.flatMap(({ calls }) => calls.filter((call) => !pending(call)).map(({ name }) => name)));
      expect(new Set(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(evidence.toolCalls.length);
      expect(evidence.ended).toBe(true);
    }), { numRuns: 150 });
  });

  test("a failed call has failed in an unknown way, so that a kind of failure is not observable", async () => {
    const evidence = await evidenceOf([{ role: "assistant", parts: [{ type: "tool-pay", toolCallId: "c", state: "output-error", input: { n: 1 }, errorText: "declined" }, { type: "text", text: "No." }] }]);
    expect(evidence.toolCalls).toMatchObject([{ failure: { kind: "unknown", error: { message: "declined" } }, completed: true }]);
    expect(() => expectation({ tools: [{ name: "pay", failureKind: "timeout" }] }).checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }));
    expect(passed(expectation({ tools: [expectCall({ name: "pay" })] }).checks(evidence))).toBe(false);
  });

  test("an approval that is pending suspends the run at the confirmation; a denied call was issued and not executed", async () => {
    const part = (state: string, approval: object): object => ({ type: "tool-wire", toolCallId: "c", state, input: { amount: 900 }, approval });
    const pending = await evidenceOf([{ role: "assistant", parts: [part("approval-requested", { id: "ap", requestReason: "Send 900?" })] }]);
    expect(pending).toMatchObject({ terminalPhase: "suspended", toolCalls: [], confirmation: { toolName: "wire", id: "ap", prompt: "Send 900?", args: { amount: 900 }, state: "pending" }, observes: { approvals: true } });
    expect(passed(expectation({ confirmation: expectConfirmation({ name: "wire" }), forbidTools: ["wire"] }).checks(pending))).toBe(true);
    const denied = await evidenceOf([{ role: "assistant", parts: [part("output-denied", { id: "ap", approved: false, reason: "no" }), { type: "text", text: "As you wish." }] }]);
    expect(denied).toMatchObject({ terminalPhase: "completed", toolCalls: [{ toolName: "wire", approval: "denied", completed: false }] });
    expect(passed(expectation({ forbidTools: ["wire"] }).checks(denied))).toBe(false);
    const done = await evidenceOf([{ role: "assistant", parts: [{ ...part("output-available", { id: "ap", approved: true }), output: "sent" }] }]);
    expect(done).toMatchObject({ terminalPhase: "completed", toolCalls: [{ approval: "approved", result: "sent" }] });
    const plain = await evidenceOf([{ role: "assistant", content: "Hi." }]);
    expect(() => expectation({ confirmation: expectConfirmation({ name: "wire" }) }).checks(plain)).toThrow(expect.objectContaining({ code: "not_observable" }));
  });

  test("the run waits where its last calls have no end, has completed where it went on, and failed where an error is kept; a phase that is known decides", async () => {
    const call = { role: "assistant", content: null, tool_calls: [{ id: "c", function: { name: "a", arguments: "{}" } }] };
    expect((await evidenceOf([call])).terminalPhase).toBe("suspended");
    expect((await evidenceOf([call, { role: "assistant", content: "Never mind." }])).terminalPhase).toBe("completed");
    expect((await evidenceOf([{ content: [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }], stop_reason: "end_turn" }])).terminalPhase).toBe("completed");
    expect(await evidenceOf([{ role: "assistant", content: { format: 2, parts: [{ type: "error", error: { name: "Error", message: "quota" } }] } }])).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: "quota" } });
    expect((await evidenceOf([call], { phase: "cancelled" })).terminalPhase).toBe("cancelled");
    expect(() => eventsFromMessages([], { phase: "done" as never })).toThrow(expect.objectContaining({ code: "option_invalid" }));
  });

  test("usage that the messages tell is the run's, and the session is the given one", async () => {
    expect(await evidenceOf([{ role: "assistant", content: [{ type: "text", text: "Hi." }], usage: { input_tokens: 3, output_tokens: 2 } }], { sessionId: "s" })).toMatchObject({ sessionId: "s", usage: { inputTokens: 3, outputTokens: 2, requests: 1 } });
  });

  test("how arguments came is kept: none, null, empty, and what is no JSON", async () => {
    const call = (id: string, called: object): object => ({ id, function: { name: "a", ...called } });
    const evidence = await evidenceOf([{ role: "assistant", content: "x", tool_calls: [call("1", {}), call("2", { arguments: "null" }), call("3", { arguments: "" }), call("4", { arguments: "{oops" })] }]);
    expect(evidence.toolCalls.map(({ args, argsRaw }) => argsRaw ?? args)).toEqual(["absent", "null", "empty", "{oops"]);
  });
});

describe("messages that were not understood", () => {
  test("give no evidence at all: they are named, so that no call hides in them", () => {
    const made = (): unknown => eventsFromMessages([{ role: "user", content: "Hi" }, { role: "assistant", content: { format: 3 } }, { role: "assistant", content: [{ type: "sparkle" }] }]);
    expect(made).toThrow(expect.objectContaining({ code: "message_unreadable" }));
    expect(made).toThrow("message 1, content is a content of an unknown form; message 2, content[0] is a part of the type \"sparkle\"");
    expect(() => eventsFromMessages(Array.from({ length: 9 }, () => 1))).toThrow("and 4 more");
    expect(() => eventsFromMessages("The answer.")).toThrow(expect.objectContaining({ code: "message_unreadable" }));
  });

  test("make a scenario errored, neither passed nor failed", async () => {
    const suite = {
      id: "s", description: "d", scenarios: [{
        id: "blind", description: "d", tags: [], timeoutMs: 1000,
        run: async () => ({ checks: expectation({ forbidTools: ["delete"] }).checks(await evidenceOf([{ role: "assistant", content: { format: 3 } }])) }),
      }],
    };
    const report = await createRunner({ maxConcurrency: 1 }).run(suite);
    expect(report.scenarios).toMatchObject([{ outcome: "errored", error: { code: "message_unreadable" } }]);
  });
});

describe("a source that learns only from its first event what it can see", () => {
  async function* done(): AsyncGenerator<StreamEvent> {
    yield { type: "assistant_reply", text: "Hi." };
    yield { type: "workflow", phase: "completed" };
    yield { type: "run_stream_end" };
  }
  const nothing = { args: false, results: false, failureKinds: false, parents: false, approvals: false, bounds: false, deltas: false };

  test("is believed then, and what the caller says is believed before it", async () => {
    const learning = (): AsyncIterable<StreamEvent> & { observes: typeof nothing } => {
      const stream = { observes: { ...nothing, args: true, results: true }, async *[Symbol.asyncIterator]() { stream.observes = nothing; yield* done(); } };
      return stream;
    };
    const evidence = await collect(learning());
    expect(evidence.observes).toEqual(nothing);
    expect(() => expectation({ forbidTools: ["a"] }).checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }));
    expect((await collect(learning(), {}, { observes: { ...nothing, deltas: true } })).observes).toEqual({ ...nothing, deltas: true });
    const late = { observes: { ...nothing, args: true }, async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent> { yield { type: "assistant_reply", text: "Hi." }; late.observes = nothing; yield* done(); } };
    expect((await collect(late)).observes).toEqual(nothing);
    // What is kept of a stream that stops is no more than it has shown.
    const stopping = { observes: { ...nothing, args: true }, async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent> { stopping.observes = nothing; yield { type: "assistant_reply", text: "Hi." }; } };
    await expect(collect(stopping)).rejects.toMatchObject({ code: "stream_incomplete", evidence: { answer: "Hi.", observes: nothing } });
    await expect(collect({ observes: nothing, async *[Symbol.asyncIterator]() { (this as { observes: unknown }).observes = { args: true }; yield* done(); } })).rejects.toMatchObject({ code: "option_invalid" });
  });
});
