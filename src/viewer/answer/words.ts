// Owns cutting the texts of others to what a first look needs; what is left is read from the path that stands beside it.

import { canonicalJson } from "../../json/write-json.ts";
import type { Words } from "./form.ts";

/** Characters of an answer that come with the trial; of arguments and results of a call. */
export const ANSWER_INLINE = 16_384;
export const CALL_INLINE = 2_048;

export function words(text: string, inline: number, path: string): Words {
  if (text.length <= inline) return { text };
  return { text: text.slice(0, wholeEnd(text, inline)), of: text.length, path };
}

/** The end of a piece that does not tear a surrogate pair. */
export function wholeEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

/** A text as it is; any other value as JSON. */
export function asText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value;
  try {
    return canonicalJson(value);
  } catch {
    return "a value that JSON cannot hold";
  }
}
