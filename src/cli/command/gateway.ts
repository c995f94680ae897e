// Owns the verb `gateway`: the provider that a file exports, served to judges in other processes until the command is interrupted.

import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { EntailError, isEntailError, messageOf } from "../../core/error.ts";
import type { Provider } from "../../core/model.ts";
import { createGateway, type GatewayOptions } from "../../model/gateway.ts";
import type { FlagValues } from "../command-line.ts";
import { defaultOf } from "../config.ts";
import type { Desk } from "../desk.ts";
import { findFiles } from "../find-files.ts";
import type { Loader } from "../flag.ts";
import { displayPath } from "../path.ts";
import { inFile } from "../problem.ts";
import { listenForInterrupt } from "../process/interrupt.ts";
import { openProject } from "../project.ts";

type Served = Pick<GatewayOptions, "provider" | "middleware" | "maxBodyBytes">;

const TOKEN = "ENTAIL_GATEWAY_TOKEN";
const DEFAULT_PORT = 4180;
const SCRIPT = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** Returns the exit code: 0 once it was interrupted. */
export async function gateway(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  const { cwd, env, view } = desk;
  if (operands.length !== 1) throw new EntailError("usage_invalid", `gateway takes one file, which exports a provider by default; ${operands.length === 0 ? "none was" : `${operands.length} were`} given`);
  const project = await openProject({ cwd, env, configPath: flags["config"] as string | undefined, envFile: flags["envFile"] as string | undefined, loader: (flags["loader"] as Loader | undefined) ?? "auto" });
  if (project.config.secrets !== undefined) desk.keepSecret(project.config.secrets);
  const { found, missing } = findFiles(operands, { from: cwd, named: SCRIPT });
  const [file] = found;
  if (file === undefined || found.length > 1 || missing.length > 0) throw new EntailError("usage_invalid", `${JSON.stringify(operands[0])} leads to no single file that could export a provider`);
  const served = await loadProvider(file, displayPath(file, cwd), (path) => project.modules.load(path));

  const given = env[TOKEN];
  const token = given === undefined || given === "" ? randomBytes(24).toString("base64url") : given;
  const handler = createGateway({ ...served, authorize: token, mask: desk.mask });
  const [{ Hono }, { serve }] = await Promise.all([import("hono"), import("@hono/node-server")]);
  const app = new Hono();
  app.all("*", (context) => handler(context.req.raw));

  const interrupt = listenForInterrupt({ first: () => {}, second: desk.guard.end });
  const hostname = (flags["host"] as string | undefined) ?? "127.0.0.1";
  const port = (flags["port"] as number | undefined) ?? DEFAULT_PORT;
  const server = serve({ fetch: app.fetch, hostname, port });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("listening", resolve);
      server.once("error", (cause) => reject(new EntailError("usage_invalid", `the gateway cannot listen on ${hostname}:${port}: ${messageOf(cause)}`, { cause })));
    });
    const { port: open } = server.address() as AddressInfo;
    view.note(`the gateway serves ${displayPath(file, cwd)} at http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${open}`);
    // Said once, to whoever started it: with a token of their own they know it.
    if (token !== given) view.note(`its token is ${token}; set ${TOKEN} to choose one`);
    await new Promise<void>((resolve) => interrupt.signal.addEventListener("abort", () => resolve(), { once: true }));
  } finally {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
    interrupt.close();
  }
  return 0;
}

async function loadProvider(file: string, name: string, load: (file: string) => Promise<Readonly<Record<string, unknown>>>): Promise<Served> {
  let value: unknown;
  try {
    value = defaultOf(await load(file));
  } catch (cause) {
    if (isEntailError(cause) && cause.code === "usage_invalid") throw cause;
    throw inFile(new EntailError("config_invalid", `${name} could not be loaded: ${messageOf(cause)}`, { cause }), file);
  }
  if (isProvider(value)) return { provider: value };
  const { provider, middleware, maxBodyBytes } = (typeof value === "object" && value !== null ? value : {}) as Partial<Served>;
  if (isProvider(provider)) return { provider, middleware, maxBodyBytes };
  throw inFile(new EntailError("config_invalid", `${name} has no provider as its default export; it needs export default provider(…), or { provider, middleware }`), file);
}

function isProvider(value: unknown): value is Provider {
  return typeof (value as Partial<Provider> | null | undefined)?.complete === "function";
}
