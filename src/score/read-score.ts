// Owns what a score may be: a finite number from 0 to 1, or of the scale that its scorer declares.

import { EntailError } from "../core/error.ts";
import { THRESHOLD_TOLERANCE } from "../core/score.ts";

export type Scale = readonly [least: number, most: number];

const UNIT: Scale = [0, 1];

/**
 * The score as a number from 0 to 1, -0 as 0. What lies outside the scale by at most 1e-9 is the bound itself. Throws `score_invalid`, naming what
 * came and the bounds, for anything else: no other value is ever read as a score.
 */
export function readScore(value: unknown, scale: Scale = UNIT): number {
  const [least, most] = scale;
  if (typeof value !== "number") throw invalid(value, scale);
  const unit = scale === UNIT ? value : (value - least) / (most - least);
  if (!(unit >= -THRESHOLD_TOLERANCE && unit <= 1 + THRESHOLD_TOLERANCE)) throw invalid(value, scale);
  return Math.min(1, Math.max(0, unit)) + 0;
}

/** As Mastra takes a score: any finite number, off the scale too. For `compat: "mastra"` alone. */
export function readLooseScore(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw invalid(value, UNIT);
}

function invalid(value: unknown, [least, most]: Scale): EntailError {
  return new EntailError("score_invalid", `a score must be a number from ${least} to ${most}, not ${show(value)}`, { stage: "score" });
}

/** With its type where it is no number: a text "0.5" is not the number. */
function show(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 100))}`;
  return value === null || typeof value === "boolean" || value === undefined ? String(value) : `a value of the type ${typeof value}`;
}
