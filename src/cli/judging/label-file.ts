// Owns `entail judge label`: labels read back from a file, or asked for in the terminal, and kept in the store.

import { renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { writeLabelledRow, type LabelledRow } from "../../judge/labelled-row.ts";
import { counted } from "../../report/number-text.ts";
import { openStore } from "../../store/open-store.ts";
import type { FlagValues } from "../command-line.ts";
import type { Desk } from "../desk.ts";
import type { Project } from "../project.ts";
import { makeOwnFolder, storePlace } from "../store-place.ts";
import { askLabels } from "./ask-labels.ts";
import { readLabelsFile, storedLabel } from "./labels-file.ts";

/** Returns 0. Where rows have no label yet and a person sits at the terminal, it asks, and writes the file again. Throws `labels_invalid`. */
export async function labelFile(shown: string, flags: FlagValues, project: Project, desk: Desk): Promise<number> {
  let rows = readLabelsFile(shown, project.cwd);
  const by = flags["by"] as string | undefined;
  if (rows.some(({ label }) => label === undefined) && process.stdin.isTTY) {
    const file = resolve(project.cwd, shown);
    rows = await askInTerminal(rows, by, desk, (all) => replace(file, all));
  }
  const at = new Date(desk.clock.now()).toISOString();
  const labels = rows.flatMap((row) => storedLabel({ ...row, ...(row.by === undefined && by !== undefined && { by }) }, at) ?? []);
  const place = storePlace(flags, project);
  if (place !== undefined && labels.length > 0) {
    makeOwnFolder(place);
    const store = await openStore(place.url, { now: () => desk.clock.now() });
    try {
      for (const label of labels) await store.putLabel(label);
      await store.flush();
      for (const { code, message } of store.warnings) desk.view.warning({ code, message });
    } finally {
      await store.close();
    }
  }
  const judged = rows.filter(({ label, judged: own }) => label !== undefined && own !== undefined);
  const agreed = judged.filter(({ label, judged: own }) => label === own?.label).length;
  desk.view.note(`${counted(labels.length, "label")} of ${counted(rows.length, "row")}${place === undefined ? "" : " kept"}${judged.length === 0 ? "" : `; the judge had said the same of ${agreed} of ${judged.length}`}`);
  const open = rows.length - labels.length;
  if (open > 0) desk.view.note(`${counted(open, "row")} ${open === 1 ? "has" : "have"} no label yet`);
  return 0;
}

async function askInTerminal(rows: readonly LabelledRow[], by: string | undefined, desk: Desk, keep: (rows: readonly LabelledRow[]) => void): Promise<readonly LabelledRow[]> {
  // The terminal edits its own lines: what moves the cursor would be shown, not obeyed.
  const lines = createInterface({ input: process.stdin, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  const show = (text: string): void => void process.stderr.write(text);
  try {
    return await askLabels(rows, {
      by,
      keep,
      mask: desk.mask,
      show,
      async ask(text) {
        show(text);
        const line = await typed.next();
        return line.done === true ? undefined : line.value;
      },
    });
  } finally {
    lines.close();
  }
}

/** Whole or as it was: an hour of somebody's work is in it. */
function replace(file: string, rows: readonly LabelledRow[]): void {
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, rows.map((row) => `${writeLabelledRow(row)}\n`).join(""));
  renameSync(part, file);
}
