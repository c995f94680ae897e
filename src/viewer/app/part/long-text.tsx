// Owns a text that may be long: its beginning at once, the rest in pieces as it is asked for, and a search that runs where the text lies.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FoundAnswer, TextAnswer, Words } from "../../answer/form.ts";
import { askOnce, source } from "../answers.ts";
import { inner } from "./alien.tsx";
import { Json } from "./json.tsx";
import { Icon } from "./mark.tsx";
import { count } from "./number.ts";
import { stepOf } from "../../answer/step.ts";

/** JSON as a tree where it is whole; else pieces of the text as it stands. */
export function LongJson({ words }: { readonly words: Words }): JSX.Element {
  return words.path === undefined ? <Json text={words.text} /> : <Pieces words={words} />;
}

/** Pieces of about 64 kB; at most three are in the document at once. */
export function Pieces({ words }: { readonly words: Words }): JSX.Element {
  const [piece, setPiece] = useState<TextAnswer>({ text: words.text, at: 0, of: words.of ?? words.text.length });
  const [find, setFind] = useState("");
  const [found, setFound] = useState<{ readonly answer: FoundAnswer; readonly at: number; readonly length: number } | undefined>(undefined);
  const box = useRef<HTMLPreElement>(null);
  const { path } = words;
  const read = (at: number): void => {
    if (path === undefined) return;
    void askOnce<TextAnswer>(`${path}&at=${Math.max(0, at)}`).then((answer) => {
      setPiece(answer);
      if (box.current !== null) box.current.scrollTop = 0;
    });
  };
  useEffect(() => {
    if (find === "" || path === undefined) {
      setFound(undefined);
      return undefined;
    }
    const timer = setTimeout(() => {
      void askOnce<FoundAnswer>(`${path}&find=${stepOf(find)}`).then((answer) => {
        setFound({ answer, at: 0, length: find.length });
        if (answer.at[0] !== undefined) read(answer.at[0] - 200);
      });
    }, 200);
    return () => clearTimeout(timer);
  }, [find, path]);
  useEffect(() => {
    box.current?.querySelector("mark")?.scrollIntoView({ block: "nearest" });
  }, [piece, found]);
  const step = (by: number): void => {
    if (found === undefined || found.answer.at.length === 0) return;
    const at = (found.at + by + found.answer.at.length) % found.answer.at.length;
    setFound({ ...found, at });
    read((found.answer.at[at] ?? 0) - 200);
  };
  const save = (): void => {
    if (path !== undefined) void wholeOf(path).then(saveFile);
  };
  const end = piece.at + piece.text.length;
  const place = found?.answer.at[found.at];
  return (
    <div class="pieces">
      <p class="quiet">{count(piece.of)} characters; {count(piece.at)} to {count(end)} are shown. The rest is read from the store as it is asked for.</p>
      <div class="bar-row">
        <label class="field grow"><Icon name="search" /><input type="search" placeholder={`Find in ${count(piece.of)} characters`} aria-label="Find in the whole text" value={find} onInput={(event) => setFind(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === "Enter") step(event.shiftKey ? -1 : 1); }} /></label>
        {found === undefined ? null : <span class="quiet nowrap">{found.answer.at.length === 0 ? "not found" : `${found.at + 1} of ${count(found.answer.at.length)}${found.answer.more ? "+" : ""}`}</span>}
        {found === undefined || found.answer.at.length < 2 ? null : <><button class="btn" type="button" onClick={() => step(-1)}>Previous</button><button class="btn" type="button" onClick={() => step(1)}>Next</button></>}
        {source().served ? <button class="btn" type="button" onClick={save}>Save as file</button> : null}
      </div>
      <pre class="json piece" ref={box} tabIndex={0} role="region" aria-label="A piece of the text"><bdi>{place === undefined || found === undefined ? inner(piece.text) : marked(piece, place, found.length)}</bdi></pre>
      <div class="bar-row">
        <button class="btn" type="button" disabled={piece.at === 0} onClick={() => read(piece.at - 65_536)}>Earlier</button>
        <button class="btn" type="button" disabled={end >= piece.of} onClick={() => read(end)}>Further</button>
      </div>
    </div>
  );
}

function marked(piece: TextAnswer, place: number, length: number): readonly (JSX.Element | string | readonly (JSX.Element | string)[])[] {
  const from = place - piece.at;
  if (from < 0 || from >= piece.text.length) return inner(piece.text);
  return [inner(piece.text.slice(0, from)), <mark key="found">{inner(piece.text.slice(from, from + length))}</mark>, inner(piece.text.slice(from + length))];
}

async function wholeOf(path: string): Promise<Blob> {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const piece = await askOnce<TextAnswer>(`${path}&at=${at}`);
    parts.push(piece.text);
    at = piece.at + piece.text.length;
    if (at >= piece.of || piece.text === "") return new Blob(parts, { type: "text/plain" });
  }
}

function saveFile(blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "evidence.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
