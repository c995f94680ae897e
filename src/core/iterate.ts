// Owns the reading of whatever streams: an async iterable, or a web stream where the platform cannot iterate one.

interface WebStream {
  getReader(): { read(): Promise<{ done: boolean; value?: unknown }>; cancel(reason?: unknown): Promise<void>; releaseLock(): void };
}

export function isIterable(value: unknown): value is AsyncIterable<unknown> | WebStream {
  if (typeof value !== "object" || value === null) return false;
  try {
    return typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function" || typeof (value as Partial<WebStream>).getReader === "function";
  } catch {
    // What throws when it is looked at cannot be read.
    return false;
  }
}

/** The items of `source` in order. Leaving early, or an error of the reader's, cancels it. */
export async function* iterate(source: AsyncIterable<unknown> | WebStream): AsyncGenerator<unknown, void> {
  if (Symbol.asyncIterator in source) {
    yield* source;
    return;
  }
  const reader = source.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        ended = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
