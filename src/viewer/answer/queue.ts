// Owns the queue of judgments to label: drawn half at random and half by the judge's label, the same each time for the same run, without what is labelled.

import type { ReportJudgment, TrialReport } from "../../core/report.ts";
import type { StoredLabel, StoredRun } from "../../core/store.ts";
import { type JudgedClaim, judgedClaims } from "../../judge/judged-claim.ts";
import { sampleJudgments } from "../../judge/sample-judgments.ts";
import type { AnswerContext } from "./context.ts";
import type { LabelRow, QueueAnswer, QueueItem } from "./judge-form.ts";
import { wholeNumber } from "./query.ts";
import { ANSWER_INLINE, words } from "./words.ts";
import { stepOf } from "./step.ts";

/** How many are drawn from one run, and how many scenarios are looked at for them. */
const DRAWN = 40;
const SCENARIOS_AT_MOST = 5_000;
const AHEAD = 3;
const DONE = 50;
const ALL = 1000;

/** A judgment that can be labelled, without its texts. */
export interface Candidate {
  readonly run: StoredRun;
  readonly position: number;
  readonly scenario: string;
  readonly trial: number;
  readonly turn?: number | undefined;
  readonly claim: string;
  readonly drawn: QueueItem["drawn"];
}

export const keyOf = ({ run, position, trial, turn, claim }: Omit<Candidate, "drawn" | "scenario">): string => JSON.stringify([run.runId, position, trial, turn ?? null, claim]);

const labelKey = ({ from, claim }: StoredLabel): string | undefined => from && JSON.stringify([from.runId, from.position, from.trial, from.turn ?? null, claim.id]);

/** The latest finished run with judgments, and what is drawn from it. */
export async function drawn(context: AnswerContext, fingerprint: string | undefined): Promise<{ readonly run: StoredRun; readonly candidates: readonly Candidate[] } | undefined> {
  for (const run of await context.reads.runs({ limit: 50 })) {
    if (run.state !== "finished" || run.head?.judge === undefined || (fingerprint !== undefined && run.head.judge.fingerprint !== fingerprint)) continue;
    const candidates = await context.once(`drawn ${run.runId}`, () => draw(context, run));
    if (candidates.length > 0) return { run, candidates };
  }
  return undefined;
}

/** Drawn as `entail judge sample` draws. */
async function draw({ reads }: AnswerContext, run: StoredRun): Promise<readonly Candidate[]> {
  const claims: JudgedClaim[] = [];
  let seen = 0;
  for await (const report of reads.scenarioReports(run.runId)) {
    if (seen >= SCENARIOS_AT_MOST) break;
    seen += 1;
    // Texts are read again for what is drawn; a run may say more than memory holds.
    for (const claim of judgedClaims(report)) claims.push({ ...claim, output: "", reference: "" });
  }
  const rows = sampleJudgments(claims, { count: DRAWN, random: DRAWN / 2, suiteId: run.suiteId, runId: run.runId });
  const candidates: Candidate[] = [];
  for (const { from, claim, drawn: how } of rows) {
    const position = from === undefined ? undefined : await reads.positionOf(run.runId, from.scenario);
    if (from === undefined || position === undefined) continue;
    candidates.push({ run, position, scenario: from.scenario, trial: from.trial, turn: from.turn, claim: claim.id, drawn: how === "by_label" ? "by_label" : "random" });
  }
  return mixed(candidates);
}

/** The same order each time, in which neighbours are of different scenarios. */
function mixed<T>(list: readonly T[]): readonly T[] {
  const step = [17, 13, 11, 7, 5, 3, 2].find((each) => each < list.length && list.length % each !== 0) ?? 1;
  return list.map((_, at) => list[(at * step) % list.length] as T);
}

function judgmentsOf(trial: TrialReport): readonly { readonly judgment: ReportJudgment; readonly turn: number | undefined }[] {
  return [...(trial.judgments ?? []).map((judgment) => ({ judgment, turn: undefined })), ...(trial.turns ?? []).flatMap(({ turn, judgments }) => (judgments ?? []).map((judgment) => ({ judgment, turn })))];
}

export async function answerQueue(context: AnswerContext, query: URLSearchParams): Promise<QueueAnswer> {
  const from = await drawn(context, query.get("fingerprint") || undefined);
  const labels = await context.reads.labels();
  const known = new Set(labels.map(labelKey));
  const waiting = (from?.candidates ?? []).filter((each) => !known.has(keyOf(each)));
  const own = labels.filter((label) => from !== undefined && from.candidates.some((each) => keyOf(each) === labelKey(label)));
  const skip = wholeNumber(query.get("skip")) ?? 0;
  const items = await Promise.all(waiting.slice(skip, skip + (wholeNumber(query.get("n")) ?? AHEAD)).map((each) => itemOf(context, each)));
  return {
    items: items.filter((item) => item !== undefined),
    waiting: waiting.length,
    labelled: own.length,
    agree: own.filter(({ label, judged }) => judged?.label === label).length,
    drawnFrom: from && { id: from.run.runId, n: from.run.ordinal, suite: from.run.suiteId },
    byLabel: (from?.candidates ?? []).filter((each) => each.drawn === "by_label").length,
    atRandom: (from?.candidates ?? []).filter((each) => each.drawn === "random").length,
    done: (query.get("all") === "1" ? ofJudge(labels, query.get("fingerprint")) : own).toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, query.get("all") === "1" ? ALL : DONE).map(rowOf),
  };
}

const ofJudge = (labels: readonly StoredLabel[], fingerprint: string | null): readonly StoredLabel[] => labels.filter(({ judged }) => judged !== undefined && (judged.fingerprint ?? "") === (fingerprint ?? ""));

const rowOf = ({ id, from, claim, label, judged, note }: StoredLabel): LabelRow => ({ id, scenario: from?.scenario ?? claim.id, run: from?.runId, claim: claim.id, text: claim.text, label, judged: judged?.label, note });

async function itemOf(context: AnswerContext, candidate: Candidate): Promise<QueueItem | undefined> {
  const { run, position, scenario, trial, turn, claim } = candidate;
  const found = await judgedTexts(context, { runId: run.runId, position, trial }, turn, claim);
  if (found === undefined) return undefined;
  const path = `runs/${stepOf(run.runId)}/scenario/${stepOf(scenario)}/trials/${trial}/text?part=`;
  return {
    key: keyOf(candidate),
    run: run.runId,
    n: run.ordinal,
    suite: run.suiteId,
    scenario,
    position,
    trial,
    turn,
    claim: found.claim,
    output: words(found.output, ANSWER_INLINE, `${path}${turn === undefined ? "output" : `turn.${turn}.output`}`),
    reference: found.reference === "" ? undefined : words(found.reference, ANSWER_INLINE, `${path}reference`),
    drawn: candidate.drawn,
  };
}

export interface JudgedTexts {
  readonly claim: { readonly id: string; readonly text: string };
  readonly output: string;
  readonly reference: string;
  readonly judgment: ReportJudgment;
}

/** What was judged, whole, as the store has it. */
export async function judgedTexts({ reads }: AnswerContext, key: { readonly runId: string; readonly position: number; readonly trial: number }, turn: number | undefined, claimId: string): Promise<JudgedTexts | undefined> {
  const trial = await reads.trial(key);
  const judgment = trial && judgmentsOf(trial).find((each) => each.turn === turn && each.judgment.claimId === claimId)?.judgment;
  if (trial === undefined || judgment === undefined) return undefined;
  const output = turn === undefined ? trial.result?.output : trial.turns?.find((each) => each.turn === turn)?.output;
  const claims = turn === undefined ? trial.result?.claims : (trial.turns?.find((each) => each.turn === turn)?.claims ?? trial.result?.claims);
  const text = claims?.find(({ id }) => id === claimId)?.text ?? claimId;
  return { claim: { id: claimId, text }, output: output ?? "", reference: trial.result?.reference ?? "", judgment };
}
