import * as fc from "fast-check";
import { fromMcpResult, mcpResults } from "entail/adapter/mcp";
import { collect, OBSERVES_EVERYTHING, type StreamEvent } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { call, end, fail, phase, start, streamEnd } from "../../../test/agent-events.ts";

const text = (...texts: readonly string[]): object => ({ content: texts.map((each) => ({ type: "text", text: each })) });
const structured = (structuredContent: object, more: object = {}): object => ({ ...text(JSON.stringify(structuredContent)), structuredContent, ...more });

describe("the result", () => {
  test("is the structured content where there is one, also where it is all that there is", () => {
    expect(fromMcpResult(structured({ id: "a1" }))).toEqual({ result: { id: "a1" } });
    expect(fromMcpResult({ structuredContent: { id: "a1" } })).toEqual({ result: { id: "a1" } });
    expect(fromMcpResult({ content: [], structuredContent: null })).toEqual({ result: [] });
  });
  test("is the text of the only block, read as JSON where it is an object or a list, digits kept", () => {
    expect(fromMcpResult(text("Hello."))).toEqual({ result: "Hello." });
    expect(fromMcpResult(text('{"n": 9007199254740993}'))).toEqual({ result: { n: 9007199254740992 }, resultJson: '{"n": 9007199254740993}' });
    expect(fromMcpResult(text(' [1, 2]'))).toEqual({ result: [1, 2], resultJson: " [1, 2]" });
    for (const plain of ["17", "true", '"quoted"', "{not json", "[see below] one", ""]) expect(fromMcpResult(text(plain))).toEqual({ result: plain });
  });
  test("is the list of blocks where there are several, or one of another kind", () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    expect(fromMcpResult({ content: [image] })).toEqual({ result: [image] });
    expect(fromMcpResult(text("a", "b"))).toEqual({ result: [{ type: "text", text: "a" }, { type: "text", text: "b" }] });
    expect(fromMcpResult({ content: [] })).toEqual({ result: [] });
  });
  test.each([["a text", "plain"], ["nothing", undefined], ["null", null], ["a list", [1]], ["an answer of something else", { content: "a page", isError: true }], ["a message", { content: [{ text: "no type" }] }], ["an object with a structured content among others", { structuredContent: {}, rows: 3 }]])("of %s is that itself: it is no result of MCP's", (_what, value) => {
    expect(fromMcpResult(value)).toEqual({ result: value });
  });
});

describe("a failure", () => {
  test("is an isError, with the text of its blocks and no result", () => {
    expect(fromMcpResult({ ...text("no alarm a9", "try another"), isError: true, structuredContent: { partial: true } })).toEqual({ failure: { kind: "unknown", error: { message: "no alarm a9\ntry another" } } });
    expect(fromMcpResult({ content: [], isError: true, structuredContent: { message: "quota" } })).toEqual({ failure: { kind: "unknown", error: { message: "quota" } } });
    expect(fromMcpResult({ content: [], isError: true })).toEqual({ failure: { kind: "unknown", error: { message: "the tool failed without saying why" } } });
    expect(fromMcpResult({ ...text("fine"), isError: false })).toEqual({ result: "fine" });
  });
  test("has the kind that the application says, else the one that a refusal by the protocol has", () => {
    expect(fromMcpResult({ ...text("MCP error -32602: Input validation error: Invalid arguments for tool x"), isError: true }).failure?.kind).toBe("invalid_call");
    expect(fromMcpResult({ ...text("MCP error -32602: no"), isError: true }, { failureKind: () => "domain_rejection" }).failure?.kind).toBe("domain_rejection");
    expect(fromMcpResult({ ...text("429"), isError: true }, { failureKind: () => undefined }).failure?.kind).toBe("unknown");
  });
  test.each([[-32602, "invalid_call"], [-32601, "invalid_call"], [-32603, "internal"], [-32001, "timeout"], [-32000, "unavailable"], [-32042, "unknown"]])("of code %d is %s, as an answer and as what a client throws", (code, kind) => {
    expect(fromMcpResult({ jsonrpc: "2.0", id: 1, error: { code, message: "why" } })).toEqual({ failure: { kind, error: { message: "why" } } });
    expect(fromMcpResult(Object.assign(new Error("MCP error: why"), { code }))).toEqual({ failure: { kind, error: { message: "MCP error: why" } } });
  });
  test("an error of something else is no failure of MCP's", () => {
    const error = Object.assign(new Error("disk"), { code: "ENOSPC" });
    expect(fromMcpResult(error)).toEqual({ result: error });
    expect(fromMcpResult({ error: { message: "no code" } })).toEqual({ result: { error: { message: "no code" } } });
    expect(fromMcpResult({ ...text("a"), error: { code: 1 } })).toEqual({ result: "a" });
  });
});

describe("bounds", () => {
  test.each([
    [{ alarms: [1, 2], total: 3, nextCursor: "p2" }, { returned: 2, total: 3, truncated: true, nextCursor: "p2" }],
    [{ alarms: [1], total: 1 }, { returned: 1, total: 1, truncated: false }],
    [{ alarms: [1], total_count: 4 }, { returned: 1, total: 4, truncated: true }],
    [{ alarms: [1], next_cursor: "x", refinement_hint: "narrow it" }, { returned: 1, truncated: true, nextCursor: "x", refinementHint: "narrow it" }],
    [{ alarms: [1], hasMore: false }, { returned: 1, truncated: false }],
    [{ alarms: [], has_more: true }, { returned: 0, truncated: true }],
    [{ alarms: [1], truncated: true }, { returned: 1, truncated: true }],
    [{ alarms: [1, 2], total: 9, hasMore: false }, { returned: 2, total: 9, truncated: false }],
    [{ returned: 5, truncated: false, rows: "many" }, { returned: 5, truncated: false }],
    [{ alarms: [1], nextCursor: "" , hasMore: false }, { returned: 1, truncated: false }],
  ])("of %j", (content, bounds) => {
    expect(fromMcpResult(structured(content)).bounds).toEqual(bounds);
    expect(fromMcpResult(text(JSON.stringify(content))).bounds).toEqual(bounds);
  });
  test("are read from _meta.bounds where the server says them there", () => {
    expect(fromMcpResult(structured({ rows: [1, 2] }, { _meta: { bounds: { returned: 2, total: 8, truncated: true, nextCursor: "c" } } })).bounds).toEqual({ returned: 2, total: 8, truncated: true, nextCursor: "c" });
    expect(fromMcpResult(structured({ rows: [1, 2] }, { _meta: { bounds: {} } })).bounds).toEqual({ returned: 2, truncated: false });
  });
  test("are none where nothing speaks of pages, or where nobody could say how much came back", () => {
    for (const content of [{ alarms: [1] }, { id: "a1" }, { a: [1], b: [2], nextCursor: "x" }, { nextCursor: "x" }, { total: "3", rows: [1] }]) expect(fromMcpResult(structured(content))).not.toHaveProperty("bounds");
    expect(fromMcpResult(text("Hello."))).not.toHaveProperty("bounds");
    expect(fromMcpResult({ ...structured({ alarms: [1], hasMore: true }), isError: true })).not.toHaveProperty("bounds");
  });
  test("are the application's own where it reads them", () => {
    expect(fromMcpResult(structured({ page: 1 }), { bounds: () => ({ returned: 4, truncated: true }) })).toEqual({ result: { page: 1 }, bounds: { returned: 4, truncated: true } });
    expect(fromMcpResult(structured({ rows: [1], hasMore: true }), { bounds: () => undefined })).toEqual({ result: { rows: [1], hasMore: true } });
  });
});

test("a hostile result is read or handed on, never thrown at", () => {
  const throwing = { get content(): never { throw new Error("no"); } };
  expect(fromMcpResult(throwing)).toEqual({ result: throwing });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(() => fromMcpResult(proxy)).not.toThrow();
  const member = fc.constantFrom("content", "isError", "structuredContent", "_meta", "bounds", "type", "text", "nextCursor", "total", "returned", "error", "code", "message");
  fc.assert(fc.property(fc.anything({ key: member, withBigInt: true, withNullPrototype: true, maxDepth: 5 }), (value) => {
    const read = fromMcpResult(value);
    expect("failure" in read && "result" in read).toBe(false);
    expect(read.bounds === undefined || (Number.isInteger(read.bounds.returned) && typeof read.bounds.truncated === "boolean")).toBe(true);
  }));
});

describe("within the events of another framework", () => {
  const stream = (...told: readonly (StreamEvent | readonly StreamEvent[])[]): AsyncIterable<StreamEvent> => (async function* (): AsyncGenerator<StreamEvent, void> {
    yield* told.flat<readonly (StreamEvent | readonly StreamEvent[])[]>();
    yield phase("completed");
    yield streamEnd;
  })();
  test("the end of a call says what its result means", async () => {
    const { toolCalls } = await collect(mcpResults(stream(
      call("a", "list", {}, structured({ alarms: [1], nextCursor: "p2" })),
      call("b", "remove", {}, { ...text("no alarm"), isError: true }),
      call("c", "own", {}, { rows: [1] }),
      call("d", "own"),
    )));
    expect(toolCalls.map(({ result, failure, bounds }) => [result, failure?.error.message, bounds])).toEqual([
      [{ alarms: [1], nextCursor: "p2" }, undefined, { returned: 1, truncated: true, nextCursor: "p2" }],
      [undefined, "no alarm", undefined],
      [{ rows: [1] }, undefined, undefined],
      [{}, undefined, undefined],
    ]);
  });
  test("a result that came as text is read from it, and its structured content keeps every digit", async () => {
    const raw = (id: string, resultJson: string): readonly StreamEvent[] => [start(id, "count"), { ...end(id, "count"), result: undefined, resultJson }];
    const { toolCalls } = await collect(mcpResults(stream(
      raw("a", '{"content":[{"type":"text","text":"x"}],"structuredContent":{"n":9007199254740993}}'),
      raw("b", '{"content":[{"type":"text","text":"{\\"n\\":1.10}"}]}'),
      raw("c", '{"content":[],"isError":true}'),
      raw("d", "not json"),
      raw("e", '{"content":[],"structuredContent":null}'),
    )));
    expect(toolCalls.map(({ resultJson, failure }) => resultJson ?? failure?.kind)).toEqual(['{"n":9007199254740993}', '{"n":1.10}', "unknown", "not json", "[]"]);
  });
  test("what the framework knows itself is not overruled, and other events pass as they are", async () => {
    const known = end("a", "list", structured({ alarms: [1], hasMore: true }), { bounds: { returned: 9, truncated: false } });
    const { toolCalls } = await collect(mcpResults(stream([start("a", "list"), known], [start("b", "list"), fail("b", "list", "timeout")])));
    expect(toolCalls).toMatchObject([{ bounds: { returned: 9, truncated: false } }, { failure: { kind: "timeout" } }]);
  });
  test("only the tools that are named are read where some are, with the options of a result", async () => {
    const refused = { ...text("no"), isError: true };
    const { toolCalls } = await collect(mcpResults(stream(call("a", "mine", {}, refused), call("b", "theirs", {}, refused)), { tools: ["theirs"], failureKind: () => "domain_rejection" }));
    expect(toolCalls.map(({ failure, result }) => failure?.kind ?? result)).toEqual([refused, "domain_rejection"]);
  });
  test("bounds are observed now, and everything else as before", () => {
    const blind = { ...OBSERVES_EVERYTHING, bounds: false, parents: false };
    expect(mcpResults(Object.assign(stream(), { observes: blind })).observes).toEqual({ ...OBSERVES_EVERYTHING, parents: false });
    expect(mcpResults(stream()).observes).toEqual(OBSERVES_EVERYTHING);
  });
});
