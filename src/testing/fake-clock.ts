// Owns the fake clock: time that passes when a test says so, or as soon as everybody waits for it.

import type { Clock } from "../core/clock.ts";

export interface FakeClock extends Clock {
  /** Lets `ms` pass: whoever sleeps wakes up in the order of the times, and gets to its next wait before the next one wakes. */
  advance(ms: number): Promise<void>;
  /** How many sleep. */
  sleepers(): number;
}

export interface FakeClockOptions {
  /** Milliseconds since the epoch at the start; the first moment of 2030 (UTC) when absent. */
  readonly now?: number | undefined;
  /** Time jumps to the next one who sleeps as soon as nothing else goes on, so a test needs no `advance`. False when absent. */
  readonly auto?: boolean | undefined;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

const START = Date.UTC(2030, 0, 1);
/** Turns of the event loop that count as "nothing else goes on". */
const QUIET_TURNS = 3;

export function fakeClock({ now: start = START, auto = false }: FakeClockOptions = {}): FakeClock {
  const sleepers = new Set<Sleeper>();
  let elapsed = 0;
  let waiting = false;

  function next(): Sleeper | undefined {
    let earliest: Sleeper | undefined;
    for (const sleeper of sleepers) if (earliest === undefined || sleeper.until < earliest.until) earliest = sleeper;
    return earliest;
  }

  function wake(sleeper: Sleeper): void {
    elapsed = Math.max(elapsed, sleeper.until);
    sleepers.delete(sleeper);
    sleeper.wake();
  }

  async function jump(): Promise<void> {
    if (waiting) return;
    waiting = true;
    for (;;) {
      await quiet();
      const sleeper = next();
      if (sleeper === undefined) break;
      wake(sleeper);
    }
    waiting = false;
  }

  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const left = (): void => {
          sleepers.delete(sleeper);
          resolve();
        };
        const sleeper: Sleeper = {
          until: elapsed + Math.max(0, ms),
          wake() {
            signal?.removeEventListener("abort", left);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", left, { once: true });
        if (auto) void jump();
      });
    },
    async advance(ms) {
      const target = elapsed + ms;
      await quiet();
      for (let sleeper = next(); sleeper !== undefined && sleeper.until <= target; sleeper = next()) {
        wake(sleeper);
        await quiet();
      }
      elapsed = Math.max(elapsed, target);
      await quiet();
    },
    sleepers: () => sleepers.size,
  };
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}
