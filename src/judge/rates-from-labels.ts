// Owns the rates of one run corrected by labels of that very run: the narrowest correction there is, and it assumes least.

import { LABELS, type Label } from "../core/label.ts";
import type { CorrectedRateReport } from "../core/report.ts";
import { ppi } from "../stats/ppi.ts";
import { verdictAudit } from "../stats/verdict-audit.ts";
import type { JudgedClaim } from "./judged-claim.ts";
import { corrections } from "./judged-rates.ts";
import type { LabelledRow } from "./labelled-row.ts";

export interface LabelledRates {
  readonly expect: Label;
  readonly corrected: readonly CorrectedRateReport[];
  /** Labels that belong to judgments of the run. */
  readonly labels: number;
}

interface Labelled {
  readonly claim: JudgedClaim;
  readonly row: LabelledRow | undefined;
}

/**
 * For each label that claims expect, what the labels among `rows` make of `claims`, all judgments of one run: by prediction-powered inference from the
 * rows that were drawn at random, by an audit from all of them. A row belongs to a judgment of the same scenario, trial, turn and claim, whose
 * output is the same; `runId`, where both say it, must be.
 */
export function ratesFromLabels(claims: Iterable<JudgedClaim>, rows: readonly LabelledRow[], runId: string | undefined): readonly LabelledRates[] {
  const labels = new Map<string, LabelledRow>();
  for (const row of rows) {
    if (row.label === undefined || row.from === undefined || (runId !== undefined && row.from.runId !== undefined && row.from.runId !== runId)) continue;
    labels.set(keyOf(row.from.scenario, row.from.trial, row.from.turn, row.claim.id), row);
  }
  const groups = new Map<Label, Labelled[]>();
  for (const claim of claims) {
    const row = labels.get(keyOf(claim.scenario, claim.trial, claim.turn, claim.claim.id));
    const group = groups.get(claim.expect) ?? [];
    group.push({ claim, row: row !== undefined && row.output === claim.output ? row : undefined });
    groups.set(claim.expect, group);
  }
  return LABELS.flatMap((expect) => {
    const group = groups.get(expect);
    if (group === undefined) return [];
    return [{ expect, labels: group.filter(({ row }) => row !== undefined).length, corrected: [...byPrediction(expect, group), ...byAudit(expect, group)] }];
  });
}

function keyOf(scenario: string, trial: number, turn: number | undefined, claim: string): string {
  return JSON.stringify([scenario, trial, turn ?? 0, claim]);
}

const asShare = (holds: boolean): number => (holds ? 1 : 0);

/** Only rows drawn at random say what the others are like. */
function byPrediction(expect: Label, group: readonly Labelled[]): readonly CorrectedRateReport[] {
  const random = group.filter(({ row }) => row?.drawn === "random");
  const rest = group.filter(({ row }) => row?.drawn !== "random");
  const found = ppi({
    labels: random.map(({ row }) => asShare(row?.label === expect)),
    judged: random.map(({ claim }) => asShare(claim.judgment.label === expect)),
    rest: rest.map(({ claim }) => asShare(claim.judgment.label === expect)),
  });
  return found === null ? [] : [corrections("ppi", found.estimate, found.interval, found.labels, found.labels < FEW ? [`${found.labels} labels are few: the interval may be too narrow`] : [])];
}

const FEW = 20;

function byAudit(expect: Label, group: readonly Labelled[]): readonly CorrectedRateReport[] {
  // What was labelled for another reason was not drawn at all.
  const drawn = group.filter(({ row }) => row?.drawn !== undefined);
  const count = (of: readonly Labelled[], holds: (each: Labelled) => boolean): number => of.filter(holds).length;
  const passed = ({ claim }: Labelled): boolean => claim.judgment.label === expect;
  const [passedDrawn, failedDrawn] = [drawn.filter(passed), drawn.filter((each) => !passed(each))];
  const found = verdictAudit({
    judgedPassed: count(group, passed),
    judgedFailed: count(group, (each) => !passed(each)),
    passedSample: { count: count(passedDrawn, ({ row }) => row?.label === expect), of: passedDrawn.length },
    failedSample: { count: count(failedDrawn, ({ row }) => row?.label !== expect), of: failedDrawn.length },
  });
  return found === null ? [] : [corrections("verdict_audit", found.estimate, found.interval, found.labels)];
}
