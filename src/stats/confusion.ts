// Owns the table of two raters over the same cases: a row for each label of the first (people), a column for each of the second (the judge), both in
// one order.

import { requireLevel, requireSquareTable } from "./argument.ts";
import type { Counted } from "./counted.ts";
import type { Interval } from "./interval.ts";
import { wilson } from "./wilson.ts";

export type ConfusionTable = readonly (readonly number[])[];

export interface Margins {
  readonly total: number;
  readonly agreed: number;
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

export function marginsOf(owner: string, table: ConfusionTable): Margins {
  requireSquareTable(owner, table);
  const rows = table.map((row) => row.reduce((total, count) => total + count, 0));
  const columns = table.map((_, column) => table.reduce((total, row) => total + (row[column] as number), 0));
  return { total: rows.reduce((total, count) => total + count, 0), agreed: table.reduce((total, row, index) => total + (row[index] as number), 0), rows, columns };
}

/** A share with Wilson's interval; both `null` where there is no case. */
export interface LabelShare extends Counted {
  readonly rate: number | null;
  readonly interval: Interval | null;
}

export interface LabelQuality {
  /** Of the cases that people gave the label, those that the judge gave it too; for the passing label the true positive rate. */
  readonly recall: LabelShare;
  /** Of the cases that the judge gave the label, those that people gave it too. */
  readonly precision: LabelShare;
}

export interface ConfusionQuality {
  /** In the order of the table. */
  readonly labels: readonly LabelQuality[];
  readonly accuracy: LabelShare;
  /** The mean recall over the labels that people gave; `null` without a case. */
  readonly balancedAccuracy: number | null;
}

function share(count: number, of: number, level: number): LabelShare {
  return { count, of, rate: of === 0 ? null : count / of, interval: wilson(count, of, level) };
}

/**
 * Recall and precision of each label, accuracy and balanced accuracy, from 0 to 1. Show these beside any kappa, which is low for a good judge where
 * one label is rare. A table without a case gives `null` for every rate. Throws `value_invalid` unless it is square and of counts.
 */
export function confusionQuality(table: ConfusionTable, level = 0.95): ConfusionQuality {
  const { total, agreed, rows, columns } = marginsOf("confusionQuality", table);
  requireLevel("confusionQuality", level);
  const labels = table.map((row, index) => ({
    recall: share(row[index] as number, rows[index] as number, level),
    precision: share(row[index] as number, columns[index] as number, level),
  }));
  const recalls = labels.flatMap((label) => label.recall.rate ?? []);
  return { labels, accuracy: share(agreed, total, level), balancedAccuracy: recalls.length === 0 ? null : recalls.reduce((sum, rate) => sum + rate, 0) / recalls.length };
}
