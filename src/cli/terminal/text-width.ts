// Owns how wide a text is on a terminal, and the cutting and wrapping of texts to a width. Texts come without colours.

const WIDE = /[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const NARROWEST = /\p{Mark}|\u200d/u;

/** Latin letters, punctuation, arrows, mathematical signs, boxes and shapes: asking the tables of Unicode costs milliseconds the first time. */
function isPlain(char: string): boolean {
  return char < "\u0300" || (char >= "\u2010" && char < "\u2060") || (char >= "\u2190" && char < "\u2300") || (char >= "\u2500" && char < "\u25fd") || char === "✓" || char === "✗";
}

function charWidth(char: string): number {
  if (isPlain(char)) return 1;
  return NARROWEST.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
}

export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** The text, or as much of it as fits with an ellipsis. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = "";
  let left = Math.max(0, width - 1);
  for (const char of text) {
    left -= charWidth(char);
    if (left < 0) break;
    kept += char;
  }
  return width > 0 ? `${kept}…` : "";
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Lines of at most `width`, broken at blanks where there are any; what a line is indented by, its continuation is too. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.trimEnd(), Math.max(8, width)));
}

function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const whole = /^ */.exec(line)?.[0] ?? "";
  const indent = whole.length > width / 2 ? "" : whole;
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(whole.length).split(" ")) {
    const joined = current === indent ? current + word : `${current} ${word}`;
    if (textWidth(joined) <= width) {
      current = joined;
      continue;
    }
    if (current !== indent) lines.push(current);
    current = indent + word;
    while (textWidth(current) > width) {
      const head = headOf(current, width);
      lines.push(head);
      current = indent + current.slice(head.length);
    }
  }
  return [...lines, current];
}

/** At least one character, at most `width` wide. */
function headOf(text: string, width: number): string {
  let head = "";
  let left = width;
  for (const char of text) {
    left -= charWidth(char);
    if (left < 0 && head !== "") break;
    head += char;
  }
  return head;
}
