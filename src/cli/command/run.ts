// Owns the verb `run`, and the run of an eval file that is its own command: from flags to exit code.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { EntailError } from "../../core/error.ts";
import type { Holder, JudgeMeasurement } from "../../core/store.ts";
import type { Variant } from "../../core/variant.ts";
import type { FlagValues } from "../command-line.ts";
import { type Desk, writeJson } from "../desk.ts";
import { exitCodeOf } from "../exit-code.ts";
import { EVAL_FILE, findFiles } from "../find-files.ts";
import type { Loader } from "../flag.ts";
import type { Namespace } from "../loading/load-module.ts";
import { brokenFile, checkSuiteIds, evaluationsOf, type LoadedEvaluation, type LoadedFiles, loadEvaluations } from "../load-evaluations.ts";
import { displayPath } from "../path.ts";
import { maskedJson } from "../../report/form.ts";
import { openProject, type Project } from "../project.ts";
import { errorBody, type InvocationReport } from "../report-parts.ts";
import type { Problem } from "../problem.ts";
import { keepHeapSmall } from "../process/heap.ts";
import { listenForInterrupt } from "../process/interrupt.ts";
import type { Watchdog } from "../process/watchdog.ts";
import { openReportFile } from "../report-file.ts";
import type { ReporterName } from "../reporters.ts";
import type { PreparedComparison, RunComparison, RunComparisonOptions } from "../run-comparison.ts";
import type { RunStore } from "../run-store.ts";
import { type RanSuite, type RunFlags, runSuites, type SuiteToRun } from "../run-suites.ts";
import { storePlace } from "../store-place.ts";
import { checkSelectors, type Selectors, selectSuites } from "../selection.ts";
import { WATCH_VARIABLE } from "../watch/watch-order.ts";
import type { Watched } from "../watch/watched.ts";
import { type ReportTargets, writeReport, writeReportNow } from "../write-report.ts";

export type RunTarget = { readonly kind: "paths"; readonly operands: readonly string[] } | { readonly kind: "direct"; readonly script: string };

/** Returns the exit code; throws an `EntailError` for what is wrong before anything runs. `watchdog` was started before this file was loaded, which hides the time it takes to begin. */
export async function run(target: RunTarget, flags: FlagValues, desk: Desk, watchdog: Watchdog): Promise<number> {
  const started = desk.clock.elapsed();
  const watched = WATCH_VARIABLE in desk.env ? (await import("../watch/watched.ts")).beWatched(desk.env, desk.cwd) : undefined;
  if (flags["watch"] === true && flags["list"] !== true && watched === undefined) return watch(target, flags, desk);
  const selectors = selectorsOf(flags, watched?.scenarios);
  checkSelectors(selectors);
  const runFlags = runFlagsOf(flags, selectors);
  // Loaded while the eval files are, which takes longer.
  const storing = flags["list"] === true || flags["store"] === false ? undefined : Promise.all([import("../run-store.ts"), import("../../store/sqlite-store.ts")]);
  storing?.catch(() => {});
  const { project, evaluations, problems } = await loadAll(target, flags, desk, (files) => watched?.choose(files) ?? files);
  if (evaluations.length === 0) return tellNothing(problems, flags, desk);
  const failed = flags["failed"] === true ? await (await import("../failed-runs.ts")).chooseFailed({ evaluations, flags, project, desk, whole: target.kind === "paths" && target.operands.length === 0 }) : undefined;
  if (failed !== undefined && "exitCode" in failed) return failed.exitCode;
  const { suites, left } = failed ?? selectSuites(evaluations, ({ options }) => options.suite, selectors);
  for (const { file, options } of left) desk.view.note(`suite ${options.suite.id} (${displayPath(file, desk.cwd)}) has nothing that was selected, so it is not run`);
  if (flags["list"] === true) {
    await (await import("../suite-list.ts")).writeSuiteList(suites.map(({ item, scenarios }) => ({ file: item.file, suite: item.options.suite, scenarios })), flags, desk);
    return problems.length > 0 ? 2 : 0;
  }
  await checkDigests(project, suites.map(({ item }) => item), desk);
  const chosen = failed?.chosen ?? (await variantsOf(suites, flags));
  const compare = await comparisonOf({ flags, project, desk, suites: suites.map(({ item }) => item), left: left.map(({ options }) => options.suite.id), whole: isWhole(target, selectors) && problems.length === 0 });
  const measurements = project.config.measurements === undefined ? [] : (await import("../judging/kept-measurements.ts")).keptMeasurements(project);
  const place = storePlace(flags, project);
  const words = process.argv.slice(2);
  const command = target.kind === "direct" ? ["run", target.script, ...words] : words;
  const taken = new AbortController();
  const store = storing === undefined || place === undefined ? undefined : await (await storing)[0].openRunStore(place, project, { command, runs: chosen.length, onLost: (by) => taken.abort(takenError(by)) }, desk);
  return perform({
    suites: chosen.map(({ item: { item, selection, scenarios }, variant }) => ({ ...item, selection, scenarios, variant })),
    problems, project, flags, runFlags, store, measurements, compare, watched, started, desk, watchdog, taken: taken.signal,
    direct: target.kind === "direct",
  });
}

export interface Performance {
  readonly suites: readonly SuiteToRun[];
  /** What the report has beside them: runs that had come to their end before. */
  readonly before?: readonly RanSuite[] | undefined;
  /** The ids of all runs in the order of the report; new ones come last. */
  readonly order?: readonly string[] | undefined;
  /** Files that cannot be run. */
  readonly problems: readonly Problem[];
  readonly project: Project;
  readonly flags: FlagValues;
  readonly runFlags: RunFlags;
  readonly store: RunStore | undefined;
  readonly measurements: readonly JudgeMeasurement[];
  readonly compare?: PreparedComparison | undefined;
  readonly watched?: Watched | undefined;
  /** On the desk's clock. */
  readonly started: number;
  readonly desk: Desk;
  readonly watchdog: Watchdog;
  /** Aborted where another process has taken the runs. */
  readonly taken: AbortSignal;
  /** The report goes to standard output on a terminal too. */
  readonly direct: boolean;
}

/** Runs suites, whoever chose them, writes their report where the flags say, and returns the exit code. */
export async function perform({ suites, before = [], order = [], problems, project, flags, runFlags, store, measurements, compare, watched, started, desk, watchdog, taken, direct }: Performance): Promise<number> {
  keepHeapSmall(suites.reduce((sum, { scenarios }) => sum + scenarios.length, 0));

  const shown = flags["output"] as string | undefined;
  const file = shown === undefined ? undefined : openReportFile(resolve(desk.cwd, shown), shown);
  const junit = flags["junit"] as string | undefined;
  if (shown !== undefined && junit !== undefined && resolve(desk.cwd, shown) === resolve(desk.cwd, junit)) {
    file?.abandon();
    throw new EntailError("usage_invalid", `--output and --junit cannot both write ${shown}: name two files`);
  }
  const junitFile = junit === undefined ? undefined : openReportFile(resolve(desk.cwd, junit), junit);
  // Where the process ends without a report, what was there before stays.
  process.once("exit", () => {
    file?.abandon();
    junitFile?.abandon();
  });
  const others: ReportTargets["others"] = junitFile === undefined ? [] : [{ file: junitFile, chunks: (await import("../junit-chunks.ts")).junitChunks }];
  const reporters = desk.reporters();
  const standardOutput = !reporters.jsonl && (direct || flags["json"] === true || !desk.output.isTerminal);
  const targets: ReportTargets = { file, standardOutput, others };
  if (reporters.jsonl) for (const problem of problems) await desk.output.write(`${JSON.stringify(maskedJson({ type: "problem", ...errorBody(problem) }, desk.mask))}\n`).catch(() => {});
  const interrupt = listenForInterrupt({ first: desk.view.interrupted, second: desk.guard.end });
  let compared: RunComparison = {};
  const reportOf = (runs: readonly RanSuite[], all: readonly Problem[]): InvocationReport => ({ runs, problems: all, warnings: desk.warnings, mask: desk.mask, compared });
  const codeOf = (runs: readonly RanSuite[], all: readonly Problem[]): number => exitCodeOf({ interrupted: interrupt.exitCode(), problems: all.length, gate: compared.comparison?.gate.exitCode, runs });
  const finish = (ran: readonly RanSuite[], broken: number, exitCode: number, written: boolean): void =>
    desk.view.finish({
      suites: ran,
      broken,
      stopped: interrupt.exitCode() === undefined ? undefined : interrupt.exitCode() === 130 ? "interrupted" : "terminated",
      exitCode,
      durationMs: desk.clock.elapsed() - started,
      strict: ran.some((suite) => suite.strict),
      output: written ? shown : undefined,
      junit: written ? junit : undefined,
      compared: compare?.ending(compared),
    });

  watchdog.arm(interrupt.listenAgain);
  const { ran: ranNow, problems: unrun } = await runSuites({
    suites,
    flags: runFlags,
    config: project.config,
    signal: AbortSignal.any([interrupt.signal, taken]),
    desk,
    watchdog,
    store,
    measurements,
    hopeless(cutShort) {
      compared = compare?.of(cutShort) ?? {};
      desk.view.rest();
      writeReportNow(reportOf(cutShort, problems), targets, desk);
      const exitCode = codeOf(cutShort, problems);
      finish(cutShort, problems.length, exitCode, true);
      void store?.end(exitCode);
      desk.guard.end(exitCode);
    },
  });
  watchdog.disarm();
  const placeOf = ({ head }: RanSuite): number => (order.includes(head.runId ?? "") ? order.indexOf(head.runId ?? "") : order.length);
  const ran = [...before, ...ranNow].toSorted((a, b) => placeOf(a) - placeOf(b));
  compared = compare?.of(ran) ?? {};
  const keeping = store?.settle();
  for (const problem of unrun) desk.view.problem(problem);
  const all = [...problems, ...unrun];
  desk.view.rest();
  const unwritten = await writeReport(reportOf(ran, all), targets, desk);
  const untold = reporters.github && !(await import("../github-job.ts")).writeGithubJob(ran.map((each, at) => (at === 0 ? { ...each, comparison: compared.comparison } : each)), all, desk);
  watched?.ended(ran);
  for (const { close } of ran) close();
  await keeping;
  interrupt.close();
  const exitCode = unwritten === undefined || interrupt.exitCode() !== undefined ? codeOf(ran, all) : 2;
  // A reporter that failed keeps a run from being concluded, and from nothing worse.
  const ended = untold && exitCode === 0 ? 3 : exitCode;
  const ending = store?.end(ended);
  finish(ran, all.length, exitCode, unwritten === undefined);
  if (interrupt.exitCode() !== undefined && store !== undefined) desk.view.note("what finished is stored: npx entail resume runs the rest");
  if (unwritten !== undefined) desk.view.problem(unwritten);
  await ending;
  return ended;
}

export function takenError({ pid, host }: Holder): EntailError {
  return new EntailError("cancelled", `another process, ${pid} on ${host}, goes on with this run`);
}

async function watch(target: RunTarget, flags: FlagValues, desk: Desk): Promise<number> {
  const { mainOf, watchRun, wordsOf } = await import("../watch/watch-run.ts");
  const { ownPackage } = await import("../own-package.ts");
  const own = target.kind === "direct" ? { script: target.script, main: mainOf(ownPackage().root) } : undefined;
  const { scenarios, tags } = selectorsOf(flags);
  // Nothing of the user's ran in this process, so there is nothing to wait for.
  return desk.guard.end(await watchRun({ words: wordsOf(process.argv, own), selected: scenarios.length + tags.length > 0, desk }));
}

/** What the run is held against; loaded only where it is asked for. */
export async function comparisonOf(options: RunComparisonOptions): Promise<PreparedComparison | undefined> {
  const { flags } = options;
  if (["baseline", "matrix", "margin", "level"].every((member) => flags[member] === undefined)) return undefined;
  return (await import("../run-comparison.ts")).prepareComparison(options);
}

/** Whether nothing was left out by whoever gave the command, so that a baseline without its suite is a suite that is gone. */
function isWhole(target: RunTarget, { scenarios, tags, excludeTags }: Selectors): boolean {
  return target.kind === "paths" && target.operands.length + scenarios.length + tags.length + excludeTags.length === 0;
}

async function variantsOf<Item extends { readonly item: LoadedEvaluation }>(suites: readonly Item[], flags: FlagValues): Promise<readonly { readonly item: Item; readonly variant?: Variant | undefined }[]> {
  const selection = { matrix: flags["matrix"] === true, named: (flags["variant"] as readonly string[] | undefined) ?? [] };
  if (!selection.matrix && selection.named.length === 0 && suites.every(({ item }) => item.options.variants === undefined)) return suites.map((item) => ({ item }));
  return (await import("../variants.ts")).chooseVariants(suites, ({ item }) => item.options, selection);
}

/** The project, its evaluations, and the files that cannot be run, each of which was told. `choose` says which of the files found are loaded. */
export async function loadAll(target: RunTarget, flags: FlagValues, desk: Desk, choose: (files: readonly string[]) => readonly string[] = (files) => files): Promise<LoadedFiles & { readonly project: Project }> {
  const { cwd, env, view } = desk;
  const project = await openProject({ cwd, env, configPath: flags["config"] as string | undefined, envFile: flags["envFile"] as string | undefined, loader: (flags["loader"] as Loader | undefined) ?? "auto" });
  const { config } = project;
  if (config.secrets !== undefined) desk.keepSecret(config.secrets);
  // The configuration was checked: a text is a name.
  desk.useReporters((config.reporters ?? []).filter((reporter) => typeof reporter === "string") as readonly ReporterName[]);
  const loaded = target.kind === "direct" ? await loadScript(target.script, desk) : await loadEvaluations(choose(findEvalFiles(target.operands, project)), project.modules, cwd, (file) => view.phase(`loading ${file}`));
  view.phase(undefined);
  for (const problem of loaded.problems) view.problem(problem);
  checkSuiteIds(loaded.evaluations, cwd);
  return { project, ...loaded };
}

function findEvalFiles(operands: readonly string[], { cwd, root, config }: Project): readonly string[] {
  const configured = typeof config.evals === "string" ? [config.evals] : config.evals;
  const [targets, from] = operands.length > 0 ? [operands, cwd] : [configured ?? ["."], root];
  const { found, missing } = findFiles(targets, { from, named: EVAL_FILE });
  if (operands.length + (configured?.length ?? 0) > 0 && missing[0] !== undefined) throw new EntailError("eval_file_not_found", `${JSON.stringify(missing[0])} leads to no eval file: ${EVAL_FILE.test(missing[0]) ? "there is no file of that name" : "they are named *.eval.ts, .mts, .js or .mjs"}`);
  if (found.length === 0) throw new EntailError("eval_file_not_found", `there is no eval file in ${displayPath(root, cwd)}: they are named *.eval.ts, and npx entail example writes one for each suite of a design`);
  return found;
}

async function loadScript(script: string, { cwd }: Desk): Promise<LoadedFiles> {
  const file = resolve(cwd, script);
  const name = displayPath(file, cwd);
  const { realpathSync } = await import("node:fs");
  let namespace: Namespace;
  try {
    // The very instance that is running already; Node resolves a link as it did for the process.
    namespace = (await import(pathToFileURL(realpathSync(file)).href)) as Namespace;
  } catch (cause) {
    throw brokenFile(cause, file, name);
  }
  return { evaluations: await evaluationsOf(namespace, file, name), problems: [] };
}

async function tellNothing(problems: readonly Problem[], flags: FlagValues, desk: Desk): Promise<number> {
  const [first] = problems;
  if (first === undefined) throw new EntailError("nothing_to_run", "there is nothing to run");
  if (desk.reporters().github) (await import("../github-job.ts")).writeGithubJob([], problems, desk);
  if (flags["json"] === true) await writeJson({ error: errorBody(first), ...(problems.length > 1 && { errors: problems.map(errorBody) }) }, desk);
  return 2;
}

export async function checkDigests(project: Project, evaluations: readonly LoadedEvaluation[], desk: Desk): Promise<void> {
  const generated = evaluations.map(({ options }) => options.suite).filter((suite) => suite.digest !== undefined);
  if (generated.length === 0) return;
  const { checkGenerated } = await import("../stale-suites.ts");
  const unheld = await checkGenerated(project, generated);
  if (unheld.length > 0) desk.view.note(`no design holds the generated ${unheld.length === 1 ? "suite" : "suites"} ${unheld.join(", ")}, so nothing says whether the code in gen/ is up to date`);
}

export function runFlagsOf(flags: FlagValues, { excludeTags }: Selectors): RunFlags {
  return {
    excludeTags,
    maxConcurrency: flags["maxConcurrency"] as number | undefined,
    trials: flags["trials"] as number | undefined,
    retries: flags["retries"] as number | undefined,
    timeoutMs: flags["timeout"] as number | undefined,
    strict: flags["strict"] as true | undefined,
    bail: flags["bail"] as number | undefined,
    maxTimeMs: flags["maxTime"] as number | undefined,
    maxCost: flags["maxCost"] as number | undefined,
    maxTokens: flags["maxTokens"] as number | undefined,
    recordings: recordingsOf(flags),
  };
}

function recordingsOf({ record, replay }: FlagValues): RunFlags["recordings"] {
  if (record === true && replay === true) throw new EntailError("usage_invalid", "--record asks anew and --replay never asks: give one of them");
  return record === true ? "record" : replay === true ? "strict" : undefined;
}

/** `scenarios` beats what the flags select. */
export function selectorsOf(flags: FlagValues, scenarios?: readonly string[]): Selectors {
  const values = (member: string): readonly string[] => (flags[member] as readonly string[] | undefined) ?? [];
  return { scenarios: scenarios ?? values("scenario"), tags: scenarios === undefined ? values("tag") : [], excludeTags: values("excludeTag") };
}
