// Owns the way from any name to an identifier, and identifiers that stay apart whatever else is named.

import { createHash } from "node:crypto";

// Letters that every compiler has known for long: which of the newer ones make an identifier depends on the compiler's age.
const NO_LETTER = /[^A-Za-z0-9$\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u024F\u0391-\u03A1\u03A3-\u03C9\u0400-\u0481\u05D0-\u05EA\u0620-\u064A\u0904-\u0939\u3041-\u3094\u30A1-\u30FA\u4E00-\u9FA5\uAC00-\uD7A3]+/;

/** The words of a name: what stands between the characters that are no letters and no digits. */
function words(name: string): readonly string[] {
  return name
    .normalize("NFC")
    .split(NO_LETTER)
    .filter((word) => word !== "");
}

/** `list_alarms`, `list-alarms` and `list alarms` are all `ListAlarms`; empty where no letter or digit is left. */
export function pascalCase(name: string): string {
  const joined = words(name)
    .map((word) => first(word).toUpperCase() + word.slice(first(word).length))
    .join("");
  return /^[0-9]/.test(joined) ? `_${joined}` : joined;
}

/** The same with a small first letter. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return first(pascal).toLowerCase() + pascal.slice(first(pascal).length);
}

function first(word: string): string {
  return word === "" ? "" : String.fromCodePoint(word.codePointAt(0) ?? 0);
}

/**
 * One identifier for each key, the one it wants where nobody else wants it and it is not reserved, and otherwise with a suffix made from the key
 * alone: the order of the keys changes nothing, and neither does a further key that wants something else.
 */
export function uniqueIdentifiers(wanted: ReadonlyMap<string, string>, reserved: ReadonlySet<string> = new Set()): ReadonlyMap<string, string> {
  const wishes = Map.groupBy(wanted.keys(), (key) => wanted.get(key) ?? "");
  const plain = new Set([...wishes].filter(([wish, keys]) => keys.length === 1 && !reserved.has(wish)).map(([wish]) => wish));
  const taken = new Set([...wishes.keys(), ...reserved]);
  const result = new Map<string, string>();
  for (const [key, wish] of [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (plain.has(wish)) {
      result.set(key, wish);
      continue;
    }
    const digest = createHash("sha256").update(key, "utf16le").digest("hex");
    const lengths = [6, 12, 24, 64];
    const free = lengths.map((length) => `${wish}_${digest.slice(0, length)}`).find((name) => !taken.has(name));
    const name = free ?? `${wish}_${digest}_`;
    taken.add(name);
    result.set(key, name);
  }
  return result;
}
