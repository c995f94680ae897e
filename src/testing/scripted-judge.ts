// Owns the scripted judge: a custom judge that labels as a test says and, without being told, passes its calibration.

import type { Judge, JudgeRequest } from "../core/judge.ts";
import type { Judgment } from "../core/judgment.ts";
import { CALIBRATION_LABELS, isCalibration, scriptedJudgment, type ScriptedLabels } from "./judge-answer.ts";

export interface ScriptedJudge extends Judge {
  /** What it was asked, calibrations left out. */
  readonly requests: readonly JudgeRequest[];
  readonly calibrations: readonly JudgeRequest[];
}

export interface ScriptedJudgeOptions {
  /** True when absent; false leaves the calibration to the labels like any other request. */
  readonly calibrates?: boolean;
}

/**
 * Labels each claim by `labels`: a record or a map by claim id, or a function of the claim and of what is judged. It rejects for a
 * claim without a label, and with whatever the function throws.
 */
export function scriptedJudge(labels: ScriptedLabels, options: ScriptedJudgeOptions = {}): ScriptedJudge {
  const requests: JudgeRequest[] = [];
  const calibrations: JudgeRequest[] = [];
  return {
    requests,
    calibrations,
    async judge(request: JudgeRequest): Promise<readonly Judgment[]> {
      const calibration = options.calibrates !== false && isCalibration(request);
      (calibration ? calibrations : requests).push(request);
      return request.claims.map((claim) => scriptedJudgment(claim, calibration ? CALIBRATION_LABELS : labels, request));
    },
  };
}
