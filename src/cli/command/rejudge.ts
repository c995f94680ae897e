// Owns the verb `rejudge`: stored results judged again, as a new run, without the agent.

import { resolve as resolvePath } from "node:path";
import { EntailError } from "../../core/error.ts";
import type { Judge } from "../../core/judge.ts";
import type { Reporter } from "../../core/reporter.ts";
import type { Store, StoredRun } from "../../core/store.ts";
import type { Suite } from "../../core/suite.ts";
import { variantsOf } from "../../core/variant.ts";
import type { FlagValues } from "../command-line.ts";
import { findRuns, lazyStore } from "../compared-run.ts";
import type { Desk } from "../desk.ts";
import { newHolder } from "../holder.ts";
import { findJudge } from "../judging/find-judge.ts";
import type { Watchdog } from "../process/watchdog.ts";
import { randomBytes } from "../process/random-bytes.ts";
import type { Project } from "../project.ts";
import { labelChanges, type LabelChanges } from "../rejudging/label-changes.ts";
import { storedSuite } from "../rejudging/stored-suite.ts";
import { keepInvocation } from "../run-store.ts";
import type { SuiteToRun } from "../run-suites.ts";
import { createRunIds } from "../../run/run-id.ts";
import { readHead } from "../version-control.ts";
import { projectOf } from "./compare.ts";
import { loadAll, perform, runFlagsOf, selectorsOf, takenError } from "./run.ts";

/** Returns the exit code of the new run. Throws `run_unknown` or `judge_required`, and what its eval file cannot be loaded for. */
export async function rejudge(operands: readonly string[], flags: FlagValues, desk: Desk, watchdog: Watchdog): Promise<number> {
  const started = desk.clock.elapsed();
  const [name = "last", ...more] = operands;
  if (more.length > 0) throw new EntailError("usage_invalid", "rejudge takes one run, or none for the last");
  const project = await projectOf(flags, desk);
  const opened = lazyStore(flags, project);
  try {
    const store = await opened.open();
    const runs = await findRuns(name, store);
    const named = flags["judge"] === undefined ? undefined : await findJudge(flags, project);
    const suites: RejudgedSuite[] = [];
    for (const run of runs) suites.push(await rejudged(run, named, { store, project, flags, desk }));
    const holder = newHolder(desk.clock.now());
    const invocation = { id: createRunIds(Date.now, randomBytes)(), startedAt: new Date(desk.clock.now()).toISOString(), command: process.argv.slice(2), cwd: desk.cwd, runs: suites.length, holder, ...readHead(project.root) };
    await store.beginInvocation(invocation);
    const taken = new AbortController();
    const measurements = project.config.measurements === undefined ? [] : (await import("../judging/kept-measurements.ts")).keptMeasurements(project);
    const exitCode = await perform({
      suites: suites.map(({ suite }) => suite),
      problems: [],
      project,
      flags,
      runFlags: runFlagsOf(flags, selectorsOf(flags)),
      store: keepInvocation({ store, invocation, holder, onLost: (by) => taken.abort(takenError(by)) }, project, desk),
      measurements,
      started,
      desk,
      watchdog,
      taken: taken.signal,
      direct: false,
    });
    for (const { run, changes, newRunId } of suites) {
      const message = changes.sentence();
      desk.view.note(`run #${run.ordinal} of ${run.suiteId}, ${message}`);
      const id = newRunId();
      if (id !== undefined) await store.putEvent(id, { at: new Date(desk.clock.now()).toISOString(), type: "rejudged", body: { message: `of run #${run.ordinal}, ${message}` } });
    }
    return exitCode;
  } finally {
    await opened.close();
  }
}

interface RejudgedSuite {
  readonly run: StoredRun;
  readonly suite: SuiteToRun;
  readonly changes: LabelChanges;
  readonly newRunId: () => string | undefined;
}

interface Surroundings {
  readonly store: Store;
  readonly project: Project;
  readonly flags: FlagValues;
  readonly desk: Desk;
}

async function rejudged(run: StoredRun, named: Judge | undefined, { store, project, flags, desk }: Surroundings): Promise<RejudgedSuite> {
  const own = await ownOf(run, { store, project, flags, desk });
  const judge = named ?? own.judge ?? project.config.judge;
  if (judge === undefined) throw new EntailError("judge_required", `there is no judge for run #${run.ordinal}: neither its eval file nor the configuration has one; name a file that exports it with --judge`);
  const { suite, stored, asItRan } = await storedSuite(run, store, own.data);
  const changes = labelChanges();
  const positions = new Map(suite.scenarios.map(({ id }, position) => [id, position]));
  let newRunId: string | undefined;
  const reporter: Reporter = {
    name: "rejudge",
    runStarted: ({ runId }) => void (newRunId = runId),
    async trialFinished(id, report) {
      changes.add(await store.trial({ runId: run.runId, position: positions.get(id) ?? -1, trial: report.trial }), report);
    },
  };
  return {
    run,
    changes,
    newRunId: () => newRunId,
    suite: {
      file: run.file === undefined ? "" : resolvePath(project.root, run.file),
      exportIndex: run.exportIndex ?? 0,
      options: { suite, judge, strict: run.strict, reporter },
      selection: { kind: "all" },
      scenarios: suite.scenarios,
      variant: own.variant ?? (run.variant === undefined ? undefined : { name: run.variant, values: {} }),
      earlier: { stored, asItRan, subject: run.subject, selected: run.selected, rejudgedFrom: run.runId },
    },
  };
}

interface Own {
  readonly judge?: Judge | undefined;
  readonly data?: Suite["data"];
  readonly variant?: SuiteToRun["variant"];
}

/** What the run's eval file says of it. One that was imported has none. Throws `run_not_resumable`, or what the file is not found for. */
async function ownOf(run: StoredRun, { project, flags, desk }: Surroundings): Promise<Own> {
  if (run.file === undefined) return {};
  const { evaluations } = await loadAll({ kind: "paths", operands: [resolvePath(project.root, run.file)] }, { ...flags, judge: undefined }, desk);
  const options = evaluations.find((each) => each.options.suite.id === run.suiteId)?.options;
  // Without it nobody knows by which rule its verdict goes.
  if (options === undefined) throw new EntailError("run_not_resumable", `run #${run.ordinal} is of the suite ${JSON.stringify(run.suiteId)}, which cannot be had from ${run.file} any more`);
  return { judge: options.judge, data: options.suite.data, variant: run.variant === undefined ? undefined : variantsOf(options.variants ?? {}, "evaluation()").find(({ name }) => name === run.variant) };
}
