// Owns the one example that every judge must get right before it judges anything: one output, and a claim for each label.

import type { Label } from "../core/label.ts";

export interface CalibrationClaim {
  readonly id: string;
  readonly text: string;
  /** The only right answer. */
  readonly label: Label;
}

export const CALIBRATION_OUTPUT: string =
  "Pump 3 is running. For boiler 2 the first gauge reads 80 degrees and the second gauge reads 20 degrees at the same moment, and nothing says which of the two is right.";

export const CALIBRATION_CLAIMS: readonly CalibrationClaim[] = Object.freeze([
  { id: "calibration_entailed", text: "Pump 3 is running.", label: "entailed" },
  { id: "calibration_contradicted", text: "Pump 3 is switched off.", label: "contradicted" },
  { id: "calibration_not_addressed", text: "The filter of fan 7 was replaced.", label: "not_addressed" },
  { id: "calibration_indeterminate", text: "Boiler 2 is at 80 degrees.", label: "indeterminate" },
] as const);

/** Two minutes. */
export const CALIBRATION_TIMEOUT_MS = 120_000;
