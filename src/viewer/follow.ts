// Owns telling open pages that the store has changed: one look at its version for all of them, at most four times a second.

import type { Store } from "../core/store.ts";

const LOOK_MS = 250;
/** A line that means nothing, so that neither side takes a quiet connection for a dead one. */
const ALIVE_MS = 15_000;

export interface Followers {
  /** A stream of server-sent events: the version now, and again whenever it has changed. */
  stream(): ReadableStream<Uint8Array>;
  close(): void;
}

export function followStore(store: Pick<Store, "version">): Followers {
  const encoder = new TextEncoder();
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  let timer: NodeJS.Timeout | undefined;
  let known: number | undefined;
  let quietMs = 0;

  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string): void => {
    try {
      controller.enqueue(encoder.encode(text));
    } catch {
      // The page has gone.
      open.delete(controller);
    }
  };
  const look = async (): Promise<void> => {
    let version: number;
    try {
      version = await store.version();
    } catch {
      return;
    }
    quietMs += LOOK_MS;
    if (version !== known) {
      known = version;
      quietMs = 0;
      for (const controller of open) send(controller, `event: version\ndata: ${version}\n\n`);
    } else if (quietMs >= ALIVE_MS) {
      quietMs = 0;
      for (const controller of open) send(controller, ": alive\n\n");
    }
  };
  const again = (): void => {
    timer = setTimeout(() => {
      void look().then(() => {
        if (open.size > 0) again();
        else timer = undefined;
      });
    }, LOOK_MS);
    timer.unref();
  };

  return {
    stream() {
      let own: ReadableStreamDefaultController<Uint8Array> | undefined;
      return new ReadableStream<Uint8Array>({
        async start(controller) {
          own = controller;
          send(controller, "retry: 2000\n\n");
          known ??= await store.version().catch(() => undefined);
          send(controller, `event: version\ndata: ${known ?? 0}\n\n`);
          open.add(controller);
          if (timer === undefined) again();
        },
        cancel() {
          if (own !== undefined) open.delete(own);
        },
      });
    },
    close() {
      clearTimeout(timer);
      for (const controller of open) {
        try {
          controller.close();
        } catch {
          // It was closed from the other side.
        }
      }
      open.clear();
    },
  };
}
