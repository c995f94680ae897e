// Owns the finding and loading of a project's designs.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { checkDesign } from "../design/check-design.ts";
import type { CheckedDesign } from "../design/checked-design.ts";
import { type Design, isDesign } from "../design/design.ts";
import { defaultOf } from "./config.ts";
import { findFiles } from "./find-files.ts";
import { displayPath } from "./path.ts";
import { inFile } from "./problem.ts";
import type { Project } from "./project.ts";

export interface LoadedDesign {
  readonly file: string;
  readonly design: Design;
}

export interface CheckedFile {
  readonly file: string;
  readonly design: CheckedDesign;
}

const SCRIPT = /(?<!\.d)\.[cm]?[jt]sx?$/;

/**
 * The designs in `operands`, else in the configuration's `design`, else in `design/*.ts`, where a file may also hold something else.
 * Throws `design_not_found` for a file that is named and is none, `design_invalid` for one that cannot be loaded.
 */
export async function loadDesigns(project: Project, operands: readonly string[] = []): Promise<readonly LoadedDesign[]> {
  const { cwd, root, config, modules } = project;
  const configured = typeof config.design === "string" ? [config.design] : (config.design ?? []);
  const named = operands.length > 0 ? operands : configured;
  const from = operands.length > 0 ? cwd : root;
  const { found, missing } = named.length > 0 ? findFiles(named, { from, named: SCRIPT }) : { found: conventional(root), missing: [] };
  if (missing[0] !== undefined) throw new EntailError("design_not_found", `there is no design file ${JSON.stringify(missing[0])}`);
  const designs: LoadedDesign[] = [];
  for (const file of found) {
    const name = displayPath(file, cwd);
    let value: unknown;
    try {
      value = defaultOf(await modules.load(file));
    } catch (cause) {
      if (isEntailError(cause) && cause.code === "usage_invalid") throw cause;
      throw inFile(new EntailError("design_invalid", `${name} could not be loaded: ${messageOf(cause)}`, { cause }), file);
    }
    if (isDesign(value)) designs.push({ file, design: value });
    else if (named.length > 0) throw inFile(new EntailError("design_not_found", `${name} has no design as its default export; it needs export default design({ … })`), file);
  }
  return designs;
}

function conventional(root: string): readonly string[] {
  return existsSync(join(root, "design")) ? findFiles(["design/*.*"], { from: root, named: SCRIPT }).found : [];
}

/** Checks them all, so that the faults of all are told together. Throws `design_invalid`. */
export function checkDesigns(designs: readonly LoadedDesign[], cwd: string): readonly CheckedFile[] {
  const checked: CheckedFile[] = [];
  const broken: { readonly file: string; readonly error: EntailError }[] = [];
  for (const { file, design } of designs) {
    try {
      checked.push({ file, design: checkDesign(design) });
    } catch (error) {
      if (!isEntailError(error)) throw error;
      broken.push({ file, error });
    }
  }
  const [first] = broken;
  if (first === undefined) return checked;
  const message = broken.map(({ file, error }) => `${displayPath(file, cwd)}: ${error.message}`).join("\n");
  throw inFile(new EntailError(first.error.code, message, { faults: broken.flatMap(({ error }) => error.faults) }), first.file);
}
