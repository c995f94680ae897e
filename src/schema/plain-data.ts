// Owns the copy of a value as plain JSON data, and what of it is none.

import { messageOf } from "../core/error.ts";
import { itemPath, memberPath } from "../core/json-path.ts";
import { withMembers } from "./keyword.ts";
import type { SchemaFault } from "./schema-fault.ts";

/** Objects and lists within one another, at most; the engine needs several large calls for each, and the stack must hold them. */
const MAX_DEPTH = 100;

/** Stands where a member is to be left out. */
const ABSENT = Symbol("absent");

/**
 * A copy of `value` that shares nothing with it; a member that is `undefined` is absent. What is no plain data (a date, an instance of a class, NaN,
 * a function, a cycle, what cannot be read) is a fault and `null` in the copy. `undefined` itself stays so.
 */
export function plainData(value: unknown): { readonly value: unknown; readonly faults: readonly SchemaFault[] } {
  const faults: SchemaFault[] = [];
  const above = new Set<object>();

  const refuse = (path: string, message: string): null => {
    faults.push({ path, message });
    return null;
  };

  const copy = (item: unknown, path: string): unknown => {
    if (item === undefined) return ABSENT;
    if (item === null || typeof item === "string" || typeof item === "boolean") return item;
    if (typeof item === "number") return Number.isFinite(item) ? item : refuse(path, `must be a finite number, not ${item}`);
    if (typeof item !== "object") return refuse(path, `must be plain data, not a ${typeof item}`);
    if (above.has(item)) return refuse(path, "refers back to itself");
    if (above.size >= MAX_DEPTH) return refuse(path, `is nested more than ${MAX_DEPTH} levels deep`);
    above.add(item);
    try {
      return copyObject(item, path);
    } catch (thrown) {
      return refuse(path, `cannot be read (${messageOf(thrown)})`);
    } finally {
      above.delete(item);
    }
  };

  const copyObject = (item: object, path: string): unknown => {
    if (Array.isArray(item)) {
      return Array.from({ length: item.length }, (_, at) => {
        const place = itemPath(path, at);
        const read = copy(readMember(item, at, place), place);
        return read === ABSENT ? refuse(place, "is missing") : read;
      });
    }
    if (!isPlain(item)) return refuse(path, `must be plain data, not ${nameOfClass(item)}`);
    const members: [string, unknown][] = [];
    for (const name of Object.keys(item)) {
      const place = memberPath(path, name);
      if (!name.isWellFormed()) {
        refuse(place, "has a name that holds half a surrogate pair");
        continue;
      }
      const read = copy(readMember(item, name, place), place);
      if (read !== ABSENT) members.push([name, read]);
    }
    return withMembers(members);
  };

  const readMember = (item: object, name: string | number, place: string): unknown => {
    try {
      return (item as Record<string | number, unknown>)[name];
    } catch (thrown) {
      return refuse(place, `cannot be read (${messageOf(thrown)})`);
    }
  };

  const copied = copy(value, "");
  return { value: copied === ABSENT ? undefined : copied, faults };
}

/** True for `{…}` of any realm and for an object without a prototype. */
function isPlain(item: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === null || (typeof prototype === "object" && Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty"));
}

function nameOfClass(item: object): string {
  const { constructor } = item;
  const name = typeof constructor === "function" && constructor.name !== "" ? constructor.name : "an instance of a class";
  return /^[A-Z]/.test(name) ? `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}` : name;
}
