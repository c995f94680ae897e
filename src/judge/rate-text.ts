// Owns how the rates of a run's judged claims read.

import type { CorrectedRateReport, JudgedRate, MeasurementReport } from "../core/report.ts";
import type { LabelledRates } from "./rates-from-labels.ts";

/** `97.1%`; 100% and 0% only where it is all and nothing. */
export function percentText(rate: number): string {
  if (rate === 0 || rate === 1) return rate === 0 ? "0%" : "100%";
  return `${Math.min(99.9, Math.max(0.1, Math.round(rate * 1000) / 10))}%`;
}

export const betweenText = ([lower, upper]: readonly [number, number]): string => `${percentText(lower)} to ${percentText(upper)}`;

const METHODS: Readonly<Record<CorrectedRateReport["method"], string>> = {
  rogan_gladen: "corrected for the judge's errors",
  multi_class: "corrected for the judge's errors with each of the four labels",
  ppi: "corrected by labels of this run drawn at random",
  verdict_audit: "audited by labels of this run, drawn from what passed and what failed",
};

/** `corrected for the judge's errors: 81.3% (74.2% to 87.9%, 120 labels)`. */
export function correctedText({ method, rate, interval, labels }: CorrectedRateReport): string {
  return `${METHODS[method]}: ${percentText(rate)} (${betweenText(interval)}, ${labels} labels)`;
}

/** What one record of a run says, a line each: raw, open, and every correction. */
export function rateLines({ expect, judged, passed, raw, bounds, labels, corrected = [] }: JudgedRate, more: LabelledRates | undefined): readonly string[] {
  const all = [...corrected, ...(more?.corrected ?? [])];
  const open = expect === "indeterminate" ? 0 : labels.indeterminate;
  return [
    `${passed} of ${judged} judged claims that expect ${expect} passed: ${percentText(raw.rate)} (${betweenText(raw.interval)})`,
    ...(open === 0 ? [] : [`${open} are indeterminate: between ${percentText(bounds[0])} and ${percentText(bounds[1])}, whatever they are`]),
    ...all.map(correctedText),
    ...all.flatMap(({ warnings = [] }) => warnings.map((warning) => `note: ${warning}`)),
  ];
}

/** `measured by 120 labels: accuracy 93.3% (87.4% to 96.6%), kappa 0.871`, or that it is not. */
export function measurementText(measurement: MeasurementReport): string {
  if (!measurement.measured) return `unmeasured: ${measurement.reason}`;
  const { labels, accuracy, kappa } = measurement;
  return `measured by ${labels} labels: accuracy ${percentText(accuracy.rate)} (${betweenText(accuracy.interval)})${kappa === undefined ? "" : `, kappa ${kappa.toFixed(3)}`}`;
}
