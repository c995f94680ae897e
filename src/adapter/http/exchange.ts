// Owns the reading of one answer of a chat endpoint as it comes, streamed or whole.

import { EntailError } from "../../core/error.ts";
import { listMember } from "../../core/member.ts";
import { serverSentEvents } from "../../core/server-sent-event.ts";
import { createCompletionReader, type Completion, type CompletionPiece } from "./completion.ts";
import { textOf, type Endpoint, type FetchResponse } from "./endpoint.ts";

/**
 * The pieces of the answer; the generator's own value is the whole. Throws `provider_failed` for what is not the chat protocol, and what the
 * connection breaks with.
 */
export async function* readCompletion(response: FetchResponse, { place }: Endpoint): AsyncGenerator<CompletionPiece, Completion> {
  const reader = createCompletionReader();
  // An endpoint may stream where it was not asked to, and the other way round.
  if (/\btext\/event-stream\b/i.test(response.headers.get("content-type") ?? "")) {
    for await (const { data } of serverSentEvents(response.body)) {
      if (data === "[DONE]") break;
      yield* reader.take(parsed(data, place));
    }
  } else {
    const answer = parsed(await textOf(response), place);
    yield* reader.take(answer);
    if ((listMember(answer, "choices") ?? []).length === 0 && reader.completion.error === undefined) throw notTheProtocol(place, "it has no choices");
  }
  return reader.completion;
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    throw notTheProtocol(place, `${JSON.stringify(text.slice(0, 100))} is not JSON`, thrown);
  }
}

function notTheProtocol(place: string, why: string, cause?: unknown): EntailError {
  return new EntailError("provider_failed", `${place} did not answer in the chat protocol: ${why}`, { cause });
}

/** The error of an answer that never said why it stopped. */
export function brokeOff({ place }: Endpoint): string {
  return `the answer of ${place} broke off: it ended without saying why it stopped`;
}
