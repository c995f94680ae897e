// Owns the seeded source of random numbers: the same seed gives the same numbers on every machine, and the generator has a name that a report can
// state.

import { requireCount } from "./argument.ts";

/** Blackman and Vigna (2018), seeded by splitmix32; 53 bits a number. */
export const GENERATOR = "xoshiro128**" as const;

export interface Random {
  readonly generator: typeof GENERATOR;
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
}

/** The generator itself, from a state of four 32-bit words that are not all zero. */
export function xoshiro128(state: readonly [number, number, number, number]): () => number {
  let [a, b, c, d] = state;
  return () => {
    const scaled = Math.imul(b, 5);
    const result = Math.imul((scaled << 7) | (scaled >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}

function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
}

/** `seed` is a whole number from 0; both its low and its high 32 bits count. Throws `value_invalid` for another. */
export function createRandom(seed: number): Random {
  requireCount("createRandom", "seed", seed);
  const low = splitmix32(seed % 0x1_0000_0000);
  const high = splitmix32(Math.floor(seed / 0x1_0000_0000));
  const draw = xoshiro128([low() ^ high(), low() ^ high(), low() ^ high(), (low() ^ high()) | 1]);
  const next = (): number => ((draw() >>> 5) * 0x400_0000 + (draw() >>> 6)) / 0x20_0000_0000_0000;
  return { generator: GENERATOR, next, below: (n) => Math.floor(next() * n) };
}
