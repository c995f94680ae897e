// Owns the correction of a judge's errors for several labels at once.

import { EntailError } from "../core/error.ts";
import { requireAtLeast, requireCount, requireLevel, requireList, requirePositiveCount, requireSameLength } from "./argument.ts";
import { quantileOf } from "./bootstrap.ts";
import type { Interval } from "./interval.ts";
import { invert, multiply, nearestShares, norm, type Matrix } from "./matrix.ts";
import { createRandom, GENERATOR, type Random } from "./random.ts";

export interface MultiClassOptions {
  /** Asks for intervals by the bootstrap over labels and run; both must then be counts. */
  readonly resamples?: number;
  /** 1 when absent. */
  readonly seed?: number;
  readonly level?: number;
}

export interface CorrectedShares {
  /** The share of each label, from 0 to 1, sum 1. */
  readonly shares: readonly number[];
  /** The solution before it was cut to shares. */
  readonly solution: readonly number[];
  /** Of `P(judge = i | human = j)`: 1 for a perfect judge, 0 for one that cannot tell two labels apart. */
  readonly determinant: number;
  /** By how much an error of the observed shares may grow. */
  readonly condition: number;
  readonly warnings: readonly string[];
  /** For each label; absent unless resamples were asked for, `null` where too many of them could not be solved. */
  readonly intervals?: readonly Interval[] | null;
  readonly random?: { readonly generator: typeof GENERATOR; readonly seed: number; readonly resamples: number };
}

/** Below this determinant, or above this condition, the correction says little. */
const POOR_DETERMINANT = 0.1;
const POOR_CONDITION = 10;

/**
 * The shares `π` of the true labels behind the judge's shares `r`: `r = M π`, `M_ij = P(judge = i | human = j)`, so `π = M⁻¹ r`, cut to the nearest
 * shares.
 *
 * `table` holds the labelled rows: a row for each human label, a column for each label of the judge, as counts or as shares of its row; `observed`
 * the judge's labels on this run, as counts or shares. Its assumption is that of `roganGladen`, which it is for two labels. Buonaccorsi 2010, 3.7.
 * `null` where a human label has no row, nothing was observed, or `M` cannot be inverted. Throws `value_invalid` for a table that is not square,
 * lists of different length, negative entries, and intervals asked of numbers that are no counts.
 */
export function multiClassCorrection(table: readonly (readonly number[])[], observed: readonly number[], options: MultiClassOptions = {}): CorrectedShares | null {
  const { resamples, seed = 1, level = 0.95 } = options;
  requireTable(table, observed, resamples !== undefined);
  requireLevel("multiClassCorrection", level);
  const found = solve(table, observed);
  if (found === undefined) return null;
  const warnings: string[] = [];
  if (Math.abs(found.determinant) < POOR_DETERMINANT) {
    warnings.push(`the judge hardly tells some labels apart (determinant ${found.determinant.toFixed(3)}); the corrected shares may be far off`);
  } else if (found.condition > POOR_CONDITION) {
    warnings.push(`errors of the observed shares may grow ${found.condition.toFixed(0)}-fold; the corrected shares may be far off`);
  }
  if (resamples === undefined) return { ...found, warnings };
  requirePositiveCount("multiClassCorrection", "resamples", resamples);
  const random = createRandom(seed);
  const draws: (readonly number[])[] = [];
  for (let round = 0; round < resamples; round += 1) {
    const redrawn = solve(table.map((row) => redraw(row, random)), redraw(observed, random));
    if (redrawn !== undefined) draws.push(redrawn.shares);
  }
  const tail = (1 - level) / 2;
  const intervals = draws.length * 20 < resamples * 19 ? null : observed.map((_, label): Interval => {
    const sorted = draws.map((shares) => shares[label] as number).sort((a, b) => a - b);
    return [quantileOf(sorted, tail), quantileOf(sorted, 1 - tail)];
  });
  return { ...found, warnings, intervals, random: { generator: GENERATOR, seed, resamples } };
}

function requireTable(table: readonly (readonly number[])[], observed: readonly number[], counts: boolean): void {
  const owner = "multiClassCorrection";
  requireSameLength(owner, "table", table, "observed", observed);
  if (table.length < 2) throw new EntailError("value_invalid", `${owner}: "table" must have at least two labels`);
  const check = counts ? requireCount : (where: string, name: string, value: number) => requireAtLeast(where, name, value, 0);
  for (const [index, row] of table.entries()) {
    requireList(owner, `table[${index}]`, row);
    if (row.length !== table.length) throw new EntailError("value_invalid", `${owner}: "table" must be square, but row ${index} has ${row.length} entries where there are ${table.length} rows`);
    for (const [column, value] of row.entries()) check(owner, `table[${index}][${column}]`, value);
  }
  for (const [index, value] of observed.entries()) check(owner, `observed[${index}]`, value);
}

function total(values: readonly number[]): number {
  return values.reduce((whole, value) => whole + value, 0);
}

function solve(table: Matrix, observed: readonly number[]): Pick<CorrectedShares, "shares" | "solution" | "determinant" | "condition"> | undefined {
  const whole = total(observed);
  const rows = table.map(total);
  if (whole === 0 || rows.includes(0)) return undefined;
  const chances = table.map((_, judge) => table.map((row, human) => (row[judge] as number) / (rows[human] as number)));
  const inverted = invert(chances);
  if (inverted === undefined) return undefined;
  const solution = multiply(inverted.inverse, observed.map((value) => value / whole));
  return { shares: nearestShares(solution), solution, determinant: inverted.determinant, condition: norm(chances) * norm(inverted.inverse) };
}

/** As many draws as there were, with replacement. */
function redraw(counts: readonly number[], random: Random): readonly number[] {
  const whole = total(counts);
  const drawn = counts.map(() => 0);
  for (let draw = 0; draw < whole; draw += 1) {
    let place = random.below(whole);
    let label = 0;
    while (place >= (counts[label] as number)) {
      place -= counts[label] as number;
      label += 1;
    }
    drawn[label] = (drawn[label] as number) + 1;
  }
  return drawn;
}
