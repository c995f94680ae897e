// Owns what every function of this folder refuses as misuse, in one wording. A result that statistics leave undefined is never an error: it is
// `null`.

import { EntailError } from "../core/error.ts";

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}

/** Throws `value_invalid`: `owner: "name" must be <rule>, not <value>`. */
export function refuse(owner: string, name: string, rule: string, value: unknown): never {
  throw new EntailError("value_invalid", `${owner}: "${name}" must be ${rule}, not ${shown(value)}`);
}

/** A whole number from 0. */
export function requireCount(owner: string, name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) refuse(owner, name, "a whole number of at least 0", value);
}

/** A whole number from 1. */
export function requirePositiveCount(owner: string, name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) refuse(owner, name, "a whole number of at least 1", value);
}

/** Whether `0 <= k <= n`, both whole: for long lists, whose places are named only where one is at fault. */
export function isCountOf(k: number, n: number): boolean {
  return Number.isSafeInteger(n) && Number.isSafeInteger(k) && k >= 0 && k <= n;
}

/** A count out of another: `0 <= k <= n`, both whole. */
export function requireCountOf(owner: string, kName: string, k: number, nName: string, n: number): void {
  requireCount(owner, nName, n);
  requireCount(owner, kName, k);
  if (k > n) refuse(owner, kName, `at most "${nName}" (${n})`, k);
}

export function requireFinite(owner: string, name: string, value: number): void {
  if (typeof value !== "number" || !Number.isFinite(value)) refuse(owner, name, "a finite number", value);
}

/** From 0 to 1, both ends included. */
export function requireShare(owner: string, name: string, value: number): void {
  if (typeof value !== "number" || !(value >= 0 && value <= 1)) refuse(owner, name, "from 0 to 1", value);
}

/** Between 0 and 1, both ends excluded. */
export function requireInside(owner: string, name: string, value: number): void {
  if (typeof value !== "number" || !(value > 0 && value < 1)) refuse(owner, name, "between 0 and 1", value);
}

export function requireAbove(owner: string, name: string, value: number, bound: number): void {
  if (typeof value !== "number" || !Number.isFinite(value) || value <= bound) refuse(owner, name, `a finite number above ${bound}`, value);
}

export function requireAtLeast(owner: string, name: string, value: number, bound: number): void {
  if (typeof value !== "number" || !Number.isFinite(value) || value < bound) refuse(owner, name, `a finite number of at least ${bound}`, value);
}

/** The confidence of an interval. Below 0.5 it is most likely an error rate by mistake. */
export function requireLevel(owner: string, level: number): void {
  if (typeof level !== "number" || !(level >= 0.5 && level < 1)) refuse(owner, "level", "the confidence, from 0.5 to below 1 (such as 0.95)", level);
}

export function requireList(owner: string, name: string, list: unknown): asserts list is readonly unknown[] {
  if (!Array.isArray(list)) refuse(owner, name, "a list", list);
}

/** A list of finite numbers. */
export function requireNumbers(owner: string, name: string, values: readonly number[]): void {
  requireList(owner, name, values);
  for (let index = 0; index < values.length; index += 1) requireFinite(owner, `${name}[${index}]`, values[index] as number);
}

/** A list of numbers from 0 to 1. */
export function requireShares(owner: string, name: string, values: readonly number[]): void {
  requireList(owner, name, values);
  for (let index = 0; index < values.length; index += 1) requireShare(owner, `${name}[${index}]`, values[index] as number);
}

export function requireSameLength(owner: string, aName: string, a: readonly unknown[], bName: string, b: readonly unknown[]): void {
  requireList(owner, aName, a);
  requireList(owner, bName, b);
  if (a.length !== b.length) throw new EntailError("value_invalid", `${owner}: "${aName}" has ${a.length} entries and "${bName}" has ${b.length}; they must have equally many`);
}

/** A square table of counts, not empty. */
export function requireSquareTable(owner: string, table: readonly (readonly number[])[]): void {
  requireList(owner, "table", table);
  if (table.length === 0) refuse(owner, "table", "a square table with at least one row", table);
  for (const [row, counts] of table.entries()) {
    requireList(owner, `table[${row}]`, counts);
    if (counts.length !== table.length) throw new EntailError("value_invalid", `${owner}: "table" must be square, but row ${row} has ${counts.length} entries where there are ${table.length} rows`);
    for (const [column, count] of counts.entries()) requireCount(owner, `table[${row}][${column}]`, count);
  }
}
