// Owns the store in a file of SQLite: a queue of writes, and reads that see what was written.

import { EntailError, isEntailError } from "../core/error.ts";
import type { ReportError } from "../core/report.ts";
import type { RunManifest, Store, StoredRun, TrialKey } from "../core/store.ts";
import { cellsOf } from "./cell.ts";
import { holdInvocation } from "./invocation-holder.ts";
import { runNames } from "./run-name.ts";
import type { Write } from "./spill-line.ts";
import { faultText, sqliteFault } from "./sqlite-error.ts";
import { openFile } from "./sqlite-file.ts";
import { createQueue } from "./sqlite-queue.ts";
import { openReads, type Reads } from "./sqlite-reads.ts";
import { removeRuns } from "./sqlite-removal.ts";

export interface SqliteStoreOptions {
  readonly path: string;
  readonly now: () => number;
  readonly mustExist: boolean;
  /** Open even where the file cannot be written: everything goes to a spill file then. */
  readonly spills: boolean;
  readonly patienceMs: number;
  readonly maxBytes?: number | undefined;
}

/** Between two tries at a file that another process is writing. */
const RETRY_MS = 25;

/** Throws `store_newer` or `store_unreadable`, unless it may spill. */
export function sqliteStore({ path, now, mustExist, spills, patienceMs, maxBytes }: SqliteStoreOptions): Store {
  const warnings: ReportError[] = [];
  const open = (): ReturnType<typeof openFile> => openFile(path, { maxBytes, mustExist });
  const queue = createQueue({ path, open, now, patienceMs, warn: (warning) => void warnings.push(warning) });
  if (!spills) reading(() => queue.database());

  /** The runs that this process writes, so that not every write looks for its run. */
  const begun = new Set<string>();
  let reads: Reads | undefined;

  /** What is wrong with the file while it is read is one error, whatever SQLite says. */
  function reading<Value>(act: () => Value): Value {
    try {
      return act();
    } catch (thrown) {
      if (isEntailError(thrown)) throw thrown;
      const mend = sqliteFault(thrown) === "damaged" ? "; move it away to begin a new one, or restore it from a copy" : "";
      throw new EntailError("store_unreadable", `the store ${path} cannot be read: ${faultText(thrown)}${mend}`, { cause: thrown });
    }
  }
  const read = async <Value>(act: (reads: Reads) => Value): Promise<Value> => {
    await queue.flush();
    return reading(() => act((reads ??= openReads(queue.database()))));
  };
  const readRun = <Value>(runId: string, act: (reads: Reads, run: number) => Value): Promise<Value> =>
    read((from) => {
      const run = queue.ordinalOf(runId);
      // One that was removed since is unknown too.
      if (run === undefined || from.run(run) === undefined) throw unknown(runId);
      return act(from, run);
    });
  const readTrial = <Value>({ runId, position, trial }: TrialKey, act: (reads: Reads, run: number, position: number, trial: number) => Value): Promise<Value> =>
    readRun(runId, (from, run) => act(from, run, position, trial));
  const write = (runId: string, write: Write): Promise<void> => {
    if (!begun.has(runId)) {
      let known: boolean;
      try {
        known = queue.ordinalOf(runId) !== undefined;
      } catch {
        // Nobody can tell, and nothing is to be lost.
        known = true;
      }
      if (!known) return Promise.reject(unknown(runId));
      begun.add(runId);
    }
    return queue.add(write);
  };
  const atExit = (): void => queue.flushNow();
  process.on("exit", atExit);

  async function beginRun(manifest: RunManifest): Promise<number> {
    const { runId } = manifest;
    if (begun.has(runId)) throw taken(runId);
    begun.add(runId);
    await queue.add({ write: "run", manifest });
    await queue.flush();
    if (queue.refused(runId)) throw taken(runId);
    try {
      return queue.ordinalOf(runId) ?? 0;
    } catch {
      return 0;
    }
  }

  async function* pages<Item, Given>(runId: string, first: Item, next: (reads: Reads, run: number, after: Item) => readonly Given[], after: (item: Given) => Item): AsyncGenerator<Given> {
    for (let from = first; ; ) {
      const at = from;
      const page = await readRun(runId, (reads, run) => next(reads, run, at));
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      from = after(last);
    }
  }

  return {
    url: `sqlite:${path}`,
    beginInvocation: (invocation) => queue.add({ write: "invocation", invocation }),
    beginRun,
    amendRun: (runId, change) => write(runId, { write: "amend", runId, change }),
    reopenRun: (runId, reopening) => write(runId, { write: "reopen", runId, reopening }),
    async holdInvocation(id, holder, mayTake) {
      await queue.flush();
      for (const since = now(); ; ) {
        try {
          return holdInvocation(queue.database(), id, holder, mayTake);
        } catch (thrown) {
          if (isEntailError(thrown) || sqliteFault(thrown) !== "busy" || now() - since >= patienceMs) return reading(() => rethrow(thrown));
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    },
    putTrial: (key, report, evidence) => write(key.runId, { write: "trial", key, report, evidence }),
    putScenario: (runId, position, report) => write(runId, { write: "scenario", runId, position, report }),
    finishRun: (runId, head) => write(runId, { write: "head", runId, head }),
    putEvent: (runId, event) => write(runId, { write: "event", runId, event }),
    putLabel: (label) => queue.add({ write: "label", label }),
    removeLabel: (id) => queue.add({ write: "label_removed", id }),
    putMeasurement: (measurement) => queue.add({ write: "measurement", measurement }),
    flush: () => queue.flush(),

    runs: (query = {}) => read((from) => from.runs(query)),
    run: (runId) =>
      read((from) => {
        const run = queue.ordinalOf(runId);
        return run === undefined ? undefined : from.run(run);
      }),
    findRun: (text) =>
      read((from) => {
        for (const name of runNames(text)) {
          const run = from.named(name);
          const found: StoredRun | undefined = run === undefined ? undefined : from.run(run);
          if (found !== undefined) return found;
        }
        return undefined;
      }),
    suiteIds: () => read((from) => from.suiteIds()),
    planned: (runId) => readRun(runId, (from, run) => from.planned(run)),
    plannedScenario: (runId, position) => readRun(runId, (from, run) => from.plannedScenario(run, position)),
    cells: (runId) =>
      readRun(runId, (from, run) => {
        const stored = from.run(run);
        return stored === undefined ? new Map<string, string>() : cellsOf(stored, from.planned(run));
      }),
    scenarios: (runId, query = {}) => readRun(runId, (from, run) => from.scenarios(run, query)),
    scenario: (runId, position) => readRun(runId, (from, run) => from.scenario(run, position)),
    positionOf: (runId, scenarioId) => readRun(runId, (from, run) => from.positionOf(run, scenarioId)),
    async *scenarioReports(runId) {
      for await (const { report } of pages(runId, -1, (from, run, after) => from.scenarioReports(run, after), ({ position }) => position)) yield report;
    },
    trial: (key) => readTrial(key, (from, run, position, trial) => from.trial(run, position, trial)),
    trials: (runId) => pages(runId, { position: -1, trial: 0 }, (from, run, after) => from.trials(run, after), ({ position, report }) => ({ position, trial: report.trial })),
    evidence: (key) => readTrial(key, (from, run, position, trial) => from.evidence(run, position, trial)),
    evidenceHead: (key) => readTrial(key, (from, run, position, trial) => from.evidenceHead(run, position, trial)),
    calls: (key, from, limit) => readTrial(key, (reads, run, position, trial) => reads.calls(run, position, trial, Math.max(0, from), Math.max(0, limit))),
    events: (runId) => readRun(runId, (from, run) => from.events(run)),
    past: (suiteId, scenarioId, limit) => read((from) => from.past(suiteId, scenarioId, limit)),
    durations: (suiteId) => read((from) => from.durations(suiteId)),
    labels: (query = {}) => read((from) => from.labels(query)),
    measurements: () => read((from) => from.measurements()),
    version: () => read((from) => from.version()),
    removeRuns: async (runIds) => {
      await queue.flush();
      for (const runId of runIds) begun.delete(runId);
      return reading(() => removeRuns(queue.database(), runIds));
    },
    warnings,
    async close() {
      process.off("exit", atExit);
      try {
        await queue.flush();
      } finally {
        queue.close();
      }
    },
  };
}

function rethrow(thrown: unknown): never {
  throw thrown;
}

function unknown(runId: string): EntailError {
  return new EntailError("run_unknown", `the store has no run ${JSON.stringify(runId)}`);
}

function taken(runId: string): EntailError {
  return new EntailError("run_exists", `the store has a run ${runId} already, and no run takes another's place`);
}
