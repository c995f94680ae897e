// Owns the text that says where a value differs from the plain value that was expected.

import { itemPath, memberPath } from "../core/json-path.ts";
import { canonicalJson, sameJson } from "../json/write-json.ts";

const MAX_NAMED = 5;
const MAX_TEXT = 200;

/** A value as JSON text, cut where it is long; never throws. */
export function jsonText(value: unknown): string {
  if (value === undefined) return "nothing";
  try {
    return cut(canonicalJson(value));
  } catch {
    return "a value that JSON cannot hold";
  }
}

/** The beginning of a text that is too long for a diagnostic, with the number of characters that were left out. */
export function cut(text: string, most: number = MAX_TEXT): string {
  if (text.length <= most) return text;
  // Never half a surrogate pair at the end.
  const end = /[\uD800-\uDBFF]/.test(text[most - 1] ?? "") ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** `expected {"a":1}, got {"a":"1"} (a: expected 1 (number), got "1" (string))`, for two values that are not equal. */
export function differences(expected: unknown, actual: unknown): string {
  const found: string[] = [];
  compare(expected, actual, "", found, 0);
  const head = `expected ${jsonText(expected)}, got ${jsonText(actual)}`;
  if (found.length === 0) return head;
  const named = found.slice(0, MAX_NAMED).join(", ");
  return `${head} (${named}${found.length > MAX_NAMED ? ", and more" : ""})`;
}

function compare(expected: unknown, actual: unknown, path: string, found: string[], depth: number): void {
  // One more than is named, so that the text can say that there are more.
  if (found.length > MAX_NAMED || depth > 100 || sameJson(expected, actual)) return;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let at = 0; at < Math.max(expected.length, actual.length); at++) {
      const place = itemPath(path, at);
      if (at >= expected.length) note(found, `${place}: not expected, got ${jsonText(actual[at])}`);
      else if (at >= actual.length) note(found, `${place}: missing, expected ${jsonText(expected[at])}`);
      else compare(expected[at], actual[at], place, found, depth + 1);
    }
    return;
  }
  if (isObject(expected) && isObject(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const place = memberPath(path, name);
      if (!has(expected, name)) note(found, has(actual, name) ? `${place}: not expected, got ${jsonText(actual[name])}` : undefined);
      else if (!has(actual, name)) note(found, `${place}: missing, expected ${jsonText(expected[name])}`);
      else compare(expected[name], actual[name], place, found, depth + 1);
    }
    return;
  }
  if (path === "" && kindOf(expected) === kindOf(actual)) return;
  const kinds = kindOf(expected) === kindOf(actual) ? ["", ""] : [` (${kindOf(expected)})`, ` (${kindOf(actual)})`];
  note(found, `${path === "" ? "" : `${path}: `}expected ${jsonText(expected)}${kinds[0]}, got ${jsonText(actual)}${kinds[1]}`);
}

function note(found: string[], text: string | undefined): void {
  if (text !== undefined && found.length <= MAX_NAMED) found.push(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function has(value: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
