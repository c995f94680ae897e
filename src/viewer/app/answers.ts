// Owns the answers that the page holds: each asked once, shown while it is asked again, and asked again when the store has changed.

import { useEffect, useState } from "preact/hooks";
import type { AskError, Source } from "./source.ts";

interface Entry {
  value?: unknown;
  problem?: AskError | undefined;
  /** The version of the store when it was last asked for. */
  version: number;
  asking: boolean;
  readonly listeners: Set<() => void>;
}

export interface Answer<T> {
  readonly value?: T | undefined;
  readonly problem?: AskError | undefined;
}

const KEPT = 200;
const entries = new Map<string, Entry>();
const held: { source?: Source; version: number } = { version: 0 };

export function setSource(source: Source): void {
  held.source = source;
}

export function source(): Source {
  if (held.source === undefined) throw new Error("the page has no source of answers");
  return held.source;
}

/** Answers on show are asked for again; the others when they are shown next. */
export function setVersion(version: number): void {
  if (version === held.version) return;
  held.version = version;
  for (const [path, entry] of entries) if (entry.listeners.size > 0) ask(path, entry);
}

/** After a change of our own, before the server tells of it. */
export function askAgain(prefix: string): void {
  for (const [path, entry] of entries) {
    if (!path.startsWith(prefix)) continue;
    if (entry.listeners.size > 0) ask(path, entry);
    else entries.delete(path);
  }
}

function entryOf(path: string): Entry {
  const known = entries.get(path);
  if (known !== undefined) {
    entries.delete(path);
    entries.set(path, known);
    return known;
  }
  const made: Entry = { version: -1, asking: false, listeners: new Set() };
  entries.set(path, made);
  if (entries.size > KEPT) for (const [old, { listeners }] of entries) {
    if (entries.size <= KEPT) break;
    if (listeners.size === 0) entries.delete(old);
  }
  return made;
}

function ask(path: string, entry: Entry): void {
  if (entry.asking) return;
  const { version } = held;
  entry.asking = true;
  void source()
    .get(path)
    .then(
      (value) => {
        entry.value = value;
        entry.problem = undefined;
        entry.version = version;
      },
      (problem: AskError) => {
        // What was known stays on show while the server is away.
        if (problem.status !== 0 || entry.value === undefined) entry.problem = problem;
      },
    )
    .finally(() => {
      entry.asking = false;
      for (const listener of entry.listeners) listener();
      if (held.version !== version && entry.listeners.size > 0 && entry.problem === undefined) ask(path, entry);
    });
}

/** Asks ahead of need; `still` answers never change. */
export function prefetch(path: string): void {
  const entry = entryOf(path);
  if (entry.version === -1) ask(path, entry);
}

/** The answer at `path`, or nothing yet. `still` where it cannot change any more. */
export function useAnswer<T>(path: string | undefined, still = false): Answer<T> {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    const entry = entryOf(path);
    const listener = (): void => redraw((count) => count + 1);
    entry.listeners.add(listener);
    if (entry.version === -1 || (!still && entry.version !== held.version)) ask(path, entry);
    return () => {
      entry.listeners.delete(listener);
    };
  }, [path, still]);
  if (path === undefined) return {};
  const entry = entries.get(path);
  return { value: entry?.value as T | undefined, problem: entry?.problem };
}

/** One answer outside of a component. */
export async function askOnce<T>(path: string): Promise<T> {
  return (await source().get(path)) as T;
}
