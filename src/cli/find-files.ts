// Owns the search for files: by path, by folder, by pattern. What exists is taken literally, also with [ ] ( ) in its name.

import { readdirSync, statSync } from "node:fs";
import * as systemPath from "node:path";
import { isPattern, patternBase, patternTest } from "./glob.ts";

/** `chat.eval.ts`, and the other kinds of script; `chat.eval.d.ts` is none. */
export const EVAL_FILE: RegExp = /\.eval\.[cm]?[jt]sx?$/;

export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder";
}

/** The little of a file system that the search needs. */
export interface Files {
  kind(path: string): Entry["kind"] | undefined;
  list(folder: string): readonly Entry[];
}

export const diskFiles: Files = {
  kind(path) {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? undefined : stat.isDirectory() ? "folder" : "file";
  },
  list(folder) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry): Entry[] => {
      // A link to a folder may lead back; a link to a file is the file.
      if (entry.isDirectory()) return [{ name: entry.name, kind: "folder" }];
      const file = entry.isFile() || (entry.isSymbolicLink() && diskFiles.kind(`${folder}${systemPath.sep}${entry.name}`) === "file");
      return file ? [{ name: entry.name, kind: "file" }] : [];
    });
  },
};

export interface Search {
  /** What relative targets are relative to. */
  readonly from: string;
  /** Which files count in a folder, and among those that a pattern matches. A path to one file needs no such name. */
  readonly named: RegExp;
  readonly files?: Files | undefined;
  readonly path?: Pick<typeof systemPath, "resolve" | "sep" | "join"> | undefined;
}

/** The files of each target, sorted, none twice; and the targets that led to none. */
export function findFiles(targets: readonly string[], search: Search): { readonly found: readonly string[]; readonly missing: readonly string[] } {
  const { files = diskFiles, path = systemPath, from, named } = search;
  const found = new Set<string>();
  const missing: string[] = [];
  for (const target of targets) {
    const before = found.size;
    const whole = path.resolve(from, target);
    const kind = files.kind(whole);
    let any = true;
    if (kind === "file") found.add(whole);
    else if (kind === "folder") any = collect(whole, (name) => named.test(name), found, files, path);
    else if (isPattern(target)) any = collectPattern(target, search, found, files, path);
    else any = false;
    if (!any && found.size === before) missing.push(target);
  }
  return { found: [...found].sort(), missing };
}

function collectPattern(target: string, { from, named }: Search, found: Set<string>, files: Files, path: NonNullable<Search["path"]>): boolean {
  // On Windows a backslash is a separator; elsewhere it may be part of a name.
  const slashed = path.sep === "\\" ? target.replaceAll("\\", "/") : target;
  const pattern = slashed.replace(/^(?:\.\/)+/, "");
  const base = path.resolve(from, patternBase(pattern) || (pattern.startsWith("/") ? "/" : "."));
  if (files.kind(base) !== "folder") return false;
  const prefix = patternBase(pattern);
  const test = patternTest(prefix === "" ? pattern.replace(/^\//, "") : pattern.slice(prefix.length + 1));
  return collect(base, (name, inside) => named.test(name) && test.test(inside), found, files, path);
}

/** Adds the files below `folder` that `keep` keeps; `inside` is the path from `folder`, with `/`. */
function collect(folder: string, keep: (name: string, inside: string) => boolean, found: Set<string>, files: Files, path: NonNullable<Search["path"]>, inside = ""): boolean {
  let any = false;
  for (const entry of files.list(folder)) {
    const whole = path.join(folder, entry.name);
    const below = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.kind === "folder") {
      if (!skipped(entry.name)) any = collect(whole, keep, found, files, path, below) || any;
    } else if (keep(entry.name, below)) {
      found.add(whole);
      any = true;
    }
  }
  return any;
}

function skipped(name: string): boolean {
  return name === "node_modules" || name === "dist" || name.startsWith(".");
}
