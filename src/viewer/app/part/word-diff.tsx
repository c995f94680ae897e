// Owns the words that differ between two texts: tinted and underlined, never struck through, so that both stay readable.

import { diffWordsWithSpace } from "diff";
import type { JSX } from "preact";
import { inner } from "./alien.tsx";

/** Longer texts are shown as they are: what a diff of them takes is not bounded. */
const MOST = 20_000;

interface Part {
  readonly value: string;
  readonly added?: boolean | undefined;
  readonly removed?: boolean | undefined;
}

/** A blank between two changes belongs to them: words that changed in a row are one change. */
function joined(parts: readonly Part[] | undefined): readonly Part[] | undefined {
  if (parts === undefined) return undefined;
  const changed = ({ added, removed }: Part): boolean => added === true || removed === true;
  const spread = parts.flatMap((part, at): readonly Part[] => {
    const [before, after] = [parts[at - 1], parts[at + 1]];
    if (changed(part) || part.value.trim() !== "" || before === undefined || after === undefined || !changed(before) || !changed(after)) return [part];
    return [{ value: part.value, removed: true }, { value: part.value, added: true }];
  });
  const runs: Part[] = [];
  let run: { removed: string; added: string } = { removed: "", added: "" };
  const flush = (): void => {
    if (run.removed !== "") runs.push({ value: run.removed, removed: true });
    if (run.added !== "") runs.push({ value: run.added, added: true });
    run = { removed: "", added: "" };
  };
  for (const part of spread) {
    if (part.removed === true) run.removed += part.value;
    else if (part.added === true) run.added += part.value;
    else {
      flush();
      runs.push(part);
    }
  }
  flush();
  return runs;
}

export function WordDiff({ before, after, heads }: { readonly before: string; readonly after: string; readonly heads: readonly [JSX.Element, JSX.Element] }): JSX.Element {
  const parts = before.length + after.length > MOST ? undefined : joined(diffWordsWithSpace(before, after, { timeout: 500 }));
  if (parts === undefined) {
    return <>{[before, after].map((text, at) => <article key={at}>{heads[at]}<p class="said"><bdi>{inner(text.slice(0, MOST / 2))}</bdi></p></article>)}</>;
  }
  return (
    <>
      <article>{heads[0]}<p class="said"><bdi>{parts.map((part, at) => (part.added === true ? null : part.removed === true ? <del key={at}>{inner(part.value)}</del> : <span key={at}>{inner(part.value)}</span>))}</bdi></p></article>
      <article>{heads[1]}<p class="said"><bdi>{parts.map((part, at) => (part.removed === true ? null : part.added === true ? <ins key={at}>{inner(part.value)}</ins> : <span key={at}>{inner(part.value)}</span>))}</bdi></p></article>
    </>
  );
}
