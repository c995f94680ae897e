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
    text = decoded(readFileSync(file));
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const why = missing ? "is not there" : cause instanceof TypeError ? "is no UTF-8; save it as UTF-8" : `cannot be read: ${messageOf(cause)}`;
    throw inFile(new EntailError("env_file_missing", `the env file ${displayPath(file, cwd)} ${why}`), file);
  }
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (value !== undefined && !Object.hasOwn(env, name)) env[name] = value;
  }
}

/** UTF-8, or UTF-16 by its mark, as some shells of Windows write it. Throws a `TypeError` for bytes that are neither: a value must not be half of one. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}
