// Owns the two ways in which a stream of objects comes over a wire: item by item, as objects or as texts of one each, or as server-sent events.

import { serverSentEvents } from "./server-sent-event.ts";

export type StreamItem =
  | { readonly kind: "object"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "event"; readonly event: string; readonly data: string };

const isPiece = (item: unknown): item is string | Uint8Array => typeof item === "string" || item instanceof Uint8Array;
const textOf = (piece: string | Uint8Array): string => (typeof piece === "string" ? piece : new TextDecoder().decode(piece));

/**
 * The items of `stream` in order. The first says how all of them come: an object, or a text that begins with `{` (no line of a server-sent event
 * does), or else the pieces of server-sent events. Lets go of the stream when its reader leaves.
 */
export async function* streamItems(stream: AsyncIterable<unknown>): AsyncGenerator<StreamItem, void> {
  const iterator = stream[Symbol.asyncIterator]();
  let finished = false;
  try {
    const first = await iterator.next();
    if (first.done === true) {
      finished = true;
      return;
    }
    const items = (async function* (): AsyncGenerator<unknown, void> {
      yield first.value;
      for (;;) {
        const step = await iterator.next();
        if (step.done === true) {
          finished = true;
          return;
        }
        yield step.value;
      }
    })();
    if (!isPiece(first.value) || textOf(first.value).trimStart().startsWith("{")) {
      for await (const item of items) yield isPiece(item) ? { kind: "text", text: textOf(item) } : { kind: "object", value: item };
    } else {
      for await (const { event, data } of serverSentEvents(items)) yield { kind: "event", event, data };
    }
  } finally {
    if (!finished) await iterator.return?.(undefined);
  }
}
