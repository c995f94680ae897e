// Owns the verb `resume`: an invocation that did not come to its end goes on, as the command that began it said.

import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve as resolvePath } from "node:path";
import { EntailError } from "../../core/error.ts";
import type { Invocation, Store, StoredRun } from "../../core/store.ts";
import type { ScenarioReport } from "../../core/report.ts";
import { type CommandLine, type FlagValues, readCommandLine } from "../command-line.ts";
import { lazyStore } from "../compared-run.ts";
import type { Desk } from "../desk.ts";
import { exitCodeOf } from "../exit-code.ts";
import { isGone, newHolder } from "../holder.ts";
import type { LoadedEvaluation } from "../load-evaluations.ts";
import { displayPath } from "../path.ts";
import type { Watchdog } from "../process/watchdog.ts";
import type { Project } from "../project.ts";
import { findInvocation, hasUnbegun, isUnfinished } from "../resuming/find-unfinished.ts";
import { resumeSuite } from "../resuming/resumed-suite.ts";
import { currentSubject, keepInvocation } from "../run-store.ts";
import type { RanSuite, SuiteToRun } from "../run-suites.ts";
import { selectSuites } from "../selection.ts";
import { headOf, scenariosOf } from "../stored-run.ts";
import { chooseVariants } from "../variants.ts";
import { projectOf } from "./compare.ts";
import { checkDigests, comparisonOf, loadAll, perform, runFlagsOf, selectorsOf, takenError } from "./run.ts";
import { variantsOf } from "../../core/variant.ts";

/** Returns the exit code. Throws `run_unknown`, `run_held`, `run_not_resumable`, and what a run cannot begin for. */
export async function resume(operands: readonly string[], given: FlagValues, desk: Desk, watchdog: Watchdog): Promise<number> {
  const started = desk.clock.elapsed();
  const [name, ...more] = operands;
  if (more.length > 0) throw new EntailError("usage_invalid", "resume takes one run, or none for the latest that did not come to its end");
  const home = await projectOf(given, desk);
  const opened = lazyStore(given, home);
  try {
    const store = await opened.open();
    const { invocation, runs, all } = await findInvocation(name, store);
    const unbegun = runs.length === all.length && hasUnbegun(invocation, all);
    if (!unbegun && !runs.some(isUnfinished)) return nothingToDo(invocation, runs, desk);
    const line = lineOf(invocation, runs);
    for (const file of spilled(store.url)) desk.view.warning({ code: "store_unwritable", message: `${displayPath(file, desk.cwd)} holds results that the store did not take: npx entail import takes them, before a run goes on that they may be of` });
    const holder = newHolder(desk.clock.now());
    const by = await store.holdInvocation(invocation.id, holder, (current) => isGone(current, desk.clock.now()));
    if (by !== undefined) throw new EntailError("run_held", `${shown(runs)} is being run by process ${by.pid} on ${by.host}, last heard of at ${by.seenAt}: wait for its end, or end it first`);
    let held = true;
    try {
      const cwd = existsSync(invocation.cwd) ? invocation.cwd : desk.cwd;
      const flags = flagsOf(line.flags, given, desk.cwd);
      if (cwd !== desk.cwd) process.chdir(cwd);
      const own: Desk = { ...desk, cwd };
      const root = typeof flags["config"] === "string" ? dirname(resolvePath(cwd, flags["config"])) : home.root;
      const loaded = await loadAll({ kind: "paths", operands: unbegun ? line.operands : filesOf(runs, root) }, flags, own);
      const { project, evaluations, problems } = loaded;
      await checkDigests(project, evaluations, own);
      const runFlags = runFlagsOf(flags, selectorsOf(flags));
      const taken = new AbortController();
      const suites: SuiteToRun[] = [];
      for (const run of runs.filter(isUnfinished)) suites.push(await goesOn(run, evaluations, { store, project, flags, root, desk: own }));
      if (unbegun) suites.push(...begins(evaluations, all, flags));
      const before = await Promise.all(runs.filter((run) => !isUnfinished(run)).map((run) => ended(run, store, own)));
      const compare = await comparisonOf({ flags: runs.length === all.length ? flags : { ...flags, matrix: undefined }, project, desk: own, suites: suites.map((suite) => ({ options: suite.options })), left: [], whole: false });
      const measurements = project.config.measurements === undefined ? [] : (await import("../judging/kept-measurements.ts")).keptMeasurements(project);
      const kept = keepInvocation({ store, invocation: { ...invocation, holder, exitCode: undefined }, holder, onLost: (other) => taken.abort(takenError(other)) }, project, own);
      held = false;
      return await perform({ suites, before, order: runs.map(({ runId }) => runId), problems, project, flags, runFlags, store: kept, measurements, compare, started, desk: own, watchdog, taken: taken.signal, direct: false });
    } finally {
      // What could not go on may be tried again.
      if (held) await store.beginInvocation(invocation);
    }
  } finally {
    await opened.close();
  }
}

/** Spill files beside the store. */
function spilled(url: string): readonly string[] {
  const file = url.replace(/^sqlite:/, "");
  try {
    return readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.spill-`)).map((name) => join(dirname(file), name));
  } catch {
    return [];
  }
}

function shown(runs: readonly StoredRun[]): string {
  return `run ${runs.map(({ ordinal }) => `#${ordinal}`).join(", ")}`;
}

/** The command that began it. */
function lineOf(invocation: Invocation, runs: readonly StoredRun[]): Extract<CommandLine, { kind: "verb" }> {
  const { command } = invocation;
  const name = shown(runs);
  if (command[0] === "rejudge") throw new EntailError("run_not_resumable", `${name} was made by entail rejudge, which runs no agent: begin that again`);
  const line = command[0] === "run" ? readCommandLine(command, () => "") : undefined;
  if (line?.kind !== "verb") throw new EntailError("run_not_resumable", `${name} was not begun by entail run, so nothing says how it goes on: run its suite again`);
  return line;
}

/** Of no use a second time, or said by `resume` itself. */
const LEFT_OUT = ["watch", "list", "store", "failed"] as const;

function flagsOf(first: FlagValues, given: FlagValues, cwd: string): FlagValues {
  const kept = Object.fromEntries(Object.entries(first).filter(([member]) => !(LEFT_OUT as readonly string[]).includes(member)));
  const paths = ["config", "envFile", "output", "junit"].flatMap((member) => (typeof given[member] === "string" ? [[member, resolvePath(cwd, given[member])]] : []));
  return { ...kept, ...given, ...Object.fromEntries(paths) as FlagValues };
}

function filesOf(runs: readonly StoredRun[], root: string): readonly string[] {
  return [...new Set(runs.filter(isUnfinished).map((run) => {
    if (run.file === undefined) throw new EntailError("run_not_resumable", `${shown([run])} names no eval file, so nothing says how it goes on: run its suite again`);
    return resolvePath(root, run.file);
  }))];
}

interface Surroundings {
  readonly store: Store;
  readonly project: Project;
  readonly flags: FlagValues;
  readonly root: string;
  readonly desk: Desk;
}

async function goesOn(run: StoredRun, evaluations: readonly LoadedEvaluation[], { store, project, flags, root, desk }: Surroundings): Promise<SuiteToRun> {
  const evaluation = evaluations.find(({ options }) => options.suite.id === run.suiteId);
  if (evaluation === undefined) throw new EntailError("run_not_resumable", `${shown([run])} is of the suite ${JSON.stringify(run.suiteId)}, which ${run.file ?? "its eval file"} no longer has`);
  const { options, file } = evaluation;
  const variant = run.variant === undefined ? undefined : variantsOf(options.variants ?? {}, "evaluation()").find((each) => each.name === run.variant);
  if (run.variant !== undefined && variant === undefined) throw new EntailError("run_not_resumable", `${shown([run])} is of the variant ${run.variant}, which ${displayPath(file, desk.cwd)} no longer names`);
  const all = options.suite.scenarios;
  const selected = run.selected ? new Set((await store.planned(run.runId)).map(({ id }) => id)) : undefined;
  const scenarios = selected === undefined ? all : all.filter(({ id }) => selected.has(id));
  if (scenarios.length === 0) throw new EntailError("run_not_resumable", `${shown([run])}: none of its scenarios is left in the suite ${JSON.stringify(run.suiteId)}`);
  const { earlier, said, elapsedMs } = await resumeSuite({
    run,
    store,
    scenarios,
    trials: (flags["trials"] as number | undefined) ?? options.trials,
    variant,
    subject: options.subject ?? (await currentSubject(root, file)),
    judge: options.judge ?? project.config.judge,
    now: desk.clock.now(),
  });
  desk.view.note(said);
  await store.putEvent(run.runId, { at: new Date(desk.clock.now()).toISOString(), type: "resumed", body: { message: said, elapsedMs } });
  return { ...evaluation, selection: selected === undefined ? { kind: "all" } : { kind: "scenarios", ids: scenarios.map(({ id }) => id) }, scenarios, variant, earlier };
}

/** Suites that the command was to run, and had not begun. */
function begins(evaluations: readonly LoadedEvaluation[], begun: readonly StoredRun[], flags: FlagValues): readonly SuiteToRun[] {
  const { suites } = selectSuites(evaluations, ({ options }) => options.suite, selectorsOf(flags));
  const chosen = chooseVariants(suites, ({ item }) => item.options, { matrix: flags["matrix"] === true, named: (flags["variant"] as readonly string[] | undefined) ?? [] });
  return chosen
    .filter(({ item: { item }, variant }) => !begun.some((run) => run.suiteId === item.options.suite.id && run.variant === variant?.name))
    .map(({ item: { item, selection, scenarios }, variant }) => ({ ...item, selection, scenarios, variant }));
}

/** A run of the invocation that had come to its end. */
async function ended(run: StoredRun, store: Store, desk: Desk): Promise<RanSuite> {
  const scenarios: ScenarioReport[] = [];
  for await (const report of scenariosOf(run, store)) scenarios.push(report);
  desk.view.note(`run #${run.ordinal} of ${run.suiteId} had come to its end`);
  return { file: run.file ?? "", head: headOf(run), strict: run.strict, data: isOfData(run), scenarios: () => scenarios, close: () => {} };
}

/** With scores that miss their threshold a strict run passes only by the verdict of its data. */
function isOfData({ strict, head }: StoredRun): boolean {
  return strict && head?.passed === true;
}

/** What was asked for is there already: the code is the one of then. */
function nothingToDo(invocation: Invocation, runs: readonly StoredRun[], desk: Desk): number {
  desk.view.note(`there is nothing to do: ${shown(runs)} came to ${runs.length === 1 ? "its" : "their"} end`);
  return invocation.exitCode ?? exitCodeOf({ interrupted: undefined, problems: 0, runs: runs.map((run) => ({ head: headOf(run), strict: run.strict, data: isOfData(run) })) });
}
