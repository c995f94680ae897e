// Owns the verb `view`: the page of the store, served until the command is interrupted.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { EntailError } from "../../core/error.ts";
import { openStore } from "../../store/open-store.ts";
import type { FlagValues } from "../command-line.ts";
import type { Desk } from "../desk.ts";
import { listenForInterrupt } from "../process/interrupt.ts";
import { makeOwnFolder, storePlace } from "../store-place.ts";
import { projectOf } from "./compare.ts";

const LOCAL: readonly (string | undefined)[] = [undefined, "127.0.0.1", "localhost", "::1"];

/** Returns 0 once it was interrupted. Throws `usage_invalid`, `viewer_port_taken`, `viewer_not_built`, and what the store cannot be opened for. */
export async function view(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  if (operands.length > 0) throw new EntailError("usage_invalid", `view takes no ${JSON.stringify(operands[0])}: it shows every run of the store`);
  const project = await projectOf(flags, desk);
  const place = storePlace(flags, project);
  if (place === undefined) throw new EntailError("usage_invalid", "the configuration keeps no runs, so there is nothing to view: name a store with --store");
  makeOwnFolder(place);
  const host = flags["host"] as string | undefined;
  const token = LOCAL.includes(host) ? undefined : randomBytes(24).toString("base64url");
  const [store, { serveViewer }] = await Promise.all([openStore(place.url), import("../../viewer/serve-viewer.ts")]);
  const interrupt = listenForInterrupt({ first: () => {}, second: desk.guard.end });
  try {
    const served = await serveViewer({ store, host, port: flags["port"] as number | undefined, token });
    try {
      desk.view.rest();
      await desk.output.write(`${served.address}\n`);
      if (flags["open"] !== false && desk.env["CI"] === undefined) openBrowser(served.address);
      await new Promise<void>((resolve) => interrupt.signal.addEventListener("abort", () => resolve(), { once: true }));
    } finally {
      await served.close();
    }
  } finally {
    interrupt.close();
    await store.close();
  }
  return 0;
}

/** As the system opens a link. Where it cannot, the address that was printed is enough. */
function openBrowser(address: string): void {
  const [command, ...args] = process.platform === "darwin" ? ["open", address] : process.platform === "win32" ? ["cmd", "/c", "start", "", address.replaceAll("&", "^&")] : ["xdg-open", address];
  if (command === undefined) return;
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
