// Owns the verb `baseline`: `baseline accept` keeps a run as what later runs are held against, and refuses what nobody should be held against.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Baseline, ComparableRun } from "../../core/comparison.ts";
import { EntailError } from "../../core/error.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { StoredRun } from "../../core/store.ts";
import { baselineOf, encodeBaseline } from "../../report/baseline.ts";
import { compareReports } from "../../report/compare-reports.ts";
import { counted } from "../../report/number-text.ts";
import { pointsText } from "../../report/points-text.ts";
import { BASELINES, baselinePath, readBaseline, writeBaseline } from "../baseline-file.ts";
import type { FlagValues } from "../command-line.ts";
import { lazyStore, type NamedRuns, readNamedRuns } from "../compared-run.ts";
import { type Desk, writeJson } from "../desk.ts";
import { displayPath } from "../path.ts";
import { printableLine } from "../terminal/printable.ts";
import { projectOf } from "./compare.ts";

interface Acceptance {
  readonly run: ComparableRun;
  readonly file: string;
  /** What speaks against it, each half a sentence. */
  readonly over: readonly string[];
  /** It is worse than the baseline that stands. */
  readonly worse: boolean;
  readonly standing: Baseline | undefined;
}

/** Returns 0. Throws `usage_invalid`, `run_unknown`, or `baseline_refused` with all that speaks against it. */
export async function baseline(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  const [word, name = "last", ...more] = operands;
  if (word !== "accept" || more.length > 0) {
    throw new EntailError("usage_invalid", word === undefined || word === "accept" ? "baseline accept takes one run, or none for the last one" : `baseline has no word ${JSON.stringify(word)}${didYouMean(word, ["accept"]) || ": npx entail baseline accept [run]"}`);
  }
  const project = await projectOf(flags, desk);
  const store = lazyStore(flags, project);
  try {
    const named = await readNamedRuns(name, project, store);
    const folder = flags["baseline"] === undefined ? join(project.root, BASELINES) : resolve(desk.cwd, flags["baseline"] as string);
    const acceptances = acceptancesOf(named, folder, flags, desk);
    refuse(acceptances, flags, desk);
    const told = [];
    for (const { run, file, over, standing } of acceptances) {
      const { subject: _subject, ...kept } = run;
      const plain = baselineOf(kept);
      const reason = flags["reason"] as string | undefined;
      // Accepted again, it keeps what it was first accepted over.
      const same = standing !== undefined && encodeBaseline({ ...standing, accepted: undefined }) === encodeBaseline(plain) && (reason === undefined || reason === standing.accepted?.reason);
      const accepted = same ? standing.accepted : over.length > 0 || reason !== undefined ? { over, ...(reason !== undefined && { reason }) } : undefined;
      const changed = writeBaseline(file, encodeBaseline({ ...plain, ...(accepted !== undefined && { accepted }) }, { mask: desk.mask }), desk.cwd);
      told.push({ suite_id: run.suiteId, file: displayPath(file, desk.cwd), changed, scenarios: run.scenarios.length, ...(over.length > 0 && { over }) });
      const stored = named.stored?.find(({ runId }) => runId === run.runId);
      if (stored !== undefined && changed) await (await store.open()).putEvent(stored.runId, { at: new Date(desk.clock.now()).toISOString(), type: "baseline_accepted", body: { file: displayPath(file, project.root), ...(over.length > 0 && { over }), ...(reason !== undefined && { reason: desk.mask(reason) }) } });
    }
    desk.view.rest();
    if (flags["json"] === true) await writeJson({ accepted: told }, desk);
    else await desk.output.write(told.map(({ suite_id, file, changed, scenarios }) => `${changed ? "accepted" : "unchanged"}  ${printableLine(file)}  ${counted(scenarios, "scenario")} of ${printableLine(suite_id)}\n`).join("")).catch(() => {});
    return 0;
  } finally {
    await store.close();
  }
}

function acceptancesOf({ name, runs, stored }: NamedRuns, folder: string, flags: FlagValues, desk: Desk): readonly Acceptance[] {
  const twice = runs.find(({ suiteId }, at) => runs.findIndex((run) => run.suiteId === suiteId) !== at);
  if (twice !== undefined) throw new EntailError("baseline_refused", `${name} holds several runs of the suite ${JSON.stringify(twice.suiteId)}: name the one to accept`);
  return runs.map((run, at) => {
    const file = baselinePath(folder, run.suiteId);
    const standing = existsSync(file) ? readBaseline(file, desk.cwd) : undefined;
    const over = [...faultsOf(run), ...(stored?.[at] === undefined ? [] : placeFaults(stored[at]))];
    let worse = false;
    if (standing !== undefined) {
      const { verdict, missing, difference } = compareReports(standing, run, { level: flags["level"] as number | undefined, margin: flags["margin"] as number | undefined });
      if (verdict === "regressed") over.push(`it regressed by ${pointsText(difference ?? 0)} points`);
      if (missing.length > 0) over.push(`${counted(missing.length, "scenario")} of the baseline ${missing.length === 1 ? "is" : "are"} missing (${missing.slice(0, 5).map(({ id }) => id).join(", ")}${missing.length > 5 ? " …" : ""})`);
      worse = verdict === "regressed" || missing.length > 0;
    }
    return { run, file, over, worse, standing };
  });
}

/** What the run itself shows. */
function faultsOf({ error, scenarios }: ComparableRun): string[] {
  const faults: string[] = [];
  if (error !== undefined) faults.push(`it did not come to its end (${error.code})`);
  for (const outcome of ["errored", "cancelled", "skipped"] as const) {
    const count = scenarios.filter((scenario) => scenario.outcome === outcome && (outcome !== "skipped" || scenario.skip === undefined)).length;
    if (count > 0) faults.push(`${counted(count, "scenario")} ${outcome === "errored" ? "errored" : count === 1 ? `was ${outcome}` : `were ${outcome}`}`);
  }
  if (!scenarios.some(({ trials }) => trials.passed + trials.scored + trials.failed > 0)) faults.push("it has no scored trial");
  return faults;
}

/** What the store knows of how it came about. */
function placeFaults({ selected, invocation }: StoredRun): readonly string[] {
  return [...(selected ? ["it holds only a selection of its suite"] : []), ...(invocation.dirty === true ? ["the work tree was not clean"] : [])];
}

function refuse(acceptances: readonly Acceptance[], flags: FlagValues, { cwd }: Desk): void {
  const [forced, reason] = [flags["force"] === true, flags["reason"] as string | undefined];
  if (reason?.trim() === "") throw new EntailError("usage_invalid", "--reason takes a text that says why");
  const refused = acceptances.filter(({ over, worse }) => over.length > 0 && (!forced || (worse && reason === undefined)));
  if (refused.length === 0) return;
  const faults = refused.map(({ run, over, file }) => `${run.suiteId} is not accepted into ${displayPath(file, cwd)}: ${over.join(", ")}`);
  const mend = refused.some(({ worse }) => worse) ? "--force and --reason accept it all the same, and the reason is kept in the file" : "--force accepts it all the same";
  throw new EntailError("baseline_refused", `${faults.join("; ")} (${mend})`);
}
