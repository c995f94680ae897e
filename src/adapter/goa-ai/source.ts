// Owns the ways in which a Goa-AI stream arrives: as objects, as texts of one event each, or as server-sent events in whatever pieces.

import { EntailError } from "../../core/error.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { member } from "../../core/member.ts";
import { serverSentEvents } from "../../core/server-sent-event.ts";
import { readWireEvent, type WireEvent, wireEventOf } from "./wire-event.ts";

/** What some servers write after the last event. */
const END_MARK = "[DONE]";

const isPiece = (item: unknown): item is string | Uint8Array => typeof item === "string" || item instanceof Uint8Array;

/** The source itself, or the body of a response. Throws `option_invalid` for anything else, and `stream_incomplete` for a refused request. */
function streamOf(source: unknown): AsyncIterable<unknown> {
  if (isIterable(source)) return iterate(source);
  const body = member(source, "body");
  if (member(source, "ok") === false) throw new EntailError("stream_incomplete", `there is no stream of events: the answer has status ${String(member(source, "status"))}`);
  if (isIterable(body)) return iterate(body);
  throw new EntailError("option_invalid", "events() needs a stream of Goa-AI: an async iterable of its events, or the response (or the body) that brings them as server-sent events");
}

/** The events in order. The first item says how they come: an object, a text that begins with `{`, or else server-sent events. */
export async function* wireEvents(source: unknown): AsyncGenerator<WireEvent, void> {
  const iterator = streamOf(source)[Symbol.asyncIterator]();
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
    // No line of a server-sent event begins so.
    if (!isPiece(first.value) || textOf(first.value).trimStart().startsWith("{")) {
      for await (const item of items) yield isPiece(item) ? readWireEvent(textOf(item)) : wireEventOf(item);
    } else {
      for await (const { event, data } of serverSentEvents(items)) {
        if (data.trim() !== END_MARK) yield readWireEvent(data, event === "message" ? undefined : event);
      }
    }
  } finally {
    if (!finished) await iterator.return?.(undefined);
  }
}

function textOf(piece: string | Uint8Array): string {
  return typeof piece === "string" ? piece : new TextDecoder().decode(piece);
}
