// Owns the setting of text for a terminal: indented paragraphs and rows of pieces that fit its width, painted after they are measured.

import type { Paint, Tone } from "./style.ts";
import { textWidth, wrap } from "./text-width.ts";

export type Piece = readonly [tone: Tone, text: string];

export interface Page {
  /** A text of any length, wrapped; each of its lines is indented by `indent`. */
  text(indent: number, tone: Tone, text: string): void;
  /** A word and a text beside it, wrapped so that the word stands alone. */
  labelled(indent: number, word: string, text: string, tone?: Tone): void;
  /** Pieces with two blanks between them; what does not fit goes on below, two deeper. */
  row(indent: number, ...pieces: readonly Piece[]): void;
  /** As it is, however long: for what is to be copied. */
  raw(indent: number, tone: Tone, text: string): void;
  /** One empty line, also at the beginning; never two. */
  blank(): void;
  lines(): readonly string[];
}

export function createPage(width: number, paint: Paint): Page {
  const lines: string[] = [];
  const pad = (indent: number): string => " ".repeat(Math.min(indent, Math.max(0, width - 20)));
  const add = (indent: number, painted: string): void => void lines.push(painted === "" ? "" : pad(indent) + painted);
  return {
    text(indent, tone, text) {
      if (text === "") return;
      for (const line of wrap(text, width - pad(indent).length)) add(indent, paint(tone, line));
    },
    labelled(indent, word, text, tone = "mute") {
      const deep = pad(indent).length + textWidth(word) + 2;
      for (const [at, line] of wrap(text, width - deep).entries()) lines.push(at === 0 ? `${pad(indent)}${paint(tone, word)}  ${line}` : line === "" ? "" : " ".repeat(deep) + line);
    },
    row(indent, ...pieces) {
      let [depth, painted, used] = [indent, "", 0];
      const end = (): void => {
        if (painted !== "") add(depth, painted);
        [depth, painted, used] = [indent + 2, "", 0];
      };
      for (const [tone, text] of pieces) {
        if (text === "") continue;
        const gap = painted === "" ? 0 : 2;
        if (gap > 0 && pad(depth).length + used + gap + textWidth(text) > width) end();
        const room = width - pad(depth).length;
        const [first = "", ...rest] = wrap(text, room);
        painted += (painted === "" ? "" : "  ") + paint(tone, first);
        used += (used === 0 ? 0 : 2) + textWidth(first);
        for (const line of rest) {
          end();
          [painted, used] = [paint(tone, line), textWidth(line)];
        }
      }
      end();
    },
    raw: (indent, tone, text) => add(indent, paint(tone, text)),
    blank() {
      if (lines.at(-1) !== "") lines.push("");
    },
    lines: () => lines,
  };
}
