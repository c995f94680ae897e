// Owns the JSON form of what passes between an agent, its models and its tools: plain data as it is, dates and bytes by a mark, and
// whatever cannot come back as it was refused.

import { MASK } from "../core/secret.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const DATE = "$date";
const BYTES = "$bytes";
const MAX_DEPTH = 200;

/**
 * The JSON form of `value`. Members that are `undefined` are dropped, as are functions where `lenient`. Throws for what would not
 * come back as it was, and for what cannot be read: a number that is not finite, a bigint, a class's instance, a cycle, a stream.
 */
export function toJson(value: unknown, lenient = false): Json {
  return copy(value, lenient, 0, new Set()) ?? null;
}

function copy(value: unknown, lenient: boolean, depth: number, above: Set<object>): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`the number ${value}`);
    return value + 0;
  }
  if (value === undefined) return undefined;
  if (typeof value !== "object") {
    if (lenient && typeof value === "function") return undefined;
    throw new TypeError(`a ${typeof value}`);
  }
  if (value instanceof Date && Number.isFinite(value.getTime())) return { [DATE]: value.toISOString() };
  if (value instanceof Uint8Array) return { [BYTES]: toBase64(value) };
  if (value instanceof URL) return value.href;
  if (above.has(value)) throw new TypeError("a cycle");
  if (depth >= MAX_DEPTH) throw new TypeError("a value that lies too deep");
  above.add(value);
  try {
    if (Array.isArray(value)) return value.map((item) => copy(item, lenient, depth + 1, above) ?? null);
    const prototype: unknown = Object.getPrototypeOf(value);
    // Another realm's plain objects are plain: what their prototype inherits from is nothing.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      if (lenient) return undefined;
      throw new TypeError("an instance of a class");
    }
    const plain: Record<string, Json> = {};
    for (const name of Object.keys(value)) {
      const read = copy((value as Readonly<Record<string, unknown>>)[name], lenient, depth + 1, above);
      if (read !== undefined) define(plain, name, read);
    }
    return plain;
  } finally {
    above.delete(value);
  }
}

/** An assignment to `__proto__` would change the object instead. */
function define(plain: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(plain, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The value that `toJson` made the form of, dates and bytes included. A copy each time. */
export function fromJson(json: Json): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (isList(json)) return json.map(fromJson);
  const names = Object.keys(json);
  const { [DATE]: date, [BYTES]: bytes } = json;
  if (names.length === 1 && typeof date === "string") return new Date(date);
  if (names.length === 1 && typeof bytes === "string") return fromBase64(bytes);
  const value: Record<string, unknown> = {};
  for (const name of names) define(value, name, fromJson(json[name] ?? null));
  return value;
}

/** The same with members in the order of their names, so that equal values have one text. */
export function inOrder(json: Json): Json {
  if (typeof json !== "object" || json === null) return json;
  if (isList(json)) return json.map(inOrder);
  const ordered: Record<string, Json> = {};
  for (const name of Object.keys(json).sort()) define(ordered, name, inOrder(json[name] ?? null));
  return ordered;
}

/** The same with every text and every name masked. */
export function maskedJson(json: Json, mask: (text: string) => string): Json {
  if (typeof json === "string") return mask(json);
  if (typeof json !== "object" || json === null) return json;
  if (isList(json)) return json.map((item) => maskedJson(item, mask));
  const masked: Record<string, Json> = {};
  for (const name of Object.keys(json)) {
    let shown = mask(name);
    while (Object.hasOwn(masked, shown)) shown += "_";
    define(masked, shown, maskedJson(json[name] ?? null, mask));
  }
  return masked;
}

export function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

/** One text for equal values, where both are `inOrder`. */
export function jsonKey(json: Json): string {
  return JSON.stringify(json);
}

/**
 * True where `a` and `b` are the same but for what a mask hides in one of them: who has a secret in the environment sees it masked, who
 * has not does not have it in the text either.
 */
export function sameButMasks(a: string, b: string): boolean {
  return hides(a, b) || hides(b, a);
}

/** The same, value by value: what a mask hides lies within one text. */
export function sameJsonButMasks(a: Json, b: Json): boolean {
  if (typeof a === "string" && typeof b === "string") return sameButMasks(a, b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (isList(a) || isList(b)) return isList(a) && isList(b) && a.length === b.length && a.every((item, at) => sameJsonButMasks(item, b[at] ?? null));
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && sameJsonButMasks(a[name] ?? null, b[name] ?? null));
}

/** What `find` finds in every text. */
export function inTexts(json: Json, find: (text: string) => readonly string[]): readonly string[] {
  if (typeof json === "string") return find(json);
  if (typeof json !== "object" || json === null) return [];
  return (isList(json) ? json : Object.values(json)).flatMap((item) => inTexts(item, find));
}

function hides(masked: string, shown: string): boolean {
  if (!masked.includes(MASK)) return masked === shown;
  const [first = "", ...rest] = masked.split(MASK);
  if (!shown.startsWith(first)) return false;
  let at = first.length;
  for (const [index, piece] of rest.entries()) {
    const found = index === rest.length - 1 ? shown.length - piece.length : shown.indexOf(piece, at);
    // A secret is one word, or none where it is not set: whatever has a blank in it is other words.
    if (found < at || !shown.startsWith(piece, found) || /\s/.test(shown.slice(at, found))) return false;
    at = found + piece.length;
  }
  return true;
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
