// The world of the example: what the weather service knows.

export interface Forecast {
  readonly city: string;
  readonly day: "today" | "tomorrow";
  readonly sky: string;
  readonly celsius: number;
}

const FORECASTS: readonly Forecast[] = [
  { city: "Brooklyn", day: "today", sky: "light rain", celsius: 14 },
  { city: "Brooklyn", day: "tomorrow", sky: "sunny", celsius: 19 },
  { city: "Lisbon", day: "today", sky: "clear", celsius: 22 },
  { city: "Lisbon", day: "tomorrow", sky: "windy", celsius: 20 },
];

export const CITIES: readonly string[] = [...new Set(FORECASTS.map(({ city }) => city))];

/** Throws for a city that the service does not know. */
export function forecast(city: string, day: Forecast["day"] = "today"): Forecast {
  const found = FORECASTS.find((each) => each.city === city && each.day === day);
  if (found === undefined) throw new Error(`there is no forecast for ${city}`);
  return found;
}
