// Owns the check of how alike what the assistant said is to a text.

import { meetsThreshold } from "../core/score.ts";
import { fold, shown } from "./fold.ts";
import { type CheckScope, requireWhole, saidIn } from "./observed.ts";
import { type CheckOptions, quickCheck, type QuickCheck } from "./quick-check.ts";
import { readThreshold } from "./scorer-entry.ts";
import { scorerInvalid } from "./scorer-error.ts";
import { bestWindow, dice, levenshtein, rougeL } from "./similarity.ts";
import { nothing, NOTHING_SAID, wholeText } from "./text-check.ts";

export const METRICS = ["dice", "best-window", "levenshtein", "rouge-l"] as const;
export type Metric = (typeof METRICS)[number];

const MEASURES: Readonly<Record<Metric, (expected: string, found: string) => number>> = { "dice": dice, "best-window": bestWindow, levenshtein, "rouge-l": rougeL };

export interface SimilarityOptions extends CheckOptions {
  readonly ignoreCase?: boolean | undefined;
  /** From 0 to 1: the check then has 1 where it is reached, else 0. 0 is a threshold. */
  readonly threshold?: number | undefined;
  /** `dice` when absent, which a long conversation brings near 0; `best-window` finds the text wherever it stands. */
  readonly metric?: Metric | undefined;
  readonly scope?: CheckScope | undefined;
}

/** How alike what the assistant said is to the text, from 0 to 1. */
export function similarity(expected: string, options: SimilarityOptions = {}): QuickCheck {
  const { ignoreCase = true, metric = "dice", scope = "all" } = options;
  if (typeof expected !== "string" || fold(expected, false) === "") throw scorerInvalid("checks.similarity needs a text that is not empty");
  if (!METRICS.includes(metric)) throw scorerInvalid(`checks.similarity: the metric must be one of ${METRICS.join(", ")}`);
  const threshold = options.threshold === undefined ? undefined : (readThreshold(options.threshold, "checks.similarity: threshold") as number);
  const detail = [ignoreCase ? fold(expected, true) : expected, ...(metric === "dice" ? [] : [metric]), ...(threshold === undefined ? [] : [String(threshold)]), ...(scope === "final" ? ["final"] : [])].join("|");
  return quickCheck(
    {
      base: "check-similarity",
      detail,
      description: `What the assistant says is like ${shown(expected)}.`,
      find(run, runOptions) {
        const said = saidIn(run, scope, runOptions);
        requireWhole({ unread: said.unread, what: "all that the assistant said" }, run.evidence);
        const whole = wholeText(said.texts, " ");
        const measured = said.texts.length === 0 ? 0 : MEASURES[metric](fold(expected, ignoreCase), fold(whole, ignoreCase));
        const evidence = { output: whole, target: expected, score: measured, threshold };
        const likeness = `${metric} ${round(measured)} to ${shown(expected)}`;
        if (said.texts.length === 0 && threshold !== 0) return nothing(`expected ${shown(expected)}, and ${NOTHING_SAID}`, evidence);
        if (threshold === undefined) return { score: measured, reason: `${likeness}, found ${shown(whole)}`, evidence };
        const met = meetsThreshold(measured, threshold);
        return { score: met ? 1 : 0, reason: `${likeness}, ${met ? "reaches" : "expected at least"} ${threshold}${met ? "" : `, found ${shown(whole)}`}`, evidence };
      },
    },
    options,
  );
}

function round(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
