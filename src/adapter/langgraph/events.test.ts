import * as fc from "fast-check";
import { events, type EventsOptions } from "entail/adapter/langgraph";
import { collect, expectation, expectFailure } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { ai, call, chunks, evidenceOf, interrupted, piece, reasoning, shown, streamed, taskBegin, taskEnd, toolEnd, toolError, toolMessage, toolStart, turns, wrote } from "../../../test/langgraph/chunks.ts";

const MESSAGES: EventsOptions = { modes: ["messages"] };

test("case 127: two calls that share an index are two calls, each with its own name and arguments", async () => {
  const { evidence } = await evidenceOf([
    piece("m1", "", [{ index: 0, id: "c1", name: "add", args: '{"a":1}' }]),
    piece("m1", "", [{ index: 0, id: "c2", name: "sub", args: '{"b":2}' }]),
  ], MESSAGES);
  expect(shown(evidence)).toEqual([{ id: "c1", name: "add", args: { a: 1 }, completed: false }, { id: "c2", name: "sub", args: { b: 2 }, completed: false }]);
});

test("case 129: results without a call's id are paired by their tool, and marked; with two open calls of a tool the result is nobody's", async () => {
  const asked = (...calls: object[]): unknown => wrote("agent", [ai("m1", "", calls)]);
  const paired = await evidenceOf([asked(call("c1", "a"), call("c2", "b")), wrote("tools", [toolMessage(null, "a", "ra"), toolMessage(undefined, "b", "rb")]), wrote("agent", [ai("m2", "Done.")])]);
  expect(shown(paired.evidence)).toEqual([{ id: "c1", name: "a", args: {}, result: "ra", completed: true }, { id: "c2", name: "b", args: {}, result: "rb", completed: true }]);
  expect(paired.warnings.map(({ code }) => code)).toEqual(["result_inferred", "result_inferred"]);
  const unpaired = await evidenceOf([asked(call("c1", "a"), call("c2", "a")), wrote("tools", [toolMessage(null, "a", "ra")]), wrote("agent", [ai("m2", "Done.")])]);
  expect(shown(unpaired.evidence)).toEqual([{ id: "c1", name: "a", args: {}, completed: false }, { id: "c2", name: "a", args: {}, completed: false }]);
  expect(unpaired.warnings.map(({ code }) => code)).toEqual(["result_unmatched"]);
});

test("case 131: the answer is the last message of the root graph, or of the nodes that are named; node and depth of each message are kept", async () => {
  const pair = (id: string, content: string, node: string, ns: string): unknown => [{ type: "AIMessageChunk", id, content }, { langgraph_node: node, checkpoint_ns: ns }];
  const list = [pair("m1", "YES", "router", "router:1"), pair("m2", "Your parcel ", "agent", "agent:2"), pair("m3", "draft", "llm", "agent:2|sub:3"), pair("m2", "is late.", "agent", "agent:2")];
  const { evidence, told } = await evidenceOf(list, MESSAGES);
  expect(evidence.answer).toBe("Your parcel is late.");
  expect(turns(told)).toEqual([
    { id: "m1", node: "router", path: [], text: "YES" }, { id: "m2", node: "agent", path: [], text: "Your parcel is late." }, { id: "m3", node: "llm", path: ["agent:2"], text: "draft" },
  ]);
  expect((await evidenceOf(list, { ...MESSAGES, nodes: ["llm"] })).evidence.answer).toBe("draft");
  expect((await evidenceOf(list, { ...MESSAGES, nodes: ["router", "absent"] })).evidence.answer).toBe("YES");
});

test("case 133: reasoning is kept apart from the text, whichever member a provider puts it in", async () => {
  const { evidence, told } = await evidenceOf([
    streamed({ type: "AIMessageChunk", id: "m", content: "", additional_kwargs: { reasoning_content: "The user wants a refund. " } }),
    piece("m", [{ type: "thinking", thinking: "Check policy." }]), piece("m", [{ type: "text", text: "You can " }]), piece("m", "return it."),
  ], MESSAGES);
  expect(evidence.answer).toBe("You can return it.");
  expect(reasoning(told)).toBe("The user wants a refund. Check policy.");
});

describe("kind stream-assembly", () => {
  test("calls whose pieces are mixed in any way come out whole, with or without ids on every piece", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 8 });
    const calls = fc.uniqueArray(fc.record({ id: fc.stringMatching(/^[a-z0-9]{1,6}$/), name: fc.constantFrom("add", "sub", "mul"), args: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), text, { maxKeys: 3 }) }), { minLength: 1, maxLength: 4, selector: ({ id }) => id });
    return fc.assert(
      fc.asyncProperty(calls, fc.boolean(), fc.boolean(), fc.infiniteStream(fc.nat()), async (list, idsEverywhere, sharedIndex, random) => {
        const next = (below: number): number => (random.next().value as number) % below;
        const pieces = list.map(({ id, name, args }, at) => {
          const raw = JSON.stringify(args);
          const cuts = [0, ...[next(raw.length + 1), next(raw.length + 1)].sort((a, b) => a - b), raw.length];
          const index = sharedIndex ? 0 : at;
          return cuts.slice(1).map((end, part) => ({ index, args: raw.slice(cuts[part], end), ...(part === 0 ? { id, name } : idsEverywhere ? { id } : {}) }));
        });
        const order: object[] = [];
        // Without an id on every piece, only pieces with an index of their own can be mixed.
        if (idsEverywhere || !sharedIndex) {
          for (const first of pieces) order.push(first.shift() as object);
          while (pieces.some((left) => left.length > 0)) {
            const left = pieces.filter((some) => some.length > 0);
            order.push(left[next(left.length)]?.shift() as object);
          }
        } else order.push(...pieces.flat());
        const { evidence } = await evidenceOf(order.map((one) => piece("m", "", [one])), MESSAGES);
        expect(shown(evidence)).toEqual(list.map(({ id, name, args }) => ({ id, name, args, completed: false })));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["without any id, told apart by names", [{ index: 0, name: "a", args: '{"n":1}' }, { index: 0, name: "b", args: '{"n":2}' }], [["made-up:1", "a", { n: 1 }], ["made-up:2", "b", { n: 2 }]]],
    ["without any id and of one name, told apart by arguments that are whole", [{ index: 0, name: "a", args: '{"n":1}' }, { index: 0, name: "a", args: '{"n":2}' }], [["made-up:1", "a", { n: 1 }], ["made-up:2", "a", { n: 2 }]]],
    ["with a name that every piece repeats", [{ index: 0, id: "c", name: "a", args: '{"n"' }, { index: 0, name: "a", args: ":1}" }], [["c", "a", { n: 1 }]]],
    ["with an id that comes after the name", [{ index: 0, name: "a", args: "" }, { index: 0, id: "c", args: '{"n":1}' }], [["c", "a", { n: 1 }]]],
    ["without an index", [{ id: "c", name: "a", args: '{"n":' }, { args: "1}" }, { id: "d", name: "b", args: "{}" }], [["c", "a", { n: 1 }], ["d", "b", {}]]],
    ["with arguments that are no JSON", [{ index: 0, id: "c", name: "a", args: '{"n": 1,, }' }], [["c", "a", '{"n": 1,, }']]],
    ["without arguments", [{ index: 0, id: "c", name: "a", args: "" }], [["c", "a", {}]]],
  ])("%s", async (_what, pieces, calls) => {
    const { evidence } = await evidenceOf((pieces as object[]).map((one) => piece("m", "", [one])), MESSAGES);
    expect(evidence.toolCalls.map(({ toolCallId, toolName, args }) => [toolCallId, toolName, args])).toEqual(calls);
  });

  test("arguments that LangChain has completed are shown as the tool was given them, and the repair is named", async () => {
    const cut = '{"window":"24';
    const { evidence, warnings } = await evidenceOf([
      piece("m", "", [{ index: 0, id: "c", name: "list", args: cut }]), wrote("agent", [ai("m", "", [call("c", "list", { window: "24" })])]),
      toolStart("c", "list", { window: "24" }), toolEnd("c", "list", toolMessage("c", "list", "ok")), wrote("agent", [ai("n", "Done.")]),
    ]);
    expect(shown(evidence)).toEqual([{ id: "c", name: "list", args: { window: "24" }, result: "ok", completed: true }]);
    expect(warnings.map(({ code }) => code)).toEqual(["arguments_repaired"]);
  });
});

describe("kind id-collision", () => {
  test.each([
    ["two calls without an id", [call(undefined, "a", { n: 1 }), call(undefined, "b", { n: 2 })], ["made-up:1", "made-up:2"], ["call_id_missing"]],
    ["two calls of one tool without an id", [call(undefined, "a", { n: 1 }), call(undefined, "a", { n: 2 })], ["made-up:1", "made-up:2"], ["call_id_missing"]],
    ["an empty id", [call("", "a")], ["made-up:1"], ["call_id_missing"]],
    ["an id like a made-up one", [call("made-up:1", "a"), call("", "b")], ["made-up:1", "made-up:2"], ["call_id_missing"]],
    ["an id that is the name of a member of every object", [call("__proto__", "a"), call("constructor", "b")], ["__proto__", "constructor"], []],
  ])("%s", async (_what, calls, ids, codes) => {
    const { evidence, warnings } = await evidenceOf([wrote("agent", [ai("m", "", calls)]), wrote("agent", [ai("n", "Done.")])]);
    expect(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(ids);
    expect([...new Set(warnings.map(({ code }) => code))]).toEqual(codes);
  });

  test("an id that a later message uses again is another call", async () => {
    const turn = (id: string, n: number): unknown[] => [wrote("agent", [ai(id, "", [call("c", "list", { n })])]), toolStart("c", "list", { n }), toolEnd("c", "list", toolMessage("c", "list", `r${n}`))];
    const { evidence, warnings } = await evidenceOf([...turn("m1", 1), ...turn("m2", 2), wrote("agent", [ai("m3", "Done.")])]);
    expect(shown(evidence)).toEqual([{ id: "c", name: "list", args: { n: 1 }, result: "r1", completed: true }, { id: "made-up:1:c", name: "list", args: { n: 2 }, result: "r2", completed: true }]);
    expect(warnings.map(({ code }) => code)).toEqual(["call_id_reused"]);
  });

  test("a tool that is run without a call's id belongs to the call that it can only mean, else it is a call of its own", async () => {
    const { evidence, warnings } = await evidenceOf([
      wrote("agent", [ai("m", "", [call("c1", "list", { n: 1 }), call("c2", "list", { n: 2 })])]),
      toolStart(undefined, "list", { n: 2 }), toolEnd(undefined, "list", { found: 2 }), toolStart(undefined, "audit", { by: "code" }), toolEnd(undefined, "audit", "ok"),
      wrote("tools", [toolMessage("c1", "list", "one"), toolMessage("c2", "list", '{"found":2}')]), wrote("agent", [ai("n", "Done.")]),
    ]);
    expect(shown(evidence)).toEqual([
      { id: "c1", name: "list", args: { n: 1 }, result: "one", completed: true }, { id: "c2", name: "list", args: { n: 2 }, result: { found: 2 }, completed: true }, { id: "made-up:1", name: "audit", args: { by: "code" }, result: "ok", completed: true },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(["call_id_missing"]);
  });
});

describe("kind nested-attribution", () => {
  const INNER = ["tools:t1"];
  const outer = (...ids: string[]): unknown[] => [
    wrote("agent", [ai("m", "", ids.map((id) => call(id, "research")))]),
    taskBegin("t1", "tools", [ai("m", "", ids.map((id) => call(id, "research")))]), ...ids.map((id) => toolStart(id, "research")),
  ];
  const within = (path: readonly string[], id = "c"): unknown[] => [wrote("agent", [ai(`inner ${path.join()}`, "inner words", [call(id, "fetch")])], path), toolStart(id, "fetch", {}, path), toolEnd(id, "fetch", toolMessage(id, "fetch", "42"), path)];
  const DONE = wrote("agent", [ai("z", "Done.")]);

  test("a graph that a tool runs: the same id at two levels is two calls, the inner one below the outer", async () => {
    const { evidence } = await evidenceOf([...outer("c"), ...within(INNER), toolEnd("c", "research", toolMessage("c", "research", "words")), DONE]);
    expect(shown(evidence)).toEqual([{ id: "c", name: "research", args: {}, result: "words", completed: true }, { id: "c/c", name: "fetch", args: {}, result: "42", completed: true, parent: "c" }]);
    expect(evidence.toolCalls.map(({ runId }) => runId)).toEqual(["run", "run/tools:t1"]);
    expect(evidence.answer).toBe("Done.");
  });

  test("graphs within graphs within a tool", async () => {
    const deep = [...INNER, "agent:x", "tools:y"];
    const { evidence } = await evidenceOf([...outer("c"), ...within(INNER, "d"), ...within(deep, "e"), toolEnd("c", "research", toolMessage("c", "research", "words")), DONE]);
    expect(shown(evidence).map((one) => ("parent" in one ? one.parent : undefined))).toEqual([undefined, "c", "c"]);
  });

  test("of two calls that one task runs nobody can say which a graph belongs to, and that is named; each graph stays a run of its own", async () => {
    const { evidence, warnings } = await evidenceOf([...outer("c", "d"), ...within(INNER), ...within([...INNER, "1"]), DONE]);
    expect(shown(evidence).filter((one) => "parent" in one)).toEqual([]);
    expect(new Set(evidence.toolCalls.map(({ runId }) => runId))).toEqual(new Set(["run", "run/tools:t1", "run/tools:t1|1"]));
    expect(warnings.map(({ code }) => code)).toContain("parent_unknown");
    expect(evidence.observes.parents).toBe(false);
  });

  test("a graph that a node runs has no parent, and its words are no answer unless the node writes them", async () => {
    const inner = within(["worker:w"]);
    expect((await evidenceOf([...inner, [[], "updates", { worker: null }], DONE])).evidence).toMatchObject({ answer: "Done.", toolCalls: [{ toolCallId: "c", runId: "run/worker:w" }] });
    const handedUp = [ai("inner worker:w", "inner words", [call("c", "fetch")]), toolMessage("c", "fetch", "42"), ai("last", "That is all.")];
    expect((await evidenceOf([...inner, wrote("worker", handedUp)])).evidence).toMatchObject({ answer: "That is all.", toolCalls: [{ toolCallId: "c", result: "42" }] });
  });

  test("where the root graph wrote nothing, what it streamed last is the answer, not what an inner graph did", async () => {
    const list = [piece("a", "An answer that the node keeps in a text."), taskEnd("1", "agent"), piece("b", "inner", [], { path: INNER, task: "2" }), taskEnd("2", "agent", [], INNER), [[], "updates", { agent: { answer: "An answer that the node keeps in a text." } }]];
    expect((await evidenceOf(list)).evidence.answer).toBe("An answer that the node keeps in a text.");
  });

  test("a call whose tool ran a graph has begun, though the tool itself asks now", async () => {
    const { evidence } = await evidenceOf([...outer("c"), ...within(INNER), interrupted({ id: "i", value: "Sure?" }), taskEnd("t1", "tools", [{ id: "i", value: "Sure?" }])]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "c", state: "pending" } });
    expect(shown(evidence)).toEqual([{ id: "c", name: "research", args: {}, completed: false, approval: "pending" }, { id: "c/c", name: "fetch", args: {}, completed: true, parent: "c", result: "42" }]);
  });

  test("the text of inner graphs never is part of the answer, however they are mixed", () => {
    const part = fc.record({ deep: fc.boolean(), text: fc.stringMatching(/^[a-z ]{0,6}$/) });
    return fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const list = parts.map(({ deep, text }) => (deep ? piece("inner", text, [], { path: INNER }) : piece("outer", text)));
        const { evidence } = await evidenceOf([piece("outer", ""), ...list], MESSAGES);
        expect(evidence.answer).toBe(parts.filter(({ deep }) => !deep).map(({ text }) => text).join(""));
      }),
    );
  });
});

describe("kind format-variants", () => {
  const instance = (type: string, members: object): object => ({ ...members, getType: () => type });
  const serialized = (name: string, kwargs: object): object => ({ lc: 1, type: "constructor", id: ["langchain_core", "messages", name], kwargs });
  test.each([
    ["instances", [instance("ai", { id: "m", content: "", tool_calls: [call("c", "list")] }), instance("tool", { tool_call_id: "c", content: "ok" }), instance("ai", { id: "n", content: "Hi" })]],
    ["serialized messages", [serialized("AIMessage", { id: "m", content: "", tool_calls: [call("c", "list")] }), serialized("ToolMessage", { tool_call_id: "c", content: "ok" }), serialized("AIMessageChunk", { id: "n", content: "Hi" })]],
    ["plain messages with a type", [ai("m", "", [call("c", "list")]), toolMessage("c", "list", "ok"), ai("n", "Hi")]],
    ["plain messages with a role", [{ role: "assistant", content: "", tool_calls: [call("c", "list")] }, { role: "tool", tool_call_id: "c", content: "ok" }, { role: "assistant", content: "Hi" }]],
    ["stored messages", [{ type: "ai", data: { id: "m", content: "", tool_calls: [call("c", "list")] } }, { type: "tool", data: { tool_call_id: "c", content: "ok" } }, { type: "ai", data: { id: "n", content: "Hi" } }]],
    ["content in blocks", [ai("m", [{ type: "tool_use", id: "c", name: "list", input: {} }], [call("c", "list")]), toolMessage("c", "list", [{ type: "text", text: "ok" }]), ai("n", [{ type: "text", text: "H" }, { type: "image_url", image_url: "x" }, "i"])]],
  ])("%s", async (_what, messages) => {
    const { evidence, warnings } = await evidenceOf([wrote("agent", messages)]);
    expect(shown(evidence)).toEqual([{ id: "c", name: "list", args: {}, result: "ok", completed: true }]);
    expect(evidence).toMatchObject({ answer: "Hi", terminalPhase: "completed" });
    expect(warnings).toEqual([]);
  });

  test.each([
    ["[path, mode, data]", (data: unknown) => [[], "updates", data], undefined],
    ["[mode, data]", (data: unknown) => ["updates", data], undefined],
    ["[path, data] of the one mode", (data: unknown) => [[], data], ["updates"] as const],
    ["data of the one mode", (data: unknown) => data, ["updates"] as const],
    ["a command's update", (data: unknown) => [[], "updates", { agent: { lg_name: "Command", update: (data as { agent: object }).agent, goto: [] } }], undefined],
    ["a message that a task of the functional API gives back", () => [[], "updates", { model: ai("m", "Hi", [call("c", "list")]) }], undefined],
  ])("a chunk as %s", async (_what, form, modes) => {
    const { evidence } = await evidenceOf([form({ agent: { messages: [ai("m", "Hi", [call("c", "list")])] } })], modes === undefined ? {} : { modes });
    expect(evidence).toMatchObject({ answer: "Hi", toolCalls: [{ toolCallId: "c" }] });
  });

  test("the whole state after each step: what it began with is old", async () => {
    const state = (...messages: object[]): unknown => [[], "values", { messages }];
    const old = [ai("a", "Before.", [call("x", "old")]), toolMessage("x", "old", "1", { id: "t0" }), { type: "human", id: "h", content: "Go." }];
    const { evidence } = await evidenceOf([state(...old), state(...old, ai("m", "", [call("c", "list")])), state(...old, ai("m", "", [call("c", "list")]), toolMessage("c", "list", "ok", { id: "t1" }), ai("n", "Hi"))], { modes: ["values"] });
    expect(shown(evidence)).toEqual([{ id: "c", name: "list", args: {}, result: "ok", completed: true }]);
    expect(evidence.answer).toBe("Hi");
  });

  test.each([
    ["a field of the message's own", { additional_kwargs: { reasoning_content: "hm" } }], ["a summary", { additional_kwargs: { reasoning: { summary: [{ text: "h" }, { text: "m" }] } } }],
    ["a block of a reasoning", { content: [{ type: "reasoning", reasoning: "hm" }, { type: "text", text: "Hi" }] }], ["a block of a summary", { content: [{ type: "reasoning", summary: [{ text: "hm" }] }, { type: "text", text: "Hi" }] }],
    ["Bedrock's block", { content: [{ type: "reasoning_content", reasoningText: { text: "hm" } }, { type: "text", text: "Hi" }] }],
  ])("reasoning in %s is no text", async (_what, rest) => {
    const { evidence, told } = await evidenceOf([streamed({ type: "AIMessageChunk", id: "m", content: "Hi", ...rest })], MESSAGES);
    expect([evidence.answer, reasoning(told)]).toEqual(["Hi", "hm"]);
  });

  test("a tool's object comes as JSON text and is read again with every digit; a text that is none stays one", async () => {
    const results = ['{"n":9007199254740993}', "[1,2]", "9.99", '"quoted"', "plain", "{not json", ""];
    const { evidence } = await evidenceOf([wrote("agent", [ai("m", "", results.map((_, at) => call(`c${at}`, "t")))]), wrote("tools", results.map((content, at) => toolMessage(`c${at}`, "t", content))), wrote("agent", [ai("n", "Done.")])]);
    expect(evidence.toolCalls.map(({ result }) => result)).toEqual([{ n: 9007199254740992 }, [1, 2], "9.99", '"quoted"', "plain", "{not json", ""]);
    expect(evidence.toolCalls[0]?.resultJson).toBe('{"n":9007199254740993}');
  });

  test("data that only looks like a message is none", async () => {
    const { evidence } = await evidenceOf([[[], "updates", { load: { examples: [{ role: "assistant", content: "An example." }], person: { type: "ai", content: "no" } } }], wrote("agent", [ai("n", "Hi")])]);
    expect(evidence).toMatchObject({ answer: "Hi", toolCalls: [] });
    expect((await evidenceOf([wrote("agent", [ai("n", "Hi")]), [[], "updates", { load: { examples: [{ role: "assistant", content: "An example." }] } }]])).evidence.answer).toBe("Hi");
  });
});

describe("kind tool-errors", () => {
  const failed = (end: unknown[], options: EventsOptions = {}): Promise<unknown> =>
    evidenceOf([wrote("agent", [ai("m", "", [call("c", "pay")])]), toolStart("c", "pay"), ...end, wrote("agent", [ai("n", "No.")])], options).then(({ evidence }) => evidence.toolCalls[0]?.failure);
  const message = wrote("tools", [toolMessage("c", "pay", "Error: no\n Please fix your mistakes.", { status: "error" })]);
  test.each([
    ["what a tool threw, with its cause", [toolError("c", "pay", new Error("no", { cause: new Error("why") })), message], { kind: "unknown", error: { message: "no", cause: { message: "why" } } }],
    ["an error's own word", [toolError("c", "pay", Object.assign(new Error("no"), { kind: "domain_rejection" }))], { kind: "domain_rejection", error: { message: "no" } }],
    ["input that a tool within the tool refuses", [toolError("c", "pay", Object.assign(new Error("no"), { name: "ToolInputParsingException" }))], { kind: "invalid_call", error: { message: "no" } }],
    ["a message that says so, without the error", [message], { kind: "unknown", error: { message: "no" } }],
    ["a tool that itself gives such a message back", [toolEnd("c", "pay", toolMessage("c", "pay", "declined", { status: "error" }))], { kind: "unknown", error: { message: "declined" } }],
  ])("%s", async (_what, end, failure) => {
    expect(await failed(end)).toEqual(failure);
  });

  test("the application may say of which kind a failure is", async () => {
    expect(await failed([message], { failureKind: (tool, error) => (tool === "pay" && error === "no" ? "domain_rejection" : undefined) })).toMatchObject({ kind: "domain_rejection" });
    expect(() => expectation({ tools: [expectFailure({ name: "pay" }, "timeout")] })).not.toThrow();
  });
});

describe("kind terminal-state", () => {
  const breaking = (error: unknown): AsyncIterable<unknown> => ({ async *[Symbol.asyncIterator]() { yield piece("m", "Your order"); throw error; } });
  const ended = (error: unknown, options: EventsOptions = {}): Promise<{ terminalPhase?: string | undefined; answer: string }> => collect(events(breaking(error), options)).catch((thrown: { evidence: { answer: string } }) => ({ terminalPhase: "none", answer: thrown.evidence.answer }));
  const aborted = new AbortController();
  aborted.abort();
  test.each([
    ["an error of the graph", new Error("boom"), {}, "failed"], ["an abort by its name", new DOMException("stop", "AbortError"), {}, "cancelled"], ["whatever is thrown after the signal's abort", new Error("enough"), { signal: aborted.signal }, "cancelled"],
    ["a graph that is drained", Object.assign(new Error("Graph drained"), { name: "GraphDrained", reason: "shutdown" }), {}, "cancelled"], ["a connection that broke", new TypeError("terminated", { cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }) }), {}, "none"],
    ["nothing at all", undefined, {}, "failed"],
  ])("%s", async (_what, error, options, phase) => {
    expect(await ended(error, options)).toMatchObject({ terminalPhase: phase, answer: "Your order" });
  });

  test.each(["length", "max_tokens", "MAX_TOKENS", "content_filter", "refusal", "SAFETY"])("an answer that stopped for %s has not gone well", async (finish_reason) => {
    expect((await evidenceOf([wrote("agent", [ai("m", "Half", [], { response_metadata: { finish_reason } })])])).evidence).toMatchObject({ terminalPhase: "failed", terminalFailure: { code: finish_reason } });
  });

  test("what a node has kept to itself is no answer of a run that broke after it", async () => {
    async function* cut(): AsyncGenerator { yield wrote("agent", [ai("m", "Your order is late.")]); yield piece("g", "SAFE", [], { node: "guard", task: "2" }); yield taskEnd("2", "guard"); throw new TypeError("terminated"); }
    await expect(collect(events(cut()))).rejects.toMatchObject({ code: "stream_incomplete", evidence: { answer: "Your order is late." } });
  });

  test("a stream of nothing is no run that ended", async () => {
    await expect(collect(events(chunks([])))).rejects.toMatchObject({ code: "stream_incomplete" });
  });

  test("a run without a word is a run without an answer, whatever was said before its last message, and that is named", async () => {
    const { evidence, warnings } = await evidenceOf([wrote("agent", [ai("m", "Let me look.", [call("c", "list")])]), toolStart("c", "list"), toolEnd("c", "list", "ok"), wrote("agent", [ai("n", "")])]);
    expect(evidence).toMatchObject({ answer: "", terminalPhase: "completed" });
    expect(warnings.map(({ code }) => code)).toEqual(["answer_empty"]);
  });

  test("what is no stream is refused in words that say what is", async () => {
    await expect(collect(events({} as never))).rejects.toThrow(/graph\.stream/);
  });
});

test("kind usage-accounting: each message is counted once, streamed or written, inner ones too, and what is unknown is said", async () => {
  const usage = (input: number, output: number): object => ({ usage_metadata: { input_tokens: input, output_tokens: output, output_token_details: { reasoning: 1 }, input_token_details: { cache_read: 2 } } });
  const { evidence } = await evidenceOf([
    streamed({ type: "AIMessageChunk", id: "m", content: "H", ...usage(25, 1) }), streamed({ type: "AIMessageChunk", id: "m", content: "i", ...usage(0, 17) }), wrote("agent", [ai("m", "Hi", [], usage(25, 18))]),
    streamed({ type: "AIMessageChunk", id: "i", content: "draft", ...usage(3, 4) }, { path: ["agent:1"] }), piece("u", "no usage"), wrote("agent", [ai("by hand", "Not a model's.")]),
  ]);
  expect(evidence.usage).toEqual({ inputTokens: 28, outputTokens: 22, reasoningTokens: 2, cachedInputTokens: 4, requests: 3, unknownRequests: 1 });
});

test("kind provider-executed: a call of the provider's own is one call, in whichever form it and its end come", async () => {
  const standard = [ai("m", [{ type: "server_tool_call", id: "s", name: "search", args: { q: 1 } }]), ai("n", [{ type: "server_tool_call_result", toolCallId: "s", status: "success", output: [1] }, { type: "text", text: "Done." }])];
  expect(shown((await evidenceOf([wrote("agent", standard)])).evidence)).toEqual([{ id: "s", name: "search", args: { q: 1 }, result: [1], completed: true }]);
  const failing = [ai("m", [{ type: "server_tool_use", id: "s", name: "web_fetch", input: {} }, { type: "web_fetch_tool_result", tool_use_id: "s", content: { type: "web_fetch_tool_result_error", error_code: "max_uses_exceeded" } }])];
  expect(shown((await evidenceOf([wrote("agent", failing)])).evidence)).toMatchObject([{ id: "s", failure: "unknown", completed: true }]);
  const mcp = [ai("m", "Done.", [], { additional_kwargs: { tool_outputs: [{ type: "mcp_call", id: "x", name: "roll", server_label: "dice", arguments: '{"n":6}', output: "4", error: null }, { type: "mcp_call", id: "y", name: "roll", arguments: "{}", error: "no dice" }, { type: "web_search_call", id: "w", status: "completed", action: { type: "search", query: "x" } }] } })];
  const { evidence } = await evidenceOf([wrote("agent", mcp)]);
  expect(shown(evidence)).toEqual([
    { id: "x", name: "roll", args: { n: 6 }, result: "4", completed: true }, { id: "y", name: "roll", args: {}, failure: "unknown", completed: true }, { id: "w", name: "web_search", args: { type: "search", query: "x" }, result: { status: "completed" }, completed: true },
  ]);
  expect(evidence.terminalPhase).toBe("completed");
  const unended = await evidenceOf([wrote("agent", [ai("m", [{ type: "server_tool_use", id: "s", name: "web_search", input: { query: "x" } }, { type: "text", text: "Well." }])])]);
  expect(unended.evidence).toMatchObject({ terminalPhase: "completed", toolCalls: [{ toolCallId: "s", completed: false }] });
});

describe("kind missing-events", () => {
  test("whatever chunks come in whatever order, the stream is read to its end and no call is made up or lost", () => {
    const id = fc.constantFrom("a", "b", "", undefined);
    const name = fc.constantFrom("t", "u");
    const path = fc.constantFrom<readonly string[]>([], ["tools:1"], ["tools:1", "1"], ["agent:2", "tools:3"]);
    const chunk = fc.oneof(
      fc.tuple(fc.constantFrom("m1", "m2", "m3"), id, name, path).map(([message, rawId, of, at]) => wrote("agent", [ai(message, "x", [{ id: rawId, name: of, args: {} }])], at)),
      fc.tuple(id, name, path).map(([rawId, of, at]) => piece("p", "y", [{ index: 0, id: rawId, name: of, args: "{" }], { path: at })),
      fc.tuple(id, name, path).map(([rawId, of, at]) => wrote("tools", [toolMessage(rawId, of, "r")], at)),
      fc.tuple(id, name, path).map(([rawId, of, at]) => toolStart(rawId, of, {}, at)), fc.tuple(id, name, path).map(([rawId, of, at]) => toolEnd(rawId, of, "r", at)), fc.tuple(id, name, path).map(([rawId, of, at]) => toolError(rawId, of, "e", at)),
      fc.tuple(fc.constantFrom("1", "3"), path).map(([task, at]) => taskBegin(task, "tools", [ai("m1", "", [call("a", "t")])], at)), fc.tuple(fc.constantFrom("1", "3"), path).map(([task, at]) => taskEnd(task, "tools", [], at)),
      fc.constantFrom<unknown>(interrupted({ id: "i", value: 1 }), interrupted(), null, 7, "noise", [], [1, 2, 3], [[], "messages", null], [[], "updates", 5], [[], "tools", null], [[], "tasks", null], [[], "custom", {}]),
    );
    return fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 14 }), async (list) => {
        const { evidence } = await evidenceOf([...list, wrote("agent", [ai("last", "Done.")])]);
        expect(evidence).toMatchObject({ ended: true, answer: "Done." });
        expect(new Set(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(evidence.toolCalls.length);
      }),
      { numRuns: 500 },
    );
  });

  test("a run of 20,000 calls is read like one of two", async () => {
    const asks = Array.from({ length: 20_000 }, (_, n) => call(`k${n}`, "t", { n }));
    const { evidence } = await evidenceOf([wrote("agent", [ai("m", "", asks)]), ...asks.flatMap((_, n) => [toolStart(`k${n}`, "t", { n }), toolEnd(`k${n}`, "t", "ok")]), wrote("agent", [ai("z", "Done.")])]);
    expect(evidence.toolCalls).toHaveLength(20_000);
  });

  test("chunks that cannot be read are named and counted, and nothing of them is evidence", async () => {
    const hostile = new Proxy({}, { get: () => { throw new Error("no"); }, ownKeys: () => { throw new Error("no"); } });
    const { evidence, warnings } = await evidenceOf([null, "noise", {}, [hostile, hostile], [[], "messages", [hostile, hostile]], [[], "updates", { agent: hostile }], wrote("agent", [ai("n", "Hi")])]);
    expect(evidence).toMatchObject({ answer: "Hi", toolCalls: [], terminalPhase: "completed" });
    expect(warnings.map(({ code }) => code)).toContain("chunk_unknown");
    expect(evidence.unknownEvents).toEqual([{ type: "langgraph:chunk", times: 3 }, { type: "langgraph:object", times: 1 }, { type: "langgraph:messages", times: 1 }]);
  });
});
