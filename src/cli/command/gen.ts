// Owns the verb `gen`: the files that the project's designs generate, written or checked.

import { join } from "node:path";
import { type GeneratedFile, generate } from "../../codegen/generate.ts";
import { toolsetChanges, toolsetChangesText } from "../../codegen/toolset-changes.ts";
import { EntailError } from "../../core/error.ts";
import type { FlagValues } from "../command-line.ts";
import type { Desk } from "../desk.ts";
import type { Loader } from "../flag.ts";
import { applyChanges, compareFiles, readText } from "../generated-files.ts";
import { type CheckedFile, checkDesigns, loadDesigns } from "../load-designs.ts";
import { displayPath } from "../path.ts";
import { openProject, type Project } from "../project.ts";
import { counted } from "../../report/number-text.ts";
import { tsImportNote } from "../ts-import-note.ts";

/** Returns the exit code. Nothing is written unless every design is right. */
export async function gen(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  const { view } = desk;
  const project = await openGenProject(flags, desk);
  const designs = await checkedDesigns(project, operands);
  const { files, warnings } = generateAll(designs, project.cwd);
  const changes = compareFiles(project.root, files, operands.length === 0);
  const shown = (path: string): string => displayPath(`${project.root}/${path}`, project.cwd);
  for (const warning of warnings) view.warning({ code: "design_warning", message: warning });
  if (flags["check"] === true) {
    for (const file of changes.write) view.note(`${shown(file.path)} does not come from the design${toolsOf(file, project.root)}`);
    for (const path of changes.remove) view.note(`${shown(path)} belongs to no design any more`);
    const stale = changes.write.length + changes.remove.length;
    view.note(stale === 0 ? `${counted(files.length, "generated file")} up to date` : `${stale} of ${counted(files.length + changes.remove.length, "generated file")} ${stale === 1 ? "is" : "are"} stale: npx entail gen writes what the design says`);
    return stale === 0 ? 0 : 1;
  }
  applyChanges(project.root, changes);
  for (const { path } of changes.write) view.note(`wrote ${shown(path)}`);
  for (const path of changes.remove) view.note(`removed ${shown(path)}`);
  if (changes.same.length > 0) view.note(`${counted(changes.same.length, "file")} unchanged`);
  const note = tsImportNote(project.root, project.cwd);
  if (note !== undefined) view.warning(note);
  return 0;
}

/** Which tools a stale file of a toolset is about: a server that offers them may have changed, and nobody the design. */
function toolsOf({ path, text }: GeneratedFile, root: string): string {
  const before = path.startsWith("gen/toolsets/") ? readText(join(root, path)) : undefined;
  const said = before === undefined ? "" : toolsetChangesText(toolsetChanges(before, text));
  return said === "" ? "" : `: ${said}`;
}

export async function openGenProject(flags: FlagValues, { cwd, env }: Desk): Promise<Project> {
  return openProject({ cwd, env, configPath: flags["config"] as string | undefined, envFile: flags["envFile"] as string | undefined, loader: (flags["loader"] as Loader | undefined) ?? "auto" });
}

/** At least one. Throws `design_not_found` or `design_invalid`. */
export async function checkedDesigns(project: Project, operands: readonly string[]): Promise<readonly CheckedFile[]> {
  const designs = await loadDesigns(project, operands);
  if (designs.length === 0) throw new EntailError("design_not_found", "there is no design: name its file, or give it a place in design/, with export default design({ … })");
  return checkDesigns(designs, project.cwd);
}

/** Two designs may share a toolset; what they say of one file must then be the same. */
function generateAll(designs: readonly CheckedFile[], cwd: string): { readonly files: readonly GeneratedFile[]; readonly warnings: readonly string[] } {
  const byPath = new Map<string, GeneratedFile & { readonly from: string }>();
  const warnings: string[] = [];
  for (const { file, design } of designs) {
    const generated = generate(design);
    warnings.push(...generated.warnings);
    for (const each of generated.files) {
      const before = byPath.get(each.path);
      if (before !== undefined && before.text !== each.text) {
        const [, , name = ""] = each.path.split("/");
        throw new EntailError("design_invalid", `${displayPath(before.from, cwd)} and ${displayPath(file, cwd)} both declare ${JSON.stringify(name.replace(/\.ts$/, ""))}, and differently; each name is declared once`);
      }
      byPath.set(each.path, { ...each, from: file });
    }
  }
  return { files: [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), warnings };
}
