// Owns the making of plain JSON data out of whatever a hook or an agent left behind.

import { messageOf } from "./error.ts";

/** Deeper than this nobody reads, and what writes the report walks the value again. */
const MAX_DEPTH = 100;
/** Nodes of one value; a report is no place for a dump of a heap. */
const MAX_NODES = 200_000;

/**
 * A copy of `value` that holds nothing but `null`, booleans, finite numbers, strings, lists and plain objects, and that shares nothing with it.
 * Never throws, whatever `value` is: a cycle is `"[circular]"`, a bigint its digits as text, NaN and the infinities are `null`, a date is its
 * ISO text, a map and a set are lists, a `toJSON` is honoured, an error is its name and message, and what cannot be read is
 * `"[unreadable: why]"`. Functions, symbols and `undefined` are dropped from objects and are `null` in lists, as `JSON.stringify` has it;
 * for the value itself the answer is then `undefined`. What lies too deep or is too much is `"[too deep]"` or `"[too much]"`.
 */
export function wireSafe(value: unknown): unknown {
  return copy(value, "", { above: new Set(), nodes: 0, told: false }, 0);
}

/** The same for what people read: NaN and the infinities are `"[NaN]"`, `"[Infinity]"` and `"[-Infinity]"`, so that none of them looks like a `null` that was there. */
export function wireTold(value: unknown): unknown {
  return copy(value, "", { above: new Set(), nodes: 0, told: true }, 0);
}

const BOXED = ["[object Number]", "[object String]", "[object Boolean]"];

interface Walk {
  /** The objects between the root and here: only these make a cycle. */
  readonly above: Set<object>;
  nodes: number;
  /** Whether a number that JSON does not have is told. */
  readonly told: boolean;
}

function copy(value: unknown, key: string, walk: Walk, depth: number): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  // -0 has no JSON text of its own.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : walk.told ? `[${value}]` : null;
  if (typeof value === "bigint") return value.toString();
  return typeof value === "object" ? copyObject(value, key, walk, depth) : undefined;
}

function copyObject(value: object, key: string, walk: Walk, depth: number): unknown {
  if (walk.above.has(value)) return "[circular]";
  if (depth >= MAX_DEPTH) return "[too deep]";
  if (walk.nodes++ >= MAX_NODES) return "[too much]";
  walk.above.add(value);
  try {
    return copyMembers(value, key, walk, depth);
  } catch (thrown) {
    return unreadable(thrown);
  } finally {
    walk.above.delete(value);
  }
}

function copyMembers(value: object, key: string, walk: Walk, depth: number): unknown {
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString() : null;
  if (Array.isArray(value)) return copyList(value, walk, depth);
  if (value instanceof Map) return copyList([...value], walk, depth);
  if (value instanceof Set) return copyList([...value], walk, depth);
  if (value instanceof RegExp) return String(value);
  if (ArrayBuffer.isView(value) && "length" in value) return copyList(Array.from(value as unknown as ArrayLike<unknown>), walk, depth);
  if (BOXED.includes(Object.prototype.toString.call(value))) return copy(value.valueOf(), key, walk, depth);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") {
    const json: unknown = toJSON.call(value, key);
    if (json !== value) return copy(json, key, walk, depth + 1);
  }
  const plain: Record<string, unknown> = {};
  if (value instanceof Error) {
    // Neither is an own enumerable member.
    set(plain, "name", value.name, walk, depth);
    set(plain, "message", value.message, walk, depth);
  }
  for (const member of Object.keys(value)) {
    let read: unknown;
    try {
      read = (value as Record<string, unknown>)[member];
    } catch (thrown) {
      read = unreadable(thrown);
    }
    set(plain, member, read, walk, depth);
  }
  return plain;
}

function copyList(items: readonly unknown[], walk: Walk, depth: number): unknown[] {
  const list: unknown[] = [];
  for (let at = 0; at < items.length; at++) {
    if (walk.nodes >= MAX_NODES) {
      list.push("[too much]");
      break;
    }
    walk.nodes++;
    let item: unknown;
    try {
      item = copy(items[at], String(at), walk, depth + 1);
    } catch (thrown) {
      item = unreadable(thrown);
    }
    list.push(item === undefined ? null : item);
  }
  return list;
}

function set(plain: Record<string, unknown>, member: string, read: unknown, walk: Walk, depth: number): void {
  const safe = copy(read, member, walk, depth + 1);
  if (safe === undefined) return;
  // An assignment to `__proto__` would change the object instead.
  if (member === "__proto__") Object.defineProperty(plain, member, { value: safe, enumerable: true, configurable: true, writable: true });
  else plain[member] = safe;
}

function unreadable(thrown: unknown): string {
  return `[unreadable: ${messageOf(thrown)}]`;
}
