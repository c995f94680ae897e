// Owns the interval: a lower and an upper end, in the unit of the estimate it belongs to.

export type Interval = readonly [lower: number, upper: number];

/** The interval cut to what is possible. */
export function clip(interval: Interval, lowest: number, highest: number): Interval {
  return [Math.min(Math.max(interval[0], lowest), highest), Math.max(Math.min(interval[1], highest), lowest)];
}
