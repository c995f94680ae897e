// Owns the one import of the MCP SDK, which is there only where an application installed it, and the connection to a server through it.

import { EntailError, messageOf } from "../../core/error.ts";
import { listMember, member, textMember } from "../../core/member.ts";
import { endProcess } from "./child-process.ts";
import type { ReadServer } from "./server.ts";

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

export interface Connection {
  /** All pages. Rejects where a server's pages have no end. */
  listTools(signal: AbortSignal): Promise<readonly ListedTool[]>;
  /** What the server said on standard error last, or what was wrong with its messages. */
  hint(): string;
  /** Ends the session, and the process where one was started. Never rejects. */
  close(): Promise<void>;
}

const PACKAGE = "@modelcontextprotocol/sdk";
const MAX_PAGES = 1000;
/** Of standard error. */
const MAX_TAIL = 2000;

// The parts of the SDK that are used, by shape; a type test holds them against the real ones.

export interface SdkClient {
  connect(transport: never, options?: { readonly signal?: AbortSignal; readonly timeout?: number }): Promise<void>;
  listTools(params?: { cursor: string }, options?: { readonly signal?: AbortSignal; readonly timeout?: number }): Promise<{ tools: ListedTool[]; nextCursor?: string | undefined }>;
  close(): Promise<void>;
}

interface Sdk {
  readonly Client: new (info: { name: string; version: string }, options: object) => SdkClient;
  readonly StdioClientTransport: new (server: object) => { start(): Promise<void>; readonly pid: number | null; readonly stderr: unknown };
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => { terminateSession(): Promise<void> };
}

/** Throws `package_missing`. */
async function importSdk(kind: ReadServer["kind"]): Promise<Partial<Sdk>> {
  const from = async (path: string): Promise<object> => (await import(/* @vite-ignore */ `${PACKAGE}/client/${path}.js`)) as object;
  try {
    const parts = await Promise.all([from("index"), from(kind === "stdio" ? "stdio" : "streamableHttp")]);
    return Object.assign({}, ...parts) as Partial<Sdk>;
  } catch (thrown) {
    if (!/^ERR_(MODULE_NOT_FOUND|PACKAGE_PATH_NOT_EXPORTED)$/.test(textMember(thrown, "code") ?? "") || !messageOf(thrown).includes(PACKAGE)) throw thrown;
    throw new EntailError("package_missing", `toolsetFromMcp() needs the package ${PACKAGE}: npm install --save-dev ${PACKAGE} brings it`, { cause: thrown });
  }
}

/** It only reads what a server has to offer, so nothing is ever held against an output schema. */
const NO_VALIDATOR = { getValidator: () => (input: unknown) => ({ valid: true, data: input, errorMessage: undefined }) };

/** Rejects with whatever the SDK says where the server cannot be reached; what was started is then ended. */
export async function connect(server: ReadServer, signal: AbortSignal, timeoutMs: number): Promise<Connection> {
  const sdk = await importSdk(server.kind);
  if (sdk.Client === undefined) throw new EntailError("package_missing", `the installed ${PACKAGE} has no Client; toolsetFromMcp() needs version 1.20 or newer`);
  const client = new sdk.Client({ name: "entail", version: "1" }, { jsonSchemaValidator: NO_VALIDATOR });
  let [tail, fault] = ["", ""];
  Object.assign(client, {
    onerror(error: unknown) {
      fault = messageOf(error);
    },
  });
  const { transport, beforeClose, afterClose } = open(sdk, server, (text) => {
    tail = (tail + text).slice(-MAX_TAIL);
  });
  const connection: Connection = {
    async listTools(listing) {
      const tools: ListedTool[] = [];
      const seen = new Set<string>();
      for (let cursor: string | undefined, page = 0; page < MAX_PAGES; page++) {
        const answer = await client.listTools(cursor === undefined ? undefined : { cursor }, { signal: listing, timeout: timeoutMs });
        tools.push(...answer.tools);
        cursor = answer.nextCursor;
        if (cursor === undefined || cursor === "") return tools;
        if (seen.has(cursor)) throw new Error(`its list of tools has no end: the cursor ${JSON.stringify(cursor)} came twice`);
        seen.add(cursor);
      }
      throw new Error(`its list of tools has more than ${MAX_PAGES} pages`);
    },
    hint: () => tail.trim().split("\n").at(-1)?.trim() || fault,
    async close() {
      await beforeClose().catch(() => undefined);
      const closed = client.close().catch(() => undefined);
      // The SDK waits longer for a process than this does.
      await (afterClose === undefined ? closed : afterClose());
    },
  };
  try {
    await client.connect(transport as never, { signal, timeout: timeoutMs });
    return connection;
  } catch (thrown) {
    await connection.close();
    throw withHint(thrown, connection.hint());
  }
}

interface Opened {
  readonly transport: unknown;
  readonly beforeClose: () => Promise<void>;
  readonly afterClose: (() => Promise<void>) | undefined;
}

const nothing = (): Promise<void> => Promise.resolve();

function open(sdk: Partial<Sdk>, server: ReadServer, onText: (text: string) => void): Opened {
  if (server.kind === "http") {
    if (sdk.StreamableHTTPClientTransport === undefined) throw new EntailError("package_missing", `the installed ${PACKAGE} has no StreamableHTTPClientTransport; toolsetFromMcp() needs version 1.20 or newer`);
    const transport = new sdk.StreamableHTTPClientTransport(server.url, { requestInit: { headers: { ...server.headers } } });
    return { transport, beforeClose: () => transport.terminateSession(), afterClose: undefined };
  }
  if (sdk.StdioClientTransport === undefined) throw new EntailError("package_missing", `the installed ${PACKAGE} has no StdioClientTransport; toolsetFromMcp() needs version 1.20 or newer`);
  const { command, args, env, cwd } = server;
  const transport = new sdk.StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: "pipe", ...(cwd === undefined ? {} : { cwd }) });
  const { stderr } = transport;
  // Somebody must read it, or a server that says much would stand still.
  (stderr as { on?: (name: "data", listener: (piece: unknown) => void) => void } | null)?.on?.("data", (piece) => onText(String(piece)));
  // The SDK forgets the process as soon as it begins to close it.
  let pid: number | null = null;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    ({ pid } = transport);
  };
  return { transport, beforeClose: nothing, afterClose: () => (pid === null ? nothing() : endProcess(pid)) };
}

/** What the server itself said tells more than that its connection was closed. */
export function withHint(thrown: unknown, hint: string): Error {
  const issue = listMember(thrown, "issues")?.[0];
  const path = listMember(issue, "path")?.map((step) => (typeof step === "symbol" ? step.toString() : String(step))).join(".");
  const said = issue === undefined ? messageOf(thrown) : `${path === undefined || path === "" ? "its answer" : path}: ${String(member(issue, "message"))}`;
  return new Error(hint === "" || said.includes(hint) ? said : `${said} (${hint})`, { cause: thrown });
}
