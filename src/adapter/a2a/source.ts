// Owns the ways in which a task's updates arrive: as objects, as texts of one envelope each, as server-sent events in whatever pieces, or as one answer.

import { EntailError, messageOf } from "../../core/error.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { listOf, member, recordOf, textMember } from "../../core/member.ts";
import { streamItems } from "../../core/stream-item.ts";
import { readUpdates, type Update } from "./update.ts";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new EntailError("event_invalid", `an update of the task is no JSON: ${messageOf(thrown)}`, { cause: thrown });
  }
}

// oxlint-disable-next-line typescript/require-await -- the updates are there at once; the reader is asynchronous
async function* each(list: readonly unknown[]): AsyncGenerator<unknown, void> {
  yield* list;
}

/** True for an HTTP response, whoever made it. */
function isResponse(source: unknown): boolean {
  return typeof member(source, "status") === "number" && typeof member(source, "text") === "function";
}

/** The stream, or the one answer, of `source`. Throws `option_invalid` for what is neither, and `stream_incomplete` for a refused request. */
async function opened(source: unknown): Promise<AsyncIterable<unknown> | { readonly answer: unknown }> {
  if (isIterable(source)) return iterate(source);
  const list = listOf(source);
  if (list !== undefined) return each(list);
  if (isResponse(source)) {
    const response = source as Response;
    if (/event-stream/i.test(response.headers.get("content-type") ?? "") && isIterable(response.body)) return iterate(response.body);
    const text = await response.text();
    if (response.ok || text.trimStart().startsWith("{")) return { answer: parsed(text) };
    throw new EntailError("stream_incomplete", `there are no updates of a task: the answer has status ${response.status}`);
  }
  if (isIterable(member(source, "body"))) return opened(member(source, "body"));
  if (recordOf(source) !== undefined) return { answer: source };
  throw new EntailError("option_invalid", "events() needs a task of A2A: the stream of its updates, the response that brings them, or the task or message that was the answer");
}

/** The updates in order. */
export async function* updatesOf(source: unknown): AsyncGenerator<Update, void> {
  const open = await opened(source);
  if ("answer" in open) {
    yield* readUpdates(open.answer);
    return;
  }
  for await (const item of streamItems(open)) {
    if (item.kind === "object") yield* readUpdates(item.value);
    else if (item.kind === "text") yield* readUpdates(parsed(item.text));
    else if (item.data.trim() !== "") yield* errorOr(item.event, parsed(item.data));
  }
}

/** The SDK's servers name an event `error` where the error is no whole envelope. */
function errorOr(event: string, data: unknown): readonly Update[] {
  const named = event === "error" && member(data, "error") === undefined;
  return named ? [{ kind: "error", code: undefined, message: textMember(data, "message") ?? "it does not say why" }] : readUpdates(data);
}
