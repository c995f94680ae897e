// Owns the JSON text of what is stored: what JSON cannot hold is made plain, and nothing that finished is lost for it.

import { wireTold } from "../core/wire-safe.ts";

/** JSON text of plain data, `null` for `undefined`. Never throws. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return told(value);
  }
}

/** The same for data that anybody made: what JSON would change in silence (NaN, a map, a date) is told instead. */
export function exactText(value: unknown): string {
  return isPlain(value, 0) ? jsonText(value) : told(value);
}

function told(value: unknown): string {
  return JSON.stringify(wireTold(value) ?? null);
}

/** Deeper than this it is not looked at, which is no loss: it is told what lies there. */
const DEEP = 500;

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > DEEP) return value === undefined;
  try {
    if (Array.isArray(value)) {
      for (const item of value as readonly unknown[]) if (item === undefined || !isPlain(item, depth + 1)) return false;
      return true;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in value) return false;
    for (const member of Object.values(value)) if (!isPlain(member, depth + 1)) return false;
    return true;
  } catch {
    return false;
  }
}
