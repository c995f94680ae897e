// Holds runEvals to Mastra's behaviour on real agents, workflows, memory and stores; where that hurts, to the better one.
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { Mastra } from "@mastra/core/mastra";
import { RequestContext } from "@mastra/core/request-context";
import { createTool } from "@mastra/core/tools";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { createScorer as createMastraScorer } from "@mastra/core/evals";
import { LibSQLStore } from "@mastra/libsql";
import { Memory } from "@mastra/memory";
import { target as mastraTarget } from "entail/adapter/mastra";
import { checks, converse, createScorer, runEvals, type EvalsResult, type ScorerEntry } from "entail/conversation";
import { createTrajectoryAccuracyScorerCode } from "entail/score";
import { scriptedJudge } from "entail/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
beforeAll(() => mock.start());
afterAll(() => mock.stop());

interface Sent {
  readonly role: string;
  readonly content: unknown;
}
/** What the model was sent, request by request. */
let requests: (readonly Sent[])[] = [];
const said = (message: Sent | undefined): string => (typeof message?.content === "string" ? message.content : JSON.stringify(message?.content ?? ""));
const users = (messages: readonly Sent[]): string[] => messages.filter(({ role }) => role === "user").map(said);
/** The user's messages in the first request of each turn. */
const turns = (): string[][] => requests.filter((messages) => messages.at(-1)?.role === "user").map(users);

let calls = 0;
/** Looks up the weather of the city that it knows of, and says it; remembers nothing by itself. */
function weather(messages: readonly Sent[]): FixtureResponse {
  const last = messages.at(-1);
  const asked = users(messages).at(-1) ?? "";
  if (last?.role === "tool") return { content: `The forecast: ${said(last)}` };
  if (/boom/.test(asked)) return { error: { message: "the model is down" }, status: 400 };
  if (/json/i.test(asked)) return { content: JSON.stringify({ city: "Brooklyn" }) };
  if (/favorite city is/.test(asked)) return { content: "I shall remember that." };
  if (/compare/i.test(asked)) return { content: "Both days are mild in Brooklyn." };
  if (/delete/i.test(asked)) return { toolCalls: [{ id: `call_${++calls}`, name: "remove", arguments: '{"id":"7"}' }] };
  if (!/weather|tomorrow/i.test(asked)) return { content: `Echo: ${asked}` };
  const city = users(messages).some((text) => text.includes("Brooklyn")) ? "Brooklyn" : "unknown";
  return { toolCalls: [{ id: `call_${++calls}`, name: "get_weather", arguments: JSON.stringify({ city }) }] };
}
let answer = weather;
beforeEach(() => {
  requests = [];
  answer = weather;
  mock.clearFixtures();
  mock.addFixture({
    match: {},
    response: ({ messages }) => {
      requests.push(messages);
      return answer(messages);
    },
  });
});

const removed: string[] = [];
const get_weather = createTool({ id: "get_weather", description: "Weather.", inputSchema: z.object({ city: z.string() }), execute: ({ city }) => Promise.resolve({ forecast: `sunny in ${city}` }) });
const remove = createTool({ id: "remove", description: "Deletes.", inputSchema: z.object({ id: z.string() }), requireApproval: true, execute: ({ id }) => { removed.push(id); return Promise.resolve({ removed: id }); } });

const store = (): LibSQLStore => new LibSQLStore({ id: "store", url: ":memory:" });
const model = (): MastraModelConfig => createOpenAI({ baseURL: `${mock.url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini") as unknown as MastraModelConfig;
/** Makes the agent one of an application's, whose logger is silent. */
function ofApplication(one: Agent, storage?: LibSQLStore): Agent {
  return new Mastra({ agents: { one }, logger: false, ...(storage !== undefined && { storage }) }).getAgent("one");
}
const lone = (memory: boolean): Agent =>
  new Agent({ id: "weather", name: "Weather", instructions: "You tell the weather.", model: model(), maxRetries: 0, tools: { get_weather, remove }, ...(memory && { memory: new Memory({ storage: store() }) }) });
const agent = ({ memory = true }: { readonly memory?: boolean } = {}): Agent => {
  return ofApplication(lone(memory));
};

interface Row {
  readonly scorerId: string;
  readonly score: number;
  readonly entityType?: string;
  readonly entityId: string;
  readonly threadId?: string;
  readonly traceId?: string;
  readonly metadata?: { readonly turnIndex?: number; readonly kind?: string };
  readonly source: string;
}
async function rows(storage: LibSQLStore, scorerId: string): Promise<readonly Row[]> {
  const scores = await storage.getStore("scores");
  return ((await scores?.listScoresByScorerId({ scorerId, pagination: { page: 0, perPage: 50 } }))?.scores ?? []) as unknown as readonly Row[];
}

const codes = (result: EvalsResult): readonly string[] => result.warnings.map(({ code }) => code);

describe("a conversation", () => {
  test("mastra 40: with memory the calls of three turns add up, and the model sees one, two and three user messages", async () => {
    const result = await runEvals({
      data: [{ inputs: ["What is the weather in Brooklyn?", "What about tomorrow?", "Compare the two forecasts."] }],
      target: agent(),
      scorers: [checks.calledTool("get_weather", { times: 2 }), checks.includes("Brooklyn")],
    });
    expect(result.scores).toEqual({ "check-called-tool": 1, "check-includes": 1 });
    expect(turns().map(({ length }) => length)).toEqual([1, 2, 3]);
    expect(result.warnings.filter(({ code }) => code === "no_memory")).toEqual([]);
    expect(result.items[0]?.turns.map(({ input }) => input)).toEqual(["What is the weather in Brooklyn?", "What about tomorrow?", "Compare the two forecasts."]);
    expect(result.usage?.subject?.inputTokens).toBeGreaterThan(0);
  });

  test("mastra 41: without memory every turn stands alone, their output still adds up, and the warning comes once for three items", async () => {
    const inputs = ["What is the weather in Brooklyn?", "What about tomorrow?"];
    const result = await runEvals({ data: [{ inputs }, { inputs }, { turns: inputs.map((input) => ({ input })) }], target: agent({ memory: false }), scorers: [checks.calledTool("get_weather", { times: 2 })] });
    expect(result.scores).toEqual({ "check-called-tool": 1 });
    expect(turns().every(({ length }) => length === 1)).toBe(true);
    expect(JSON.stringify(requests)).toContain("unknown");
    expect(codes(result).filter((code) => code === "no_memory")).toHaveLength(1);
    expect(result.warnings.find(({ code }) => code === "no_memory")?.message).not.toMatch(/times/);
  });

  test("mastra 42: an agent that no Mastra instance knows is warned about all the same, for turns as for inputs", async () => {
    const result = await runEvals({ data: [{ turns: [{ input: "one", gates: [checks.includes("one")] }, { input: "two" }] }], target: lone(false) });
    expect(result.warnings).toContainEqual(expect.objectContaining({ code: "no_memory", message: expect.stringContaining('"weather" has no memory') as unknown }));
  });

  test("mastra 43: the input of a conversation is the first turn's in an agent's form, and run.turns holds every turn", async () => {
    const seen: unknown[] = [];
    const look = createScorer({ id: "look", description: "looks" }).generateScore(({ run }) => (seen.push(run), 1));
    await runEvals({ data: [{ inputs: ["first", "second"] }], target: agent(), scorers: [look] });
    const [run] = seen as { input: { inputMessages: { content: unknown }[] }; turns: { input: { inputMessages: unknown[] }; output: unknown[] }[] }[];
    expect(JSON.stringify(run?.input.inputMessages)).toContain("first");
    expect(JSON.stringify(run?.input.inputMessages)).not.toContain("second");
    expect(run?.turns).toHaveLength(2);
    expect(JSON.stringify(run?.turns[1]?.input.inputMessages.at(-1))).toContain("second");
    expect(JSON.stringify(run?.turns[1]?.output)).toContain("Echo: second");
    expect(JSON.stringify(run?.turns[1]?.output)).not.toContain("Echo: first");
  });

  test("mastra 44: a tool called in turn 1 alone is passed with inputs and failed at turn 2 with turns", async () => {
    const [one, two] = ["What is the weather in Brooklyn?", "Compare them."];
    const whole = await runEvals({ data: [{ inputs: [one, two] }], target: agent(), gates: [checks.calledTool("get_weather")] });
    expect(whole.verdict).toBe("passed");
    const result = await runEvals({ data: [{ turns: [one, two].map((input) => ({ input, gates: [checks.calledTool("get_weather")] })) }], target: agent() });
    expect(result.verdict).toBe("failed");
    expect(result.report.verdict).toBe("failed");
    expect(result.turnResults?.[0]?.gateResults).toEqual([{ id: "check-called-tool", passed: true, score: 1 }]);
    expect(result.turnResults?.[1]?.gateResults).toEqual([{ id: "check-called-tool", passed: false, score: 0 }]);
    expect(result.items[0]?.turns.map(({ outcome }) => outcome)).toEqual(["passed", "failed"]);
  });

  test("mastra 45: a favorite city is remembered with memory, and not without", async () => {
    const data = [{ turns: [{ input: "My favorite city is Brooklyn." }, { input: "What is the weather in my favorite city?", gates: [checks.includes("Brooklyn")] }] }];
    const remembering = await runEvals({ data, target: agent() });
    expect(remembering.verdict).toBe("passed");
    expect(remembering.turnResults).toEqual([{ index: 0 }, { index: 1, gateResults: [{ id: "check-includes", passed: true, score: 1 }] }]);
    expect((await runEvals({ data, target: agent({ memory: false }) })).verdict).toBe("failed");
  });

  test("mastra 46: turns are averaged by their place over the items that have turns", async () => {
    const gate = createScorer({ id: "g", description: "g" }).generateScore(({ run }) => (JSON.stringify(run.output).includes("bad") ? 0 : 1));
    const result = await runEvals({ data: [{ turns: [{ input: "good", gates: [gate] }, { input: "good", gates: [gate] }] }, { turns: [{ input: "bad", gates: [gate] }] }, { input: "bad" }], target: agent() });
    expect(result.turnResults).toEqual([
      { index: 0, gateResults: [{ id: "g", passed: false, score: 0.5 }] },
      { index: 1, gateResults: [{ id: "g", passed: true, score: 1 }] },
    ]);
  });

  test("mastra 47: thread and resource of a conversation are one new UUID", async () => {
    const result = await runEvals({ data: [{ inputs: ["a", "b"] }], target: agent(), scorers: [checks.includes("Echo")] });
    const [item] = result.items;
    expect(item?.threadId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(item?.resourceId).toBe(item?.threadId);
  });

  test("mastra 48: a pinned resource is kept and a thread of the whole call is replaced", async () => {
    const target = agent();
    const result = await runEvals({ data: [{ inputs: ["a", "b"] }], target, scorers: [checks.includes("Echo")], targetOptions: { memory: { resource: "user-42", thread: "my-thread" } } });
    expect(result.items[0]?.resourceId).toBe("user-42");
    expect(result.items[0]?.threadId).not.toBe("my-thread");
    const memory = await target.getMemory();
    expect(await memory?.getThreadById({ threadId: "my-thread" })).toBeNull();
    expect((await memory?.getThreadById({ threadId: result.items[0]?.threadId ?? "" }))?.resourceId).toBe("user-42");
  });

  test("mastra 49: single inputs with a pinned resource run, each in a thread of its own, beside conversations", async () => {
    const result = await runEvals({ data: [{ input: "one" }, { input: "two" }, { inputs: ["three", "four"] }], target: agent(), scorers: [checks.includes("Echo")], targetOptions: { memory: { resource: "user-42" } } });
    expect(result.items.map(({ outcome }) => outcome)).not.toContain("errored");
    expect(new Set(result.items.map(({ threadId }) => threadId)).size).toBe(3);
    expect(turns()).toEqual([["one"], ["two"], ["three"], ["three", "four"]]);
  });

  test("mastra 50: an input beside inputs is left aside", async () => {
    await runEvals({ data: [{ input: "IGNORED", inputs: ["a", "b"] }], target: agent(), scorers: [checks.includes("Echo")] });
    expect(turns()).toEqual([["a"], ["a", "b"]]);
  });

  test("mastra 51: the same item twice has two threads", async () => {
    const item = { inputs: ["a", "b"] };
    const result = await runEvals({ data: [item, item], target: agent(), scorers: [checks.includes("Echo")] });
    expect(turns()).toEqual([["a"], ["a", "b"], ["a"], ["a", "b"]]);
    expect(result.items[1]?.id).toBe(`${result.items[0]?.id}_2`);
  });

  test("mastra 52: nine conversations at once stay apart", async () => {
    const data = Array.from({ length: 9 }, (_, at) => ({ inputs: [`n${at} one`, `n${at} two`] }));
    const result = await runEvals({ data, target: agent(), scorers: [checks.includes("Echo")], concurrency: 9 });
    expect(result.scores).toEqual({ "check-includes": 1 });
    for (const seen of turns()) expect(new Set(seen.map((text) => text.split(" ")[0])).size).toBe(1);
    expect(turns()).toHaveLength(18);
  });

  test("mastra 53: structured output passes through every turn, and the callback has the last object", async () => {
    const told: { object?: unknown }[] = [];
    const result = await runEvals({
      data: [{ inputs: ["json please", "json again"] }],
      target: agent(),
      scorers: [checks.includes("Brooklyn")],
      targetOptions: { structuredOutput: { schema: z.object({ city: z.string() }) } },
      onItemComplete: ({ targetResult }) => void told.push(targetResult as { object?: unknown }),
    });
    expect(result.items[0]?.turns.map(({ output }) => JSON.parse(output) as unknown)).toEqual([{ city: "Brooklyn" }, { city: "Brooklyn" }]);
    expect(told[0]?.object).toEqual({ city: "Brooklyn" });
  });

  test("mastra 54: where turn 2 fails, turn 1 keeps its result, turn 3 is not reached, and the other item keeps its own", async () => {
    const gates = [checks.includes("Echo")];
    const data = [{ turns: [{ input: "one", gates }, { input: "boom", gates }, { input: "three", gates }] }, { input: "fine" }];
    const result = await runEvals({ data, target: agent(), gates: [checks.includes("Echo")] });
    expect(result.items.map(({ outcome }) => outcome)).toEqual(["errored", "passed"]);
    expect(result.items[0]?.turns.map(({ outcome }) => outcome)).toEqual(["passed", "errored", "not_reached"]);
    expect(result.items[0]?.turns[0]?.scores).toEqual([expect.objectContaining({ id: "check-includes:echo", turn: 0, score: 1, passed: true })]);
    // Nothing can be said of a whole that is not there.
    expect(result.items[0]?.scores).toEqual([]);
    expect(result.items[0]?.error).toMatchObject({ code: "target_failed", stage: "hook", message: expect.stringContaining("turn 2") as unknown });
    expect(result.verdict).toBe("failed");
    await expect(runEvals({ data, target: agent(), gates: [checks.includes("Echo")], onError: "throw" })).rejects.toMatchObject({ name: "EntailError", id: "RUN_EXPERIMENT_TARGET_FAILED_TO_GENERATE_RESULT" });
  });

  test("mastra 55: an aborted signal among the target's options is an error, not an empty answer that passes", async () => {
    const result = await runEvals({ data: [{ input: "hello" }], target: agent(), gates: [checks.excludes("secret")], targetOptions: { abortSignal: AbortSignal.abort() } });
    expect(result.items[0]?.outcome).toBe("errored");
    expect(result.verdict).toBe("failed");
  });

  test("mastra 56: a request context may be used for a conversation and then for a single item, and is not changed", async () => {
    const requestContext = new RequestContext();
    requestContext.set("tenant", "acme");
    const result = await runEvals({ data: [{ inputs: ["a", "b"], requestContext }, { input: "c", requestContext }], target: agent(), scorers: [checks.includes("Echo")] });
    expect(result.items.map(({ outcome }) => outcome)).not.toContain("errored");
    expect([...requestContext.entries()]).toEqual([["tenant", "acme"]]);
  });

  test("mastra 57: the documented memory example has its gate passed, and the plain similarity of a transcript is low", async () => {
    const result = await runEvals({
      data: [{ inputs: ["My favorite city is Brooklyn.", "What is the weather in my favorite city?"] }],
      target: agent(),
      gates: [checks.calledTool("get_weather")],
      scorers: [{ scorer: checks.similarity("Brooklyn weather forecast"), threshold: 0.5 }],
    });
    expect(result.gateResults).toEqual([{ id: "check-called-tool", passed: true, score: 1 }]);
    expect(result.verdict).toBe("scored");
    expect(result.thresholdResults).toEqual([{ id: "check-similarity", passed: false, averageScore: result.scores["check-similarity"] as unknown, threshold: 0.5 }]);
  });

  test("mastra 58: single and multi-turn items mix in one call", async () => {
    const result = await runEvals({
      data: [{ input: "What is the weather in Brooklyn?" }, { inputs: ["My favorite city is Brooklyn.", "What is the weather in my favorite city?"] }],
      target: agent(),
      scorers: [checks.includes("Brooklyn")],
    });
    expect(result.scores).toEqual({ "check-includes": 1 });
    expect(result.summary.totalItems).toBe(2);
  });
});

describe("a run that stops for approval", () => {
  const approving = (): Agent => {
    const storage = store();
    const one = new Agent({ id: "remover", name: "remover", instructions: "You delete.", model: model(), tools: { get_weather, remove }, memory: new Memory({ storage }) });
    return ofApplication(one, storage);
  };
  beforeEach(() => void removed.splice(0));

  test("mastra 59: without a policy the call is issued, does not end well, and the next turn is sent", async () => {
    const result = await runEvals({ data: [{ inputs: ["delete it", "hello"] }], target: approving(), scorers: [checks.calledTool("remove"), checks.noToolErrors()] });
    expect(result.scores).toEqual({ "check-called-tool": 1, "check-no-tool-errors": 0 });
    expect(removed).toEqual([]);
    expect(result.items[0]?.turns[1]?.outcome).not.toBe("not_reached");
  });

  test("it is approved: the call runs, once, and the turn holds the answer that follows", async () => {
    const result = await runEvals({ data: [{ turns: [{ input: "delete it", approvals: "approve", gates: [checks.calledTool("remove"), checks.toolSucceeded("remove"), checks.maxToolCalls(1), checks.includes("forecast")] }] }], target: approving() });
    expect(result.items[0]?.scores.concat(result.items[0].turns[0]?.scores ?? []).map(({ passed }) => passed)).toEqual([true, true, true, true]);
    expect(removed).toEqual(["7"]);
  });

  test("it is rejected: the call never runs", async () => {
    const result = await runEvals({ data: [{ turns: [{ input: "delete it", approvals: "reject", gates: [checks.calledTool("remove"), checks.includes("forecast")] }] }], target: approving() });
    expect(result.verdict).toBe("passed");
    expect(removed).toEqual([]);
    const failed = await runEvals({ data: [{ turns: [{ input: "delete it", approvals: "reject", gates: [checks.toolSucceeded("remove")] }] }], target: approving() });
    expect(failed.verdict).toBe("failed");
  });

  test("it is expected: a run that stops holds, one that does not fails", async () => {
    const stops = await runEvals({ data: [{ turns: [{ input: "delete it", approvals: "expect" }, { input: "hello", approvals: "expect" }] }], target: approving() });
    expect(stops.turnResults).toEqual([
      { index: 0, gateResults: [{ id: "check-stops-for-approval", passed: true, score: 1 }] },
      { index: 1, gateResults: [{ id: "check-stops-for-approval", passed: false, score: 0 }] },
    ]);
    expect(stops.verdict).toBe("failed");
    expect(removed).toEqual([]);
    const single = await runEvals({ data: [{ input: "delete it", approvals: "expect" }], target: approving() });
    expect(single.verdict).toBe("passed");
  });

  test("an agent behind its adapter's target goes on as well, approved and rejected", async () => {
    const approved = await converse(mastraTarget(approving()), [{ input: "delete it", approvals: "approve" }, "hello"]);
    expect(approved.evidence.toolCalls.map(({ toolName, completed, approval }) => ({ toolName, completed, approval }))).toEqual([{ toolName: "remove", completed: true, approval: "approved" }]);
    expect(approved.output).toContain("forecast");
    expect(removed).toEqual(["7"]);
    const result = await runEvals({ target: mastraTarget(approving()), data: [{ turns: [{ input: "delete it", approvals: "reject", gates: [checks.calledTool("remove"), checks.includes("forecast")] }, { input: "delete it", approvals: "expect" }] }] });
    expect(result.verdict).toBe("passed");
    expect(removed).toEqual(["7"]);
  });

  test("in a hook, converse approves too and its evidence holds the one call with its end", async () => {
    const { evidence, turns: spoken, output } = await converse(approving(), [{ input: "delete it", approvals: "approve" }, "hello"]);
    expect(evidence.toolCalls.map(({ toolName, completed, approval }) => ({ toolName, completed, approval }))).toEqual([{ toolName: "remove", completed: true, approval: "approved" }]);
    expect(spoken.map((turn) => turn.evidence.toolCalls.length)).toEqual([1, 0]);
    expect(output).toContain("Echo: hello");
  });
});

describe("scorers and stores", () => {
  const withStore = (): { readonly target: Agent; readonly storage: LibSQLStore } => {
    const storage = store();
    const target = new Agent({ id: "kept", name: "Kept", instructions: "You tell the weather.", model: model(), tools: { get_weather }, memory: new Memory({ storage }) });
    return { target: ofApplication(target, storage), storage };
  };

  test("mastra 79: a turn scorer that throws makes its turn errored; with onError throw its own error is thrown as it is", async () => {
    const broken = createScorer({ id: "broken", description: "breaks" }).generateScore(() => { throw new Error("no score today"); });
    const data = [{ turns: [{ input: "one", scorers: [broken] }, { input: "two", gates: [checks.includes("two")] }] }];
    const result = await runEvals({ data, target: agent() });
    expect(result.items[0]?.turns.map(({ outcome }) => outcome)).toEqual(["errored", "passed"]);
    expect(result.items[0]?.error).toMatchObject({ stage: "score" });
    expect(result.verdict).toBe("failed");
    await expect(runEvals({ data, target: agent(), onError: "throw" })).rejects.toMatchObject({ id: "MASTR_SCORER_FAILED_TO_RUN_WORKFLOW_FAILED", scorerId: "broken" });
  });

  test("mastra 80: an inline scorer that nobody registered is saved", async () => {
    const { target, storage } = withStore();
    const result = await runEvals({ data: [{ input: "hello" }], target, scorers: [checks.includes("Echo")] });
    expect(result.warnings).toEqual(expect.not.arrayContaining([expect.objectContaining({ code: "score_not_saved" })]));
    expect(await rows(storage, "check-includes:echo")).toEqual([expect.objectContaining({ score: 1, source: "TEST", entityId: "kept", entityType: "AGENT" })]);
  });

  test("mastra 81: gates and turns are saved too, with turn, thread and the kind of each", async () => {
    const { target, storage } = withStore();
    const result = await runEvals({
      data: [{ turns: [{ input: "one", gates: [checks.includes("one")] }, { input: "two", scorers: [{ scorer: checks.similarity("Echo: two"), threshold: 0.9 }] }] }],
      target,
      gates: [checks.includes("Echo")],
    });
    expect(result.verdict).toBe("passed");
    const threadId = result.items[0]?.threadId;
    expect(await rows(storage, "check-includes:echo")).toEqual([expect.objectContaining({ threadId, metadata: expect.objectContaining({ kind: "gate" }) as unknown })]);
    expect(await rows(storage, "check-includes:one")).toEqual([expect.objectContaining({ threadId, score: 1, metadata: expect.objectContaining({ turnIndex: 0, kind: "gate", passed: true }) as unknown })]);
    expect(await rows(storage, "check-similarity:echo: two")).toEqual([expect.objectContaining({ threadId, metadata: expect.objectContaining({ turnIndex: 1, kind: "scorer", threshold: 0.9 }) as unknown })]);
  });

  test("a store that refuses is a warning, and the run stands", async () => {
    const { target, storage } = withStore();
    const scores = await storage.getStore("scores");
    Object.assign(scores as object, { saveScore: () => Promise.reject(new Error("disk full")) });
    const result = await runEvals({ data: [{ input: "hello" }], target, gates: [checks.includes("Echo")] });
    expect(result.verdict).toBe("passed");
    expect(result.warnings).toContainEqual(expect.objectContaining({ code: "score_not_saved", message: expect.stringContaining("disk full") as unknown }));
  });

  test("mastra 82: grouped scorers of an agent come back in their groups and are saved as AGENT and TRAJECTORY", async () => {
    const { target, storage } = withStore();
    const accuracy = createTrajectoryAccuracyScorerCode({ expectedTrajectory: [{ name: "get_weather" }] });
    const result = await runEvals({ data: [{ input: "What is the weather in Brooklyn?" }], target, scorers: { agent: [checks.includes("Brooklyn")], trajectory: [accuracy] } });
    expect(result.scores).toEqual({ agent: { "check-includes": 1 }, trajectory: { [accuracy.id]: 1 } });
    expect((await rows(storage, "check-includes:brooklyn")).map(({ entityType }) => entityType)).toEqual(["AGENT"]);
    expect((await rows(storage, accuracy.id)).map(({ entityType }) => entityType)).toEqual(["TRAJECTORY"]);
  });

  test("Mastra's own scorer objects run unchanged, also as a gate of trajectories", async () => {
    const seen: unknown[] = [];
    const own = createMastraScorer({ id: "own", description: "counts messages", type: "agent" }).generateScore(({ run }) => (run.output.length > 0 ? 1 : 0));
    const steps = createMastraScorer({ id: "steps", description: "looks at steps", type: "trajectory" }).generateScore(({ run }) => (seen.push(run.output, run.expectedTrajectory), run.output.steps.length === 1 ? 1 : 0));
    const result = await runEvals({ data: [{ inputs: ["What is the weather in Brooklyn?", "thanks"], expectedTrajectory: { steps: [] } }], target: agent(), gates: [steps], scorers: [{ scorer: own, threshold: 1 }] });
    expect(result.verdict).toBe("passed");
    expect(seen).toEqual([expect.objectContaining({ steps: [expect.objectContaining({ name: "get_weather", stepType: "tool_call" })] }), { steps: [] }]);
  });

  test("mastra 95: turns first, then gates and scorers of the whole, then those of each turn, then the callback", async () => {
    const order: string[] = [];
    const note = (id: string): ScorerEntry => createScorer({ id, description: id }).generateScore(() => (order.push(id), 1));
    answer = (messages) => (order.push(`gen ${users(messages).at(-1) ?? ""}`), { content: "ok" });
    await runEvals({
      data: [{ turns: [{ input: "t0", gates: [note("tg0")], scorers: [note("ts0")] }, { input: "t1", gates: [note("tg1")] }] }],
      target: agent(),
      gates: [note("G")],
      scorers: [note("S")],
      onItemComplete: () => void order.push("callback"),
    });
    expect(order).toEqual(["gen t0", "gen t1", "G", "S", "tg0", "ts0", "tg1", "callback"]);
  });

  test("claims of an item and of a turn are judged on what was said there, and one that is not entailed fails the run", async () => {
    const judge = scriptedJudge(({ text }, { output }) => (output.includes(text) ? "entailed" : "not_addressed"));
    const claim = (text: string): { id: string; text: string } => ({ id: "says", text });
    const held = await runEvals({ data: [{ turns: [{ input: "one", claims: [claim("Echo: one")] }, { input: "two" }], claims: [claim("Echo: two")] }], target: agent(), judge });
    expect(held.verdict).toBe("passed");
    expect(held.items[0]?.turns[0]?.judgments).toEqual([expect.objectContaining({ claimId: "says", label: "entailed", passed: true })]);
    const failed = await runEvals({ data: [{ turns: [{ input: "one" }, { input: "two", claims: [claim("Echo: one")] }] }], target: agent(), judge });
    expect(failed.verdict).toBe("failed");
    expect(failed.items[0]?.turns.map(({ outcome }) => outcome)).toEqual(["scored", "failed"]);
  });
});

describe("a workflow", () => {
  const text = z.object({ text: z.string() });
  const shout = createStep({ id: "shout", inputSchema: text, outputSchema: text, execute: ({ inputData }) => Promise.resolve({ text: inputData.text.toUpperCase() }) });
  const mark = createStep({ id: "mark", inputSchema: text, outputSchema: text, execute: ({ inputData }) => (inputData.text === "BOOM" ? Promise.reject(new Error("the step broke")) : Promise.resolve({ text: `${inputData.text}!` })) });
  const made = (): ReturnType<typeof workflow> => workflow();
  const workflow = () => createWorkflow({ id: "loud", inputSchema: text, outputSchema: text }).then(shout).then(mark).commit();
  const judged = (id: string, hold: (run: { input?: unknown; output: any }) => boolean): ScorerEntry => createScorer({ id, description: id }).generateScore(({ run }) => (hold(run) ? 1 : 0));

  test("mastra 16: inputs and turns are refused for a workflow", async () => {
    for (const item of [{ inputs: [{ text: "a" }] }, { turns: [{ input: { text: "a" } }] }]) {
      await expect(runEvals({ data: [item], target: made(), scorers: [judged("s", () => true)] })).rejects.toMatchObject({ id: "INVALID_DATA_ITEM" });
    }
  });

  test("mastra 83: scorers of the result, of its steps and of their order all have scores, and all are saved", async () => {
    const storage = store();
    const target = made();
    const application = new Mastra({ workflows: { loud: target }, storage, logger: false });
    const order = createScorer({ id: "order", description: "order", type: "trajectory" }).generateScore(({ run }) => ((run as { output: { steps: { name: string }[] } }).output.steps.map(({ name }) => name).join() === "shout,mark" ? 1 : 0));
    const result = await runEvals({
      data: [{ input: { text: "hi" } }],
      target,
      scorers: {
        workflow: [judged("whole", ({ input, output }) => (input as { text: string }).text === "hi" && output.text === "HI!")],
        steps: { mark: [judged("step", ({ output }) => output.text === "HI!")], ghost: [judged("ghost", () => true)] },
        trajectory: [order],
      },
    });
    expect(result.scores).toEqual({ workflow: { whole: 1 }, steps: { mark: { step: 1 } }, trajectory: { order: 1 } });
    expect(result.summary.notScorable).toEqual({ ghost: 1 });
    expect((await rows(storage, "whole")).map(({ entityType, entityId }) => [entityType, entityId])).toEqual([["WORKFLOW", "loud"]]);
    expect((await rows(storage, "step")).map(({ entityType, entityId }) => [entityType, entityId])).toEqual([["STEP", "mark"]]);
    expect((await rows(storage, "order")).map(({ entityType }) => entityType)).toEqual(["TRAJECTORY"]);
    expect(application.getWorkflow("loud")).toBe(target);
  });

  test("mastra 84: a list of trajectory scorers alone is enough", async () => {
    const order = createScorer({ id: "order", description: "order", type: "trajectory" }).generateScore(({ run }) => (run as { output: { steps: unknown[] } }).output.steps.length / 2);
    expect((await runEvals({ data: [{ input: { text: "hi" } }], target: made(), scorers: { trajectory: [order] } })).scores).toEqual({ trajectory: { order: 1 } });
  });

  test("mastra 85: a tool check on a workflow's result is an error, and the run is failed", async () => {
    const result = await runEvals({ data: [{ input: { text: "hi" } }], target: made(), gates: [checks.usedNoTools()] });
    expect(result.items[0]).toMatchObject({ outcome: "errored", error: { stage: "score" } });
    expect(result.verdict).toBe("failed");
  });

  test("one that fails is errored with what its step threw, and its options start it", async () => {
    const result = await runEvals({ data: [{ input: { text: "boom" }, startOptions: { initialState: {} } }, { input: { text: "hi" } }], target: new Mastra({ workflows: { loud: made() }, logger: false }).getWorkflow("loud"), scorers: [judged("s", () => true)] });
    expect(result.items.map(({ outcome }) => outcome)).toEqual(["errored", "scored"]);
    expect(result.items[0]?.error).toMatchObject({ code: "target_failed", message: expect.stringContaining("the step broke") as unknown });
  });
});
