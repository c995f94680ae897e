// Owns a suite over time: one point a run, with its interval, its cost and its time; and the wall of scenarios by run.

import type { Outcome } from "../../core/outcome.ts";
import type { ScenarioRow, StoredRun } from "../../core/store.ts";
import { wilsonInterval } from "./wilson-interval.ts";
import { outcomesByScenario } from "./against.ts";
import type { AnswerContext } from "./context.ts";
import { missing } from "./missing.ts";
import { outcomeLetter } from "./outcome-letter.ts";
import { sinceOf, textOf } from "./query.ts";
import { everyRow } from "./rows.ts";
import { costOf } from "./run-row.ts";
import type { TrendPoint, TrendsAnswer, WallRow } from "./trends-form.ts";

const RUNS = 200;
const WALL_RUNS = 24;
const WALL_ROWS = 200;
/** The rows of larger runs are not gone through for a median. */
const ROWS_AT_MOST = 20_000;

export async function answerTrends(context: AnswerContext, suite: string, query: URLSearchParams): Promise<TrendsAnswer> {
  const suites = await context.reads.suiteIds();
  if (!suites.includes(suite)) throw missing(`no run of a suite ${JSON.stringify(suite.slice(0, 80))} in this store`);
  const [tag, scenario] = [textOf(query, "tag"), textOf(query, "scenario")];
  const since = sinceOf(textOf(query, "since"), context.now());
  const runs = (await context.reads.runs({ suiteId: suite, limit: RUNS })).filter(({ state, head, startedAt }) => state === "finished" && head?.error === undefined && (since === undefined || Date.parse(startedAt) >= since)).toReversed();
  const branch = textOf(query, "branch") ?? commonest(runs);
  const points = (await Promise.all(runs.map((run) => point(context, run, tag, scenario)))).filter((each) => each !== undefined);
  const main = points.filter((each) => each.branch === branch);
  const lastOfMain = main.at(-1)?.n ?? 0;
  const baseline = await context.baselineOf(suite);
  return {
    suite,
    suites,
    branch,
    branches: [...new Set(runs.map((run) => run.invocation.branch ?? ""))].filter(Boolean).sort(),
    tags: await tagsOf(context, runs.at(-1)),
    points: main,
    open: points.filter((each) => each.branch !== branch && each.n > lastOfMain).slice(-6),
    baseline,
    ...(scenario === undefined && tag === undefined ? await wall(context, runs.filter((run) => run.invocation.branch === branch || run.ordinal > lastOfMain).slice(-WALL_RUNS)) : { wall: [], wallRuns: [], steady: 0, moreWall: 0 }),
  };
}

function commonest(runs: readonly StoredRun[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const { invocation } of runs) counts.set(invocation.branch, (counts.get(invocation.branch) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

interface Gathered {
  readonly passed: number;
  readonly judged: number;
  readonly errored: number;
  readonly median?: number | undefined;
  readonly p95?: number | undefined;
  readonly cost?: number | undefined;
  readonly scenarios: number;
}

async function point(context: AnswerContext, run: StoredRun, tag: string | undefined, scenario: string | undefined): Promise<TrendPoint | undefined> {
  const gathered = await context.once(`point ${run.runId} ${tag ?? ""} ${scenario ?? ""}`, () => gather(context, run, tag, scenario));
  const { passed, judged, errored, median, p95, cost, scenarios } = gathered;
  if (scenarios === 0) return undefined;
  return {
    id: run.runId,
    n: run.ordinal,
    at: run.startedAt,
    branch: run.invocation.branch,
    note: run.note,
    model: run.head?.judge?.model,
    passed,
    judged,
    interval: judged > 0 ? wilsonInterval(passed, judged) : undefined,
    errored,
    median,
    p95,
    cost,
  };
}

async function gather(context: AnswerContext, run: StoredRun, tag: string | undefined, scenario: string | undefined): Promise<Gathered> {
  const durations: number[] = [];
  const sums = { passed: 0, judged: 0, errored: 0, scenarios: 0, cost: 0, known: 0 };
  const add = (row: ScenarioRow): void => {
    if (row.outcome === undefined || row.outcome === "skipped") return;
    sums.scenarios += 1;
    if (row.outcome === "passed") sums.passed += 1;
    if (row.outcome === "passed" || row.outcome === "scored" || row.outcome === "failed") sums.judged += 1;
    if (row.outcome === "errored") sums.errored += 1;
    if (row.durationMs !== undefined) durations.push(row.durationMs);
    if (row.cost !== undefined) {
      sums.cost += row.cost;
      sums.known += 1;
    }
  };
  if (scenario !== undefined) {
    const position = await context.reads.positionOf(run.runId, scenario);
    if (position !== undefined) for (const row of (await context.reads.scenarios(run.runId, { from: position, limit: 1 })).rows) add(row);
  } else if (run.plannedScenarios <= ROWS_AT_MOST) {
    for await (const row of everyRow(context.reads, run.runId, { tag })) add(row);
  } else {
    const { passed, scored, failed, errored, scenarios } = run.totals;
    const cost = costOf(run.head?.usage);
    return { passed, judged: passed + scored + failed, errored, scenarios, cost: cost === undefined ? undefined : cost / scenarios };
  }
  durations.sort((a, b) => a - b);
  return { ...sums, cost: sums.known > 0 ? sums.cost / sums.known : undefined, median: durations[Math.floor(durations.length / 2)], p95: durations[Math.min(durations.length - 1, Math.floor(durations.length * 0.95))] };
}

async function tagsOf(context: AnswerContext, run: StoredRun | undefined): Promise<readonly string[]> {
  if (run === undefined || run.plannedScenarios > ROWS_AT_MOST) return [];
  return context.once(`tags ${run.runId}`, async () => {
    const tags = new Set<string>();
    for await (const row of everyRow(context.reads, run.runId)) for (const tag of row.tags) tags.add(tag);
    return [...tags].sort().slice(0, 100);
  });
}

/** Scenarios by run, the most unsteady first. Those that passed in every run are only counted. */
async function wall(context: AnswerContext, runs: readonly StoredRun[]): Promise<Pick<TrendsAnswer, "wall" | "wallRuns" | "steady" | "moreWall">> {
  const columns = await Promise.all(runs.map((run) => outcomesByScenario(context, run)));
  const ids = new Set(columns.flatMap((column) => (column === undefined ? [] : [...column.keys()])));
  const rows: WallRow[] = [];
  let steady = 0;
  for (const id of ids) {
    const row = wallRow(id, columns.map((column) => column?.get(id)));
    if (row.passed === row.of) steady += 1;
    else rows.push(row);
  }
  rows.sort((a, b) => b.flips - a.flips || a.passed / a.of - b.passed / b.of || (a.id < b.id ? -1 : 1));
  return { wall: rows.slice(0, WALL_ROWS), moreWall: Math.max(0, rows.length - WALL_ROWS), steady, wallRuns: runs.map(({ runId, ordinal, startedAt }) => ({ id: runId, n: ordinal, at: startedAt })) };
}

function wallRow(id: string, outcomes: readonly (Outcome | undefined)[]): WallRow {
  let flips = 0;
  let before: boolean | undefined;
  let passed = 0;
  let of = 0;
  for (const outcome of outcomes) {
    if (outcome === undefined || outcome === "skipped") continue;
    const held = outcome === "passed";
    if (before !== undefined && held !== before) flips += 1;
    before = held;
    of += 1;
    if (held) passed += 1;
  }
  return { id, flips, passed, of, cells: outcomes.map((outcome) => (outcome === undefined ? "." : outcomeLetter(outcome))).join("") };
}
