// Owns the queue of writes: grouped into transactions, tried again while another process holds the file, and spilled where it cannot be written.

import type { DatabaseSync } from "node:sqlite";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import type { ReportError } from "../core/report.ts";
import { createSpill } from "./spill.ts";
import type { Write } from "./spill-line.ts";
import { faultText, sqliteFault } from "./sqlite-error.ts";
import { type Apply, openWrites, type Writes } from "./sqlite-writes.ts";

export interface SqliteQueue {
  /** Settles at once, but where the file is held and much waits already. */
  readonly add: (write: Write) => Promise<void>;
  /** Resolves once everything before is in the file or in a spill file. Rejects with `store_unwritable` where it is in neither. */
  readonly flush: () => Promise<void>;
  /** The last chance, for nothing asynchronous will ever happen again. Never throws. */
  readonly flushNow: () => void;
  /** The ordinal of a run that is in the file. */
  readonly ordinalOf: (runId: string) => number | undefined;
  /** The database, once it could be opened. Throws why it could not. */
  readonly database: () => DatabaseSync;
  /** Whether another run has the id. */
  readonly refused: (runId: string) => boolean;
  readonly close: () => void;
}

export interface QueueOptions {
  readonly path: string;
  readonly open: () => DatabaseSync;
  readonly now: () => number;
  /** How long another process may hold the file before results go elsewhere. */
  readonly patienceMs: number;
  readonly warn: (warning: ReportError) => void;
}

/** A transaction takes so many trials, or what came within so long. */
const GROUP_TRIALS = 200;
const GROUP_MS = 50;
/** Beside the trials: scenarios, and what else there is. */
const GROUP_WRITES = 1_000;
const RETRY_MS = 25;
/** Whoever brings more than this waits until there is room. */
const LARGEST_QUEUE = 4_000;
/** How long the end of the process may be held up. */
const LAST_WAIT_MS = 1_000;

interface Waiting {
  readonly write: Write;
  apply: Apply | undefined;
}

const DONE = Promise.resolve();

export function createQueue({ path, open, now, patienceMs, warn }: QueueOptions): SqliteQueue {
  const spill = createSpill(path);
  const spilledRuns = new Set<string>();
  /** Manifests and invocations of the runs that go on, for a spill file has to stand alone. */
  const going = new Map<string, { readonly run: Write; readonly invocation: Write | undefined }>();
  const invocations = new Map<string, Write>();
  let database: DatabaseSync | undefined;
  let writes: Writes | undefined;
  let waiting: Waiting[] = [];
  let trials = 0;
  let timer: NodeJS.Timeout | undefined;
  let heldSince: number | undefined;
  let spilling = false;
  let lost: EntailError | undefined;

  const connected = (): Writes => {
    database ??= open();
    return (writes ??= openWrites(database));
  };

  /** True where nothing waits any more. */
  const attempt = (mayWait: boolean): boolean => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return true;
    if (spilling) return spillAll(undefined);
    try {
      commit(connected());
    } catch (thrown) {
      if (database?.isTransaction === true) database.exec("ROLLBACK");
      if (sqliteFault(thrown) !== "busy" || isEntailError(thrown)) return spillAll(thrown);
      heldSince ??= now();
      if (!mayWait || now() - heldSince >= patienceMs) return spillAll(thrown);
      arm(RETRY_MS);
      return false;
    }
    heldSince = undefined;
    return true;
  };

  const commit = (to: Writes): void => {
    for (const each of waiting) each.apply ??= to.prepare(each.write);
    const runs = new Set(waiting.map(({ write }) => runOf(write)).filter((id) => id !== undefined));
    database?.exec("BEGIN IMMEDIATE");
    for (const { apply } of waiting) apply?.();
    to.touch(runs, new Date(now()).toISOString());
    database?.exec("COMMIT");
    [waiting, trials] = [[], 0];
  };

  /** From now on everything goes there: what is in two places is told apart more easily than what is in many. */
  const spillAll = (cause: unknown): boolean => {
    const first = !spilling;
    spilling = true;
    try {
      if (first) for (const { run, invocation } of going.values()) for (const write of [invocation, run]) if (write !== undefined) spillOne(write);
      while (waiting[0] !== undefined) {
        spillOne(waiting[0].write);
        waiting.shift();
      }
      trials = 0;
    } catch (thrown) {
      const told = lost !== undefined;
      lost ??= new EntailError("store_unwritable", `results could not be stored in ${path} (${faultText(cause)}), nor beside it: ${messageOf(thrown)}`, { stage: "store", cause: thrown });
      if (!told) warn({ code: lost.code, stage: "store", message: lost.message });
      [waiting, trials] = [[], 0];
      return true;
    }
    if (first) {
      const why = isEntailError(cause) ? cause.message : `${path} cannot be written: ${faultText(cause)}`;
      warn({ code: "store_unwritable", stage: "store", message: `${why}; results go to ${spill.files().at(-1) ?? ""}, and entail import takes them back` });
    }
    return true;
  };

  const spillOne = (write: Write): void => {
    if (write.write === "run") {
      if (spilledRuns.has(write.manifest.runId)) return;
      spilledRuns.add(write.manifest.runId);
    }
    spill.append(write);
  };

  const arm = (ms: number): void => {
    // Whatever waits is written when the process ends, so nothing keeps it alive.
    timer ??= setTimeout(() => attempt(true), ms).unref();
  };

  const note = (write: Write): void => {
    if (write.write === "trial") trials += 1;
    else if (write.write === "invocation") invocations.set(write.invocation.id, write);
    else if (write.write === "run") going.set(write.manifest.runId, { run: write, invocation: invocations.get(write.manifest.invocationId) });
    else if (write.write === "head") going.delete(write.runId);
  };

  const flush = async (): Promise<void> => {
    while (!attempt(true)) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (lost !== undefined) throw lost;
  };

  return {
    flush,
    add(write) {
      note(write);
      waiting.push({ write, apply: undefined });
      if (spilling || ((trials >= GROUP_TRIALS || waiting.length >= GROUP_WRITES) && heldSince === undefined)) attempt(true);
      else arm(GROUP_MS);
      return waiting.length < LARGEST_QUEUE ? DONE : flush();
    },
    flushNow() {
      if (waiting.length === 0) return;
      try {
        if (!spilling) connected();
        database?.exec(`PRAGMA busy_timeout = ${LAST_WAIT_MS}`);
      } catch {
        // It is told below.
      }
      attempt(false);
    },
    ordinalOf: (runId) => connected().ordinalOf(runId),
    database() {
      connected();
      if (database === undefined) throw new Error("the database is not open");
      return database;
    },
    refused: (runId) => writes?.refused(runId) === true,
    close() {
      clearTimeout(timer);
      spill.close();
      try {
        database?.close();
      } catch {
        // What could be written is written.
      }
    },
  };
}

function runOf(write: Write): string | undefined {
  if ("runId" in write) return write.runId;
  if (write.write === "trial") return write.key.runId;
  return write.write === "run" ? write.manifest.runId : undefined;
}
