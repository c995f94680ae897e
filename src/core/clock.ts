// Owns the clock port and the system's own clock.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only ever grow; for durations and deadlines. */
  elapsed(): number;
  /** Resolves after `ms`, or at once when `signal` is aborted; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

// Node loads its own `performance` late, for a millisecond of every run; `hrtime` is there.
const hrtime = globalThis.process?.hrtime;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed() {
    if (hrtime === undefined) return performance.now();
    const [seconds, nanoseconds] = hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
};
