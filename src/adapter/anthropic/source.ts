// Owns the reading of a source: its parts one within another, whatever each of them is that an application or the SDK has at hand.

import { isIterable, iterate } from "../../core/iterate.ts";
import { flagMember, listOf, member, textMember } from "../../core/member.ts";

/** The SDK's own loop (`client.beta.messages.toolRunner`): its messages, and after each that calls tools the results that it will send. */
interface ToolRunnerLike extends AsyncIterable<unknown> {
  generateToolResponse(): PromiseLike<unknown>;
}

function isToolRunner(source: unknown): source is ToolRunnerLike {
  return isIterable(source) && typeof member(source, "generateToolResponse") === "function";
}

/** What `client.messages.stream` gives. It shows its events only to whoever listens in time, and may swallow the error with which it ended. */
interface MessageStreamLike extends AsyncIterable<unknown> {
  finalMessage(): PromiseLike<unknown>;
}

function isMessageStream(source: unknown): source is MessageStreamLike {
  return isIterable(source) && typeof member(source, "finalMessage") === "function";
}

/** Whoever reads a source sees it fail; where nobody reads it yet, or ever, it must not end the process. */
export function guardSource(source: unknown): void {
  for (const one of listOf(source) ?? [source]) {
    if (one instanceof Promise) one.catch(() => undefined);
    else if (isMessageStream(one)) void Promise.resolve(one.finalMessage()).catch(() => undefined);
  }
}

/** The parts of a source: a loop may give a whole stream, or a list of results, as one part. */
export async function* partsOf(source: unknown): AsyncGenerator<unknown, void> {
  const list = listOf(source);
  if (list !== undefined) for (const part of list) yield* partsOf(part);
  else if (isToolRunner(source)) yield* runnerParts(source);
  else if (isMessageStream(source)) yield* messageParts(source);
  else if (isIterable(source)) for await (const part of iterate(source)) yield* partsOf(part);
  else yield source;
}

async function* runnerParts(runner: ToolRunnerLike): AsyncGenerator<unknown, void> {
  for await (const item of runner) {
    let stopReason: string | undefined;
    for await (const part of partsOf(item)) {
      yield part;
      stopReason = textMember(part, "stop_reason") ?? textMember(member(part, "delta"), "stop_reason") ?? stopReason;
    }
    // It runs the tools once, whoever asks for their results first.
    const response = stopReason === "tool_use" ? await runner.generateToolResponse() : undefined;
    if (response !== undefined && response !== null) yield response;
  }
}

async function* messageParts(stream: MessageStreamLike): AsyncGenerator<unknown, void> {
  guardSource(stream);
  let whole = flagMember(stream, "ended");
  if (!whole) {
    let first = true;
    for await (const event of stream) {
      // Who comes late has missed the beginning, and then only the message as a whole is all of it.
      if (first) whole = textMember(event, "type") !== "message_start";
      first = false;
      if (!whole) yield event;
    }
  }
  if (whole) yield await stream.finalMessage();
  else if (flagMember(stream, "errored") || flagMember(stream, "aborted")) await stream.finalMessage();
}
