// Owns `toolsetFromMcp`: what an MCP server offers, as a toolset of a design.

import { untilAborted } from "../../core/abort.ts";
import { EntailError, isEntailError, messageOf } from "../../core/error.ts";
import { toolsetOf, type ToolsetFromOptions } from "../../design/toolset-from.ts";
import type { ToolDesign } from "../../design/tool.ts";
import type { ToolsetDesign } from "../../design/toolset.ts";
import { connect, type Connection, type ListedTool, withHint } from "./connect.ts";
import { type McpServer, readServer, type ReadServer } from "./server.ts";
import { stableSchema } from "./stable-schema.ts";

export interface McpToolsetOptions extends ToolsetFromOptions {
  /** How long a server may take to start, answer and list its tools: 30 seconds where absent. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 30_000;
/** How long the end of a session may take. A process that does not end is killed by then. */
const CLOSE_MS = 3_000;

/**
 * Reads the tools of an MCP server into a toolset: `const alarms = await toolsetFromMcp("alarms", { command: "node", args: ["server.js"] })`, or
 * `{ url }` for one that is reached by streamable HTTP. Its names are known only at run time; the file that `entail gen` writes has them typed, and
 * `entail gen --check` fails once the server offers something else. The server is left, and a process ended, before this settles.
 *
 * Rejects with `option_invalid`, `package_missing` without `@modelcontextprotocol/sdk`, or `toolset_unreachable`, which names the server. What a
 * server says of a tool that no design can hold is a fault of the design.
 */
export async function toolsetFromMcp<const Name extends string>(
  name: Name,
  server: McpServer,
  options: McpToolsetOptions = {},
): Promise<ToolsetDesign<Name, Record<string, ToolDesign<unknown, unknown, never>>>> {
  const { timeoutMs = TIMEOUT_MS, ...flags } = options;
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) throw new EntailError("option_invalid", `toolset ${JSON.stringify(name)}: timeoutMs must be a positive number, not ${String(timeoutMs)}`);
  const read = readServer(server, name);
  const tools = await listed(name, read, timeoutMs);
  const named = tools.map(({ name: each, description, inputSchema, outputSchema }) => [each, { description, inputSchema: stableSchema(inputSchema), outputSchema: stableSchema(outputSchema) }] as const);
  return toolsetOf(name, named, flags) as never;
}

async function listed(name: string, server: ReadServer, timeoutMs: number): Promise<readonly ListedTool[]> {
  const controller = new AbortController();
  const { signal } = controller;
  // A timer that keeps the process alive: what waits here must end in words.
  const timer = setTimeout(() => controller.abort(new EntailError("toolset_unreachable", `it did not answer within ${timeoutMs} ms`)), timeoutMs);
  const connecting = connect(server, signal, timeoutMs);
  let connection: Connection | undefined;
  try {
    connection = await untilAborted(connecting, signal, "the connection");
    return await untilAborted(connection.listTools(signal), signal, "the list of tools");
  } catch (thrown) {
    if (isEntailError(thrown) && thrown.code !== "toolset_unreachable") throw thrown;
    // A connection that was given up ends by itself, with what the server said until then.
    const said = connection === undefined ? ((await within(connecting.then(() => thrown, (own: unknown) => own), CLOSE_MS)) ?? thrown) : withHint(thrown, connection.hint());
    throw new EntailError("toolset_unreachable", `toolset ${JSON.stringify(name)}: the tools of the MCP server ${server.place} cannot be read: ${oneLine(messageOf(said))}`, { cause: thrown });
  } finally {
    clearTimeout(timer);
    await within(connecting.then((opened) => opened.close(), () => undefined), CLOSE_MS);
  }
}

/** `undefined` where `work` takes longer. */
async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}
