// Owns the tie between a measurement and a later run: the same judge to the last text of its request, or none.

import type { JudgeIdentity } from "../core/judge.ts";
import type { MeasurementReport, RateEstimate } from "../core/report.ts";
import type { JudgeMeasurement } from "../core/store.ts";
import { qualityFigures, readQuality, type MeasuredQuality } from "./measured-quality.ts";

export type FoundMeasurement = { readonly quality: MeasuredQuality } | { readonly reason: string };

/**
 * The newest measurement of the judge of `identity` whose answers `models` named, by rows that it was not tuned on. Else why there is none: another
 * fingerprint is another judge, and a model that nobody names could be any.
 */
export function findMeasurement(measurements: readonly JudgeMeasurement[], identity: JudgeIdentity | undefined, models: readonly string[]): FoundMeasurement {
  const { fingerprint, model, members } = identity ?? {};
  if (fingerprint === undefined) return { reason: "it is a judge of your own without a fingerprint, which a measurement could be tied to" };
  const known = measurements.flatMap((measurement) => {
    const quality = readQuality(measurement.body);
    return quality === undefined || quality.split !== "test" ? [] : [{ fingerprint: measurement.fingerprint, quality }];
  });
  if (known.length === 0) return { reason: "it was never measured against human labels" };
  const same = known.filter((each) => each.fingerprint === fingerprint).sort((a, b) => Date.parse(b.quality.at) - Date.parse(a.quality.at));
  if (same.length === 0) return { reason: "its model, parameters or request texts are not those of any judge that was measured" };
  const unnamed = model === undefined && (members === undefined || members.some((member) => member.model === undefined));
  if (unnamed && models.length === 0) return { reason: "neither its provider nor its answers name its model, so nothing says that it is the one that was measured" };
  const answered = same.find(({ quality }) => sameNames(quality.models, models, unnamed));
  if (answered !== undefined) return { quality: answered.quality };
  return { reason: `the model that answers is ${named(models) || "not named"}, and ${named(same[0]?.quality.models ?? []) || "a model without a name"} was measured` };
}

const named = (models: readonly string[]): string => models.join(", ").replace(/\s+/g, " ");

/** Answers that name no model contradict nothing where the provider names it. */
function sameNames(measured: readonly string[], answered: readonly string[], unnamed: boolean): boolean {
  if (!unnamed && (measured.length === 0 || answered.length === 0)) return true;
  return answered.every((model) => measured.includes(model));
}

/** What a report says of it. */
export function measurementReport(found: FoundMeasurement): MeasurementReport {
  if ("reason" in found) return { measured: false, reason: found.reason };
  const { quality } = found;
  const { confusion, kappa, ac1, flips, people } = qualityFigures(quality);
  const { rate, interval } = confusion.accuracy;
  if (rate === null || interval === null) return { measured: false, reason: "no row of its measurement was answered" };
  const humanKappa = people?.kappa?.value;
  const flipRate = flips?.rate ?? undefined;
  return {
    measured: true,
    at: quality.at,
    labels: quality.rows,
    accuracy: { rate, interval: [...interval] as unknown as RateEstimate["interval"] },
    ...(kappa !== null && { kappa: kappa.value }),
    ...(ac1 !== null && { ac1: ac1.value }),
    ...(humanKappa !== undefined && { humanKappa }),
    ...(flipRate !== undefined && { flipRate }),
  };
}
