// Owns the writing of texts of others into GitHub's Markdown: they stay text, wherever they stand.

import { visible, visibleLine } from "./visible.ts";

/** What could begin or end something: code, emphasis, links, images, elements, cells, formulas, references, signs by name, bare addresses. */
const SPECIAL = /[\\`*_[\]<>&|~$@:#"]/g;
/** What begins a list or underlines a heading at the beginning of a line, beside what is special everywhere. */
const LEADING = /^(?:[-+=]|\d(?=\d{0,8}[.)]))/;

const entity = (char: string): string => `&#${char.codePointAt(0) ?? 0};`;

/**
 * One line that Markdown shows as it is: no element, image, link, line break or cell comes of it. Mentions, references and
 * addresses are looked for in what is shown, so an invisible blank parts their sign from their name.
 */
export function prose(text: string): string {
  return visibleLine(text)
    .replace(SPECIAL, (char) => (char === "@" || char === "#" ? `${entity(char)}&#8203;` : entity(char)))
    .replace(/&#58;(?=\/\/)|\bwww(?=\.)/gi, (sign) => `${sign}&#8203;`)
    .replace(/\bGH-(?=\d)/gi, (word) => `${word}&#8203;`)
    .replace(LEADING, entity);
}

/** Lines as they are, in an element that no text can end. */
export function preformatted(text: string): string {
  return `<pre>${visible(text).replace(SPECIAL, entity)}</pre>\n`;
}

const encoder = new TextEncoder();

/** Bytes of UTF-8: never fewer than the characters that GitHub counts. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
