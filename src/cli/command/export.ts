// Owns the verb `export`: stored runs, or a report file, in another form.

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { EntailError } from "../../core/error.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { Store, StoredRun } from "../../core/store.ts";
import { decodeReport } from "../../report/decode-report.ts";
import type { FlagValues } from "../command-line.ts";
import { findRuns, lazyStore } from "../compared-run.ts";
import type { Desk } from "../desk.ts";
import { EXPORT_FORMATS, type ExportedRun } from "../export-formats.ts";
import { projectOf } from "./compare.ts";
import { headOf, isIncomplete, scenariosOf } from "../stored-run.ts";
import { writeText } from "../write-text.ts";

/** `export <format> [run]`. Returns 0. Throws `usage_invalid`, `run_unknown`, `report_unreadable`, `output_unwritable`. */
export async function exportRuns([format, name = "last", ...more]: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  const formats = Object.keys(EXPORT_FORMATS);
  if (format === undefined || more.length > 0) throw new EntailError("usage_invalid", `export takes a form and a run: entail export ${formats.join("|")} [run]`);
  const open = Object.hasOwn(EXPORT_FORMATS, format) ? EXPORT_FORMATS[format] : undefined;
  if (open === undefined) throw new EntailError("usage_invalid", `there is no form ${JSON.stringify(format)}: the forms are ${formats.join(", ")}${didYouMean(format, formats)}`);
  const project = await projectOf(flags, desk);
  const store = lazyStore(flags, project);
  try {
    const runs = await exported(name, desk.cwd, store);
    const write = await open();
    await writeText(write(runs, { mask: desk.mask }), flags["output"] as string | undefined, desk);
    return 0;
  } finally {
    await store.close();
  }

  async function exported(text: string, cwd: string, lazy: typeof store): Promise<readonly ExportedRun[]> {
    const file = resolve(cwd, text);
    if (/[./\\]/.test(text) && existsSync(file)) return reportsIn(readFileSync(file, "utf8"));
    const opened = await lazy.open();
    const found = await findRuns(text, opened);
    for (const run of found) if (isIncomplete(run)) desk.view.note(`run #${run.ordinal} is incomplete: what has no result is exported as cancelled`);
    return found.map((run) => ({ head: headOf(run), scenarios: () => scenariosOf(run, opened), beside: besideOf(run, opened) }));
  }
}

function besideOf({ runId, ordinal, invocation, note }: StoredRun, store: Store): ExportedRun["beside"] {
  return { ordinal, branch: invocation.branch, note, planned: (position) => store.plannedScenario(runId, position), evidence: (position, trial) => store.evidence({ runId, position, trial }) };
}

/** A report, or several in one wrapper. */
export function reportsIn(text: string): readonly ExportedRun[] {
  let wire: unknown;
  try {
    wire = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // The strict reader says where.
    decodeReport(text);
  }
  const several = typeof wire === "object" && wire !== null ? (wire as { readonly reports?: unknown }).reports : undefined;
  return (Array.isArray(several) ? (several as readonly unknown[]) : [wire]).map((each) => {
    const { scenarios, ...head } = decodeReport(each);
    return {
      head,
      async *scenarios() {
        yield* scenarios;
      },
    };
  });
}
