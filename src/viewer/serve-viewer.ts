// Owns the viewer on a port of this machine.

import { serve } from "@hono/node-server";
import type { Server } from "node:http";
import { EntailError } from "../core/error.ts";
import { createViewer, type Viewer, type ViewerOptions } from "./viewer.ts";

export interface ServeViewerOptions extends Omit<ViewerOptions, "hosts"> {
  /** The port; any free one when absent or 0. */
  readonly port?: number | undefined;
  /** The address to listen on; 127.0.0.1 when absent. Another one needs a `token`. */
  readonly host?: string | undefined;
}

export interface ServedViewer {
  /** Where to open it, with the token where it needs one. */
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Resolves once it listens. Rejects with `viewer_port_taken`, `viewer_not_built`, and `option_invalid` for a host beyond this machine without a token. */
export async function serveViewer({ port = 0, host = "127.0.0.1", ...options }: ServeViewerOptions): Promise<ServedViewer> {
  const local = ["127.0.0.1", "localhost", "::1"].includes(host);
  if (!local && options.token === undefined) throw new EntailError("option_invalid", `a viewer that listens on ${host} can be reached by others: give it a token`);
  const holder: { viewer?: Viewer } = {};
  const [server, bound] = await listen(host, port, (request) => holder.viewer?.fetch(request) ?? new Response(null, { status: 503 }));
  const named = local ? ["127.0.0.1", "localhost", "[::1]"] : ["127.0.0.1", "localhost", "[::1]", bracketed(host), ...(host === "0.0.0.0" || host === "::" ? addressesOf() : [])];
  try {
    holder.viewer = createViewer({ ...options, hosts: named.map((name) => `${name}:${bound}`) });
  } catch (thrown) {
    server.close();
    throw thrown;
  }
  const shown = host === "0.0.0.0" || host === "::" ? (addressesOf()[0] ?? "127.0.0.1") : bracketed(host);
  return {
    address: `http://${shown}:${bound}/${options.token === undefined ? "" : `?token=${encodeURIComponent(options.token)}`}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        holder.viewer?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host);

function addressesOf(): readonly string[] {
  const os = process.getBuiltinModule("node:os");
  return Object.values(os.networkInterfaces()).flatMap((each) => (each ?? []).flatMap(({ address, family, internal }) => (internal || family !== "IPv4" ? [] : address)));
}

function listen(host: string, port: number, fetch: (request: Request) => Response | Promise<Response>): Promise<readonly [Server, number]> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname: host, overrideGlobalObjects: false }, (info) => resolve([server, info.port])) as Server;
    server.on("error", (thrown: NodeJS.ErrnoException) => {
      reject(thrown.code === "EADDRINUSE" ? new EntailError("viewer_port_taken", `port ${port} of ${host} is taken: give another one with --port`, { cause: thrown }) : thrown);
    });
  });
}
