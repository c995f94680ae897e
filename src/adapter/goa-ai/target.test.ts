import { events, target } from "entail/adapter/goa-ai";
import { collect, OBSERVES_EVERYTHING } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { loopback } from "../../../test/ai-sdk/loopback.ts";
import { over, phase, RUN, says, SESSION, starts } from "../../../test/goa-ai/wire.ts";

const { signal } = new AbortController();
const rejection = async (promise: Promise<unknown>): Promise<unknown> => promise.then(() => "it resolved", (thrown: unknown) => thrown);
const sse = (...told: readonly object[]): readonly string[] => told.map((event) => JSON.stringify(event));

test("a turn is posted as JSON with its session, and the answer's events are the run's", async () => {
  await using server = await loopback(() => ({ sse: sse(phase("planning"), says("Two alarms."), ...over()) }));
  const agent = target({ url: `${server.url}/agents/chat/runs` });
  expect([agent.memory, agent.observes]).toEqual([true, OBSERVES_EVERYTHING]);
  const stream = agent.send("How many?", { signal, threadId: SESSION, resourceId: "user-42", turn: 1, history: [{ role: "user", content: "Hello." }] });
  expect(await collect(stream)).toMatchObject({ runId: RUN, sessionId: SESSION, answer: "Two alarms.", terminalPhase: "completed", ended: true });
  expect(server.received).toEqual([{ path: "/agents/chat/runs", body: { input: "How many?", session_id: SESSION, resource_id: "user-42", turn: 1 } }]);
});

test("nothing is sent before somebody looks, and a turn without a thread sends none", async () => {
  await using server = await loopback(() => ({ sse: sse(says("Hi."), ...over()) }));
  const stream = target({ url: server.url }).send({ question: "Hi?" }, { signal });
  expect(server.received).toEqual([]);
  await collect(stream);
  expect(server.received[0]?.body).toEqual({ input: { question: "Hi?" } });
});

test("the body, the headers and the way of fetching may be the application's own", async () => {
  await using server = await loopback(() => ({ sse: sse(says("Hi."), ...over()) }));
  const sent: RequestInit[] = [];
  const agent = target({
    url: new URL(server.url),
    memory: false,
    headers: ({ threadId }) => ({ authorization: `Bearer ${threadId ?? ""}` }),
    body: (input, { turn }) => ({ message: input, turn }),
    fetch: (url, init) => {
      sent.push(init ?? {});
      return fetch(url, init);
    },
  });
  expect(agent.memory).toBe(false);
  await collect(agent.send("Hi?", { signal, threadId: "t1", turn: 0 }));
  expect(server.received[0]?.body).toEqual({ message: "Hi?", turn: 0 });
  expect(sent[0]?.headers).toMatchObject({ authorization: "Bearer t1", accept: "text/event-stream" });
  await collect(target({ url: server.url, headers: { "x-key": "1" }, fetch: (url, init) => { sent.push(init ?? {}); return fetch(url, init); } }).send("Hi?", { signal }));
  expect(sent[1]?.headers).toMatchObject({ "x-key": "1" });
});

describe("what goes wrong", () => {
  test("an answer without a stream names its status and the beginning of what it said", async () => {
    await using server = await loopback(() => ({ status: 403, json: { error: "no such agent" } }));
    expect(await rejection(collect(target({ url: `${server.url}/x?token=secret` }).send("Hi?", { signal })))).toMatchObject({
      code: "stream_incomplete",
      message: `the agent at ${server.url}/x gave no stream of events: it answered 403 ({"error":"no such agent"})`,
    });
  });
  test("an agent that cannot be reached is named, without the secrets of its address", async () => {
    const error = (await rejection(collect(target({ url: "http://user:hunter22@127.0.0.1:1/run?key=hunter22", fetch: () => Promise.reject(new Error("connect ECONNREFUSED")) }).send("Hi?", { signal })))) as Error;
    expect(error).toMatchObject({ code: "stream_incomplete", message: "the agent at http://127.0.0.1:1/run could not be reached: connect ECONNREFUSED" });
  });
  test("an address that is none, and a type of event that no profile leaves out, are refused at once", () => {
    expect(() => target({ url: "not an address" })).toThrow('target() needs the url of an endpoint; "not an address" is none');
    expect(() => target({ url: "http://127.0.0.1", without: ["usage" as never] })).toThrow("is none of");
  });
  test("a cancelled turn closes the request", async () => {
    await using server = await loopback(() => ({ sse: sse(says("I wait."), starts("c1", "slow")), hang: true }));
    const controller = new AbortController();
    const stream = target({ url: server.url }).send("Go.", { signal: controller.signal });
    const reading = collect(stream, { signal: controller.signal, attach: ({ evidence }) => { if (evidence?.toolCalls.length === 1) controller.abort(new Error("enough")); } });
    expect(await rejection(reading)).toMatchObject({ code: "cancelled", evidence: { answer: "I wait.", toolCalls: [{ toolName: "slow", completed: false }], ended: false } });
    const before = target({ url: server.url }).send("Go.", { signal: AbortSignal.abort(new Error("early")) });
    expect(await rejection(collect(before))).toMatchObject({ code: "cancelled" });
  });
});

test("what the stream's profile leaves out is unseen through a target too", async () => {
  await using server = await loopback(() => ({ sse: sse(...over()) }));
  const agent = target({ url: server.url, without: ["tool_end"] });
  expect(agent.observes).toMatchObject({ args: true, results: false, bounds: false });
  expect((await collect(agent.send("Go.", { signal }))).observes).toEqual(agent.observes);
  expect(events({ body: null }).observes).toEqual(OBSERVES_EVERYTHING);
});
