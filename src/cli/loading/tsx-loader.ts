// Owns loading by tsx, where the project has it. It is registered, never called by itself: `tsImport` would bring a second copy of `entail`.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findTsconfig } from "./compiler-options.ts";

/** Registers the project's own tsx for all that is imported from now on. False where the project has none. */
export async function registerTsx(root: string): Promise<boolean> {
  const addresses = ["tsx/esm/api", "tsx/cjs/api"].map((name) => resolveFrom(root, name));
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

function resolveFrom(root: string, name: string): string | undefined {
  try {
    return createRequire(join(root, "entail.js")).resolve(name);
  } catch {
    return undefined;
  }
}
