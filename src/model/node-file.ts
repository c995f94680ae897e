// Owns the files of recordings: the one place of this folder that needs Node, asked for when the first file is opened.

import { EntailError, messageOf } from "../core/error.ts";

export interface NodeFile {
  /** The whole path, from the working folder. */
  readonly path: string;
  /** The text of the file; `undefined` where there is none. */
  read(): string | undefined;
  /** What tells one state of the file from another; `undefined` where there is none. */
  state(): string | undefined;
  /** Replaces the whole file at once, so that nobody ever reads half of it; its folder is made. */
  write(text: string): void;
}

function builtin<Name extends "fs" | "path" | "url">(name: Name) {
  const found = globalThis.process?.getBuiltinModule?.(name);
  if (found === undefined) throw new EntailError("option_invalid", "recordings are kept in files, which takes Node");
  return found;
}

/** Opens nothing yet. `file` is a path, from the working folder, or a `file:` address such as `new URL("chat.recording.json", import.meta.url)`. */
export function nodeFile(file: string | URL): NodeFile {
  const fs = builtin("fs");
  const paths = builtin("path");
  const path = paths.resolve(typeof file === "string" ? file : builtin("url").fileURLToPath(file));
  let written = 0;
  const none = (thrown: unknown): undefined => {
    if ((thrown as { readonly code?: unknown }).code === "ENOENT") return undefined;
    throw new EntailError("recording_unreadable", `${path} cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  };
  return {
    path,
    read() {
      try {
        return fs.readFileSync(path, "utf8");
      } catch (thrown) {
        return none(thrown);
      }
    },
    state() {
      try {
        const { mtimeMs, size, ino } = fs.statSync(path);
        return `${mtimeMs} ${size} ${ino}`;
      } catch (thrown) {
        return none(thrown);
      }
    },
    write(text) {
      const beside = `${path}.${globalThis.process.pid}-${(written += 1)}.tmp`;
      try {
        fs.mkdirSync(paths.dirname(path), { recursive: true });
        fs.writeFileSync(beside, text);
        fs.renameSync(beside, path);
      } catch (thrown) {
        fs.rmSync(beside, { force: true });
        throw new EntailError("recording_unreadable", `${path} cannot be written: ${messageOf(thrown)}`, { cause: thrown });
      }
    },
  };
}

const endings = new Set<() => void>();
let listens = false;

/** Calls `call` when the process ends, which must not throw. Returns how to forget it. */
export function atExit(call: () => void): () => void {
  if (!listens) {
    listens = true;
    globalThis.process.on("exit", () => {
      for (const each of endings) each();
    });
  }
  endings.add(call);
  return () => void endings.delete(call);
}

/** The environment that the process has now; empty where there is none. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return globalThis.process?.env ?? {};
}
