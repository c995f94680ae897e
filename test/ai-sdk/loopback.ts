// Owns a tiny HTTP server on loopback that answers as a test tells it, for wire situations that no mock of a protocol produces.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly path: string;
  readonly body: any;
}

export interface Answer {
  readonly status?: number;
  /** Server-sent events: each text becomes one `data:` line. */
  readonly sse?: readonly string[];
  /** Each event is named by the `type` of its JSON, as Anthropic's are. */
  readonly named?: boolean;
  readonly json?: unknown;
  /** Closes the connection after what was sent, without ending the answer. */
  readonly cut?: boolean;
  /** Holds the connection open after what was sent, until the client leaves. */
  readonly hang?: boolean;
}

export interface Loopback extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

const MAX_REQUESTS = 100;
const MAX_BODY = 1_000_000;

export async function loopback(answer: (request: Received, index: number) => Answer): Promise<Loopback> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => {
      text += String(piece);
      if (text.length > MAX_BODY) request.destroy();
    });
    request.on("end", () => {
      if (received.length >= MAX_REQUESTS) {
        response.writeHead(500).end();
        return;
      }
      const asked = { path: request.url ?? "", body: text === "" ? undefined : (JSON.parse(text) as unknown) };
      received.push(asked);
      const { status = 200, sse, named = false, json, cut = false, hang = false } = answered(answer, asked, received.length - 1);
      if (sse === undefined) {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
        return;
      }
      response.writeHead(status, { "content-type": "text/event-stream" });
      for (const data of sse) response.write(`${named ? `event: ${(JSON.parse(data) as { type: string }).type}\n` : ""}data: ${data}\n\n`);
      // Late enough for what was written to arrive.
      if (cut) setTimeout(() => response.destroy(), 20);
      else if (!hang) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A test's own fault is an answer too, so that the client ends and shows it. */
function answered(answer: (request: Received, index: number) => Answer, asked: Received, index: number): Answer {
  try {
    return answer(asked, index);
  } catch (thrown) {
    return { status: 400, json: { error: { message: `the test server failed: ${String(thrown)}` } } };
  }
}

/** An OpenAI chat stream: the deltas as they are given, then the reason and the usage, then the end mark. */
export function chatStream(deltas: readonly object[], finish: string | undefined, usage: object | null = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }): string[] {
  const chunk = (choice: object, rest: object = {}): string =>
    JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "gpt-4.1-mini", choices: [{ index: 0, finish_reason: null, ...choice }], ...rest });
  return [
    chunk({ delta: { role: "assistant", content: null } }),
    ...deltas.map((delta) => chunk({ delta })),
    ...(finish === undefined ? [] : [chunk({ delta: {}, finish_reason: finish })]),
    ...(finish === undefined || usage === null ? [] : [JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "gpt-4.1-mini", choices: [], usage })]),
    ...(finish === undefined ? [] : ["[DONE]"]),
  ];
}

/** An Anthropic message stream with one forced tool call whose input comes in the given pieces. */
export function messageStream(name: string, pieces: readonly string[], stopReason = "tool_use"): string[] {
  const event = (value: object): string => JSON.stringify(value);
  return [
    event({ type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", content: [], model: "claude-sonnet-4-5", stop_reason: null, stop_sequence: null, usage: { input_tokens: 21, output_tokens: 1 } } }),
    event({ type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "toolu_1", name, input: {} } }),
    ...pieces.map((partial_json) => event({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } })),
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 13 } }),
    event({ type: "message_stop" }),
  ];
}

/** An Anthropic message stream with one text. */
export function proseStream(text: string): string[] {
  const [start, , , , end] = messageStream("none", []);
  const event = (value: object): string => JSON.stringify(value);
  return [
    start ?? "",
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 13 } }),
    end ?? "",
  ];
}
