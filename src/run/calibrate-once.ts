// Owns the calibration of a run's judge: once an invocation for each judge object.

import { freezeDeep } from "../core/freeze-deep.ts";
import type { Clock } from "../core/clock.ts";
import type { Judge } from "../core/judge.ts";
import type { CalibrationReport, JudgeReport, SplitUsage } from "../core/report.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { calibrate } from "../judge/calibrate.ts";
import { readAttempt } from "./judge-result.ts";
import type { JudgedWorth } from "./judged-worth.ts";
import type { Calibrations } from "./plan.ts";
import { readIdentity } from "./judge-identity.ts";
import { judgeUsage, splitUsage } from "./spent.ts";

export interface Calibrated {
  readonly report: CalibrationReport;
  /** What this run spent on it; nothing where another run of the invocation had calibrated the judge already. */
  readonly usage: SplitUsage | undefined;
}

// It belongs to no trial, and not to one suite of the invocation more than to another.
const SCOPE = Object.freeze({ suite: "", scenario: "", trial: 1, purpose: "calibration", ordinal: 0 });

/** Never rejects. */
export async function calibrateOnce(judge: Judge, clock: Clock, signal: AbortSignal, calibrations: Calibrations | undefined): Promise<Calibrated> {
  const done = calibrations?.get(judge);
  if (done !== undefined) return { report: await done, usage: undefined };
  const going = calibrate(judge, { clock, signal, scope: SCOPE }).then(readCalibration);
  calibrations?.set(judge, going);
  const report = await going;
  return { report, usage: splitUsage(undefined, judgeUsage(report.attempts ?? [])) };
}

function readCalibration(report: CalibrationReport): CalibrationReport {
  const { attempts = [], ...rest } = report;
  const plain = wireSafe(rest) as CalibrationReport;
  return freezeDeep({ ...plain, passed: report.passed, ...(attempts.length > 0 && { attempts: attempts.map(readAttempt) }) });
}

/** What a judge says of itself, its calibration and what its judgments are worth; nothing where none of it is there. */
export function judgeReport(judge: Judge, calibration: CalibrationReport | undefined, worth: JudgedWorth = {}): { readonly judge?: JudgeReport } {
  const report: JudgeReport = { ...readIdentity(judge), ...(calibration !== undefined && { calibration }), ...worth };
  return Object.keys(report).length === 0 ? {} : { judge: freezeDeep(report) };
}
