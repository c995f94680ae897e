// Owns the content of one recordings file: its entries by what was asked, which of them a trial has used, and when it is written.

import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { recordMember, textMember } from "../core/member.ts";
import type { Scope } from "../core/scope.ts";
import { atExit, nodeFile, type NodeFile } from "./node-file.ts";
import { inOrder, jsonKey, sameJsonButMasks, toJson, type Json } from "./plain-json.ts";

export const RECORDING_KINDS = ["response", "tokens", "generate", "stream", "tool"] as const;
export type RecordingKind = (typeof RECORDING_KINDS)[number];

export interface Entry {
  readonly kind: RecordingKind;
  readonly scope: Scope;
  /** Masked. */
  readonly request: Json;
  /** Tells requests apart that differ in what is masked by its shape alone, such as the query of an address: a few digits that say nothing else of it. */
  readonly hidden?: string | undefined;
  /** Masked. */
  readonly answer: Json;
  /** How long the answer took, in milliseconds. */
  readonly durationMs: number;
}

/** One place for an answer to what was asked, taken before it is known. */
export interface Place {
  readonly entry: Entry | undefined;
  /** Keeps the answer there. */
  keep(answer: Json, durationMs: number): void;
}

export interface Book {
  readonly path: string;
  /**
   * The next place for this request among equal ones of its scope, counted anew for each `owner` (an attempt of a trial, or a run).
   * `fresh` forgets first, once an owner, what the trial held before: it is being recorded anew.
   */
  place(asked: Asked, owner: object, fresh: boolean): Place;
  entries(): Iterable<Entry>;
  /** Writes what has not been written. Throws `recording_unreadable`. */
  flush(): void;
}

const VERSION = 1;
const LEAST_WAIT_MS = 100;
/** So much of the time may go into writing. */
const WRITING_SHARE = 0.05;

/** One book a file, however many recordings of a process name it: two would overwrite each other. */
const books = new Map<string, Book>();

export function openBook(file: string | URL): Book {
  const onDisk = nodeFile(file);
  const open = books.get(onDisk.path) ?? createBook(onDisk);
  books.set(onDisk.path, open);
  return open;
}

type Group = Map<number, Entry>;
type Asked = Pick<Entry, "kind" | "scope" | "request" | "hidden">;
const groupKey = ({ kind, scope: { suite, scenario, trial, purpose }, request, hidden }: Asked): string =>
  JSON.stringify([suite, scenario, trial, purpose, kind, request, ...(hidden === undefined ? [] : [hidden])]);
const entryKey = (entry: Entry): string => `${groupKey(entry)}${entry.scope.ordinal}`;

function createBook(file: NodeFile): Book {
  let groups = new Map<string, Group>();
  let seen: string | undefined;
  /** What was recorded anew since the file was read, so that what the file still holds of it is not taken back. */
  const dropped = new Set<string>();
  const owners = new WeakMap<object, { readonly used: Map<string, Set<number>>; readonly fresh: Set<string> }>();
  let dirty = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let forget: (() => void) | undefined;
  let lastWriteMs = 0;
  let failure: unknown;

  function add(entry: Entry): void {
    const key = groupKey(entry);
    const group = groups.get(key) ?? new Map<number, Entry>();
    group.set(entry.scope.ordinal, entry);
    groups.set(key, group);
  }

  /** Reads the file where it is not the one that was read or written last: another process may share it. */
  function refresh(keepOwn: boolean): void {
    const state = file.state();
    if (state === seen && seen !== undefined) return;
    const own = keepOwn ? [...entries()] : [];
    groups = new Map();
    const text = file.read();
    if (text !== undefined) for (const entry of readBook(text, file.path)) if (!dropped.has(entryKey(entry))) add(entry);
    for (const entry of own) add(entry);
    seen = state;
  }

  function* entries(): Generator<Entry> {
    for (const group of groups.values()) yield* group.values();
  }

  function drop(unwanted: (entry: Entry) => boolean): void {
    for (const [key, group] of groups) {
      for (const [ordinal, entry] of group) {
        if (!unwanted(entry)) continue;
        dropped.add(entryKey(entry));
        group.delete(ordinal);
      }
      if (group.size === 0) groups.delete(key);
    }
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!dirty) return;
    const started = performance.now();
    refresh(true);
    file.write(writeBook(entries()));
    seen = file.state();
    dirty = false;
    forget?.();
    forget = undefined;
    lastWriteMs = performance.now() - started;
  }

  function changed(): void {
    dirty = true;
    // The first write is made at once, so that a file that cannot be written is told of before much is asked.
    if (lastWriteMs === 0) return flush();
    // A process that ends early must not lose what was paid for, and one that is done must not wait.
    forget ??= atExit(() => {
      try {
        flush();
      } catch (thrown) {
        console.error(messageOf(thrown));
      }
    });
    timer ??= setTimeout(() => {
      try {
        flush();
      } catch (thrown) {
        failure = thrown;
      }
    }, Math.max(LEAST_WAIT_MS, lastWriteMs / WRITING_SHARE));
    (timer as { unref?: () => void }).unref?.();
  }

  return {
    path: file.path,
    place(asked, owner, fresh) {
      if (failure !== undefined) throw failure;
      if (!dirty) refresh(false);
      const known = owners.get(owner) ?? { used: new Map(), fresh: new Set() };
      owners.set(owner, known);
      const { suite, scenario, trial, purpose, ordinal } = asked.scope;
      if (fresh) {
        // A trial is recorded anew as a whole; what belongs to none, such as a calibration, request by request.
        const whole = scenario !== "";
        const what = JSON.stringify([suite, scenario, trial, ...(whole ? [] : [purpose, asked.kind, asked.request, asked.hidden ?? ""])]);
        if (!known.fresh.has(what)) {
          known.fresh.add(what);
          drop(({ kind, scope, request, hidden }) =>
            scope.suite === suite && scope.scenario === scenario && scope.trial === trial && (whole || (scope.purpose === purpose && kind === asked.kind && hidden === asked.hidden && jsonKey(request) === jsonKey(asked.request))));
        }
      }
      let key = groupKey(asked);
      if (!fresh && !groups.has(key)) key = likeButMasks(asked, groups) ?? key;
      const used = known.used.get(key) ?? new Set();
      known.used.set(key, used);
      const stored = fresh ? undefined : groups.get(key);
      let at = ordinal;
      while (used.has(at)) at += 1;
      // An equal request whose answer was not kept, an error for one, has left a gap: the next one answers.
      if (stored?.has(at) === false) at = [...stored.keys()].filter((each) => each > at && !used.has(each)).sort((a, b) => a - b)[0] ?? at;
      used.add(at);
      return {
        entry: stored?.get(at),
        keep(answer, durationMs) {
          add({ ...asked, scope: { suite, scenario, trial, purpose, ordinal: at }, answer, durationMs });
          changed();
        },
      };
    },
    entries,
    flush,
  };
}

/** The key of a recorded group of the same scope whose request is the same but for what a mask hides. */
function likeButMasks({ kind, scope, request, hidden }: Asked, groups: ReadonlyMap<string, Group>): string | undefined {
  const start = groupKey({ kind, scope, request: null }).slice(0, -"null]".length);
  for (const [key, group] of groups) {
    if (!key.startsWith(start)) continue;
    const [entry] = group.values();
    if (entry !== undefined && (hidden === undefined || entry.hidden === undefined || hidden === entry.hidden) && sameJsonButMasks(entry.request, request)) return key;
  }
  return undefined;
}

const ORDER = ["suite", "scenario", "trial", "purpose"] as const;

/** Entries in one order whatever order they came in; so that a change of one is a change of a few lines. */
function writeBook(entries: Iterable<Entry>): string {
  const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
  const keyed = [...entries].map((entry) => ({ entry, key: groupKey(entry) }));
  keyed.sort((a, b) => {
    for (const name of ORDER) {
      const order = compare(a.entry.scope[name], b.entry.scope[name]);
      if (order !== 0) return order;
    }
    return compare(a.key, b.key) || a.entry.scope.ordinal - b.entry.scope.ordinal;
  });
  const recordings = keyed.map(({ entry: { kind, scope: { suite, scenario, trial, purpose, ordinal }, request, hidden, answer, durationMs } }) => ({ scope: { suite, scenario, trial, purpose, ordinal }, kind, request, ...(hidden !== undefined && { hidden }), answer, durationMs }));
  return `${JSON.stringify({ version: VERSION, recordings }, null, 2)}\n`;
}

function readBook(text: string, path: string): readonly Entry[] {
  const refuse = (why: string, cause?: unknown): never => {
    throw new EntailError("recording_unreadable", `the recordings in ${path} cannot be read: ${why}`, cause === undefined ? {} : { cause });
  };
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (cause) {
    return refuse(/^(?:<{7}|={7}|>{7}) ?/m.test(text) ? "a merge conflict stands in them; resolve it, or record anew" : `they are no JSON (${messageOf(cause)}); delete the file to record anew`, cause);
  }
  const { version, recordings } = (given ?? {}) as { readonly version?: unknown; readonly recordings?: unknown };
  if (version !== VERSION) return refuse(`they have the version ${JSON.stringify(version)}, and this is made for ${VERSION}; delete the file to record anew`);
  if (!Array.isArray(recordings)) return refuse("recordings is no list");
  return recordings.map((entry: unknown, at) => {
    try {
      return readEntry(entry);
    } catch (thrown) {
      if (isEntailError(thrown)) throw thrown;
      return refuse(`recordings[${at}] is no recording: ${messageOf(thrown)}`);
    }
  });
}

function readEntry(value: unknown): Entry {
  const scope: Partial<Scope> | undefined = recordMember(value, "scope");
  const kind = RECORDING_KINDS.find((each) => each === textMember(value, "kind"));
  const hidden = textMember(value, "hidden");
  const { request, answer, durationMs } = value as Partial<Record<keyof Entry, unknown>>;
  const whole = (number: unknown, least: number): number => {
    if (typeof number !== "number" || !Number.isSafeInteger(number) || number < least) throw new Error("its scope has no trial or no ordinal");
    return number;
  };
  if (kind === undefined) throw new Error(`its kind must be one of ${RECORDING_KINDS.join(", ")}`);
  if (request === undefined || answer === undefined) throw new Error("it has no request or no answer");
  const { suite, scenario, purpose } = scope ?? {};
  if (typeof suite !== "string" || typeof scenario !== "string" || typeof purpose !== "string") throw new Error("it has no scope of suite, scenario and purpose");
  return {
    kind,
    scope: { suite, scenario, trial: whole(scope?.trial, 1), purpose, ordinal: whole(scope?.ordinal, 0) },
    // Whatever order an editor or a merge left the members in.
    request: inOrder(toJson(request)),
    ...(hidden !== undefined && { hidden }),
    answer: answer as Json,
    durationMs: typeof durationMs === "number" ? durationMs : 0,
  };
}
