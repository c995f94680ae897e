// Owns what is OpenAI's own in chat messages: `tool_calls` beside the content, in the forms that compatible servers and AG-UI give it, and
// messages of the role `tool`.

import { listMember, member, recordMember, textMember } from "../core/member.ts";
import type { Journal } from "./journal.ts";
import type { Payload } from "./payload.ts";
import { plainText } from "./text-part.ts";

/** The calls of an assistant's message. */
export function readChatCalls(message: unknown, journal: Journal): void {
  for (const name of ["tool_calls", "toolCalls"]) (listMember(message, name) ?? []).forEach((call, at) => readChatCall(call, `${name}[${at}]`, journal));
  const legacy = recordMember(message, "function_call");
  if (legacy !== undefined) journal.call({ name: textMember(legacy, "name") ?? "", args: argumentsOf(member(legacy, "arguments")) });
}

function readChatCall(call: unknown, path: string, journal: Journal): void {
  const id = textMember(call, "id");
  const called = recordMember(call, "function");
  const custom = recordMember(call, "custom");
  if (called !== undefined) journal.call({ id, name: textMember(called, "name") ?? "", args: argumentsOf(member(called, "arguments")) });
  else if (custom !== undefined) journal.call({ id, name: textMember(custom, "name") ?? "", args: argumentsOf(member(custom, "input")) });
  else if (textMember(call, "name") !== undefined) journal.call({ id, name: textMember(call, "name") ?? "", args: argumentsOf(member(call, "args") ?? member(call, "arguments")) });
  else journal.unread(path, "a call of an unknown form");
}

/** Text as OpenAI writes it, or the value that some compatible servers send. */
function argumentsOf(value: unknown): Payload {
  return typeof value === "string" ? { text: value } : { value };
}

/** A message of the role `tool` or `function`, whose content is what the tool gave back. Some dialects say beside it that the tool failed. */
export function readToolMessage(message: unknown, journal: Journal): void {
  const content = member(message, "content");
  const text = plainText(content);
  const result: Payload = text === undefined ? { value: content ?? undefined } : { text };
  const error = textMember(message, "error") ?? (textMember(message, "status") === "error" ? (text ?? "") : undefined);
  const id = textMember(message, "tool_call_id") ?? textMember(message, "toolCallId");
  journal.end({ id, name: textMember(message, "name"), result, ...(error === undefined ? {} : { error }) }, "");
}
