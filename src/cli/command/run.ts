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
import { checkSuiteIds, evaluationsOf, type LoadedEvaluation, type LoadedFiles, loadEvaluations } from "../load-evaluations.ts";
import { displayPath } from "../path.ts";
import { openProject, type Project } from "../project.ts";
import { errorBody, type InvocationReport, reportChunks } from "../report-parts.ts";
import { type Problem, problemOf } from "../problem.ts";
import { listenForInterrupt } from "../process/interrupt.ts";
import { startWatchdog, type Watchdog } from "../process/watchdog.ts";
import { openReportFile, type ReportFile } from "../report-file.ts";
import { type RanSuite, runSuites, type SuiteToRun } from "../run-suites.ts";
import { checkSelectors, type Selectors, selectSuites } from "../selection.ts";

export type RunTarget = { readonly kind: "paths"; readonly operands: readonly string[] } | { readonly kind: "direct"; readonly script: string };

/** Returns the exit code; throws an `EntailError` for what is wrong before anything runs. */
export async function run(target: RunTarget, flags: FlagValues, desk: Desk): Promise<number> {
  const started = desk.clock.elapsed();
  const selectors = selectorsOf(flags);
  checkSelectors(selectors);
  const watchdog = startWatchdog();
  const { project, evaluations, problems } = await loadAll(target, flags, desk);
  if (evaluations.length === 0) return tellNothing(problems, flags, desk);
  const { suites, left } = selectSuites(evaluations, ({ options }) => options.suite, selectors);
  for (const { file, options } of left) desk.view.note(`suite ${options.suite.id} (${displayPath(file, desk.cwd)}) has nothing that was selected, so it is not run`);
  if (flags["list"] === true) {
    await (await import("../suite-list.ts")).writeSuiteList(suites.map(({ item, scenarios }) => ({ file: item.file, suite: item.options.suite, scenarios })), flags, desk);
    return problems.length > 0 ? 2 : 0;
  }
  await checkDigests(project, suites.map(({ item }) => item), desk);

  const shown = flags["output"] as string | undefined;
  const file = shown === undefined ? undefined : openReportFile(resolve(desk.cwd, shown), shown);
  const toRun = suites.map(({ item, selection, scenarios }): SuiteToRun => ({ ...item, selection, scenarios }));
  const { ran, unrun, interrupted, concluded } = await runInterruptibly(toRun, project, flags, selectors, watchdog, desk);
  for (const problem of unrun) desk.view.problem(problem);
  const allProblems = [...problems, ...unrun];
  const codeSoFar = exitCodeOf({ interrupted: interrupted(), problems: allProblems.length, runs: ran });
  const report: InvocationReport = { runs: ran, problems: allProblems, warnings: desk.warnings, mask: desk.mask };
  desk.view.rest();
  const unwritten = await writeReport(report, file, target.kind === "direct" || flags["json"] === true || !desk.output.isTerminal, desk);
  for (const { close } of ran) close();
  concluded();
  const exitCode = unwritten === undefined || interrupted() !== undefined ? codeSoFar : 2;
  desk.view.finish({
    suites: ran,
    broken: allProblems.length,
    stopped: interrupted() === undefined ? undefined : interrupted() === 130 ? "interrupted" : "terminated",
    exitCode,
    durationMs: desk.clock.elapsed() - started,
    strict: ran.some((suite) => suite.strict),
    output: unwritten === undefined ? shown : undefined,
  });
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
  // The very instance that is running already; Node resolves a link as it did for the process.
  const namespace = (await import(pathToFileURL((await import("node:fs")).realpathSync(file)).href)) as Namespace;
  return { evaluations: evaluationsOf(namespace, file, displayPath(file, cwd)), problems: [] };
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

async function runInterruptibly(suites: readonly SuiteToRun[], project: Project, flags: FlagValues, selectors: Selectors, watchdog: Watchdog, desk: Desk): Promise<{ readonly ran: readonly RanSuite[]; readonly unrun: readonly Problem[]; readonly interrupted: () => number | undefined; readonly concluded: () => void }> {
  const interrupt = listenForInterrupt({
    first: (signal) => desk.view.interrupted(signal),
    second: (code) => desk.guard.end(code),
  });
  watchdog.arm(interrupt.listenAgain);
  const { ran, problems: unrun } = await runSuites({
    suites,
    flags: {
      excludeTags: selectors.excludeTags,
      maxConcurrency: flags["maxConcurrency"] as number | undefined,
      trials: flags["trials"] as number | undefined,
      retries: flags["retries"] as number | undefined,
      timeoutMs: flags["timeout"] as number | undefined,
      strict: flags["strict"] as true | undefined,
      bail: flags["bail"] as number | undefined,
      maxTimeMs: flags["maxTime"] as number | undefined,
    },
    config: project.config,
    signal: interrupt.signal,
    desk,
    watchdog,
  });
  watchdog.disarm();
  return { ran, unrun, interrupted: interrupt.exitCode, concluded: interrupt.close };
}

/** Writes to the file, then to standard output. Returns why it could not, where it could not. */
async function writeReport(report: InvocationReport, file: ReportFile | undefined, toOutput: boolean, desk: Desk): Promise<Problem | undefined> {
  let problem: Problem | undefined;
  let [fileOpen, outputOpen] = [file !== undefined, toOutput];
  const failed = (thrown: unknown): void => void (problem ??= problemOf(thrown, desk.cwd));
  for (const chunk of reportChunks(report)) {
    if (fileOpen) {
      try {
        file?.write(chunk);
      } catch (thrown) {
        fileOpen = false;
        file?.abandon();
        failed(thrown);
      }
    }
    if (outputOpen) {
      try {
        await desk.output.write(chunk);
      } catch (thrown) {
        outputOpen = false;
        // Who reads has enough, as `head` does: no mistake of anybody.
        if ((thrown as NodeJS.ErrnoException).code === "EPIPE") desk.view.note("standard output was closed before the whole report was written");
        else failed(new EntailError("output_unwritable", `the report cannot be written to standard output: ${(thrown as Error).message}`, { cause: thrown }));
      }
    }
    if (!fileOpen && !outputOpen) break;
  }
  try {
    if (fileOpen) file?.finish();
  } catch (thrown) {
    failed(thrown);
  }
  return problem;
}

export function selectorsOf(flags: FlagValues): Selectors {
  const values = (member: string): readonly string[] => (flags[member] as readonly string[] | undefined) ?? [];
  return { scenarios: values("scenario"), tags: values("tag"), excludeTags: values("excludeTag") };
}
