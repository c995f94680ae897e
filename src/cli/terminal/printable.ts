// Owns the making of harmless text: what a model, an agent or a file name holds is shown, never obeyed.

/**
 * Control characters (ESC, BEL, CR, C1 …), format characters (direction marks and overrides, invisible tags …), separators that break
 * lines unseen, and lone surrogates; but for the line feed and for the joiners that some scripts and signs are written with.
 */
const UNPRINTABLE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--[\n\u200c\u200d]]/gv;

function escape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code === 13) return "\\r";
  if (code < 256) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** A text of several lines: CRLF ends a line, a tab is two blanks, everything else that is not to be seen is written as an escape. */
export function printable(text: string): string {
  if (/^[ -~\n]*$/.test(text)) return text;
  return text.replaceAll("\r\n", "\n").replaceAll("\t", "  ").replace(UNPRINTABLE, escape);
}

/** The same on one line: a line break in a name cannot begin a line of its own. */
export function printableLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n");
}

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;:]*m`);

/** What user code prints while the view is drawn: its colours are kept, what moves the cursor is shown instead. */
export function printableOutput(text: string): string {
  return text
    .split(new RegExp(`(${COLOUR.source})`))
    .map((part) => (COLOUR.test(part) ? part : printable(part)))
    .join("");
}
