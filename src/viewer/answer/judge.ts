// Owns the page of a judge: who it is, what its calibration said, and how well it does by the labels of this store.

import { CALIBRATION_CLAIMS } from "../../judge/calibration-example.ts";
import { readQuality } from "../../judge/measured-quality.ts";
import type { JudgeReport } from "../../core/report.ts";
import type { StoredRun } from "../../core/store.ts";
import type { AnswerContext } from "./context.ts";
import type { JudgeAnswer, JudgeChoice } from "./judge-form.ts";
import { qualityOf, rateOfClaims, tableOf } from "./quality.ts";
import { answerQueue } from "./queue.ts";
import { judgeFact } from "./run.ts";

export { answerQueue };

const RUNS = 200;

/** `fingerprint` picks the judge; the one of the latest run when absent. */
export async function answerJudge(context: AnswerContext, fingerprint: string | undefined): Promise<JudgeAnswer> {
  const runs = (await context.reads.runs({ limit: RUNS })).filter(({ head }) => head?.judge !== undefined);
  const judges = choicesOf(runs);
  const picked = fingerprint ?? judges[0]?.fingerprint;
  const run = runs.find(({ head }) => nameOf(head?.judge) === picked) ?? (fingerprint === undefined ? runs[0] : undefined);
  const judge = run?.head?.judge;
  const labels = (await context.reads.labels()).filter(({ judged }) => judged !== undefined && (judged.fingerprint ?? UNNAMED) === picked);
  const measurement = (await context.reads.measurements())
    .filter((each) => each.fingerprint === picked)
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .map(({ body }) => readQuality(body))
    .find((each) => each !== undefined);
  const fact = await judgeFact(context, judge);
  return {
    judges,
    fingerprint: picked,
    fact,
    calibratedIn: run && { id: run.runId, n: run.ordinal, suite: run.suiteId },
    probes: CALIBRATION_CLAIMS.map(({ text, label }) => ({ text, expected: label, said: fact?.probes.find(({ expected }) => expected === label)?.said })),
    identity: identityOf(judge),
    quality: qualityOf(measurement, labels),
    rate: run?.state === "finished" ? await rateOfClaims(context, run, measurement?.table ?? tableOf(labels)) : undefined,
    waiting: (await answerQueue(context, new URLSearchParams({ n: "0", ...(picked !== undefined && picked !== UNNAMED && { fingerprint: picked }) }))).waiting,
  };
}

/** What a judge without a fingerprint is called: a custom one need not have any. */
const UNNAMED = "unnamed";

const nameOf = (judge: JudgeReport | undefined): string | undefined => judge && (judge.fingerprint ?? UNNAMED);

function choicesOf(runs: readonly StoredRun[]): readonly JudgeChoice[] {
  const choices = new Map<string, JudgeChoice>();
  for (const { head, startedAt, ordinal } of runs) {
    const fingerprint = nameOf(head?.judge);
    if (fingerprint !== undefined && !choices.has(fingerprint)) choices.set(fingerprint, { fingerprint, model: head?.judge?.model ?? head?.judge?.modelClass, at: startedAt, n: ordinal });
  }
  return [...choices.values()];
}

function identityOf(judge: JudgeReport | undefined): readonly (readonly [string, string])[] {
  if (judge === undefined) return [];
  const { modelClass, model, maxOutputTokens, maxCorrections, fingerprint, rawArguments } = judge;
  const rows: (readonly [string, string])[] = [];
  if (model !== undefined || modelClass !== undefined) rows.push(["model", [modelClass, model && `answered as ${model}`].filter(Boolean).join(", ")]);
  const settings = [maxOutputTokens === undefined ? "" : `at most ${maxOutputTokens.toLocaleString("en")} tokens`, maxCorrections === undefined ? "" : `${maxCorrections} corrections`].filter(Boolean);
  if (settings.length > 0) rows.push(["settings", settings.join(", ")]);
  if (fingerprint !== undefined) rows.push(["request", fingerprint]);
  rows.push(["labels", "entailed, contradicted, not addressed, indeterminate"]);
  if (rawArguments === false) rows.push(["unseen", "the raw text of its answers, so that members that stand twice were not noticed"]);
  return rows;
}
