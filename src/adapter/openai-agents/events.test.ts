import * as fc from "fast-check";
import { events, STREAM_WARNINGS, watch, type EventsOptions, type Handoff, type StreamWarning } from "entail/adapter/openai-agents";
import { collect, expectation, expectCall, expectConfirmation, type Evidence } from "entail/evidence";
import { describe, expect, test } from "vitest";

async function* parts(list: readonly unknown[]): AsyncGenerator {
  yield* list;
}

interface Seen {
  readonly evidence: Evidence;
  readonly warnings: readonly StreamWarning[];
  readonly handoffs: readonly Handoff[];
  /** Set where the stream came to no end. */
  readonly code?: string;
}

/** The evidence of a bare stream of events, whole or cut. */
async function seen(list: readonly unknown[], options: EventsOptions = {}): Promise<Seen> {
  const stream = events(parts(list), { runId: "run", ...options });
  const rest = { get warnings() { return stream.warnings; }, get handoffs() { return stream.handoffs; } };
  try {
    return Object.assign(Object.create(rest) as Seen, { evidence: await collect(stream) });
  } catch (thrown) {
    const { code, evidence } = thrown as { code: string; evidence: Evidence };
    return Object.assign(Object.create(rest) as Seen, { evidence, code });
  }
}

const item = (name: string, type: string, rawItem: object, rest: object = {}): object => ({ type: "run_item_stream_event", name, item: { type, rawItem, ...rest } });
const call = (callId: string, name: string, args = "{}", rest: object = {}): object => item("tool_called", "tool_call_item", { type: "function_call", callId, name, arguments: args, ...rest });
const output = (callId: string, value: unknown, rest: object = {}): object => item("tool_output", "tool_call_output_item", { type: "function_call_result", callId, output: value, ...rest });
const approval = (callId: string, name: string, args = "{}"): object => item("tool_approval_requested", "tool_approval_item", { type: "function_call", callId, name, arguments: args });
const says = (text: string): object => item("message_output_created", "message_output_item", { role: "assistant", content: [{ type: "output_text", text }] });
const raw = (data: object): object => ({ type: "raw_model_stream_event", data });
const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolCallId, toolName, args, result, failure, approval: allowed, completed }) => [toolCallId, toolName, args, failure?.kind ?? result, allowed, completed]);
const failing = (checks: readonly { readonly passed: boolean; readonly diagnostic?: string | undefined }[]): (string | undefined)[] => checks.filter(({ passed }) => !passed).map(({ diagnostic }) => diagnostic);

describe("kind malformed-tool-args", () => {
  test("case 123: a call whose argument text cannot be parsed is a call, with its raw text, and the run goes on", async () => {
    const { evidence } = await seen([call("f1", "save", '{"note": "it\'s "quoted""}'), says("Saved.")]);
    expect(look(evidence)).toEqual([["f1", "save", '{"note": "it\'s "quoted""}', undefined, undefined, false]]);
    expect(evidence.answer).toBe("Saved.");
    const named = expectation({ tools: [expectCall({ name: "save" }, { args: { note: "it's quoted" } })] }).checks({ ...evidence, terminalPhase: "completed" });
    expect(failing(named).join()).toContain('{"note": "it\'s "quoted""}');
  });

  test.each(["", "null", '{"a":1', "[1,2", "{'a':1}", '{"a":1}{"a":2}', '{"a":\u0000}', "not json"])("the argument text %j is kept as it came", async (text) => {
    const { evidence, code } = await seen([call("f", "save", text), output("f", "ok"), says("Saved.")]);
    expect(code).toBeUndefined();
    expect(evidence.toolCalls).toHaveLength(1);
    expect(text === "" || text === "null" ? evidence.toolCalls[0]?.argsRaw : evidence.toolCalls[0]?.args).toBe(text === "" ? "empty" : text);
  });
});

describe("kind duplicate-events", () => {
  const handoff = (id: string, to: string): object[] => [
    call(id, `transfer_to_${to}`),
    item("handoff_requested", "handoff_call_item", { type: "function_call", callId: id, name: `transfer_to_${to}`, arguments: "{}" }),
    item("handoff_occurred", "handoff_output_item", { type: "function_call_result", callId: id, output: "ok" }, { targetAgent: { name: to }, sourceAgent: { name: "triage" } }),
  ];

  test("case 124: a handoff that is told as a call and as a handoff is one call and one handoff", async () => {
    const { evidence, handoffs, warnings } = await seen([
      call("h1", "transfer_to_billing"),
      item("handoff_requested", "handoff_call_item", { type: "function_call", callId: "h1", name: "transfer_to_billing", arguments: "{}" }),
      item("handoff_occurred", "handoff_output_item", { type: "function_call_result", callId: "h1", output: "ok" }),
    ]);
    expect(evidence.toolCalls.filter(({ toolCallId }) => toolCallId === "h1")).toHaveLength(1);
    expect(handoffs).toEqual([{ toolCallId: "h1", to: "billing" }]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ["two handoffs in a row", [...handoff("h1", "billing"), ...handoff("h2", "sales"), says("Sold.")], ["transfer_to_billing", "transfer_to_sales"], []],
    ["a call that comes twice", [call("a", "x"), call("a", "x"), output("a", "1"), says("Done.")], ["x"], ["call_repeated"]],
    ["a result that comes twice", [call("a", "x"), output("a", "1"), output("a", "1"), says("Done.")], ["x"], []],
    ["a result that comes twice, in another way", [call("a", "x"), output("a", "1"), output("a", "2"), says("Done.")], ["x"], ["result_repeated"]],
    ["a request that comes twice", [call("a", "x"), approval("a", "x"), approval("a", "x")], [], []],
    ["a call that comes again after its result is another call", [call("a", "x"), output("a", "1"), call("a", "x"), output("a", "2"), says("Done.")], ["x", "x"], ["call_id_reused"]],
  ] as const)("%s", async (_what, list, names, codes) => {
    const { evidence, warnings } = await seen(list);
    expect(evidence.toolCalls.map(({ toolName }) => toolName)).toEqual(names);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });
});

describe("kind approvals", () => {
  const WIRE = [call("f", "wire"), output("f", "sent"), approval("f", "wire")];

  test("case 126: a tool that ran before anybody agreed is seen to have run, and the confirmation fails with its name", async () => {
    const { evidence } = await seen(WIRE);
    expect(look(evidence)).toEqual([["f", "wire", {}, "sent", "pending", true]]);
    const [problem] = failing(expectation({ confirmation: expectConfirmation({ name: "wire" }) }).checks(evidence));
    expect(problem).toContain("wire was executed before approval");
  });

  test("a call that waits has not been started, whatever else its turn did", async () => {
    const { evidence } = await seen([call("a", "look"), call("b", "wire", '{"amount":9}'), output("a", "seen"), approval("b", "wire", '{"amount":9}')]);
    expect(look(evidence)).toEqual([["a", "look", {}, "seen", undefined, true]]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "b", args: { amount: 9 }, state: "pending" } });
  });

  test("of two that wait, both are asked for and neither is started", async () => {
    const { evidence } = await seen([call("a", "wire"), call("b", "wire"), approval("a", "wire"), approval("b", "wire")]);
    expect(evidence).toMatchObject({ toolCalls: [], confirmation: { toolCallId: "b" }, terminalPhase: "suspended" });
  });

  test("a request is told once, and one of another agent's call that happens to have the same id is not this call's", async () => {
    const types = async (list: readonly unknown[]): Promise<string[]> => {
      const told: string[] = [];
      for await (const { type } of events(parts(list))) told.push(type);
      return told;
    };
    const asked = approval("a", "wire");
    expect((await types([call("a", "wire"), asked, asked])).filter((type) => type === "await_confirmation")).toHaveLength(1);
    const { evidence } = await seen([call("a", "research"), output("a", ""), approval("a", "wire")]);
    expect(look(evidence)).toEqual([["a", "research", {}, "", undefined, true]]);
    expect(evidence.confirmation).toMatchObject({ toolCallId: "made-up:request:1", toolName: "wire" });
  });

  test("a run that begins with the result of a call was allowed to make it", async () => {
    expect(look((await seen([output("f", "sent", { name: "wire" }), says("Sent.")])).evidence)).toEqual([["f", "wire", {}, "sent", "approved", true]]);
  });

  test("a run that begins with the SDK's refusal was not, and the call did not run", async () => {
    expect(look((await seen([output("f", "Tool execution was not approved.", { name: "wire" }), says("Not sent.")])).evidence)).toEqual([["f", "wire", {}, undefined, "denied", false]]);
  });

  test("an approval that the provider's own server asks for, and the call that it allowed", async () => {
    const request = { type: "hosted_tool_call", id: "ap1", name: "mcp_approval_request", providerData: { type: "mcp_approval_request", name: "pay", arguments: '{"amount":5}' } };
    const asked = [item("tool_called", "tool_call_item", request), item("tool_approval_requested", "tool_approval_item", { ...request, name: "pay" }, { toolName: "pay" })];
    const first = (await seen(asked)).evidence;
    expect(first).toMatchObject({ toolCalls: [], confirmation: { toolCallId: "ap1", toolName: "pay", args: { amount: 5 } }, terminalPhase: "suspended" });
    const made = item("tool_called", "tool_call_item", { type: "hosted_tool_call", id: "m1", name: "mcp_call", status: "completed", output: "paid", providerData: { type: "mcp_call", name: "pay", arguments: '{"amount":5}', approval_request_id: "ap1" } });
    expect(look((await seen([made, says("Paid.")])).evidence)).toEqual([["m1", "pay", { amount: 5 }, "paid", "approved", true]]);
  });
});

describe("kind terminal-state: a bare stream", () => {
  const done = (finish: string | null): object[] => [raw({ type: "response_started" }), raw({ type: "model", event: { object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: finish }] } }), raw({ type: "response_done", response: { usage: {} } })];

  test.each([
    ["has ended with a message of the model", [says("Hi.")], "completed"],
    ["has not ended after a call without a result", [says("I look."), call("a", "x")], undefined],
    ["has not ended after a result", [call("a", "x"), output("a", "1")], undefined],
    ["has not ended after a result, whatever was said before it", [says("I look."), call("a", "x"), output("a", "1")], undefined],
    ["has not ended with nothing", [], undefined],
    ["has not ended with a text that never came whole", [raw({ type: "response_started" }), raw({ type: "output_text_delta", delta: "Your ord" })], undefined],
    ["has not ended where the model's stream broke without a reason", [...done(null), says("Your order")], undefined],
    ["has failed where the last answer was cut off at its limit", [...done("length"), says("Your order")], "failed"],
    ["has failed where a filter stopped it", [...done("content_filter"), says("Your")], "failed"],
    ["has ended well for the reason that the model gave", [...done("stop"), says("Hi.")], "completed"],
    ["of the Responses API has ended with its response", [raw({ type: "response_started" }), raw({ type: "model", event: { type: "response.completed", response: {} } }), says("Hi.")], "completed"],
  ] as const)("%s", async (_what, list, phase) => {
    const { evidence, code } = await seen(list);
    expect(evidence.terminalPhase).toBe(phase);
    expect(code).toBe(phase === undefined ? "stream_incomplete" : undefined);
    expect(evidence.ended).toBe(phase !== undefined);
  });

  test("a text that never came whole is kept", async () => {
    expect((await seen([raw({ type: "response_started" }), raw({ type: "output_text_delta", delta: "Your ord" })])).evidence.answer).toBe("Your ord");
  });

  test("a run that said and did nothing is warned of", async () => {
    expect((await seen([says("")])).code).toBe("stream_incomplete");
    const stream = events({ newItems: [], state: {}, rawResponses: [], finalOutput: "" } as never);
    expect(await collect(stream)).toMatchObject({ terminalPhase: "completed", answer: "" });
    expect(stream.warnings.map(({ code }) => code)).toEqual(["answer_empty"]);
  });
});

describe("kind id-collision", () => {
  test("calls without ids are told apart, and their results by the tool's name where that leaves no doubt", async () => {
    const { evidence, warnings } = await seen([call("", "a", '{"n":1}'), call("", "b", '{"n":2}'), output("", "rb", { name: "b" }), output("", "ra", { name: "a" }), says("Done.")]);
    expect(evidence.toolCalls.map(({ toolName, result }) => [toolName, result])).toEqual([["a", "ra"], ["b", "rb"]]);
    expect(evidence.toolCalls.every(({ toolCallId }) => toolCallId.startsWith("made-up:"))).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(["call_id_missing", "call_id_missing"]);
  });

  test("a result that could be of either of two calls is of none", async () => {
    const { evidence, warnings } = await seen([call("", "a", '{"n":1}'), call("", "a", '{"n":2}'), output("", "r", { name: "a" }), says("Done.")]);
    expect(evidence.toolCalls.every(({ completed }) => !completed)).toBe(true);
    expect(warnings.map(({ code }) => code)).toContain("result_unmatched");
  });
});

describe("kind missing-events", () => {
  test("a result whose call was never told is a call all the same, and nobody was asked about it", async () => {
    const { evidence } = await seen([says("I look."), output("x", "found", { name: "look" }), says("Done.")]);
    expect(look(evidence)).toEqual([["x", "look", {}, "found", undefined, true]]);
    expect(evidence.toolCalls[0]?.argsRaw).toBe("absent");
  });

  test("while nobody knows its name, nobody can say that a tool was not called", async () => {
    const { evidence } = await seen([says("I look."), output("x", "found"), says("Done.")]);
    expect(evidence.toolCalls[0]?.toolName).toBe("");
    expect(() => expectation({ forbidTools: ["look"] }).checks(evidence)).toThrow(expect.objectContaining({ code: "evidence_incomplete" }));
  });

  test("a request for a call that was never told stops the run at it", async () => {
    expect((await seen([says("May I?"), approval("x", "wire", '{"n":1}')])).evidence).toMatchObject({ toolCalls: [], terminalPhase: "suspended", confirmation: { toolCallId: "x", toolName: "wire", args: { n: 1 } } });
  });
});

describe("kinds provider-executed, nested-attribution, format-variants", () => {
  const hosted = (rest: object, providerData: object): object => item("tool_called", "tool_call_item", { type: "hosted_tool_call", id: "h", ...rest, providerData });

  test.each([
    ["a search with its results", hosted({ name: "file_search_call", status: "completed" }, { type: "file_search_call", queries: ["x"], results: [{ id: 1 }] }), ["h", "file_search", { queries: ["x"] }, [{ id: 1 }], undefined, true]],
    ["code with what it printed", hosted({ name: "code_interpreter_call", status: "completed" }, { type: "code_interpreter_call", code: "1+1", outputs: [{ logs: "2" }] }), ["h", "code_interpreter", { code: "1+1" }, [{ logs: "2" }], undefined, true]],
    ["a search whose result is not shown", hosted({ name: "web_search_call", status: "completed" }, { action: { query: "x" } }), ["h", "web_search", { query: "x" }, undefined, undefined, true]],
    ["a call that failed", hosted({ name: "mcp_call", status: "completed" }, { type: "mcp_call", name: "lookup", error: { message: "gone" } }), ["h", "lookup", {}, "unknown", undefined, true]],
    ["a call that has no end yet", hosted({ name: "image_generation_call", status: "in_progress" }, {}), ["h", "image_generation", {}, undefined, undefined, false]],
  ] as const)("%s", async (_what, part, expected) => {
    expect(look((await seen([part, says("Done.")])).evidence)).toEqual([expected]);
  });

  test("a list of a server's tools is no call", async () => {
    expect((await seen([hosted({ name: "mcp_list_tools" }, { type: "mcp_list_tools" }), says("Done.")])).evidence.toolCalls).toEqual([]);
  });

  test("a call that a program made stands below the program", async () => {
    const program = item("tool_called", "tool_call_item", { type: "program", callId: "p", code: "look()" });
    const made = call("a", "look", "{}", { caller: { type: "program", callerId: "p" } });
    const { evidence } = await seen([program, made, output("a", "seen"), item("tool_output", "tool_call_output_item", { type: "program_output", callId: "p", output: "done", status: "completed" }), says("Done.")]);
    expect(evidence.toolCalls.map(({ toolName, parentToolCallId, args, result }) => [toolName, parentToolCallId, args, result])).toEqual([["programmatic_tool_calling", undefined, { code: "look()" }, "done"], ["look", "p", {}, "seen"]]);
  });

  test("a patch that could not be applied is a failure; a shell's output is its result", async () => {
    const { evidence } = await seen([
      item("tool_called", "tool_call_item", { type: "apply_patch_call", callId: "p", operation: { type: "delete_file", path: "a" } }),
      item("tool_called", "tool_call_item", { type: "shell_call", callId: "s", action: { commands: ["ls"] } }),
      item("tool_output", "tool_call_output_item", { type: "apply_patch_call_output", callId: "p", status: "failed", output: "no such file" }),
      item("tool_output", "tool_call_output_item", { type: "shell_call_output", callId: "s", output: [{ stdout: "a" }] }, { output: "a", executionStatus: "executed" }),
      says("Done."),
    ]);
    expect(look(evidence)).toEqual([["p", "apply_patch", { type: "delete_file", path: "a" }, "unknown", undefined, true], ["s", "shell", { commands: ["ls"] }, "a", undefined, true]]);
  });

  test("unknown events and items are counted and left aside; what is no event breaks nothing", async () => {
    const { evidence, warnings } = await seen([{ type: "brand_new_event" }, null, 7, { type: "run_item_stream_event", item: { type: "brand_new_item" } }, { type: "tool_start", toolCallId: "x" }, says("Hi.")]);
    expect(evidence.answer).toBe("Hi.");
    expect(evidence.unknownEvents).toEqual([{ type: "brand_new_event", times: 1 }, { type: "null", times: 1 }, { type: "number", times: 1 }, { type: "brand_new_item", times: 1 }, { type: "openai-agents:tool_start", times: 1 }]);
    expect(warnings).toHaveLength(5);
  });

  test("outputs in each of their forms", async () => {
    const forms = [["text", "plain", "plain"], ["a part", { type: "text", text: '{"n":9007199254740993}' }, { n: 9007199254740992 }], ["parts", [{ type: "input_text", text: "x" }], [{ type: "input_text", text: "x" }]]] as const;
    for (const [, form, result] of forms) expect((await seen([call("a", "x"), output("a", form), says("Done.")])).evidence.toolCalls[0]?.result).toEqual(result);
    const kept = await seen([call("a", "x"), output("a", { type: "text", text: '{"n":9007199254740993}' }), says("Done.")]);
    expect(kept.evidence.toolCalls[0]?.resultJson).toBe('{"n":9007199254740993}');
    const own = item("tool_output", "tool_call_output_item", { type: "function_call_result", callId: "a", output: { type: "text", text: "{}" } }, { output: "{}" });
    expect((await seen([call("a", "x"), own, says("Done.")])).evidence.toolCalls[0]?.result).toBe("{}");
  });
});

describe("kind usage-accounting", () => {
  const response = (usage: unknown): object => raw({ type: "response_done", response: { usage } });

  test.each([
    ["is the sum over the responses", [{ inputTokens: 5, outputTokens: 1 }, { inputTokens: 7, outputTokens: 2 }], { inputTokens: 12, outputTokens: 3, requests: 2 }],
    ["counts cached and reasoning tokens, in a record or in a list of one", [{ inputTokens: 5, outputTokens: 1, inputTokensDetails: { cached_tokens: 2 } }, { inputTokens: 5, outputTokens: 4, outputTokensDetails: [{ reasoning_tokens: 3 }] }], { inputTokens: 10, outputTokens: 5, cachedInputTokens: 2, reasoningTokens: 3, requests: 2 }],
    ["is unknown where the SDK wrote zero for it", [{ inputTokens: 0, outputTokens: 0, totalTokens: 0 }], undefined],
    ["leaves out a response whose usage is unknown, and says so", [{ inputTokens: 5, outputTokens: 1 }, { inputTokens: 0, outputTokens: 0 }], { inputTokens: 5, outputTokens: 1, requests: 2, unknownRequests: 1 }],
    ["is unknown where it is no usage", ["12 tokens", null, { inputTokens: -1, outputTokens: 0.5 }], undefined],
  ] as const)("%s", async (_what, usages, sum) => {
    expect((await seen([...usages.map(response), says("Hi.")])).evidence.usage).toEqual(sum);
  });
});

describe("in time", () => {
  test("the calls of a turn are told before what is said after them", async () => {
    const told: string[] = [];
    for await (const { type } of events(parts([call("a", "x"), output("a", "1"), says("Done.")]))) told.push(type);
    expect(told).toEqual(["workflow", "tool_start", "tool_end", "assistant_reply", "workflow", "run_stream_end"]);
  });

  test("a call that had begun before it was told is told as begun", async () => {
    const handlers: ((...told: unknown[]) => void)[] = [];
    watch({ name: "A", tools: [], on: (_name: string, handler: (...told: unknown[]) => void) => handlers.push(handler) });
    const rawItem = { type: "function_call", callId: "a", name: "x", arguments: "{}" };
    for (const handler of handlers) handler({}, {}, { toolCall: rawItem });
    const deadline = new AbortController();
    async function* hanging(): AsyncGenerator {
      yield item("tool_called", "tool_call_item", rawItem);
      setTimeout(() => deadline.abort(), 10);
      await new Promise(() => undefined);
    }
    await expect(collect(events(hanging()), { signal: deadline.signal })).rejects.toMatchObject({ evidence: { toolCalls: [{ toolCallId: "a", completed: false }] } });
  });

  test("of two calls that could have thrown nobody knows which it was; of one, it was that", async () => {
    const fails = async (list: readonly unknown[]): Promise<Evidence> => {
      async function* run(): AsyncGenerator { yield* list; throw Object.assign(new Error("Failed to run function tools"), { name: "ToolCallError", error: new Error("declined") }); }
      return collect(events(run()));
    };
    const both = await fails([call("a", "x"), call("b", "y")]);
    expect(look(both)).toEqual([["a", "x", {}, undefined, undefined, false], ["b", "y", {}, undefined, undefined, false]]);
    expect(both).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "ToolCallError" } });
    expect((await fails([call("a", "x"), output("a", "1"), call("b", "y")])).toolCalls[1]?.failure).toEqual({ kind: "unknown", error: { message: "declined" } });
  });
});

describe("hostile streams", () => {
  const hostile = [
    { get type(): string { throw new Error("no"); } },
    { type: "run_item_stream_event", get item(): never { throw new Error("no"); } },
    item("tool_called", "tool_call_item", { type: "function_call", callId: "__proto__", name: "constructor", arguments: '{"__proto__":1}' }),
    item("tool_output", "tool_call_output_item", { type: "function_call_result", callId: "__proto__", output: 1n as never }),
    new Proxy({}, { get: (_target, name) => { if (name === "then") return undefined; throw new Error("no"); } }),
    item("tool_called", "tool_call_item", null as never),
    item("message_output_created", "message_output_item", { content: [null, 7, { type: "output_text" }] }),
    output("nowhere", { deep: Symbol("x") }),
  ];

  test("nothing that a stream holds breaks it", async () => {
    const { evidence, code } = await seen([...hostile, says("Hi.")]);
    expect(code).toBe("stream_incomplete");
    expect(evidence.answer).toBe("Hi.");
    expect(evidence.toolCalls.find(({ toolCallId }) => toolCallId === "__proto__")).toMatchObject({ toolName: "constructor", completed: true });
  });

  test("whatever order its parts come in, each call of an id of its own is there once, and the collector takes every event", async () => {
    const id = fc.constantFrom("a", "b", "c", "");
    const part = fc.oneof(
      fc.tuple(id, fc.constantFrom("x", "y")).map(([callId, name]) => call(callId, name)),
      fc.tuple(id, fc.constantFrom("1", "Tool execution was not approved.", '{"n":1}')).map(([callId, text]) => output(callId, text)),
      id.map((callId) => approval(callId, "x")),
      fc.constantFrom(...hostile, says("Hi."), raw({ type: "response_started" }), raw({ type: "output_text_delta", delta: "t" }), raw({ type: "response_done", response: {} })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 14 }), async (list) => {
        const { evidence, code, warnings } = await seen(list);
        expect([undefined, "stream_incomplete"]).toContain(code);
        expect(evidence.ended).toBe(code === undefined);
        expect(new Set(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(evidence.toolCalls.length);
        expect(warnings.every(({ code: warned }) => (STREAM_WARNINGS as readonly string[]).includes(warned))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("what the stream throws of itself comes through, with what was seen", async () => {
    async function* broken(): AsyncGenerator { yield call("a", "x"); throw new TypeError("terminated"); }
    await expect(collect(events(broken()))).rejects.toMatchObject({ code: "stream_incomplete", evidence: { ended: false, toolCalls: [{ toolName: "x" }] } });
    await expect(collect(events("text" as never))).rejects.toMatchObject({ code: "option_invalid" });
    await expect(collect(events(Promise.reject(new Error("no key"))))).rejects.toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("no key") });
  });
});
