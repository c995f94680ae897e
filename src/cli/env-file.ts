// Owns the reading of an env file into the environment. What is set already keeps its value, as with Node's own `--env-file`.

import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { EntailError, messageOf } from "../core/error.ts";
import { displayPath } from "./path.ts";
import { inFile } from "./problem.ts";

/** Throws `env_file_missing` where it cannot be read: a file that was named is wanted. */
export function readEnvFile(file: string, env: NodeJS.ProcessEnv, cwd: string): void {
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const why = missing ? "is not there" : `cannot be read: ${messageOf(cause)}`;
    throw inFile(new EntailError("env_file_missing", `the env file ${displayPath(file, cwd)} ${why}`), file);
  }
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (value !== undefined && !Object.hasOwn(env, name)) env[name] = value;
  }
}
