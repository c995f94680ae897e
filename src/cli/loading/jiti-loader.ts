// Owns loading by jiti: enums, aliases, JSX, missing extensions, CommonJS projects, all with this very copy of `entail`.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Jiti, JSXOptions } from "jiti";
import { ownPackage } from "../own-package.ts";
import { type CompilerOptions, findTsconfig, readCompilerOptions } from "./compiler-options.ts";

export interface JitiLoader {
  load(file: string): Promise<unknown>;
}

export function createJitiLoader(root: string): JitiLoader {
  const byTsconfig = new Map<string, Promise<Jiti>>();
  return {
    async load(file) {
      const tsconfig = findTsconfig(dirname(file)) ?? join(root, "tsconfig.json");
      let jiti = byTsconfig.get(tsconfig);
      if (jiti === undefined) byTsconfig.set(tsconfig, (jiti = openJiti(tsconfig, root)));
      return (await jiti).import(file);
    },
  };
}

async function openJiti(tsconfig: string, root: string): Promise<Jiti> {
  const { createJiti } = await import("jiti");
  const jsx = jsxOptions(readCompilerOptions(tsconfig));
  return createJiti(join(dirname(tsconfig), "entail.js"), {
    tsconfigPaths: existsSync(tsconfig) ? tsconfig : false,
    interopDefault: false,
    jsx,
    fsCache: cacheFolder(root, jsx),
    virtualModules: await ownDoors(),
  });
}

function jsxOptions({ jsx, jsxImportSource, jsxFactory, jsxFragmentFactory }: CompilerOptions): JSXOptions {
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  if (jsx === "react") {
    const [pragma, pragmaFrag] = [text(jsxFactory), text(jsxFragmentFactory)];
    return { runtime: "classic", ...(pragma === undefined ? {} : { pragma }), ...(pragmaFrag === undefined ? {} : { pragmaFrag }) };
  }
  return { runtime: "automatic", importSource: text(jsxImportSource) ?? "react" };
}

/** jiti's cache knows the text of a file but not the options it was read with, so each set of options has a folder. Where a project has no folder for caches there is none. */
function cacheFolder(root: string, options: unknown): string | false {
  const modules = join(root, "node_modules");
  return existsSync(modules) && join(modules, ".cache", "entail", createHash("sha256").update(JSON.stringify(options)).digest("hex").slice(0, 12));
}

/**
 * This copy's own doors by name, opened when they are asked for: what jiti loads must share marks and error classes with the command.
 * A door that Node began to open, and left when it refused the file, cannot be required; jiti waits for the promise of it.
 */
async function ownDoors(): Promise<Record<string, unknown>> {
  const require = createRequire(import.meta.url);
  const doors = new Set(ownPackage().doors);
  const opened = new Map<string, unknown>([["entail", await import("../../index.ts")]]);
  const open = (name: string): unknown => {
    if (opened.has(name)) return opened.get(name);
    try {
      opened.set(name, require(name));
      return opened.get(name);
    } catch {
      return import(name);
    }
  };
  return new Proxy<Record<string, unknown>>({}, {
    has: (_, name) => typeof name === "string" && doors.has(name),
    get: (_, name) => (typeof name === "string" && doors.has(name) ? open(name) : undefined),
  });
}
