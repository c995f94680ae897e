import { target, type A2aEvents } from "entail/adapter/a2a";
import { collect } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { loopback } from "../../../test/ai-sdk/loopback.ts";

const never = new AbortController().signal;

describe("a task that is not done when the agent answers", () => {
  const task = (state: string, over: object = {}): object => ({ id: "t", contextId: "c", status: { state }, ...over });

  test("is looked at until it is", async () => {
    const states = [task("TASK_STATE_SUBMITTED"), task("TASK_STATE_WORKING", { artifacts: [{ artifactId: "a", parts: [{ text: "One, " }] }] }), task("TASK_STATE_COMPLETED", { artifacts: [{ artifactId: "a", parts: [{ text: "One, two." }] }] })];
    await using server = await loopback((_request, index) => ({ json: { result: index === 0 ? { task: states[0] } : states[index] } }));
    const stream = target({ url: server.url, streaming: false, pollMs: 5 }).send("Go.", { signal: never }) as A2aEvents;
    expect(await collect(stream)).toMatchObject({ answer: "One, two.", terminalPhase: "completed" });
    expect(stream.warnings).toEqual([]);
    expect(server.received.map(({ body }) => [body.method, body.params.id])).toEqual([["SendMessage", undefined], ["GetTask", "t"], ["GetTask", "t"]]);
  });

  test("and cancelled when the turn is aborted meanwhile", async () => {
    const controller = new AbortController();
    await using server = await loopback(({ body }, index) => {
      if (index === 2) setTimeout(() => controller.abort(), 5);
      return { json: { result: body.method === "CancelTask" ? task("TASK_STATE_CANCELED") : { task: task("TASK_STATE_WORKING") } } };
    });
    expect(await collect(target({ url: server.url, streaming: false, pollMs: 10 }).send("Go.", { signal: controller.signal }))).toMatchObject({ terminalPhase: "cancelled", ended: true });
  });
});

describe("what cannot be reached or understood", () => {
  test.each([
    ["another status", { status: 503, json: { sorry: true } }, /answered 503 \(\{"sorry":true\}\)/],
    ["no JSON-RPC", { json: { hello: 1 } }, /gave no answer of JSON-RPC: it answered 200/],
    ["an error amid a stream", { sse: [JSON.stringify({ result: { task: { id: "t", status: { state: "TASK_STATE_WORKING" } } } }), JSON.stringify({ error: { code: -32603, message: "it broke" } })] }, /it broke \(JSON-RPC -32603\)/],
  ] as const)("%s", async (_what, answer, message) => {
    await using server = await loopback(() => answer);
    await expect(collect(target({ url: `${server.url}/a2a?key=secret` }).send("Go.", { signal: never }))).rejects.toMatchObject({ code: "stream_incomplete", message: expect.stringMatching(message) as string });
  });

  test("an agent that is not there", async () => {
    const error: unknown = await collect(target({ url: "http://127.0.0.1:9/a?key=secret" }).send("Go.", { signal: never })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "stream_incomplete" });
    expect(String(error)).not.toContain("secret");
  });

  test.each([
    ["no address", () => target({ url: "not an address" })],
    ["a protocol that is none", () => target({ url: "http://x.example", protocol: "2.0" as never })],
    ["a wait that is none", () => target({ url: "http://x.example", pollMs: 0 })],
  ])("%s is said at once", (_what, make) => expect(make).toThrow(expect.objectContaining({ code: "option_invalid" }) as Error));
});
