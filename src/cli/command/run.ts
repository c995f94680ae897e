// Owns the verb `run`, and the run of an eval file that is its own command: from flags to exit code.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { EntailError } from "../../core/error.ts";
import type { FlagValues } from "../command-line.ts";
import { type Desk, writeJson } from "../desk.ts";
import { exitCodeOf } from "../exit-code.ts";
import { EVAL_FILE, findFiles } from "../find-files.ts";
import type { Loader } from "../flag.ts";
import type { Namespace } from "../loading/load-module.ts";
import { brokenFile, checkSuiteIds, evaluationsOf, type LoadedEvaluation, type LoadedFiles, loadEvaluations } from "../load-evaluations.ts";
import { displayPath } from "../path.ts";
import { openProject, type Project } from "../project.ts";
import { errorBody, type InvocationReport } from "../report-parts.ts";
import type { Problem } from "../problem.ts";
import { keepHeapSmall } from "../process/heap.ts";
import { listenForInterrupt } from "../process/interrupt.ts";
import type { Watchdog } from "../process/watchdog.ts";
import { openReportFile } from "../report-file.ts";
import { type RanSuite, type RunFlags, runSuites } from "../run-suites.ts";
import { checkSelectors, type Selectors, selectSuites } from "../selection.ts";
import { type ReportTargets, writeReport, writeReportNow } from "../write-report.ts";

export type RunTarget = { readonly kind: "paths"; readonly operands: readonly string[] } | { readonly kind: "direct"; readonly script: string };

/** Returns the exit code; throws an `EntailError` for what is wrong before anything runs. `watchdog` was started before this file was loaded, which hides the time it takes to begin. */
export async function run(target: RunTarget, flags: FlagValues, desk: Desk, watchdog: Watchdog): Promise<number> {
  const started = desk.clock.elapsed();
  const selectors = selectorsOf(flags);
  checkSelectors(selectors);
  const { project, evaluations, problems } = await loadAll(target, flags, desk);
  if (evaluations.length === 0) return tellNothing(problems, flags, desk);
  const { suites, left } = selectSuites(evaluations, ({ options }) => options.suite, selectors);
  for (const { file, options } of left) desk.view.note(`suite ${options.suite.id} (${displayPath(file, desk.cwd)}) has nothing that was selected, so it is not run`);
  if (flags["list"] === true) {
    await (await import("../suite-list.ts")).writeSuiteList(suites.map(({ item, scenarios }) => ({ file: item.file, suite: item.options.suite, scenarios })), flags, desk);
    return problems.length > 0 ? 2 : 0;
  }
  await checkDigests(project, suites.map(({ item }) => item), desk);
  keepHeapSmall(suites.reduce((sum, { scenarios }) => sum + scenarios.length, 0));

  const shown = flags["output"] as string | undefined;
  const file = shown === undefined ? undefined : openReportFile(resolve(desk.cwd, shown), shown);
  // Where the process ends without a report, what was there before stays.
  process.once("exit", () => file?.abandon());
  const targets: ReportTargets = { file, standardOutput: target.kind === "direct" || flags["json"] === true || !desk.output.isTerminal };
  const interrupt = listenForInterrupt({ first: desk.view.interrupted, second: desk.guard.end });
  const reportOf = (runs: readonly RanSuite[], all: readonly Problem[]): InvocationReport => ({ runs, problems: all, warnings: desk.warnings, mask: desk.mask });
  const codeOf = (runs: readonly RanSuite[], all: readonly Problem[]): number => exitCodeOf({ interrupted: interrupt.exitCode(), problems: all.length, runs });
  const finish = (ran: readonly RanSuite[], broken: number, exitCode: number, written: boolean): void =>
    desk.view.finish({
      suites: ran,
      broken,
      stopped: interrupt.exitCode() === undefined ? undefined : interrupt.exitCode() === 130 ? "interrupted" : "terminated",
      exitCode,
      durationMs: desk.clock.elapsed() - started,
      strict: ran.some((suite) => suite.strict),
      output: written ? shown : undefined,
    });

  watchdog.arm(interrupt.listenAgain);
  const { ran, problems: unrun } = await runSuites({
    suites: suites.map(({ item, selection, scenarios }) => ({ ...item, selection, scenarios })),
    flags: runFlagsOf(flags, selectors),
    config: project.config,
    signal: interrupt.signal,
    desk,
    watchdog,
    hopeless(cutShort) {
      desk.view.rest();
      writeReportNow(reportOf(cutShort, problems), targets, desk);
      const exitCode = codeOf(cutShort, problems);
      finish(cutShort, problems.length, exitCode, true);
      desk.guard.end(exitCode);
    },
  });
  watchdog.disarm();
  for (const problem of unrun) desk.view.problem(problem);
  const all = [...problems, ...unrun];
  desk.view.rest();
  const unwritten = await writeReport(reportOf(ran, all), targets, desk);
  for (const { close } of ran) close();
  interrupt.close();
  const exitCode = unwritten === undefined || interrupt.exitCode() !== undefined ? codeOf(ran, all) : 2;
  finish(ran, all.length, exitCode, unwritten === undefined);
  if (unwritten !== undefined) desk.view.problem(unwritten);
  return exitCode;
}

/** The project, its evaluations, and the files that cannot be run, each of which was told. */
export async function loadAll(target: RunTarget, flags: FlagValues, desk: Desk): Promise<LoadedFiles & { readonly project: Project }> {
  const { cwd, env, view } = desk;
  const project = await openProject({ cwd, env, configPath: flags["config"] as string | undefined, envFile: flags["envFile"] as string | undefined, loader: (flags["loader"] as Loader | undefined) ?? "auto" });
  const { config } = project;
  if (config.secrets !== undefined) desk.keepSecret(config.secrets);
  const named = config.reporters?.find((reporter) => typeof reporter === "string");
  if (named === "terminal" || named === "plain" || named === "none") desk.useReporter(named);
  const loaded = target.kind === "direct" ? await loadScript(target.script, desk) : await loadEvaluations(findEvalFiles(target.operands, project), project.modules, cwd, (file) => view.phase(`loading ${file}`));
  view.phase(undefined);
  for (const problem of loaded.problems) view.problem(problem);
  checkSuiteIds(loaded.evaluations, cwd);
  return { project, ...loaded };
}

function findEvalFiles(operands: readonly string[], { cwd, root, config }: Project): readonly string[] {
  const configured = typeof config.evals === "string" ? [config.evals] : config.evals;
  const [targets, from] = operands.length > 0 ? [operands, cwd] : [configured ?? ["."], root];
  const { found, missing } = findFiles(targets, { from, named: EVAL_FILE });
  if (operands.length + (configured?.length ?? 0) > 0 && missing[0] !== undefined) throw new EntailError("eval_file_not_found", `${JSON.stringify(missing[0])} leads to no eval file: they are named *.eval.ts, .mts, .js or .mjs`);
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
  return { evaluations: evaluationsOf(namespace, file, name), problems: [] };
}

async function tellNothing(problems: readonly Problem[], flags: FlagValues, desk: Desk): Promise<number> {
  const [first] = problems;
  if (first === undefined) throw new EntailError("nothing_to_run", "there is nothing to run");
  if (flags["json"] === true) await writeJson({ error: errorBody(first), ...(problems.length > 1 && { errors: problems.map(errorBody) }) }, desk);
  return 2;
}

async function checkDigests(project: Project, evaluations: readonly LoadedEvaluation[], desk: Desk): Promise<void> {
  const generated = evaluations.map(({ options }) => options.suite).filter((suite) => suite.digest !== undefined);
  if (generated.length === 0) return;
  const { checkGenerated } = await import("../stale-suites.ts");
  const unheld = await checkGenerated(project, generated);
  if (unheld.length > 0) desk.view.note(`no design holds the generated ${unheld.length === 1 ? "suite" : "suites"} ${unheld.join(", ")}, so nothing says whether the code in gen/ is up to date`);
}

function runFlagsOf(flags: FlagValues, { excludeTags }: Selectors): RunFlags {
  return {
    excludeTags,
    maxConcurrency: flags["maxConcurrency"] as number | undefined,
    trials: flags["trials"] as number | undefined,
    retries: flags["retries"] as number | undefined,
    timeoutMs: flags["timeout"] as number | undefined,
    strict: flags["strict"] as true | undefined,
    bail: flags["bail"] as number | undefined,
    maxTimeMs: flags["maxTime"] as number | undefined,
  };
}

export function selectorsOf(flags: FlagValues): Selectors {
  const values = (member: string): readonly string[] => (flags[member] as readonly string[] | undefined) ?? [];
  return { scenarios: values("scenario"), tags: values("tag"), excludeTags: values("excludeTag") };
}
