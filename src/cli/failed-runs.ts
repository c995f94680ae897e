// Owns what `run --failed` runs: of the latest invocation, the scenarios that failed or errored, in the variant they were run in.

import { EntailError } from "../core/error.ts";
import type { Scenario } from "../core/suite.ts";
import { type Variant, variantsOf } from "../core/variant.ts";
import type { Store, StoredRun } from "../core/store.ts";
import type { FlagValues } from "./command-line.ts";
import { findRuns, lazyStore } from "./compared-run.ts";
import type { Desk } from "./desk.ts";
import { exitCodeOf } from "./exit-code.ts";
import type { LoadedEvaluation } from "./load-evaluations.ts";
import type { Project } from "./project.ts";
import type { SelectedSuite } from "./selection.ts";
import { headOf } from "./stored-run.ts";
import { counted } from "../report/number-text.ts";

export interface FailedOptions {
  readonly evaluations: readonly LoadedEvaluation[];
  readonly flags: FlagValues;
  readonly project: Project;
  readonly desk: Desk;
  /** Every eval file was looked for. */
  readonly whole: boolean;
}

export type FailedChoice =
  | { readonly suites: readonly SelectedSuite<LoadedEvaluation>[]; readonly left: readonly LoadedEvaluation[]; readonly chosen: readonly { readonly item: SelectedSuite<LoadedEvaluation>; readonly variant?: Variant | undefined }[] }
  /** There is nothing to run: how the run before ended. */
  | { readonly exitCode: number };

const OTHERS = ["scenario", "tag", "excludeTag", "matrix", "variant", "baseline", "watch"] as const;

/** Throws `usage_invalid` beside another selection, `run_unknown` without a run before. */
export async function chooseFailed({ evaluations, flags, project, desk, whole }: FailedOptions): Promise<FailedChoice> {
  const other = OTHERS.find((member) => flags[member] !== undefined);
  if (other !== undefined) throw new EntailError("usage_invalid", `--failed selects by the last run, so --${other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} cannot be given with it`);
  const opened = lazyStore(flags, project);
  try {
    const store = await opened.open();
    const runs = await findRuns("last", store);
    const name = runs.map(({ ordinal }) => `#${ordinal}`).join(", ");
    const chosen: { item: SelectedSuite<LoadedEvaluation>; variant?: Variant | undefined }[] = [];
    let failed = 0;
    for (const run of runs) {
      const ids = await failedIds(run, store);
      failed += ids.size;
      const evaluation = evaluations.find(({ options }) => options.suite.id === run.suiteId);
      if (ids.size === 0) continue;
      if (evaluation === undefined) {
        if (whole) desk.view.note(`the suite ${run.suiteId} of run #${run.ordinal} is gone, and with it ${counted(ids.size, "scenario")} that did not pass`);
        continue;
      }
      const scenarios = evaluation.options.suite.scenarios.filter(({ id }) => ids.has(id));
      const gone = ids.size - scenarios.length;
      if (gone > 0) desk.view.note(`${counted(gone, "scenario")} of run #${run.ordinal} that did not pass ${gone === 1 ? "is" : "are"} gone from the suite ${run.suiteId}`);
      if (scenarios.length > 0) chosen.push({ item: selected(evaluation, scenarios), variant: variantOf(run, evaluation) });
    }
    if (failed === 0) {
      desk.view.note(`there is nothing to do: nothing failed or errored in run ${name}`);
      return { exitCode: runs[0]?.invocation.exitCode ?? exitCodeOf({ interrupted: undefined, problems: 0, runs: runs.map((run) => ({ head: headOf(run), strict: run.strict })) }) };
    }
    if (chosen.length === 0) throw new EntailError("nothing_to_run", `nothing is left to run: what failed or errored in run ${name} is in none of the eval files`);
    desk.view.note(`of run ${name}, ${counted(failed, "scenario")} failed or errored`);
    const suites = [...new Map(chosen.map(({ item }) => [item.item, item])).values()];
    return { suites, left: [], chosen };
  } finally {
    await opened.close();
  }
}

async function failedIds(run: StoredRun, store: Store): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let from = 0; ; from += 1000) {
    const { rows, total } = await store.scenarios(run.runId, { from, limit: 1000, outcomes: run.strict ? ["failed", "errored", "scored"] : ["failed", "errored"] });
    for (const { id } of rows) ids.add(id);
    if (from + 1000 >= total) return ids;
  }
}

function selected(item: LoadedEvaluation, scenarios: readonly Scenario[]): SelectedSuite<LoadedEvaluation> {
  return { item, selection: { kind: "scenarios", ids: scenarios.map(({ id }) => id) }, scenarios };
}

function variantOf({ variant, ordinal }: StoredRun, { options }: LoadedEvaluation): Variant | undefined {
  if (variant === undefined) return undefined;
  const found = variantsOf(options.variants ?? {}, "evaluation()").find(({ name }) => name === variant);
  if (found === undefined) throw new EntailError("nothing_to_run", `run #${ordinal} was of the variant ${variant}, which the eval file no longer names`);
  return found;
}
