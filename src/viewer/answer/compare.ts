// Owns the comparison of two runs as its page needs it: the record that everything else shows, its long lists cut, the outputs of a flip apart.

import { comparableHead, comparableScenario } from "../../report/comparable-run.ts";
import { compareReports } from "../../report/compare-reports.ts";
import type { ComparableRun, ComparableScenario } from "../../core/comparison.ts";
import type { ReportHead, ScenarioReport, TrialReport } from "../../core/report.ts";
import type { StoredRun } from "../../core/store.ts";
import { referenceOf } from "./against.ts";
import type { CompareAnswer, ComparedOutput, ComparedRun, OutputsAnswer } from "./compare-form.ts";
import type { AnswerContext } from "./context.ts";
import { missing } from "./missing.ts";
import { outcomeLetter } from "./outcome-letter.ts";
import { requireRun } from "./run.ts";
import { runState } from "./run-row.ts";
import { ANSWER_INLINE, words } from "./words.ts";
import { stepOf } from "./step.ts";

/** Rows of each list that the page holds; what is left is counted. */
const SHOWN = 300;
const STRIP = 12;

/** `a..b`: ids, ordinals, `baseline` or `last`. */
async function runsOf(context: AnswerContext, pair: string): Promise<readonly [StoredRun, StoredRun]> {
  const [a = "", b = ""] = pair.split("..");
  const after = b === "last" || b === "" ? await lastRun(context) : await requireRun(context, b);
  if (a !== "baseline" && a !== "") return [await requireRun(context, a), after];
  const reference = await referenceOf(context, after);
  if (reference === undefined) throw missing(`${after.suiteId} #${after.ordinal} has no baseline and no run before it to be held against`);
  return [reference.run, after];
}

async function lastRun({ reads }: AnswerContext): Promise<StoredRun> {
  const found = (await reads.runs({ limit: 50 })).find(({ state }) => state === "finished");
  if (found === undefined) throw missing("no run of this store has finished yet");
  return found;
}

export async function answerCompare(context: AnswerContext, pair: string, query: URLSearchParams): Promise<CompareAnswer | OutputsAnswer> {
  const [before, after] = await runsOf(context, pair);
  const scenario = query.get("outputs");
  if (scenario !== null) return outputs(context, before, after, query.get("from") ?? scenario, scenario, query.get("turn"));
  const make = (): Promise<CompareAnswer> => compare(context, before, after);
  return before.state === "finished" && after.state === "finished" ? context.once(`compare ${before.runId} ${after.runId}`, make) : make();
}

async function compare(context: AnswerContext, before: StoredRun, after: StoredRun): Promise<CompareAnswer> {
  const strips = { before: new Map<string, string>(), after: new Map<string, string>() };
  const comparison = compareReports(await comparable(context, before, strips.before), await comparable(context, after, strips.after), { names: { before: `#${before.ordinal}`, after: `#${after.ordinal}` } });
  const { gotWorse, gotBetter, alsoChanged, unchanged, notCompared, groups, ...rest } = comparison;
  const thin = (changes: typeof gotWorse): CompareAnswer["gotWorse"] =>
    changes.slice(0, SHOWN).map((change) => ({ ...change, flips: change.flips.slice(0, 50), strips: [strips.before.get(change.from ?? change.id) ?? "", strips.after.get(change.id) ?? ""] }));
  return {
    ...rest,
    runs: [comparedRun(context, before), comparedRun(context, after)],
    baseline: (await context.baselineOf(after.suiteId)) === before.runId,
    gotWorse: thin(gotWorse),
    gotBetter: thin(gotBetter),
    alsoChanged: thin(alsoChanged),
    groups: groups.slice(0, 40),
    unchanged: unchanged.slice(0, SHOWN),
    notCompared: notCompared.slice(0, SHOWN),
    missing: rest.missing.slice(0, SHOWN),
    new: rest.new.slice(0, SHOWN),
    revised: rest.revised.slice(0, SHOWN),
    renamed: rest.renamed.slice(0, SHOWN),
    stillNotPassing: rest.stillNotPassing.slice(0, SHOWN),
    counts: { gotWorse: gotWorse.length, gotBetter: gotBetter.length, alsoChanged: alsoChanged.length, unchanged: unchanged.length, notCompared: notCompared.length, missing: rest.missing.length, new: rest.new.length },
  };
}

function comparedRun(context: AnswerContext, run: StoredRun): ComparedRun {
  return { id: run.runId, n: run.ordinal, suite: run.suiteId, branch: run.invocation.branch, note: run.note ?? run.variant, at: run.startedAt, state: runState(run, context.now()) };
}

/** Reads a run's reports one after the other; nothing of them is kept but counts. */
async function comparable({ reads }: AnswerContext, run: StoredRun, strips: Map<string, string>): Promise<ComparableRun> {
  const scenarios: ComparableScenario[] = [];
  for await (const report of reads.scenarioReports(run.runId)) {
    scenarios.push(comparableScenario(report));
    strips.set(report.id, (report.trials ?? [report]).slice(0, STRIP).map(({ outcome }) => outcomeLetter(outcome)).join(""));
  }
  const head: ReportHead = run.head ?? { runId: run.runId, suiteId: run.suiteId, startedAt: run.startedAt, durationMs: 0, passed: false, totals: run.totals };
  return { ...comparableHead(head, { subject: run.subject, variant: run.variant }), scenarios };
}

/** What both runs said, in the turn where they part. */
async function outputs(context: AnswerContext, before: StoredRun, after: StoredRun, from: string, id: string, turnText: string | null): Promise<OutputsAnswer> {
  const [old, now] = await Promise.all([reportOf(context, before, from), reportOf(context, after, id)]);
  const oldTrials = trialsOf(old);
  const newTrials = trialsOf(now);
  // A trial that shows the change, with its partner of the same number where there is one.
  const shown = newTrials.find(({ outcome }) => outcome !== old.outcome) ?? newTrials[0];
  const partner = oldTrials.find(({ trial }) => trial === shown?.trial) ?? oldTrials[0];
  const turn = turnText === null ? firstDifferent(partner, shown) : Number(turnText);
  return { scenario: id, before: outputOf(partner, turn, before, from), after: outputOf(shown, turn, after, id) };
}

async function reportOf({ reads }: AnswerContext, run: StoredRun, id: string): Promise<ScenarioReport> {
  const position = await reads.positionOf(run.runId, id);
  const report = position === undefined ? undefined : await reads.scenario(run.runId, position);
  if (report === undefined) throw missing(`${run.suiteId} #${run.ordinal} has no scenario ${JSON.stringify(id.slice(0, 80))}`);
  return report;
}

type Tried = Pick<TrialReport, "trial" | "outcome" | "turns" | "result">;

const trialsOf = (report: ScenarioReport): readonly Tried[] => report.trials ?? [{ ...report, trial: 1 }];

/** The first turn whose output differs; `undefined` for a trial without turns. */
function firstDifferent(before: Tried | undefined, after: Tried | undefined): number | undefined {
  const turns = after?.turns ?? before?.turns;
  if (turns === undefined) return undefined;
  const found = turns.find(({ turn }) => before?.turns?.find((each) => each.turn === turn)?.output !== after?.turns?.find((each) => each.turn === turn)?.output);
  return (found ?? turns[0])?.turn;
}

function outputOf(trial: Tried | undefined, turn: number | undefined, run: StoredRun, scenario: string): ComparedOutput {
  const output = turn === undefined || trial?.turns === undefined ? trial?.result?.output : trial.turns.find((each) => each.turn === turn)?.output;
  const path = `runs/${stepOf(run.runId)}/scenario/${stepOf(scenario)}/trials/${trial?.trial ?? 1}/text?part=${turn === undefined ? "output" : `turn.${turn}.output`}`;
  return { run: run.runId, n: run.ordinal, trial: trial?.trial ?? 1, turn, outcome: trial?.outcome, said: output === undefined ? undefined : words(output, ANSWER_INLINE, path) };
}
