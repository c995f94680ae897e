// Owns the turn of the event loop that a run of instant scenarios must give away, or no timer and no interrupt would be seen.

/** Resolves in a later turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
