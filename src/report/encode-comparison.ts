// Owns the JSON of a comparison and of a matrix: the records with their names in snake_case.

import type { Comparison, Matrix } from "../core/comparison.ts";

export interface EncodeComparisonOptions {
  /** Applied to every text: secrets go before anything is written. */
  readonly mask?: ((text: string) => string) | undefined;
}

const SCHEMA_VERSION = 1;

/** The comparison as a plain value with snake_case names, `schema_version` first. None of its records has names that come from outside. */
export function comparisonToWire(comparison: Comparison | Matrix, { mask = (text) => text }: EncodeComparisonOptions = {}): unknown {
  return { schema_version: SCHEMA_VERSION, ...(wire(comparison, mask) as object) };
}

/** The same as JSON text that ends with a line break. */
export function encodeComparison(comparison: Comparison, options: EncodeComparisonOptions = {}): string {
  return `${JSON.stringify(comparisonToWire(comparison, options), null, 2)}\n`;
}

function wire(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value.toWellFormed());
  if (Array.isArray(value)) return value.map((item) => wire(item, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), wire(member, mask)]));
}
