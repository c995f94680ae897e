// Owns a real MCP server over streamable HTTP on loopback, with or without sessions.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

interface Connectable {
  connect(transport: never): Promise<void>;
}

export interface HttpMcp extends AsyncDisposable {
  readonly url: string;
  /** Method and headers of each request. */
  readonly requests: readonly { readonly method: string; readonly headers: IncomingMessage["headers"] }[];
  /** How many sessions are open. */
  open(): number;
}

/** One server a session; `status` answers every request with it instead. */
export async function httpMcp(create: () => Connectable, options: { readonly status?: number; readonly hang?: boolean } = {}): Promise<HttpMcp> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: { method: string; headers: IncomingMessage["headers"] }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      requests.push({ method: request.method ?? "", headers: request.headers });
      if (options.hang === true) return;
      if (options.status !== undefined) {
        response.writeHead(options.status, { "content-type": "text/plain" }).end("go away");
        return;
      }
      const known = sessions.get(String(request.headers["mcp-session-id"]));
      const transport =
        known ??
        new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (id) => void sessions.set(id, transport),
          onsessionclosed: (id) => void sessions.delete(id),
        });
      if (known === undefined) await create().connect(transport as never);
      await transport.handleRequest(request, response);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    open: () => sessions.size,
    [Symbol.asyncDispose]: async () => {
      for (const transport of sessions.values()) await transport.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
