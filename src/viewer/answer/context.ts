// Owns what an answer is made from: the reading half of a store, the clock, the accepted baselines, and a memory for what cannot change any more.

import type { Store } from "../../core/store.ts";

/** What answers read of the store port. The exported page has one over the report that it carries. */
export type Reads = Pick<Store, "url" | "runs" | "run" | "findRun" | "suiteIds" | "plannedScenario" | "scenarios" | "scenario" | "positionOf" | "scenarioReports" | "trial" | "evidenceHead" | "calls" | "labels" | "measurements">;

export interface AnswerContext {
  readonly reads: Reads;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The id of the run that is the suite's accepted baseline. */
  baselineOf(suiteId: string): Promise<string | undefined>;
  /** The value made for `key`, made once: for what is derived from finished runs alone. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** The long text that was read last stays at hand, so that its next piece is not read from the store again. */
  longText(key: string, read: () => Promise<string | undefined>): Promise<string | undefined>;
}

export interface ContextOptions {
  readonly reads: Reads;
  readonly now: () => number;
  readonly baselineOf?: ((suiteId: string) => Promise<string | undefined>) | undefined;
  /** How many derived values are kept; 500 when absent. */
  readonly kept?: number | undefined;
}

export function openContext({ reads, now, baselineOf, kept = 500 }: ContextOptions): AnswerContext {
  const memory = new Map<string, Promise<unknown>>();
  let last: { readonly key: string; readonly text: Promise<string | undefined> } | undefined;
  return {
    reads,
    now,
    baselineOf: baselineOf ?? (() => Promise.resolve(undefined)),
    once<T>(key: string, make: () => Promise<T>): Promise<T> {
      const known = memory.get(key) as Promise<T> | undefined;
      if (known !== undefined) {
        memory.delete(key);
        memory.set(key, known);
        return known;
      }
      const made = make();
      memory.set(key, made);
      made.catch(() => memory.delete(key));
      const oldest = memory.keys().next();
      if (memory.size > kept && oldest.done !== true) memory.delete(oldest.value);
      return made;
    },
    longText(key, read) {
      if (last?.key !== key) last = { key, text: read() };
      const { text } = last;
      text.catch(() => {
        if (last?.text === text) last = undefined;
      });
      return text;
    },
  };
}
