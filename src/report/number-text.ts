// Owns numbers as people read them: counts, rates that never round to all or nothing, tokens.

import { wilson } from "../stats/wilson.ts";

/** `1,204`. Written out, since the first use of the system's own number formats costs 16 ms. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 scenario`, `2 scenarios`, `1,204 scenarios`. */
export function counted(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `k` of `n` in percent: 100% and 0% only where it is all and nothing. */
export function percent(k: number, n: number): string {
  if (k === 0 || k === n) return k === 0 ? "0%" : "100%";
  return `${Math.min(99.9, Math.max(0.1, Math.round((1000 * k) / n) / 10))}%`;
}

/** `84.6% (95% interval 57.8% to 95.7%)`; nothing for so few that the counts alone are honest. */
export function rate(k: number, n: number): string {
  const interval = n < 10 ? null : wilson(k, n);
  if (interval === null) return "";
  const end = (share: number): string => percent(share, 1);
  return `${percent(k, n)} (95% interval ${end(interval[0])} to ${end(interval[1])})`;
}

/** Whether a measured score reads like its threshold although it misses it: two digits, and as many more as it takes to tell them apart. */
export function apart(score: number, threshold: number): readonly [string, string] {
  for (let digits = 2; digits < 12; digits++) {
    const texts = [score.toFixed(digits), threshold.toFixed(digits)] as const;
    if (texts[0] !== texts[1]) return texts;
  }
  return [String(score), String(threshold)];
}
