// Owns a judge's quality as a measurement or the labels of a store show it, and what its errors make of a rate of claims.

import { LABELS } from "../../core/label.ts";
import type { JudgedRate } from "../../core/report.ts";
import type { StoredLabel, StoredRun } from "../../core/store.ts";
import { errorRatesFor, type MeasuredQuality } from "../../judge/measured-quality.ts";
import { gwetAc1 } from "../../stats/ac1.ts";
import { confusionQuality, type ConfusionTable, type LabelShare } from "../../stats/confusion.ts";
import { cohenKappa } from "../../stats/kappa.ts";
import { roganGladen } from "../../stats/rogan-gladen.ts";
import type { AnswerContext } from "./context.ts";
import type { Quality, RateOfClaims, Share } from "./judge-form.ts";
import { wilsonInterval } from "./wilson-interval.ts";

const NONE: LabelShare = { count: 0, of: 0, rate: null, interval: null };
const shareOf = ({ count, of, rate, interval }: LabelShare): Share => ({ count, of, rate: rate ?? undefined, interval: interval ?? undefined });
const plainShare = (count: number, of: number): Share => ({ count, of, rate: of === 0 ? undefined : count / of, interval: of === 0 ? undefined : wilsonInterval(count, of) });

/** A row for each label of a person, a column for each of the judge; `undefined` where no judgment has a label. */
export function tableOf(labels: readonly StoredLabel[]): ConfusionTable | undefined {
  const judged = labels.flatMap(({ label, judged: by }) => (by === undefined ? [] : [[label, by.label] as const]));
  if (judged.length === 0) return undefined;
  return LABELS.map((human) => LABELS.map((judge) => judged.filter(([one, other]) => one === human && other === judge).length));
}

/** From a measurement where there is one, which no prompt has seen; else from the labels of the store. */
export function qualityOf(measurement: MeasuredQuality | undefined, labels: readonly StoredLabel[]): Quality | undefined {
  const table = measurement?.table ?? tableOf(labels);
  if (table === undefined) return undefined;
  const { labels: each, accuracy } = confusionQuality(table);
  const kappa = cohenKappa(table);
  const people = measurement?.people === undefined ? undefined : cohenKappa(measurement.people);
  const abstained = LABELS.indexOf("indeterminate");
  return {
    from: measurement === undefined ? "labels" : "measurement",
    at: measurement?.at,
    table,
    labels: accuracy.of,
    same: shareOf(accuracy),
    kappa: kappa === null ? undefined : { value: kappa.value, interval: kappa.interval },
    ac1: gwetAc1(table)?.value,
    people: people === undefined || people === null ? undefined : { kappa: people.value, labels: people.cases },
    flips: measurement?.flips === undefined ? undefined : { ...plainShare(measurement.flips.count, measurement.flips.of), repeats: measurement.repeats },
    indeterminate: plainShare(table.reduce((sum, row) => sum + (row[abstained] ?? 0), 0), accuracy.of),
    cost: measurement?.usage?.cost === undefined || measurement.rows === 0 ? undefined : measurement.usage.cost / (measurement.rows * Math.max(1, measurement.repeats)),
    byLabel: LABELS.map((label, index) => ({ label, precision: shareOf(each[index]?.precision ?? NONE), recall: shareOf(each[index]?.recall ?? NONE) })),
  };
}

/** The rate of a run's claims that a judge passed, as its report has it: of those that expect `entailed`, which are nearly all. */
export const entailedRate = (run: StoredRun): JudgedRate | undefined => run.head?.judge?.rates?.find(({ expect }) => expect === "entailed");

/** Raw, corrected where enough labels stand behind it, and between its bounds. */
export async function rateOfClaims(context: AnswerContext, run: StoredRun, table: ConfusionTable | undefined): Promise<RateOfClaims | undefined> {
  const told = entailedRate(run);
  const counts = told === undefined ? await countClaims(context, run) : { passed: told.passed, judged: told.judged, indeterminate: told.labels.indeterminate };
  if (counts.judged === 0) return undefined;
  const { passed, judged, indeterminate } = counts;
  const known = told?.corrected?.[0];
  const own = known !== undefined || table === undefined ? null : roganGladen({ judged: { count: passed, of: judged }, ...errorRatesFor("entailed", table) });
  return {
    run: { id: run.runId, n: run.ordinal, suite: run.suiteId },
    raw: { count: passed, of: judged, rate: passed / judged, interval: told?.raw.interval ?? wilsonInterval(passed, judged) },
    corrected: known === undefined ? (own === null ? undefined : { rate: own.estimate, interval: own.interval, labels: own.labels }) : { rate: known.rate, interval: known.interval, labels: known.labels },
    bounds: told?.bounds ?? [passed / judged, (passed + indeterminate) / judged],
    indeterminate,
  };
}

function countClaims(context: AnswerContext, run: StoredRun): Promise<{ readonly passed: number; readonly judged: number; readonly indeterminate: number }> {
  return context.once(`claims ${run.runId}`, async () => {
    const sums = { passed: 0, judged: 0, indeterminate: 0 };
    for await (const report of context.reads.scenarioReports(run.runId)) {
      for (const judgment of [...(report.judgments ?? []), ...(report.turns ?? []).flatMap((turn) => turn.judgments ?? [])]) {
        sums.judged += 1;
        if (judgment.passed) sums.passed += 1;
        else if (judgment.label === "indeterminate") sums.indeterminate += 1;
      }
    }
    return sums;
  });
}
