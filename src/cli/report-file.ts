// Owns the file that `--output` names: known to be writable before anything runs, whole or as it was before.

import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { makeFolder } from "../store/make-folder.ts";
import { inFile } from "./problem.ts";

export interface ReportFile {
  /** Throws `output_unwritable`. */
  write(text: string): void;
  /** Puts what was written in place of what was there. Throws `output_unwritable`. */
  finish(): void;
  /** Leaves what was there. */
  abandon(): void;
}

/** Code, settings and secrets of a project: a report put in their place is a slip of the hand. */
const SOURCE = /\.[cm]?[jt]sx?$|^(?:package|package-lock|[jt]sconfig(?:\..*)?)\.json$|^\.env(?:\..*)?$/i;

/** What a report must never replace, in words; `undefined` where nothing of value is there. */
function treasureIn(file: string): string | undefined {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there === undefined || !there.isFile() || there.size === 0) return undefined;
  if (SOURCE.test(basename(file))) return "it is a source file of the project";
  const handle = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(64);
    const head = bytes.toString("latin1", 0, readSync(handle, bytes, 0, bytes.length, 0));
    if (head.startsWith("SQLite format 3\0")) return "it is a database, such as the store";
    return /^\{\s*"version":\s*1,\s*"recordings"/.test(head) ? "it holds recordings" : undefined;
  } finally {
    closeSync(handle);
  }
}

/** Throws `output_unwritable`, also where something stands there that no report may replace. A device or a pipe is written to as it is. */
export function openReportFile(file: string, shown: string): ReportFile {
  const guarded = <Value>(act: () => Value): Value => {
    try {
      return act();
    } catch (cause) {
      if (isEntailError(cause)) throw cause;
      throw inFile(new EntailError("output_unwritable", `the report cannot be written to ${shown}: ${messageOf(cause)}`, { cause }), file);
    }
  };
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) throw inFile(new EntailError("output_unwritable", `the report cannot be written to ${shown}: it is a folder`), file);
  const inPlace = there !== undefined && !there.isFile();
  const refuseTreasure = (): void => {
    const what = inPlace ? undefined : treasureIn(file);
    if (what !== undefined) throw inFile(new EntailError("output_unwritable", `the report is not written to ${shown}: ${what}, and would be lost; name another file`), file);
  };
  guarded(refuseTreasure);
  const target = inPlace ? file : join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  const handle = guarded(() => {
    if (!inPlace) makeFolder(dirname(file));
    return openSync(target, "w");
  });
  let open = true;
  const close = (): void => {
    if (open) closeSync(handle);
    open = false;
  };
  return {
    write: (text) =>
      guarded(() => {
        const bytes = Buffer.from(text);
        for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
      }),
    finish: () =>
      guarded(() => {
        close();
        // A store may have been made there since.
        refuseTreasure();
        if (!inPlace) renameSync(target, file);
      }),
    abandon() {
      close();
      if (!inPlace) rmSync(target, { force: true });
    },
  };
}
