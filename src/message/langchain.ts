// Owns LangChain's messages as a whole: instances of its classes, and the three forms in which they are stored.

import { listMember, member, recordMember, textMember } from "../core/member.ts";
import { readContent } from "./content.ts";
import type { Journal } from "./journal.ts";
import { readCallLists } from "./langchain-block.ts";
import { readChatCalls, readToolMessage } from "./openai-chat.ts";
import { readRole } from "./role.ts";
import { readUsage } from "./usage.ts";

interface LangChainMessage {
  readonly type: string;
  /** The object that holds `content` and its like. */
  readonly fields: unknown;
}

const KINDS: ReadonlySet<string> = new Set(["human", "ai", "tool", "system", "function", "developer", "remove"]);

/** `AIMessage` and `AIMessageChunk` are `ai`. */
function kindOfClass(name: string): string {
  return name.replace(/Message(?:Chunk)?$/, "").toLowerCase();
}

/** The message where it is one of LangChain's; `undefined` for any other. */
export function langChainMessage(message: unknown): LangChainMessage | undefined {
  const type = textMember(message, "type") ?? "";
  if (member(message, "lc") === 1) {
    const name = listMember(message, "id")?.at(-1);
    return typeof name === "string" ? { type: kindOfClass(name), fields: recordMember(message, "kwargs") } : undefined;
  }
  const data = recordMember(message, "data");
  if (data !== undefined && KINDS.has(kindOfClass(type)) && member(message, "content") === undefined) return { type: kindOfClass(type), fields: data };
  if (/^(?:AI|Human|Tool|System|Function)Message(?:Chunk)?$/.test(type)) return { type: kindOfClass(type), fields: message };
  const instance = typeof member(message, "_getType") === "function" || typeof member(message, "getType") === "function";
  if (instance && type === "generic") return { type: textMember(message, "role") ?? "", fields: message };
  return KINDS.has(type) && (instance || member(message, "role") === undefined) ? { type, fields: message } : undefined;
}

export function readLangChainMessage({ type, fields }: LangChainMessage, journal: Journal): void {
  const role = readRole(type);
  // An order to take a message out of a state; the state itself has done so.
  if (type === "remove") return;
  if (fields === undefined || role === undefined) return journal.unread("", `a LangChain message of the type ${JSON.stringify(type)}`);
  if (role === "tool") return readToolMessage(fields, journal);
  const further = member(fields, "additional_kwargs");
  journal.reasoning(textMember(further, "reasoning_content") ?? "");
  if (!readContent(member(fields, "content"), role, "content", journal)) journal.unread("content", "a content that is neither text nor a list");
  readCallLists(fields, journal);
  // The text that the model wrote, under the same ids.
  readChatCalls(textCalls(further, fields), journal);
  journal.usage(readUsage(member(fields, "usage_metadata")));
}

/** What OpenAI's model wrote. Beside calls of the message's own, one without an id would only tell one of them again. */
function textCalls(further: unknown, fields: unknown): unknown {
  const own = [...(listMember(fields, "tool_calls") ?? []), ...(listMember(fields, "invalid_tool_calls") ?? [])];
  if (own.length === 0) return further;
  return { tool_calls: (listMember(further, "tool_calls") ?? []).filter((call) => textMember(call, "id") !== undefined) };
}
