// Owns the expected calibration error.

import { EntailError } from "../core/error.ts";
import { requireSameLength, requireShares } from "./argument.ts";
import { sum } from "./mean.ts";

/** Cases with a confidence from `from` to below `to` (in the last bin: up to it). */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly cases: number;
  /** The mean confidence and the share that was right; `null` in an empty bin. */
  readonly confidence: number | null;
  readonly accuracy: number | null;
}

export interface CalibrationError {
  readonly error: number;
  readonly bins: readonly CalibrationBin[];
}

const TENTHS: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/**
 * The expected calibration error, from 0 to 1: the mean over cases of the gap between confidence and accuracy of their bin, `Σ (n_b/n) |acc_b -
 * conf_b|`.
 *
 * It depends on the bins (`edges`, ten equal ones when absent); state them. Naeini, Cooper, Hauskrecht 2015. `null` of an empty list. Throws
 * `value_invalid` for lists of different length, numbers outside 0..1, and edges that do not rise from 0 to 1.
 */
export function calibrationError(confidences: readonly number[], correct: readonly number[], edges: readonly number[] = TENTHS): CalibrationError | null {
  requireSameLength("calibrationError", "confidences", confidences, "correct", correct);
  requireShares("calibrationError", "confidences", confidences);
  requireShares("calibrationError", "correct", correct);
  requireShares("calibrationError", "edges", edges);
  if (edges[0] !== 0 || edges.at(-1) !== 1 || edges.some((edge, index) => index > 0 && edge <= (edges[index - 1] as number))) {
    throw new EntailError("value_invalid", 'calibrationError: "edges" must rise from 0 to 1');
  }
  const n = confidences.length;
  if (n === 0) return null;
  const bins = edges.slice(1).map((to, index): CalibrationBin => {
    const from = edges[index] as number;
    const members = confidences.flatMap((confidence, place) => (confidence >= from && (confidence < to || (to === 1 && confidence === 1)) ? [place] : []));
    const cases = members.length;
    const mean = (values: readonly number[]): number | null => (cases === 0 ? null : sum(members.map((place) => values[place] as number)) / cases);
    return { from, to, cases, confidence: mean(confidences), accuracy: mean(correct) };
  });
  return { error: sum(bins.map((bin) => (bin.cases / n) * Math.abs((bin.accuracy ?? 0) - (bin.confidence ?? 0)))), bins };
}
