// Owns the files of baselines: one a suite, in the project's folder `baselines/`.

import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Baseline } from "../core/comparison.ts";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { decodeBaseline } from "../report/baseline.ts";
import { fileNameOf } from "../report/file-name.ts";
import { makeFolder } from "../store/make-folder.ts";
import { displayPath } from "./path.ts";
import { inFile } from "./problem.ts";

export const BASELINES = "baselines";

export interface BaselineFile {
  readonly file: string;
  readonly baseline: Baseline;
}

/** Where a suite's baseline stands within `folder`. */
export function baselinePath(folder: string, suiteId: string): string {
  return join(folder, `${fileNameOf(suiteId)}.json`);
}

/** Throws `baseline_unreadable`, which names the file. */
export function readBaseline(file: string, cwd: string): Baseline {
  try {
    return decodeBaseline(readFileSync(file, "utf8"));
  } catch (thrown) {
    const message = isEntailError(thrown) ? thrown.message : `the baseline cannot be read: ${messageOf(thrown)}`;
    throw inFile(new EntailError("baseline_unreadable", `${displayPath(file, cwd)}: ${message}`, { cause: thrown }), file);
  }
}

/** The baselines of a folder by suite, or the one that a file is. Throws `baseline_missing` where there is nothing, or `baseline_unreadable`. */
export function readBaselines(path: string, cwd: string): ReadonlyMap<string, BaselineFile> {
  const there = statSync(path, { throwIfNoEntry: false });
  const files = there?.isDirectory() === true ? readdirSync(path).filter((name) => name.endsWith(".json")).toSorted().map((name) => join(path, name)) : there === undefined ? [] : [path];
  const found = new Map<string, BaselineFile>();
  for (const file of files) {
    const baseline = readBaseline(file, cwd);
    const twin = found.get(baseline.suiteId);
    if (twin !== undefined) throw inFile(new EntailError("baseline_unreadable", `${displayPath(twin.file, cwd)} and ${displayPath(file, cwd)} are both baselines of the suite ${JSON.stringify(baseline.suiteId)}: keep one`), file);
    found.set(baseline.suiteId, { file, baseline });
  }
  if (found.size === 0) throw new EntailError("baseline_missing", `there is no baseline in ${displayPath(path, cwd)}: accept a run with npx entail baseline accept`);
  return found;
}

/** Puts `text` in place of what was there, whole or not at all. Returns whether anything changed. Throws `output_unwritable`. */
export function writeBaseline(file: string, text: string, cwd: string): boolean {
  try {
    if (existsSync(file) && readFileSync(file, "utf8") === text) return false;
    makeFolder(dirname(file));
    const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
    writeFileSync(part, text);
    renameSync(part, file);
    return true;
  } catch (cause) {
    throw inFile(new EntailError("output_unwritable", `the baseline cannot be written to ${displayPath(file, cwd)}: ${messageOf(cause)}`, { cause }), file);
  }
}

/** Of `--baseline [path]`, relative to the working folder; else the project's. */
export function baselinesIn(given: string | undefined, cwd: string, root: string): string {
  return given === undefined || given === BASELINES ? join(root, BASELINES) : resolve(cwd, given);
}
