// Owns what an aborted signal means: the error that says so, and work that nobody waits for any longer.

import { EntailError, isEntailError } from "./error.ts";

/** Why `signal` was aborted: its own reason where that is an `EntailError`, else `cancelled` with the reason as its cause. */
export function abortError(signal: AbortSignal, what: string): EntailError {
  const reason: unknown = signal.reason;
  return isEntailError(reason) ? reason : new EntailError("cancelled", `${what} was cancelled`, { cause: reason });
}

/**
 * Settles as `work` does, or rejects with `abortError` as soon as `signal` is aborted, whether `work` obeys the signal or not.
 * What becomes of abandoned work is ignored; it never ends as an unhandled rejection.
 */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined, what: string): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise<Value>((resolve, reject) => {
    const aborted = (): void => reject(abortError(signal, what));
    const settled = (): void => signal.removeEventListener("abort", aborted);
    signal.addEventListener("abort", aborted, { once: true });
    work.then(resolve, reject).finally(settled);
    if (signal.aborted) aborted();
  });
}
