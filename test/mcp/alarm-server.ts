// Owns a real MCP server, built with the official SDK: what it offers is a list that a test gives, what its tools do is written here.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/** What a catalogue lists: whatever a server may say of a tool. */
export interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

export const LIST_ALARMS: Listed = {
  name: "list_alarms",
  description: "Lists the alarms of a window.",
  inputSchema: { type: "object", properties: { window: { type: "string", description: "How far back." }, cursor: { type: "string" } }, required: ["window"] },
  outputSchema: { type: "object", properties: { alarms: { type: "array", items: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } }, nextCursor: { type: "string" } }, required: ["alarms"] },
};
export const DELETE_ALARM: Listed = { name: "delete_alarm", description: "Deletes an alarm.", inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } };

/** Lists what `catalogue` gives at each request, so many a page. */
export function listingServer(catalogue: () => readonly Listed[], pageSize = 100, endless = false): Server {
  const server = new Server({ name: "alarms", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const all = catalogue();
    const from = Number(params?.cursor ?? 0);
    const to = endless ? 0 : from + pageSize;
    return { tools: all.slice(from, from + pageSize) as never, ...(to < all.length ? { nextCursor: String(to) } : {}) };
  });
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [] }));
  return server;
}

/** Tools that do something, declared with the SDK's own helper. */
export function alarmServer(): McpServer {
  const server = new McpServer({ name: "alarms", version: "1.0.0" });
  server.registerTool(
    "list_alarms",
    { description: "Lists.", inputSchema: { window: z.string(), cursor: z.string().optional() }, outputSchema: { alarms: z.array(z.object({ id: z.string() })), total: z.number(), nextCursor: z.string().optional() } },
    ({ cursor }) => {
      const structuredContent = cursor === undefined ? { alarms: [{ id: "a1" }, { id: "a2" }], total: 3, nextCursor: "p2" } : { alarms: [{ id: "a3" }], total: 3 };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  server.registerTool("delete_alarm", { description: "Deletes.", inputSchema: { id: z.string() } }, ({ id }) => ({ isError: true, content: [{ type: "text", text: `no alarm ${id}` }] }));
  server.registerTool("count_alarms", { description: "Counts." }, () => ({ content: [{ type: "text", text: '{"count": 9007199254740993}' }] }));
  server.registerTool("greet", { description: "Greets." }, () => ({ content: [{ type: "text", text: "Hello." }] }));
  server.registerTool("break", { description: "Breaks." }, () => {
    throw new Error("out of order");
  });
  return server;
}
