// The door "entail/judge": a judge made from a client or from several, its calibration, its measured quality, and what its judgments are worth.

export { calibrate, type CalibrateOptions } from "./calibrate.ts";
export { CALIBRATION_CLAIMS, CALIBRATION_OUTPUT, CALIBRATION_TIMEOUT_MS, type CalibrationClaim } from "./calibration-example.ts";
export { controlLabel } from "./control-claim.ts";
export { createJudge, type JudgeOptions } from "./create-judge.ts";
export { MAX_EVIDENCE_LENGTH, renderEvidence, type RenderedEvidence } from "./render-evidence.ts";
export { judgedClaims, type JudgedClaim } from "./judged-claim.ts";
export { judgedRates } from "./judged-rates.ts";
export { createJudgedTally, type JudgedCounts, type JudgedTally } from "./judged-tally.ts";
export { readLabelledRows, splitOf, writeLabelledRow, type LabelledRow, type Split } from "./labelled-row.ts";
export { CLAIM_RULES, lintClaim, type ClaimWarning } from "./lint-claim.ts";
export { measureJudge, type MeasureOptions } from "./measure-judge.ts";
export { measurementOf, qualityFigures, readQuality, type MeasuredQuality, type QualityFigures } from "./measured-quality.ts";
export { caveats, qualityJson, qualityText } from "./quality-text.ts";
export { correctedText, measurementText, rateLines } from "./rate-text.ts";
export { ratesFromLabels, type LabelledRates } from "./rates-from-labels.ts";
export { sampleJudgments, type SampleOptions } from "./sample-judgments.ts";
export { panel } from "./panel.ts";
export { findMeasurement, measurementReport, type FoundMeasurement } from "./find-measurement.ts";
export { isInvalidJudgeResponse, type InvalidJudgeResponse, type RejectedAnswer } from "./invalid-response.ts";
export type { Claim } from "../core/claim.ts";
export type { FieldIssue } from "../core/evidence.ts";
export { LABELS, type Label } from "../core/label.ts";
export type { Judge, JudgeAttempt, JudgeIdentity, JudgeRequest } from "../core/judge.ts";
export type { JudgeMeasurement } from "../core/store.ts";
export type { Judgment, Vote } from "../core/judgment.ts";
