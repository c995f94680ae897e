// Owns what the judgments of a run are worth: the measured quality of their judge and their rates, as the report has them.

import type { Judge } from "../core/judge.ts";
import type { CalibrationReport, JudgeReport } from "../core/report.ts";
import type { JudgeMeasurement } from "../core/store.ts";
import type { JudgedTally } from "../judge/judged-tally.ts";
import { readIdentity } from "./judge-identity.ts";
import type { Plan } from "./plan.ts";

export type JudgedWorth = Pick<JudgeReport, "measurement" | "rates" | "compromised">;

/** Nothing where nothing was judged. It never rejects: measurements that cannot be had are none, and the report then says so. */
export async function judgedWorth(judge: Judge, calibration: CalibrationReport | undefined, tally: JudgedTally, measurements: Plan["measurements"]): Promise<JudgedWorth> {
  const compromised = tally.compromised() > 0 ? { compromised: tally.compromised() } : {};
  if (tally.counts().size === 0) return compromised;
  // The statistics are loaded only where there is something to work out.
  const [{ findMeasurement, measurementReport }, { judgedRates }] = await Promise.all([import("../judge/find-measurement.ts"), import("../judge/judged-rates.ts")]);
  // Who answered the calibration answers the run.
  const models = [...new Set((calibration?.attempts ?? []).flatMap(({ model }) => model ?? []))];
  const found = findMeasurement(await known(measurements), readIdentity(judge), models);
  return { measurement: measurementReport(found), rates: judgedRates(tally.counts(), "quality" in found ? found.quality : undefined), ...compromised };
}

async function known(measurements: Plan["measurements"]): Promise<readonly JudgeMeasurement[]> {
  try {
    return (await measurements?.()) ?? [];
  } catch {
    return [];
  }
}
