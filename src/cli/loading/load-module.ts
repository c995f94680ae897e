// Owns the loading of the user's modules: Node itself first; where Node refuses, tsx if the project has it, else jiti.

import { pathToFileURL } from "node:url";
import { EntailError } from "../../core/error.ts";
import type { Loader } from "../flag.ts";
import type { JitiLoader } from "./jiti-loader.ts";
import { packageType } from "./package-type.ts";
import { isRefusal } from "./refusal.ts";

/** What a module exports, by name; `default` among them. */
export type Namespace = Readonly<Record<string, unknown>>;

export interface ModuleLoader {
  /** Loads a file by its whole path. Rejects with whatever the file or its loader throws. */
  load(file: string): Promise<Namespace>;
}

/** Enough frames to tell the parser's from the file's own. */
const FRAMES = 100;

export function createModuleLoader(options: { readonly loader: Loader; readonly root: string }): ModuleLoader {
  const { loader, root } = options;
  let jiti: JitiLoader | undefined;
  let tsx: Promise<boolean> | undefined;

  const byNode = (file: string): Promise<Namespace> => import(pathToFileURL(file).href) as Promise<Namespace>;
  const hasTsx = (): Promise<boolean> => (tsx ??= import("./tsx-loader.ts").then(({ registerTsx }) => registerTsx(root)));
  const byJiti = async (file: string): Promise<Namespace> => {
    jiti ??= (await import("./jiti-loader.ts")).createJitiLoader(root);
    return (await jiti.load(file)) as Namespace;
  };
  const byTsx = async (file: string): Promise<Namespace> => {
    if (!(await hasTsx())) throw new EntailError("usage_invalid", "--loader tsx: the project has no tsx; npm install --save-dev tsx brings it");
    return byNode(file);
  };
  const byOther = async (file: string): Promise<Namespace> => ((await hasTsx()) ? byNode(file) : byJiti(file));
  const again = async (file: string): Promise<Namespace> => {
    if (!(await hasTsx())) return byJiti(file);
    try {
      // Node 22 remembers that it refused an address; another one is read anew.
      return (await import(`${pathToFileURL(file).href}?entail`)) as Namespace;
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
    }
    // It remembers what the file imports, too.
    return byJiti(file);
  };

  const load = async (file: string): Promise<Namespace> => {
    if (loader === "node") return byNode(file);
    if (loader === "jiti") return byJiti(file);
    if (loader === "tsx") return byTsx(file);
    if (refusedUnseen(file)) return byOther(file);
    const frames = Error.stackTraceLimit;
    Error.stackTraceLimit = Math.max(frames, FRAMES);
    try {
      return await byNode(file);
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      return await again(file);
    } finally {
      Error.stackTraceLimit = frames;
    }
  };
  return { load: (file) => untilIdle(load(file)) };
}

/** JSX by its extension, and TypeScript in a CommonJS package: Node would refuse, and print a warning first. */
function refusedUnseen(file: string): boolean {
  return /\.[cm]?[jt]sx$/.test(file) || (file.endsWith(".ts") && packageType(file) === "commonjs");
}

/** A file that waits at its top level for what never comes leaves the event loop empty, and Node would end without a word. */
function untilIdle<Value>(work: Promise<Value>): Promise<Value> {
  return new Promise<Value>((resolve, reject) => {
    const idle = (): void => reject(new EntailError("eval_file_broken", "it waits at its top level for something that never comes"));
    process.once("beforeExit", idle);
    void work.then(resolve, reject).finally(() => process.off("beforeExit", idle));
  });
}
