// Owns what version control says of the project: branch and commit, read from git's own files, and whether tracked files differ, which git alone can tell.

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface Head {
  /** Absent where no branch is checked out. */
  readonly branch?: string | undefined;
  /** Absent before the first commit. */
  readonly commit?: string | undefined;
}

/** Looks in `folder` and above it. `undefined` where nothing is under git, or in a form that is not understood. Never throws. */
export function readHead(folder: string): Head | undefined {
  const git = gitFolder(folder);
  const head = git && textOf(join(git, "HEAD"))?.trim();
  if (git === undefined || head === undefined) return undefined;
  const ref = /^ref: (refs\/heads\/(.+))$/.exec(head);
  if (ref === null) return isCommit(head) ? { commit: head } : undefined;
  const commit = commitOf(git, ref[1] ?? "");
  return { branch: ref[2], ...(commit !== undefined && { commit }) };
}

/** The `.git` of a work tree: a folder, or a file that names one. */
function gitFolder(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, ".git");
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) return path;
    const named = there === undefined ? undefined : /^gitdir: (.+)$/m.exec(textOf(path) ?? "")?.[1];
    if (named !== undefined) return resolve(at, named.trim());
    if (at === dirname(at)) return undefined;
  }
}

/** Refs of a linked work tree are in the folder that its `commondir` names, and refs that were packed in one file. */
function commitOf(git: string, ref: string): string | undefined {
  const common = textOf(join(git, "commondir"))?.trim();
  for (const folder of common === undefined ? [git] : [git, resolve(git, common)]) {
    const loose = textOf(join(folder, ref))?.trim();
    if (loose !== undefined && isCommit(loose)) return loose;
    const packed = textOf(join(folder, "packed-refs"))?.split("\n").find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
    if (packed !== undefined && isCommit(packed)) return packed;
  }
  return undefined;
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * SHA-256 of the differences of tracked files from the commit, `""` where there are none, `undefined` where git is not there or says nothing. Nothing of the
 * repository is changed.
 */
export async function diffDigest(folder: string): Promise<string | undefined> {
  const { spawn } = await import("node:child_process");
  return new Promise((settle) => {
    const git = spawn("git", ["-c", "core.quotePath=true", "diff", "HEAD", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--binary"], {
      cwd: folder,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_PAGER: "cat" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const hash = createHash("sha256");
    let bytes = 0;
    git.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      hash.update(chunk);
    });
    git.on("error", () => settle(undefined));
    git.on("close", (code) => settle(code !== 0 ? undefined : bytes === 0 ? "" : hash.digest("hex")));
  });
}
