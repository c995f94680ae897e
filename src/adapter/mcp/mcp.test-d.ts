import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { fromMcpResult, mcpResults, toolsetFromMcp } from "entail/adapter/mcp";
import { events } from "entail/adapter/ai-sdk";
import type { EventStream, ToolEndEvent } from "entail/evidence";
import { agent, type ToolsetDesign } from "entail/design";
import { describe, expectTypeOf, test } from "vitest";
import type { TypedTool } from "../../core/tool.ts";
import type { ListedTool, SdkClient } from "./connect.ts";

describe("the parts of the SDK that are used are the real ones", () => {
  test("its client, its transports and its tools", () => {
    expectTypeOf<Client["close"]>().toExtend<SdkClient["close"]>();
    expectTypeOf<Client["listTools"]>().toExtend<SdkClient["listTools"]>();
    expectTypeOf<Client["connect"]>().toExtend<SdkClient["connect"]>();
    expectTypeOf<Tool>().toExtend<ListedTool>();
    expectTypeOf<StdioClientTransport>().toExtend<{ start(): Promise<void>; readonly pid: number | null; readonly stderr: unknown }>();
    expectTypeOf<StreamableHTTPClientTransport>().toExtend<{ terminateSession(): Promise<void> }>();
    expectTypeOf<ConstructorParameters<typeof StdioClientTransport>[0]>().toExtend<{ command: string; args?: string[]; env?: Record<string, string>; cwd?: string }>();
  });
});

describe("a toolset that was read", () => {
  test("has its name, and tools of whatever name", () => {
    const alarms = null as unknown as Awaited<ReturnType<typeof toolsetFromMcp<"alarms">>>;
    expectTypeOf(alarms).toExtend<ToolsetDesign<"alarms">>();
    expectTypeOf(alarms.name).toEqualTypeOf<"alarms">();
    expectTypeOf(alarms.tools["list_alarms"]).toEqualTypeOf<TypedTool<unknown, unknown> | undefined>();
    expectTypeOf(agent).toBeCallableWith("chat", { toolsets: [alarms] });
  });
  test("comes from a command or from an address", () => {
    expectTypeOf(toolsetFromMcp).toBeCallableWith("alarms", { command: "node", args: ["server.js"], env: { A: "1" }, cwd: "/" });
    expectTypeOf(toolsetFromMcp).toBeCallableWith("alarms", { url: new URL("http://127.0.0.1"), headers: {} }, { only: ["a"], bounded: ["a"], confirm: ["a"], timeoutMs: 5 });
    // @ts-expect-error neither
    void (() => toolsetFromMcp("alarms", {}));
    // @ts-expect-error a misspelt option
    void (() => toolsetFromMcp("alarms", { url: "http://x" }, { onyl: ["a"] }));
  });
});

test("a result is the end of a call", () => {
  const result = null as unknown as CallToolResult;
  const end: ToolEndEvent = { type: "tool_end", toolCallId: "c1", toolName: "list", ...fromMcpResult(result) };
  expectTypeOf(end).toExtend<ToolEndEvent>();
  expectTypeOf(mcpResults(events(null as never))).toExtend<EventStream>();
  expectTypeOf(fromMcpResult).toBeCallableWith(result, { failureKind: () => "domain_rejection", bounds: () => ({ returned: 1, truncated: false }) });
  // @ts-expect-error no kind of failure
  fromMcpResult(result, { failureKind: () => "weird" });
});
