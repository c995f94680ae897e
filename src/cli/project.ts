// Owns the project: its root, its configuration and how its modules are loaded.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EntailError } from "../core/error.ts";
import type { Config } from "../evaluation.ts";
import { readConfig } from "./config.ts";
import { readEnvFile } from "./env-file.ts";
import type { Loader } from "./flag.ts";
import { createModuleLoader, type ModuleLoader } from "./loading/load-module.ts";
import { displayPath } from "./path.ts";
import { inFile } from "./problem.ts";

export interface Project {
  readonly cwd: string;
  /** The folder of the configuration, else the working folder: `gen/`, `evals/` and `design/` stand there. */
  readonly root: string;
  readonly configFile?: string;
  readonly config: Config;
  readonly modules: ModuleLoader;
}

export interface ProjectOptions {
  readonly cwd: string;
  /** Of `--config`; relative to the working folder. */
  readonly configPath?: string | undefined;
  /** Of `--env-file`; relative to the working folder. It replaces the configuration's own. */
  readonly envFile?: string | undefined;
  readonly loader: Loader;
  readonly env: NodeJS.ProcessEnv;
}

const CONFIG_NAMES = ["ts", "mts", "cts", "js", "mjs", "cjs"].map((kind) => `entail.config.${kind}`);

/** Reads the env file, then the configuration, then the env file that this names. Throws `config_invalid` or `env_file_missing`. */
export async function openProject({ cwd, configPath, envFile, loader, env }: ProjectOptions): Promise<Project> {
  if (envFile !== undefined) readEnvFile(resolve(cwd, envFile), env, cwd);
  const configFile = configPath === undefined ? findConfig(cwd) : resolve(cwd, configPath);
  const root = configFile === undefined ? cwd : dirname(configFile);
  const modules = createModuleLoader({ loader, root });
  if (configFile === undefined) return { cwd, root, config: {}, modules };
  if (!existsSync(configFile)) throw inFile(new EntailError("config_invalid", `the configuration ${displayPath(configFile, cwd)} is not there`), configFile);
  const config = await readConfig(configFile, modules, cwd);
  if (envFile === undefined && config.envFile !== undefined) readEnvFile(resolve(root, config.envFile), env, cwd);
  return { cwd, root, configFile, config, modules };
}

/** Looks in `folder` and above it, up to the folder that holds `.git`. */
function findConfig(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = CONFIG_NAMES.map((name) => join(at, name)).filter((file) => existsSync(file));
    if (found.length > 1) throw inFile(new EntailError("config_invalid", `${found.map((file) => displayPath(file, folder)).join(" and ")} stand side by side: keep one, or name one with --config`), found[0] ?? at);
    if (found[0] !== undefined) return found[0];
    if (existsSync(join(at, ".git")) || at === dirname(at)) return undefined;
  }
}
