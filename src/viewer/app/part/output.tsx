// Owns an answer of the agent: the largest text of the page, with the judge's quotes marked where they stand, and Markdown only if asked for.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Label } from "../../../core/label.ts";
import type { Words } from "../../answer/form.ts";
import { later } from "../later.tsx";
import { inner } from "./alien.tsx";
import { Pieces } from "./long-text.tsx";

const Markdown = later(async () => (await import("./markdown.tsx")).Markdown);

export interface Quote {
  /** The number that stands at the quote and at its claim. */
  readonly number: number;
  readonly label: Label;
  readonly text: string;
  readonly claim: string;
}

interface Mark {
  readonly from: number;
  readonly to: number;
  readonly quote: Quote;
}

/** Where the quotes stand. One that overlaps another begins where that one ends. */
export function marksOf(text: string, quotes: readonly Quote[]): readonly Mark[] {
  const found = quotes.flatMap((quote) => {
    const at = quote.text === "" ? -1 : text.indexOf(quote.text);
    return at === -1 ? [] : [{ from: at, to: at + quote.text.length, quote }];
  });
  const marks: Mark[] = [];
  let end = 0;
  for (const mark of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const from = Math.max(mark.from, end);
    // Wholly within another: its number stands at the end of that one.
    marks.push({ ...mark, from: Math.min(from, Math.max(mark.to, end)), to: Math.max(mark.to, end) });
    end = Math.max(end, mark.to);
  }
  return marks;
}

interface OutputProps {
  readonly words: Words;
  readonly quotes: readonly Quote[];
  readonly lit: number | undefined;
  readonly light: (number: number | undefined) => void;
  readonly open: (claim: string) => void;
}

export function Output({ words, quotes, lit, light, open }: OutputProps): JSX.Element {
  const [how, setHow] = useState<"text" | "markdown" | "whole">("text");
  const text = words.text;
  const canMark = /[*_#`[\]|>-]/.test(text);
  return (
    <div class="out">
      {how === "whole" ? <Pieces words={words} /> : how === "markdown" ? <Markdown text={text} /> : <p><bdi>{quoted(text, marksOf(text, quotes), lit, light, open)}</bdi></p>}
      {words.path === undefined && !canMark ? null : (
        <p class="out-m">
          {canMark ? <button type="button" class="quiet-b" aria-pressed={how === "markdown"} onClick={() => setHow(how === "markdown" ? "text" : "markdown")}>{how === "markdown" ? "as characters" : "as Markdown"}</button> : null}
          {words.path === undefined ? null : <button type="button" class="quiet-b" aria-pressed={how === "whole"} onClick={() => setHow(how === "whole" ? "text" : "whole")}>{how === "whole" ? "less" : `all ${(words.of ?? 0).toLocaleString("en")} characters`}</button>}
        </p>
      )}
    </div>
  );
}

function quoted(text: string, marks: readonly Mark[], lit: number | undefined, light: (number: number | undefined) => void, open: (claim: string) => void): readonly (JSX.Element | readonly (JSX.Element | string)[])[] {
  const parts: (JSX.Element | readonly (JSX.Element | string)[])[] = [];
  let at = 0;
  for (const { from, to, quote } of marks) {
    if (from > at) parts.push(inner(text.slice(at, from)));
    const { number } = quote;
    parts.push(
      <mark key={number} class={`q q-${quote.label} ${lit === number ? "lit" : ""}`} tabIndex={0} role="button" title={`claim ${quote.claim}`} onMouseEnter={() => light(number)} onMouseLeave={() => light(undefined)} onFocus={() => light(number)} onBlur={() => light(undefined)} onClick={() => open(quote.claim)} onKeyDown={(event) => { if (event.key === "Enter") { event.preventDefault(); open(quote.claim); } }}>
        {inner(text.slice(from, to))}<sup>{number}</sup>
      </mark>,
    );
    at = Math.max(at, to);
  }
  if (at < text.length || parts.length === 0) parts.push(inner(text.slice(at)));
  return parts;
}
