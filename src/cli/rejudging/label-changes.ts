// Owns what a second judging changed: the labels of then beside those of now, claim by claim.

import { LABELS, type Label } from "../../core/label.ts";
import type { ReportJudgment, TrialReport } from "../../core/report.ts";
import { counted, thousands } from "../../report/number-text.ts";
import { cohenKappa } from "../../stats/kappa.ts";

export interface LabelChanges {
  readonly add: (before: TrialReport | undefined, after: TrialReport) => void;
  /** In a sentence. */
  readonly sentence: () => string;
}

export function labelChanges(): LabelChanges {
  /** By label of then and label of now. */
  const table = LABELS.map(() => LABELS.map(() => 0));
  let fresh = 0;
  let unjudged = 0;
  return {
    add(before, after) {
      const labels = new Map(before === undefined ? [] : labelsOf(before));
      const now = new Map(labelsOf(after));
      for (const [key, label] of now) {
        const was = labels.get(key);
        const row = was === undefined ? undefined : table[LABELS.indexOf(was)];
        const column = LABELS.indexOf(label);
        if (row === undefined) fresh += 1;
        else row[column] = (row[column] ?? 0) + 1;
      }
      for (const key of labels.keys()) if (!now.has(key)) unjudged += 1;
    },
    sentence() {
      const cells = table.flatMap((row, was) => row.map((n, is) => ({ n, was: LABELS[was] as Label, is: LABELS[is] as Label })));
      const both = cells.reduce((sum, { n }) => sum + n, 0);
      const changed = cells.filter(({ n, was, is }) => n > 0 && was !== is).toSorted((a, b) => b.n - a.n);
      const moved = changed.reduce((sum, { n }) => sum + n, 0);
      const kappa = both === 0 ? null : cohenKappa(table);
      const parts = [
        both === 0 ? "no label to compare with" : `${moved === 0 ? "no label" : thousands(moved)} of ${thousands(both)} changed${changed.length === 0 ? "" : ` (${changed.map(({ n, was, is }) => `${was} to ${is} ${n}`).join(", ")})`}`,
        ...(kappa === null ? [] : [`kappa ${kappa.value.toFixed(2)}`]),
        ...(fresh > 0 ? [`${counted(fresh, "claim")} judged that had no label`] : []),
        ...(unjudged > 0 ? [`${counted(unjudged, "claim")} without a label that had one`] : []),
      ];
      return `labels then and now: ${parts.join("; ")}`;
    },
  };
}

/** An output that was empty was never the judge's to label. */
function* labelsOf({ judgments = [], result, turns = [] }: TrialReport): Generator<readonly [string, Label]> {
  if ((result?.output ?? "") !== "") yield* keyed(-1, judgments);
  for (const { turn, output = "", judgments: own = [] } of turns) if (output !== "") yield* keyed(turn, own);
}

function* keyed(turn: number, judgments: readonly ReportJudgment[]): Generator<readonly [string, Label]> {
  for (const { claimId, label } of judgments) yield [JSON.stringify([turn, claimId]), label];
}
