// Owns the verb `example`: an eval file to fill in for each suite, written once and never again.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exampleFiles } from "../../codegen/example.ts";
import type { FlagValues } from "../command-line.ts";
import type { Desk } from "../desk.ts";
import { writable } from "../generated-files.ts";
import { displayPath } from "../path.ts";
import { tsImportNote } from "../ts-import-note.ts";
import { checkedDesigns, openGenProject } from "./gen.ts";

/** Returns the exit code. */
export async function example(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  const project = await openGenProject(flags, desk);
  for (const { path, text } of (await checkedDesigns(project, operands)).flatMap(({ design }) => exampleFiles(design))) {
    const file = join(project.root, path);
    const shown = displayPath(file, project.cwd);
    if (existsSync(file)) {
      desk.view.note(`${shown} is there and stays as it is`);
      continue;
    }
    writable(`${shown} cannot be written`, () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: "wx" });
    });
    desk.view.note(`wrote ${shown}: fill in its TODOs, then npx entail run ${shown}`);
  }
  const note = tsImportNote(project.root, project.cwd);
  if (note !== undefined) desk.view.warning(note);
  return 0;
}
