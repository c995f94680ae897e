// Owns the built files of the page: where they lie, and reading them once.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { EntailError } from "../core/error.ts";

export interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Its name holds a digest of what is in it, so that it never changes. */
  readonly forever: boolean;
}

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml" };

/** `dist/viewer/app` of the package that this file belongs to, whether it runs from `src` or from `dist`. */
export function pageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!["src", "dist"].includes(folder.slice(folder.lastIndexOf(sep) + 1)) && folder !== dirname(folder)) folder = dirname(folder);
  return join(dirname(folder), "dist", "viewer", "app");
}

/** Every file by its path from the page's root, `/index.html` among them. Throws `viewer_not_built` where there is none. */
export function readPageFiles(folder: string = pageFolder()): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    // Said below, as for an empty folder.
  }
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined || !statSync(join(folder, name)).isFile()) continue;
    files.set(`/${name.replaceAll(sep, "/")}`, { body: new Uint8Array(readFileSync(join(folder, name))), type, forever: name.startsWith("asset") });
  }
  if (!files.has("/index.html")) throw new EntailError("viewer_not_built", `the page of the viewer is not in ${folder}: run npm run build`);
  return files;
}

/** The script and the stylesheet of the exported file, as they stand within an HTML document: the build refuses what would end its element. Throws `viewer_not_built`. */
export function readFilePage(folder: string): { readonly script: string; readonly style: string } {
  let script: string;
  let style: string;
  try {
    [script, style] = [readFileSync(join(folder, "file.js"), "utf8"), readFileSync(join(folder, "file.css"), "utf8")];
  } catch (thrown) {
    throw new EntailError("viewer_not_built", `the page of the viewer is not in ${folder}: run npm run build`, { cause: thrown });
  }
  return { script, style };
}
