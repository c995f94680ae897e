// Owns Tango's interval: by how much two runs of one trial differ, over the same scenarios.

import { requireCount, requireLevel, refuse } from "./argument.ts";
import type { Interval } from "./interval.ts";
import { zOf } from "./normal.ts";

/** The score statistic at a difference `delta`; it falls as `delta` grows. */
function statistic(b: number, c: number, n: number, delta: number): number {
  const first = -b - c + (2 * n - b + c) * delta;
  const second = -c * delta * (1 - delta);
  const q = (-first + Math.sqrt(Math.max(0, first ** 2 - 8 * n * second))) / (4 * n);
  const gap = b - c - n * delta;
  const variance = n * (2 * q + delta * (1 - delta));
  if (variance > 0) return gap / Math.sqrt(variance);
  return gap === 0 ? 0 : Math.sign(gap) * Number.POSITIVE_INFINITY;
}

/**
 * The score interval, from -1 to 1, of the difference of two paired shares `(b - c)/n`: `b` scenarios pass on the first side alone, `c` on the second
 * alone, of `n` pairs. It holds each `Δ` with `|b - c - nΔ| <= z √(n(2q + Δ(1-Δ)))`, `q` the most likely share of the second kind under `Δ`: `q = (-B
 * + √(B² - 4AC)) / 2A`, `A = 2n`, `B = -b - c + (2n - b + c)Δ`, `C = -cΔ(1-Δ)`.
 *
 * The default for runs of one trial at any `n`; with trials compare the scenarios' means (`compareScenarios`, `pairedT`). Tango 1998. `null` when `n`
 * is 0. Throws `value_invalid` unless all are whole, from 0, and `b + c <= n`.
 */
export function tango(b: number, c: number, n: number, level = 0.95): Interval | null {
  requireFlips("tango", b, c, n);
  requireLevel("tango", level);
  if (n === 0) return null;
  const z = zOf(level);
  const estimate = (b - c) / n;
  const end = (far: number, target: number): number => {
    let near = estimate;
    let away = far;
    // Either end: on the near side the statistic is still within ±z, at the far one it may be beyond.
    if (Math.abs(statistic(b, c, n, far)) <= z) return far;
    for (let round = 0; round < 200; round += 1) {
      const middle = (near + away) / 2;
      if (middle === near || middle === away) break;
      const inside = target > 0 ? statistic(b, c, n, middle) < target : statistic(b, c, n, middle) > target;
      if (inside) near = middle;
      else away = middle;
    }
    return near;
  };
  return [end(-1, z), end(1, -z)];
}

/** Throws `value_invalid` unless `b` and `c` flips fit into `n` pairs. */
export function requireFlips(owner: string, b: number, c: number, n: number): void {
  requireCount(owner, "n", n);
  requireCount(owner, "b", b);
  requireCount(owner, "c", c);
  if (b + c > n) refuse(owner, "b + c", `at most "n" (${n})`, b + c);
}
