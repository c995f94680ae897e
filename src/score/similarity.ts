// Owns how alike two texts are, from 0 to 1: by pairs of characters, by their best window, by edits, by their longest common row of words.

import { EntailError } from "../core/error.ts";
import { fold, graphemes, segmenter } from "./fold.ts";

/** Of a comparison character by character: a text of 10,000 against another of 10,000, about half a second. */
const MAX_CELLS = 100_000_000;

/**
 * Sørensen–Dice over pairs of neighbouring characters, all white space left out: twice the pairs in common over the pairs of both. Equal texts have 1;
 * otherwise a text of less than two characters has 0. As the package `string-similarity`, but by characters as a reader counts them.
 */
export function dice(left: string, right: string): number {
  const [a, b] = [graphemes(strip(left)), graphemes(strip(right))];
  return diceOf(a, b);
}

function strip(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, "");
}

function diceOf(a: readonly string[], b: readonly string[]): number {
  if (a.length === b.length && a.every((character, at) => character === b[at])) return 1;
  if (a.length < 2 || b.length < 2) return 0;
  const pairs = pairsOf(a);
  let common = 0;
  for (let at = 0; at + 1 < b.length; at++) {
    const pair = pairOf(b, at);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    common++;
  }
  return (2 * common) / (a.length + b.length - 2);
}

function pairOf(characters: readonly string[], at: number): string {
  return `${characters[at]}\u0000${characters[at + 1]}`;
}

function pairsOf(characters: readonly string[]): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < characters.length; at++) pairs.set(pairOf(characters, at), (pairs.get(pairOf(characters, at)) ?? 0) + 1);
  return pairs;
}

/**
 * The Dice value of `part` and that window of `text`, as long as `part`, which is most like it: how well `part` is found somewhere in a text of any
 * length. Where `text` is the shorter it is the plain Dice value. Linear in the length of both.
 */
export function bestWindow(part: string, text: string): number {
  const [wanted, all] = [graphemes(strip(part)), graphemes(strip(text))];
  if (wanted.length < 2 || all.length <= wanted.length) return wanted.length === 1 && all.includes(wanted[0] as string) ? 1 : diceOf(wanted, all);
  const open = pairsOf(wanted);
  let common = 0;
  let best = 0;
  const width = wanted.length - 1;
  for (let at = 0; at + 1 < all.length; at++) {
    const entering = pairOf(all, at);
    const left = open.get(entering);
    if (left !== undefined) {
      if (left > 0) common++;
      open.set(entering, left - 1);
    }
    if (at >= width) {
      const leaving = pairOf(all, at - width);
      const had = open.get(leaving);
      if (had !== undefined) {
        if (had >= 0) common--;
        open.set(leaving, had + 1);
      }
    }
    if (common > best) best = common;
  }
  return best / width;
}

function requireSize(a: number, b: number): void {
  if (a * b > MAX_CELLS) throw new EntailError("text_too_long", `texts of ${a} and ${b} characters are longer than can be compared character by character (the limit is ${MAX_CELLS} pairs)`, { stage: "score" });
}

/** Both without what they begin and end with alike. */
function trimmed(a: readonly string[], b: readonly string[]): readonly [readonly string[], readonly string[], number] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end), start + end];
}

/** Levenshtein's distance in characters as a reader counts them, after NFC: a family emoji is one. Throws `text_too_long` beyond 1e8 pairs. Memory is linear. */
export function editDistance(left: string, right: string): number {
  const [a, b] = trimmed(graphemes(left.normalize("NFC")), graphemes(right.normalize("NFC")));
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  if (short.length === 0) return long.length;
  requireSize(long.length, short.length);
  let previous = Uint32Array.from({ length: short.length + 1 }, (_, at) => at);
  let row = new Uint32Array(short.length + 1);
  for (let i = 1; i <= long.length; i++) {
    row[0] = i;
    for (let j = 1; j <= short.length; j++) {
      row[j] = Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, (previous[j - 1] as number) + (long[i - 1] === short[j - 1] ? 0 : 1));
    }
    [previous, row] = [row, previous];
  }
  return previous[short.length] as number;
}

/** 1 less the distance over the length of the longer; two empty texts have 1. */
export function levenshtein(left: string, right: string): number {
  const longest = Math.max(graphemes(left.normalize("NFC")).length, graphemes(right.normalize("NFC")).length);
  return longest === 0 ? 1 : 1 - editDistance(left, right) / longest;
}

/** The length of the longest common subsequence. Throws `text_too_long` beyond 1e8 pairs. */
export function commonLength(left: readonly string[], right: readonly string[]): number {
  const [a, b, same] = trimmed(left, right);
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  requireSize(long.length, short.length);
  let previous = new Uint32Array(short.length + 1);
  let row = new Uint32Array(short.length + 1);
  for (let i = 1; i <= long.length; i++) {
    for (let j = 1; j <= short.length; j++) {
      row[j] = long[i - 1] === short[j - 1] ? (previous[j - 1] as number) + 1 : Math.max(previous[j] as number, row[j - 1] as number);
    }
    [previous, row] = [row, previous];
  }
  return same + (previous[short.length] as number);
}

/** The words of a text, case folded; in scripts without spaces as the segmenter of Unicode finds them. */
export function words(text: string): readonly string[] {
  return Array.from(segmenter("word").segment(fold(text, true))).flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}

/** ROUGE-L: the F1 of the longest common row of words. Texts without any word have 1 where they are equal, else 0. */
export function rougeL(left: string, right: string): number {
  const [a, b] = [words(left), words(right)];
  if (a.length === 0 || b.length === 0) return fold(left, true) === fold(right, true) ? 1 : 0;
  return (2 * commonLength(a, b)) / (a.length + b.length);
}
