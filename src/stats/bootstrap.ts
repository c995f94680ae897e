// Owns the bootstrap: an interval for a statistic that has no formula of its own.

import { EntailError } from "../core/error.ts";
import { requireLevel, requireNumbers, requirePositiveCount, requireSameLength } from "./argument.ts";
import { partition, type ClusterId } from "./cluster.ts";
import type { Interval } from "./interval.ts";
import { sum } from "./mean.ts";
import { createRandom, GENERATOR } from "./random.ts";

export interface BootstrapOptions {
  /** The mean when absent; `null` where a resample leaves it undefined (a ratio over none). */
  readonly statistic?: (values: readonly number[]) => number | null;
  /** Whole clusters are drawn instead of values. */
  readonly clusters?: readonly ClusterId[];
  /** How many resamples, 2,000 when absent; `"all"` enumerates each one there is (at most 100,000) and uses no random numbers. */
  readonly resamples?: number | "all";
  /** A whole number from 0; 1 when absent. */
  readonly seed?: number;
  readonly level?: number;
}

export interface Bootstrap {
  readonly estimate: number;
  /** The standard deviation over the resamples, divided by their number. */
  readonly standardError: number;
  /** The percentile interval, in the unit of the statistic. */
  readonly interval: Interval;
  /** Resamples with a value. */
  readonly resamples: number;
  /** Resamples for which the statistic was `null`; they are left out. */
  readonly undefinedResamples: number;
  /** Absent where every resample was enumerated. */
  readonly random?: { readonly generator: typeof GENERATOR; readonly seed: number };
}

const MOST_ENUMERATED = 100_000;

/** The quantile of sorted values, linear between neighbours. */
export function quantileOf(sorted: readonly number[], p: number): number {
  const place = (sorted.length - 1) * p;
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (place - below) * (high - low);
}

/**
 * Resamples values (or whole clusters) with replacement and gives the statistic's standard error and percentile interval.
 *
 * For skewed scores and ratios over at least some tens of values or clusters; a share has `wilson`. The same seed gives the same answer everywhere.
 * Efron 1979. `null` with fewer than two values (or clusters), or where the statistic is undefined for the values themselves or for more than one
 * resample in ten. Throws `value_invalid` for values that are not finite, and for a statistic that gives none.
 */
export function bootstrap(values: readonly number[], options: BootstrapOptions = {}): Bootstrap | null {
  const { statistic = (list) => sum(list) / list.length, clusters, resamples = 2000, seed = 1, level = 0.95 } = options;
  requireNumbers("bootstrap", "values", values);
  requireLevel("bootstrap", level);
  if (resamples !== "all") requirePositiveCount("bootstrap", "resamples", resamples);
  if (clusters !== undefined) requireSameLength("bootstrap", "values", values, "clusters", clusters);
  const groups = clusters === undefined ? values.map((_, index) => [index]) : partition("bootstrap", clusters);
  const units = groups.map((group) => group.map((index) => values[index] as number));
  if (units.length < 2) return null;
  const measure = (list: readonly number[]): number | null => {
    const value = statistic(list);
    if (value !== null && !Number.isFinite(value)) throw new EntailError("value_invalid", `bootstrap: "statistic" must give a finite number or null, not ${String(value)}`);
    return value;
  };
  const estimate = measure(values);
  if (estimate === null) return null;
  const found: number[] = [];
  let missing = 0;
  for (const list of resamples === "all" ? every(units) : drawn(units, resamples, seed)) {
    const value = measure(list);
    if (value === null) missing += 1;
    else found.push(value);
  }
  if (missing * 10 > missing + found.length) return null;
  const middle = sum(found) / found.length;
  const tail = (1 - level) / 2;
  found.sort((a, b) => a - b);
  return {
    estimate,
    standardError: Math.sqrt(sum(found.map((value) => (value - middle) ** 2)) / found.length),
    interval: [quantileOf(found, tail), quantileOf(found, 1 - tail)],
    resamples: found.length,
    undefinedResamples: missing,
    ...(resamples === "all" ? {} : { random: { generator: GENERATOR, seed } }),
  };
}

function* drawn(units: readonly (readonly number[])[], resamples: number, seed: number): Generator<readonly number[]> {
  const random = createRandom(seed);
  for (let round = 0; round < resamples; round += 1) {
    const list: number[] = [];
    for (let draw = 0; draw < units.length; draw += 1) list.push(...(units[random.below(units.length)] as readonly number[]));
    yield list;
  }
}

function* every(units: readonly (readonly number[])[]): Generator<readonly number[]> {
  const total = units.length ** units.length;
  if (total > MOST_ENUMERATED) throw new EntailError("value_invalid", `bootstrap: ${units.length} units have ${total} resamples, more than ${MOST_ENUMERATED}; give "resamples" a number`);
  for (let code = 0; code < total; code += 1) {
    const list: number[] = [];
    for (let rest = code, draw = 0; draw < units.length; draw += 1) {
      list.push(...(units[rest % units.length] as readonly number[]));
      rest = Math.floor(rest / units.length);
    }
    yield list;
  }
}
