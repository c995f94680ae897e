// Owns ranks: places in the order of size, equal values sharing the mean of theirs.

/** Two sizes nearer than this share of the largest are equal: `1 - 0.8` and `0.2` must tie. */
export const TIE_TOLERANCE = 1e-12;

export interface Ranked {
  /** Of each value, from 1. */
  readonly ranks: readonly number[];
  /** How many values share each rank. */
  readonly ties: readonly number[];
}

export function rank(values: readonly number[]): Ranked {
  const tolerance = TIE_TOLERANCE * values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const order = values.map((_, index) => index).sort((a, b) => (values[a] as number) - (values[b] as number));
  const ranks = Array.from<number>({ length: values.length }).fill(0);
  const ties: number[] = [];
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && (values[order[end] as number] as number) - (values[order[end - 1] as number] as number) <= tolerance) end += 1;
    for (let place = start; place < end; place += 1) ranks[order[place] as number] = (start + 1 + end) / 2;
    ties.push(end - start);
    start = end;
  }
  return { ranks, ties };
}
