// Owns what counts as a streamed response: deltas, then exactly one validated response, then nothing.

import { untilAborted } from "../core/abort.ts";
import { EntailError } from "../core/error.ts";
import type { ModelStreamPart } from "../core/model.ts";
import { readResponse } from "./read-response.ts";

function invalid(what: string): EntailError {
  return new EntailError("provider_response_invalid", `the provider's stream is invalid: ${what}`);
}

function readStreamPart(value: unknown): ModelStreamPart {
  if (typeof value !== "object" || value === null) throw invalid("a part is no object");
  const part = value as Readonly<Record<string, unknown>>;
  const text = (member: string, mayBeEmpty: boolean): string => {
    const given = part[member];
    if (typeof given !== "string" || (given === "" && !mayBeEmpty)) throw invalid(`a ${String(part["type"])} has no ${member}`);
    return given;
  };
  switch (part["type"]) {
    case "text_delta":
      return Object.freeze({ type: "text_delta", text: text("text", false) });
    case "tool_call_delta":
      return Object.freeze({ type: "tool_call_delta", id: text("id", false), name: text("name", false), arguments: text("arguments", true) });
    case "response":
      return Object.freeze({ type: "response", response: readResponse(part["response"]) });
    default:
      throw invalid('a part\'s type must be "text_delta", "tool_call_delta" or "response"');
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function";
}

/** The parts of `source`, validated; throws `provider_response_invalid` for a bad part, a part after the response, or an end without one. */
export async function* readStream(source: unknown, signal: AbortSignal | undefined, what: string): AsyncGenerator<ModelStreamPart, void> {
  if (!isAsyncIterable(source)) throw invalid("it cannot be iterated");
  const iterator = source[Symbol.asyncIterator]();
  let answered = false;
  let ended = false;
  try {
    for (;;) {
      const step = await untilAborted(Promise.resolve(iterator.next()), signal, what);
      if (step.done === true) {
        ended = true;
        break;
      }
      if (answered) throw invalid("something follows the response");
      const part = readStreamPart(step.value);
      answered = part.type === "response";
      yield part;
    }
  } finally {
    // A source that hangs or throws on being closed has nothing more to say.
    if (!ended) void Promise.resolve().then(() => iterator.return?.()).catch(() => undefined);
  }
  if (!answered) throw invalid("it ended without a response");
}
