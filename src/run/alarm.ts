// Owns the one timer of a run: whatever is due at some time hangs on it, so that an instant scenario costs no timer of its own.

import type { Clock } from "../core/clock.ts";

export interface Alarm {
  /** Calls `ring` once, at `at` (of `clock.elapsed()`) or soon after. What it returns takes the call back. */
  set(at: number, ring: () => void): () => void;
  /** Takes everything back and lets go of the timer, so that nothing keeps the process alive. */
  close(): void;
}

interface Entry {
  readonly at: number;
  readonly ring: () => void;
}

/** An alarm that sleeps by `clock`, always until the earliest call that is due. */
export function createAlarm(clock: Clock): Alarm {
  const entries = new Set<Entry>();
  let armedFor = Number.POSITIVE_INFINITY;
  let sleeping: AbortController | undefined;

  function arm(): void {
    let earliest = Number.POSITIVE_INFINITY;
    for (const entry of entries) earliest = Math.min(earliest, entry.at);
    // A timer that is too early only wakes up for nothing; it is let be, since most calls are taken back.
    if (earliest >= armedFor) return;
    sleeping?.abort();
    const controller = new AbortController();
    sleeping = controller;
    armedFor = earliest;
    void clock.sleep(Math.max(0, earliest - clock.elapsed()), controller.signal).then(() => {
      if (controller.signal.aborted) return;
      armedFor = Number.POSITIVE_INFINITY;
      sleeping = undefined;
      ringAll();
      arm();
    });
  }

  function ringAll(): void {
    const now = clock.elapsed();
    for (const entry of entries) {
      if (entry.at > now || !entries.delete(entry)) continue;
      entry.ring();
    }
  }

  return {
    set(at, ring) {
      const entry: Entry = { at, ring };
      entries.add(entry);
      if (at < armedFor) arm();
      return () => {
        entries.delete(entry);
      };
    },
    close() {
      entries.clear();
      sleeping?.abort();
      armedFor = Number.NEGATIVE_INFINITY;
    },
  };
}
