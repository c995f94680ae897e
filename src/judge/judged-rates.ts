// Owns the rates of a run's judged claims: as the judge gave them, what is open, and corrected for the errors that it was measured to make.

import { LABELS, type Label } from "../core/label.ts";
import type { CorrectedRateReport, JudgedRate, RateEstimate } from "../core/report.ts";
import { multiClassCorrection } from "../stats/multi-class.ts";
import { roganGladen } from "../stats/rogan-gladen.ts";
import { indeterminateBounds } from "../stats/indeterminate.ts";
import { wilson } from "../stats/wilson.ts";
import type { JudgedCounts } from "./judged-tally.ts";
import { errorRatesFor, type MeasuredQuality } from "./measured-quality.ts";

/** One record for each label that claims expect, in the order of the labels; corrected where the judge was measured. */
export function judgedRates(counts: ReadonlyMap<Label, JudgedCounts>, quality: MeasuredQuality | undefined): readonly JudgedRate[] {
  return LABELS.flatMap((expect) => {
    const own = counts.get(expect);
    return own === undefined ? [] : [rateOf(expect, own, quality)];
  });
}

function rateOf(expect: Label, { labels, squares, scenarios }: JudgedCounts, quality: MeasuredQuality | undefined): JudgedRate {
  const judged = LABELS.reduce((sum, label) => sum + labels[label], 0);
  const passed = labels[expect];
  const effective = effectiveSize(passed, judged, squares, scenarios);
  const n = Math.max(1, Math.round(effective));
  // Where `indeterminate` is what passes, none of them is open.
  const open = expect === "indeterminate" ? 0 : labels.indeterminate;
  const bounds = indeterminateBounds({ passed, failed: judged - passed - open, indeterminate: open })?.bounds ?? [0, 1];
  const corrected = quality === undefined ? [] : correctedRates(expect, labels, judged, n, quality);
  return {
    expect,
    labels: { ...labels },
    judged,
    passed,
    effective,
    raw: { rate: passed / judged, interval: pair(wilson(Math.round((passed / judged) * n), n) ?? [0, 1]) },
    bounds: pair(bounds),
    ...(corrected.length > 0 && { corrected }),
  };
}

const pair = ([lower, upper]: readonly [number, number]): RateEstimate["interval"] => [lower, upper];

/**
 * As many independent judgments as these are worth: `p(1-p) / Var(p)`, the variance of a ratio over scenarios, `Σ (passed - p judged)² / judged² k/(k-1)`;
 * never more than there are. With one judgment a scenario it is their number. Of one scenario nothing is known of its likeness, and it counts once.
 */
function effectiveSize(passed: number, judged: number, squares: JudgedCounts["squares"], scenarios: number): number {
  if (squares.judged === judged) return judged;
  if (scenarios === 1) return 1;
  const p = passed / judged;
  // Where all passed or none did, the scenarios show no spread: the largest share of them stands for it.
  if (p === 0 || p === 1) return Math.max(1, judged ** 2 / squares.judged);
  const variance = ((squares.passed - 2 * p * squares.both + p ** 2 * squares.judged) / judged ** 2) * (scenarios / (scenarios - 1));
  return variance <= 0 ? judged : Math.min(judged, Math.max(1, (p * (1 - p)) / variance));
}

/** Bootstrap draws of the correction for several labels; enough for two digits of an interval. */
const RESAMPLES = 400;
/** More judgments say no more once the labels of people are the smaller sample, and cost as much again. */
const MOST_DRAWN = 5_000;

function correctedRates(expect: Label, labels: Readonly<Record<Label, number>>, judged: number, n: number, { table }: MeasuredQuality): readonly CorrectedRateReport[] {
  const corrected: CorrectedRateReport[] = [];
  const { sensitivity, specificity } = errorRatesFor(expect, table);
  const passed = Math.round((labels[expect] / judged) * n);
  const two = roganGladen({ judged: { count: passed, of: n }, sensitivity, specificity });
  if (two !== null) corrected.push(corrections("rogan_gladen", two.estimate, two.interval, two.labels, two.warnings));
  const drawn = Math.min(n, MOST_DRAWN);
  const observed = LABELS.map((label) => Math.round((labels[label] / judged) * drawn));
  const several = multiClassCorrection(table, observed, { resamples: RESAMPLES });
  const at = LABELS.indexOf(expect);
  const interval = several?.intervals?.[at];
  // Without an interval there is no number.
  if (several !== null && interval !== undefined) {
    const people = table.reduce((sum, row) => sum + row.reduce((inner, count) => inner + count, 0), 0);
    corrected.push(corrections("multi_class", several.shares[at] ?? 0, interval, people, several.warnings));
  }
  return corrected;
}

export function corrections(method: CorrectedRateReport["method"], rate: number, interval: readonly [number, number], labels: number, warnings: readonly string[] = []): CorrectedRateReport {
  // An interval that does not hold its own estimate reads like a mistake; a clipped one may lie beside it.
  const [lower, upper] = interval;
  return { method, rate, interval: [Math.min(lower, rate), Math.max(upper, rate)], labels, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}
