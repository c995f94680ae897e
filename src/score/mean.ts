// Owns the mean of scores, summed so that equal scores give their own value.

/** Neumaier's compensated sum over the count; `undefined` for none. */
export function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return (sum + lost) / values.length;
}

/** A plain floating sum over the count, as Mastra has it; for `compat: "mastra"` alone. */
export function plainMeanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
