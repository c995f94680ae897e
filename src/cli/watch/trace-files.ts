// Owns what a watched run tells of itself: every module it loads and who imports it, every other file it reads or writes.

import { registerHooks, syncBuiltinESMExports } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isOwnFile } from "../own-package.ts";
import type { FileNews } from "./file-graph.ts";

const INSTALLED = `${sep}node_modules${sep}`;
/** Folders of tools, whose files nobody edits. */
const HIDDEN = [".git", ".entail"].map((name) => `${sep}${name}${sep}`);

/** Tells from now on. Files outside of the repository, installed ones and our own are left out. */
export function traceFiles(cwd: string, tell: (news: FileNews) => void): void {
  const told = new Set<string>();
  const once = (news: FileNews): void => {
    const key = JSON.stringify(news);
    if (told.has(key)) return;
    told.add(key);
    tell(news);
  };
  traceModules(once);
  traceReading(repositoryOf(cwd) + sep, once);
}

function traceModules(tell: (news: FileNews) => void): void {
  registerHooks({
    resolve(specifier, context, next) {
      const from = fileOf(context.parentURL);
      try {
        const found = next(specifier, context);
        tellImport(from, fileOf(found.url), tell);
        return found;
      } catch (thrown) {
        // It may be there with the next change.
        if (from !== undefined && /^\.{0,2}\//.test(specifier)) tellImport(from, resolve(dirname(from), specifier), tell);
        throw thrown;
      }
    },
  });
}

function tellImport(from: string | undefined, to: string | undefined, tell: (news: FileNews) => void): void {
  if (to === undefined || isForeign(to) || isOwnFile(to)) return;
  tell({ kind: "import", from: from === undefined || isOwnFile(from) ? undefined : from, to });
}

function fileOf(url: string | undefined): string | undefined {
  if (url?.startsWith("file:") !== true) return undefined;
  try {
    return fileURLToPath(url.replace(/[?#].*$/, ""));
  } catch {
    return undefined;
  }
}

function isForeign(file: string): boolean {
  return file.includes(INSTALLED) || HIDDEN.some((folder) => file.includes(folder));
}

/** The folder that holds `.git`, else `cwd`. */
function repositoryOf(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return cwd;
  }
}

type Call = (this: unknown, ...args: unknown[]) => unknown;

const READS = ["readFile", "readFileSync", "createReadStream"];
const WRITES = ["writeFile", "writeFileSync", "appendFile", "appendFileSync", "createWriteStream"];
const OPENS = ["open", "openSync"];
/** The second argument is what is written. */
const MOVES = ["rename", "renameSync", "copyFile", "copyFileSync"];

/** Node's own reading of modules goes another way. */
function traceReading(inside: string, tell: (news: FileNews) => void): void {
  const note = (kind: "read" | "wrote", path: unknown): void => {
    const file = pathOf(path);
    if (file !== undefined && file.startsWith(inside) && !isForeign(file) && !isOwnFile(file)) tell({ kind, file });
  };
  const wrap = (module: Record<string, unknown>, names: readonly string[], see: (args: readonly unknown[]) => void): void => {
    for (const name of names) {
      const call = module[name] as Call | undefined;
      if (typeof call !== "function") continue;
      const traced: Call = function (...args) {
        see(args);
        return call.apply(this, args);
      };
      // Some of them carry members of their own, such as `promisify.custom`.
      module[name] = Object.defineProperties(traced, Object.getOwnPropertyDescriptors(call));
    }
  };
  const fs = process.getBuiltinModule("node:fs");
  for (const module of [fs, fs.promises] as unknown as Record<string, unknown>[]) {
    wrap(module, READS, ([path]) => note("read", path));
    wrap(module, WRITES, ([path]) => note("wrote", path));
    wrap(module, OPENS, ([path, flags]) => note(/[wa+]/.test(typeof flags === "string" ? flags : "r") ? "wrote" : "read", path));
    wrap(module, MOVES, ([, path]) => note("wrote", path));
  }
  syncBuiltinESMExports();
}

function pathOf(path: unknown): string | undefined {
  if (typeof path === "string") return resolve(path);
  if (path instanceof URL) return fileOf(path.href);
  return path instanceof Uint8Array ? resolve(Buffer.from(path).toString("utf8")) : undefined;
}
