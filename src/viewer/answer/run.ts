// Owns the head of a run: what the page paints first, and what takes a pass over its rows and comes after.

import type { JudgeReport, ReportHead } from "../../core/report.ts";
import type { StoredRun } from "../../core/store.ts";
import { LABELS, type Label } from "../../core/label.ts";
import { wilsonInterval } from "./wilson-interval.ts";
import { referenceOf } from "./against.ts";
import type { AnswerContext } from "./context.ts";
import type { JudgeFact, RunAnswer, RunFacts } from "./form.ts";
import { missing } from "./missing.ts";
import { everyRow } from "./rows.ts";
import { entailedRate } from "./quality.ts";
import { rowOf } from "./runs.ts";

const WARNINGS = 3;
/** The rows of larger runs are not gone through; what their report tells is enough. */
const ROWS_AT_MOST = 20_000;

export async function requireRun({ reads }: AnswerContext, text: string): Promise<StoredRun> {
  const found = await reads.findRun(text);
  if (found === undefined) throw missing(`no run ${JSON.stringify(text.slice(0, 60))} in this store; it may have been removed, or stand in another one`);
  return found;
}

/** At most about 4 kB, however large the run. */
export async function answerRun(context: AnswerContext, text: string): Promise<RunAnswer> {
  const run = await requireRun(context, text);
  const [row, page, judge, reference] = await Promise.all([rowOf(context, run), context.reads.scenarios(run.runId, { limit: 1 }), judgeFact(context, run.head?.judge), referenceOf(context, run)]);
  const { head } = run;
  const each = run.plannedScenarios > 0 ? run.plannedTrials / run.plannedScenarios : 0;
  return {
    ...row,
    scenarios: run.plannedScenarios,
    counts: page.counts,
    trials: Number.isInteger(each) && each > 0 ? each : undefined,
    file: run.file,
    subject: run.subject,
    commit: run.invocation.commit,
    selected: run.selected,
    strict: run.strict,
    command: run.invocation.command.slice(0, 30).map((word) => word.slice(0, 100)),
    error: head?.error && { ...head.error, message: head.error.message.slice(0, 600) },
    warnings: (head?.warnings ?? []).slice(0, WARNINGS).map(({ message }) => message.slice(0, 300)),
    moreWarnings: Math.max(0, (head?.warnings?.length ?? 0) - WARNINGS),
    judge,
    agentCost: head?.usage?.subject?.cost,
    judgeCost: head?.usage?.judge?.cost,
    tokens: tokensOf(head),
    touchedAt: run.touchedAt,
    reference: reference && { id: reference.run.runId, n: reference.run.ordinal, baseline: reference.baseline },
  };
}

function tokensOf(head: ReportHead | undefined): number | undefined {
  const { inputTokens, outputTokens } = head?.usage?.subject ?? {};
  return inputTokens === undefined && outputTokens === undefined ? undefined : (inputTokens ?? 0) + (outputTokens ?? 0);
}

/** Without the exchange of the calibration, which may be long. */
export async function judgeFact({ reads }: AnswerContext, judge: JudgeReport | undefined): Promise<JudgeFact | undefined> {
  if (judge === undefined) return undefined;
  const { calibration, fingerprint, model, modelClass } = judge;
  const measured = judge.measurement?.measured === true || (fingerprint !== undefined && (await reads.measurements()).some((each) => each.fingerprint === fingerprint));
  const said = new Map(calibration?.judgments?.map(({ claimId, label }) => [claimId, label]));
  return {
    fingerprint,
    model: model ?? modelClass,
    calibrated: calibration?.passed,
    probes: calibration === undefined ? [] : LABELS.map((expected: Label) => ({ expected, said: said.get(`calibration_${expected}`) })),
    ms: calibration?.durationMs,
    error: calibration?.error && { ...calibration.error, message: calibration.error.message.slice(0, 600) },
    measured,
  };
}

/** One pass over the rows; of a finished run made once. */
export async function answerFacts(context: AnswerContext, text: string): Promise<RunFacts> {
  const run = await requireRun(context, text);
  const make = async (): Promise<RunFacts> => {
    const durations: number[] = [];
    const tags = new Set<string>();
    let held = 0;
    let of = 0;
    if (run.plannedScenarios <= ROWS_AT_MOST) for await (const row of everyRow(context.reads, run.runId)) {
      if (row.durationMs !== undefined) durations.push(row.durationMs);
      for (const tag of row.tags) if (tags.size < 100) tags.add(tag);
      held += row.claims?.held ?? 0;
      of += row.claims?.of ?? 0;
    }
    durations.sort((a, b) => a - b);
    const told = entailedRate(run);
    const claims = told === undefined ? { held, of, interval: wilsonInterval(held, of) } : { held: told.passed, of: told.judged, interval: told.raw.interval, corrected: told.corrected?.[0] && { rate: told.corrected[0].rate, interval: told.corrected[0].interval, labels: told.corrected[0].labels } };
    return { claims: claims.of > 0 ? claims : undefined, median: durations[Math.floor(durations.length / 2)], tags: [...tags].sort() };
  };
  return run.state === "finished" ? context.once(`facts ${run.runId}`, make) : make();
}
