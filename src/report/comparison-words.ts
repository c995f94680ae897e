// Owns the verdict of a comparison in words.

import type { Comparison } from "../core/comparison.ts";
import { counted, percent } from "./number-text.ts";
import { pointsText, signedPoints } from "./points-text.ts";

type Wordless = Omit<Comparison, "words" | "gate">;

/** The verdict first, then a sentence each: what was compared, what it came to, what it could have found or still needs. */
export function comparisonWords(comparison: Wordless): readonly string[] {
  const { verdict, scenarios, worse, better, difference, interval, before, after, level, margin } = comparison;
  const head = verdict.charAt(0).toUpperCase() + verdict.slice(1);
  if (scenarios === 0 || difference === null || interval === null) return [head, "No scenario has a scored trial in both runs, so nothing could be compared."];
  const sentences = [head, `Of ${counted(scenarios, "scenario")} that both runs scored, ${moves(worse, better)}.`];
  const confidence = `${trimmed(level * 100)}%`;
  const rates = before.rate === undefined || after.rate === undefined ? "" : `, from ${percent(before.rate.rate, 1)} to ${percent(after.rate.rate, 1)}`;
  const [lower, upper] = interval;
  if (verdict === "regressed" || verdict === "improved") {
    const [fell, least, most] = verdict === "regressed" ? ["fell", -upper, -lower] : ["rose", lower, upper];
    sentences.push(`The pass rate ${fell} by ${pointsText(difference)} points${rates}; with ${confidence} confidence by ${pointsText(least)} to ${pointsText(most)} points.`);
  } else if (Math.abs(difference) < 1e-9) {
    sentences.push(`The pass rate stayed${before.rate === undefined ? "" : ` at ${percent(before.rate.rate, 1)}`}; with ${confidence} confidence it moved by ${signedPoints(lower)} to ${signedPoints(upper)} points.`);
  } else if (upper < 0) {
    // Only a margin keeps it from being a regression.
    sentences.push(`The pass rate fell by ${pointsText(difference)} points${rates}; with ${confidence} confidence by ${pointsText(upper)} to ${pointsText(lower)} points, which need not be more than the margin.`);
  } else {
    // Its trials may be sure of a scenario's change where the scenarios are too few to speak for others.
    const doubt = comparison.p !== null && comparison.p <= 1 - level ? "though not for scenarios in general" : "and chance alone may explain it";
    sentences.push(`The pass rate ${difference < 0 ? "fell" : "rose"} by ${pointsText(difference)} points${rates}, ${doubt}: with ${confidence} confidence it moved by ${signedPoints(lower)} to ${signedPoints(upper)} points.`);
  }
  if (margin > 0) sentences.push(`A drop of up to ${pointsText(margin)} points is put up with.`);
  if (verdict === "too few") sentences.push(needed(comparison));
  if (verdict === "no evidence") sentences.push(smallest(comparison));
  return sentences;
}

function moves(worse: number, better: number): string {
  if (worse === 0 && better === 0) return "none changed its pass rate";
  return `${worse === 0 ? "none" : worse} got worse and ${better === 0 ? "none" : better} got better`;
}

function needed({ trialsNeeded, before, after }: Wordless): string {
  if (trialsNeeded === null) return "More trials would not settle it; more scenarios would.";
  const most = Math.max(before.trials?.[1] ?? 1, after.trials?.[1] ?? 1);
  return `About ${counted(trialsNeeded, "trial")} of each scenario in each run would settle it; these have ${most}.`;
}

function smallest({ smallestDrop }: Wordless): string {
  if (smallestDrop === null) return "Not even a drop to nothing would have been found for sure: there are too few scenarios and trials.";
  return `A drop of ${pointsText(smallestDrop)} points or more would have been found 4 times in 5; a smaller one may be there.`;
}

function trimmed(value: number): string {
  return String(Math.round(value * 100) / 100);
}
