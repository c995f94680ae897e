// Lets a real agent call the tools of real MCP servers, over stdio and over streamable HTTP: what they answer is evidence.
import { join } from "node:path";
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock, type FixtureResponse } from "@copilotkit/aimock";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { dynamicTool, jsonSchema, ToolLoopAgent, type ToolSet } from "ai";
import { createRunner, type Result } from "entail";
import { target } from "entail/adapter/ai-sdk";
import { fromMcpResult, mcpResults } from "entail/adapter/mcp";
import { collect, createCollector, expectation, expectCall, expectFailure, type Evidence } from "entail/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { alarmServer } from "./alarm-server.ts";
import { httpMcp, type HttpMcp } from "./http.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
let http: HttpMcp;
const clients = new Map<string, Client>();
beforeAll(async () => {
  await mock.start();
  http = await httpMcp(() => alarmServer());
  const transports: Readonly<Record<string, Transport>> = {
    stdio: new StdioClientTransport({ command: process.execPath, args: [join(import.meta.dirname, "stdio.ts"), "alarms"] }),
    http: new StreamableHTTPClientTransport(new URL(http.url)),
  };
  for (const [name, transport] of Object.entries(transports)) {
    const client = new Client({ name: "agent", version: "1" });
    await client.connect(transport);
    clients.set(name, client);
  }
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await http[Symbol.asyncDispose]();
  await mock.stop();
});

function script(...answers: readonly FixtureResponse[]): void {
  mock.clearFixtures();
  mock.addFixture({ match: {}, response: ({ messages }) => answers[messages.filter(({ role }) => role === "assistant").length] ?? { error: { message: "the script is over" }, status: 400 } });
}

/** An agent of the AI SDK with all tools of a server, whose results it hands on as they are. */
async function agentOf(client: Client): Promise<ToolLoopAgent> {
  const { tools } = await client.listTools();
  const set: ToolSet = Object.fromEntries(tools.map(({ name, description, inputSchema }) => [name, dynamicTool({ description: description ?? "", inputSchema: jsonSchema(inputSchema as never), execute: (args) => client.callTool({ name, arguments: args as Record<string, unknown> }) })]));
  return new ToolLoopAgent({ model: createOpenAI({ baseURL: `${mock.url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini"), tools: set, onError: () => undefined });
}
const { signal } = new AbortController();
const calls = (...named: readonly (readonly [string, object])[]): FixtureResponse => ({ toolCalls: named.map(([name, args], at) => ({ id: `c${at}`, name, arguments: JSON.stringify(args) })) });

describe.each(["stdio", "http"])("over %s", (over) => {
  const client = (): Client => clients.get(over) as Client;

  test("an agent's MCP calls are evidence with their failures and bounds, which its framework does not see", async () => {
    script(calls(["list_alarms", { window: "24h" }], ["delete_alarm", { id: "a9" }], ["delete_alarm", { id: 7 }], ["break", {}], ["count_alarms", {}]), { content: "Three alarms." });
    const agent = target((await agentOf(client())) as never);
    const evidence = await collect(mcpResults(agent.send("Go.", { signal })));
    expect(evidence.observes.bounds).toBe(true);
    expect(evidence.toolCalls.map(({ toolName, result, failure, bounds }) => [toolName, failure === undefined ? result : `${failure.kind}: ${failure.error.message.split("\n")[0]}`, bounds])).toEqual([
      ["list_alarms", { alarms: [{ id: "a1" }, { id: "a2" }], total: 3, nextCursor: "p2" }, { returned: 2, total: 3, truncated: true, nextCursor: "p2" }],
      ["delete_alarm", "unknown: no alarm a9", undefined],
      ["delete_alarm", expect.stringMatching(/^invalid_call: MCP error -32602: Input validation error/), undefined],
      ["break", "unknown: out of order", undefined],
      ["count_alarms", { count: 9007199254740992 }, undefined],
    ]);
    expect(evidence.toolCalls[4]?.resultJson).toBe('{"count":9007199254740993}');
    const [trajectory] = expectation({ tools: [expectCall({ name: "list_alarms" }, { bounds: (bounds) => bounds?.truncated === false || "the list was cut" }), expectFailure({ name: "delete_alarm" }, "invalid_call")] }).checks(evidence);
    expect(trajectory?.diagnostic).toContain("the list was cut");
    // Without the reading a refused call would look like any other.
    script(calls(["delete_alarm", { id: "a9" }]), { content: "Deleted." });
    const unread = await collect(agent.send("Go.", { signal }));
    expect(unread.toolCalls[0]?.failure).toBeUndefined();
  });

  test("a hook that calls a server itself makes the end of a call of what came back", async () => {
    const collector = createCollector();
    const run = { runId: "r1" };
    const asked: readonly (readonly [string, Record<string, unknown>])[] = [["list_alarms", { window: "24h" }], ["delete_alarm", { id: "a9" }], ["no_such_tool", {}], ["greet", {}]];
    for (const [at, [toolName, args]] of asked.entries()) {
      const of = { ...run, toolCallId: `c${at}`, toolName };
      collector.consume({ type: "tool_start", ...of, args });
      collector.consume({ type: "tool_end", ...of, ...fromMcpResult(await client().callTool({ name: toolName, arguments: args }).catch((thrown: unknown) => thrown)) });
    }
    collector.consume({ type: "workflow", ...run, phase: "completed" });
    collector.consume({ type: "run_stream_end", ...run });
    const { toolCalls } = collector.finish();
    expect(toolCalls.map(({ result, failure, bounds }) => [failure?.kind ?? result, bounds?.nextCursor])).toEqual([[{ alarms: [{ id: "a1" }, { id: "a2" }], total: 3, nextCursor: "p2" }, "p2"], ["unknown", undefined], ["invalid_call", undefined], ["Hello.", undefined]]);
  });
});

test("what the agent's own source cannot see stays unseen: a negative expectation makes the scenario errored", async () => {
  script({ content: "Done." });
  const agent = target((await agentOf(clients.get("http") as Client)) as never);
  const run = async (blind: boolean): Promise<Result> => {
    const stream = agent.send("Go.", { signal });
    const observes = { ...agent.observes, args: false, results: false };
    const evidence: Evidence = await collect(mcpResults(blind ? { observes, [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator]() } : stream));
    return { checks: expectation({ forbidTools: ["delete_alarm"] }).checks(evidence) };
  };
  const scenario = (id: string, blind: boolean): object => ({ id, description: "Deletes nothing.", tags: [], timeoutMs: 5_000, run: () => run(blind) });
  const report = await createRunner({ maxConcurrency: 1 }).run({ id: "chat", description: "Chats.", scenarios: [scenario("blind", true), scenario("seeing", false)] as never });
  expect(report.scenarios.map(({ id, outcome, error }) => [id, outcome, error?.code])).toEqual([["blind", "errored", "not_observable"], ["seeing", "passed", undefined]]);
});
