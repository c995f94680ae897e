import { target, type Fetch, type FetchResponse } from "entail/adapter/http";
import { collect, type Evidence, type StreamEvent } from "entail/evidence";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatStream } from "../../../test/ai-sdk/loopback.ts";
import { canonicalJson } from "../../json/write-json.ts";
import type { ChatEvents, ChatTargetOptions } from "./chat-target.ts";

const turn = { signal: new AbortController().signal };
const ADDRESS = "http://agent.example/v1";

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: any;
}

function response(body: string | readonly string[], over: Partial<FetchResponse> & { type?: string } = {}): FetchResponse {
  const { type = typeof body === "string" ? "application/json" : "text/event-stream; charset=utf-8", ...rest } = over;
  const pieces = typeof body === "string" ? [body] : body.map((data) => `data: ${data}\n\n`);
  return { ok: true, status: 200, headers: new Headers({ "content-type": type }), body: ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))), ...rest };
}

/** A platform that answers with these, one after another, and keeps what it was sent. */
function platform(...answers: readonly (FetchResponse | (() => FetchResponse))[]): { fetch: Fetch; sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (url, { headers, body }) => {
      sent.push({ url, headers, body: JSON.parse(body) });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer === undefined) throw new Error("no answer");
      return typeof answer === "function" ? answer() : answer;
    },
  };
}

const whole = (message: object, finish_reason: string | null = "stop", rest: object = {}): FetchResponse => response(JSON.stringify({ model: "m-1", choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }], ...rest }));
const streamOf = (...list: Parameters<typeof chatStream>): FetchResponse => response(chatStream(...list));
const toolCall = (id: string, name: string, args: unknown = "{}", rest: object = {}): object => ({ id, type: "function", function: { name, arguments: args }, ...rest });
const echo = (name: string): NonNullable<ChatTargetOptions["tools"]>[number] => ({ name, inputSchema: {}, execute: (args: unknown) => args });
const run = (fetch: Fetch, options: Partial<ChatTargetOptions> = {}): Promise<Evidence> => collect(target({ url: ADDRESS, fetch, ...options }).send("Go.", turn));
const names = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolCallId, toolName, argsJson }) => [toolCallId, toolName, argsJson]);

describe("what is sent", () => {
  test("the address is that of the endpoint or of what stands before it, with its query; key and headers go with it", async () => {
    for (const [url, address] of [[ADDRESS, `${ADDRESS}/chat/completions`], [`${ADDRESS}/`, `${ADDRESS}/chat/completions`], ["http://a.example/openai/chat/completions?api-version=1", "http://a.example/openai/chat/completions?api-version=1"], [new URL("http://a.example"), "http://a.example/chat/completions"]] as const) {
      const { fetch, sent } = platform(whole({ content: "Hi." }));
      await run(fetch, { url, apiKey: "key", headers: { "X-Tenant": "t" }, stream: false });
      expect(sent[0]).toMatchObject({ url: address, headers: { authorization: "Bearer key", "x-tenant": "t", "content-type": "application/json" } });
    }
  });

  test("instructions, what was said before, the input, the tools and further members; the protocol's own members win", async () => {
    const { fetch, sent } = platform(streamOf([{ content: "Hi." }], "stop"));
    const subject = target({ url: ADDRESS, fetch, model: "m", instructions: "Be kind.", tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }], body: ({ threadId }) => ({ temperature: 0, user: threadId, messages: "mine", model: "other" }) });
    await collect(subject.send("And now?", { ...turn, threadId: "t1", history: [{ role: "user", content: "Hello?" }, { role: "assistant", content: "Hi." }] }));
    expect(sent[0]?.body).toEqual({
      temperature: 0, user: "t1", model: "m", stream: true, stream_options: { include_usage: true },
      tools: [{ type: "function", function: { name: "look", description: "Looks.", parameters: { type: "object" } } }],
      messages: [{ role: "system", content: "Be kind." }, { role: "user", content: "Hello?" }, { role: "assistant", content: "Hi." }, { role: "user", content: "And now?" }],
    });
  });

  test("an endpoint with a memory is sent the turn alone; messages go as they are; no tools are no member", async () => {
    const { fetch, sent } = platform(() => whole({ content: "Hi." }));
    const subject = target({ url: ADDRESS, fetch, memory: true, tools: [], stream: false });
    const message = { role: "user", content: [{ type: "text", text: "Look." }] };
    const evidence = await collect(subject.send([message], { ...turn, threadId: "t1", history: [{ role: "user", content: "Hello?" }] }));
    expect(sent[0]?.body).toEqual({ messages: [message] });
    expect(evidence).toMatchObject({ sessionId: "t1", observes: { args: true, results: true, deltas: false } });
    expect(subject.memory).toBe(true);
    expect(() => subject.send([], turn)).toThrow(/not empty/);
  });

  test("results of tools go back under the ids of their calls, as text; a failed one as its error", async () => {
    const { fetch, sent } = platform(
      whole({ content: "Wait.", tool_calls: [toolCall("a", "text"), toolCall("b", "data", '{"n":1}'), toolCall("c", "none"), toolCall("d", "boom"), toolCall("e", "missing")] }, "tool_calls"),
      whole({ content: "Done." }),
    );
    const tools = [{ name: "text", inputSchema: {}, execute: () => "plain" }, echo("data"), { name: "none", inputSchema: {}, execute: () => undefined }, { name: "boom", inputSchema: {}, execute: () => { throw new Error("it burnt"); } }];
    const evidence = await run(fetch, { tools, stream: false });
    expect(sent[1]?.body.messages.slice(1)).toEqual([
      { role: "assistant", content: "Wait.", tool_calls: [toolCall("a", "text"), toolCall("b", "data", '{"n":1}'), toolCall("c", "none"), toolCall("d", "boom"), toolCall("e", "missing")] },
      ...[["a", "plain"], ["b", '{"n":1}'], ["c", ""], ["d", "Error: it burnt"], ["e", 'Error: there is no tool "missing"']].map(([tool_call_id, content]) => ({ role: "tool", tool_call_id, content })),
    ]);
    expect(evidence.answer).toBe("Wait.Done.");
  });
});

describe("kind stream-assembly", () => {
  const delta = (...parts: object[]): object => ({ tool_calls: parts });

  test.each([
    ["two calls that share an index, with ids of their own", [delta({ index: 0, id: "c1", function: { name: "add", arguments: '{"a":1}' } }), delta({ index: 0, id: "c2", function: { name: "sub", arguments: '{"b":2}' } })], [["c1", "add", '{"a":1}'], ["c2", "sub", '{"b":2}']]],
    ["two calls whose pieces alternate", [delta({ index: 0, id: "c1", function: { name: "add", arguments: "" } }, { index: 1, id: "c2", function: { name: "sub", arguments: "{" } }), delta({ index: 1, function: { arguments: "}" } }), delta({ index: 0, function: { arguments: '{"a"' } }), delta({ index: 0, function: { arguments: ":1}" } })], [["c1", "add", '{"a":1}'], ["c2", "sub", "{}"]]],
    ["calls without an index, by their ids", [delta({ id: "c1", function: { name: "add", arguments: "{" } }), delta({ id: "c2", function: { name: "sub", arguments: "{}" } }), delta({ id: "c1", function: { arguments: "}" } })], [["c1", "add", "{}"], ["c2", "sub", "{}"]]],
    ["pieces without an index and an id, of the last call", [delta({ id: "c1", function: { name: "add", arguments: "{" } }), delta({ function: { arguments: "}" } })], [["c1", "add", "{}"]]],
    ["a name that is told again with every piece", [delta({ index: 0, id: "c1", function: { name: "add", arguments: "{" } }), delta({ index: 0, id: "c1", function: { name: "add", arguments: "}" } })], [["c1", "add", "{}"]]],
    ["an id that comes late", [delta({ index: 0, function: { name: "add", arguments: "{" } }), delta({ index: 0, id: "c1", function: { arguments: "}" } })], [["c1", "add", "{}"]]],
    ["the older form of one call", [{ function_call: { name: "add", arguments: "{" } }, { function_call: { arguments: "}" } }], [["made-up:1", "add", "{}"]]],
    ["a call of a tool for plain text", [delta({ index: 0, id: "c1", type: "custom", custom: { name: "sql", input: "SELECT 1" } })], [["c1", "sql", "SELECT 1"]]],
  ] as const)("%s", async (_what, deltas, calls) => {
    const { fetch } = platform(streamOf(deltas, "tool_calls"));
    expect(names(await run(fetch, { showsCalls: true }))).toEqual(calls);
  });

  test("whatever the pieces of an answer and of its bytes, it gives what the whole answer gives", async () => {
    const json = fc.dictionary(fc.string({ unit: "grapheme", maxLength: 4 }), fc.jsonValue({ stringUnit: "binary", maxDepth: 2 }), { maxKeys: 3 }).map((value) => JSON.stringify(value));
    const calls = fc.array(fc.record({ name: fc.constantFrom("a", "b", "__proto__"), args: json }), { maxLength: 3 });
    await fc.assert(fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 20 }), calls, fc.infiniteStream(fc.integer({ min: 1, max: 4 })), async (text, list, sizes) => {
      const cut = (written: string): string[] => {
        const pieces: string[] = [];
        for (let at = 0; at < written.length;) { const size = sizes.next().value as number; pieces.push(written.slice(at, at + size)); at += size; }
        return pieces;
      };
      // The pieces of several calls in turns, as a provider sends parallel ones.
      const queues = list.map(({ args }) => cut(args));
      const deltas: object[] = cut(text).map((content) => ({ content }));
      list.forEach(({ name }, index) => deltas.push({ tool_calls: [{ index, id: `c${index}`, function: { name, arguments: "" } }] }));
      while (queues.some((queue) => queue.length > 0)) queues.forEach((queue, index) => { const piece = queue.shift(); if (piece !== undefined) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] }); });
      const finish = list.length === 0 ? "stop" : "tool_calls";
      const bytes = new TextEncoder().encode(chatStream(deltas, finish).map((data) => `data: ${data}\r\n\r\n`).join(""));
      const parts: Uint8Array[] = [];
      for (let at = 0; at < bytes.length;) { const size = (sizes.next().value as number) * 7; parts.push(bytes.slice(at, at + size)); at += size; }
      const streamed = await run(platform(response("", { type: "text/event-stream", body: ReadableStream.from(parts) })).fetch, { showsCalls: true, newRunId: () => "r" });
      const atOnce = await run(platform(whole({ content: text === "" ? null : text, ...(list.length === 0 ? {} : { tool_calls: list.map(({ name, args }, index) => toolCall(`c${index}`, name, args)) }) }, finish)).fetch, { showsCalls: true, newRunId: () => "r" });
      expect({ ...streamed, usage: undefined }).toEqual({ ...atOnce, usage: undefined });
      expect(streamed.answer).toBe(text);
      expect(streamed.toolCalls.map(({ argsJson }) => argsJson)).toEqual(list.map(({ args }) => canonicalJson(JSON.parse(args))));
    }), { numRuns: 100 });
  });
});

describe("kind duplicate-events and missing-events: a stream that says something twice, or leaves it out", () => {
  const chunk = (choice: object, rest: object = {}): string => JSON.stringify({ choices: [{ index: 0, ...choice }], ...rest });
  const hi = chunk({ delta: { content: "Hi." } });
  const stop = chunk({ delta: {}, finish_reason: "stop" });

  test.each([
    ["its end twice", [hi, stop, stop, "[DONE]"]],
    ["its end mark twice", [hi, stop, "[DONE]", "[DONE]"]],
    ["no end mark", [hi, stop]],
    ["no role and no model", [hi, stop, "[DONE]"]],
    ["chunks without a choice", [JSON.stringify({ choices: [] }), hi, JSON.stringify({}), stop, "[DONE]"]],
    ["a choice without a delta", [chunk({}), hi, chunk({ delta: null }), stop, "[DONE]"]],
    ["its reason before its last words", [chunk({ delta: { content: "Hi" }, finish_reason: "stop" }), chunk({ delta: { content: "." } }), "[DONE]"]],
    ["reasons that are none yet", [chunk({ delta: { content: "Hi." }, finish_reason: null }), chunk({ delta: {}, finish_reason: "stop" }), chunk({ delta: {}, finish_reason: null }), "[DONE]"]],
  ])("%s", async (_what, list) => {
    expect(await run(platform(response(list)).fetch)).toMatchObject({ answer: "Hi.", terminalPhase: "completed", ended: true, toolCalls: [] });
  });

  test("a call whose start is told twice is one call, and one without arguments is a call", async () => {
    const told = chunk({ delta: { tool_calls: [{ index: 0, id: "c", function: { name: "a", arguments: "" } }] } });
    const evidence = await run(platform(response([told, told, chunk({ delta: {}, finish_reason: "tool_calls" })])).fetch, { showsCalls: true });
    expect(evidence.toolCalls).toMatchObject([{ toolCallId: "c", args: {}, argsRaw: "empty" }]);
    expect(evidence.toolCalls).toHaveLength(1);
  });
});

describe("kind id-collision", () => {
  const once = (options: object = {}): Promise<{ evidence: Evidence; events: ChatEvents }> => {
    const { fetch } = platform(whole({ content: null, tool_calls: [toolCall("x", "a", '{"n":1}'), toolCall("", "a", '{"n":2}'), toolCall("x", "a", '{"n":3}')] }, "tool_calls"), whole({ content: null, tool_calls: [toolCall("x", "a", '{"n":4}')] }, "tool_calls"), whole({ content: "Done." }));
    const events = target({ url: ADDRESS, fetch, tools: [echo("a")], stream: false, ...options }).send("Go.", turn) as ChatEvents;
    return collect(events).then((evidence) => ({ evidence, events }));
  };

  test("ids that are missing or used again are made up, each call has its own result, and it is said", async () => {
    const { evidence, events } = await once();
    expect(evidence.toolCalls.map(({ toolCallId, result }) => [toolCallId, result])).toEqual([["x", { n: 1 }], ["made-up:2", { n: 2 }], ["made-up:3:x", { n: 3 }], ["made-up:4:x", { n: 4 }]]);
    expect(events.warnings.map(({ code, times }) => [code, times])).toEqual([["call_id_missing", 1], ["call_id_reused", 2]]);
  });
});

describe("kind terminal-state", () => {
  const ended = async (answer: FetchResponse | (() => FetchResponse), options: Partial<ChatTargetOptions> = {}): Promise<unknown> => {
    const { terminalPhase, terminalFailure, answer: said } = await run(platform(answer).fetch, options);
    return [terminalPhase, terminalFailure?.kind, said];
  };
  const cut = { tool_calls: [{ index: 0, id: "c1", function: { name: "a", arguments: '{"n' } }] };

  test.each([
    ["stop", streamOf([{ content: "Hi." }], "stop"), ["completed", undefined, "Hi."]],
    ["stop, whole", whole({ content: "Hi." }), ["completed", undefined, "Hi."]],
    ["parts of text", whole({ content: [{ type: "text", text: "Hi" }, { type: "text", text: "." }] }), ["completed", undefined, "Hi."]],
    ["a refusal", whole({ content: null, refusal: "I will not." }), ["completed", undefined, "I will not."]],
    ["length", streamOf([{ content: "Hal" }, cut], "length"), ["failed", "length", "Hal"]],
    ["a filter", streamOf([{ content: "Hal" }], "content_filter"), ["failed", "content_filter", "Hal"]],
    ["a reason that nobody knows", streamOf([{ content: "Hi." }], "tired"), ["failed", "other", "Hi."]],
    ["tool calls without a call", streamOf([{ content: "Hi." }], "tool_calls"), ["failed", "error", "Hi."]],
    ["an error in the middle", response([...chatStream([{ content: "Hel" }], undefined), JSON.stringify({ error: { message: "overloaded" } })]), ["failed", "error", "Hel"]],
    ["calls that somebody else runs", streamOf([{ content: "Hi." }, { tool_calls: [{ index: 0, id: "c", function: { name: "a", arguments: "{}" } }] }], "tool_calls"), ["suspended", undefined, "Hi."]],
    ["calls that the endpoint ran itself", streamOf([{ tool_calls: [{ index: 0, id: "c", function: { name: "a", arguments: "{}" } }] }, { content: "Hi." }], "stop"), ["completed", undefined, "Hi."]],
    ["another choice beside the first", response(JSON.stringify({ choices: [{ index: 1, message: { content: "second" }, finish_reason: "length" }, { index: 0, message: { content: "first" }, finish_reason: "stop" }] })), ["completed", undefined, "first"]],
  ])("%s", async (_what, answer, end) => {
    expect(await ended(answer)).toEqual(end);
  });

  test("a call that was cut at the token limit was never issued", async () => {
    expect((await run(platform(streamOf([cut], "length")).fetch, { tools: [echo("a")] })).toolCalls).toEqual([]);
  });

  test.each([
    ["401", response(JSON.stringify({ error: { message: "Incorrect API key", code: "invalid_api_key" } }), { ok: false, status: 401 }), { message: "http://agent.example/v1/chat/completions answered with status 401: Incorrect API key", httpStatus: 401, retryable: false, code: "invalid_api_key" }],
    ["503 in plain text", response("upstream down", { ok: false, status: 503, type: "text/plain" }), { message: "http://agent.example/v1/chat/completions answered with status 503: upstream down", httpStatus: 503, retryable: true }],
    ["429 without a word", response("", { ok: false, status: 429 }), { message: "http://agent.example/v1/chat/completions answered with status 429", httpStatus: 429, retryable: true }],
    ["an answer that is no JSON", response("<html>"), { message: 'http://agent.example/v1/chat/completions did not answer in the chat protocol: "<html>" is not JSON' }],
    ["an answer of another protocol", response(JSON.stringify({ output: "Hi." })), { message: "http://agent.example/v1/chat/completions did not answer in the chat protocol: it has no choices" }],
    ["a stream of nonsense", response(["nonsense"]), { message: 'http://agent.example/v1/chat/completions did not answer in the chat protocol: "nonsense" is not JSON' }],
  ])("a request that fails with %s is a failed run that says why", async (_what, answer, failure) => {
    const evidence = await run(platform(answer).fetch);
    expect(evidence).toMatchObject({ terminalPhase: "failed", ended: true, toolCalls: [] });
    expect(evidence.terminalFailure).toMatchObject(failure);
  });

  test("an endpoint that cannot be reached is a failed run, and its address is shown without its secrets", async () => {
    const evidence = await collect(target({ url: "http://127.0.0.1:9/v1?key=secret", apiKey: "secret" }).send("Go.", turn));
    expect(evidence).toMatchObject({ terminalPhase: "failed" });
    expect(evidence.terminalFailure?.message).toMatch(/^http:\/\/127\.0\.0\.1:9\/v1\/chat\/completions cannot be reached: /);
    expect(JSON.stringify(evidence)).not.toContain("secret");
  });

  test("an answer whose connection stays open after its end mark has ended", async () => {
    const open = new ReadableStream({ start: (controller) => { for (const data of chatStream([{ content: "Hi." }], "stop")) controller.enqueue(new TextEncoder().encode(`data: ${data}\n\n`)); } });
    expect(await run(platform(response("", { type: "text/event-stream", body: open })).fetch)).toMatchObject({ answer: "Hi.", terminalPhase: "completed" });
  });

  test("what an endpoint says amiss is told without the secrets of its address", async () => {
    const evidence = await run(platform(response("nonsense")).fetch, { url: "http://a.example/v1?key=secret" });
    expect(evidence.terminalFailure?.message).toBe('http://a.example/v1/chat/completions did not answer in the chat protocol: "nonsense" is not JSON');
  });

  test("a model that never stops calling is stopped at its steps", async () => {
    let asked = 0;
    const { fetch } = platform(() => { asked += 1; return whole({ content: null, tool_calls: [toolCall(`c${asked}`, "a")] }, "tool_calls"); });
    expect(await run(fetch, { tools: [echo("a")], maxSteps: 3 })).toMatchObject({ terminalPhase: "failed", terminalFailure: { kind: "max_steps" }, toolCalls: [{}, {}, {}] });
    expect(asked).toBe(3);
  });

  test("an answer without a word is completed, empty, and said to be", async () => {
    const events = target({ url: ADDRESS, fetch: platform(whole({ content: "" })).fetch }).send("Go.", turn) as ChatEvents;
    expect(await collect(events)).toMatchObject({ terminalPhase: "completed", answer: "" });
    expect(events.warnings).toMatchObject([{ code: "answer_empty", times: 1 }]);
  });
});

describe("kind usage-accounting", () => {
  const usage = (prompt_tokens: number, completion_tokens: number, rest: object = {}): object => ({ prompt_tokens, completion_tokens, total_tokens: 0, ...rest });
  const calling = (told: object | null): FetchResponse => streamOf([{ tool_calls: [{ index: 0, id: "c", function: { name: "a", arguments: "{}" } }] }], "tool_calls", told);
  const told = async (...answers: FetchResponse[]): Promise<unknown> => (await run(platform(...answers).fetch, { tools: [echo("a")] })).usage;

  test("each request counts once, in a stream the last that is told; what is unknown stays so", async () => {
    expect(await told(calling(usage(10, 2)), streamOf([{ content: "Hi." }], "stop", usage(20, 3, { prompt_tokens_details: { cached_tokens: 8 }, completion_tokens_details: { reasoning_tokens: 1 } })))).toEqual({ inputTokens: 30, outputTokens: 5, cachedInputTokens: 8, reasoningTokens: 1, requests: 2 });
    expect(await told(calling(null), streamOf([{ content: "Hi." }], "stop", usage(20, 3)))).toEqual({ inputTokens: 20, outputTokens: 3, requests: 2, unknownRequests: 1 });
    expect(await told(streamOf([{ content: "Hi." }], "stop", null))).toBeUndefined();
    expect(await told(whole({ content: "Hi." }, "stop", { usage: { prompt_tokens: -1, completion_tokens: "7" } }))).toBeUndefined();
    const early = chatStream([{ content: "Hi." }], "stop", null).map((data, at) => (at === 1 ? JSON.stringify({ ...(JSON.parse(data) as object), usage: usage(4, 1) }) : data));
    expect(await told(response(early))).toEqual({ inputTokens: 4, outputTokens: 1, requests: 1 });
    // A server that tells running totals with every chunk.
    const running = chatStream([{ content: "Hi." }], "stop", null).map((data, at) => (data === "[DONE]" ? data : JSON.stringify({ ...(JSON.parse(data) as object), usage: usage(10, at) })));
    expect(await told(response(running))).toEqual({ inputTokens: 10, outputTokens: 2, requests: 1 });
  });

  test("what was spent before an answer broke off is counted", async () => {
    const error: unknown = await run(platform(calling(usage(10, 2)), streamOf([{ content: "Hal" }], undefined)).fetch, { tools: [echo("a")] }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("broke off"), evidence: { answer: "Hal", usage: { inputTokens: 10, outputTokens: 2 }, toolCalls: [{ completed: true }] } });
  });
});

describe("tools that are run here", () => {
  test("bounds are read from their output, and kinds of failure from the application", async () => {
    const tools = [{ name: "a", inputSchema: {}, execute: () => [1, 2] }, { name: "b", inputSchema: {}, execute: () => { throw new Error("busy"); } }];
    const { fetch } = platform(whole({ content: null, tool_calls: [toolCall("1", "a"), toolCall("2", "b")] }, "tool_calls"), whole({ content: "Done." }));
    const subject = target({ url: ADDRESS, fetch, tools, bounds: (_tool, output) => ({ returned: (output as unknown[]).length, truncated: false }), failureKind: () => "unavailable" });
    expect(subject.observes).toEqual({ args: true, results: true, failureKinds: true, parents: false, approvals: false, bounds: true, deltas: true });
    expect((await collect(subject.send("Go.", turn))).toolCalls).toMatchObject([{ bounds: { returned: 2, truncated: false } }, { failure: { kind: "unavailable" } }]);
  });

  test("results that JSON cannot hold are left out or written as the model is shown them, and the run goes on", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const tools = [{ name: "a", inputSchema: {}, execute: () => cycle }, { name: "b", inputSchema: {}, execute: () => Number.NaN }, { name: "c", inputSchema: {}, execute: () => 5n }];
    const { fetch } = platform(whole({ content: null, tool_calls: [toolCall("1", "a"), toolCall("2", "b"), toolCall("3", "c")] }, "tool_calls"), whole({ content: "Done." }));
    expect((await run(fetch, { tools })).toolCalls).toMatchObject([{ completed: true, resultOmitted: {} }, { completed: true, result: null }, { completed: true, resultOmitted: {} }]);
  });

  test("the input reaches a tool as the model wrote it, `__proto__` included, and without arguments as an empty object", async () => {
    const given: unknown[] = [];
    const tools = [{ name: "a", inputSchema: {}, execute: (args: unknown) => { given.push(args); return null; } }];
    await run(platform(whole({ content: null, tool_calls: [toolCall("1", "a", '{"__proto__":{"x":1}}'), toolCall("2", "a", "")] }, "tool_calls"), whole({ content: "Done." })).fetch, { tools });
    expect(given.map((args) => JSON.stringify(args))).toEqual(['{"__proto__":{"x":1}}', "{}"]);
  });

  test("arguments that come as a value are those of the call", async () => {
    expect(names(await run(platform(whole({ content: null, tool_calls: [toolCall("1", "a", { n: 1 })] }, "tool_calls"), whole({ content: "Done." })).fetch, { tools: [echo("a")] }))).toEqual([["1", "a", '{"n":1}']]);
  });
});

describe("what cannot be a target", () => {
  test.each([
    ["no address", {}, "must be an address"],
    ["an address that is none", { url: "agent" }, 'it is "agent"'],
    ["an address with a password", { url: "http://me:secret@a.example" }, "send them as a header"],
    ["another protocol", { url: "ftp://a.example" }, "begins with ftp:"],
    ["a member that nobody knows", { url: ADDRESS, tool: [] }, '"tool" that Entail does not know; did you mean "tools"?'],
    ["a key that is no text", { url: ADDRESS, apiKey: 7 }, "apiKey"],
    ["a header that is no text", { url: ADDRESS, headers: { a: 1 } }, 'the header "a"'],
    ["headers that are a list", { url: ADDRESS, headers: [] }, "headers"],
    ["tools that are no list", { url: ADDRESS, tools: {} }, "must be a list"],
    ["a tool without a name", { url: ADDRESS, tools: [{ inputSchema: {} }] }, "the name of target(), tools[0]"],
    ["a tool without a schema", { url: ADDRESS, tools: [{ name: "a" }] }, "inputSchema"],
    ["two tools of one name", { url: ADDRESS, tools: [echo("a"), echo("a")] }, 'the name "a"'],
    ["a tool that cannot be run", { url: ADDRESS, tools: [{ name: "a", inputSchema: {}, execute: 1 }] }, "execute"],
    ["tools, and calls that the endpoint shows", { url: ADDRESS, tools: [], showsCalls: true }, "leave one out"],
    ["no steps", { url: ADDRESS, maxSteps: 0 }, "maxSteps"],
    ["a memory that is no flag", { url: ADDRESS, memory: "yes" }, "memory"],
    ["a fetch that is none", { url: ADDRESS, fetch: 1 }, "fetch"],
    ["nothing", undefined, "must be an object"],
  ])("%s", (_what, options, message) => {
    expect(() => target(options as never)).toThrow(expect.objectContaining({ code: "option_invalid", message: expect.stringContaining(message) }));
  });
});

test("nothing is sent before the events are looked at", async () => {
  const { fetch, sent } = platform(whole({ content: "Hi." }));
  const events: AsyncIterable<StreamEvent> = target({ url: ADDRESS, fetch }).send("Go.", turn);
  expect(sent).toHaveLength(0);
  await collect(events);
  expect(sent).toHaveLength(1);
});
