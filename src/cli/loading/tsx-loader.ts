// Owns loading by tsx, where the project has it. It is registered, never called by itself: `tsImport` would bring a second copy of `entail`.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { findTsconfig } from "./compiler-options.ts";

/** Registers the project's own tsx for all that is imported from now on. False where the project has none. */
export async function registerTsx(root: string): Promise<boolean> {
  const addresses = ["./esm/api", "./cjs/api"].map((door) => resolveFrom(root, door));
  if (addresses.includes(undefined)) return false;
  // It would look for a tsconfig.json in the working folder, which need not be the project's.
  const before = process.env["TSX_TSCONFIG_PATH"];
  const tsconfig = before ?? findTsconfig(root);
  if (tsconfig !== undefined) process.env["TSX_TSCONFIG_PATH"] = tsconfig;
  for (const address of addresses) {
    const api = (await import(pathToFileURL(address ?? "").href)) as { readonly register: () => unknown };
    api.register();
  }
  if (before === undefined) delete process.env["TSX_TSCONFIG_PATH"];
  return true;
}

/** As an import would: `require` resolves to files for another module system. */
function resolveFrom(root: string, door: string): string | undefined {
  try {
    const manifest = createRequire(join(root, "entail.js")).resolve("tsx/package.json");
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly exports: Readonly<Record<string, unknown>> };
    const target = targetFor(exports[door]);
    return target === undefined ? undefined : join(dirname(manifest), target);
  } catch {
    return undefined;
  }
}

function targetFor(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  const chosen = Object.entries(entry).find(([condition]) => ["import", "node", "default"].includes(condition));
  return targetFor(chosen?.[1]);
}
