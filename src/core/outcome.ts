// Owns the outcome of a trial or a scenario, and the verdict of a run.

export const OUTCOMES = ["passed", "scored", "failed", "errored", "cancelled", "skipped"] as const;

/**
 * `passed`: every check, claim, gate and threshold held. `scored`: a threshold was missed, or nothing was required. `failed`: a check,
 * claim or gate did not hold. `errored`: it could not be measured. `cancelled`: it was stopped. `skipped`: it was not to run.
 */
export type Outcome = (typeof OUTCOMES)[number];

export const VERDICTS = ["passed", "scored", "failed"] as const;
export type Verdict = (typeof VERDICTS)[number];
