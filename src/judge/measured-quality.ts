// Owns what a measurement of a judge holds: counts alone, as they are stored, and all that follows from them.

import type { JudgeIdentity } from "../core/judge.ts";
import { isLabel, LABELS, type Label } from "../core/label.ts";
import type { JudgeMeasurement } from "../core/store.ts";
import type { Usage } from "../core/usage.ts";
import { gwetAc1 } from "../stats/ac1.ts";
import type { Agreement } from "../stats/agreement.ts";
import { confusionQuality, type ConfusionQuality, type ConfusionTable, type LabelShare } from "../stats/confusion.ts";
import type { Counted } from "../stats/counted.ts";
import { cohenKappa, type Kappa } from "../stats/kappa.ts";
import { wilson } from "../stats/wilson.ts";
import { SPLITS, type Split } from "./labelled-row.ts";

/** A row for each label of people, a column for each of the judge, in the order of `LABELS`. */
export interface MeasuredQuality {
  readonly version: 1;
  readonly at: string;
  readonly judge: JudgeIdentity;
  /** The models that its answers named. */
  readonly models: readonly string[];
  readonly split: Split;
  /** Of the rows that were measured: the same labels give the same digest. */
  readonly digest: string;
  /** Rows with a label of people that the judge answered: the sum of `table`. */
  readonly rows: number;
  /** Rows that the judge gave no valid answer for. They are in no rate. */
  readonly unanswered: number;
  /** Of these, answers that were void because a control claim was labelled wrongly. */
  readonly compromised: number;
  /** Rows that two people labelled differently and nobody settled. */
  readonly unsettled: number;
  /** Rows of the other split. */
  readonly otherSplit: number;
  /** How often each row was judged. The table counts the first time, as a run does. */
  readonly repeats: number;
  readonly table: ConfusionTable;
  /** Of the rows that were answered each time, those that did not get the same label each time; absent for one repeat. */
  readonly flips?: Counted | undefined;
  /** A row for each label of the first person, a column for each of the second; absent where nobody labelled a row twice. */
  readonly people?: ConfusionTable | undefined;
  readonly usage?: Usage | undefined;
  readonly durationMs: number;
}

export interface QualityFigures {
  readonly confusion: ConfusionQuality;
  readonly labels: readonly { readonly label: Label; readonly recall: LabelShare; readonly precision: LabelShare }[];
  readonly kappa: Kappa | null;
  readonly ac1: Agreement | null;
  /** How often the judge said `indeterminate`. */
  readonly abstention: LabelShare;
  readonly flips: LabelShare | null;
  readonly people: { readonly agreed: LabelShare; readonly kappa: Kappa | null; readonly ac1: Agreement | null } | null;
}

const ABSTAINED = LABELS.indexOf("indeterminate");

/** All that follows from the counts; `null` where they leave it undefined. */
export function qualityFigures({ table, flips, people }: MeasuredQuality): QualityFigures {
  const confusion = confusionQuality(table);
  return {
    confusion,
    labels: LABELS.map((label, at) => ({ label, ...(confusion.labels[at] as ConfusionQuality["labels"][number]) })),
    kappa: cohenKappa(table),
    ac1: gwetAc1(table),
    abstention: share(table.reduce((sum, row) => sum + (row[ABSTAINED] ?? 0), 0), sumOf(table)),
    flips: flips === undefined ? null : share(flips.count, flips.of),
    people: people === undefined ? null : { agreed: confusionQuality(people).accuracy, kappa: cohenKappa(people), ac1: gwetAc1(people) },
  };
}

function share(count: number, of: number): LabelShare {
  return { count, of, rate: of === 0 ? null : count / of, interval: wilson(count, of) };
}

export function emptyTable(): number[][] {
  return LABELS.map(() => LABELS.map(() => 0));
}

function sumOf(table: ConfusionTable): number {
  return table.reduce((sum, row) => sum + row.reduce((inner, count) => inner + count, 0), 0);
}

/** How often people and judge agree that the claim passes where it expects `label`, and that it does not. */
export function errorRatesFor(label: Label, table: ConfusionTable): { readonly sensitivity: Counted; readonly specificity: Counted } {
  const at = LABELS.indexOf(label);
  const others = table.filter((_, row) => row !== at);
  const rejected = others.reduce((sum, row) => sum + row.reduce((inner, count, column) => inner + (column === at ? 0 : count), 0), 0);
  const passing = table[at] ?? [];
  return { sensitivity: { count: passing[at] ?? 0, of: passing.reduce((sum, count) => sum + count, 0) }, specificity: { count: rejected, of: sumOf(others) } };
}

/** As a store keeps it. Only for a judge with a fingerprint. */
export function measurementOf(quality: MeasuredQuality, fingerprint: string): JudgeMeasurement {
  return { fingerprint, at: quality.at, judge: quality.judge, body: quality };
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function isTable(value: unknown): value is ConfusionTable {
  return Array.isArray(value) && value.length === LABELS.length && value.every((row: unknown) => Array.isArray(row) && row.length === LABELS.length && row.every(isCount));
}

/** What a store or a file holds of a measurement, where it is one of this form; `undefined` for anything else, which then says nothing. */
export function readQuality(body: unknown): MeasuredQuality | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const quality = body as Partial<Record<keyof MeasuredQuality, unknown>>;
  const { version, at, judge, models, split, table, people, flips, repeats, rows } = quality;
  if (version !== 1 || typeof at !== "string" || Number.isNaN(Date.parse(at)) || typeof judge !== "object" || judge === null) return undefined;
  if (!Array.isArray(models) || !models.every((model) => typeof model === "string") || !SPLITS.some((name) => name === split)) return undefined;
  if (!isTable(table) || (people !== undefined && !isTable(people)) || !isCount(repeats) || rows !== sumOf(table)) return undefined;
  if (flips !== undefined) {
    const { count, of } = (flips ?? {}) as Partial<Counted>;
    if (!isCount(count) || !isCount(of) || (count as number) > (of as number)) return undefined;
  }
  return body as MeasuredQuality;
}

/** The label's place in a table. */
export function placeOf(label: Label): number {
  if (!isLabel(label)) throw new RangeError(`no label: ${String(label)}`);
  return LABELS.indexOf(label);
}
