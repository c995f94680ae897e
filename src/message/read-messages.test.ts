import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Dialect, DIALECTS, type NeutralCall, resultText, type Turn, turns } from "../../test/message/dialects.ts";
import { canonicalJson } from "../json/write-json.ts";
import { assistantTextOf, assistantTextsOf, toolCallsOf } from "./conversation-text.ts";
import type { ReadMessages } from "./message.ts";
import { readMessages } from "./read-messages.ts";

/** What was read, in the members that every dialect can tell. */
function shown({ items }: ReadMessages): unknown[] {
  return items.flatMap((item): unknown[] => {
    if (item.kind === "text") return [[item.role, item.text]];
    if (item.kind !== "call") return [];
    const { toolCallId, toolName, args, argsJson, state, result, resultJson, error } = item;
    return [{ toolCallId, toolName, args, argsJson, state, ...(state === "succeeded" ? { result, resultJson } : {}), ...(error === undefined ? {} : { error }) }];
  });
}

function expectedCall({ id, name, args, ending }: NeutralCall, { tells, textResults }: Dialect): unknown {
  const of = { toolCallId: id, toolName: name, args, argsJson: canonicalJson(args) };
  const succeeded = (result: unknown): unknown => ({ ...of, state: "succeeded", result, resultJson: canonicalJson(result) });
  if (ending.state === "succeeded") return succeeded(textResults !== true || (typeof ending.result === "object" && ending.result !== null) ? ending.result : resultText(ending.result));
  if (ending.state === "failed") return tells.includes("failed") ? { ...of, state: "failed", error: ending.error } : succeeded(ending.error);
  return { ...of, state: ending.state !== "called" && tells.includes(ending.state) ? ending.state : "called" };
}

const expected = (turn: Turn, dialect: Dialect): unknown[] => [["user", turn.user], ...turn.steps.flatMap(({ texts, calls }) => [...texts.map((said) => ["assistant", said]), ...calls.map((one) => expectedCall(one, dialect))])];

const namesProto = (conversation: readonly Turn[]): boolean => JSON.stringify(conversation).includes('"__proto__":');

describe("kind format-variants: one conversation in every dialect", () => {
  test.each(DIALECTS)("$name say the same as the conversation that they were made of", (dialect) => {
    fc.assert(
      fc.property(turns, (conversation) => {
        fc.pre(dialect.dropsProto !== true || !namesProto(conversation));
        const read = readMessages(conversation.flatMap((turn) => dialect.render(turn)));
        expect(read.unread).toEqual([]);
        expect(shown(read)).toEqual(conversation.flatMap((turn) => expected(turn, dialect)));
      }),
      { numRuns: 120 },
    );
  });

  test("a list may change its dialect from turn to turn", () => {
    fc.assert(
      fc.property(turns, fc.array(fc.constantFrom(...DIALECTS), { minLength: 3, maxLength: 3 }), (conversation, dialects) => {
        const of = (at: number): Dialect => dialects[at] as Dialect;
        fc.pre(!dialects.some(({ dropsProto }) => dropsProto) || !namesProto(conversation));
        const read = readMessages(conversation.flatMap((turn, at) => of(at).render(turn)));
        expect(read.unread).toEqual([]);
        expect(shown(read)).toEqual(conversation.flatMap((turn, at) => expected(turn, of(at))));
        expect(assistantTextsOf(read, "all")).toEqual(conversation.flatMap(({ steps }) => steps.flatMap(({ texts }) => texts)));
        expect(assistantTextsOf(read, "final")).toEqual(conversation.flatMap(({ steps }) => steps.flatMap(({ texts }) => texts).slice(-1)));
      }),
      { numRuns: 150 },
    );
  });
});

const calls = (messages: unknown): unknown[] => toolCallsOf(readMessages(messages)).map(({ toolCallId, toolName, args, state, result, error }) => [toolCallId, toolName, args, state, error ?? result]);
const unread = (messages: unknown): unknown[] => readMessages(messages).unread.map(({ index, path, what }) => `${index} ${path}: ${what}`);

test("case 121: invocations among parts and in the older member are both calls, and an unknown layout is named", () => {
  const messages = [
    { role: "assistant", content: { format: 2, parts: [{ type: "tool-invocation", toolInvocation: { state: "result", toolCallId: "k1", toolName: "a", args: { x: 1 }, result: "ra" } }, { type: "text", text: "ok" }] } },
    { role: "assistant", content: "", toolInvocations: [{ state: "result", toolCallId: "k2", toolName: "b", args: {}, result: "rb" }] },
  ];
  expect(calls(messages)).toEqual([["k1", "a", { x: 1 }, "succeeded", "ra"], ["k2", "b", {}, "succeeded", "rb"]]);
  expect(unread(messages)).toEqual([]);
  expect(unread([{ role: "assistant", content: { format: 3, blocks: [{ call: "a" }] } }])).toEqual(["0 content: a content of an unknown form"]);
});

describe("kind format-variants: a layout that is not understood is named, never an empty list of calls", () => {
  test.each([
    ["a message of an unknown role", { role: "wizard", content: "x" }, '0 : a message of the role "wizard"'],
    ["a message without a role", { content: "x" }, "0 : a message without a role or a type"],
    ["a message without content", { role: "assistant" }, "0 : a message without content"],
    ["a text instead of a message", "hello", "0 : a string instead of a message"],
    ["nothing", null, "0 : nothing"],
    ["a part of an unknown type", { role: "assistant", content: [{ type: "sparkle" }] }, '0 content[0]: a part of the type "sparkle"'],
    ["a part without a type", { role: "assistant", parts: [{ toolName: "a" }] }, "0 parts[0]: a part without a type"],
    ["an item of an unknown type", { type: "teleport_call", id: "1" }, '0 : a part of the type "teleport_call"'],
    ["a call of an unknown form", { role: "assistant", content: null, tool_calls: [{ id: "1", fn: "a" }] }, "0 tool_calls[0]: a call of an unknown form"],
    ["an invocation in an unknown state", { role: "assistant", parts: [{ type: "tool-a", toolCallId: "1", state: "output-maybe", input: {} }] }, '0 parts[0]: a call of "a" in the unknown state "output-maybe"'],
    ["calls under another name", { role: "assistant", content: "ok", usedTools: [{ name: "a" }] }, "0 usedTools: a member that may hold calls"],
    ["the steps of a result", { role: "assistant", content: "ok", steps: [{ toolCalls: [] }] }, "0 steps: a member that may hold calls"],
    ["a content that is a number", { role: "assistant", content: 7 }, "0 content: a content that is a number"],
    ["an end that no call is open for", { role: "tool", content: "x" }, "0 : a result that cannot be told to belong to one call"],
    ["a decision about nothing", { role: "tool", content: [{ type: "tool-approval-response", approvalId: "x", approved: true }] }, "0 content[0]: a decision about a call that is not among the messages"],
    ["a LangChain message of an unknown class", { lc: 1, type: "constructor", id: ["a", "OracleMessage"], kwargs: {} }, '0 : a LangChain message of the type "oracle"'],
  ])("%s", (_what, message, named) => {
    expect(unread([message])).toEqual([named]);
  });
});

test("case 143: a provider's call that never got a result is a call without an end, and nobody waits for it", () => {
  const read = readMessages({ content: [{ type: "server_tool_use", id: "st1", name: "web_search", input: { query: "x" } }, { type: "text", text: "I could not finish." }], stop_reason: "end_turn" });
  expect(toolCallsOf(read)).toEqual([{ kind: "call", toolCallId: "st1", toolName: "web_search", args: { query: "x" }, argsJson: '{"query":"x"}', state: "called", providerExecuted: true, index: 0 }]);
  expect([assistantTextOf(read, "final"), read.unread]).toEqual(["I could not finish.", []]);
});

test("case 145: the usage of a message counts once, in running totals' last and in LangChain's two places", () => {
  expect(readMessages([{ role: "assistant", content: "Hi", usage: { input_tokens: 25, cache_read_input_tokens: 100, output_tokens: 18 } }]).usage).toEqual({ inputTokens: 25, cachedInputTokens: 100, outputTokens: 18, requests: 1 });
  const twice = { type: "ai", content: "Hi", usage_metadata: { input_tokens: 25, output_tokens: 18, total_tokens: 43, output_token_details: { reasoning: 4 } }, response_metadata: { usage: { input_tokens: 25, output_tokens: 18 }, tokenUsage: { promptTokens: 25 } } };
  expect(readMessages([twice]).usage).toEqual({ inputTokens: 25, outputTokens: 18, reasoningTokens: 4, requests: 1 });
  expect(readMessages([twice, twice]).usage).toEqual({ inputTokens: 50, outputTokens: 36, reasoningTokens: 8, requests: 2 });
  expect(readMessages([{ role: "assistant", content: "Hi" }]).usage).toBeUndefined();
});

test("case 133: reasoning is kept apart, in whichever field it comes, and text and blocks may alternate", () => {
  const read = readMessages([
    { type: "AIMessageChunk", id: "m", content: "", additional_kwargs: { reasoning_content: "The user wants a refund. " } },
    { type: "AIMessageChunk", id: "m", content: [{ type: "thinking", thinking: "Check policy." }] },
    { type: "AIMessageChunk", id: "m", content: [{ type: "text", text: "You can " }] },
    { type: "AIMessageChunk", id: "m", content: "return it." },
  ]);
  expect(assistantTextOf(read, "all")).toBe("You can return it.");
  expect(read.items.flatMap((item) => (item.kind === "reasoning" ? [item.text] : [])).join("")).toBe("The user wants a refund. Check policy.");
  const fields = [{ role: "assistant", content: "a", reasoning_content: "b" }, { role: "assistant", content: "a", reasoning: "b" }, { type: "reasoning", summary: [{ type: "summary_text", text: "b" }] }, { role: "assistant", content: [{ type: "reasoning", text: "b" }] }, { role: "assistant", parts: [{ type: "reasoning", text: "b" }, { type: "text", text: "a" }] }];
  for (const field of fields) expect(readMessages([field]).items).toContainEqual({ kind: "reasoning", text: "b", index: 0 });
});

test("case 129: a result without an id is of the one open call of its name, and marked; of two it is nobody's, and named", () => {
  const ai = (...names: string[]): object => ({ type: "ai", id: "m1", tool_calls: names.map((name, at) => ({ id: `c${at + 1}`, name, args: {} })) });
  const read = readMessages([ai("a", "b"), { type: "tool", name: "a", content: "ra", tool_call_id: null }, { type: "tool", name: "b", content: "rb" }]);
  expect(toolCallsOf(read).map(({ toolCallId, result, inferred }) => [toolCallId, result, inferred])).toEqual([["c1", "ra", true], ["c2", "rb", true]]);
  const two = readMessages([ai("a", "a"), { type: "tool", name: "a", content: "ra" }]);
  expect(toolCallsOf(two).map(({ state }) => state)).toEqual(["called", "called"]);
  expect(two.unread).toEqual([{ index: 1, path: "", what: 'a result of "a" that cannot be told to belong to one call' }]);
});

describe("Mastra's stored messages", () => {
  const invocation = (toolCallId: string, state = "result", rest: object = {}): object => ({ state, toolCallId, toolName: toolCallId, args: {}, ...(state === "result" ? { result: 1 } : {}), ...rest });
  const part = (toolCallId: string, rest: object = {}): object => ({ type: "tool-invocation", toolInvocation: invocation(toolCallId, "result", rest) });
  const message = (content: object): object => ({ id: "m", role: "assistant", content: { format: 2, ...content } });
  const ids = (content: object): unknown[] => toolCallsOf(readMessages([message(content)])).map(({ toolCallId }) => toolCallId);

  test("a call of the older list comes before the next one that both lists have, or at the end; the part wins", () => {
    expect(ids({ parts: [part("b"), part("d")], toolInvocations: ["a", "b", "c", "d", "e"].map((id) => invocation(id)) })).toEqual(["a", "b", "c", "d", "e"]);
    expect(ids({ parts: [part("b")], toolInvocations: [invocation("x")] })).toEqual(["b", "x"]);
    expect(calls([message({ parts: [part("b", { result: "part" })], toolInvocations: [invocation("b", "result", { result: "list" })] })])).toEqual([["b", "b", {}, "succeeded", "part"]]);
  });

  test("one id in two messages is two calls", () => {
    expect(calls([message({ parts: [part("a")] }), message({ parts: [part("a")] })])).toHaveLength(2);
  });

  test("the states: a result that says that it is an error, or holds one, has failed; a call still being written was never issued", () => {
    expect(calls([message({ parts: [
      part("a", { isError: true, result: "no" }), part("b", { result: { error: true, message: "Tool input validation failed" } }), part("c", { result: { error: "" } }),
      { type: "tool-invocation", toolInvocation: invocation("d", "partial-call") }, { type: "tool-invocation", toolInvocation: invocation("e", "call") }, { type: "tool-invocation", toolInvocation: invocation("f", "output-error", { errorText: "boom" }) },
      { type: "tool-invocation", toolInvocation: invocation("g", "approval-responded", { approval: { id: "x", approved: true } }) }, { type: "tool-invocation", toolInvocation: invocation("h", "approval-responded", { approval: { id: "y", approved: false } }) },
    ] })]).map((call) => (call as unknown[]).filter((_, at) => at === 0 || at >= 3))).toEqual([
      ["a", "failed", "no"], ["b", "failed", "Tool input validation failed"], ["c", "succeeded", { error: "" }], ["e", "called", undefined], ["f", "failed", "boom"], ["g", "called", undefined], ["h", "denied", undefined],
    ]);
  });

  test("an error part is why the run failed, and text without a part is read where no part is text", () => {
    const read = readMessages([message({ parts: [{ type: "error", error: { name: "Error", message: "quota" } }] }), message({ parts: [], content: "plain" }), message({ parts: [{ type: "text", text: "part" }], content: "plain" })]);
    expect(read.items).toEqual([{ kind: "error", message: "quota", index: 0 }, { kind: "text", role: "assistant", text: "plain", index: 1 }, { kind: "text", role: "assistant", text: "part", index: 2 }]);
  });
});

describe("what several dialects tell of one call", () => {
  test("digits that no number holds come from the text that the model wrote", () => {
    const [call] = toolCallsOf(readMessages([{ type: "ai", content: "", tool_calls: [{ id: "c", name: "a", args: { n: 9007199254740992 } }], additional_kwargs: { tool_calls: [{ id: "c", function: { name: "a", arguments: '{ "n": 9007199254740993 }' } }] } }]));
    expect(call?.argsJson).toBe('{"n":9007199254740993}');
  });

  test("text that is another value than the one the tool was given does not replace it", () => {
    const [call] = toolCallsOf(readMessages([{ type: "ai", content: "", tool_calls: [{ id: "c", name: "a", args: { n: 1 } }], additional_kwargs: { tool_calls: [{ id: "c", function: { name: "a", arguments: '{"n": 2}' } }] } }]));
    expect(call?.argsJson).toBe('{"n":1}');
  });

  test("arguments that are no JSON, or a member twice, stay as they were written, and none are said to be none", () => {
    const given = ['{"a": 1,, }', '{"a":1,"a":2}', "", "null", "  "].map((text, at) => ({ id: `c${at}`, function: { name: "t", arguments: text } }));
    expect(toolCallsOf(readMessages([{ role: "assistant", content: null, tool_calls: [...given, { id: "c9", function: { name: "t" } }] }])).map(({ args, argsJson, argsRaw }) => [args, argsJson, argsRaw])).toEqual([
      ['{"a": 1,, }', '{"a": 1,, }', undefined], ['{"a":1,"a":2}', '{"a":1,"a":2}', undefined], [{}, "{}", "empty"], [{}, "{}", "null"], [{}, "{}", "empty"], [{}, "{}", "absent"],
    ]);
  });

  test("a call that LangChain could not parse has failed, with what the model wrote; the end that a tool message tells counts", () => {
    const ai = { type: "ai", content: "", invalid_tool_calls: [{ id: "c", name: "a", args: '{"n": }', error: "bad JSON" }] };
    expect(calls([ai])).toEqual([["c", "a", '{"n": }', "failed", "bad JSON"]]);
    expect(calls([ai, { type: "tool", tool_call_id: "c", content: "Try again.", status: "error" }])).toEqual([["c", "a", '{"n": }', "failed", "Try again."]]);
  });

  test("what OpenAI's model wrote beside the message's own calls adds a call that only it tells, and none that has no id", () => {
    const raw = (id?: string): object => ({ ...(id === undefined ? {} : { id }), function: { name: "a", arguments: "{}" } });
    const ai = (own: readonly object[], ...told: object[]): object => ({ type: "ai", content: "", tool_calls: own, additional_kwargs: { tool_calls: told } });
    expect(calls([ai([{ id: "c", name: "a", args: {} }], raw("c"), raw("d"), raw())]).map((call) => (call as unknown[])[0])).toEqual(["c", "d"]);
    expect(calls([ai([], raw("c"), raw())]).map((call) => (call as unknown[])[0])).toEqual(["c", "made-up:1"]);
  });

  test("a call that the AI SDK refused has failed; a policy that decides asks nobody; a request told again undoes no decision; a preliminary output is no end", () => {
    const part = (rest: object): object => ({ type: "tool-call", toolCallId: "c", toolName: "a", input: {}, ...rest });
    expect(calls([{ role: "assistant", content: [part({ invalid: true, error: new Error("no such tool") })] }])).toEqual([["c", "a", {}, "failed", "no such tool"]]);
    const request = { type: "tool-approval-request", approvalId: "ap", toolCallId: "c" };
    const decision = { role: "tool", content: [{ type: "tool-approval-response", approvalId: "ap", approved: true }] };
    expect(calls([{ role: "assistant", content: [part({}), { ...request, isAutomatic: true }] }])).toEqual([["c", "a", {}, "called", undefined]]);
    expect(toolCallsOf(readMessages([{ role: "assistant", content: [part({}), request] }, decision, { role: "assistant", content: [request] }]))).toMatchObject([{ state: "called", approval: { state: "approved", id: "ap" } }]);
    expect(calls([{ role: "assistant", parts: [{ type: "tool-a", toolCallId: "c", state: "output-available", preliminary: true, input: {}, output: "half" }] }])).toEqual([["c", "a", {}, "called", undefined]]);
  });

  test("an end told twice alike counts once; told differently, the first counts and the second is named", () => {
    const call = { role: "assistant", content: null, tool_calls: [{ id: "c", function: { name: "a", arguments: "{}" } }] };
    const end = (content: string): object => ({ role: "tool", tool_call_id: "c", content });
    expect(unread([call, end('{"x": 1}'), end('{"x":1.0}')])).toEqual([]);
    expect(calls([call, end("1"), end("2")])).toEqual([["c", "a", {}, "succeeded", "1"]]);
    expect(unread([call, end("1"), end("2")])).toEqual(['2 : a second end of the call "c", which differs from the first']);
    expect(unread([call, { ...end("1"), error: "no" }, { ...end("1"), error: "no" }])).toEqual([]);
    expect(unread([call, { ...end("1"), error: "no" }, end("1")])).toHaveLength(1);
  });

  test("an end whose call is not among the messages is a call all the same, unnamed where nobody says its name", () => {
    expect(toolCallsOf(readMessages([{ role: "tool", tool_call_id: "c", content: "x" }]))).toMatchObject([{ toolCallId: "c", toolName: "", argsRaw: "absent", state: "succeeded" }]);
    expect(calls([{ role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "a", output: { type: "json", value: [1] } }] }])).toEqual([["c", "a", {}, "succeeded", [1]]]);
  });

  test("calls without ids have ids that are made up", () => {
    expect(calls([{ role: "assistant", content: null, tool_calls: [{ function: { name: "a", arguments: "{}" } }, { function: { name: "b", arguments: "{}" } }] }, { role: "tool", name: "b", content: "rb" }])).toEqual([["made-up:1", "a", {}, "called", undefined], ["made-up:2", "b", {}, "succeeded", "rb"]]);
    expect(calls([{ role: "assistant", parts: [{ type: "tool-a", state: "output-available", input: {}, output: 1 }, { type: "tool-a", state: "output-available", input: {}, output: 2 }] }])).toEqual([["made-up:1", "a", {}, "succeeded", 1], ["made-up:2", "a", {}, "succeeded", 2]]);
  });
});

describe("providers' own tools", () => {
  test("OpenAI's hosted tools end in the item that issues them", () => {
    expect(calls([
      { type: "web_search_call", id: "w", status: "completed", action: { type: "search", query: "x" } },
      { type: "file_search_call", id: "f", status: "completed", queries: ["q"], results: [{ file_id: "1" }] },
      { type: "code_interpreter_call", id: "c", status: "failed", code: "1+1", outputs: null },
      { type: "image_generation_call", id: "i", status: "generating" },
    ])).toEqual([
      ["w", "web_search", { type: "search", query: "x" }, "succeeded", undefined],
      ["f", "file_search", { queries: ["q"] }, "succeeded", [{ file_id: "1" }]],
      ["c", "code_interpreter", { code: "1+1" }, "failed", "the provider's tool failed"],
      ["i", "image_generation", {}, "called", undefined],
    ]);
  });

  test("a call of an MCP server that was asked for is one call, from the request to its end", () => {
    const request = { type: "mcp_approval_request", id: "r", name: "pay", arguments: '{"n":1}', server_label: "s" };
    const answer = (approve: boolean): object => ({ type: "mcp_approval_response", approval_request_id: "r", approve, reason: "why" });
    const call = { type: "mcp_call", id: "m", name: "pay", arguments: '{"n":1}', server_label: "s", approval_request_id: "r", output: "paid", error: null };
    expect(toolCallsOf(readMessages([request]))).toMatchObject([{ toolName: "pay", state: "pending", approval: { state: "pending", id: "r" } }]);
    expect(toolCallsOf(readMessages([request, answer(false)]))).toMatchObject([{ state: "denied", approval: { state: "denied", reason: "why" } }]);
    expect(toolCallsOf(readMessages([request, answer(true), call]))).toMatchObject([{ toolCallId: "r", state: "succeeded", result: "paid", approval: { state: "approved" } }]);
    expect(calls([{ ...call, approval_request_id: null, output: null, error: "down" }])).toEqual([["m", "pay", { n: 1 }, "failed", "down"]]);
  });

  test("tools that the application runs end in items of their own, in OpenAI's words and in its agents'", () => {
    expect(calls([
      { type: "shell_call", call_id: "s", action: { commands: ["ls"] } }, { type: "shell_call_output", call_id: "s", output: [{ stdout: "a" }] },
      { type: "custom_tool_call", call_id: "k", name: "sql", input: "SELECT 1" }, { type: "custom_tool_call_output", call_id: "k", output: "one row" },
      { type: "function_call", callId: "f", name: "look", arguments: "{}", status: "completed" }, { type: "function_call_result", callId: "f", name: "look", status: "completed", output: { type: "text", text: "seen" } },
    ])).toEqual([["s", "shell", { commands: ["ls"] }, "succeeded", [{ stdout: "a" }]], ["k", "sql", "SELECT 1", "succeeded", "one row"], ["f", "look", {}, "succeeded", "seen"]]);
  });

  test("Anthropic's own tools have results of their own types, and fail by an error's type", () => {
    expect(calls([{ role: "assistant", content: [
      { type: "server_tool_use", id: "a", name: "web_search", input: { query: "x" } }, { type: "web_search_tool_result", tool_use_id: "a", content: [{ type: "web_search_result", url: "u" }] },
      { type: "server_tool_use", id: "b", name: "web_fetch", input: {} }, { type: "web_fetch_tool_result", tool_use_id: "b", content: { type: "web_fetch_tool_result_error", error_code: "url_not_accessible" } },
      { type: "mcp_tool_use", id: "c", name: "pay", server_name: "s", input: {} }, { type: "mcp_tool_result", tool_use_id: "c", is_error: true, content: [{ type: "text", text: "declined" }] },
    ] }])).toEqual([["a", "web_search", { query: "x" }, "succeeded", [{ type: "web_search_result", url: "u" }]], ["b", "web_fetch", {}, "failed", "url_not_accessible"], ["c", "pay", {}, "failed", "declined"]]);
  });
});

describe("hostile messages", () => {
  const throwing = (name: string, rest: object = {}): object => Object.defineProperty({ ...rest }, name, { enumerable: true, get: () => { throw new Error("no"); } });
  const revoked = (): object => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; };

  test("whatever they are, reading them throws nothing, and what is no message is named", () => {
    fc.assert(fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withObjectString: true, withSparseArray: true, withTypedArray: true }), (value) => {
      const read = readMessages(value);
      const expected = Array.isArray(value) && value.length === 0 ? 0 : 1;
      expect(read.items.length + read.unread.length).toBeGreaterThanOrEqual(expected);
    }), { numRuns: 500 });
  });

  test("in whatever place a foreign value stands, reading throws nothing", () => {
    const place = fc.constantFrom("role", "content", "parts", "tool_calls", "toolInvocations", "type", "id", "lc", "kwargs", "data", "usage", "additional_kwargs");
    const shapes = fc.dictionary(place, fc.oneof(fc.anything(), fc.constantFrom("assistant", "tool", "ai", "constructor", "function_call"), fc.array(fc.dictionary(fc.constantFrom("type", "state", "input", "toolCallId", "function", "toolInvocation", "tool_use_id", "content"), fc.oneof(fc.anything(), fc.constantFrom("tool-a", "tool-result", "tool_result", "tool-invocation", "result"))))));
    fc.assert(fc.property(fc.array(shapes), (value) => {
      expect(() => readMessages(value)).not.toThrow();
    }), { numRuns: 150 });
  });

  test("getters that throw, revoked proxies, cycles, `__proto__` and values that JSON cannot hold", () => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle["self"] = cycle;
    const read = readMessages([throwing("role"), throwing("content", { role: "assistant" }), revoked(), { role: "assistant", content: [throwing("type"), revoked()] }, { role: "assistant", content: [
      { type: "tool-call", toolCallId: "1", toolName: "a", input: cycle }, { type: "tool-call", toolCallId: "2", toolName: "a", input: { n: 1n, d: new Date(0) } }, { type: "tool-call", toolCallId: "3", toolName: "a", input: JSON.parse('{"__proto__": {"x": 1}}') as unknown },
    ] }]);
    expect(read.unread.map(({ index, path }) => [index, path])).toEqual([[0, ""], [2, ""], [3, "content[0]"], [3, "content[1]"]]);
    expect(toolCallsOf(read).map(({ argsJson }) => argsJson)).toEqual(['{"a":1,"self":"[circular]"}', '{"d":"1970-01-01T00:00:00.000Z","n":"1"}', '{"__proto__":{"x":1}}']);
    expect(Object.hasOwn(toolCallsOf(read)[2]?.args as object, "__proto__")).toBe(true);
  });

  test("what was read cannot be changed by whoever wrote it, nor by whoever reads it", () => {
    const input = { city: "Brooklyn" };
    const [call] = toolCallsOf(readMessages([{ role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "a", input }] }]));
    input.city = "Queens";
    expect(call?.args).toEqual({ city: "Brooklyn" });
    expect(Object.isFrozen(call?.args)).toBe(true);
  });

  test("a list is not read without end, and its end is named", () => {
    expect(readMessages(Array.from({ length: 100_001 }, () => ({ role: "user", content: "" }))).unread).toEqual([{ index: 99_999, path: "", what: "the end of a list of more than 100000 messages" }]);
  });

  test("a hundred thousand calls and ends are read in proportion to their number", () => {
    const many = Array.from({ length: 50_000 }, (_, at) => ({ id: `c${at}`, function: { name: "a", arguments: "{}" } }));
    const read = readMessages([{ role: "assistant", content: null, tool_calls: many }, ...Array.from({ length: 50_000 }, () => ({ role: "tool", content: "x" }))]);
    expect(toolCallsOf(read)).toHaveLength(50_000);
    expect(read.unread).toHaveLength(1000);
  });
});
