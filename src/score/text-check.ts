// Owns the checks of what the assistant said: that a text is in it, is not in it, is all of it, or that it is a number.

import type { ScorerRun, ScorerRunOptions } from "../core/scorer.ts";
import { find, fold, shown } from "./fold.ts";
import { type CheckScope, requireWhole, type Said, type SaidText, saidIn } from "./observed.ts";
import { type CheckOptions, type Finding, quickCheck, type QuickCheck } from "./quick-check.ts";
import { scorerInvalid } from "./scorer-error.ts";

export interface TextOptions extends CheckOptions {
  /** True when absent. */
  readonly ignoreCase?: boolean | undefined;
  /** `all` when absent: everything the assistant said. `final`: of each turn what it said last. */
  readonly scope?: CheckScope | undefined;
}

export interface IncludesOptions extends TextOptions {
  /** The text must stand alone, not within a longer word. Beside a script without spaces between words (Chinese, Japanese, Thai) a word ends. */
  readonly word?: boolean | undefined;
}

export const NOTHING_SAID = "the assistant said nothing";

/** Blanks, line ends and what nobody sees are nothing either. */
export function saidNothing(texts: readonly SaidText[]): boolean {
  return texts.every(({ text }) => fold(text, false).trim() === "");
}

/** What was said, as one text. Between two texts with something else between them stands `separator`. */
export function wholeText(texts: readonly SaidText[], separator: string): string {
  return texts.map(({ text }) => text).join(separator);
}

/** `, message 3`, or `, turn 2, message 3`; nothing where the output was a text itself. */
export function placeOf({ turn, message }: { readonly turn?: number; readonly message: number }): string {
  return message === 0 ? "" : `${turn === undefined ? "" : `turn ${turn}, `}message ${message}`;
}

function requireText(kind: string, text: unknown): asserts text is string {
  if (typeof text !== "string") throw scorerInvalid(`checks.${kind} needs a text, not ${text === null ? "null" : `a value of the type ${typeof text}`}`);
  if (fold(text, false) === "") throw scorerInvalid(`checks.${kind} needs a text that is not empty: an empty one is in every text, so the check would show nothing`);
}

function search(expected: string, { ignoreCase = true, word = false, scope = "all" }: IncludesOptions, run: ScorerRun, options: ScorerRunOptions): { readonly said: Said; readonly found: SaidText | undefined; readonly across: boolean } {
  const said = saidIn(run, scope, options);
  const part = fold(expected, ignoreCase);
  const found = said.texts.find(({ text }) => find(fold(text, ignoreCase), part, word) !== -1);
  const across = found === undefined && find(fold(wholeText(said.texts, " "), ignoreCase), part, word) !== -1;
  return { said, found, across };
}

function detailOf(expected: string, { ignoreCase = true, word = false, scope = "all" }: IncludesOptions): string {
  return [ignoreCase ? fold(expected, true) : expected, ...(word ? ["word"] : []), ...(scope === "final" ? ["final"] : [])].join("|");
}

/** Why a text was not found: the text that was there, and what almost was. */
function missReason(expected: string, texts: readonly SaidText[], ignoreCase: boolean, word: boolean): string {
  const whole = wholeText(texts, " ");
  const almost = !ignoreCase && find(fold(whole, true), fold(expected, true), word) !== -1 ? " (it is there in another case)" : word && find(fold(whole, ignoreCase), fold(expected, ignoreCase)) !== -1 ? " (it is there within a longer word)" : "";
  return `expected ${shown(expected)}, found ${shown(whole)}${almost}`;
}

/** Passes where the assistant said the text. */
export function includes(expected: string, options: IncludesOptions = {}): QuickCheck {
  requireText("includes", expected);
  const { ignoreCase = true, word = false } = options;
  return quickCheck(
    {
      base: "check-includes",
      detail: detailOf(expected, options),
      description: `The assistant says ${shown(expected)}.`,
      find(run, runOptions) {
        const { said, found, across } = search(expected, options, run, runOptions);
        const evidence = { output: wholeText(said.texts, " "), target: expected, found: found !== undefined || across };
        if (found !== undefined) return { score: 1, reason: `found ${shown(expected)}${at(found)}`, evidence };
        if (across) return { score: 1, reason: `found ${shown(expected)} across two texts`, evidence };
        requireWhole({ unread: said.unread, what: `the absence of ${shown(expected)}` }, run.evidence);
        return saidNothing(said.texts) ? nothing(`expected ${shown(expected)}, and ${NOTHING_SAID}`, evidence) : { score: 0, reason: missReason(expected, said.texts, ignoreCase, word), evidence };
      },
    },
    options,
  );
}

/** Passes where the assistant said something, and nowhere the text. */
export function excludes(unwanted: string, options: IncludesOptions = {}): QuickCheck {
  requireText("excludes", unwanted);
  return quickCheck(
    {
      base: "check-excludes",
      detail: detailOf(unwanted, options),
      description: `The assistant does not say ${shown(unwanted)}.`,
      find(run, runOptions) {
        const { said, found, across } = search(unwanted, options, run, runOptions);
        const evidence = { output: wholeText(said.texts, " "), target: unwanted, excluded: found === undefined && !across };
        if (found !== undefined) return { score: 0, reason: `expected no ${shown(unwanted)}, found it${at(found)}: ${shown(around(found.text, unwanted, options.ignoreCase ?? true))}`, evidence };
        if (across) return { score: 0, reason: `expected no ${shown(unwanted)}, found it across two texts`, evidence };
        requireWhole({ unread: said.unread, what: `the absence of ${shown(unwanted)}` }, run.evidence);
        return saidNothing(said.texts) ? nothing(`${NOTHING_SAID}, so nothing was shown`, evidence) : { score: 1, reason: `${shown(unwanted)} is nowhere in ${said.texts.length === 1 ? "the text" : `${said.texts.length} texts`}`, evidence };
      },
    },
    options,
  );
}

function at(place: SaidText): string {
  return place.message === 0 ? "" : ` in ${placeOf(place)}`;
}

export function nothing(reason: string, evidence?: Finding["evidence"]): Finding {
  return { score: 0, reason, evidence, nothing: true };
}

function around(text: string, part: string, ignoreCase: boolean): string {
  const place = find(fold(text, false), fold(part, false));
  const from = place === -1 ? 0 : Math.max(0, place - 20);
  return ignoreCase && place === -1 ? text : fold(text, false).slice(from, from + 70);
}

/** Passes where what the assistant said is the text, wholly. Line ends are all alike; a blank or a line break too many is a difference. */
export function equals(expected: string, options: TextOptions = {}): QuickCheck {
  requireText("equals", expected);
  const { ignoreCase = true, scope = "all" } = options;
  return quickCheck({ base: "check-equals", detail: detailOf(expected, options), description: `The assistant says exactly ${shown(expected)}.`, find: (run, runOptions) => equality([expected], ignoreCase, scope, run, runOptions) }, options);
}

/** Passes where what the assistant said is one of the texts, wholly. */
export function oneOf(expected: readonly string[], options: TextOptions = {}): QuickCheck {
  if (!Array.isArray(expected) || expected.length === 0) throw scorerInvalid("checks.oneOf needs a list of at least one text");
  for (const text of expected) requireText("oneOf", text);
  const { ignoreCase = true, scope = "all" } = options;
  return quickCheck(
    { base: "check-one-of", detail: expected.map((text) => detailOf(text, options)).join(","), description: `The assistant says exactly one of ${expected.map(shown).join(", ")}.`, find: (run, runOptions) => equality(expected, ignoreCase, scope, run, runOptions) },
    options,
  );
}

function equality(expected: readonly string[], ignoreCase: boolean, scope: CheckScope, run: ScorerRun, options: ScorerRunOptions): Finding {
  const said = saidIn(run, scope, options);
  requireWhole({ unread: said.unread, what: "all that the assistant said" }, run.evidence);
  const whole = wholeText(said.texts, "");
  const folded = fold(whole, ignoreCase);
  const match = expected.find((text) => fold(text, ignoreCase) === folded);
  const evidence = { output: whole, target: expected.length === 1 ? expected[0] : expected, isEqual: match !== undefined };
  if (match !== undefined && said.texts.length > 0) return { score: 1, reason: `the text is ${shown(match)}`, evidence };
  if (saidNothing(said.texts)) return nothing(`expected ${expected.map(shown).join(" or ")}, and ${NOTHING_SAID}`, evidence);
  return { score: 0, reason: `expected ${expected.map(shown).join(" or ")}, found ${shown(whole)}${expected.length === 1 ? almostEqual(expected[0] as string, whole, ignoreCase) : ""}`, evidence };
}

/** The difference where it is one that the eye passes over. */
function almostEqual(expected: string, found: string, ignoreCase: boolean): string {
  const [a, b] = [fold(expected, ignoreCase), fold(found, ignoreCase)];
  if (fold(expected, true) === fold(found, true)) return " (they differ in case alone)";
  if (a.trimEnd() === b.trimEnd()) return ` (they differ in the white space at the end: ${shown(a.slice(a.trimEnd().length))} and ${shown(b.slice(b.trimEnd().length))})`;
  if (a.trim() === b.trim()) return " (they differ in the white space around them)";
  if (a.replace(/\s+/gu, " ") === b.replace(/\s+/gu, " ")) return " (they differ in line ends and white space alone)";
  return "";
}

const NUMBER = /(?<![\p{L}\p{N}_.,-])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\p{N}_]|[-.,]\p{N}|\p{L})/gu;
/** A word with digits in it, `H2O`, `GPT-4`, `5th`, is a name and no number. */
const WORD = /[\p{L}_][\p{L}\p{N}_]*(?:[-.][\p{L}\p{N}_]+)*|\p{Nd}+[\p{L}_][\p{L}\p{N}_]*/gu;

/** Digits that are neither of the numbers nor of a word: `1,000`, a date, `½`. What number they mean is not sure, so none is the only one beside them. */
function unreadDigits(text: string): string | undefined {
  return text.replace(NUMBER, " ").replace(WORD, " ").match(/\S*\p{N}\S*/u)?.[0];
}

/** Digit for digit where JavaScript would round. */
function isSame(text: string, expected: number, tolerance: number): boolean {
  const value = Number(text);
  if (tolerance === 0 && /^[-+]?\d+$/.test(text) && !Number.isSafeInteger(value)) return Number.isInteger(expected) && BigInt(text.replace("+", "")) === BigInt(expected);
  return Math.abs(value - expected) <= tolerance;
}

/** Passes where the one number that the assistant said is this number: digits with a decimal point, or with an exponent; a unit may follow after a blank. */
export function numberEquals(expected: number, options: CheckOptions & { readonly tolerance?: number | undefined; readonly scope?: CheckScope | undefined } = {}): QuickCheck {
  if (!Number.isFinite(expected)) throw scorerInvalid("checks.numberEquals needs a finite number");
  const { tolerance = 0, scope = "all" } = options;
  if (typeof tolerance !== "number" || !(tolerance >= 0)) throw scorerInvalid(`checks.numberEquals: tolerance must be a number, 0 or more, not ${String(tolerance)}`);
  return quickCheck(
    {
      base: "check-number-equals",
      detail: String(expected),
      description: `The assistant's number is ${expected}.`,
      find(run, runOptions) {
        const said = saidIn(run, scope, runOptions);
        requireWhole({ unread: said.unread, what: "all that the assistant said" }, run.evidence);
        const whole = fold(wholeText(said.texts, " "), false);
        const found = Array.from(whole.matchAll(NUMBER), ([text]) => text);
        const numbers = found.map(Number);
        const evidence = { output: whole, target: expected, numbers };
        if (saidNothing(said.texts)) return nothing(`expected ${expected}, and ${NOTHING_SAID}`, evidence);
        if (numbers.length !== 1) return { score: 0, reason: `expected the one number ${expected}, found ${numbers.length === 0 ? "none" : `${numbers.length} (${numbers.slice(0, 5).join(", ")})`} in ${shown(whole)}`, evidence };
        const unread = unreadDigits(whole);
        if (unread !== undefined) return { score: 0, reason: `expected the one number ${expected}, found ${numbers[0]} and beside it ${shown(unread)}, which is not one number for sure`, evidence };
        const same = isSame(found[0] as string, expected, tolerance);
        return { score: same ? 1 : 0, reason: same ? `the number is ${found[0]}` : `expected ${expected} (number), found ${found[0]} (number)`, evidence };
      },
    },
    options,
  );
}
