// Owns the pool of places that the runs of one invocation share.

import type { Slots } from "./plan.ts";

/** A pool of `count` places. Who waits is served in the order of asking. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  return {
    tryTake() {
      if (free === 0 || waiting.size > 0) return false;
      free -= 1;
      return true;
    },
    take(signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve(false);
        if (this.tryTake()) return resolve(true);
        const settle = (taken: boolean): void => {
          waiting.delete(served);
          signal.removeEventListener("abort", left);
          resolve(taken);
        };
        const served = (): void => settle(true);
        const left = (): void => settle(false);
        waiting.add(served);
        signal.addEventListener("abort", left, { once: true });
      });
    },
    release() {
      const [next] = waiting;
      // The place goes to the next one as it is, so nobody can slip in between.
      if (next === undefined) free += 1;
      else next();
    },
  };
}
