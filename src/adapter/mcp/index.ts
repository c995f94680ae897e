// The door "entail/adapter/mcp": the tools of an MCP server as a toolset of a design, and its results as evidence.

export { fromMcpResult, type McpCallEnd, type McpResultOptions } from "./result.ts";
export { mcpResults, type McpResultsOptions } from "./results-in-stream.ts";
export type { HttpServer, McpServer, StdioServer } from "./server.ts";
export { toolsetFromMcp, type McpToolsetOptions } from "./toolset-from-mcp.ts";
