// Owns the verb `import`: runs of files into the store.

import { resolve } from "node:path";
import { EntailError, isEntailError } from "../../core/error.ts";
import { counted } from "../../report/number-text.ts";
import { createRunIds } from "../../run/run-id.ts";
import { openStore } from "../../store/open-store.ts";
import type { FlagValues } from "../command-line.ts";
import { type Desk, writeJson } from "../desk.ts";
import { importFile } from "../import-runs.ts";
import { displayPath } from "../path.ts";
import { inFile } from "../problem.ts";
import { makeOwnFolder, storePlace } from "../store-place.ts";
import { projectOf } from "./compare.ts";

/** Returns 0, or 2 where a line of a file was left out. Throws `report_unreadable`, which names the file. */
export async function importRuns(files: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  if (files.length === 0) throw new EntailError("usage_invalid", "import takes a file or several: a JSON report, its JSONL form, or a spill file");
  const project = await projectOf(flags, desk);
  const place = storePlace(flags, project);
  if (place === undefined) throw new EntailError("usage_invalid", "there is no store to import into: the configuration says false; name one with --store");
  makeOwnFolder(place);
  const store = await openStore(place.url);
  const told: unknown[] = [];
  let left = 0;
  try {
    for (const given of files) {
      const file = resolve(desk.cwd, given);
      const shown = displayPath(file, desk.cwd);
      const { runs, known, faults, cut } = await importFile(file, { store, command: ["import", shown], cwd: project.cwd, newInvocationId: createRunIds() }).catch((thrown: unknown) => {
        throw isEntailError(thrown) ? inFile(new EntailError(thrown.code, `${shown}: ${thrown.message}`, { cause: thrown }), file) : thrown;
      });
      const names = await Promise.all([...runs, ...known].map(async (runId) => `#${(await store.run(runId))?.ordinal ?? "?"}`));
      const taken = names.slice(0, runs.length);
      desk.view.note(`${shown}: ${taken.length === 0 ? "nothing that the store has not" : `${counted(taken.length, "run")} taken in, ${taken.join(", ")}`}${known.length === 0 ? "" : `; already there: ${names.slice(runs.length).join(", ")}`}`);
      for (const fault of cut === undefined ? faults : [...faults, cut]) desk.view.note(`${shown}: ${fault}`);
      left += faults.length;
      told.push({ file: shown, runs, known, faults, ...(cut !== undefined && { cut }) });
    }
  } finally {
    await store.close();
  }
  if (flags["json"] === true) await writeJson({ imported: told }, desk);
  return left > 0 ? 2 : 0;
}
