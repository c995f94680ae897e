// Owns the making of a folder and of those above it.

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { textMember } from "../core/member.ts";

/** Throws what the system says. Node's own way never comes back where a folder takes nothing in, as below `/proc`. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (thrown) {
    const code = textMember(thrown, "code");
    if (code === "EEXIST") return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path) throw thrown;
    makeFolder(parent);
    make(path);
  }
}

/** Another process may have been first. */
function make(path: string): void {
  try {
    mkdirSync(path);
  } catch (thrown) {
    if (textMember(thrown, "code") !== "EEXIST") throw thrown;
  }
}
