// Owns which characters cannot be seen, or turn the order of reading: a text that holds them may say another thing than it shows.

/** Controls but tab and line break, joiners and fillers, marks and overrides of direction, tags, selectors that carry bytes, halves of a pair. */
const RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe01ef],
];

const JOINER = 0x200d;
const EMOJI_SELECTOR = 0xfe0f;
const PICTURE = /^[\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}#*0-9]$/u;

export type Piece = string | { readonly code: string };

/** Nothing below this is in a range but controls, which a first look finds. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

const isUnseen = (code: number): boolean => RANGES.some(([from, to]) => code >= from && code <= to);

/** `U+202E` for each character that would not be seen. What belongs to an emoji stays with it. */
export function piecesOf(text: string): readonly Piece[] {
  if (PLAIN.test(text)) return [text];
  const pieces: Piece[] = [];
  let from = 0;
  let before = "";
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const character = String.fromCodePoint(code);
    const ofEmoji = (code === JOINER || code === EMOJI_SELECTOR) && PICTURE.test(before);
    if (isUnseen(code) && !ofEmoji) {
      if (at > from) pieces.push(text.slice(from, at));
      pieces.push({ code: `U+${code.toString(16).toUpperCase().padStart(4, "0")}` });
      from = at + character.length;
    }
    // A selector does not end the emoji that it belongs to.
    if (!(ofEmoji && code === EMOJI_SELECTOR)) before = character;
    at += character.length;
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from));
  return pieces;
}
