// Owns the ways in which a Goa-AI stream arrives: as objects, as texts of one event each, or as server-sent events in whatever pieces.

import { EntailError } from "../../core/error.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { member } from "../../core/member.ts";
import { streamItems } from "../../core/stream-item.ts";
import { readWireEvent, type WireEvent, wireEventOf } from "./wire-event.ts";

/** What some servers write after the last event. */
const END_MARK = "[DONE]";

/** The source itself, or the body of a response. Throws `option_invalid` for anything else, and `stream_incomplete` for a refused request. */
function streamOf(source: unknown): AsyncIterable<unknown> {
  if (isIterable(source)) return iterate(source);
  const body = member(source, "body");
  if (member(source, "ok") === false) throw new EntailError("stream_incomplete", `there is no stream of events: the answer has status ${String(member(source, "status"))}`);
  if (isIterable(body)) return iterate(body);
  throw new EntailError("option_invalid", "events() needs a stream of Goa-AI: an async iterable of its events, or the response (or the body) that brings them as server-sent events");
}

/** The events in order. */
export async function* wireEvents(source: unknown): AsyncGenerator<WireEvent, void> {
  for await (const item of streamItems(streamOf(source))) {
    if (item.kind === "object") yield wireEventOf(item.value);
    else if (item.kind === "text") yield readWireEvent(item.text);
    else if (item.data.trim() !== END_MARK) yield readWireEvent(item.data, item.event === "message" ? undefined : item.event);
  }
}
