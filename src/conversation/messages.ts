// Owns the messages that scorers see where a target gives none of its own: in the form in which Mastra stores them, which every scorer reads.

import type { Evidence, ToolCall } from "../core/evidence.ts";
import { listOf, member, recordOf, textMember } from "../core/member.ts";
import type { AgentInput } from "../core/scorer.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { canonicalJson, sameJson } from "../json/write-json.ts";
import { readMessages } from "../message/read-messages.ts";

const NONE: readonly never[] = Object.freeze([]);
const NO_TAGS: Readonly<Record<string, readonly unknown[]>> = Object.freeze({});

export function textMessage(role: "user" | "assistant", text: string): object {
  return { role, content: { format: 2, parts: [{ type: "text", text }], content: text } };
}

/** What was sent, as Mastra tells it. */
export function agentInput(input: unknown): AgentInput {
  return { inputMessages: inputMessages(input), rememberedMessages: NONE, systemMessages: NONE, taggedSystemMessages: NO_TAGS };
}

function inputMessages(input: unknown): readonly unknown[] {
  if (typeof input === "string") return [textMessage("user", input)];
  const list = listOf(input);
  if (list !== undefined) return list.map((item) => (typeof item === "string" ? textMessage("user", item) : item));
  return textMember(input, "role") !== undefined ? [input] : [textMessage("user", valueText(input))];
}

/** The words of an input, for whoever keeps no messages: what the user said, or the JSON of what was sent. */
export function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  const list = listOf(input);
  if (list?.every((item) => typeof item === "string") === true) return list.join("\n");
  const read = readMessages(input);
  const said = read.items.flatMap((item) => (item.kind === "text" && item.role === "user" ? [item.text] : []));
  return said.length > 0 ? said.join("\n") : valueText(input);
}

/** A value that is no text as one. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return canonicalJson(wireSafe(value) ?? null);
  } catch {
    return "";
  }
}

/** What the evidence shows, as one message of the assistant: its calls, and then what it said. */
export function evidenceMessages({ toolCalls, answer }: Evidence): readonly object[] {
  const parts: object[] = toolCalls.map((call) => ({ type: "tool-invocation", toolInvocation: invocation(call) }));
  if (answer !== "") parts.push({ type: "text", text: answer });
  return parts.length === 0 ? [] : [{ role: "assistant", content: { format: 2, parts, ...(answer === "" ? {} : { content: answer }) } }];
}

function invocation({ toolCallId, toolName, args, result, failure, completed, approval }: ToolCall): object {
  const call = { toolCallId, toolName, args };
  if (failure !== undefined) return { ...call, state: "output-error", errorText: failure.error.message };
  if (approval === "denied") return { ...call, state: "output-denied", approval: { approved: false } };
  if (completed) return { ...call, state: "result", result: result ?? null };
  return { ...call, state: approval === "pending" ? "approval-requested" : "call" };
}

/**
 * Leaves out what earlier turns have shown already: a target with a thread of its own may give all of it with each turn. Messages are the same by
 * their ids; without ids, where the list begins with all that the last one held.
 */
export function newMessages(): (messages: readonly unknown[]) => readonly unknown[] {
  const seen = new Set<string>();
  let last: readonly unknown[] = [];
  const idOf = (message: unknown): string | undefined => textMember(message, "id") ?? textMember(member(message, "kwargs"), "id");
  return (messages) => {
    const before = last;
    last = messages;
    const begins = before.length > 0 && messages.length > before.length && before.every((message, at) => same(message, messages[at]));
    const rest = begins ? messages.slice(before.length) : messages;
    const calls = new Set(before.flatMap(callIds));
    const fresh = rest.filter((message) => {
      const id = idOf(message);
      if (id !== undefined) return !seen.has(id);
      // The end of a call of an earlier turn has no id of its own in some dialects.
      const ends = textMember(message, "tool_call_id") ?? textMember(message, "toolCallId");
      return ends === undefined || !calls.has(ends) || before.every((old) => !same(old, message));
    });
    for (const message of messages) {
      const id = idOf(message);
      if (id !== undefined) seen.add(id);
    }
    // A thread has grown by the answer at least, so what seems to hold nothing new is a turn that says the same again.
    return fresh.length === 0 ? messages : fresh;
  };
}

function callIds(message: unknown): readonly string[] {
  return readMessages([message]).items.flatMap((item) => (item.kind === "call" ? [item.toolCallId] : []));
}

function same(one: unknown, other: unknown): boolean {
  return one === other || (recordOf(one) !== undefined && recordOf(other) !== undefined && sameJson(one, other));
}
