// Owns the normal distribution.

import { upperGamma } from "./incomplete-gamma.ts";

/** `Φ(x)`; exact also far in the lower tail. */
export function normalCdf(x: number): number {
  const tail = 0.5 * upperGamma(0.5, (x * x) / 2);
  return x <= 0 ? tail : 1 - tail;
}

/** `Φ⁻¹(p)` for `0 < p < 1`: a rational start (Abramowitz and Stegun 26.2.23), then Halley's steps to the last bits. */
export function normalQuantile(p: number): number {
  if (p === 0.5) return 0;
  if (p > 0.5) return -normalQuantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(p));
  let x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (let round = 0; round < 6; round += 1) {
    const gap = (normalCdf(x) - p) / (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI));
    const next = x - gap / (1 + (x * gap) / 2);
    if (next === x) break;
    x = next;
  }
  return x;
}

/** The number of standard errors on either side of a two-sided interval: 1.959963984540054 at 0.95. */
export function zOf(level: number): number {
  return -normalQuantile((1 - level) / 2);
}

/** The two-sided p-value of a standard normal statistic. */
export function normalTwoSided(z: number): number {
  return Math.min(1, 2 * normalCdf(-Math.abs(z)));
}
