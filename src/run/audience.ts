// Owns the calling of reporters: none of them can change an outcome, stop a run, or be told twice.

import type { Clock } from "../core/clock.ts";
import { formatDuration } from "../core/duration.ts";
import { messageOf } from "../core/error.ts";
import type { Reporter } from "../core/reporter.ts";

type Callback = Exclude<keyof Reporter, "name">;
type Arguments<Name extends Callback> = Parameters<NonNullable<Reporter[Name]>>;

export interface Audience {
  /** Calls `name` of every reporter that has it. What throws or rejects is told to `onFault`, once a reporter. */
  tell<Name extends Callback>(name: Name, ...args: Arguments<Name>): void;
  /** Waits for everything that reporters returned; no longer than a minute for a promise that never settles. */
  settled(): Promise<void>;
}

const PATIENCE_MS = 60_000;

export function createAudience(reporters: readonly Reporter[], clock: Clock, onFault: (message: string) => void): Audience {
  const pending = new Map<Promise<void>, Reporter>();
  const faulty = new Set<Reporter>();

  function fault(reporter: Reporter, why: string): void {
    if (faulty.has(reporter)) return;
    faulty.add(reporter);
    onFault(`reporter ${nameOf(reporter, reporters)} failed: ${why}`);
  }

  return {
    tell(name, ...args) {
      for (const reporter of reporters) {
        try {
          // Read at each call: a reporter is free to change its mind.
          const callback = reporter[name] as ((...args: readonly unknown[]) => unknown) | undefined;
          const returned = callback?.apply(reporter, args);
          if (returned === undefined || returned === null) continue;
          const waited: Promise<void> = Promise.resolve(returned).then(
            () => void pending.delete(waited),
            (thrown: unknown) => {
              pending.delete(waited);
              fault(reporter, messageOf(thrown));
            },
          );
          pending.set(waited, reporter);
        } catch (thrown) {
          fault(reporter, messageOf(thrown));
        }
      }
    },
    async settled() {
      const over = new AbortController();
      const patience = clock.sleep(PATIENCE_MS, over.signal).then(() => "late" as const);
      // What is told while waiting, a warning for one, is waited for too.
      while (pending.size > 0) {
        if ((await Promise.race([Promise.all(pending.keys()), patience])) !== "late") continue;
        for (const reporter of new Set(pending.values())) fault(reporter, `it did not finish within ${formatDuration(PATIENCE_MS)}`);
        pending.clear();
      }
      over.abort();
    },
  };
}

/** Its name, else its place among those without one. */
function nameOf(reporter: Reporter, reporters: readonly Reporter[]): string {
  const name = ownName(reporter);
  return name === undefined ? String(reporters.filter((each) => ownName(each) === undefined).indexOf(reporter) + 1) : JSON.stringify(name);
}

function ownName(reporter: Reporter): string | undefined {
  try {
    return typeof reporter.name === "string" && reporter.name !== "" ? reporter.name : undefined;
  } catch {
    return undefined;
  }
}
