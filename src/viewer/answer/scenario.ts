// Owns a scenario of a run as its page needs it: its head, its trials, and the long texts in pieces.

import type { Outcome } from "../../core/outcome.ts";
import type { ScenarioReport, TrialReport } from "../../core/report.ts";
import type { PlannedScenario, StoredRun, TrialKey } from "../../core/store.ts";
import { outcomesByScenario, referenceOf } from "./against.ts";
import { callsFrom, callText } from "./call.ts";
import type { AnswerContext } from "./context.ts";
import type { CallsAnswer, FoundAnswer, ScenarioAnswer, TextAnswer, TrialAnswer } from "./form.ts";
import { missing } from "./missing.ts";
import { requireRun } from "./run.ts";
import { runState } from "./run-row.ts";
import { trialAnswer } from "./trial.ts";
import { asText, wholeEnd } from "./words.ts";
import { stepOf } from "./step.ts";

/** A piece of a long text in one answer. */
export const TEXT_PIECE = 65_536;
const FOUND_AT_MOST = 1000;

interface Place {
  readonly run: StoredRun;
  readonly position: number;
  readonly id: string;
}

async function placeOf(context: AnswerContext, runText: string, scenario: string): Promise<Place> {
  const run = await requireRun(context, runText);
  const position = await context.reads.positionOf(run.runId, scenario);
  if (position === undefined) throw missing(`${run.suiteId} #${run.ordinal} has no scenario ${JSON.stringify(scenario.slice(0, 80))}; it may have been renamed`);
  return { run, position, id: scenario };
}

const plannedOf = ({ reads }: AnswerContext, { run, position }: Place): Promise<PlannedScenario | undefined> => reads.plannedScenario(run.runId, position);

export async function answerScenario(context: AnswerContext, runText: string, scenario: string): Promise<ScenarioAnswer> {
  const place = await placeOf(context, runText, scenario);
  const { run, position } = place;
  const [planned, report, reference] = await Promise.all([plannedOf(context, place), context.reads.scenario(run.runId, position), referenceOf(context, run)]);
  const then = reference && (await outcomesByScenario(context, reference.run))?.get(scenario);
  return {
    run: { id: run.runId, n: run.ordinal, suite: run.suiteId, state: runState(run, context.now()) },
    position,
    id: scenario,
    description: planned?.description ?? "",
    tags: planned?.tags ?? report?.tags ?? [],
    outcome: report?.outcome,
    skip: report?.skip ?? planned?.skip,
    knownFailure: report?.knownFailure ?? planned?.knownFailure,
    trials: trialsOf(report),
    deciding: decidingOf(report),
    was: reference === undefined || then === undefined ? undefined : { id: reference.run.runId, n: reference.run.ordinal, outcome: then, baseline: reference.baseline },
    error: report?.error,
  };
}

const trialsOf = (report: ScenarioReport | undefined): readonly { readonly trial: number; readonly outcome: Outcome }[] =>
  report === undefined ? [] : (report.trials?.map(({ trial, outcome }) => ({ trial, outcome })) ?? [{ trial: 1, outcome: report.outcome }]);

/** The first trial that did not pass, else the first. */
const decidingOf = (report: ScenarioReport | undefined): number => report?.trials?.find(({ outcome }) => outcome !== "passed")?.trial ?? 1;

async function trialOf(context: AnswerContext, { run, position, id }: Place, trial: number): Promise<{ readonly key: TrialKey; readonly report: TrialReport }> {
  const key = { runId: run.runId, position, trial };
  const report = await context.reads.trial(key);
  if (report === undefined) throw missing(`${id} of ${run.suiteId} #${run.ordinal} has no trial ${trial} yet`);
  return { key, report };
}

const pathOf = ({ run, id }: Place, trial: number): string => `runs/${stepOf(run.runId)}/scenario/${stepOf(id)}/trials/${trial}`;

export async function answerTrial(context: AnswerContext, runText: string, scenario: string, trial: number): Promise<TrialAnswer> {
  const place = await placeOf(context, runText, scenario);
  const { key, report } = await trialOf(context, place, trial);
  return trialAnswer(context, key, report, await plannedOf(context, place), pathOf(place, trial));
}

export async function answerCalls(context: AnswerContext, runText: string, scenario: string, trial: number, from: number): Promise<CallsAnswer> {
  const place = await placeOf(context, runText, scenario);
  return callsFrom(context, { runId: place.run.runId, position: place.position, trial }, from, pathOf(place, trial));
}

/** A piece of a long text from `at`, or where `find` stands in it. */
export async function answerText(context: AnswerContext, runText: string, scenario: string, trial: number, part: string, at: number, find: string | undefined): Promise<TextAnswer | FoundAnswer> {
  const place = await placeOf(context, runText, scenario);
  const text = await context.longText(`${place.run.runId} ${place.position} ${trial} ${part}`, () => textPart(context, place, trial, part));
  if (text === undefined) throw missing(`trial ${trial} of ${place.id} has no ${part.slice(0, 60)}`);
  if (find !== undefined) return findAll(text, find);
  const start = wholeEnd(text, Math.min(at, text.length));
  return { text: text.slice(start, wholeEnd(text, Math.min(start + TEXT_PIECE, text.length))), at: start, of: text.length };
}

async function textPart(context: AnswerContext, place: Place, trial: number, part: string): Promise<string | undefined> {
  const key = { runId: place.run.runId, position: place.position, trial };
  const call = /^call\.(\d{1,9})\.(args|result|recovery)$/.exec(part);
  if (call !== null) return callText(context, key, Number(call[1]), call[2] ?? "");
  if (part === "input") return asText((await plannedOf(context, place))?.input);
  const { report } = await trialOf(context, place, trial);
  const turn = /^turn\.(\d{1,6})\.(input|output)$/.exec(part);
  if (turn !== null) {
    const found = report.turns?.find((each) => each.turn === Number(turn[1]));
    return asText(turn[2] === "input" ? found?.input : found?.output);
  }
  if (part.startsWith("check.")) return report.result?.checks?.find(({ name }) => name === part.slice("check.".length))?.diagnostic;
  if (part === "raw") return `${JSON.stringify(report, null, 2)}\n`;
  if (part === "stdout") return report.stdout;
  if (part === "output") return report.result?.output ?? (await context.reads.evidenceHead(key))?.answer;
  return part === "reference" ? report.result?.reference : undefined;
}

/** Without regard to case. */
function findAll(text: string, find: string): FoundAnswer {
  const hay = text.toLowerCase();
  const needle = find.toLowerCase();
  const at: number[] = [];
  // A text whose lower case is longer would shift every place behind it.
  const [where, what] = hay.length === text.length ? [hay, needle] : [text, find];
  for (let next = where.indexOf(what); next !== -1; next = where.indexOf(what, next + Math.max(1, what.length))) {
    if (at.length === FOUND_AT_MOST) return { at, more: true };
    at.push(next);
  }
  return { at, more: false };
}
