// Owns the keeping of one invocation: its record, its runs, and what is found out about the subject while they go on.

import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Holder, Invocation, JudgeMeasurement, Store } from "../core/store.ts";
import type { Plan, Sink } from "../run/plan.ts";
import { recordRun, type ResumedRun } from "../run/record-run.ts";
import { createRunIds } from "../run/run-id.ts";
import { openStore } from "../store/open-store.ts";
import type { Desk } from "./desk.ts";
import { beat, newHolder } from "./holder.ts";
import type { Project } from "./project.ts";
import { displayPath } from "./path.ts";
import { randomBytes } from "./process/random-bytes.ts";
import { makeOwnFolder, type StorePlace } from "./store-place.ts";
import { diffDigest, readHead } from "./version-control.ts";

export interface RunStore {
  readonly store: Store;
  readonly invocationId: string;
  /** The sink that keeps one run; what it holds is written as it comes. */
  readonly recorder: (run: RecordedSuite) => Required<Sink>;
  /** Measured durations of a suite's scenarios; none where the store cannot tell. */
  readonly durations: (suiteId: string) => Promise<ReadonlyMap<string, number>>;
  readonly measurements: () => Promise<readonly JudgeMeasurement[]>;
  /** Once all runs are over: waits for what is still being found out, and until it is safe. */
  readonly settle: () => Promise<void>;
  /** How the command ends; from now on this process holds the invocation no longer. */
  readonly end: (exitCode: number) => Promise<void>;
}

export interface RecordedSuite {
  readonly plan: Plan;
  readonly file: string;
  readonly exportIndex: number;
  /** Found out while the run goes on, when absent. */
  readonly subject: string | undefined;
  readonly note?: string | undefined;
  readonly resumed?: ResumedRun | undefined;
  readonly selected?: boolean | undefined;
}

export interface KeptInvocation {
  readonly store: Store;
  readonly invocation: Invocation;
  readonly holder: Holder;
  /** Called where another process has taken the invocation. */
  readonly onLost: (by: Holder) => void;
}

/** Throws `store_unreadable` or `store_newer` for a store that a person named; into one of the default place that cannot be opened, results are spilled. */
export async function openRunStore(place: StorePlace, project: Pick<Project, "cwd" | "root">, { command, runs, onLost }: { readonly command: readonly string[]; readonly runs: number; readonly onLost: (by: Holder) => void }, desk: Desk): Promise<RunStore> {
  makeOwnFolder(place);
  const store = await openStore(place.url, { now: () => desk.clock.now(), spills: !place.named });
  const holder = newHolder(desk.clock.now());
  const invocation: Invocation = { id: createRunIds(Date.now, randomBytes)(), startedAt: new Date(desk.clock.now()).toISOString(), command, cwd: project.cwd, runs, holder, ...readHead(project.root) };
  await store.beginInvocation(invocation);
  return keepInvocation({ store, invocation, holder, onLost }, project, desk);
}

/** The keeping of an invocation that this process holds: one that has just begun, or one that goes on. */
export function keepInvocation({ store, invocation, holder, onLost }: KeptInvocation, project: Pick<Project, "cwd" | "root">, desk: Desk): RunStore {
  const head = readHead(project.root);
  const beating = beat(store, invocation.id, holder, () => desk.clock.now(), onLost);
  let dirty = invocation.dirty;

  /** Asked once, after the first run has begun: nothing waits for git. */
  let diff: Promise<string | undefined> | undefined;
  const findingOut: Promise<void>[] = [];
  const findOut = (runId: string, file: string, subject: string | undefined): void => {
    if (diff === undefined) {
      diff = head?.commit === undefined ? Promise.resolve(undefined) : diffDigest(project.root);
      findingOut.push(diff.then((digest) => {
        if (digest === undefined) return undefined;
        dirty = digest !== "";
        return store.beginInvocation({ ...invocation, dirty });
      }));
    }
    if (subject === undefined) findingOut.push(diff.then((digest) => amendSubject(runId, file, digest)));
  };
  const amendSubject = async (runId: string, file: string, digest: string | undefined): Promise<void> => {
    const found = subjectOf(head?.commit, digest, file);
    await store.amendRun(runId, { subject: found });
    if (!found.startsWith(FILE)) return;
    const message = `nothing says which version of the agent this run is of, so ${displayPath(file, project.cwd)} stands for it: set subject in the eval file, or keep the project under git`;
    await store.putEvent(runId, { at: new Date(desk.clock.now()).toISOString(), type: "warning", body: { code: "subject_unversioned", message } });
  };

  return {
    store,
    invocationId: invocation.id,
    recorder: ({ plan, file, exportIndex, subject, note, resumed, selected }) =>
      unlessLost(beating.lost, recordRun({
        store,
        plan,
        resumed,
        selected,
        invocationId: invocation.id,
        file: displayPath(file, project.root),
        exportIndex,
        subject,
        note,
        // What is judged again is of the agent that it was of then, known or not.
        begun: ({ runId }) => (plan.rejudgedFrom === undefined ? findOut(runId, file, subject) : undefined),
      })),
    durations: async (suiteId) => store.durations(suiteId).catch(() => new Map<string, number>()),
    measurements: () => store.measurements(),
    async settle() {
      await Promise.allSettled(findingOut);
      // The file is left as it is open: all is safe, and tidying it up would take longer than a short run. What was lost has been told in the report.
      await store.flush().catch(() => {});
    },
    async end(exitCode) {
      beating.stop();
      if (beating.lost()) return;
      const { holder: _holder, ...rest } = invocation;
      await store.beginInvocation({ ...rest, ...(dirty !== undefined && { dirty }), exitCode });
      await store.flush().catch(() => {});
    },
  };
}

/** What another process writes now is not written over. */
function unlessLost(lost: () => boolean, sink: Required<Sink>): Required<Sink> {
  return {
    ...sink,
    trialFinished: (...args) => (lost() ? undefined : sink.trialFinished(...args)),
    scenarioFinished: (...args) => (lost() ? undefined : sink.scenarioFinished(...args)),
    warned: (...args) => (lost() ? undefined : sink.warned(...args)),
    runFinished: (...args) => (lost() ? undefined : sink.runFinished(...args)),
  };
}

const FILE = "file:";

/** What a run's subject is where its eval file does not say. */
function subjectOf(commit: string | undefined, diff: string | undefined, file: string): string {
  if (diff === undefined || commit === undefined) return `${FILE}${digestOfFile(file)}`;
  return diff === "" ? commit : `${commit}+${diff}`;
}

/** The same, found out at once. */
export async function currentSubject(root: string, file: string): Promise<string> {
  const commit = readHead(root)?.commit;
  return subjectOf(commit, commit === undefined ? undefined : await diffDigest(root), file);
}

function digestOfFile(file: string): string {
  try {
    return hash("sha256", readFileSync(file), "hex");
  } catch {
    return "unreadable";
  }
}
