// The door "entail/judge": a judge made from a client, its calibration, and the record of answers that it had to refuse.

export { calibrate, type CalibrateOptions } from "./calibrate.ts";
export { CALIBRATION_CLAIMS, CALIBRATION_OUTPUT, CALIBRATION_TIMEOUT_MS, type CalibrationClaim } from "./calibration-example.ts";
export { createJudge, type JudgeOptions } from "./create-judge.ts";
export { isInvalidJudgeResponse, type InvalidJudgeResponse, type RejectedAnswer } from "./invalid-response.ts";
export type { Claim } from "../core/claim.ts";
export type { FieldIssue } from "../core/evidence.ts";
export { LABELS, type Label } from "../core/label.ts";
export type { Judge, JudgeAttempt, JudgeIdentity, JudgeRequest } from "../core/judge.ts";
export type { Judgment } from "../core/judgment.ts";
