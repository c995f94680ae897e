import { events, STREAM_WARNINGS, type EventsOptions, type StreamWarning } from "entail/adapter/a2a";
import { collect, type Evidence } from "entail/evidence";
import { array, assert, asyncProperty, constantFrom, jsonValue, nat, oneof, record, string } from "fast-check";
import { describe, expect, test } from "vitest";

async function seen(source: object, options: EventsOptions = {}): Promise<{ evidence: Evidence; warned: readonly StreamWarning["code"][] }> {
  const stream = events(source, { runId: "run", ...options });
  const evidence = await collect(stream);
  return { evidence, warned: stream.warnings.map(({ code }) => code) };
}
const cutOf = async (source: object): Promise<unknown> => collect(events(source)).catch((thrown: unknown) => thrown);

const words = (text: string): object => ({ text });
const task = (state: unknown, over: object = {}): object => ({ task: { id: "t", contextId: "c", status: { state }, ...over } });
const status = (state: unknown, text?: string, over: object = {}): object => ({ statusUpdate: { taskId: "t", contextId: "c", status: { state, ...(text === undefined ? {} : { message: { messageId: `m ${text}`, role: "ROLE_AGENT", parts: [words(text)] } }) }, ...over } });
const artifact = (artifactId: string, text: string, over: object = {}): object => ({ artifactUpdate: { taskId: "t", contextId: "c", artifact: { artifactId, parts: [words(text)] }, ...over } });
const WORKING = "TASK_STATE_WORKING";
const DONE = "TASK_STATE_COMPLETED";

describe("format variants: the same task in every form in which it comes gives the same evidence", () => {
  const one = [task(WORKING), artifact("a", "Hel"), artifact("a", "lo.", { append: true }), status(DONE, "Bye.")];
  const legacy = [
    { kind: "task", id: "t", contextId: "c", status: { state: "working" } },
    { kind: "artifact-update", taskId: "t", contextId: "c", artifact: { artifactId: "a", parts: [{ kind: "text", text: "Hel" }] } },
    { kind: "artifact-update", taskId: "t", contextId: "c", append: true, lastChunk: true, artifact: { artifactId: "a", parts: [{ kind: "text", text: "lo." }] } },
    { kind: "status-update", taskId: "t", contextId: "c", final: true, status: { state: "completed", message: { kind: "message", messageId: "m", role: "agent", parts: [{ kind: "text", text: "Bye." }] } } },
  ];
  const part = (value: string): object => ({ content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "" });
  const sdk = [
    { payload: { $case: "task", value: { id: "t", contextId: "c", status: { state: 2, message: undefined }, artifacts: [], history: [] } } },
    { payload: { $case: "artifactUpdate", value: { taskId: "t", contextId: "c", append: false, lastChunk: false, artifact: { artifactId: "a", parts: [part("Hel")] } } } },
    { payload: { $case: "artifactUpdate", value: { taskId: "t", contextId: "c", append: true, lastChunk: true, artifact: { artifactId: "a", parts: [part("lo.")] } } } },
    { payload: { $case: "statusUpdate", value: { taskId: "t", contextId: "c", status: { state: 3, message: { messageId: "m", role: 2, parts: [part("Bye.")] } } } } },
  ];
  const whole = { id: "t", contextId: "c", status: { state: DONE, message: { messageId: "m", role: "ROLE_AGENT", parts: [words("Bye.")] } }, artifacts: [{ artifactId: "a", parts: [words("Hel"), words("lo.")] }], history: [{ messageId: "u", role: "ROLE_USER", parts: [words("Hi")] }] };
  const sse = (items: readonly object[]): string => items.map((result) => `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\r\n\r\n`).join("");
  async function* each(items: Iterable<unknown>): AsyncGenerator {
    yield* items;
  }

  test.each<[string, () => object]>([
    ["results of 1.0", () => each(one)],
    ["a list of them", () => one],
    ["envelopes", () => each(one.map((result) => ({ jsonrpc: "2.0", id: 1, result })))],
    ["texts of one envelope each", () => each(one.map((result) => JSON.stringify({ result })))],
    ["results of 0.3", () => each(legacy)],
    ["what the SDK of 1.0 yields", () => each(sdk)],
    ["proto names", () => each(JSON.parse(JSON.stringify(one).replaceAll("artifactUpdate", "artifact_update").replaceAll("statusUpdate", "status_update").replaceAll("artifactId", "artifact_id").replaceAll("contextId", "context_id")) as unknown[])],
    ["server-sent events as text", () => each([sse(one)])],
    ["server-sent events as bytes", () => each([new TextEncoder().encode(sse(legacy))])],
    ["a response with a stream", () => new Response(sse(one), { headers: { "content-type": "text/event-stream" } })],
    ["a response with the whole task", () => new Response(JSON.stringify({ result: { task: whole } }))],
    ["the whole task", () => whole],
    ["a promise of it", () => Promise.resolve({ result: whole })],
  ])("%s", async (_form, source) => {
    const { evidence, warned } = await seen(source());
    expect(evidence).toMatchObject({ runId: "run", sessionId: "c", answer: "Hello.\n\nBye.", terminalPhase: "completed", ended: true, toolCalls: [] });
    expect(evidence.unknownEvents).toBeUndefined();
    expect(warned).toEqual([]);
  });

  test("a message is an answer by itself, in each form", async () => {
    for (const source of [{ messageId: "m", role: "ROLE_AGENT", parts: [words("Hi.")] }, { message: { messageId: "m", parts: [words("Hi.")] } }, { kind: "message", messageId: "m", role: "agent", parts: [{ kind: "text", text: "Hi." }] }, [{ payload: { $case: "message", value: { messageId: "m", role: 2, taskId: "t", parts: [part("Hi.")] } } }]]) {
      expect((await seen(source)).evidence).toMatchObject({ answer: "Hi.", terminalPhase: "completed", ended: true });
    }
  });

  test("however a stream is cut into pieces, and the artifact into chunks, the answer is the same", async () => {
    await assert(
      asyncProperty(array(string({ unit: "grapheme" }), { minLength: 1, maxLength: 6 }), array(nat(60), { maxLength: 20 }), async (chunks, cuts) => {
        const wire = new TextEncoder().encode(sse([task(WORKING), ...chunks.map((chunk, at) => artifact("a", chunk, at === 0 ? {} : { append: true })), status(DONE)]));
        const pieces: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) pieces.push(wire.subarray(at, (at += cut)));
        pieces.push(wire.subarray(at));
        expect((await seen(each(pieces.filter(({ length }) => length > 0)))).evidence.answer).toBe(chunks.join(""));
      }),
      { numRuns: 50 },
    );
  });
});

describe("terminal state", () => {
  test.each([
    ["TASK_STATE_COMPLETED", "completed"], ["completed", "completed"], [3, "completed"], ["failed", "failed"], ["TASK_STATE_REJECTED", "failed"],
    ["canceled", "cancelled"], ["cancelled", "cancelled"], ["input-required", "suspended"], ["input_required", "suspended"], ["auth-required", "suspended"],
  ])("%s ends a run %s", async (state, phase) => {
    expect((await seen([task(WORKING), status(state)])).evidence).toMatchObject({ terminalPhase: phase, ended: true });
  });

  test.each(["submitted", "working", "unknown", "TASK_STATE_UNSPECIFIED", 0, -1, 99, undefined, null, "paused", { a: 1 }])("%s ends none", async (state) => {
    expect(await cutOf([task(WORKING), artifact("a", "So far."), status(state)])).toMatchObject({ code: "stream_incomplete", evidence: { answer: "So far.", ended: false } });
  });

  test("no updates, and updates of artifacts alone, are no end", async () => {
    for (const source of [[], [artifact("a", "x")], [task(WORKING)]]) expect(await cutOf(source)).toMatchObject({ code: "stream_incomplete" });
  });

  test("what comes after the end does not change it", async () => {
    const { evidence } = await seen([task(WORKING), artifact("a", "Done."), status(DONE), artifact("a", "More.", { append: true }), status("failed", "no")]);
    expect(evidence).toMatchObject({ answer: "Done.", terminalPhase: "completed" });
  });

  test("an end that the agent says is not final is not", async () => {
    const source = [task(WORKING), status("input-required", "Which one?", { final: false }), artifact("a", "The first."), status(DONE, undefined, { final: true })];
    expect((await seen(source)).evidence).toMatchObject({ answer: "The first.", terminalPhase: "completed" });
  });

  test("a snapshot shows a state that a task may have left: only the end of the stream makes it the run's", async () => {
    expect((await seen([task("input-required"), status(WORKING), artifact("a", "On."), status(DONE)])).evidence).toMatchObject({ answer: "On.", terminalPhase: "completed" });
    expect((await seen([task(WORKING), task("input-required")])).evidence).toMatchObject({ terminalPhase: "suspended" });
  });

  test("why a run failed or was cancelled is what the agent says, or that it does not say", async () => {
    expect((await seen([status("failed", "No paper.")])).evidence.terminalFailure).toEqual({ message: "No paper.", kind: "failed" });
    expect((await seen([status("rejected")])).evidence.terminalFailure).toEqual({ message: "the task was rejected without saying why", kind: "rejected" });
  });

  test("an error instead of an update is no end", async () => {
    expect(await cutOf([task(WORKING), { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "it broke" } }])).toMatchObject({ code: "stream_incomplete", message: "the agent sent an error instead of an end of its task: it broke (JSON-RPC -32603)" });
  });
});

describe("the answer", () => {
  test("an artifact that is replaced is shown in its last form", async () => {
    const { evidence, warned } = await seen([artifact("a", "Five."), artifact("a", "Six."), status(DONE)]);
    expect(evidence.answer).toBe("Six.");
    expect(warned).toEqual(["artifact_replaced"]);
  });

  test("several artifacts stand apart, in the order in which they began, with the closing words at the end", async () => {
    const { evidence } = await seen([artifact("a", "One"), artifact("b", "Two"), artifact("a", " more", { append: true }), status(DONE, "That is all.")]);
    expect(evidence.answer).toBe("One more\n\nTwo\n\nThat is all.");
  });

  test("closing words that repeat the artifact are said once", async () => {
    expect((await seen([artifact("a", "Sunny."), status(DONE, "Sunny.")])).evidence.answer).toBe("Sunny.");
  });

  test("words on the way are no answer beside one", async () => {
    const { evidence, warned } = await seen([task(WORKING), status(WORKING, "Looking it up."), artifact("a", "Sunny."), status(DONE)]);
    expect(evidence.answer).toBe("Sunny.");
    expect(warned).toEqual([]);
  });

  test("words on the way are the answer where there is no other, each said once", async () => {
    const said = { messageId: "m It is ", role: "ROLE_AGENT", parts: [words("It is ")] };
    const { evidence, warned } = await seen([task(WORKING), status(WORKING, "It is "), status(WORKING, "sunny."), task(WORKING, { history: [{ messageId: "u", role: "ROLE_USER", parts: [] }, said] }), status(DONE)]);
    expect(evidence.answer).toBe("It is sunny.");
    expect(warned).toEqual(["answer_from_progress"]);
  });

  test("data is shown as JSON on a line of its own, whatever it holds; files are left out", async () => {
    const cyclic: Record<string, unknown> = { n: 1 };
    cyclic["self"] = cyclic;
    const parts = [words("Here:"), { data: { b: 1, a: 2 } }, words("and"), { kind: "data", data: cyclic }, { url: "https://x.example" }, { raw: "AA==" }, { kind: "file", file: {} }, {}, null, 5];
    const { evidence, warned } = await seen([{ artifactUpdate: { artifact: { artifactId: "a", parts } } }, status(DONE)]);
    expect(evidence.answer).toBe('Here:\n{"a":2,"b":1}\nand\n{"n":1,"self":"[circular]"}');
    expect(warned).toEqual(["part_not_text"]);
  });

  test("a run that completes without a word says so", async () => {
    expect((await seen([task(DONE)])).warned).toEqual(["answer_empty"]);
  });

  test("the user's own words are none of it", async () => {
    const { evidence } = await seen([task(WORKING, { history: [{ messageId: "a", role: "agent", parts: [words("Before.")] }, { messageId: "u", role: "user", parts: [words("Question?")] }] }), { statusUpdate: { status: { state: DONE, message: { role: "ROLE_USER", parts: [words("Mine.")] } } } }]);
    expect(evidence.answer).toBe("");
  });
});

describe("what no evidence can hold", () => {
  test("updates of another task are left out, with a warning", async () => {
    const { evidence, warned } = await seen([task(WORKING), { artifactUpdate: { taskId: "other", artifact: { artifactId: "a", parts: [words("Not mine.")] } } }, status(DONE)]);
    expect(evidence.answer).toBe("");
    expect(warned).toEqual(["task_foreign", "answer_empty"]);
  });

  test("updates that are not known are counted in evidence too", async () => {
    const { evidence, warned } = await seen([task(WORKING), { kind: "tool_start", taskId: "t" }, 5, null, "5", {}, status(DONE)]);
    expect(evidence.unknownEvents).toEqual([{ type: "a2a:tool_start", times: 1 }, { type: "a2a:number", times: 2 }, { type: "a2a:null", times: 1 }, { type: "a2a:object", times: 1 }]);
    expect(evidence.toolCalls).toEqual([]);
    expect(warned).toContain("update_unknown");
  });

  test("every warning is one that is listed", async () => {
    for (const code of (await seen([task("paused"), task(DONE)])).warned) expect(STREAM_WARNINGS).toContain(code);
    expect((await seen([task("paused"), task(DONE)])).warned).toEqual(["state_unknown", "answer_empty"]);
  });
});

describe("hostile updates", () => {
  const throwing = (): object => Object.defineProperty({}, "task", { get: () => { throw new Error("gotcha"); }, enumerable: true });
  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };

  test("never break the reading", async () => {
    const nasty = [throwing(), { task: revoked() }, { artifactUpdate: { artifact: { artifactId: "__proto__", parts: { length: -1 } } } }, { statusUpdate: { status: { state: { toString: null } } } }];
    const { evidence } = await seen([...nasty, artifact("constructor", "Hello."), status(DONE)]);
    expect(evidence).toMatchObject({ answer: "Hello.", terminalPhase: "completed" });
  });

  test("no update of any shape makes a call or an approval", async () => {
    await assert(
      asyncProperty(array(oneof(jsonValue(), record({ kind: constantFrom("task", "status-update", "artifact-update", "message", "tool_start", "tool_end", "await_confirmation"), type: constantFrom("tool_start", "tool_end"), toolCallId: string(), toolName: string(), status: jsonValue(), artifact: jsonValue() }, { requiredKeys: [] })), { maxLength: 8 }), async (items) => {
        const types: string[] = [];
        try {
          for await (const { type } of events(items)) types.push(type);
        } catch {
          // An error among them.
        }
        expect(types.filter((type) => !type.startsWith("a2a:") && /tool|confirm/.test(type))).toEqual([]);
      }),
    );
  });

  test.each([null, undefined, 5, "text", () => undefined])("what is no source is said: %s", async (source) => {
    await expect(collect(events(source as unknown as object))).rejects.toMatchObject({ code: "option_invalid" });
  });

  test("a text that is no JSON, and a refused response, are said", async () => {
    async function* nonsense(): AsyncGenerator<string> {
      yield "data: {nonsense\n\n";
    }
    await expect(collect(events(nonsense()))).rejects.toMatchObject({ code: "event_invalid" });
    await expect(collect(events(new Response("no", { status: 502 })))).rejects.toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("502") as string });
  });
});
