// Owns reading our own source tree for the tests that hold its structure.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("..", import.meta.url));

/** Paths below `folder`, relative to the repository, with `/`. */
export function filesBelow(folder: string, keep: RegExp = /./): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && keep.test(entry.name))
    .map((entry) => posix.join(entry.parentPath.slice(root.length).replaceAll("\\", "/"), entry.name))
    .filter((path) => !path.includes("node_modules"))
    .sort();
}

export const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Our source files that are no tests. */
export const sourceFiles = (): string[] => filesBelow("src", /\.tsx?$/).filter((path) => !/\.(test|test-d)\.tsx?$/.test(path));

export interface Import {
  readonly from: string;
  /** A path relative to the repository for a relative import, else the package or `node:` name. */
  readonly to: string;
  readonly lazy: boolean;
}

const STATIC = /^\s*(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*["']([^"']+)["']/gm;
const LAZY = /\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** What a file imports. Templates that codegen prints are not imports: they stand inside string literals, indented or not, and start no line. */
export function importsOf(path: string): Import[] {
  const text = read(path);
  const resolve = (to: string): string => (to.startsWith(".") ? posix.normalize(posix.join(dirname(path), to)) : to);
  return [
    ...[...text.matchAll(STATIC)].map((match) => ({ from: path, to: resolve(match[1] ?? ""), lazy: false })),
    ...[...text.matchAll(LAZY)].map((match) => ({ from: path, to: resolve(match[1] ?? ""), lazy: true })),
  ];
}
