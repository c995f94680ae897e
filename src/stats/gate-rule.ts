// Owns the rule of a gate on a measured rate: an interval decides, not the number in its middle.

import { EntailError } from "../core/error.ts";
import { requireFinite } from "./argument.ts";
import type { Interval } from "./interval.ts";

export type GateAnswer = "passed" | "failed" | "inconclusive";

/**
 * `passed` when the lower end reaches the target, `failed` when the upper end stays below it, else `inconclusive`: 45 of 50 against 0.85 is
 * inconclusive, though 0.9 is above it. An interval that is `null` decides nothing.
 *
 * For pass rates against a bar, and, with a difference and `target: -margin`, for "not worse than by the margin". Never `null`. Throws
 * `value_invalid` for an end or a target that is not finite, or ends in the wrong order.
 */
export function gateRule(interval: Interval | null, target: number): GateAnswer {
  requireFinite("gateRule", "target", target);
  if (interval === null) return "inconclusive";
  const [lower, upper] = interval;
  requireFinite("gateRule", "interval[0]", lower);
  requireFinite("gateRule", "interval[1]", upper);
  if (lower > upper) throw new EntailError("value_invalid", `gateRule: the interval's lower end ${lower} is above its upper end ${upper}`);
  if (lower >= target) return "passed";
  return upper < target ? "failed" : "inconclusive";
}
