// Owns the generated files on disk: which are missing, stale or left over, and the writing of exactly those.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GeneratedFile } from "../codegen/generate.ts";
import { HEADER } from "../codegen/header.ts";
import { EntailError, messageOf } from "../core/error.ts";

export interface FileChanges {
  readonly write: readonly GeneratedFile[];
  readonly same: readonly GeneratedFile[];
  /** Paths of generated files that belong to no design any more, relative to the root. */
  readonly remove: readonly string[];
}

/** `leftOvers` false where `files` are those of some designs only, so that what is not among them may belong to another. */
export function compareFiles(root: string, files: readonly GeneratedFile[], leftOvers: boolean): FileChanges {
  const same = files.filter(({ path, text }) => readText(join(root, path)) === text);
  const wanted = new Set(files.map(({ path }) => path));
  return {
    write: files.filter((file) => !same.includes(file)),
    same,
    remove: leftOvers ? generatedPaths(root).filter((path) => !wanted.has(path)) : [],
  };
}

/** Each file is replaced as a whole; folders that end up empty go. Throws `output_unwritable`. */
export function applyChanges(root: string, { write, remove }: FileChanges): void {
  for (const { path, text } of write) {
    const file = join(root, path);
    const part = `${file}.${process.pid}.part`;
    writable(`${path} cannot be written`, () => {
      mkdirSync(dirname(file), { recursive: true });
      try {
        writeFileSync(part, text);
        renameSync(part, file);
      } catch (thrown) {
        rmSync(part, { force: true });
        throw thrown;
      }
    });
  }
  for (const path of remove) {
    writable(`${path} cannot be removed`, () => rmSync(join(root, path)));
    removeEmpty(dirname(join(root, path)), root);
  }
}

/** Does `act`. Throws `output_unwritable` where the file system refuses, `what` the beginning of its sentence. */
export function writable(what: string, act: () => void): void {
  try {
    act();
  } catch (cause) {
    throw new EntailError("output_unwritable", `${what}: ${messageOf(cause)}`, { cause });
  }
}

/** What stands there now. A check-out may have turned line feeds into CRLF, which changes nothing. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  } catch {
    return undefined;
  }
}

/** What `gen` wrote begins with its header; what does not was written by a person. */
function generatedPaths(root: string): readonly string[] {
  return ["gen/evals", "gen/toolsets"]
    .flatMap((folder) => filesBelow(root, folder))
    .filter((path) => path.endsWith(".ts") && readText(join(root, path))?.startsWith(HEADER) === true)
    .sort();
}

function filesBelow(root: string, folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(root, path) : entry.isFile() ? [path] : [];
    });
  } catch {
    return [];
  }
}

function removeEmpty(folder: string, root: string): void {
  if (folder.length <= join(root, "gen").length) return;
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it.
    return;
  }
  removeEmpty(dirname(folder), root);
}
