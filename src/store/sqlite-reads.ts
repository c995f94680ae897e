// Owns what is read of the database: runs, scenarios, trials and evidence, in pages.

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Evidence, ToolCall } from "../core/evidence.ts";
import type { Outcome } from "../core/outcome.ts";
import type { ReportHead, ScenarioReport, Totals, TrialReport, TrialStop } from "../core/report.ts";
import type { CallPage, EvidenceHead, Invocation, JudgeMeasurement, PlannedScenario, RunManifest, RunQuery, ScenarioPage, ScenarioPast, ScenarioQuery, ScenarioRow, StoredLabel, StoredRun } from "../core/store.ts";
import { openBlobs } from "./blob.ts";
import { callsWithin, joinEvidence } from "./call-pages.ts";
import { revisionOf } from "./cell.ts";
import { median, RUNS_MEASURED } from "./durations.ts";
import type { RunName } from "./run-name.ts";
import { limitOf, noCounts, rangeOf, wordsOf } from "./scenario-query.ts";
import { countTrials } from "./scenario-row.ts";
import { storedTotals } from "./sqlite-totals.ts";
import { OUTCOME_LETTERS } from "./sqlite-writes.ts";
import { joinScenario, joinTrial } from "./stored-report.ts";

type Row = Readonly<Record<string, unknown>>;

export interface Reads {
  readonly runs: (query: RunQuery) => readonly StoredRun[];
  readonly run: (ordinal: number) => StoredRun | undefined;
  /** `undefined` where none is named so, or several are. */
  readonly named: (name: RunName) => number | undefined;
  readonly suiteIds: () => readonly string[];
  readonly planned: (run: number) => readonly PlannedScenario[];
  readonly plannedScenario: (run: number, position: number) => PlannedScenario | undefined;
  readonly scenarios: (run: number, query: ScenarioQuery) => ScenarioPage;
  readonly scenario: (run: number, position: number) => ScenarioReport | undefined;
  readonly positionOf: (run: number, id: string) => number | undefined;
  /** The finished scenarios after a position, a page of them. */
  readonly scenarioReports: (run: number, after: number) => readonly { readonly position: number; readonly report: ScenarioReport }[];
  readonly trial: (run: number, position: number, trial: number) => TrialReport | undefined;
  readonly trials: (run: number, after: { readonly position: number; readonly trial: number }) => readonly { readonly position: number; readonly report: TrialReport }[];
  readonly evidence: (run: number, position: number, trial: number) => Evidence | undefined;
  readonly evidenceHead: (run: number, position: number, trial: number) => EvidenceHead | undefined;
  readonly calls: (run: number, position: number, trial: number, from: number, limit: number) => CallPage;
  readonly events: (run: number) => readonly { readonly at: string; readonly type: string; readonly body: unknown }[];
  readonly past: (suiteId: string, scenarioId: string, limit: number) => readonly ScenarioPast[];
  readonly durations: (suiteId: string) => ReadonlyMap<string, number>;
  readonly labels: (query: { readonly suiteId?: string | undefined; readonly fingerprint?: string | undefined }) => readonly StoredLabel[];
  readonly measurements: () => readonly JudgeMeasurement[];
  readonly version: () => number;
}

/** So many reports are read at once. */
const PAGE = 200;
/** So many measured durations are read at once: of a large suite, fewer runs count. */
const MEASURES = 50_000;

const LETTER_OUTCOMES = new Map(Object.entries(OUTCOME_LETTERS).map(([outcome, letter]) => [letter, outcome as Outcome]));
const ROW_COLUMNS = "position, id, tags, outcome, passed, duration_ms, cost, trials, stopped, reason, claims_held, claims, turns_held, turns, tool_calls";
const REPORT_COLUMNS = "s.position, s.id, s.tags, s.outcome, s.passed, s.duration_ms, s.deciding, s.body, s.rest, t.body AS trial_body, t.rest AS trial_rest";
const REPORT_TABLES = "scenario s LEFT JOIN trial t ON t.run = s.run AND t.position = s.position AND t.trial = s.deciding";

interface StoredPages {
  readonly head_hash: string;
  readonly pages: readonly (readonly [count: number, hash: string])[];
}
type StoredEvidence = { readonly head: EvidenceHead; readonly calls: readonly ToolCall[] } | StoredPages;

export function openReads(database: DatabaseSync): Reads {
  const blobs = openBlobs(database);
  const statements = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    let statement = statements.get(text);
    if (statement === undefined) statements.set(text, (statement = database.prepare(text)));
    return statement;
  };
  const get = (text: string, ...values: readonly SQLInputValue[]): Row | undefined => sql(text).get(...values);
  const all = (text: string, ...values: readonly SQLInputValue[]): readonly Row[] => sql(text).all(...values);

  const liveTotals = (run: number): Totals => storedTotals(run, all);

  const storedRun = (row: Row): StoredRun => {
    const run = Number(row["ordinal"]);
    const manifest = JSON.parse(textOf(row["manifest"])) as Omit<RunManifest, "scenarios">;
    const head = row["head"] === null ? undefined : (JSON.parse(textOf(row["head"])) as ReportHead);
    const invocation = row["invocation_body"];
    return {
      ...manifest,
      ordinal: run,
      invocation: typeof invocation === "string" ? (JSON.parse(invocation) as Invocation) : { id: manifest.invocationId, startedAt: manifest.startedAt, command: [], cwd: "" },
      state: row["state"] === "finished" ? "finished" : "running",
      plannedScenarios: Number(row["planned_scenarios"]),
      plannedTrials: Number(row["planned_trials"]),
      storedTrials: Number(row["stored_trials"] ?? get("SELECT count(*) AS n FROM trial WHERE run = ?", run)?.["n"] ?? 0),
      totals: typeof row["totals"] === "string" ? (JSON.parse(row["totals"]) as Totals) : liveTotals(run),
      ...(head !== undefined && { head }),
      touchedAt: textOf(row["touched_at"]),
    };
  };
  const RUN = "SELECT r.*, i.body AS invocation_body FROM run r LEFT JOIN invocation i ON i.id = r.invocation";

  const planPages = (run: number): readonly (readonly [from: number, count: number, hash: string])[] =>
    JSON.parse(textOf(get("SELECT plan FROM run WHERE ordinal = ?", run)?.["plan"] ?? "[]")) as readonly (readonly [number, number, string])[];

  const planPage = (hash: string): readonly PlannedScenario[] => JSON.parse(blobs.read(hash)) as readonly PlannedScenario[];
  const plannedScenario = (run: number, position: number, page = planPage): PlannedScenario | undefined => {
    const hash = planPages(run).find(([from, count]) => position >= from && position < from + count)?.[2];
    return hash === undefined ? undefined : page(hash).find((planned) => planned.position === position);
  };

  const report = (run: number, row: Row): ScenarioReport => {
    const { position, deciding, body, rest, trial_body: trialBody, trial_rest: trialRest } = row;
    const text = typeof rest === "string" ? blobs.read(rest) : body;
    if (typeof deciding !== "number") return JSON.parse(textOf(text)) as ScenarioReport;
    const columns = { id: textOf(row["id"]), tags: tagsOf(row["tags"]), outcome: textOf(row["outcome"]), passed: row["passed"] === 1, durationMs: Number(row["duration_ms"]) };
    return joinScenario(columns, typeof text === "string" ? text : undefined, joinTrial(textOf(trialBody), restOf(trialRest)), () =>
      all("SELECT body, rest FROM trial WHERE run = ? AND position = ? ORDER BY trial", run, Number(position)).map((each) => joinTrial(textOf(each["body"]), restOf(each["rest"]))),
    );
  };
  const restOf = (hash: unknown): string | undefined => (typeof hash === "string" ? blobs.read(hash) : undefined);

  const evidenceOf = (run: number, position: number, trial: number): StoredEvidence | undefined => {
    const text = get("SELECT evidence FROM trial WHERE run = ? AND position = ? AND trial = ?", run, position, trial)?.["evidence"];
    return typeof text === "string" ? (JSON.parse(text) as StoredEvidence) : undefined;
  };
  const headOf = (evidence: StoredEvidence): EvidenceHead => ("head" in evidence ? evidence.head : (JSON.parse(blobs.read(evidence.head_hash)) as EvidenceHead));

  return {
    runs({ suiteId, invocationId, verdict, branch, before, limit }) {
      const where: string[] = [];
      const values: SQLInputValue[] = [];
      const add = (condition: string, value: SQLInputValue | undefined): void => {
        if (value === undefined) return;
        where.push(condition);
        values.push(value);
      };
      add("r.suite = ?", suiteId);
      add("r.invocation = ?", invocationId);
      add("r.verdict = ?", verdict);
      add("i.branch = ?", branch);
      add("r.ordinal < ?", before);
      return all(`${RUN} ${where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`} ORDER BY r.ordinal DESC LIMIT ?`, ...values, limitOf(limit)).map(storedRun);
    },
    run(ordinal) {
      const row = get(`${RUN} WHERE r.ordinal = ?`, ordinal);
      return row && storedRun(row);
    },
    named(name) {
      if ("ordinal" in name) return numberOf(get("SELECT ordinal FROM run WHERE ordinal = ?", name.ordinal)?.["ordinal"]);
      const found = all("SELECT ordinal FROM run WHERE substr(id, 1, ?1) = ?2 LIMIT 2", name.prefix.length, name.prefix);
      return found.length === 1 ? numberOf(found[0]?.["ordinal"]) : undefined;
    },
    suiteIds: () => all("SELECT DISTINCT suite FROM run ORDER BY suite").map(({ suite }) => textOf(suite)),
    planned: (run) => planPages(run).flatMap(([, , hash]) => planPage(hash)),
    plannedScenario,
    scenarios(run, query) {
      const counts = noCounts();
      for (const { outcome, n } of all("SELECT outcome, count(*) AS n FROM scenario WHERE run = ? GROUP BY outcome", run)) counts[(outcome ?? "missing") as Outcome | "missing"] = Number(n);
      const { where, values } = conditionOf(run, query);
      const total = where.length === 1 ? Object.values(counts).reduce((sum, n) => sum + n, 0) : Number(get(`SELECT count(*) AS n FROM scenario WHERE ${where.join(" AND ")}`, ...values)?.["n"] ?? 0);
      const { from, limit } = rangeOf(query);
      return { rows: all(`SELECT ${ROW_COLUMNS} FROM scenario WHERE ${where.join(" AND ")} ORDER BY ${ORDERS[query.sort ?? "position"]} LIMIT ? OFFSET ?`, ...values, limit, from).map(rowOf), total, counts };
    },
    scenario(run, position) {
      const row = get(`SELECT ${REPORT_COLUMNS} FROM ${REPORT_TABLES} WHERE s.run = ? AND s.position = ? AND s.outcome IS NOT NULL`, run, position);
      return row && report(run, row);
    },
    positionOf: (run, id) => numberOf(get("SELECT position FROM scenario WHERE run = ? AND id = ?", run, id)?.["position"]),
    scenarioReports: (run, after) =>
      all(`SELECT ${REPORT_COLUMNS} FROM ${REPORT_TABLES} WHERE s.run = ? AND s.position > ? AND s.outcome IS NOT NULL ORDER BY s.position LIMIT ?`, run, after, PAGE).map((row) => ({ position: Number(row["position"]), report: report(run, row) })),
    trial(run, position, trial) {
      const row = get("SELECT body, rest FROM trial WHERE run = ? AND position = ? AND trial = ?", run, position, trial);
      return row && joinTrial(textOf(row["body"]), restOf(row["rest"]));
    },
    trials: (run, { position, trial }) =>
      all("SELECT position, body, rest FROM trial WHERE run = ? AND (position, trial) > (?, ?) ORDER BY position, trial LIMIT ?", run, position, trial, PAGE).map((row) => ({
        position: Number(row["position"]),
        report: joinTrial(textOf(row["body"]), restOf(row["rest"])),
      })),
    evidence(run, position, trial) {
      const evidence = evidenceOf(run, position, trial);
      if (evidence === undefined) return undefined;
      return joinEvidence(headOf(evidence), "calls" in evidence ? evidence.calls : evidence.pages.flatMap(([, hash]) => JSON.parse(blobs.read(hash)) as readonly ToolCall[]));
    },
    evidenceHead(run, position, trial) {
      const evidence = evidenceOf(run, position, trial);
      return evidence && headOf(evidence);
    },
    calls(run, position, trial, from, limit) {
      const evidence = evidenceOf(run, position, trial);
      if (evidence === undefined) return { calls: [], total: 0 };
      if ("calls" in evidence) return { calls: evidence.calls.slice(from, from + limit), total: evidence.calls.length };
      let total = 0;
      const chunks = evidence.pages.map(([count]) => {
        total += count;
        return { from: total - count, count };
      });
      return { calls: callsWithin(chunks, from, limit, (at) => blobs.read(evidence.pages[at]?.[1] ?? "")), total };
    },
    events: (run) => all("SELECT body FROM event WHERE run = ? ORDER BY n", run).map(({ body }) => JSON.parse(textOf(body)) as { at: string; type: string; body: unknown }),
    past(suiteId, scenarioId, limit) {
      const plans = new Map<string, readonly PlannedScenario[]>();
      const remembered = (hash: string): readonly PlannedScenario[] => {
        let page = plans.get(hash);
        if (page === undefined) plans.set(hash, (page = planPage(hash)));
        return page;
      };
      const columns = ROW_COLUMNS.split(", ").map((column) => `s.${column}`).join(", ");
      return all(`SELECT r.ordinal, r.id AS run_id, r.started_at, ${columns} FROM run r JOIN scenario s ON s.run = r.ordinal AND s.id = ?1 WHERE r.suite = ?2 ORDER BY r.ordinal DESC LIMIT ?3`, scenarioId, suiteId, limitOf(limit)).map((found) => {
        const row = rowOf(found);
        const planned = plannedScenario(Number(found["ordinal"]), row.position, remembered);
        return { runId: textOf(found["run_id"]), ordinal: Number(found["ordinal"]), startedAt: textOf(found["started_at"]), row, revision: planned === undefined ? "" : revisionOf(planned) };
      });
    },
    durations(suiteId) {
      const measured = new Map<string, number[]>();
      let [runs, left] = [0, MEASURES];
      for (const { ordinal, planned } of all("SELECT ordinal, planned_scenarios AS planned FROM run WHERE suite = ? AND manifest ->> '$.rejudgedFrom' IS NULL ORDER BY ordinal DESC LIMIT ?", suiteId, RUNS_MEASURED)) {
        left -= Number(planned);
        if (runs > 0 && left < 0) break;
        runs += 1;
        const text = get("SELECT json_group_object(id, duration_ms / max(1, length(trials))) AS durations FROM scenario WHERE run = ? AND outcome IN ('passed', 'scored', 'failed')", Number(ordinal))?.["durations"];
        for (const [id, ms] of Object.entries(JSON.parse(textOf(text ?? "{}")) as Record<string, number>)) {
          const list = measured.get(id);
          if (list === undefined) measured.set(id, [ms]);
          else list.push(ms);
        }
      }
      return new Map([...measured].map(([id, values]) => [id, median(values)]));
    },
    labels: ({ suiteId, fingerprint }) =>
      all("SELECT body FROM label WHERE (?1 IS NULL OR suite = ?1) AND (?2 IS NULL OR fingerprint = ?2)", suiteId ?? null, fingerprint ?? null).map(({ body }) => JSON.parse(textOf(body)) as StoredLabel),
    measurements: () => all("SELECT body FROM measurement ORDER BY n").map(({ body }) => JSON.parse(textOf(body)) as JudgeMeasurement),
    version: () => Number(get("SELECT value FROM meta WHERE name = 'version'")?.["value"] ?? 0),
  };
}

const ORDERS: Readonly<Record<NonNullable<ScenarioQuery["sort"]>, string>> = {
  position: "position",
  flaky: "coalesce(flaky, 0) DESC, position",
  cost: "cost DESC NULLS LAST, position",
  duration: "duration_ms DESC NULLS LAST, position",
};

function conditionOf(run: number, { outcomes, tag, search }: ScenarioQuery): { readonly where: readonly string[]; readonly values: readonly SQLInputValue[] } {
  const where = ["run = ?"];
  const values: SQLInputValue[] = [run];
  if (outcomes !== undefined) {
    const known = outcomes.filter((outcome) => outcome !== "missing");
    where.push(`(${known.length === 0 ? "0" : `outcome IN (${known.map(() => "?").join(", ")})`}${outcomes.includes("missing") ? " OR outcome IS NULL" : ""})`);
    values.push(...known);
  }
  if (tag !== undefined) {
    where.push("instr(tags, ?) > 0");
    values.push(`\n${tag}\n`);
  }
  for (const word of wordsOf(search)) {
    where.push("(id LIKE ? ESCAPE '\\' OR tags LIKE ? ESCAPE '\\' OR reason LIKE ? ESCAPE '\\')");
    const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
    values.push(pattern, pattern, pattern);
  }
  return { where, values };
}

function rowOf(row: Row): ScenarioRow {
  const trials = textOf(row["trials"] ?? "").split("").flatMap((letter) => LETTER_OUTCOMES.get(letter) ?? []);
  const [cost, stopped, reason, claims, turns, toolCalls] = [row["cost"], row["stopped"], row["reason"], row["claims"], row["turns"], row["tool_calls"]];
  const base = { position: Number(row["position"]), id: textOf(row["id"]), tags: tagsOf(row["tags"]), trials };
  if (typeof row["outcome"] !== "string") return base;
  return {
    ...base,
    outcome: row["outcome"] as Outcome,
    passed: row["passed"] === 1,
    durationMs: Number(row["duration_ms"]),
    ...(typeof cost === "number" && { cost }),
    ...((trials.length > 1 || typeof stopped === "string") && { trialCounts: { ...countTrials(trials), ...(typeof stopped === "string" && { stopped: JSON.parse(stopped) as TrialStop }) } }),
    ...(typeof reason === "string" && { reason }),
    ...(typeof claims === "number" && { claims: { held: Number(row["claims_held"]), of: claims } }),
    ...(typeof turns === "number" && { turns: { held: Number(row["turns_held"]), of: turns } }),
    ...(typeof toolCalls === "number" && { toolCalls }),
  };
}

function tagsOf(tags: unknown): readonly string[] {
  return typeof tags === "string" ? tags.slice(1, -1).split("\n") : [];
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Error("a text of the store is missing");
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
