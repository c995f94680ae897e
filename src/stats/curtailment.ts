// Owns curtailment: a requirement on a fixed number of trials that is settled before the last of them, at no cost in error.

import { EntailError } from "../core/error.ts";
import { requireCountOf, requirePositiveCount } from "./argument.ts";

/**
 * Whether "at least `needed` of `of` trials pass" is already settled by those scored: `met`, `missed`, or `open`.
 *
 * It never changes an answer, only when it comes. Never `null`. Throws `value_invalid` unless `0 <= needed <= of` and `passed + failed <= of`, all
 * whole.
 */
export function curtail(needed: number, of: number, passed: number, failed: number): "met" | "missed" | "open" {
  requirePositiveCount("curtail", "of", of);
  for (const [name, count] of [["needed", needed], ["passed", passed], ["failed", failed]] as const) requireCountOf("curtail", name, count, "of", of);
  if (passed + failed > of) throw new EntailError("value_invalid", `curtail: ${passed} passed and ${failed} failed are more than ${of} trials`);
  if (passed >= needed) return "met";
  return failed > of - needed ? "missed" : "open";
}
