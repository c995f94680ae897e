// Owns the verb `init`: the first files of a project. What is there stays as it is.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { EntailError } from "../../core/error.ts";
import type { FlagValues } from "../command-line.ts";
import type { Desk } from "../desk.ts";
import { EVAL_FILE, findFiles } from "../find-files.ts";
import { FIRST_CONFIG, FIRST_EVAL, withScript } from "../first-files.ts";
import { writable } from "../generated-files.ts";
import { displayPath } from "../path.ts";
import { inFile } from "../problem.ts";

const CONFIG_NAMES = ["ts", "mts", "cts", "js", "mjs", "cjs"].map((kind) => `entail.config.${kind}`);

/** `init [folder]`. Returns 0. Throws `usage_invalid`, `config_invalid`, `output_unwritable`; then nothing was written. */
export function init([folder = ".", ...more]: readonly string[], _flags: FlagValues, desk: Desk): number {
  if (more.length > 0) throw new EntailError("usage_invalid", "init takes one folder at most");
  const { view, cwd } = desk;
  const root = resolve(cwd, folder);
  const manifest = join(root, "package.json");
  const before = existsSync(manifest) ? readFileSync(manifest, "utf8") : undefined;
  const scripted = manifestWith(before, manifest);
  const shown = (file: string): string => displayPath(file, cwd);
  const write = (file: string, text: string, flag: "wx" | "w"): void => {
    writable(`${shown(file)} cannot be written`, () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { flag });
    });
  };

  const config = CONFIG_NAMES.map((name) => join(root, name)).find((file) => existsSync(file));
  if (config !== undefined) view.note(`${shown(config)} is there and stays as it is`);
  else {
    write(join(root, FIRST_CONFIG.path), FIRST_CONFIG.text, "wx");
    view.note(`wrote ${shown(join(root, FIRST_CONFIG.path))}`);
  }
  const [evals] = existsSync(root) ? findFiles(["."], { from: root, named: EVAL_FILE }).found : [];
  if (evals !== undefined) view.note(`${shown(evals)} is there, so no eval file is written`);
  else {
    write(join(root, FIRST_EVAL.path), FIRST_EVAL.text, "wx");
    view.note(`wrote ${shown(join(root, FIRST_EVAL.path))}: call your agent in it`);
  }
  if (scripted === undefined) view.note(`${shown(manifest)} has a script eval, which stays as it is`);
  else {
    write(manifest, scripted, before === undefined ? "wx" : "w");
    view.note(before === undefined ? `wrote ${shown(manifest)}` : `added the script eval to ${shown(manifest)}`);
  }
  const inside = folder === "." ? "" : `cd ${folder}, `;
  view.note(`next: ${inside}${isInstalled(root) ? "" : "npm install --save-dev entail, "}npx entail run`);
  return 0;
}

function manifestWith(text: string | undefined, file: string): string | undefined {
  try {
    return withScript(text);
  } catch (thrown) {
    throw thrown instanceof EntailError ? inFile(thrown, file) : thrown;
  }
}

function isInstalled(root: string): boolean {
  try {
    createRequire(join(root, "package.json")).resolve("entail/package.json");
    return true;
  } catch {
    return false;
  }
}
