// Owns what each write does to the database: prepared before a transaction, where hashing and compressing hold nobody up, and applied within one.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Outcome } from "../core/outcome.ts";
import type { TrialReport } from "../core/report.ts";
import type { PlannedScenario, RunManifest } from "../core/store.ts";
import { type Blob, openBlobs } from "./blob.ts";
import { pagesOf } from "./call-pages.ts";
import { exactText, jsonText } from "./json-text.ts";
import { flakiness, scenarioRow } from "./scenario-row.ts";
import type { Write } from "./spill-line.ts";
import { storedTotals } from "./sqlite-totals.ts";
import { compactScenario, splitTrial } from "./stored-report.ts";

/** Within a transaction. */
export type Apply = () => void;

export interface Writes {
  readonly prepare: (write: Write) => Apply;
  /** Of a run of this process, or of any that the file has; `undefined` where there is none. */
  readonly ordinalOf: (runId: string) => number | undefined;
  /** Whether the run was not begun, for another has its id. */
  readonly refused: (runId: string) => boolean;
  /** At the end of each transaction that wrote. */
  readonly touch: (runIds: Iterable<string>, at: string) => void;
}

/** So many planned scenarios are one blob: a suite that did not change is stored once. */
const PLAN_PAGE = 1_000;
/** Evidence that is no longer stands in the row. */
const INLINE_EVIDENCE = 4 * 1024;
/** A body that is longer goes into a blob. */
const ROW_LENGTH = 8 * 1024;

/** Of the table of scenarios: empty until one has finished. */
const RESULT_COLUMNS = ["outcome", "error_stage", "passed", "duration_ms", "cost", "trials", "stopped", "flaky", "reason", "claims_held", "claims", "turns_held", "turns", "tool_calls", "deciding", "body", "rest"] as const;

/** The outcomes of trials, one letter each. */
export const OUTCOME_LETTERS: Readonly<Record<Outcome, string>> = { passed: "p", scored: "s", failed: "f", errored: "e", cancelled: "c", skipped: "k" };

/** The trials of a scenario that is open: its report refers to them. */
interface OpenTrials {
  readonly reports: TrialReport[];
  readonly toolCalls: Map<number, number>;
}

/** A manifest, ready to be written. */
interface RunPlan {
  readonly scenarios: Iterable<PlannedScenario>;
  readonly count: number;
  readonly trials: number;
  readonly rest: string;
  readonly plan: string;
  readonly keep: (run: number) => void;
}

export function openWrites(database: DatabaseSync): Writes {
  const blobs = openBlobs(database);
  const statements = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    let statement = statements.get(text);
    if (statement === undefined) statements.set(text, (statement = database.prepare(text)));
    return statement;
  };
  const ordinals = new Map<string, number>();
  const refused = new Set<string>();
  const open = new Map<string, OpenTrials>();

  const ordinalOf = (runId: string): number | undefined => {
    const known = ordinals.get(runId);
    if (known !== undefined) return known;
    const found = sql("SELECT ordinal FROM run WHERE id = ?").get(runId)?.["ordinal"];
    if (typeof found !== "number") return undefined;
    ordinals.set(runId, found);
    return found;
  };
  const withRun = (runId: string, act: (run: number) => void): Apply => () => {
    const run = ordinalOf(runId);
    // It was removed while it went on: nothing is left to add to.
    if (run !== undefined) act(run);
  };

  const planOf = (manifest: RunManifest): RunPlan => {
    const { scenarios, ...rest } = manifest;
    const pages: { readonly from: number; readonly count: number; readonly blob: Blob }[] = [];
    let [page, count, trials]: [PlannedScenario[], number, number] = [[], 0, 0];
    const close = (): void => {
      if (page.length > 0) pages.push({ from: page[0]?.position ?? 0, count: page.length, blob: blobs.make(jsonText(page)) });
      page = [];
    };
    for (const planned of scenarios) {
      page.push(planned);
      count += 1;
      trials += planned.trials;
      if (page.length === PLAN_PAGE) close();
    }
    close();
    return {
      scenarios,
      count,
      trials,
      rest: jsonText(rest),
      plan: jsonText(pages.map((each) => [each.from, each.count, each.blob.hash])),
      keep(run) {
        for (const { blob } of pages) blobs.keep(run, blob);
      },
    };
  };

  const beginRun = (manifest: RunManifest): Apply => {
    const { scenarios, count, trials, rest, plan, keep } = planOf(manifest);
    return () => {
      if (ordinalOf(manifest.runId) !== undefined) {
        refused.add(manifest.runId);
        return;
      }
      const { lastInsertRowid } = sql(
        "INSERT INTO run (id, invocation, suite, started_at, touched_at, state, planned_scenarios, planned_trials, manifest, plan) VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?)",
      ).run(manifest.runId, manifest.invocationId, manifest.suiteId, manifest.startedAt, manifest.startedAt, count, trials, rest, plan);
      const run = Number(lastInsertRowid);
      keep(run);
      const insert = sql("INSERT INTO scenario (run, position, id, tags) VALUES (?, ?, ?, ?)");
      for (const { position, id, tags } of scenarios) insert.run(run, position, id, tagText(tags));
    };
  };

  const reopenRun = ({ runId, reopening }: Extract<Write, { write: "reopen" }>): Apply => {
    const { manifest, stale, unfinished } = reopening ?? { stale: [], unfinished: [] };
    const planned = manifest === undefined ? undefined : planOf(manifest);
    for (const key of open.keys()) if (key.startsWith(`${runId}/`)) open.delete(key);
    return withRun(runId, (run) => {
      sql("UPDATE run SET state = 'running', head = NULL, verdict = NULL, totals = NULL, stored_trials = NULL WHERE ordinal = ?").run(run);
      for (const { position, trial } of stale) sql("DELETE FROM trial WHERE run = ? AND position = ? AND trial = ?").run(run, position, trial);
      for (const position of unfinished) sql(`UPDATE scenario SET ${RESULT_COLUMNS.map((column) => `${column} = NULL`).join(", ")} WHERE run = ? AND position = ?`).run(run, position);
      if (planned === undefined) return;
      sql("UPDATE run SET planned_scenarios = ?, planned_trials = ?, manifest = ?, plan = ? WHERE ordinal = ?").run(planned.count, planned.trials, planned.rest, planned.plan, run);
      planned.keep(run);
      moveScenarios(run, planned.scenarios);
    });
  };

  /** What is stored of a scenario goes where its id is planned now. */
  const moveScenarios = (run: number, scenarios: Iterable<PlannedScenario>): void => {
    const after = new Map([...scenarios].map((planned) => [planned.id, planned]));
    for (const row of sql("SELECT position, id FROM scenario WHERE run = ?").all(run)) {
      const [position, id] = [Number(row["position"]), String(row["id"])];
      const planned = after.get(id);
      if (planned === undefined) {
        for (const table of ["trial", "scenario"]) sql(`DELETE FROM ${table} WHERE run = ? AND position = ?`).run(run, position);
        continue;
      }
      after.delete(id);
      sql("UPDATE scenario SET tags = ? WHERE run = ? AND position = ?").run(tagText(planned.tags), run, position);
      // Below zero first, where none is in the way of another.
      if (planned.position !== position) for (const table of ["trial", "scenario"]) sql(`UPDATE ${table} SET position = ? WHERE run = ? AND position = ?`).run(-1 - planned.position, run, position);
    }
    for (const table of ["trial", "scenario"]) sql(`UPDATE ${table} SET position = -1 - position WHERE run = ? AND position < 0`).run(run);
    for (const { position, id, tags } of after.values()) sql("INSERT INTO scenario (run, position, id, tags) VALUES (?, ?, ?, ?)").run(run, position, id, tagText(tags));
  };

  const putTrial = ({ key: { runId, position, trial }, report, evidence }: Extract<Write, { write: "trial" }>): Apply => {
    const { body, rest } = splitTrial(report);
    const heavy = rest === undefined ? undefined : blobs.make(rest);
    const pages = evidence === undefined ? undefined : pagesOf(evidence);
    const toolCalls = pages?.head.toolCalls;
    remember(`${runId}/${position}`, report, toolCalls);
    let evidenceText: string | null = null;
    const kept = heavy === undefined ? [] : [heavy];
    if (pages !== undefined) {
      const head = exactText(pages.head);
      if (pages.chunks.length <= 1 && head.length + (pages.chunks[0]?.text.length ?? 0) <= INLINE_EVIDENCE) {
        evidenceText = `{"head":${head},"calls":${pages.chunks[0]?.text ?? "[]"}}`;
      } else {
        const headBlob = blobs.make(head);
        const chunks = pages.chunks.map(({ count, text }) => ({ count, blob: blobs.make(text) }));
        kept.push(headBlob, ...chunks.map(({ blob }) => blob));
        evidenceText = jsonText({ head_hash: headBlob.hash, pages: chunks.map(({ count, blob }) => [count, blob.hash]) });
      }
    }
    return withRun(runId, (run) => {
      for (const blob of kept) blobs.keep(run, blob);
      sql("INSERT OR REPLACE INTO trial (run, position, trial, outcome, started_at, duration_ms, tool_calls, body, rest, evidence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
        run, position, trial, report.outcome, report.startedAt ?? null, report.durationMs, toolCalls ?? null, body, heavy?.hash ?? null, evidenceText,
      );
    });
  };

  const remember = (key: string, report: TrialReport, toolCalls: number | undefined): void => {
    let of = open.get(key);
    if (of === undefined) open.set(key, (of = { reports: [], toolCalls: new Map() }));
    const at = of.reports.findIndex(({ trial }) => trial >= report.trial);
    if (at === -1) of.reports.push(report);
    else of.reports.splice(at, of.reports[at]?.trial === report.trial ? 1 : 0, report);
    if (toolCalls === undefined) of.toolCalls.delete(report.trial);
    else of.toolCalls.set(report.trial, toolCalls);
  };

  const putScenario = ({ runId, position, report }: Extract<Write, { write: "scenario" }>): Apply => {
    const key = `${runId}/${position}`;
    const of = open.get(key);
    open.delete(key);
    const reports = of?.reports ?? [];
    const { deciding, body } = compactScenario(report, reports);
    const decided = deciding ?? reports.find(({ outcome }) => outcome === report.outcome)?.trial;
    const toolCalls = decided === undefined ? undefined : of?.toolCalls.get(decided);
    // Of a run that goes on, some trials were stored by an earlier process.
    const ran = report.trials?.filter((trial) => trial.startedAt !== undefined) ?? [];
    const row = scenarioRow(position, report, ran.length > reports.length ? { outcomes: ran.map(({ outcome }) => outcome) } : reports.length === 0 ? undefined : { outcomes: reports.map(({ outcome }) => outcome), toolCalls });
    const large = body !== undefined && body.length > ROW_LENGTH ? blobs.make(body) : undefined;
    const letters = row.trials.map((outcome) => OUTCOME_LETTERS[outcome]).join("");
    const flaky = flakiness(row.trials);
    return withRun(runId, (run) => {
      if (large !== undefined) blobs.keep(run, large);
      const calls = row.toolCalls ?? (ran.length > reports.length || reports.length === 0 ? sql("SELECT tool_calls FROM trial WHERE run = ? AND position = ? AND outcome = ? ORDER BY trial LIMIT 1").get(run, position, report.outcome)?.["tool_calls"] : undefined);
      const values = [
        tagText(row.tags), report.outcome, report.error?.stage ?? null, report.passed ? 1 : 0, report.durationMs, row.cost ?? null, letters, row.trialCounts?.stopped === undefined ? null : jsonText(row.trialCounts.stopped), flaky > 0 ? flaky : null, row.reason ?? null,
        row.claims?.held ?? null, row.claims?.of ?? null, row.turns?.held ?? null, row.turns?.of ?? null, typeof calls === "number" ? calls : null, deciding ?? null, large === undefined ? (body ?? null) : null, large?.hash ?? null, run, position,
      ] as const;
      const { changes } = sql(
        "UPDATE scenario SET tags = ?, outcome = ?, error_stage = ?, passed = ?, duration_ms = ?, cost = ?, trials = ?, stopped = ?, flaky = ?, reason = ?, claims_held = ?, claims = ?, turns_held = ?, turns = ?, tool_calls = ?, deciding = ?, body = ?, rest = ? WHERE run = ? AND position = ?",
      ).run(...values);
      if (changes > 0) return;
      sql(
        "INSERT INTO scenario (tags, outcome, error_stage, passed, duration_ms, cost, trials, stopped, flaky, reason, claims_held, claims, turns_held, turns, tool_calls, deciding, body, rest, run, position, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ).run(...values, report.id);
    });
  };

  const prepare = (write: Write): Apply => {
    switch (write.write) {
      case "invocation": {
        const { id, startedAt, branch = null } = write.invocation;
        const body = jsonText(write.invocation);
        return () => void sql("INSERT OR REPLACE INTO invocation (id, started_at, branch, body) VALUES (?, ?, ?, ?)").run(id, startedAt, branch, body);
      }
      case "run":
        return beginRun(write.manifest);
      case "amend": {
        const change = jsonText(write.change);
        return withRun(write.runId, (run) => void sql("UPDATE run SET manifest = json_patch(manifest, ?) WHERE ordinal = ?").run(change, run));
      }
      case "reopen":
        return reopenRun(write);
      case "trial":
        return putTrial(write);
      case "scenario":
        return putScenario(write);
      case "head": {
        const { head } = write;
        const text = jsonText(head);
        return withRun(write.runId, (run) => {
          const trials = sql("SELECT count(*) AS n FROM trial WHERE run = ?").get(run)?.["n"] ?? 0;
          const totals = jsonText(storedTotals(run, (select, ...values) => sql(select).all(...values)));
          sql("UPDATE run SET state = 'finished', head = ?, verdict = ?, stored_trials = ?, totals = ? WHERE ordinal = ?").run(text, head.verdict ?? null, trials, totals, run);
        });
      }
      case "event": {
        const body = jsonText(write.event);
        return withRun(write.runId, (run) => void sql("INSERT INTO event (run, n, body) SELECT ?1, coalesce(max(n), 0) + 1, ?2 FROM event WHERE run = ?1").run(run, body));
      }
      case "label": {
        const { id, from, judged } = write.label;
        const body = jsonText(write.label);
        return () => void sql("INSERT OR REPLACE INTO label (id, suite, fingerprint, body) VALUES (?, ?, ?, ?)").run(id, from?.suiteId ?? null, judged?.fingerprint ?? null, body);
      }
      case "label_removed":
        return () => void sql("DELETE FROM label WHERE id = ?").run(write.id);
      case "measurement": {
        const { fingerprint } = write.measurement;
        const body = jsonText(write.measurement);
        return () => void sql("INSERT INTO measurement (fingerprint, body) VALUES (?, ?)").run(fingerprint, body);
      }
      default:
        return write satisfies never;
    }
  };

  return {
    prepare,
    ordinalOf,
    refused: (runId) => refused.has(runId),
    touch(runIds, at) {
      sql("UPDATE meta SET value = value + 1 WHERE name = 'version'").run();
      for (const runId of runIds) {
        const run = ordinalOf(runId);
        if (run !== undefined) sql("UPDATE run SET touched_at = ? WHERE ordinal = ?").run(at, run);
      }
    },
  };
}

function tagText(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : `\n${tags.map((tag) => tag.replaceAll("\n", " ")).join("\n")}\n`;
}
