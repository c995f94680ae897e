// Owns JSON made from JavaScript values: the canonical text of one, and whether two are the same JSON.

import { EntailError, messageOf } from "../core/error.ts";
import { atPath, itemPath, memberPath } from "../core/json-path.ts";

const MAX_DEPTH = 1000;

/**
 * The value's canonical JSON text: no white space, members in the order of their names' UTF-16 code units. As with `JSON.stringify`, members that
 * are `undefined` are left out, `undefined` in a list is `null` and `toJSON` is honoured. Throws `json_invalid`, and nothing else, for what JSON
 * cannot hold (NaN, an infinity, a bigint, a function, a symbol, a cycle) or what cannot be read; the message names its path.
 */
export function canonicalJson(value: unknown): string {
  const above = new Set<object>();

  const refuse = (path: string, what: string, cause?: unknown): never => {
    throw new EntailError("json_invalid", `not JSON: ${what} ${atPath(path)}`, cause === undefined ? {} : { cause });
  };
  /** Runs foreign code: a getter, a `toJSON`, a proxy's trap. */
  const reading = <Value>(path: string, read: () => Value): Value => {
    try {
      return read();
    } catch (thrown) {
      return refuse(path, `what stands there cannot be read (${messageOf(thrown)})`, thrown);
    }
  };

  /** `undefined` where nothing is to be written. */
  const write = (given: unknown, key: string, path: string): string | undefined => {
    const item = jsonOf(given, key, path);
    if (item === undefined) return undefined;
    if (item === null || typeof item === "string" || typeof item === "boolean") return JSON.stringify(item);
    if (typeof item === "number") return Number.isFinite(item) ? JSON.stringify(item) : refuse(path, `${item} is no JSON number`);
    return typeof item === "object" ? writeObject(item, path) : refuse(path, `a ${typeof item} stands`);
  };

  const jsonOf = (given: unknown, key: string, path: string): unknown => {
    return typeof given === "object" && given !== null ? reading(path, () => plain(given, key)) : given;
  };

  const writeObject = (item: object, path: string): string => {
    if (above.has(item)) return refuse(path, "the value refers back to itself");
    if (above.size >= MAX_DEPTH) return refuse(path, `there are more than ${MAX_DEPTH} objects and lists within one another`);
    above.add(item);
    const text = reading(path, () => Array.isArray(item)) ? writeList(item as readonly unknown[], path) : writeMembers(item, path);
    above.delete(item);
    return text;
  };

  const writeList = (list: readonly unknown[], path: string): string => {
    const length = reading(path, () => list.length);
    const parts: string[] = [];
    for (let at = 0; at < length; at++) {
      const place = itemPath(path, at);
      parts.push(write(reading(place, () => list[at]), String(at), place) ?? "null");
    }
    return `[${parts.join(",")}]`;
  };

  const writeMembers = (item: object, path: string): string => {
    const parts: string[] = [];
    for (const name of reading(path, () => Object.keys(item)).sort()) {
      const place = memberPath(path, name);
      const text = write(reading(place, () => (item as Record<string, unknown>)[name]), name, place);
      if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${parts.join(",")}}`;
  };

  return write(value, "", "") ?? refuse("", "undefined stands");
}

/**
 * True where both are the same JSON value: the order of members is free, 1 equals 1.0 and -0, `undefined` as a member is a missing member, and
 * missing and `null` differ. `toJSON` is honoured. What is no JSON value (NaN, a bigint, a function, a cycle, what cannot be read) equals
 * nothing, itself included. Throws nothing.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  try {
    return same(a, b, "", 0);
  } catch {
    return false;
  }
}

function same(first: unknown, second: unknown, key: string, depth: number): boolean {
  const a = plain(first, key);
  const b = plain(second, key);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    // NaN is the one value that `===` itself refuses.
    return a === b && (typeof a === "string" || typeof a === "boolean" || a === null || a === undefined || (typeof a === "number" && Number.isFinite(a)));
  }
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let at = 0; at < a.length; at++) if (!same(a[at], b[at], String(at), depth + 1)) return false;
    return true;
  }
  const names = Object.keys(a);
  let held = 0;
  for (const name of names) {
    const member = (a as Record<string, unknown>)[name];
    if (member === undefined) continue;
    held++;
    if (!Object.hasOwn(b, name) || !same(member, (b as Record<string, unknown>)[name], name, depth + 1)) return false;
  }
  return held === Object.keys(b).filter((name) => (b as Record<string, unknown>)[name] !== undefined).length;
}

const BOXED = ["[object Number]", "[object String]", "[object Boolean]"];

/** What stands for `value` in JSON: what its `toJSON` gives, and the number in a `Number`. */
function plain(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  const json: unknown = typeof toJSON === "function" ? toJSON.call(value, key) : value;
  return typeof json === "object" && json !== null && BOXED.includes(Object.prototype.toString.call(json)) ? json.valueOf() : json;
}
