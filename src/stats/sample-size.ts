// Owns the questions before a run: how many scenarios, and how small a difference can be seen.

import { requireAbove, requireAtLeast, requireInside, requireLevel, requirePositiveCount, requireShare } from "./argument.ts";
import { normalQuantile, zOf } from "./normal.ts";

export interface SampleSizeOptions {
  /** The difference of two means that must be found, in their unit. */
  readonly difference: number;
  /** `ω²`: the variance over scenarios of the difference of the two true means. */
  readonly scenarioVariance: number;
  /** `σ²`: the variance of one trial within its scenario, for either side; 0 when absent. */
  readonly trialVariance?: number | readonly [number, number];
  /** `K`: trials a scenario on either side; 1 when absent. */
  readonly trials?: number | readonly [number, number];
  readonly level?: number;
  /** The chance to find it; 0.8 when absent. */
  readonly power?: number;
}

function bothSides(value: number | readonly [number, number]): readonly [number, number] {
  return typeof value === "number" ? [value, value] : value;
}

/**
 * Scenarios needed to find a difference of means in a paired comparison: `(z_{α/2} + z_β)² (ω² + σ_A²/K_A + σ_B²/K_B) / δ²`, not rounded; round up.
 *
 * Miller 2024 (arXiv 2411.00640), section 5. Never `null`. Throws `value_invalid` unless the difference is above 0, variances are at least 0 and
 * trials at least 1.
 */
export function sampleSize(options: SampleSizeOptions): number {
  const { difference, scenarioVariance, level = 0.95, power = 0.8 } = options;
  const noise = bothSides(options.trialVariance ?? 0);
  const trials = bothSides(options.trials ?? 1);
  requireAbove("sampleSize", "difference", difference, 0);
  requireAtLeast("sampleSize", "scenarioVariance", scenarioVariance, 0);
  for (const side of [0, 1] as const) {
    requireAtLeast("sampleSize", "trialVariance", noise[side], 0);
    requirePositiveCount("sampleSize", "trials", trials[side]);
  }
  requireLevel("sampleSize", level);
  requireInside("sampleSize", "power", power);
  const z = zOf(level) + normalQuantile(power);
  return (z ** 2 * (scenarioVariance + noise[0] / trials[0] + noise[1] / trials[1])) / difference ** 2;
}

/**
 * The smallest difference of means that `n` scenarios find with the given power: `(z_{α/2} + z_β) s/√n`, `s` the standard deviation of the
 * differences of scenarios, in their unit.
 *
 * Never `null`. Throws `value_invalid` unless `n` is at least 1 and `s` at least 0.
 */
export function minimumDetectableEffect(options: { readonly n: number; readonly standardDeviation: number; readonly level?: number; readonly power?: number }): number {
  const { n, standardDeviation, level = 0.95, power = 0.8 } = options;
  requirePositiveCount("minimumDetectableEffect", "n", n);
  requireAtLeast("minimumDetectableEffect", "standardDeviation", standardDeviation, 0);
  requireLevel("minimumDetectableEffect", level);
  requireInside("minimumDetectableEffect", "power", power);
  return ((zOf(level) + normalQuantile(power)) * standardDeviation) / Math.sqrt(n);
}

/** `(z √p_d + z_β √(p_d - δ²)) / δ`, whose square is the number of pairs. */
function pairs(discordant: number, difference: number, z: number, zPower: number): number {
  return ((z * Math.sqrt(discordant) + zPower * Math.sqrt(Math.max(0, discordant - difference ** 2))) / difference) ** 2;
}

/**
 * Scenarios of one trial needed for McNemar's test: `(z √p_d + z_β √(p_d - δ²))² / δ²`, not rounded; `discordant` is the share of scenarios that flip
 * either way, `difference` how much more flip one way.
 *
 * Connor 1987. `null` where fewer flip than the difference needs (`discordant < difference`). Throws `value_invalid` unless `difference` is above 0
 * and both are at most 1.
 */
export function mcnemarSampleSize(options: { readonly discordant: number; readonly difference: number; readonly level?: number; readonly power?: number }): number | null {
  const { discordant, difference, level = 0.95, power = 0.8 } = options;
  requireShare("mcnemarSampleSize", "discordant", discordant);
  requireShare("mcnemarSampleSize", "difference", difference);
  requireAbove("mcnemarSampleSize", "difference", difference, 0);
  requireLevel("mcnemarSampleSize", level);
  requireInside("mcnemarSampleSize", "power", power);
  return discordant < difference ? null : pairs(discordant, difference, zOf(level), normalQuantile(power));
}

/**
 * The smallest difference of pass rates that McNemar's test finds over `n` scenarios of one trial, of which a share `discordant` flips.
 *
 * The inverse of `mcnemarSampleSize`. `null` where not even flips all one way would be found. Throws `value_invalid` unless `n` is at least 1 and
 * `discordant` a share.
 */
export function mcnemarMinimumDetectableEffect(options: { readonly n: number; readonly discordant: number; readonly level?: number; readonly power?: number }): number | null {
  const { n, discordant, level = 0.95, power = 0.8 } = options;
  requirePositiveCount("mcnemarMinimumDetectableEffect", "n", n);
  requireShare("mcnemarMinimumDetectableEffect", "discordant", discordant);
  requireLevel("mcnemarMinimumDetectableEffect", level);
  requireInside("mcnemarMinimumDetectableEffect", "power", power);
  const z = zOf(level);
  const zPower = normalQuantile(power);
  if (discordant === 0 || pairs(discordant, discordant, z, zPower) > n) return null;
  let lower = 0;
  let upper = discordant;
  for (let round = 0; round < 100 && lower < upper; round += 1) {
    const middle = (lower + upper) / 2;
    if (middle === lower || middle === upper) break;
    if (pairs(discordant, middle, z, zPower) > n) lower = middle;
    else upper = middle;
  }
  return upper;
}
