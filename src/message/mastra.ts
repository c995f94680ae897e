// Owns the container of Mastra's stored messages and of the AI SDK's UI messages: parts, the older `toolInvocations` beside them, and a text
// for readers that know neither.

import { listMember, member, recordOf, textMember } from "../core/member.ts";
import { readInvocation } from "./ai-sdk-ui.ts";
import { readPart } from "./content.ts";
import type { Journal } from "./journal.ts";
import type { MessageRole } from "./message.ts";
import { textOfPart } from "./text-part.ts";

/** True for what holds parts or invocations: a UI message, or the `content` of a stored one. */
export function isContainer(value: unknown): boolean {
  return listMember(value, "parts") !== undefined || listMember(value, "toolInvocations") !== undefined;
}

/**
 * Reads a container. A call that stands both in a part and in `toolInvocations` is the part's; one that stands in the older list alone comes
 * before the next call that both have, or at the end. The plain text counts only where no part is text.
 */
export function readContainer(container: unknown, role: MessageRole, path: string, journal: Journal): void {
  const within = path === "" ? "" : `${path}.`;
  const parts = listMember(container, "parts") ?? [];
  const invocations = listMember(container, "toolInvocations") ?? [];
  const saysText = parts.some((part) => textOfPart(part) !== undefined && textOfPart(part) !== "");
  const text = textMember(container, "content") ?? textMember(container, "text");
  parts.forEach((part, at) => readPart(part, role, `${within}parts[${at}]`, journal));
  const partIds = new Set(parts.map(callIdOf).filter((id) => id !== undefined && id !== ""));
  const ids = invocations.map((invocation) => textMember(invocation, "toolCallId"));
  /** For each invocation the next one that is also a part. */
  const anchors: (string | undefined)[] = [];
  const shared = (at: number): boolean => partIds.has(ids[at] ?? "");
  for (let at = ids.length - 1; at >= 0; at--) anchors[at] = shared(at) ? ids[at] : anchors[at + 1];
  invocations.forEach((invocation, at) => {
    if (shared(at)) return;
    const place = `${within}toolInvocations[${at}]`;
    if (recordOf(invocation) === undefined) return journal.unread(place, "something that is no tool invocation");
    readInvocation(invocation as object, undefined, place, journal, (call) => journal.callBefore(anchors[at], call));
  });
  // Where there are no parts, the calls came before the words about them.
  if (!saysText && text !== undefined) journal.text(role, text);
}

function callIdOf(part: unknown): string | undefined {
  return textMember(member(part, "toolInvocation"), "toolCallId") ?? textMember(part, "toolCallId");
}
