// Owns where this copy of `entail` lies, whether it runs from its source or as it is published, whatever files it was put together in.

import { readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface OwnPackage {
  readonly root: string;
  readonly version: string;
  /** `entail`, `entail/judge` … */
  readonly doors: readonly string[];
}

interface Manifest {
  readonly name?: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Reads its manifest, the nearest one above this file. */
export function ownPackage(): OwnPackage {
  const root = ownRoot();
  const { version, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  return { root, version, doors: Object.keys(exports).filter((door) => !door.endsWith(".json")).map((door) => `entail${door.slice(1)}`) };
}

/** True for a file of Entail's own code. */
export function isOwnFile(file: string): boolean {
  const root = ownRoot();
  return ["src", "dist"].some((folder) => file.startsWith(join(root, folder) + sep));
}

let found: string | undefined;

function ownRoot(): string {
  if (found !== undefined) return found;
  let folder = dirname(fileURLToPath(import.meta.url));
  // Above `src/cli` or `dist/chunk` there is no other manifest.
  while (!["src", "dist"].includes(folder.slice(folder.lastIndexOf(sep) + 1)) && folder !== dirname(folder)) folder = dirname(folder);
  found = dirname(folder);
  return found;
}
