// Owns the quick intervals of a paired difference of shares, for display.

import { requireLevel } from "./argument.ts";
import { clip, type Interval } from "./interval.ts";
import { zOf } from "./normal.ts";
import { requireFlips } from "./tango.ts";

export interface PairedDifference {
  readonly difference: number;
  readonly standardError: number;
  /** From -1 to 1. */
  readonly interval: Interval;
}

function about(gap: number, flips: number, n: number, level: number): { readonly standardError: number; readonly interval: Interval } {
  const standardError = Math.sqrt(Math.max(0, flips - gap ** 2 / n)) / n;
  const half = zOf(level) * standardError;
  return { standardError, interval: clip([gap / n - half, gap / n + half], -1, 1) };
}

/**
 * `Δ ± z √(b + c - (b-c)²/n) / n`, `Δ = (b - c)/n`, as in `tango`.
 *
 * For a quick display with many flips; without one it has no width. `null` when `n` is 0. Throws `value_invalid` as `tango`.
 */
export function pairedWald(b: number, c: number, n: number, level = 0.95): PairedDifference | null {
  requireFlips("pairedWald", b, c, n);
  requireLevel("pairedWald", level);
  return n === 0 ? null : { difference: (b - c) / n, ...about(b - c, b + c, n, level) };
}

/**
 * The interval of `pairedWald` after one more flip each way and two more pairs.
 *
 * For a quick display; nearly as good as `tango`. Bonett and Price 2012. `null` when `n` is 0. Throws `value_invalid` as `tango`.
 */
export function bonettPrice(b: number, c: number, n: number, level = 0.95): Interval | null {
  requireFlips("bonettPrice", b, c, n);
  requireLevel("bonettPrice", level);
  return n === 0 ? null : about(b - c, b + c + 2, n + 2, level).interval;
}
