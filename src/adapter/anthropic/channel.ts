// Owns a channel: what several workers push is read in one order.

export interface Channel<Item> extends AsyncIterable<Item> {
  readonly push: (...items: readonly Item[]) => void;
  /** Nothing more comes; what was pushed before is still read. */
  readonly close: (thrown?: { readonly error: unknown }) => void;
}

export function channel<Item>(): Channel<Item> {
  const items: Item[] = [];
  let closed: { readonly thrown: { readonly error: unknown } | undefined } | undefined;
  let wake: (() => void) | undefined;
  async function* read(): AsyncGenerator<Item, void> {
    for (;;) {
      while (items.length > 0) yield* items.splice(0);
      if (closed !== undefined) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    if (closed.thrown !== undefined) throw closed.thrown.error;
  }
  return {
    push(...more) {
      items.push(...more);
      wake?.();
    },
    close(thrown) {
      closed ??= { thrown };
      wake?.();
    },
    [Symbol.asyncIterator]: read,
  };
}
