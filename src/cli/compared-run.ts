// Owns what a person names to be compared: runs of the store, report files, baselines.

import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ComparableRun, ComparableScenario } from "../core/comparison.ts";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import type { Store, StoredRun } from "../core/store.ts";
import { comparableHead, comparableRun, comparableScenario } from "../report/comparable-run.ts";
import { decodeBaseline } from "../report/baseline.ts";
import { decodeReport } from "../report/decode-report.ts";
import { openStore } from "../store/open-store.ts";
import { baselinesIn, readBaselines } from "./baseline-file.ts";
import type { FlagValues } from "./command-line.ts";
import { displayPath } from "./path.ts";
import { inFile } from "./problem.ts";
import type { Project } from "./project.ts";
import { plannedFacts } from "./scenario-facts.ts";
import { storePlace } from "./store-place.ts";
import { headOf, scenariosOf } from "./stored-run.ts";

/** The most that a store gives at once. */
const PAGE = 1000;

export interface NamedRuns {
  /** What to call them: `#412`, `baseline`, a file. */
  readonly name: string;
  readonly runs: readonly ComparableRun[];
  /** Of runs from the store, in the same order. */
  readonly stored?: readonly StoredRun[] | undefined;
}

/** Opens the project's store once, and only for whoever needs it. */
export interface LazyStore {
  readonly open: () => Promise<Store>;
  readonly close: () => Promise<void>;
}

export function lazyStore(flags: FlagValues, project: Project): LazyStore {
  let opened: Promise<Store> | undefined;
  return {
    open: () => (opened ??= openProjectStore(flags, project)),
    async close() {
      const store = await opened?.catch(() => undefined);
      await store?.close();
    },
  };
}

async function openProjectStore(flags: FlagValues, project: Project): Promise<Store> {
  const place = storePlace(flags, project);
  if (place === undefined) throw new EntailError("run_unknown", "the configuration keeps no runs: name report files, or a store with --store");
  const path = place.url.replace(/^sqlite:/, "");
  if (!existsSync(path)) throw new EntailError("run_unknown", `there is no run yet: ${displayPath(path, project.cwd)} is not there; npx entail run makes one`);
  return openStore(place.url, { mustExist: true });
}

/** Throws `run_unknown`, `report_unreadable`, `baseline_missing` or `baseline_unreadable`. `baseline` stands for the files of the project. */
export async function readNamedRuns(text: string, project: Project, store: LazyStore): Promise<NamedRuns> {
  const { cwd, root } = project;
  if (text === "baseline") return { name: "baseline", runs: [...readBaselines(baselinesIn(undefined, cwd, root), cwd).values()].map(({ baseline }) => baseline) };
  const file = resolve(cwd, text);
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) return { name: displayPath(file, cwd), runs: [...readBaselines(file, cwd).values()].map(({ baseline }) => baseline) };
  if (there !== undefined) return { name: displayPath(file, cwd), runs: readFile(file, cwd) };
  if (text.endsWith(".json") || /[\\/]/.test(text)) throw new EntailError("run_unknown", `${JSON.stringify(text)} is no file; a run is #412, an id, last or baseline`);
  const opened = await store.open();
  const stored = await findRuns(text, opened);
  return { name: stored.map(({ ordinal }) => `#${ordinal}`).join(", "), runs: await Promise.all(stored.map((run) => storedRun(run, opened))), stored };
}

/** A report, several, or a baseline. */
function readFile(file: string, cwd: string): readonly ComparableRun[] {
  const shown = displayPath(file, cwd);
  try {
    const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
    const wire = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const reports = typeof wire === "object" && wire !== null && Array.isArray(wire["reports"]) ? (wire["reports"] as readonly unknown[]) : undefined;
    if (reports === undefined && typeof wire === "object" && wire !== null && !Object.hasOwn(wire, "started_at") && Object.hasOwn(wire, "schema_version")) return [decodeBaseline(text)];
    const decoded = (reports ?? [text]).map(decodeReport);
    return decoded.map((report) => comparableRun(report, report.scenarios));
  } catch (thrown) {
    const known = isEntailError(thrown) && (thrown.code === "baseline_unreadable" || thrown.code === "report_unreadable");
    throw inFile(new EntailError(known ? thrown.code : "report_unreadable", `${shown}: ${known ? thrown.message : `the report cannot be read: ${messageOf(thrown)}`}`, { cause: thrown }), file);
  }
}

/** `last` are the runs of the latest invocation, `last~1` those of the one before. Throws `run_unknown`. */
export async function findRuns(text: string, store: Store): Promise<readonly StoredRun[]> {
  const back = /^last(?:~(\d{1,6}))?$/.exec(text);
  if (back === null) {
    const run = await store.findRun(text);
    if (run === undefined) throw new EntailError("run_unknown", `there is no run ${JSON.stringify(text)}: a run is #412, an id or the beginning of one, last or a report file`);
    return [run];
  }
  let left = Number(back[1] ?? 0);
  const seen = new Set<string>();
  for (let before: number | undefined; ; ) {
    const page = await store.runs({ limit: 200, ...(before !== undefined && { before }) });
    for (const { invocation } of page) {
      if (seen.has(invocation.id)) continue;
      seen.add(invocation.id);
      // Newest first here, in the order in which they began there.
      if (left-- === 0) return (await store.runs({ invocationId: invocation.id, limit: 1000 })).toReversed();
    }
    before = page.at(-1)?.ordinal;
    if (before === undefined) throw new EntailError("run_unknown", seen.size === 0 ? "there is no run yet: npx entail run makes one" : `there is no run ${JSON.stringify(text)}: the store holds those of ${seen.size} invocations`);
  }
}

/** A run of the store, finished or not: what was planned and has no result is cancelled, and never left out. */
export async function storedRun(run: StoredRun, store: Store): Promise<ComparableRun> {
  const toolCalls = new Map<string, number>();
  for (let from = 0; from < run.plannedScenarios; from += PAGE) {
    for (const row of (await store.scenarios(run.runId, { from, limit: PAGE })).rows) if (row.toolCalls !== undefined) toolCalls.set(row.id, row.toolCalls);
  }
  const facts = plannedFacts(await store.planned(run.runId), (id) => toolCalls.get(id));
  const scenarios: ComparableScenario[] = [];
  for await (const report of scenariosOf(run, store)) scenarios.push(comparableScenario(report, facts.get(report.id)));
  return { ...comparableHead(headOf(run), { subject: run.subject, variant: run.variant }), scenarios };
}
