// Owns the reading of server-sent events out of bytes: events as the HTML standard parses them, whatever the pieces they arrive in.

import { isIterable, iterate } from "./iterate.ts";

export interface ServerSentEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  /** The data lines, joined by line feeds. */
  readonly data: string;
  /** The last id that the stream gave, empty where it gave none. */
  readonly id: string;
}

/** Characters of one event: a server that never ends a line must not fill the memory. */
const MAX_EVENT = 64 * 1024 * 1024;

/**
 * The events of `body` (a web stream or an async iterable, of bytes or of texts) in order. An event that the body's end cuts off is dropped, as the
 * standard has it; an event without data is none. Throws what the body throws, and a `RangeError` for an event over 64 Mi characters.
 */
export async function* serverSentEvents(body: unknown): AsyncGenerator<ServerSentEvent, void> {
  if (!isIterable(body)) return;
  const decoder = new TextDecoder();
  let rest = "";
  let event = "";
  let id = "";
  let data: string[] = [];
  let size = 0;
  let afterReturn = false;
  let first = true;

  const take = (line: string): ServerSentEvent | undefined => {
    if (line === "") {
      const whole = data.length === 0 ? undefined : { event: event === "" ? "message" : event, data: data.join("\n"), id };
      event = "";
      data = [];
      size = 0;
      return whole;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") {
      size += value.length;
      data.push(value);
    } else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) id = value;
    return undefined;
  };

  for await (const piece of iterate(body)) {
    let text = typeof piece === "string" ? piece : decoder.decode(piece as Uint8Array, { stream: true });
    if (text === "") continue;
    if (first) {
      first = false;
      if (text.startsWith("\ufeff")) text = text.slice(1);
    }
    // A carriage return at the end of a piece ended its line; the line feed after it does not end another.
    if (afterReturn && text.startsWith("\n")) text = text.slice(1);
    afterReturn = false;
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 10 && code !== 13) continue;
      const line = rest + text.slice(start, at);
      rest = "";
      if (code === 13) {
        if (at + 1 === text.length) afterReturn = true;
        else if (text.charCodeAt(at + 1) === 10) at += 1;
      }
      start = at + 1;
      const whole = take(line);
      if (whole !== undefined) yield whole;
    }
    rest += text.slice(start);
    if (rest.length + size > MAX_EVENT) throw new RangeError("a server-sent event is longer than 64 Mi characters");
  }
}
