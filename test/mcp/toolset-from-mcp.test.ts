// Reads the tools of real MCP servers, over stdio and over streamable HTTP, into toolsets of a design.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MCPMock } from "@copilotkit/aimock";
import { toolsetFromMcp, type StdioServer } from "entail/adapter/mcp";
import { agent, checkDesign, design, suite, toolset, type ToolsetDesign } from "entail/design";
import { afterAll, describe, expect, test } from "vitest";
import { generate } from "../../src/codegen/generate.ts";
import { alarmServer, DELETE_ALARM, LIST_ALARMS, listingServer, type Listed } from "./alarm-server.ts";
import { httpMcp } from "./http.ts";

const folder = mkdtempSync(join(tmpdir(), "entail-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const log = join(folder, "log");
const stdio = (mode: string, tools: readonly Listed[] = [LIST_ALARMS, DELETE_ALARM], ...more: readonly string[]): StdioServer => {
  const file = join(folder, `catalogue-${++files}.json`);
  writeFileSync(file, JSON.stringify(tools));
  return { command: process.execPath, args: [join(import.meta.dirname, "stdio.ts"), mode, file, ...more], env: { MCP_LOG: log } };
};
/** The processes that started and have not ended. */
const left = (): readonly string[] => {
  const lines = readFileSync(log, "utf8").trim().split("\n").map((line) => line.split(" "));
  return lines.flatMap(([what, pid = ""]) => (what === "start" && !lines.some(([other, ended]) => other === "end" && ended === pid) ? [pid] : []));
};
const checkedOf = (set: ToolsetDesign): ReturnType<typeof checkDesign> =>
  checkDesign(design({ agents: [agent("chat", { description: "Answers.", toolsets: [set], suites: [suite("chat", { description: "Chats.", timeout: "1m", scenarios: { greeting: { description: "Greets." } } })] })] }));
const textOf = (set: ToolsetDesign): string => generate(checkedOf(set)).files.find(({ path }) => path.startsWith("gen/toolsets/"))?.text ?? "";
const rejection = async (promise: Promise<unknown>): Promise<{ code?: string; message: string }> => promise.then(() => ({ message: "it resolved" }), (thrown: Error) => thrown);

describe("over stdio", () => {
  test("the tools are those that the server lists, with both sides, and the process has ended", async () => {
    const alarms = await toolsetFromMcp("alarms", stdio("list"));
    expect(Object.keys(alarms.tools)).toEqual(["list_alarms", "delete_alarm"]);
    const { toolsets } = checkedOf(alarms);
    expect(toolsets[0]?.tools.map(({ name, description, args, result }) => [name, description, args?.schema["required"], result?.schema["required"]])).toEqual([["delete_alarm", "Deletes an alarm.", ["id"], undefined], ["list_alarms", "Lists the alarms of a window.", ["window"], ["alarms"]]]);
    expect(alarms.tools["list_alarms"]?.args.decode({ window: "24h" })).toEqual({ window: "24h" });
    expect(() => alarms.tools["list_alarms"]?.args.decode({})).toThrow("window is missing");
    expect(textOf(alarms)).toContain("export const listAlarmsTool: TypedTool<ListAlarmsArgs, ListAlarmsResult, \"list_alarms\"> = {");
    expect(left()).toEqual([]);
  });
  test("all pages are read", async () => {
    const many = Array.from({ length: 7 }, (_, at): Listed => ({ name: `tool_${at}`, inputSchema: { type: "object" } }));
    expect(Object.keys((await toolsetFromMcp("many", stdio("list", many, "2"))).tools)).toEqual(many.map(({ name }) => name));
    expect((await rejection(toolsetFromMcp("many", stdio("endless", many)))).message).toContain('its list of tools has no end: the cursor "0" came twice');
    expect(left()).toEqual([]);
  });
  test("a server that says much is read to its end", async () => {
    expect(Object.keys((await toolsetFromMcp("alarms", stdio("talkative"))).tools)).toHaveLength(2);
  });
  test("options choose and mark tools, by the names that the server gives", async () => {
    const alarms = await toolsetFromMcp("alarms", stdio("list"), { bounded: ["list_alarms"], confirm: ["delete_alarm"] });
    expect(checkedOf(alarms).toolsets[0]?.tools.map(({ bounded, confirm }) => [bounded, confirm])).toEqual([[false, true], [true, false]]);
    expect(await rejection(toolsetFromMcp("alarms", stdio("list"), { only: ["lst_alarms"] }))).toMatchObject({ code: "option_invalid", message: 'toolset "alarms": only names the tool "lst_alarms", which is not there; did you mean "list_alarms"?' });
  });
  test("the text that is generated does not depend on the order in which a server writes its tools and their members", async () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned).toReversed();
      return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, turned(inner)] as const).toReversed()) : value;
    };
    const definitions = { Alarm: { type: "object", properties: { id: { type: "string" }, at: { type: "string" } }, required: ["id", "at"] }, Zone: { type: "string" } };
    const named: Listed = { name: "read_alarm", inputSchema: { type: "object", properties: { alarm: { $ref: "#/definitions/Alarm" }, zone: { $ref: "#/definitions/Zone" } }, required: ["zone", "alarm"], definitions } };
    const tools = [LIST_ALARMS, DELETE_ALARM, named];
    const [one, other] = await Promise.all([toolsetFromMcp("alarms", stdio("list", tools)), toolsetFromMcp("alarms", stdio("list", turned(tools) as readonly Listed[]))]);
    expect(textOf(other)).toBe(textOf(one));
    expect(textOf(one)).toContain("export type Alarm = {");
  });
  test("odd names keep what a model calls, and a name that stands twice is a fault of the design", async () => {
    const odd = ["__proto__", "get-weather", "get_weather", "2nd", "a/b", "constructor"].map((name): Listed => ({ name, inputSchema: { type: "object" } }));
    expect(checkedOf(await toolsetFromMcp("odd", stdio("list", odd))).toolsets[0]?.tools.map(({ name }) => name)).toEqual(["2nd", "__proto__", "a/b", "constructor", "get-weather", "get_weather"]);
    const twice = await toolsetFromMcp("alarms", stdio("list", [DELETE_ALARM, DELETE_ALARM]));
    expect(() => checkedOf(twice)).toThrow('toolset "alarms": 2 of its tools have the name "delete_alarm"; rename one');
  });
  test("a schema that no design can hold is a fault with its place", async () => {
    const set = await toolsetFromMcp("alarms", stdio("list", [{ name: "list", inputSchema: { type: "object", properties: { far: { $ref: "https://example.com/far.json" } } }, outputSchema: { type: "object", properties: { n: { type: "thing" } } } }]));
    expect(() => checkedOf(set)).toThrow(/toolset "alarms", tool "list", args[\s\S]*toolset "alarms", tool "list", result, n: "type" must be one of/);
  });
});

describe("over streamable HTTP", () => {
  test("the tools are those that the server lists, headers are sent, and the session is over", async () => {
    await using server = await httpMcp(() => listingServer(() => [LIST_ALARMS, DELETE_ALARM], 1));
    const alarms = await toolsetFromMcp("alarms", { url: server.url, headers: { authorization: "Bearer t0ken" } });
    expect(Object.keys(alarms.tools)).toEqual(["list_alarms", "delete_alarm"]);
    expect(server.requests.every(({ headers }) => headers.authorization === "Bearer t0ken")).toBe(true);
    expect([server.requests.some(({ method }) => method === "DELETE"), server.open()]).toEqual([true, 0]);
  });
  test("stdio and HTTP give the same text", async () => {
    await using server = await httpMcp(() => alarmServer());
    const [local, remote] = await Promise.all([toolsetFromMcp("alarms", stdio("alarms")), toolsetFromMcp("alarms", { url: new URL(server.url) })]);
    expect(textOf(remote)).toBe(textOf(local));
    expect(textOf(remote)).toContain('name: "count_alarms"');
  });
  test("a server that keeps no sessions will do", async () => {
    const mock = new MCPMock({ port: 0 });
    mock.addTool({ name: "get_weather", description: "Tells the weather.", inputSchema: { type: "object", properties: { city: { type: "string" } } } });
    const url = await mock.start();
    try {
      expect(Object.keys((await toolsetFromMcp("weather", { url: typeof url === "string" ? url : (mock as unknown as { url: string }).url })).tools)).toEqual(["get_weather"]);
    } finally {
      await mock.stop();
    }
  });
});

describe("a server that cannot be read is a clear error, and nothing is left of it", () => {
  test.each([
    ["no such command", { command: "no-such-mcp-server" }, /MCP server "no-such-mcp-server" cannot be read: spawn no-such-mcp-server ENOENT/],
    ["one that ends at once", stdio("crashing"), /MCP server ".*stdio\.ts" cannot be read: .*Connection closed \(Error: ALARM_TOKEN is not set\)/],
    ["nobody listens", { url: "http://127.0.0.1:1/mcp?key=s3cret" }, /MCP server at http:\/\/127\.0\.0\.1:1\/mcp cannot be read: fetch failed/],
  ])("%s", async (_what, server, message) => {
    expect(await rejection(toolsetFromMcp("alarms", server))).toMatchObject({ code: "toolset_unreachable", message: expect.stringMatching(message) as string });
    expect(left()).toEqual([]);
  });
  test("one that never answers, within the time that it is given", async () => {
    // Long enough for a process to start on a busy machine and say what it waits for.
    const cases = [["silent", "waiting for a database"], ["chatting", "is not valid JSON"]] as const;
    await Promise.all(
      cases.map(async ([mode, said]) => {
        const { code, message } = await rejection(toolsetFromMcp("alarms", stdio(mode), { timeoutMs: 2_000 }));
        expect([code, message, message]).toEqual(["toolset_unreachable", expect.stringContaining("2000") as string, expect.stringContaining(said) as string]);
      }),
    );
    expect(left()).toEqual([]);
    await using server = await httpMcp(() => alarmServer(), { hang: true });
    expect((await rejection(toolsetFromMcp("alarms", { url: server.url }, { timeoutMs: 200 }))).message).toContain("200");
  });
  test("one that refuses, or is no MCP server", async () => {
    for (const status of [401, 404, 500]) {
      await using server = await httpMcp(() => alarmServer(), { status });
      expect(await rejection(toolsetFromMcp("alarms", { url: server.url }))).toMatchObject({ code: "toolset_unreachable" });
    }
    await using empty = await httpMcp(() => listingServer(() => [{ name: "x", inputSchema: { type: "string" } }]));
    expect((await rejection(toolsetFromMcp("alarms", { url: empty.url }))).message).toMatch(/cannot be read: tools\.0\.inputSchema\.type: /);
  });
  test("one that ignores its end is killed", async () => {
    const { command, args, env } = stdio("stubborn");
    expect(Object.keys((await toolsetFromMcp("alarms", { command, args, env })).tools)).toHaveLength(2);
    const stubborn = left().at(-1) ?? "";
    expect([stubborn, alive(Number(stubborn))]).toEqual([expect.stringMatching(/^\d+$/), false]);
  });
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each([
  [undefined, "needs a server"],
  [{}, "give one of them"],
  [{ command: "x", url: "http://x" }, "give one of them"],
  [{ command: "x", arguments: [] }, 'a server has no member "arguments"'],
  [{ url: "http://x", header: {} }, 'a server has no member "header"; did you mean "headers"?'],
  [{ url: "ftp://x" }, "must be an http or https address"],
  [{ url: "nowhere" }, "must be an http or https address"],
  [{ command: "" }, '"command" must be a text with something in it'],
  [{ command: "x", args: "y" }, '"args" must be a list of texts'],
  [{ command: "x", env: { A: 1 } }, '"env": "A" must be a text'],
  [{ url: "http://x", headers: [] }, '"headers" must be an object of texts'],
  [{ command: "x", cwd: 7 }, '"cwd" must be a text'],
])("a server that is said wrongly is refused: %j", async (server, message) => {
  expect(await rejection(toolsetFromMcp("alarms", server as never))).toMatchObject({ code: "option_invalid", message: expect.stringContaining(message) as string });
});

test.each([0, -1, Number.NaN, Infinity])("a time of %d ms is refused", async (timeoutMs) => {
  expect(await rejection(toolsetFromMcp("alarms", { command: "x" }, { timeoutMs }))).toMatchObject({ code: "option_invalid" });
});

test("a toolset that was read is a toolset like any other", async () => {
  const alarms = await toolsetFromMcp("alarms", stdio("list"));
  expect(textOf(toolset("alarms", alarms.declared))).toBe(textOf(alarms));
});
