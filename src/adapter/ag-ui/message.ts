// Owns the messages of AG-UI, as snapshots hold them and as they are sent with a run.

import { listMember, listOf, member, textMember } from "../../core/member.ts";

/** A message of AG-UI; an application's own may hold more. */
export interface AgUiMessage {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
  readonly toolCalls?: readonly { readonly id: string; readonly type: "function"; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly toolCallId?: string;
  readonly error?: string;
}

export interface MessageCall {
  readonly rawId: string;
  readonly toolName: string;
  readonly text: string;
}

export interface ReadMessage {
  readonly id: string;
  readonly role: string;
  readonly text: string;
  /** The run of a subagent that it belongs to; empty for the root's own. */
  readonly subagent: string;
  readonly calls: readonly MessageCall[];
  /** Of a tool's message. */
  readonly toolCallId: string;
  readonly content: unknown;
  /** Why the tool failed, where it did: a result alone cannot say it. */
  readonly error: string | undefined;
}

/** The text of a content: itself, or the texts of its parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return (listOf(content) ?? []).map((part) => (textMember(part, "type") === "text" ? (textMember(part, "text") ?? "") : "")).join("");
}

export function readMessage(message: unknown): ReadMessage {
  const content = member(message, "content");
  return {
    id: textMember(message, "id") ?? "",
    role: textMember(message, "role") ?? "",
    text: contentText(content),
    subagent: textMember(message, "subagentRunId") ?? "",
    calls: (listMember(message, "toolCalls") ?? []).map((call) => ({
      rawId: textMember(call, "id") ?? "",
      toolName: textMember(member(call, "function"), "name") ?? "",
      text: textMember(member(call, "function"), "arguments") ?? "",
    })),
    toolCallId: textMember(message, "toolCallId") ?? "",
    content,
    error: textMember(message, "error"),
  };
}

function isSame(a: ReadMessage, b: ReadMessage): boolean {
  if (a.role !== b.role) return false;
  if (a.role === "tool") return a.toolCallId === b.toolCallId;
  return a.id === b.id || (a.text === b.text && a.calls.length === b.calls.length && a.calls.every(({ rawId }, at) => rawId === b.calls[at]?.rawId));
}

/** What was said since a user spoke last. */
function sinceUser(messages: readonly ReadMessage[]): readonly ReadMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
}

/**
 * Those messages of a snapshot that this run has made: what stands after the last word of the user, without what stood there already when the
 * run began. A snapshot may give every message a new id.
 */
export function ownMessages(snapshot: readonly ReadMessage[], sent: readonly ReadMessage[]): readonly ReadMessage[] {
  const left = [...sinceUser(snapshot)];
  for (const before of sinceUser(sent)) {
    const at = left.findIndex((message) => isSame(message, before));
    if (at !== -1) left.splice(at, 1);
  }
  return left;
}
