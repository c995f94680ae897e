// Owns the noticing of changes: the folders of the files that matter are watched, and where the system cannot, their files are looked at once a second.

import { hash } from "node:crypto";
import { type FSWatcher, readFileSync, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { EVAL_FILE } from "../find-files.ts";

export interface FileWatcher {
  /** Watches these as well; what they look like now is how they are known. Gives back those that were written after `since`, in ms since the epoch. */
  add(files: Iterable<string>, since: number): readonly string[];
  close(): void;
}

/** Editors write a file several times, or another one in its place, for one change. */
const SETTLE_MS = 80;
const POLL_MS = 1_000;

/** `changed` is called with all that changed, once nothing more has for a moment. A new eval file in a folder that is watched is a change. */
export function watchFiles(changed: (files: readonly string[]) => void): FileWatcher {
  const known = new Map<string, string>();
  const folders = new Map<string, FSWatcher | undefined>();
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let closed = false;

  const settle = (): void => {
    timer = undefined;
    const files = [...pending].filter((file) => {
      const look = lookOf(file);
      if (known.get(file) === look) return false;
      known.set(file, look);
      return true;
    });
    pending.clear();
    if (files.length > 0 && !closed) changed(files);
  };
  const suspect = (file: string): void => {
    if (!known.has(file) && !EVAL_FILE.test(file)) return;
    pending.add(file);
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MS);
  };
  const lookAtAll = (): void => {
    for (const [file, look] of known) if (folders.get(dirname(file)) === undefined && lookOf(file) !== look) suspect(file);
  };
  const watchFolder = (folder: string): void => {
    if (folders.has(folder)) return;
    try {
      const watcher = watch(folder, (_, name) => {
        if (name !== null) suspect(join(folder, name));
        else for (const file of known.keys()) if (dirname(file) === folder) suspect(file);
      });
      watcher.on("error", () => {
        watcher.close();
        folders.set(folder, undefined);
        poll ??= setInterval(lookAtAll, POLL_MS);
      });
      folders.set(folder, watcher);
    } catch {
      folders.set(folder, undefined);
      poll ??= setInterval(lookAtAll, POLL_MS);
    }
  };

  return {
    add(files, since) {
      const late: string[] = [];
      for (const file of files) {
        if (known.has(file)) continue;
        known.set(file, lookOf(file));
        watchFolder(dirname(file));
        const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
        // A time in the future says nothing.
        if (writtenAt > since && writtenAt <= Date.now()) late.push(file);
      }
      return late;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(poll);
      for (const watcher of folders.values()) watcher?.close();
    },
  };
}

/** Larger files are known by their time. */
const MAX_READ = 4 * 1024 * 1024;

/** What tells two states of a file apart: what is in it, so that a file written anew as it was is the same. */
function lookOf(file: string): string {
  try {
    const stat = statSync(file);
    return stat.size > MAX_READ || !stat.isFile() ? `${stat.mtimeMs} ${stat.size}` : hash("sha1", readFileSync(file));
  } catch {
    return "gone";
  }
}
