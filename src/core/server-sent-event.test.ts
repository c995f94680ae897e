import { array, assert, asyncProperty, constantFrom, nat, string } from "fast-check";
import { expect, test } from "vitest";
import { serverSentEvents, type ServerSentEvent } from "./server-sent-event.ts";

async function read(pieces: Iterable<string | Uint8Array>): Promise<ServerSentEvent[]> {
  async function* body(): AsyncGenerator<string | Uint8Array> {
    yield* pieces;
  }
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(body())) events.push(event);
  return events;
}

test("an event has its name, its data lines joined and the last id that was given", async () => {
  expect(await read(["id: 7\nevent: task\ndata: one\ndata: two\n\n", ": a comment\ndata:  spaced\nretry: 5\nunknown: x\n\n"])).toEqual([
    { event: "task", data: "one\ntwo", id: "7" },
    { event: "message", data: " spaced", id: "7" },
  ]);
});

test("an event without data is none, and one that the end cuts off is dropped", async () => {
  expect(await read(["event: ping\n\n", "data\n\n", "data: cut"])).toEqual([{ event: "message", data: "", id: "" }]);
});

test("a mark of the byte order before the first line is no part of it", async () => {
  expect(await read(["\ufeffdata: x\n\n"])).toHaveLength(1);
});

test("a body that breaks throws what it throws, after the events that were whole", async () => {
  async function* broken(): AsyncGenerator<string> {
    yield "data: 1\n\ndata: 2";
    throw new Error("terminated");
  }
  const seen: string[] = [];
  await expect(async () => {
    for await (const { data } of serverSentEvents(broken())) seen.push(data);
  }).rejects.toThrow("terminated");
  expect(seen).toEqual(["1"]);
});

test("however the bytes are cut, and with whatever line ends, the events are the same", async () => {
  const texts = array(string({ unit: "binary" }).map((text) => text.replaceAll(/[\r\n]/g, " ")), { minLength: 1, maxLength: 4 });
  await assert(
    asyncProperty(array(texts, { maxLength: 4 }), constantFrom("\n", "\r", "\r\n"), array(nat(40), { maxLength: 30 }), async (events, end, cuts) => {
      const wire = new TextEncoder().encode(events.map((lines) => `${lines.map((line) => `data: ${line}${end}`).join("")}${end}`).join(""));
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (const cut of cuts) pieces.push(wire.subarray(at, (at += cut)));
      pieces.push(wire.subarray(at));
      // A lone surrogate has no bytes of its own.
      expect((await read(pieces)).map(({ data }) => data)).toEqual(events.map((lines) => lines.join("\n").toWellFormed()));
    }),
  );
});
