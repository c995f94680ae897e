// Owns showing the texts of others: as characters and never as anything else. What cannot be seen becomes a chip.

import type { JSX } from "preact";
import { piecesOf } from "./unseen.ts";

/** Characters of others within a line of ours. */
export function Alien({ text }: { readonly text: string }): JSX.Element {
  return <bdi>{inner(text)}</bdi>;
}

export function inner(text: string): readonly (JSX.Element | string)[] {
  return piecesOf(text).map((piece, at) => (typeof piece === "string" ? piece : <span key={at} class="inv" title="a character that cannot be seen">{piece.code}</span>));
}

/** On one line: line breaks become spaces, and no more characters than a line can show. */
export const oneLine = (text: string, most = 300): string => text.slice(0, most).replaceAll(/\s*[\r\n]+\s*/g, " ");
