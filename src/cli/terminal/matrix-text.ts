// Owns how the variants of a suite read in a terminal: each with its rate, then each pair.

import type { Matrix } from "../../core/comparison.ts";
import { formatDuration } from "../../core/duration.ts";
import { counted, percent, thousands } from "../../report/number-text.ts";
import { signedPoints } from "../../report/points-text.ts";
import type { Clean } from "./failure-text.ts";
import type { Page } from "./page.ts";
import type { Marks } from "./style.ts";
import { cut, textWidth } from "./text-width.ts";

const MAX_PAIRS = 40;

export function writeMatrix(page: Page, { suite, variants, pairs, level, margin }: Matrix, marks: Marks, clean: Clean): void {
  page.blank();
  page.row(2, ["strong", clean.line(suite)], ["mute", `${counted(variants.length, "variant")}, ${counted(pairs.length, "pair")}, ${Math.round(level * 1e4) / 100}%${margin > 0 ? `, margin ${Math.round(margin * 1e4) / 100}` : ""}`]);
  const width = Math.min(48, Math.max(...variants.map(({ variant }) => textWidth(clean.line(variant)))));
  const name = (variant: string): string => {
    const text = cut(clean.line(variant), width);
    return text + " ".repeat(Math.max(0, width - textWidth(text)));
  };
  for (const { variant, rate, scenarios, notMeasured, cost, durationMs } of variants) {
    page.row(
      4,
      ["plain", name(variant)],
      rate === null ? ["warn", "nothing was measured"] : ["strong", percent(rate.rate, 1).padStart(6)],
      ["mute", rate === null ? "" : `${percent(rate.interval[0], 1)} to ${percent(rate.interval[1], 1)}`],
      ["mute", `${counted(scenarios, "scenario")}${rate === null ? "" : `, ${counted(rate.trials, "trial")}`}`],
      ["warn", notMeasured === 0 ? "" : `${notMeasured} not measured`],
      ["mute", durationMs === undefined ? "" : formatDuration(Math.round(durationMs))],
      ["mute", cost === undefined ? "" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`],
    );
  }
  page.blank();
  for (const { before, after, verdict, difference, interval, adjustedP } of pairs.slice(0, MAX_PAIRS)) {
    const mark = marks.comparison(verdict);
    page.row(
      4,
      [mark.tone, mark.sign],
      ["plain", `${name(before)} -> ${name(after)}`],
      [mark.tone, verdict],
      ["plain", difference === null ? "" : signedPoints(difference)],
      ["mute", interval === null ? "" : `${signedPoints(interval[0])} to ${signedPoints(interval[1])}`],
      ["mute", adjustedP === null ? "" : `p ${adjustedP < 0.001 ? "below 0.001" : adjustedP.toFixed(3)} adjusted`],
    );
  }
  if (pairs.length > MAX_PAIRS) page.text(4, "mute", `and ${thousands(pairs.length - MAX_PAIRS)} more; the JSON report has them all`);
}
