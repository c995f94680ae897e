import * as fc from "fast-check";
import { events, STREAM_WARNINGS, type EventsOptions, type StreamWarning } from "entail/adapter/anthropic";
import { collect, expectation, expectCall, expectConfirmation, type Evidence } from "entail/evidence";
import { describe, expect, test } from "vitest";

interface Seen {
  readonly evidence: Evidence;
  readonly warnings: readonly StreamWarning[];
  /** Set where the source came to no end. */
  readonly code?: string;
}

async function* parts(list: readonly unknown[]): AsyncGenerator {
  yield* list;
}

/** The evidence of the parts of a loop, whole or cut. */
async function seen(list: readonly unknown[], options: EventsOptions = {}): Promise<Seen> {
  const stream = events(parts(list), { runId: "run", ...options });
  try {
    const evidence = await collect(stream);
    return { evidence, warnings: stream.warnings };
  } catch (thrown) {
    const { code, evidence } = thrown as { code: string; evidence: Evidence };
    return { code, evidence, warnings: stream.warnings };
  }
}

const START = { type: "message_start", message: { usage: { input_tokens: 5, output_tokens: 1 } } };
const STOP = { type: "message_stop" };
const stopped = (reason: string | null, usage: object = { output_tokens: 3 }): object => ({ type: "message_delta", delta: { stop_reason: reason }, usage });
const blockStart = (index: number, content_block: object): object => ({ type: "content_block_start", index, content_block });
const json = (index: number, partial_json: string): object => ({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } });
const blockStop = (index: number): object => ({ type: "content_block_stop", index });
const use = (index: number, id: string, name: string, ...pieces: readonly string[]): object[] => [blockStart(index, { type: "tool_use", id, name, input: {} }), ...pieces.map((piece) => json(index, piece)), blockStop(index)];
const words = (index: number, text: string): object[] => [blockStart(index, { type: "text", text: "" }), { type: "content_block_delta", index, delta: { type: "text_delta", text } }, blockStop(index)];
const message = (reason: string | null, ...blocks: readonly object[][]): object[] => [START, ...blocks.flat(), stopped(reason), STOP];
const result = (id: string, content: unknown, rest: object = {}): object => ({ type: "tool_result", tool_use_id: id, content, ...rest });
const DONE = message("end_turn", words(0, "Done."));
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolCallId, toolName, args, result: output, failure, approval, completed }) => [toolCallId, toolName, args, failure?.kind ?? output, approval, completed]);

describe("kind stream-assembly", () => {
  test("case 141: the pieces of a call's arguments are joined until its block ends", async () => {
    const { evidence } = await seen([
      blockStart(1, { type: "tool_use", id: "tu_1", name: "find", input: {} }),
      ...["", '{"q": "caf\\u00', "e9 \\ud83d", '\\ude00", "n": -1', "e2}"].map((piece) => json(1, piece)),
      blockStop(1),
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ]);
    expect(evidence.toolCalls.map(({ toolCallId, toolName, args }) => [toolCallId, toolName, args])).toEqual([["tu_1", "find", { q: "café 😀", n: -100 }]]);
  });

  test("case 142: calls without a piece of arguments, or with an empty one, have none, and are not lost", async () => {
    const { evidence } = await seen([blockStart(0, { type: "tool_use", id: "tu_1", name: "now", input: {} }), blockStop(0), blockStart(1, { type: "tool_use", id: "tu_2", name: "ping", input: {} }), json(1, ""), blockStop(1)]);
    expect(evidence.toolCalls.map(({ toolCallId, toolName, args }) => [toolCallId, toolName, args])).toEqual([["tu_1", "now", {}], ["tu_2", "ping", {}]]);
  });

  test("whatever the arguments are and wherever they are cut, they come out as they were written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: "grapheme" }), fc.array(fc.nat(400), { maxLength: 6 }), async (value, cuts) => {
        const text = JSON.stringify({ value }).replace(/[\u0080-\uffff]/gu, (character) => Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""));
        const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        const { evidence } = await seen(message("tool_use", use(0, "a", "x", ...at.slice(1).map((end, index) => text.slice(at[index], end)))));
        expect(evidence.toolCalls[0]?.args).toEqual(JSON.parse(JSON.stringify({ value })));
      }),
      { numRuns: 200 },
    );
  });

  test("two blocks whose pieces are mixed are kept apart by their index", async () => {
    const { evidence } = await seen([START, blockStart(0, { type: "tool_use", id: "a", name: "x", input: {} }), blockStart(1, { type: "tool_use", id: "b", name: "y", input: {} }), json(0, '{"n"'), json(1, '{"m":2'), json(0, ":1}"), json(1, "}"), blockStop(1), blockStop(0), stopped("tool_use"), STOP]);
    expect(new Map(evidence.toolCalls.map(({ toolCallId, args }) => [toolCallId, args]))).toEqual(new Map([["a", { n: 1 }], ["b", { m: 2 }]]));
  });

  test("a block that never stopped is no call, and arguments that are no JSON are kept as they came", async () => {
    expect((await seen([START, blockStart(0, { type: "tool_use", id: "a", name: "x", input: {} }), json(0, '{"n"')])).evidence.toolCalls).toEqual([]);
    expect((await seen(message("max_tokens", use(0, "a", "x", '{"n"')))).evidence.toolCalls[0]?.args).toBe('{"n"');
  });

  test("an input that came whole with the block, or with a whole message, is the input", async () => {
    expect((await seen([START, blockStart(0, { type: "tool_use", id: "a", name: "x", input: { n: 1 } }), blockStop(0), stopped("tool_use")])).evidence.toolCalls[0]?.args).toEqual({ n: 1 });
    const whole = { type: "message", role: "assistant", content: [{ type: "text", text: "Hi." }, { type: "tool_use", id: "a", name: "x", input: { n: 1 } }], stop_reason: "tool_use", usage: { input_tokens: 5, output_tokens: 3 } };
    expect((await seen([whole, result("a", "1"), ...DONE])).evidence).toMatchObject({ answer: "Hi.Done.", toolCalls: [{ args: { n: 1 }, result: "1" }], usage: { inputTokens: 10, outputTokens: 6, requests: 2 } });
  });
});

describe("kind provider-executed", () => {
  const server = (index: number, id: string, name: string, type = "server_tool_use"): object[] => [blockStart(index, { type, id, name, input: {} }), json(index, '{"query":"x"}'), blockStop(index)];
  const answer = (index: number, type: string, tool_use_id: string, content: unknown, rest: object = {}): object[] => [blockStart(index, { type, tool_use_id, content, ...rest }), blockStop(index)];

  test("case 143: a call of the API's own that never got a result is open, and neither waited for nor dropped", async () => {
    const { evidence } = await seen([{ type: "message", role: "assistant", content: [{ type: "server_tool_use", id: "st1", name: "web_search", input: { query: "x" } }, { type: "text", text: "I could not finish." }], stop_reason: "end_turn" }]);
    expect(look(evidence)).toEqual([["st1", "web_search", { query: "x" }, undefined, undefined, false]]);
    expect(evidence).toMatchObject({ answer: "I could not finish.", terminalPhase: "completed", ended: true });
    expect(expectation({ tools: [expectCall({ name: "web_search" })] }).checks(evidence).every(({ passed }) => passed)).toBe(false);
  });

  test.each([
    ["a result in the same message", [...server(0, "s", "web_search"), ...answer(1, "web_search_tool_result", "s", [{ url: "u" }])], [{ url: "u" }]],
    ["a failure with its code", [...server(0, "s", "web_search"), ...answer(1, "web_search_tool_result", "s", { type: "web_search_tool_result_error", error_code: "too_many_requests" })], "rate_limited"],
    ["a failure of an unknown code", [...server(0, "s", "web_fetch"), ...answer(1, "web_fetch_tool_result", "s", { type: "web_fetch_tool_result_error", error_code: "brand_new" })], "unknown"],
    ["a result of an MCP server", [...server(0, "s", "lookup", "mcp_tool_use"), ...answer(1, "mcp_tool_result", "s", [{ type: "text", text: '{"found":1}' }], { is_error: false })], { found: 1 }],
    ["a failure of an MCP server", [...server(0, "s", "lookup", "mcp_tool_use"), ...answer(1, "mcp_tool_result", "s", [{ type: "text", text: "gone" }], { is_error: true })], "unknown"],
    ["what a program printed", [...server(0, "s", "bash_code_execution"), ...answer(1, "bash_code_execution_tool_result", "s", { type: "bash_code_execution_result", stdout: "2", stderr: "", return_code: 0 })], { type: "bash_code_execution_result", stdout: "2", stderr: "", return_code: 0 }],
  ] as const)("%s", async (_what, blocks, expected) => {
    const { evidence } = await seen([START, ...blocks, ...words(9, "Done."), stopped("end_turn"), STOP]);
    expect(evidence.toolCalls.map(({ args, result: output, failure, completed }) => [args, failure?.kind ?? output, completed])).toEqual([[{ query: "x" }, expected, true]]);
    expect(evidence.terminalPhase).toBe("completed");
  });

  test("a result in a later message is that of its call", async () => {
    const { evidence } = await seen([...message("pause_turn", server(0, "s", "web_search")), ...message("end_turn", answer(0, "web_search_tool_result", "s", []), words(1, "Nothing."))]);
    expect(look(evidence)).toEqual([["s", "web_search", { query: "x" }, [], undefined, true]]);
  });
});

describe("kind usage-accounting", () => {
  test("case 145: running totals are not added up", async () => {
    const { evidence } = await seen([
      { type: "message_start", message: { usage: { input_tokens: 25, cache_read_input_tokens: 100, output_tokens: 1 } } },
      { type: "message_delta", delta: { stop_reason: null }, usage: { output_tokens: 7 } },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 18 } },
    ]);
    expect(evidence.usage).toEqual({ inputTokens: 25, cachedInputTokens: 100, outputTokens: 18, requests: 1 });
  });

  test.each([
    ["is the sum over the messages", [...message("tool_use", use(0, "a", "x", "{}")), result("a", "1"), ...DONE], { inputTokens: 10, outputTokens: 6, requests: 2 }],
    ["takes a later total of the input, too", [START, stopped("end_turn", { input_tokens: 9, output_tokens: 3 }), STOP], { inputTokens: 9, outputTokens: 3, requests: 1 }],
    ["keeps an earlier total where a later one is null", [START, stopped("end_turn", { input_tokens: null, output_tokens: 3 }), STOP], { inputTokens: 5, outputTokens: 3, requests: 1 }],
    ["counts the tokens that were thought", [START, stopped("end_turn", { output_tokens: 9, output_tokens_details: { thinking_tokens: 6 } }), STOP], { inputTokens: 5, outputTokens: 9, reasoningTokens: 6, requests: 1 }],
    ["does not take the first count of a cut answer for its total", [START, ...words(0, "Hel")], { inputTokens: 5, requests: 1 }],
    ["is unknown where nobody told it", [...words(0, "Hi."), { type: "message_delta", delta: { stop_reason: "end_turn" } }, STOP], undefined],
    ["leaves out a message that does not tell it, and says so", [...DONE, { type: "message", role: "assistant", content: [], stop_reason: "end_turn" }], { inputTokens: 5, outputTokens: 3, requests: 2, unknownRequests: 1 }],
    ["is not made of what is no count", [{ type: "message_start", message: { usage: { input_tokens: "5", output_tokens: -1 } } }, stopped("end_turn", { output_tokens: 0.5 }), STOP], undefined],
  ] as const)("the usage %s", async (_what, list, usage) => {
    expect((await seen(list)).evidence.usage).toEqual(usage);
  });
});

describe("kind terminal-state: a run", () => {
  test.each([
    ["has ended well with its turn", DONE, "completed", true],
    ["has ended well at a stop sequence", message("stop_sequence", words(0, "Hi.")), "completed", true],
    ["waits where its calls have no results", message("tool_use", use(0, "a", "x", "{}")), "suspended", true],
    ["waits where the API paused it", message("pause_turn", words(0, "Hm.")), "suspended", true],
    ["has an end without a phase after its results: only the loop knows", [...message("tool_use", use(0, "a", "x", "{}")), result("a", "1")], undefined, true],
    ["has ended as its loop says", [...message("tool_use", use(0, "a", "x", "{}")), result("a", "1"), { type: "workflow", phase: "completed" }], "completed", true],
    ["has failed at its limit", message("max_tokens", words(0, "Your")), "failed", true],
    ["has failed where the context was full", message("model_context_window_exceeded", words(0, "Your")), "failed", true],
    ["has failed where the model refused", message("refusal", words(0, "I")), "failed", true],
    ["has failed for a reason that nobody knows yet", message("brand_new", words(0, "I")), "failed", true],
    ["has failed with an error, whatever came after it", [START, ...words(0, "Hel"), { type: "error", error: { type: "overloaded_error", message: "upstream 529" } }, stopped("end_turn"), STOP], "failed", true],
    ["has an end without a phase where only a call of the API's own is open", [...message("tool_use", [blockStart(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }), blockStop(0)], use(1, "a", "x", "{}")), result("a", "1")], undefined, true],
    ["keeps the reason that it was given when more is counted after it", [START, ...words(0, "Hi."), stopped("end_turn"), { type: "message_delta", delta: {}, usage: { output_tokens: 4 } }], "completed", true],
    ["has not ended in the middle of a message", [START, ...words(0, "Your order")], undefined, false],
    ["has not ended in the middle of its second message", [...message("tool_use", use(0, "a", "x", "{}")), result("a", "1"), START, ...words(0, "Your")], undefined, false],
    ["has not ended with nothing", [], undefined, false],
  ] as const)("%s", async (_what, list, phase, ended) => {
    const { evidence, code } = await seen(list);
    expect([evidence.terminalPhase, evidence.ended, code]).toEqual([phase, ended, ended ? undefined : "stream_incomplete"]);
  });

  test("says why it failed, in the API's words and its loop's", async () => {
    expect((await seen([START, { type: "error", error: { type: "overloaded_error", message: "upstream 529" } }])).evidence.terminalFailure).toEqual({ message: "upstream 529", kind: "overloaded_error" });
    expect((await seen([START, { type: "message_delta", delta: { stop_reason: "refusal", stop_details: { type: "refusal", category: "bio", explanation: "not this" } } }])).evidence.terminalFailure).toEqual({ message: "the model refused to answer: not this", kind: "refusal", code: "refusal" });
    expect((await seen([...DONE, { type: "workflow", phase: "failed", failure: { message: "three turns at most", kind: "limit" } }])).evidence.terminalFailure).toEqual({ message: "three turns at most", kind: "limit" });
  });

  test("that said and did nothing is warned of", async () => {
    const { evidence, warnings } = await seen([START, stopped("end_turn"), STOP]);
    expect(evidence).toMatchObject({ terminalPhase: "completed", answer: "" });
    expect(warnings.map(({ code }) => code)).toEqual(["answer_empty"]);
  });

  test("that the SDK says was aborted was cancelled", async () => {
    async function* aborted(): AsyncGenerator { yield* [START, ...words(0, "Your")]; throw Object.assign(new Error("Request was aborted."), { name: "APIUserAbortError" }); }
    expect(await collect(events(aborted()))).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "Your" });
  });

  test("tells a call as soon as it has come whole, so that a deadline loses nothing", async () => {
    const deadline = new AbortController();
    async function* hanging(): AsyncGenerator { yield* message("tool_use", use(0, "a", "x", "{}")); setTimeout(() => deadline.abort(), 10); await new Promise(() => undefined); }
    await expect(collect(events(hanging()), { signal: deadline.signal })).rejects.toMatchObject({ evidence: { toolCalls: [{ toolCallId: "a", completed: false }] } });
  });

  test("that stops after its signal was aborted was cancelled; without the signal it was cut", async () => {
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    expect((await seen([START, ...words(0, "Your")], { signal: controller.signal })).evidence).toMatchObject({ terminalPhase: "cancelled", answer: "Your" });
    expect((await seen(DONE, { signal: controller.signal })).evidence.terminalPhase).toBe("completed");
  });
});

describe("kinds duplicate-events, id-collision, missing-events", () => {
  test.each([
    ["a result that comes twice", [...message("tool_use", use(0, "a", "x", "{}")), result("a", "1"), result("a", "1"), ...DONE], [["a", "x", {}, "1", undefined, true]], []],
    ["a result that comes twice, in another way: the first end counts", [...message("tool_use", use(0, "a", "x", "{}")), result("a", "1"), result("a", "2"), ...DONE], [["a", "x", {}, "1", undefined, true]], ["result_repeated"]],
    ["a call that comes twice", [...message("tool_use", use(0, "a", "x", "{}")), { type: "tool_use", id: "a", name: "x", input: {} }, result("a", "1"), ...DONE], [["a", "x", {}, "1", undefined, true]], ["call_repeated"]],
    ["an id that comes again in a later message", [...message("tool_use", use(0, "a", "x", "{}")), result("a", "1"), ...message("tool_use", use(0, "a", "x", "{}")), result("a", "2"), ...DONE], [["a", "x", {}, "1", undefined, true], ["made-up:1:a", "x", {}, "2", undefined, true]], ["call_id_reused"]],
    ["calls without ids", [...message("tool_use", use(0, "", "x", '{"n":1}'), use(1, "", "y", '{"n":2}')), result("", "1"), ...DONE], [["made-up:1", "x", { n: 1 }, undefined, undefined, false], ["made-up:2", "y", { n: 2 }, undefined, undefined, false]], ["call_id_missing", "call_id_missing", "result_unmatched"]],
    ["a result whose call was never told", [...DONE, result("z", "1"), ...DONE], [["z", "", {}, "1", undefined, true]], ["result_unmatched"]],
  ] as const)("%s", async (_what, list, calls, codes) => {
    const { evidence, warnings } = await seen(list);
    expect(look(evidence)).toEqual(calls);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });

  test("while nobody knows the name of a call, nobody can say that a tool was not called", async () => {
    const { evidence } = await seen([...DONE, result("z", "1"), ...DONE]);
    expect(() => expectation({ forbidTools: ["delete"] }).checks(evidence)).toThrow(expect.objectContaining({ code: "evidence_incomplete" }));
  });

  test("a run that goes on with the results of the one before it ends the calls of that one", async () => {
    const first = await collect(events(parts(message("tool_use", use(0, "a", "x", "{}"))), { runId: "one" }));
    const second = await collect(events(parts([{ role: "user", content: [result("a", '{"n":1}'), { type: "text", text: "And?" }] }, ...DONE]), { runId: "two" }), {}, { rootRunId: "two", continues: first });
    expect(second).toMatchObject({ toolCalls: [], answer: "Done.", completions: [{ call: { toolCallId: "a", toolName: "x", result: { n: 1 } }, startedInRunId: "one" }] });
  });
});

describe("kind approvals", () => {
  const ASKED = [...message("tool_use", use(0, "a", "look", "{}"), use(1, "b", "wire", '{"amount":9}')), { type: "await_confirmation", toolCallId: "b", prompt: "May I?" }];
  const said = (list: readonly unknown[]): Promise<Seen> => seen(list, { approvals: true });

  test("a call that waits has not been started, whatever else its message asked for", async () => {
    const { evidence } = await said([...ASKED, result("a", "seen")]);
    expect(look(evidence)).toEqual([["a", "look", {}, "seen", undefined, true]]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "b", toolName: "wire", args: { amount: 9 }, prompt: "May I?", state: "pending" } });
    expect(expectation({ confirmation: expectConfirmation({ name: "wire" }), forbidTools: ["wire"] }).checks(evidence).every(({ passed }) => passed)).toBe(true);
  });

  test("one that was allowed is started with the decision; one that was refused has no result, whatever the model is told", async () => {
    const decided = (approved: boolean): unknown[] => [...ASKED, { type: "tool_authorization", toolCallId: "b", approved, approvedBy: "ann" }, result("a", "seen"), result("b", approved ? "sent" : "refused", { is_error: !approved }), ...DONE];
    expect(look((await said(decided(true))).evidence)).toEqual([["a", "look", {}, "seen", undefined, true], ["b", "wire", { amount: 9 }, "sent", "approved", true]].sort((left) => (left[0] === "b" ? -1 : 1)));
    expect((await said(decided(false))).evidence.toolCalls.find(({ toolCallId }) => toolCallId === "b")).toMatchObject({ approval: "denied", completed: false });
  });

  test("one that ran before anybody agreed is seen to have run", async () => {
    const { evidence } = await said([...message("tool_use", use(0, "b", "wire", "{}")), result("b", "sent"), { type: "await_confirmation", toolCallId: "b" }]);
    const problems = expectation({ confirmation: expectConfirmation({ name: "wire" }) }).checks(evidence).map(({ diagnostic }) => diagnostic ?? "");
    expect(problems.join()).toContain("wire was executed before approval");
  });

  test("a loop that does not say so is not taken to ask: its calls are told at once, and a confirmation is not observable", async () => {
    const { evidence } = await seen(message("tool_use", use(0, "b", "wire", "{}")));
    expect(look(evidence)).toEqual([["b", "wire", {}, undefined, undefined, false]]);
    expect(() => expectation({ confirmation: expectConfirmation({ name: "wire" }) }).checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }));
  });

  test("a decision about a call of an earlier run says itself all that is known", async () => {
    expect((await said([{ type: "tool_authorization", toolCallId: "b", approved: true }, { type: "tool_use", id: "b", name: "wire", input: {} }, result("b", "sent"), ...DONE])).evidence.toolCalls).toMatchObject([{ toolName: "wire", approval: "approved", result: "sent" }]);
    expect((await said([...DONE, { type: "await_confirmation", toolCallId: "n", toolName: "wire", prompt: "May I?" }])).evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolName: "wire" } });
  });
});

describe("kinds format-variants, nested-attribution, hostile parts", () => {
  test("results in each of their forms", async () => {
    const of = async (content: unknown, rest: object = {}): Promise<unknown> => {
      const [call] = (await seen([...message("tool_use", use(0, "a", "x", "{}")), result("a", content, rest), ...DONE])).evidence.toolCalls;
      return call?.failure ?? call?.result;
    };
    expect(await of("42")).toBe("42");
    expect(await of('{"n":1}')).toEqual({ n: 1 });
    expect(await of("{broken")).toBe("{broken");
    expect(await of([{ type: "text", text: "[1]" }])).toEqual([1]);
    expect(await of([{ type: "text", text: "a" }, { type: "text", text: "b" }])).toEqual([{ type: "text", text: "a" }, { type: "text", text: "b" }]);
    expect(await of(undefined)).toBeUndefined();
    expect(await of([{ type: "text", text: "declined" }], { is_error: true })).toEqual({ kind: "unknown", error: { message: "declined" } });
    expect(await of("", { is_error: true })).toMatchObject({ kind: "unknown", error: { message: expect.stringContaining("says nothing") } });
  });

  test("thinking, citations and other blocks are no calls and no answer", async () => {
    const { evidence, warnings } = await seen([START, blockStart(0, { type: "thinking", thinking: "" }), { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } }, { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "s" } }, blockStop(0), ...words(1, "Hi."), { type: "ping" }, stopped("end_turn"), STOP]);
    expect(evidence).toMatchObject({ answer: "Hi.", toolCalls: [] });
    expect(evidence.unknownEvents).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test("unknown events and blocks are counted and left aside; what is no event breaks nothing", async () => {
    const { evidence, warnings } = await seen([{ type: "brand_new_event" }, null, 7, { role: "assistant", content: "before" }, { type: "tool_start", toolCallId: "x" }, START, blockStart(0, { type: "brand_new_block" }), blockStop(0), ...words(1, "Hi."), stopped("end_turn")]);
    expect(evidence).toMatchObject({ answer: "Hi.", terminalPhase: "completed" });
    expect(evidence.unknownEvents?.map(({ type }) => type)).toEqual(["brand_new_event", "null", "number", "a message of the role assistant", "anthropic:tool_start", "brand_new_block"]);
    expect(warnings).toHaveLength(6);
  });

  test("a call that a program made stands below the program; one whose program was never told stands by itself", async () => {
    const made = (id: string, tool_id: string): object[] => [blockStart(1, { type: "tool_use", id, name: "look", input: {}, caller: { type: "code_execution_20260120", tool_id } }), blockStop(1)];
    const program = [blockStart(0, { type: "server_tool_use", id: "p", name: "code_execution", input: {} }), json(0, '{"code":"look()"}'), blockStop(0)];
    expect((await seen([START, ...program, ...made("a", "p"), stopped("tool_use")])).evidence.toolCalls.map(({ toolName, parentToolCallId }) => [toolName, parentToolCallId])).toEqual([["code_execution", undefined], ["look", "p"]]);
    expect((await seen([START, ...made("a", "gone"), stopped("tool_use")])).evidence.toolCalls[0]?.parentToolCallId).toBeUndefined();
  });

  const hostile = [
    { get type(): string { throw new Error("no"); } },
    { type: "content_block_start", index: 0, get content_block(): never { throw new Error("no"); } },
    new Proxy({}, { get: (_target, name) => { if (name === "then") return undefined; throw new Error("no"); } }),
    blockStart(3, { type: "tool_use", id: "__proto__", name: "constructor", input: { deep: 1n } }),
    blockStop(3),
    result("__proto__", { get text(): string { throw new Error("no"); } }),
    { type: "message_delta", delta: null, usage: { get output_tokens(): number { throw new Error("no"); } } },
    { type: "await_confirmation" },
    { role: "user", content: [null, { type: "tool_result" }] },
    { type: "content_block_delta", index: "0", delta: { type: "text_delta", text: 7 } },
  ];

  test("nothing that a source holds breaks it", async () => {
    const { evidence, code } = await seen([START, ...hostile.filter((part) => (part as { type?: unknown }) !== hostile[7]), ...words(0, "Hi."), stopped("end_turn")]);
    expect(code).toBeUndefined();
    expect(evidence).toMatchObject({ answer: "Hi.", toolCalls: [{ toolCallId: "__proto__", toolName: "constructor" }] });
  });

  test("whatever order its parts come in, no id is told twice, and the collector takes every event", async () => {
    const id = fc.constantFrom("a", "b", "");
    const part = fc.oneof(
      fc.tuple(fc.nat(2), id, fc.constantFrom("x", "y")).map(([index, callId, name]) => use(index, callId, name, "{}")),
      fc.tuple(id, fc.constantFrom("1", '{"n":1}'), fc.boolean()).map(([callId, content, is_error]) => [result(callId, content, { is_error })]),
      fc.tuple(fc.constantFrom("a", "b"), fc.boolean()).map(([toolCallId, approved]) => [{ type: "tool_authorization", toolCallId, approved }]),
      fc.constantFrom("a", "b").map((toolCallId) => [{ type: "await_confirmation", toolCallId, toolName: "x", prompt: "?" }]),
      fc.constantFrom([START], [STOP], [stopped("tool_use")], [stopped("end_turn")], DONE, words(4, "t"), [hostile[0]], [hostile[3], hostile[4]], [hostile[8]]),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), fc.boolean(), async (lists, approvals) => {
        const { evidence, code, warnings } = await seen(lists.flat(), { approvals });
        // A result at the very beginning is one of an earlier run, whose evidence was not given.
        expect([undefined, "stream_incomplete", "tool_end_unknown"]).toContain(code);
        expect(evidence.ended).toBe(code === undefined);
        expect(new Set(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(evidence.toolCalls.length);
        expect(warnings.every(({ code: warned }) => (STREAM_WARNINGS as readonly string[]).includes(warned))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("what the source throws of itself comes through, with what was seen; what is no source is refused", async () => {
    async function* broken(): AsyncGenerator { yield* [START, ...words(0, "Hel")]; throw new TypeError("terminated"); }
    await expect(collect(events(broken()))).rejects.toMatchObject({ code: "stream_incomplete", evidence: { ended: false, answer: "Hel" } });
    await expect(collect(events("text" as never))).rejects.toMatchObject({ code: "option_invalid" });
    await expect(collect(events(Promise.reject(new Error("no key"))))).rejects.toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("no key") });
    expect(await collect(events(Promise.resolve({ type: "message" as const, role: "assistant", content: [{ type: "text", text: "Hi." }], stop_reason: "end_turn" })))).toMatchObject({ answer: "Hi.", terminalPhase: "completed" });
  });
});
