// Owns how texts are made alike before they are compared, and how a text is shown in a reason so that nothing of it stays invisible.

/**
 * What a font shows nothing for: direction marks, soft hyphens, zero-width spaces and their like, variation selectors, tags. The tags of a flag
 * are its name, so they stay, as do joiners: scripts and signs are written with them.
 */
const INVISIBLE = /(\u{1f3f4}[\u{e0030}-\u{e007a}]+\u{e007f})|[\p{Default_Ignorable_Code_Point}--[\u200c\u200d]]/gv;
/** Between letters that never join nor part, beside blanks and signs, and at an end, a joiner shows nothing either. */
const IDLE_JOINER = /(?<![^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}\p{P}\s])[\u200c\u200d]+(?![^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}\p{P}\s\u200c\u200d])/gu;
/** No-break, thin and other spaces of one line. */
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const PLAIN = /^[\n\x20-\x7e]*$/;
const LINE_ENDS = /\r\n?|\u2028|\u2029|\u0085/g;

/**
 * NFC; every kind of space as a space, every line end as `\n`, what nobody sees left out. Nothing is trimmed.
 * With `ignoreCase` also full case folding, the same in every locale: ß is ss, ς is σ, and the dotted and the dotless i of Turkish are both i.
 */
export function fold(text: string, ignoreCase: boolean): string {
  const plain = PLAIN.test(text) ? text : text.replace(LINE_ENDS, "\n").replace(SPACES, " ").replace(INVISIBLE, "$1").replace(IDLE_JOINER, "").normalize("NFC");
  return ignoreCase ? foldCase(plain) : plain;
}

function foldCase(text: string): string {
  // Lower, upper, lower: what has two lower forms (ß and ẞ, ς and σ) then has one. The dot that İ leaves behind goes.
  const folded = text.toLowerCase().toUpperCase().toLowerCase().replace(/i\u0307/g, "i").replace(/ς/g, "σ");
  return folded.normalize("NFC");
}

const LONGEST_SHOWN = 80;
/** Marks, format and control characters, lone surrogates, and every space but the plain one. */
const NOT_PLAIN = /\p{M}|\p{C}|(?! )\p{Z}/gu;

/** In quotes, on one line, at most about 80 characters, with escapes for all that cannot be seen. */
export function shown(text: string): string {
  // Cut first: a long text must not be taken apart as a whole.
  const characters = Array.from(text.slice(0, 2 * LONGEST_SHOWN + 2));
  const cut = characters.length > LONGEST_SHOWN ? `${characters.slice(0, LONGEST_SHOWN).join("")}…` : text;
  return JSON.stringify(cut).replace(NOT_PLAIN, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
}

const segmenters = new Map<"grapheme" | "word", Intl.Segmenter>();

/** Rules of the root locale, so that no machine's own decides. */
export function segmenter(granularity: "grapheme" | "word"): Intl.Segmenter {
  let known = segmenters.get(granularity);
  if (known === undefined) segmenters.set(granularity, (known = new Intl.Segmenter("und", { granularity })));
  return known;
}

/** The characters as a reader counts them: an accent belongs to its letter, a family is one sign. */
export function graphemes(text: string): readonly string[] {
  return PLAIN.test(text) ? Array.from(text) : Array.from(segmenter("grapheme").segment(text), ({ segment }) => segment);
}

/** The first place of `part` in `text` that cuts no character in two; -1 where there is none. With `word` it must also stand alone as words. */
export function find(text: string, part: string, word = false): number {
  let segments: Intl.Segments | undefined;
  const isBoundary = (at: number): boolean => {
    if (at === 0 || at === text.length) return true;
    if (text.charCodeAt(at - 1) < 0x80 && text.charCodeAt(at) < 0x80) return true;
    segments ??= segmenter("grapheme").segment(text);
    return segments.containing(at)?.index === at;
  };
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (isBoundary(at) && isBoundary(at + part.length) && (!word || standsAlone(text, at, at + part.length))) return at;
  }
  return -1;
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts that write no space between words: beside one of their letters a word is taken to end. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** `5` in `2.5` and in `5,000` is a piece of another number. */
const CUT_NUMBER = /\p{Nd}[.,]\0\p{Nd}$/u;
const CUT_NUMBER_END = /^\p{Nd}\0[.,]\p{Nd}/u;

function standsAlone(text: string, from: number, to: number): boolean {
  const part = Array.from(text.slice(from, to));
  const joins = (a: string | undefined, b: string | undefined): boolean => a !== undefined && b !== undefined && WORD.test(a) && WORD.test(b) && !UNSPACED.test(a) && !UNSPACED.test(b);
  const before = Array.from(text.slice(Math.max(0, from - 2), from)).at(-1);
  const after = String.fromCodePoint(text.codePointAt(to) ?? 0x20);
  return !joins(before, part[0]) && !joins(part.at(-1), to >= text.length ? undefined : after) && !CUT_NUMBER.test(`${text.slice(Math.max(0, from - 2), from)}\0${part[0] ?? ""}`) && !CUT_NUMBER_END.test(`${part.at(-1) ?? ""}\0${text.slice(to, to + 2)}`);
}
