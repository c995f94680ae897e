// Owns Fisher's exact test.

import { requireCount } from "./argument.ts";
import { hypergeometricProbability } from "./hypergeometric.ts";

/** Tables whose chance equals that of the seen one but for rounding count as equally unlikely. */
const SLACK = 1 + 1e-7;

/**
 * The two-sided p-value of a two-by-two table `[[a, b], [c, d]]` (rows: runs; columns: passed, failed): the sum of the chances of all tables with its
 * margins that are no likelier than it.
 *
 * For two runs whose scenarios differ, at any size. Fisher 1934. Never `null`: an empty row or column gives 1. Throws `value_invalid` unless all four
 * are whole numbers from 0.
 */
export function fisherExact(table: readonly [readonly [number, number], readonly [number, number]]): number {
  const [[a, b], [c, d]] = table;
  for (const [name, count] of [["a", a], ["b", b], ["c", c], ["d", d]] as const) requireCount("fisherExact", name, count);
  const drawn = a + b;
  const marked = a + c;
  const total = a + b + c + d;
  if (total === 0) return 1;
  const seen = hypergeometricProbability(a, drawn, marked, total);
  let p = 0;
  for (let x = Math.max(0, drawn + marked - total); x <= Math.min(drawn, marked); x += 1) {
    const chance = hypergeometricProbability(x, drawn, marked, total);
    if (chance <= seen * SLACK) p += chance;
  }
  return Math.min(1, p);
}
