// Owns the reading of a project's TypeScript compiler options, as far as loading and importing files depends on them.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

export interface CompilerOptions {
  readonly jsx?: unknown;
  readonly jsxImportSource?: unknown;
  readonly jsxFactory?: unknown;
  readonly jsxFragmentFactory?: unknown;
  readonly allowImportingTsExtensions?: unknown;
  readonly rewriteRelativeImportExtensions?: unknown;
}

/** The `tsconfig.json` in `folder` or the nearest one above it. */
export function findTsconfig(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, "tsconfig.json");
    if (existsSync(file)) return file;
    if (at === dirname(at)) return undefined;
  }
}

/** The options of a `tsconfig.json` and of what it extends, nearest first; nothing where it cannot be read. */
export function readCompilerOptions(file: string, depth: number = 0): CompilerOptions {
  const config = depth > 20 ? undefined : readJsonWithComments(file);
  if (typeof config !== "object" || config === null) return {};
  const { extends: bases, compilerOptions } = config as { readonly extends?: unknown; readonly compilerOptions?: unknown };
  const inherited = (Array.isArray(bases) ? bases : [bases]).flatMap((base) => {
    const path = typeof base === "string" ? baseFile(base, file) : undefined;
    return path === undefined ? [] : [readCompilerOptions(path, depth + 1)];
  });
  return Object.assign({}, ...inherited, typeof compilerOptions === "object" ? compilerOptions : {}) as CompilerOptions;
}

function baseFile(base: string, from: string): string | undefined {
  if (/^\.|^\/|^[A-Za-z]:/.test(base)) {
    const path = resolve(dirname(from), base);
    return [path, `${path}.json`].find((each) => each.endsWith(".json") && existsSync(each));
  }
  for (const name of [base, `${base}/tsconfig.json`]) {
    try {
      return createRequire(from).resolve(name);
    } catch {
      // The next name, or none.
    }
  }
  return undefined;
}

function readJsonWithComments(file: string): unknown {
  try {
    const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
    const bare = text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (match) => (match.startsWith('"') ? match : ""));
    return JSON.parse(bare.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (match) => (match.startsWith('"') ? match : "")));
  } catch {
    return undefined;
  }
}
