// Owns the e-value: evidence against a pass rate that may be looked at after every trial.

import { requireCountOf, requireInside, requireLevel } from "./argument.ts";
import { incompleteBeta } from "./incomplete-beta.ts";
import type { Interval } from "./interval.ts";
import { logBeta } from "./log-gamma.ts";

/** `ln E` of `eValue`, which does not overflow. */
export function logEValue(s: number, n: number, p0: number): number {
  requireCountOf("eValue", "s", s, "n", n);
  requireInside("eValue", "p0", p0);
  return logBeta(s + 1, n - s + 1) - s * Math.log(p0) - (n - s) * Math.log1p(-p0);
}

/**
 * The evidence of `s` passes in `n` trials against a pass rate of `p0`, on either side: `B(s+1, n-s+1) / (p0^s (1-p0)^(n-s))`, the mixture over all
 * other rates. At any moment `p0` may be rejected when it is at least `1/α`: the chance of ever doing so wrongly is at most `α`.
 *
 * For trials that may stop early, and, with `p0 = ½` over the flips of two runs, as a McNemar test that may be looked at. Robbins 1970; Ville's
 * inequality. Without a trial it is 1, never `null`. Throws `value_invalid` unless `0 <= s <= n`, both whole, and `0 < p0 < 1`.
 */
export function eValue(s: number, n: number, p0: number): number {
  return Math.exp(logEValue(s, n, p0));
}

/**
 * The evidence that the pass rate is above `p0`: the mixture over the rates from `p0` to 1 alone. It holds against every rate up to `p0`. Bounds,
 * source and errors as `eValue`.
 */
export function eValueAbove(s: number, n: number, p0: number): number {
  requireCountOf("eValueAbove", "s", s, "n", n);
  requireInside("eValueAbove", "p0", p0);
  const above = incompleteBeta(n - s + 1, s + 1, 1 - p0);
  return Math.exp(logEValue(s, n, p0) + Math.log(above)) / (1 - p0);
}

/** The evidence that the pass rate is below `p0`: the mixture over the rates from 0 to `p0` alone. Otherwise as `eValueAbove`. */
export function eValueBelow(s: number, n: number, p0: number): number {
  requireCountOf("eValueBelow", "s", s, "n", n);
  requireInside("eValueBelow", "p0", p0);
  return Math.exp(logEValue(s, n, p0) + Math.log(incompleteBeta(s + 1, n - s + 1, p0))) / p0;
}

/**
 * The pass rates, from 0 to 1, that `eValue` does not reject: an interval that holds the truth at every moment at once with chance `level`, and so is
 * wider than `wilson`.
 *
 * For a rate shown while trials come in. Without a trial it is `[0, 1]`, never `null`. Throws `value_invalid` unless `0 <= s <= n`, both whole.
 */
export function confidenceSequence(s: number, n: number, level = 0.95): Interval {
  requireCountOf("confidenceSequence", "s", s, "n", n);
  requireLevel("confidenceSequence", level);
  if (n === 0) return [0, 1];
  const bound = -Math.log(1 - level);
  const end = (far: number): number => {
    let near = s / n;
    let away = far;
    for (let round = 0; round < 1100; round += 1) {
      const middle = (near + away) / 2;
      if (middle === near || middle === away) break;
      if (logEValue(s, n, middle) < bound) near = middle;
      else away = middle;
    }
    return near;
  };
  return [s === 0 ? 0 : end(0), s === n ? 1 : end(1)];
}
