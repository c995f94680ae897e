// Owns the counted share: how many of how many.

import { requireCountOf } from "./argument.ts";

export interface Counted {
  readonly count: number;
  readonly of: number;
}

/** Throws `value_invalid` unless `0 <= count <= of`, both whole. */
export function requireCounted(owner: string, name: string, counted: Counted): void {
  requireCountOf(owner, `${name}.count`, counted.count, `${name}.of`, counted.of);
}
