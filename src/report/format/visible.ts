// Owns the making of text that shows what it holds: what a file format forbids, or what hides or reorders its neighbours, is written as an escape.

/**
 * Control characters but for the tab and the line feed, marks and overrides of direction, invisible tags, line separators, characters that
 * are none, and lone surrogates. The joiners that some scripts and signs are written with stay.
 */
const UNSEEN = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]--[\n\t\u200c\u200d]]/gv;

function escape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** `text` with `\u001b` for an escape character and its like; CRLF is one line feed. Every character of the answer is one that XML 1.0 allows. */
export function visible(text: string): string {
  return /^[ -~\n\t]*$/.test(text) ? text : text.replaceAll("\r\n", "\n").replace(UNSEEN, escape);
}

/** The same on one line: every run of white space is one blank. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s+/g, " ").trim();
}

/** At most `most` characters, no half of a surrogate pair at the end, and a word on what is missing. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}… (${text.length} characters; the JSON report has them all)`;
}
