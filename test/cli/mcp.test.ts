// Proves with the real command that the tools of an MCP server become typed descriptors, and that a server that changed, or is not there, is noticed.
import { join } from "node:path";
import { expect, test } from "vitest";
import { alarmServer, DELETE_ALARM, LIST_ALARMS, listingServer, type Listed } from "../mcp/alarm-server.ts";
import { httpMcp } from "../mcp/http.ts";
import { root } from "../source.ts";
import { compileProject } from "../strict-compile.ts";
import { createProject, type Project } from "./project.ts";

const STDIO = join(root, "test/mcp/stdio.ts");

const design = (server: string, options = ""): string => `import { toolsetFromMcp } from "entail/adapter/mcp";
import { agent, design, suite } from "entail/design";
import { z } from "zod";
export const alarms = await toolsetFromMcp("alarms", ${server}${options});
const chats = suite("chat", { description: "Chats.", timeout: "1m", scenarios: { greeting: { description: "Greets.", input: z.object({ name: z.string() }) } } });
export const chat = agent("chat", { description: "Answers.", toolsets: [alarms], suites: [chats] });
export default design({ agents: [chat] });
`;
const LOCAL = `{ command: process.execPath, args: [${JSON.stringify(STDIO)}, "list", import.meta.dirname + "/catalogue.json"] }`;

const EVAL = `import { evaluation } from "entail";
import { expectCall, expectation } from "entail/evidence";
import { newSuite } from "../gen/evals/chat/suite.ts";
import { toolContract } from "../gen/evals/chat/contract.ts";
import { deleteAlarmTool, listAlarmsTool } from "../gen/toolsets/alarms.ts";
const expected = expectation({
  tools: [expectCall(listAlarmsTool, { args: (args) => args.window === "24h" || "asked for the wrong window", result: (result) => result.alarms.every((alarm) => alarm.id !== "") || "an alarm has no id" })],
  forbidTools: [deleteAlarmTool],
});
const tools = [
  { toolCallId: "c1", toolName: toolContract("list_alarms").name, args: { window: "24h" }, argsJson: "{}", completed: true, result: { alarms: [{ id: "a1" }] } },
];
const observes = { args: true, results: true, failureKinds: true, parents: true, approvals: true, bounds: true, deltas: true };
export default evaluation({ suite: newSuite({ greeting: () => ({ checks: expected.checks({ runId: "r", sessionId: "", answer: "", toolCalls: tools, terminalPhase: "completed", ended: true, observes }) }) }, { greeting: { name: "Ada" } }) });
`;

function project(catalogue: readonly Listed[], text = design(LOCAL)): Project {
  return createProject({ "design/chat.ts": text, "design/catalogue.json": JSON.stringify(catalogue), "evals/chat.eval.ts": EVAL }, ["zod", "@modelcontextprotocol/sdk", "@types/node"]);
}
const server = (of: Project, catalogue: readonly Listed[]): void => of.write({ "design/catalogue.json": JSON.stringify(catalogue) });

test("gen writes typed descriptors of tools that nobody declared by hand, the project compiles, runs, and is up to date", async () => {
  const one = project([LIST_ALARMS, DELETE_ALARM]);
  const written = await one.entail(["gen"]);
  expect([written.code, written.stdout, written.stderr]).toEqual([0, "", "  wrote gen/evals/chat/contract.ts\n  wrote gen/evals/chat/suite.ts\n  wrote gen/toolsets/alarms.ts\n"]);
  expect(one.read("gen/toolsets/alarms.ts")).toContain("export const listAlarmsTool: TypedTool<ListAlarmsArgs, ListAlarmsResult, \"list_alarms\"> = {");
  one.write({ "tsconfig.json": JSON.stringify({ extends: join(root, "test/fixture/codegen/tsconfig.json"), compilerOptions: { noEmit: true, customConditions: ["entail-source"], isolatedDeclarations: false, declaration: false, skipLibCheck: true, types: ["node"] }, include: ["design/*.ts", "gen/**/*.ts", "evals/*.ts"] }) });
  expect(compileProject(join(one.path, "tsconfig.json"))).toEqual([]);
  const check = await one.entail(["gen", "--check"]);
  expect([check.code, check.stderr]).toEqual([0, "  3 generated files up to date\n"]);
  expect((await one.entail(["run"])).code).toBe(0);
});

test("gen --check fails when the server changed its contract, and names the tools; a run of the stale suite ends with 2", async () => {
  const one = project([LIST_ALARMS, DELETE_ALARM]);
  await one.entail(["gen"]);
  const { properties } = LIST_ALARMS.inputSchema as { properties: object };
  server(one, [{ ...LIST_ALARMS, inputSchema: { type: "object", properties: { ...properties, window: { type: "number" } }, required: ["window"] } }, { name: "mute_alarm", inputSchema: { type: "object" } }]);
  const stale = await one.entail(["gen", "--check"]);
  expect(stale.code).toBe(1);
  expect(stale.stderr).toContain('  gen/toolsets/alarms.ts does not come from the design: tool "list_alarms" changed, tool "mute_alarm" is new, tool "delete_alarm" is gone\n');
  expect(stale.stderr).toContain("3 of 3 generated files are stale: npx entail gen writes what the design says");
  const ran = await one.entail(["run"]);
  expect([ran.code, ran.stderr]).toEqual([2, "  error  gen/evals/chat/suite.ts does not come from the design beside it: npx entail gen writes it anew\n"]);
});

test("a server that is not there is an error with exit 2, for gen --check and for run: nothing is taken for unchanged", async () => {
  const one = project([LIST_ALARMS, DELETE_ALARM]);
  await one.entail(["gen"]);
  one.write({ "design/chat.ts": design(`{ command: process.execPath, args: [${JSON.stringify(STDIO)}, "crashing"] }`) });
  const before = one.read("gen/toolsets/alarms.ts");
  for (const args of [["gen", "--check"], ["run"]]) {
    const { code, stdout, stderr } = await one.entail(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/error {2}design\/chat\.ts could not be loaded: toolset "alarms": the tools of the MCP server ".*stdio\.ts" cannot be read: MCP error -32000: Connection closed \(Error: ALARM_TOKEN is not set\)/);
    // The place in the design, and no stack.
    expect(stderr.split("\n").slice(1)).toEqual([expect.stringMatching(/^ +at {2}design\/chat\.ts:4:\d+$/), ""]);
  }
  expect(one.read("gen/toolsets/alarms.ts")).toBe(before);
});

test("a schema that no design can hold is the design's fault, with its place and exit 2", async () => {
  const one = project([{ ...LIST_ALARMS, inputSchema: { type: "object", properties: { pair: { type: "array", items: [{ type: "string" }] } } } }]);
  const { code, stderr } = await one.entail(["gen"]);
  expect(code).toBe(2);
  expect(stderr).toContain('toolset "alarms", tool "list_alarms", args, pair[]: "items" must be one schema; a list of items is written as prefixItems');
});

test("over streamable HTTP: gen ends, a changed contract is named, a server that has gone is an error", async () => {
  let listed: readonly Listed[] = [LIST_ALARMS, DELETE_ALARM];
  await using http = await httpMcp(() => listingServer(() => listed));
  const one = project([], design(`{ url: ${JSON.stringify(http.url)} }`, `, { bounded: ["list_alarms"] }`));
  const written = await one.entail(["gen"]);
  expect([written.code, written.stderr.includes("handles left open"), http.open()]).toEqual([0, false, 0]);
  expect(one.read("gen/toolsets/alarms.ts")).toContain("bounded: true,");
  expect((await one.entail(["gen", "--check"])).code).toBe(0);
  listed = [LIST_ALARMS, { ...DELETE_ALARM, inputSchema: { type: "object", properties: { id: { type: "string", minLength: 3 } }, required: ["id"] } }];
  const stale = await one.entail(["gen", "--check"]);
  expect([stale.code, stale.stderr.includes('gen/toolsets/alarms.ts does not come from the design: tool "delete_alarm" changed\n')]).toEqual([1, true]);
  await http[Symbol.asyncDispose]();
  const gone = await one.entail(["gen", "--check"]);
  expect(gone.code).toBe(2);
  expect(gone.stderr).toContain(`toolset "alarms": the tools of the MCP server at ${http.url} cannot be read: fetch failed`);
});

test("a process that ignores its end does not keep gen from ending, nor outlives it", async () => {
  const one = project([LIST_ALARMS, DELETE_ALARM], design(LOCAL.replace('"list"', '"stubborn"').replace(" }", ", env: { MCP_LOG: import.meta.dirname + '/log' } }")));
  const written = await one.entail(["gen"]);
  expect([written.code, written.stderr.includes("handles left open")]).toEqual([0, false]);
  const [, pid = ""] = /^start (\d+)$/m.exec(one.read("design/log")) ?? [];
  expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
});

test("without the SDK one sentence says what to install", async () => {
  const one = project([LIST_ALARMS]);
  one.write({ "without.mjs": `import { registerHooks } from "node:module";
registerHooks({ resolve(name, context, next) {
  if (name.startsWith("@modelcontextprotocol/sdk")) throw Object.assign(new Error("Cannot find package '@modelcontextprotocol/sdk' imported from x"), { code: "ERR_MODULE_NOT_FOUND" });
  return next(name, context);
} });` });
  const { code, stderr } = await one.entail(["gen", "--loader", "node"], { nodeOptions: ["--import", join(one.path, "without.mjs")] });
  expect([code, stderr.split("\n")[0]]).toEqual([2, "  error  design/chat.ts could not be loaded: toolsetFromMcp() needs the package @modelcontextprotocol/sdk: npm install --save-dev @modelcontextprotocol/sdk brings it"]);
});

test("a design of a CommonJS project, read by another loader, takes the same road", async () => {
  await using http = await httpMcp(() => alarmServer());
  const one = createProject({ "package.json": '{ "type": "commonjs" }', "design/chat.mts": design(`{ url: ${JSON.stringify(http.url)} }`) }, ["zod", "@modelcontextprotocol/sdk"]);
  expect((await one.entail(["gen", "--loader", "jiti"])).code).toBe(0);
  expect(one.read("gen/toolsets/alarms.ts")).toContain('name: "count_alarms"');
});
