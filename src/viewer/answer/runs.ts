// Owns the list of runs and of suites: what matches a filter, page by page, each with what a first look needs.

import type { RunQuery, StoredRun } from "../../core/store.ts";
import { isVerdict } from "./query.ts";
import { againstOf } from "./against.ts";
import type { AnswerContext } from "./context.ts";
import type { RunRow, RunsAnswer, SuiteRow, SuitesAnswer } from "./form.ts";
import { runRow } from "./run-row.ts";

const PAGE = 50;
/** A filter by words reads at most so many runs for one page. */
const READ_AT_MOST = 1000;
const PAST = 20;

export interface RunsAsked {
  readonly suite?: string | undefined;
  readonly verdict?: string | undefined;
  readonly branch?: string | undefined;
  readonly tag?: string | undefined;
  readonly since?: number | undefined;
  readonly words: readonly string[];
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export async function answerRuns(context: AnswerContext, asked: RunsAsked): Promise<RunsAnswer> {
  const limit = Math.min(asked.limit ?? PAGE, 200);
  const found: StoredRun[] = [];
  let before = asked.before;
  let ended = false;
  for (let read = 0; found.length < limit && read < READ_AT_MOST && !ended; ) {
    const page = await context.reads.runs(queryOf(asked, before, limit));
    for (const run of page) {
      before = run.ordinal;
      if (await matches(context, run, asked)) found.push(run);
      if (found.length === limit) break;
    }
    read += page.length;
    ended = page.length < limit && found.length < limit;
  }
  return { runs: await Promise.all(found.map((run) => rowOf(context, run))), next: ended ? undefined : before, url: context.reads.url };
}

export async function rowOf(context: AnswerContext, run: StoredRun): Promise<RunRow> {
  const [against, baseline] = await Promise.all([againstOf(context, run), context.baselineOf(run.suiteId)]);
  return { ...runRow(run, context.now()), against, isBaseline: baseline === run.runId ? true : undefined };
}

/** The latest run of each suite, the worst news first. */
export async function answerSuites(context: AnswerContext): Promise<SuitesAnswer> {
  const suites = (await Promise.all((await context.reads.suiteIds()).map((suite) => suiteRow(context, suite)))).filter((row) => row !== undefined);
  const latest = await context.reads.runs({ limit: PAGE });
  const running = latest.filter((run) => runRow(run, context.now()).state === "running").length;
  return { suites: suites.sort((a, b) => urgency(b) - urgency(a) || b.latest.n - a.latest.n), running, url: context.reads.url };
}

async function suiteRow(context: AnswerContext, suite: string): Promise<SuiteRow | undefined> {
  const runs = await context.reads.runs({ suiteId: suite, limit: PAST + 5 });
  const finished = runs.filter(({ state }) => state === "finished");
  const run = finished[0] ?? runs[0];
  if (run === undefined) return undefined;
  const latest = await rowOf(context, run);
  const past = finished.slice(0, PAST).toReversed().map((each) => {
    const { rate } = runRow(each, context.now());
    return rate === undefined ? null : ([rate.rate, ...rate.interval] as const);
  });
  return { suite, latest, said: saidOf(latest, run), past };
}

/** What changed, in words. */
function saidOf({ against, error }: RunRow, { totals }: StoredRun): string {
  if (error !== undefined) return error;
  const said: string[] = [];
  if (against !== undefined && against.worse > 0) said.push(`${against.worse} got worse`);
  if (against !== undefined && against.better > 0) said.push(`${against.better} got better`);
  if (said.length > 0) return said.join(", ");
  if (totals.failed > 0) return `${totals.failed} failed`;
  if (totals.errored > 0) return `${totals.errored} errored`;
  return totals.scored > 0 ? `${totals.scored} missed a threshold` : "";
}

function urgency({ latest }: SuiteRow): number {
  if (latest.against?.verdict === "regressed") return 4;
  return { failed: 3, errored: 2, cancelled: 2, incomplete: 2, scored: 1, running: 1, passed: 0, skipped: 0 }[latest.state];
}

function queryOf({ suite, verdict, branch }: RunsAsked, before: number | undefined, limit: number): RunQuery {
  return { suiteId: suite, branch, before, limit, verdict: isVerdict(verdict) && verdict === "passed" ? verdict : undefined };
}

async function matches(context: AnswerContext, run: StoredRun, { verdict, tag, since, words }: RunsAsked): Promise<boolean> {
  if (since !== undefined && Date.parse(run.startedAt) < since) return false;
  const row = runRow(run, context.now());
  if (verdict !== undefined && row.state !== verdict) return false;
  const text = [run.suiteId, `#${run.ordinal}`, row.state, run.invocation.branch, run.note, run.variant, run.subject, run.invocation.commit, run.runId].join(" ").toLowerCase();
  if (!words.every((word) => text.includes(word))) return false;
  return tag === undefined || (await context.reads.scenarios(run.runId, { tag, limit: 1 })).total > 0;
}
