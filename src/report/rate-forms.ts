// Owns the forms of what a judge's labels are worth: its measured quality, and the rates of its judgments.

import { LABELS, type Label } from "../core/label.ts";
import { CORRECTIONS, type CorrectedRateReport, type JudgedRate, type MeasurementReport, type RateEstimate } from "../core/report.ts";
import { memberPath } from "../core/json-path.ts";
import { count, flag, type Form, list, number, objectAt, optional, record, required, text, time, unreadable, word } from "./form.ts";

export const intervalForm: Form<RateEstimate["interval"]> = {
  write: ([lower, upper]) => [lower, upper],
  read: (wire, path) => {
    const [lower, upper, ...rest] = list(number).read(wire, path);
    return lower !== undefined && upper !== undefined && rest.length === 0 && lower <= upper ? [lower, upper] : unreadable(path, "must be two numbers, the smaller one first");
  },
};

const estimateFields = { rate: required("rate", number), interval: required("interval", intervalForm) };
const estimateForm = record<RateEstimate>(estimateFields);

const measuredForm = record<Extract<MeasurementReport, { measured: true }>>({
  measured: required("measured", flag as Form<true>),
  at: required("at", time),
  labels: required("labels", count),
  accuracy: required("accuracy", estimateForm),
  kappa: optional("kappa", number),
  ac1: optional("ac1", number),
  humanKappa: optional("human_kappa", number),
  flipRate: optional("flip_rate", number),
});
const unmeasuredForm = record<Extract<MeasurementReport, { measured: false }>>({ measured: required("measured", flag as Form<false>), reason: required("reason", text) });

export const measurementForm: Form<MeasurementReport> = {
  write: (measurement, options) => (measurement.measured ? measuredForm.write(measurement, options) : unmeasuredForm.write(measurement, options)),
  read: (wire, path) => (flag.read(objectAt(wire, path)["measured"], memberPath(path, "measured")) ? measuredForm.read(wire, path) : unmeasuredForm.read(wire, path)),
};

const labelCountsForm = record<Record<Label, number>>(Object.fromEntries(LABELS.map((label) => [label, required(label, count)])) as { readonly [L in Label]: ReturnType<typeof required<number>> });

// A corrected rate cannot be read without its interval and its labels' count.
const correctedForm = record<CorrectedRateReport>({
  method: required("method", word(CORRECTIONS)),
  ...estimateFields,
  labels: required("labels", count),
  warnings: optional("warnings", list(text)),
});

export const judgedRateForm: Form<JudgedRate> = record<JudgedRate>({
  expect: required("expect", word(LABELS)),
  labels: required("labels", labelCountsForm),
  judged: required("judged", count),
  passed: required("passed", count),
  effective: required("effective", number),
  raw: required("raw", estimateForm),
  bounds: required("bounds", intervalForm),
  corrected: optional("corrected", list(correctedForm)),
});
