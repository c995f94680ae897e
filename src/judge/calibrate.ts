// Owns calibration: the proof, before any scenario, that a judge can tell the four labels apart.

import { abortError, untilAborted } from "../core/abort.ts";
import type { Clock } from "../core/clock.ts";
import { wholeNanoseconds } from "../core/duration.ts";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import type { Judge, JudgeAttempt } from "../core/judge.ts";
import { validateJudgments, type Judgment } from "../core/judgment.ts";
import type { CalibrationReport } from "../core/report.ts";
import type { Scope } from "../core/scope.ts";
import { CALIBRATION_CLAIMS, CALIBRATION_OUTPUT, CALIBRATION_TIMEOUT_MS } from "./calibration-example.ts";
import { recorder } from "./recorder.ts";

export interface CalibrateOptions {
  readonly clock: Clock;
  /** Ends the calibration early; its own limit of 2 minutes is nested in it. */
  readonly signal?: AbortSignal | undefined;
  readonly scope?: Scope | undefined;
  /** Told of each request as it is made; the report holds them too. */
  readonly record?: ((attempt: JudgeAttempt) => void) | undefined;
}

function firstMismatch(judgments: readonly Judgment[]): string | undefined {
  const labels = new Map(judgments.map((judgment) => [judgment.claimId, judgment.label]));
  for (const { id, label } of CALIBRATION_CLAIMS) {
    const got = labels.get(id);
    if (got !== label) return `claim ${id} got the label ${String(got)}, and ${label} is right`;
  }
  return undefined;
}

/** A judge's answer as the report keeps it: read once, known members only. */
function snapshot(judgments: readonly Judgment[]): readonly Judgment[] {
  if (!Array.isArray(judgments)) return judgments;
  return Array.from(judgments as readonly (Judgment | null | undefined)[], (judgment) => ({
    claimId: judgment?.claimId as string,
    label: judgment?.label as Judgment["label"],
    rationale: judgment?.rationale as string,
    ...(Array.isArray(judgment?.votes) && { votes: judgment.votes }),
  }));
}

/**
 * Asks `judge` to label the calibration example, once and for at most 2 minutes. It never rejects: a wrong label, an invalid answer,
 * a throw and the end of the time are `passed: false` with the error `calibration_failed`, an aborted `signal` is `cancelled`. The
 * first wrong label, in the order of the labels, is the one named. `attempts` holds what the judge recorded.
 */
export async function calibrate(judge: Judge, options: CalibrateOptions): Promise<CalibrationReport> {
  const { clock, signal, scope } = options;
  const stopped = (): boolean => signal?.aborted ?? false;
  const started = clock.elapsed();
  const attempts: JudgeAttempt[] = [];
  const report = (rest: Pick<CalibrationReport, "passed" | "judgments" | "error">): CalibrationReport => ({
    durationMs: wholeNanoseconds(clock.elapsed() - started),
    ...rest,
    ...(attempts.length === 0 ? {} : { attempts: [...attempts] }),
  });
  const failed = (why: string, judgments?: readonly Judgment[]): CalibrationReport =>
    report({
      passed: false,
      ...(judgments === undefined ? {} : { judgments }),
      error: { code: "calibration_failed", stage: "calibration", message: `the calibration of the judge failed: ${why}` },
    });
  const cancelled = (): CalibrationReport => {
    const error = abortError(signal ?? AbortSignal.abort(), "the calibration of the judge");
    return report({ passed: false, error: { code: error.code, stage: "calibration", message: error.message } });
  };
  if (stopped()) return cancelled();

  const finished = new AbortController();
  const deadline = new AbortController();
  void clock.sleep(CALIBRATION_TIMEOUT_MS, finished.signal).then(() => {
    if (!finished.signal.aborted) deadline.abort(new EntailError("deadline_exceeded", "it took longer than 2 minutes", { stage: "calibration" }));
  });
  const limit = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  const tell = recorder(options.record);
  const record = (attempt: JudgeAttempt): void => {
    if (finished.signal.aborted) return;
    attempts.push(attempt);
    tell(attempt);
  };
  try {
    const ask = async (): Promise<readonly Judgment[]> =>
      judge.judge({ output: CALIBRATION_OUTPUT, claims: CALIBRATION_CLAIMS.map(({ id, text }) => ({ id, text })), reference: "", signal: limit, scope, record });
    const judgments = snapshot(await untilAborted(ask(), limit, "the calibration of the judge"));
    validateJudgments(CALIBRATION_CLAIMS, judgments);
    const mismatch = firstMismatch(judgments);
    return mismatch === undefined ? report({ passed: true, judgments }) : failed(mismatch, judgments);
  } catch (error) {
    if (stopped()) return cancelled();
    return failed(deadline.signal.aborted && isEntailError(deadline.signal.reason) ? deadline.signal.reason.message : messageOf(error));
  } finally {
    finished.abort();
  }
}
