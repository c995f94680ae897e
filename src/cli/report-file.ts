// Owns the file that `--output` names: known to be writable before anything runs, whole or as it was before.

import { closeSync, openSync, renameSync, rmSync, statSync, mkdirSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { EntailError, messageOf } from "../core/error.ts";
import { inFile } from "./problem.ts";

export interface ReportFile {
  /** Throws `output_unwritable`. */
  write(text: string): void;
  /** Puts what was written in place of what was there. Throws `output_unwritable`. */
  finish(): void;
  /** Leaves what was there. */
  abandon(): void;
}

/** Throws `output_unwritable`. A device or a pipe is written to as it is. */
export function openReportFile(file: string, shown: string): ReportFile {
  const guarded = <Value>(act: () => Value): Value => {
    try {
      return act();
    } catch (cause) {
      throw inFile(new EntailError("output_unwritable", `the report cannot be written to ${shown}: ${messageOf(cause)}`, { cause }), file);
    }
  };
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) throw inFile(new EntailError("output_unwritable", `the report cannot be written to ${shown}: it is a folder`), file);
  const inPlace = there !== undefined && !there.isFile();
  const target = inPlace ? file : join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  const handle = guarded(() => {
    if (!inPlace) mkdirSync(dirname(file), { recursive: true });
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
        if (!inPlace) renameSync(target, file);
      }),
    abandon() {
      close();
      if (!inPlace) rmSync(target, { force: true });
    },
  };
}
