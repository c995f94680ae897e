// Owns where an MCP server is: a command that is started, or an address.

import { EntailError } from "../../core/error.ts";
import { member, namesOf, recordOf } from "../../core/member.ts";
import { didYouMean } from "../../core/nearest.ts";

/** Started for as long as its tools are read, and ended then. */
export interface StdioServer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Beside the few variables that are safe to hand on (`PATH`, `HOME` and the like): give what the server needs. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The working folder of the process where it is absent. */
  readonly cwd?: string | undefined;
}

/** Reached by streamable HTTP. */
export interface HttpServer {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type McpServer = StdioServer | HttpServer;

/** A server read at the door. */
export type ReadServer =
  | { readonly kind: "stdio"; readonly place: string; readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd: string | undefined }
  | { readonly kind: "http"; readonly place: string; readonly url: URL; readonly headers: Readonly<Record<string, string>> };

const MEMBERS = { stdio: ["command", "args", "env", "cwd"], http: ["url", "headers"] } as const;

/** Throws `option_invalid`. */
export function readServer(server: unknown, toolset: string): ReadServer {
  const wrong = (what: string): EntailError => new EntailError("option_invalid", `toolset ${JSON.stringify(toolset)}: ${what}`);
  if (recordOf(server) === undefined) throw wrong("toolsetFromMcp() needs a server: { command, args } or { url }");
  const [command, url] = [member(server, "command"), member(server, "url")];
  if ((command === undefined) === (url === undefined)) throw wrong("a server has a command that starts it, or a url where it runs; give one of them");
  const kind = command === undefined ? "http" : "stdio";
  const known: readonly string[] = MEMBERS[kind];
  for (const name of namesOf(server)) if (!known.includes(name)) throw wrong(`a server has no member ${JSON.stringify(name)}${didYouMean(name, known)}`);
  const texts = (name: "env" | "headers"): Readonly<Record<string, string>> => {
    const given = member(server, name) ?? {};
    if (recordOf(given) === undefined) throw wrong(`"${name}" must be an object of texts`);
    for (const each of namesOf(given)) if (typeof member(given, each) !== "string") throw wrong(`"${name}": ${JSON.stringify(each)} must be a text`);
    return given as Readonly<Record<string, string>>;
  };
  if (kind === "http") {
    const address = urlOf(url);
    if (address === undefined) throw wrong(`"url" must be an http or https address, not ${JSON.stringify(url)}`);
    return { kind, place: `at ${address.origin}${address.pathname}`, url: address, headers: texts("headers") };
  }
  if (typeof command !== "string" || command === "") throw wrong('"command" must be a text with something in it');
  const args: unknown = member(server, "args") ?? [];
  if (!Array.isArray(args) || !args.every((each) => typeof each === "string")) throw wrong('"args" must be a list of texts');
  const cwd = member(server, "cwd");
  if (cwd !== undefined && typeof cwd !== "string") throw wrong('"cwd" must be a text');
  // What follows the first may be a secret.
  return { kind, place: JSON.stringify([command, ...args.slice(0, 1)].join(" ")), command, args, env: texts("env"), cwd };
}

function urlOf(url: unknown): URL | undefined {
  try {
    const address = new URL(String(url));
    return address.protocol === "http:" || address.protocol === "https:" ? address : undefined;
  } catch {
    return undefined;
  }
}
