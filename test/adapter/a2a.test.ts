// Runs agents behind real A2A servers, by HTTP, through the twelve situations: those of the official SDK (1.0 and 0.3), and aimock's.
import { createOpenAI } from "@ai-sdk/openai";
import { A2AMock, LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { TaskState } from "@a2a-js/sdk-v1";
import { ToolLoopAgent, jsonSchema, tool, type ToolSet } from "ai";
import { createRunner } from "entail";
import { OBSERVES, target, type A2aEvents, type A2aTargetOptions } from "entail/adapter/a2a";
import { collect, expectation, expectCall, expectConfirmation, type Evidence, type StreamEvent } from "entail/evidence";
import { targetContract } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { loopback } from "../ai-sdk/loopback.ts";
import { a2aServer, type A2aRun, type A2aServer, type ServerOptions } from "./a2a-server.ts";
import { ANSWER, canonicalFor, canonicalResponse, comparable, QUESTION, RESULT, WEATHER_TOOL } from "./canonical.ts";
import { recordCell, writeCells, type Cell, type Situation } from "./cell.ts";

const model = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
const mock = new A2AMock();
beforeAll(() => Promise.all([model.start(), mock.start()]));
afterAll(() => Promise.all([model.stop(), mock.stop()]));
afterAll(() => writeCells("a2a"));

const seen = (situation: Situation, how: Cell["how"]): void => recordCell("a2a", situation, { outcome: "seen", how });
const cannotOccur = (situation: Situation, how: Cell["how"]): void => recordCell("a2a", situation, { outcome: "cannot occur", how });
const never = new AbortController().signal;
const { TASK_STATE_WORKING: WORKING, TASK_STATE_COMPLETED: COMPLETED, TASK_STATE_FAILED: FAILED, TASK_STATE_REJECTED: REJECTED, TASK_STATE_INPUT_REQUIRED: INPUT_REQUIRED, TASK_STATE_AUTH_REQUIRED: AUTH_REQUIRED, TASK_STATE_SUBMITTED: SUBMITTED } = TaskState;

/** Every event of one turn, and the evidence of them. */
async function turn(options: A2aTargetOptions, input = "Go.", over: { threadId?: string; signal?: AbortSignal } = {}): Promise<{ evidence: Evidence; types: string[]; warned: string[] }> {
  const stream = target(options).send(input, { signal: never, ...over });
  const all: StreamEvent[] = [];
  for await (const event of stream) all.push(event);
  const evidence = await collect(Object.assign(all, { observes: OBSERVES }));
  return { evidence, types: all.map(({ type }) => type), warned: (stream as A2aEvents).warnings.map(({ code }) => code) };
}
const ofTools = (types: readonly string[]): readonly string[] => types.filter((type) => /tool|confirm/.test(type));
const on = async <Value>(agent: (run: A2aRun) => Promise<void> | void, use: (server: A2aServer) => Promise<Value>, options: ServerOptions = {}): Promise<Value> => {
  await using server = await a2aServer(agent, options);
  return await use(server);
};

/** A task that says what it is given. */
const says = (text: string) => (run: A2aRun): void => {
  run.task(SUBMITTED);
  run.status(WORKING, "I am on it.");
  run.artifact("a", text, { lastChunk: true });
  run.status(COMPLETED);
};

/** An agent of the AI SDK with real tools behind the server: what it does inside is what A2A hides. */
const used: string[] = [];
const list = tool({ description: "Lists.", inputSchema: z.object({ window: z.string() }), execute: ({ window }) => { used.push(window); return { ids: ["a1"] }; } });
const tools: ToolSet = {
  list,
  pay: tool({ description: "Pays.", inputSchema: z.object({ amount: z.number() }), execute: async (): Promise<string> => { used.push("pay"); throw new Error("card declined"); } }),
  research: tool({ description: "Researches.", inputSchema: z.object({}), execute: async () => { used.push("research"); return (await inner({ list }).generate({ prompt: "inner" })).text; } }),
};
function inner(own: ToolSet): ToolLoopAgent<never, ToolSet> {
  return new ToolLoopAgent({ model: createOpenAI({ baseURL: `${model.url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini"), tools: own, onError: () => undefined });
}
async function inside(...answers: readonly FixtureResponse[]): Promise<{ evidence: Evidence; types: string[] }> {
  used.length = 0;
  model.clearFixtures();
  model.addFixture({
    match: {},
    response: ({ messages }) => {
      const done = messages.filter(({ role }) => role === "assistant").length;
      if (JSON.stringify(messages).includes('"inner"')) return done === 0 ? { toolCalls: [{ id: "i1", name: "list", arguments: '{"window":"inner"}' }] } : { content: "Found." };
      return answers[done] ?? { content: "Done." };
    },
  });
  return on(
    async (run) => {
      run.task(WORKING);
      run.artifact("a", (await inner(tools).generate({ prompt: run.text })).text);
      run.status(COMPLETED);
    },
    ({ url }) => turn({ url }),
  );
}
const asks = (...calls: readonly (readonly [string, string])[]): FixtureResponse => ({ toolCalls: calls.map(([name, args], at) => ({ id: `c${at}`, name, arguments: args })) });

const OPAQUE = "an A2A agent is opaque: the tools that it calls are never on the wire";

test.each<{ situation: Situation; title: string; answer: FixtureResponse; did: string[]; how?: string }>([
  { situation: "parallel_calls", title: "two parallel calls inside the agent", answer: asks(["list", '{"window":"24h"}'], ["list", '{"window":"7d"}']), did: ["24h", "7d"] },
  { situation: "split_arguments", title: "arguments with an escape and a surrogate pair inside the agent", answer: asks(["list", '{"window":"caf\\u00e9 😀"}']), did: ["café 😀"], how: "no arguments are on the wire, whole or in pieces" },
  { situation: "tool_throws", title: "a tool that throws inside the agent", answer: asks(["pay", '{"amount":5}']), did: ["pay"] },
  { situation: "unknown_tool", title: "a call of an unknown tool inside the agent", answer: asks(["no_such_tool", "{}"]), did: [] },
  { situation: "invalid_arguments", title: "invalid arguments inside the agent", answer: asks(["pay", '{"amount":"five"}']), did: [] },
  { situation: "nested_agent", title: "an agent within the agent", answer: asks(["research", "{}"]), did: ["research", "inner"], how: "agents that an A2A agent asks are as hidden as its tools" },
])("$title leaves no call in evidence", async ({ situation, answer, did, how = OPAQUE }) => {
  const { evidence, types } = await inside(answer);
  expect(used).toEqual(did);
  expect(evidence).toMatchObject({ answer: "Done.", terminalPhase: "completed", toolCalls: [], ended: true });
  expect(ofTools(types)).toEqual([]);
  cannotOccur(situation, how);
});

test("a provider's own tool inside the agent leaves no call, not even where the agent writes it into its metadata and data", async () => {
  // As agents of the Agent Development Kit do.
  const call = { id: "c1", name: "google_search", args: { q: "x" } };
  const items = [
    { kind: "task", id: "t", contextId: "c", status: { state: "working" }, metadata: { adk_type: "function_call", call } },
    { kind: "status-update", taskId: "t", contextId: "c", final: false, status: { state: "working", message: { kind: "message", messageId: "1", role: "agent", parts: [{ kind: "data", data: call, metadata: { adk_type: "function_call" } }] } } },
    { kind: "artifact-update", taskId: "t", contextId: "c", artifact: { artifactId: "a", parts: [{ kind: "text", text: "Found." }] } },
    { kind: "status-update", taskId: "t", contextId: "c", final: true, status: { state: "completed" } },
  ];
  await using server = await loopback(() => ({ sse: items.map((result) => JSON.stringify({ jsonrpc: "2.0", id: 1, result })) }));
  const { evidence, types } = await turn({ url: server.url, protocol: "0.3" });
  expect(evidence).toMatchObject({ answer: "Found.", toolCalls: [], terminalPhase: "completed" });
  expect(ofTools(types)).toEqual([]);
  cannotOccur("provider_executed", "the model behind an A2A agent and its provider are never on the wire");
});

/** Asks before it acts, and does as it is told. */
const cautious = (run: A2aRun): void => {
  if (run.context.task === undefined) {
    run.task(WORKING);
    run.artifact("plan", "I would delete a1.");
    run.status(INPUT_REQUIRED, "May I?");
  } else {
    run.resume();
    run.status(WORKING);
    run.artifact("log", run.text === "yes" ? "Deleted a1." : "I left a1 alone.");
    run.status(COMPLETED);
  }
};

test.each([
  { situation: "approval_granted", say: "yes", answer: "Deleted a1.", how: "a person's answer is words of the next turn: the task goes on and completes, and which call they allowed is not on the wire" },
  { situation: "approval_refused", say: "no", answer: "I left a1 alone.", how: "a person's answer is words of the next turn: the task goes on and completes, and which call they refused is not on the wire" },
] as const)("$situation: the next turn goes on with the task, and no approval is made up", ({ situation, say, answer, how }) =>
  on(cautious, async ({ url, received }) => {
    const agent = target({ url });
    const first = await collect(agent.send("Delete a1.", { signal: never, threadId: "t" }));
    const all: StreamEvent[] = [];
    for await (const event of agent.send(say, { signal: never, threadId: "t", turn: 1 })) all.push(event);
    const second = await collect(all);
    expect(first).toMatchObject({ terminalPhase: "suspended", answer: "I would delete a1.\n\nMay I?" });
    expect(second).toMatchObject({ terminalPhase: "completed", answer, toolCalls: [], sessionId: "t" });
    expect(ofTools(all.map(({ type }) => type))).toEqual([]);
    const [one, two] = received.map(({ params }) => params.message);
    expect(one).toMatchObject({ contextId: "t", role: "ROLE_USER", parts: [{ text: "Delete a1." }] });
    expect(one.taskId).toBeUndefined();
    expect(two.contextId).toBe("t");
    expect(two.taskId).toEqual(expect.any(String));
    cannotOccur(situation, how);
  }));

test("an approval left pending suspends the run with the question, and names no call", () =>
  on(cautious, async ({ url }) => {
    const { evidence, types } = await turn({ url });
    expect(evidence).toMatchObject({ terminalPhase: "suspended", ended: true, answer: "I would delete a1.\n\nMay I?", toolCalls: [] });
    expect(evidence.confirmation).toBeUndefined();
    expect(ofTools(types)).toEqual([]);
    expect(() => expectation({ confirmation: expectConfirmation({ name: "delete" }) }).checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }) as Error);
    cannotOccur("approval_pending", "the run is `suspended` with what the agent asks as its answer; A2A asks for input, never for the approval of a call that it names");
  }));

test.each([1, 2, 3])("a stream that is cut off after %i events has no end, and what was said is kept", (cutAfter) =>
  on(
    (run) => {
      run.task(WORKING);
      run.artifact("a", "Your order ");
      run.artifact("a", "is on its way", { append: true });
      run.status(COMPLETED);
    },
    async ({ url }) => {
      const error: unknown = await turn({ url }).catch((thrown: unknown) => thrown);
      const collected: unknown = await collect(target({ url }).send("Go.", { signal: never })).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(collected).toMatchObject({ code: "stream_incomplete", evidence: { ended: false, answer: ["", "Your order ", "Your order is on its way"][cutAfter - 1] } });
      seen("cut_off", "`collect` rejects with `stream_incomplete`; the artifacts seen so far are kept, and no end is made up");
    },
    { cutAfter },
  ));

const slow = (run: A2aRun): Promise<void> => {
  run.task(WORKING);
  run.artifact("a", "I wait.");
  return new Promise((resolve) => run.cancelled.addEventListener("abort", () => resolve(), { once: true }));
};

test("an abort is cancelled at the agent too, and the run is cancelled because the agent says so", () =>
  on(slow, async ({ url, received }) => {
    const controller = new AbortController();
    const stream = target({ url }).send("Go.", { signal: controller.signal });
    const run = collect(stream);
    setTimeout(() => controller.abort(new Error("enough")), 50);
    expect(await run).toMatchObject({ terminalPhase: "cancelled", ended: true, answer: "I wait." });
    expect(received.map(({ method }) => method)).toEqual(["SendStreamingMessage", "CancelTask"]);
    seen("abort", "a `cancelled` run once the agent confirms it, with what it had said; an error where it does not");
  }));

test("an abort that the agent does not confirm is an error, and no end is made up", async () => {
  await using server = await loopback(({ body }) =>
    body.method === "SendStreamingMessage"
      ? { sse: [JSON.stringify({ result: { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } } })], hang: true }
      : { json: { error: { code: -32002, message: "Task not cancelable" } } });
  const controller = new AbortController();
  const run = collect(target({ url: server.url }).send("Go.", { signal: controller.signal }));
  setTimeout(() => controller.abort(new Error("enough")), 50);
  await expect(run).rejects.toMatchObject({ code: "cancelled", evidence: { ended: false } });
  expect(server.received.map(({ body }) => body.method)).toEqual(["SendStreamingMessage", "CancelTask"]);
});

describe("an agent is asked in the way it knows", () => {
  test.each(["1.0", "0.3"] as const)("%s streams, and the evidence is the same", (protocol) =>
    on(says("Hello."), async ({ url, received }) => {
      const { evidence, types } = await turn({ url });
      expect(evidence).toMatchObject({ answer: "Hello.", terminalPhase: "completed", ended: true });
      expect(types).toEqual(["workflow", "workflow", "assistant_turn", "assistant_reply", "workflow", "run_stream_end"]);
      expect(received.map(({ method, version }) => [method, version])).toEqual(protocol === "0.3" ? [["SendStreamingMessage", "1.0"], ["message/stream", "0.3"]] : [["SendStreamingMessage", "1.0"]]);
    }, { protocol }));

  test.each(["1.0", "0.3"] as const)("%s without streaming answers with the whole task", (protocol) =>
    on(says("Hello."), async ({ url, received }) => {
      const agent = target({ url, protocol });
      for (const at of [1, 2]) expect(await collect(agent.send("Go.", { signal: never })), `turn ${at}`).toMatchObject({ answer: "Hello.", terminalPhase: "completed", ended: true });
      const [stream, send] = protocol === "1.0" ? ["SendStreamingMessage", "SendMessage"] : ["message/stream", "message/send"];
      expect(received.map(({ method }) => method)).toEqual([stream, send, send]);
    }, { protocol, streaming: false }));

  test("turns that are sent at once learn it together", () =>
    on(says("Hello."), async ({ url }) => {
      const agent = target({ url });
      const all = await Promise.all([1, 2, 3].map(() => collect(agent.send("Go.", { signal: never }))));
      expect(all.map(({ answer }) => answer)).toEqual(["Hello.", "Hello.", "Hello."]);
    }, { protocol: "0.3", streaming: false }));

  test("parts of a turn arrive as the protocol writes them", () =>
    on(says("ok"), async ({ url, received }) => {
      const parts = [{ text: "Look:" }, { data: { n: 1 } }, { url: "https://x.example/a.png", mediaType: "image/png", filename: "a.png" }];
      await collect(target({ url, protocol: "0.3", message: () => ({ metadata: { tenant: "a" } }) }).send(parts, { signal: never }));
      expect(received[0]?.params.message).toMatchObject({
        metadata: { tenant: "a" },
        parts: [{ kind: "text", text: "Look:" }, { kind: "data", data: { n: 1 } }, { kind: "file", file: { uri: "https://x.example/a.png", mimeType: "image/png", name: "a.png" } }],
      });
    }, { protocol: "0.3" }));
});

describe("the states of a task", () => {
  test.each([
    ["failed", FAILED, "The printer burns.", { terminalPhase: "failed", terminalFailure: { message: "The printer burns.", kind: "failed" }, answer: "The printer burns." }],
    ["rejected", REJECTED, "I must not.", { terminalPhase: "failed", terminalFailure: { message: "I must not.", kind: "rejected" }, answer: "I must not." }],
    ["auth_required", AUTH_REQUIRED, "Sign in first.", { terminalPhase: "suspended", answer: "Sign in first." }],
  ] as const)("%s", (_state, state, words, expected) =>
    on((run) => { run.task(WORKING); run.status(state, words); }, async ({ url }) => {
      expect((await turn({ url })).evidence).toMatchObject({ ended: true, ...expected });
    }));

  test("an agent that throws has failed", () =>
    on((run) => { run.task(WORKING); throw new Error("no model"); }, async ({ url }) => {
      // The SDK's server says so on its own console.
      using quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
      expect((await turn({ url })).evidence).toMatchObject({ terminalPhase: "failed", terminalFailure: { message: expect.stringContaining("no model") as string } });
      expect(quiet).toHaveBeenCalled();
    }));

  test("credentials that somebody brings are waited for where that is said", () =>
    on(
      async (run) => {
        run.task(WORKING);
        run.status(AUTH_REQUIRED, "Sign in first.");
        await new Promise((resolve) => setTimeout(resolve, 20));
        run.artifact("a", "Signed in.");
        run.status(COMPLETED);
      },
      async ({ url }) => expect((await turn({ url, waitsForAuthorization: true })).evidence).toMatchObject({ terminalPhase: "completed", answer: "Signed in." }),
    ));

  test("an agent that breaks the protocol leaves no end", () =>
    on((run) => run.status(WORKING), async ({ url }) => {
      await expect(turn({ url })).rejects.toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("before initial") as string });
    }));

  test("a message without a task completes the run", () =>
    on((run) => run.message("Hello."), async ({ url }) => {
      expect((await turn({ url })).evidence).toMatchObject({ answer: "Hello.", terminalPhase: "completed" });
      expect((await turn({ url, streaming: false })).evidence).toMatchObject({ answer: "Hello.", terminalPhase: "completed" });
    }));
});

describe("threads", () => {
  /** Answers with how many turns of its context it has seen. */
  const counting = (): ((run: A2aRun) => void) => {
    const counts = new Map<string, number>();
    return (run) => {
      const count = (counts.get(run.context.contextId) ?? 0) + 1;
      counts.set(run.context.contextId, count);
      says(`turn ${count}`)(run);
    };
  };

  test("turns of one thread share the agent's context, those of another do not", () =>
    on(counting(), async ({ url, received }) => {
      const agent = target({ url });
      const say = async (threadId?: string): Promise<string> => (await collect(agent.send("Go.", { signal: never, ...(threadId === undefined ? {} : { threadId }) }))).answer;
      expect([await say("a"), await say("a"), await say("b"), await say(), await say()]).toEqual(["turn 1", "turn 2", "turn 1", "turn 1", "turn 1"]);
      expect(received.map(({ params }) => params.message.contextId)).toEqual(["a", "a", "b", undefined, undefined]);
      expect(received.every(({ params }) => params.message.taskId === undefined)).toBe(true);
    }));

  test("an agent that takes only contexts of its own names them", () =>
    on(counting(), async ({ url, received }) => {
      const agent = target({ url, contextId: () => undefined });
      for (const answer of ["turn 1", "turn 2"]) expect((await collect(agent.send("Go.", { signal: never, threadId: "a" }))).answer).toBe(answer);
      expect(received[0]?.params.message.contextId).toBeUndefined();
      expect(received[1]?.params.message.contextId).toEqual(expect.any(String));
    }));
});

describe("aimock's server", () => {
  beforeAll(() => {
    mock.registerAgent({ name: "agent" });
    mock.onStreamingTask("agent", "stream", [
      { type: "status", state: "TASK_STATE_WORKING" },
      { type: "artifact", name: "story", parts: [{ text: "Once " }] },
      { type: "artifact", name: "story", parts: [{ text: "upon" }], append: true, lastChunk: true },
      { type: "status", state: "TASK_STATE_COMPLETED" },
    ]);
    mock.onStreamingTask("agent", "endless", [{ type: "artifact", name: "story", parts: [{ text: "Once " }] }]);
    mock.onTask("agent", "task", [{ artifactId: "a", parts: [{ text: "Hello." }, { data: { celsius: 21 } }, { url: "https://x.example/a.png" }] }]);
    mock.onMessage("agent", "message", [{ text: "Hi." }]);
  });

  test("streams a task", async () => {
    expect((await turn({ url: mock.url }, "stream")).evidence).toMatchObject({ answer: "Once upon", terminalPhase: "completed", ended: true });
  });

  test("a stream that stops without a state that ends it is incomplete", async () => {
    await expect(collect(target({ url: mock.url }).send("endless", { signal: never }))).rejects.toMatchObject({ code: "stream_incomplete", evidence: { answer: "Once " } });
  });

  test("answers with a task, whose data is shown as JSON and whose files are left out with a warning", async () => {
    const { evidence, warned } = await turn({ url: mock.url, streaming: false }, "task");
    expect(evidence).toMatchObject({ answer: 'Hello.\n{"celsius":21}', terminalPhase: "completed" });
    expect(warned).toEqual(["part_not_text"]);
  });

  test("answers with a message", async () => {
    expect((await turn({ url: mock.url, streaming: false }, "message")).evidence).toMatchObject({ answer: "Hi.", terminalPhase: "completed" });
  });

  test("what it refuses is no evidence", async () => {
    await expect(collect(target({ url: mock.url }).send("nothing it knows", { signal: never }))).rejects.toMatchObject({ code: "stream_incomplete", message: expect.stringContaining("No matching pattern for message (JSON-RPC -32000)") as string });
  });
});

describe("the target's contract", () => {
  const open = async (agent: (run: A2aRun) => Promise<void> | void, input: string, options: ServerOptions = {}) => {
    const server = await a2aServer(agent, options);
    return { target: target({ url: server.url }), input, close: async (): Promise<void> => { await server[Symbol.asyncDispose](); } };
  };
  const remembers = (): ((run: A2aRun) => void) => {
    const names = new Map<string, string>();
    return (run) => {
      const name = /I am (\w+)/.exec(run.text)?.[1];
      if (name !== undefined) names.set(run.context.contextId, name);
      says(`You are ${names.get(run.context.contextId) ?? "a stranger"}.`)(run);
    };
  };
  const checks = targetContract({
    answers: async () => ({ ...(await open(says("Hello."), "Go.")), answer: "Hello." }),
    waits: () => open(slow, "Go."),
    breaksOff: async () => ({ ...(await open(says("Hello."), "Go.", { cutAfter: 3 })), said: "Hello." }),
    remembers: async () => ({ ...(await open(remembers(), "I am Ada.")), next: "Who am I?", shows: (answer: string) => answer.includes("Ada") }),
  });
  test.each(checks)("$name", ({ run }) => expect(run()).resolves.toBeUndefined());
});

test("the canonical scenario gives what A2A shows of the canonical evidence", async () => {
  model.clearFixtures();
  model.addFixture({ match: {}, response: canonicalResponse });
  const weather = tool({ description: WEATHER_TOOL.description, inputSchema: jsonSchema<{ city: string }>(WEATHER_TOOL.inputSchema as never), execute: async () => RESULT });
  const { evidence } = await on(
    async (run) => {
      run.task(WORKING);
      run.artifact("a", (await inner({ get_weather: weather }).generate({ prompt: run.text })).text);
      run.status(COMPLETED);
    },
    ({ url }) => turn({ url }, QUESTION),
  );
  expect(evidence.answer).toBe(ANSWER);
  expect(comparable(evidence)).toEqual(canonicalFor(evidence.observes));
});

test("on A2A, whatever is asked of tools makes a scenario errored, neither passed nor failed", async () => {
  await using server = await a2aServer(says("Nothing was deleted."));
  const asked = { forbidden: expectation({ forbidTools: ["delete"] }), exact: expectation({ exact: true }), wanted: expectation({ tools: [expectCall({ name: "list" })] }), ending: expectation({}) };
  const report = await createRunner({ maxConcurrency: 1 }).run({
    id: "blind", description: "d",
    scenarios: Object.entries(asked).map(([id, expected]) => ({ id, description: "d", tags: [], timeoutMs: 5000, run: async ({ signal }: { signal: AbortSignal }) => ({ checks: expected.checks(await collect(target({ url: server.url }).send("Go.", { signal }))) }) })),
  });
  expect(report.scenarios.map(({ id, outcome, error }) => [id, outcome, error?.code])).toEqual([["forbidden", "errored", "not_observable"], ["exact", "errored", "not_observable"], ["wanted", "errored", "not_observable"], ["ending", "passed", undefined]]);
});
