// Owns the logarithm of the gamma function and the error of Stirling's formula, on which every exact probability here stands.

const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);
/** From here on five terms of Stirling's series are exact to the last bit of a double. */
const SERIES_FROM = 16;

/** The tail of Stirling's series: `1/(12x) - 1/(360x^3) + 1/(1260x^5) - 1/(1680x^7) + 1/(1188x^9)`. */
function series(x: number): number {
  const square = x * x;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / x;
}

/** `ln Γ(x)` for `x > 0`; absolute error about 1e-14, relative 1e-15 for large `x`. Stirling's series after `Γ(x + 1) = x Γ(x)`. */
export function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < SERIES_FROM) {
    product *= shifted;
    shifted += 1;
  }
  return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI + series(shifted) - Math.log(product);
}

/** `ln Γ(x + 1)` minus Stirling's `(x + ½) ln x - x + ½ ln 2π`, for `x > 0`, without the cancellation (Loader 2000). */
export function stirlingError(x: number): number {
  if (x >= SERIES_FROM) return series(x);
  return logGamma(x + 1) - (x + 0.5) * Math.log(x) + x - HALF_LOG_TWO_PI;
}

/** `ln B(a, b)`. */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}
