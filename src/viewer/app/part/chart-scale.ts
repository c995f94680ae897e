// Owns the scales of charts that are as wide as there is room: x in percent of the width, y in pixels.

/** Few round numbers that cover `from` to `to`. */
export function ticksOf(from: number, to: number, most = 5): readonly number[] {
  if (!(to > from)) return [from];
  const raw = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw - 1e-12) ?? raw;
  const first = Math.floor(from / step + 1e-9) * step;
  const ticks: number[] = [];
  for (let at = 0; first + at * step < to + step - 1e-9; at += 1) ticks.push(Number((first + at * step).toPrecision(12)));
  return ticks;
}

/** Percent of the width for the `at`th of `n` points. */
export const xOf = (at: number, n: number): number => (n <= 1 ? 50 : Number(((100 * at) / (n - 1)).toFixed(3)));

/** About so many of `n` places that carry a name, the first among them. */
export const named = (n: number, most: number): readonly number[] => {
  const step = Math.max(1, Math.ceil(n / most));
  return Array.from({ length: Math.ceil(n / step) }, (_, at) => at * step);
};
