// Owns Krippendorff's alpha.

import { EntailError } from "../core/error.ts";
import { requireList } from "./argument.ts";
import { sum } from "./mean.ts";

export type AlphaMetric = "nominal" | "ordinal" | "interval";
type Rating = string | number;

/**
 * Krippendorff's alpha: `1 - D_o / D_e`, the disagreement seen over that of chance. `units` holds a list for each case: the ratings it got, `null`
 * for none; cases with fewer than two count for nothing.
 *
 * For any number of raters with gaps. A difference is 1 (`nominal`, any ratings), the squared number of ranks between (`ordinal`) or the squared
 * distance (`interval`; both of numbers). Krippendorff 2011. `null` where no case has two ratings, or all ratings are one. Throws `value_invalid` for
 * a rating that does not fit the metric.
 */
export function krippendorffAlpha(units: readonly (readonly (Rating | null)[])[], metric: AlphaMetric = "nominal"): number | null {
  requireList("krippendorffAlpha", "units", units);
  const rated = units.map((unit, index) => ratingsOf(unit, index, metric)).filter((unit) => unit.length >= 2);
  const totals = new Map<Rating, number>();
  for (const rating of rated.flat()) totals.set(rating, (totals.get(rating) ?? 0) + 1);
  const n = sum([...totals.values()]);
  const values = [...totals.keys()];
  if (metric !== "nominal") values.sort((a, b) => Number(a) - Number(b));
  const places = new Map(values.map((value, place) => [value, place]));
  const counts = values.map((value) => totals.get(value) ?? 0);
  const distance = distanceOf(metric, values, counts);

  let seen = 0;
  for (const unit of rated) {
    let apart = 0;
    for (const a of unit) for (const b of unit) apart += distance(places.get(a) ?? 0, places.get(b) ?? 0);
    seen += apart / (unit.length - 1);
  }
  let chance = 0;
  for (const [a, countA] of counts.entries()) for (const [b, countB] of counts.entries()) chance += countA * countB * distance(a, b);
  return chance === 0 ? null : 1 - (seen * (n - 1)) / chance;
}

function ratingsOf(unit: readonly (Rating | null)[], index: number, metric: AlphaMetric): readonly Rating[] {
  requireList("krippendorffAlpha", `units[${index}]`, unit);
  const ratings: Rating[] = [];
  for (const rating of unit) {
    if (rating === null) continue;
    const fits = typeof rating === "number" ? Number.isFinite(rating) : metric === "nominal" && typeof rating === "string";
    if (!fits) throw new EntailError("value_invalid", `krippendorffAlpha: "units[${index}]" holds a rating that is no finite number${metric === "nominal" ? " or text" : ""}`);
    ratings.push(rating);
  }
  return ratings;
}

function distanceOf(metric: AlphaMetric, values: readonly Rating[], counts: readonly number[]): (a: number, b: number) => number {
  switch (metric) {
    case "nominal":
      return (a, b) => (a === b ? 0 : 1);
    case "interval":
      return (a, b) => (Number(values[a]) - Number(values[b])) ** 2;
    case "ordinal": {
      // Ratings up to and including each place, less half of its own: the distance of two mid ranks.
      let before = 0;
      const middles = counts.map((count) => {
        before += count;
        return before - count / 2;
      });
      return (a, b) => ((middles[a] as number) - (middles[b] as number)) ** 2;
    }
    default:
      throw new EntailError("value_invalid", `krippendorffAlpha: "metric" must be "nominal", "ordinal" or "interval", not ${JSON.stringify(metric satisfies never)}`);
  }
}
