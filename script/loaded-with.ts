// Owns which modules of ours an entry loads at once: those that its imports lead to, lazy ones and types left out.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const IMPORT = /^(?:import|export)\s+(type\s+)?([^;"]*?)(?:\s*from\s*)?"(\.[^"]+)"/gm;

/** `{ type A, type B }` brings nothing at run time. */
const onlyTypes = (names: string): boolean => /^\{[^}]*\}$/.test(names) && names.slice(1, -1).split(",").every((name) => name.trim() === "" || /^type\s/.test(name.trim()));

/** The paths of the entries' modules and of all that they import, whole. */
export function loadedWith(...entries: readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = entries.map((entry) => resolve(entry));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const [, type, names = "", target = ""] of readFileSync(path, "utf8").matchAll(IMPORT)) {
      if (type === undefined && !onlyTypes(names)) open.push(resolve(dirname(path), target));
    }
  }
  return found;
}
