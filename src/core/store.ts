// Owns the store port: where runs are kept as they happen, and how they are read again. One shape for SQLite, memory and PostgreSQL.

import type { Evidence, ToolCall } from "./evidence.ts";
import type { JudgeIdentity } from "./judge.ts";
import type { Label } from "./label.ts";
import type { Outcome, Verdict } from "./outcome.ts";
import type { ReportError, ReportHead, ScenarioReport, Totals, TrialCounts, TrialReport } from "./report.ts";

/** One call of the command, or of `createRunner({ store })`; its runs, one a suite, share it. */
export interface Invocation {
  /** A UUID of version 7. */
  readonly id: string;
  readonly startedAt: string;
  /** The words of the command line after `entail`, so that `resume` needs no argument; empty where a program ran it. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  /** The work tree differed from its commit. */
  readonly dirty?: boolean | undefined;
  /** How many runs it begins: a process may die before it has begun them all. */
  readonly runs?: number | undefined;
  /** The process that writes its runs; absent once it has come to its end. */
  readonly holder?: Holder | undefined;
  /** How the command ended, once it has. */
  readonly exitCode?: number | undefined;
}

/** A process that writes the runs of an invocation: so that no second one does. */
export interface Holder {
  /** Of this process alone, whatever number another one gets. */
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** When it was last heard of, RFC 3339. */
  readonly seenAt: string;
}

/** How a run goes on that an earlier process left. Positions are those of before. */
export interface Reopening {
  /** What it plans from now on, where that has changed: what is stored goes with the id of its scenario, and is dropped where that is gone. */
  readonly manifest?: RunManifest | undefined;
  /** Results that hold no longer. */
  readonly stale: readonly { readonly position: number; readonly trial: number }[];
  /** Scenarios that are not finished after all: their reports are dropped, their other trials stay. */
  readonly unfinished: readonly number[];
}

/** A scenario as a run plans it: what identifies its cells, before anything has run. */
export interface PlannedScenario {
  /** Counts the selected scenarios from 0 in the order of their declaration. */
  readonly position: number;
  readonly id: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** How many trials should exist. */
  readonly trials: number;
  /** An author's mark for a change that nothing else shows. */
  readonly revision?: string | undefined;
  readonly inputSchema?: unknown;
  readonly input?: unknown;
  readonly skip?: string | undefined;
  readonly knownFailure?: string | undefined;
  /** The share of scored trials that must pass, where the scenario asks for less than all. */
  readonly passRate?: number | undefined;
}

/** Written before the first trial: everything that should exist afterwards. */
export interface RunManifest {
  readonly runId: string;
  readonly invocationId: string;
  readonly suiteId: string;
  readonly startedAt: string;
  /** The eval file, relative to the project's root, and which of its evaluations this is. */
  readonly file?: string | undefined;
  readonly exportIndex?: number | undefined;
  /** Whether scenarios were selected, so that others of the suite are missing on purpose. */
  readonly selected: boolean;
  readonly strict: boolean;
  /** The revision of the agent under test: `subject` of the eval file, else what version control says. */
  readonly subject?: string | undefined;
  readonly variant?: string | undefined;
  /** The run whose stored results were judged again. */
  readonly rejudgedFrom?: string | undefined;
  /** The fingerprint of its judge, where that has one. */
  readonly judge?: string | undefined;
  readonly note?: string | undefined;
  /** In the order of their positions. It may be gone through several times, and may make each as it is asked for. */
  readonly scenarios: Iterable<PlannedScenario>;
}

export interface StoredRun extends Omit<RunManifest, "scenarios"> {
  /** For people: `#412`. Counts the runs of this store from 1. */
  readonly ordinal: number;
  /** `running` until its head is stored; a run whose process died stays so. */
  readonly state: "running" | "finished";
  readonly invocation: Invocation;
  /** The trials that should exist, and those that are stored. */
  readonly plannedTrials: number;
  readonly storedTrials: number;
  readonly plannedScenarios: number;
  /** Of the stored scenarios, while it runs too. */
  readonly totals: Totals;
  /** Set once it is finished. */
  readonly head?: ReportHead | undefined;
  /** When something of it was last stored, RFC 3339. */
  readonly touchedAt: string;
}

/** A scenario of a run in one line, for lists of a hundred thousand. */
export interface ScenarioRow {
  readonly position: number;
  readonly id: string;
  readonly tags: readonly string[];
  /** Absent where it has not finished. */
  readonly outcome?: Outcome | undefined;
  readonly passed?: boolean | undefined;
  readonly durationMs?: number | undefined;
  /** US dollars, subject and judge together; absent where unknown. */
  readonly cost?: number | undefined;
  /** The outcomes of its trials in order. */
  readonly trials: readonly Outcome[];
  readonly trialCounts?: TrialCounts | undefined;
  /** The first thing that did not hold, at most 160 characters. */
  readonly reason?: string | undefined;
  readonly claims?: { readonly held: number; readonly of: number } | undefined;
  readonly turns?: { readonly held: number; readonly of: number } | undefined;
  readonly toolCalls?: number | undefined;
}

export type ScenarioSort = "position" | "flaky" | "cost" | "duration";

export interface ScenarioQuery {
  readonly from?: number | undefined;
  /** At most 1,000; 200 when absent. */
  readonly limit?: number | undefined;
  readonly outcomes?: readonly (Outcome | "missing")[] | undefined;
  /** Words that must all be in the id, a tag or the reason. */
  readonly search?: string | undefined;
  readonly tag?: string | undefined;
  readonly sort?: ScenarioSort | undefined;
}

export interface ScenarioPage {
  readonly rows: readonly ScenarioRow[];
  /** How many match, over all pages. */
  readonly total: number;
  /** Of the whole run whatever was asked for, by outcome; `missing` are planned and not stored. */
  readonly counts: Readonly<Record<Outcome | "missing", number>>;
}

export interface RunQuery {
  readonly suiteId?: string | undefined;
  readonly invocationId?: string | undefined;
  readonly verdict?: Verdict | undefined;
  readonly branch?: string | undefined;
  /** Runs with a smaller ordinal alone: the next page. */
  readonly before?: number | undefined;
  /** At most 1,000; 50 when absent. */
  readonly limit?: number | undefined;
}

/** A trial's evidence without its calls, which come in pages. */
export interface EvidenceHead extends Omit<Evidence, "toolCalls"> {
  readonly toolCalls: number;
}

export interface CallPage {
  readonly calls: readonly ToolCall[];
  readonly total: number;
}

export interface TrialKey {
  readonly runId: string;
  readonly position: number;
  /** Counts from 1. */
  readonly trial: number;
}

/** What a person said of one judgment. */
export interface StoredLabel {
  /** Made by whoever labels, so that it can be undone and sent twice. */
  readonly id: string;
  readonly at: string;
  /** Who; free text. */
  readonly by?: string | undefined;
  readonly label: Label;
  readonly note?: string | undefined;
  /** What was judged, whole: a label outlives its run. */
  readonly output: string;
  readonly reference: string;
  readonly claim: { readonly id: string; readonly text: string };
  /** The judge's own label, and its fingerprint, where a judgment was labelled. */
  readonly judged?: { readonly label: Label; readonly rationale: string; readonly fingerprint?: string | undefined } | undefined;
  readonly from?: (TrialKey & { readonly suiteId: string; readonly scenario: string; readonly turn?: number | undefined }) | undefined;
  /** How it was drawn: at random, or by the judge's label. */
  readonly drawn?: "random" | "by_label" | undefined;
}

/** How well a judge did against human labels: the outcome of `entail judge test`. */
export interface JudgeMeasurement {
  readonly fingerprint: string;
  readonly at: string;
  readonly judge: JudgeIdentity;
  /** Whatever `src/judge` measured; it reads its own form again. */
  readonly body: unknown;
}

/** A scenario's past: one entry a run, newest first. */
export interface ScenarioPast {
  readonly runId: string;
  readonly ordinal: number;
  readonly startedAt: string;
  readonly row: ScenarioRow;
  /** Digest of what the scenario was then. */
  readonly revision: string;
}

/**
 * Keeps runs. Writes may be grouped (at most 50 ms, or 200 trials): `flush` resolves once everything handed over before is safe. No write rejects for a
 * store that is locked, full or damaged: what cannot be written goes to a spill file, and `warnings` says so once. Reads reject with `store_unreadable`.
 */
export interface Store {
  /** `sqlite:/…/entail.db` or `memory:`. */
  readonly url: string;
  /** Given again with the same id, it replaces what was known: commit and branch may be found out while runs go on. */
  beginInvocation(invocation: Invocation): Promise<void>;
  /** The run's ordinal; 0 where the store cannot be written. Its manifest is safe when it resolves. Rejects with `run_exists` for an id that the store has. */
  beginRun(manifest: RunManifest): Promise<number>;
  /** What is found out while a run goes on. */
  amendRun(runId: string, change: { readonly subject?: string | undefined; readonly note?: string | undefined }): Promise<void>;
  /** A run that ended early, or whose process died, goes on: it is `running` again, and keeps what it has but for what `reopening` drops. */
  reopenRun(runId: string, reopening?: Reopening): Promise<void>;
  /**
   * Makes `holder` the one who writes an invocation's runs, where nobody is, the same token is, or `mayTake` the one who is. Resolves with who holds it
   * instead. Of two that ask at once one gets it. Rejects with `run_unknown` for an invocation that the store does not have.
   */
  holdInvocation(id: string, holder: Holder, mayTake: (current: Holder) => boolean): Promise<Holder | undefined>;
  /** Replaces an earlier result of the same trial. */
  putTrial(key: TrialKey, report: TrialReport, evidence?: Evidence): Promise<void>;
  /** Once a scenario's last trial is stored, or where none will be. */
  putScenario(runId: string, position: number, report: ScenarioReport): Promise<void>;
  finishRun(runId: string, head: ReportHead): Promise<void>;
  /** Lines for people that hang on a run: a warning, a note, an acceptance as baseline. */
  putEvent(runId: string, event: { readonly at: string; readonly type: string; readonly body: unknown }): Promise<void>;
  putLabel(label: StoredLabel): Promise<void>;
  removeLabel(id: string): Promise<void>;
  putMeasurement(measurement: JudgeMeasurement): Promise<void>;
  flush(): Promise<void>;

  /** Newest first. */
  runs(query?: RunQuery): Promise<readonly StoredRun[]>;
  run(runId: string): Promise<StoredRun | undefined>;
  /** By ordinal (`#412`), by id, or by the beginning of one that is no other's. */
  findRun(text: string): Promise<StoredRun | undefined>;
  suiteIds(): Promise<readonly string[]>;
  planned(runId: string): Promise<readonly PlannedScenario[]>;
  /** One of them, read alone: a run may have a hundred thousand. */
  plannedScenario(runId: string, position: number): Promise<PlannedScenario | undefined>;
  /** The cell keys of a run, by `<position>/<trial>`: what identifies a trial's result. */
  cells(runId: string): Promise<ReadonlyMap<string, string>>;
  scenarios(runId: string, query?: ScenarioQuery): Promise<ScenarioPage>;
  /** A finished scenario as its report has it, or `undefined` where it has not finished. */
  scenario(runId: string, position: number): Promise<ScenarioReport | undefined>;
  positionOf(runId: string, scenarioId: string): Promise<number | undefined>;
  /** Every finished scenario in order, one after the other in bounded memory. */
  scenarioReports(runId: string): AsyncIterable<ScenarioReport>;
  trial(key: TrialKey): Promise<TrialReport | undefined>;
  /** Every stored trial of a run, in bounded memory. */
  trials(runId: string): AsyncIterable<{ readonly position: number; readonly report: TrialReport }>;
  evidence(key: TrialKey): Promise<Evidence | undefined>;
  evidenceHead(key: TrialKey): Promise<EvidenceHead | undefined>;
  /** Calls in order; pages are read alone, whatever the whole weighs. */
  calls(key: TrialKey, from: number, limit: number): Promise<CallPage>;
  events(runId: string): Promise<readonly { readonly at: string; readonly type: string; readonly body: unknown }[]>;
  past(suiteId: string, scenarioId: string, limit: number): Promise<readonly ScenarioPast[]>;
  /** Measured durations of one trial in milliseconds, by scenario: the median of the latest runs. */
  durations(suiteId: string): Promise<ReadonlyMap<string, number>>;
  labels(query?: { readonly suiteId?: string | undefined; readonly fingerprint?: string | undefined }): Promise<readonly StoredLabel[]>;
  measurements(): Promise<readonly JudgeMeasurement[]>;
  /** Grows with every change, by whoever made it: for pages that follow a live run. */
  version(): Promise<number>;

  /** Deletes runs with all that is theirs; labels and measurements stay. How many went. */
  removeRuns(runIds: readonly string[]): Promise<number>;
  /** What could not be kept as it should, in sentences. */
  readonly warnings: readonly ReportError[];
  close(): Promise<void>;
}
