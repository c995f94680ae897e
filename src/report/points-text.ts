// Owns the change of a share as people read it: points that never round to no change.

/** `16.2` for a share of 0.162, whatever its sign; `less than 0.1` for what would read as none. */
export function pointsText(share: number): string {
  const points = Math.abs(share) * 100;
  if (points < 1e-9) return "0";
  return points < 0.05 ? "less than 0.1" : (Math.round(points * 10) / 10).toFixed(1);
}

/** `-16.2`, `+3.1`, `0`. */
export function signedPoints(share: number): string {
  const points = Math.abs(share) * 100;
  if (points < 1e-9) return "0";
  const sign = share < 0 ? "-" : "+";
  return points < 0.05 ? `${sign}${Number(points.toPrecision(1))}` : `${sign}${(Math.round(points * 10) / 10).toFixed(1)}`;
}
