// Owns the row about size: what `npm i entail` brings into an empty project, and what the peer does.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Figure } from "../figure.ts";
import type { Peer } from "../peer.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function megabytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0), 0) / 1e6;
}

export async function* install(peer: Peer | undefined): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "entail-install-"));
  try {
    const npm = (...args: readonly string[]): string => execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const tarball = /"filename":\s*"([^"]+)"/.exec(npm("pack", "--json", "--pack-destination", folder, root))?.[1] ?? "";
    npm("install", "--no-audit", "--no-fund", "--prefer-offline", join(folder, tarball));
    const them = peer === undefined ? "" : `${peer.name}: ${megabytesBelow(join(peer.folder, "node_modules")).toFixed(0)} MB`;
    yield { name: "installed size", value: megabytesBelow(join(folder, "node_modules")), unit: "MB", note: them };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
