// Owns the binomial probability, by Loader's saddle point: exact to about 1e-14 also for millions of trials.

import { stirlingError } from "./log-gamma.ts";

/** `x ln(x/m) + m - x`, without the cancellation where `x` is near `m`. */
function deviance(x: number, m: number): number {
  const gap = x - m;
  if (Math.abs(gap) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const ratio = gap / (x + m);
  const square = ratio * ratio;
  let sum = gap * ratio;
  let term = 2 * x * ratio;
  for (let j = 1; j < 1000; j += 1) {
    term *= square;
    const next = sum + term / (2 * j + 1);
    if (next === sum) break;
    sum = next;
  }
  return sum;
}

/**
 * `Γ(n+1) / (Γ(k+1) Γ(n-k+1)) p^k (1-p)^(n-k)`, for real `0 <= k <= n`: the binomial probability, and the kernel of the beta. C. Loader, "Fast and
 * accurate computation of binomial probabilities" (2000).
 */
export function binomialProbability(k: number, n: number, p: number): number {
  if (k < 0 || k > n) return 0;
  if (p <= 0) return k === 0 ? 1 : 0;
  if (p >= 1) return k === n ? 1 : 0;
  if (k === 0) return Math.exp(n * Math.log1p(-p));
  if (k === n) return Math.exp(n * Math.log(p));
  const logCore = stirlingError(n) - stirlingError(k) - stirlingError(n - k) - deviance(k, n * p) - deviance(n - k, n * (1 - p));
  return Math.exp(logCore) * Math.sqrt(n / (2 * Math.PI * k * (n - k)));
}
