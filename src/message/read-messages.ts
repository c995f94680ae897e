// Owns the reading of a conversation's messages, whatever framework wrote them: Mastra, AI SDK, OpenAI (chat and Responses), Anthropic, LangChain.
// Each message is told by its own shape, so that one list may mix them.

import { listMember, listOf, member, namesOf, recordOf, textMember } from "../core/member.ts";
import { readContent, readPart } from "./content.ts";
import { createJournal, type Journal } from "./journal.ts";
import { langChainMessage, readLangChainMessage } from "./langchain.ts";
import { isContainer, readContainer } from "./mastra.ts";
import type { MessageRole, ReadMessages } from "./message.ts";
import { readChatCalls, readToolMessage } from "./openai-chat.ts";
import { readRole } from "./role.ts";
import { readUsage } from "./usage.ts";

/**
 * Reads messages: a list, one message, or an object whose `messages` are the list. Never throws, whatever they are: what is not understood is in
 * `unread`, and as long as that is not empty, nothing can be said of what did not happen.
 */
export function readMessages(messages: unknown): ReadMessages {
  const journal = createJournal();
  const list = listOf(messages) ?? (member(messages, "role") === undefined ? listMember(messages, "messages") : undefined) ?? [messages];
  list.forEach((message, index) => {
    journal.begin(index);
    readMessage(message, journal);
  });
  if (list.length < lengthOf(messages)) journal.unread("", `the end of a list of more than ${list.length} messages`);
  return journal.finish();
}

function lengthOf(messages: unknown): number {
  const length = member(messages, "length");
  return listOf(messages) !== undefined && typeof length === "number" ? length : 0;
}

function readMessage(message: unknown, journal: Journal): void {
  if (recordOf(message) === undefined) return journal.unread("", message === null ? "nothing" : `a ${typeof message} instead of a message`);
  const langChain = langChainMessage(message);
  if (langChain !== undefined) return readLangChainMessage(langChain, journal);
  if (member(message, "role") === undefined) return readWithoutRole(message, journal);
  const role = readRole(member(message, "role"));
  if (role === undefined) return journal.unread("", `a message of the role ${JSON.stringify(textMember(message, "role")) ?? "that is no text"}`);
  if (role === "tool") readToolContent(message, journal);
  else readSaid(message, role, journal);
  journal.usage(readUsage(member(message, "usage")));
  lookForCalls(message, journal);
}

/** An item of OpenAI's, a part that stands alone, or what Anthropic's model answered: the assistant's, all of them. */
function readWithoutRole(message: unknown, journal: Journal): void {
  if (textMember(message, "type") !== undefined) return readPart(message, "assistant", "", journal);
  if (textMember(message, "stop_reason") !== undefined && listMember(message, "content") !== undefined) return readSaid(message, "assistant", journal);
  journal.unread("", "a message without a role or a type");
}

function readSaid(message: unknown, role: MessageRole, journal: Journal): void {
  const content = member(message, "content");
  journal.reasoning(textMember(message, "reasoning_content") ?? textMember(message, "reasoning") ?? "");
  if (isContainer(message)) readContainer(message, role, "", journal);
  else if (recordOf(content) !== undefined) {
    if (isContainer(content)) readContainer(content, role, "content", journal);
    else if (textMember(content, "content") !== undefined || textMember(content, "text") !== undefined) journal.text(role, textMember(content, "content") ?? textMember(content, "text") ?? "");
    else journal.unread("content", "a content of an unknown form");
  } else if (!readContent(content, role, "content", journal)) journal.unread("content", `a content that is a ${typeof content}`);
  journal.text(role, textMember(message, "refusal") ?? "");
  journal.text(role, textMember(member(message, "audio"), "transcript") ?? "");
  readChatCalls(message, journal);
  if (content === undefined && !namesOf(message).some((name) => CONTENT.has(name))) journal.unread("", "a message without content");
}

/** A message of the role `tool`: parts that are ends of calls, each with its id, or one end whose id is the message's. */
function readToolContent(message: unknown, journal: Journal): void {
  const parts = listMember(message, "content");
  const typed = parts?.some((part) => /^tool[-_]/.test(textMember(part, "type") ?? "")) === true;
  if (isContainer(message)) readContainer(message, "assistant", "", journal);
  else if (isContainer(member(message, "content"))) readContainer(member(message, "content"), "assistant", "content", journal);
  else if (typed) readContent(parts, "assistant", "content", journal);
  else readToolMessage(message, journal);
}

/** The members that hold what a message says or calls. */
const CONTENT: ReadonlySet<string> = new Set(["content", "parts", "toolInvocations", "tool_calls", "toolCalls", "function_call", "refusal", "audio"]);
/** Members whose names speak of calls and that hold none which is not told elsewhere. */
const KNOWN: ReadonlySet<string> = new Set([...CONTENT, "tool_call_id", "toolCallId", "toolName", "tool_name", "toolCallIds", "toolCallArgs", "toolNames", "invalid_tool_calls"]);

/** A list of calls under a name that nobody knows must not pass for none. */
function lookForCalls(message: unknown, journal: Journal): void {
  for (const name of namesOf(message)) {
    if (KNOWN.has(name) || !/tool|call|invocation|steps/i.test(name)) continue;
    const value = member(message, name);
    const holds = (listOf(value)?.length ?? (recordOf(value) === undefined ? 0 : namesOf(value).length)) > 0;
    if (holds) journal.unread(name, "a member that may hold calls");
  }
}
