// Owns the standard content blocks of LangChain's messages that are calls or their ends.

import { listMember, member, textMember } from "../core/member.ts";
import type { Journal } from "./journal.ts";

/** Reads one block; says whether it is one of this dialect. */
export function readLangChainBlock(type: string, block: unknown, path: string, journal: Journal): boolean {
  switch (type) {
    case "tool_call":
    case "server_tool_call":
      journal.call({ id: textMember(block, "id"), name: textMember(block, "name") ?? "", args: argumentsOf(block), providerExecuted: type === "server_tool_call" });
      return true;
    case "invalid_tool_call":
      readInvalidCall(block, journal);
      return true;
    case "server_tool_call_result": {
      const value = member(block, "output");
      journal.end({ id: textMember(block, "toolCallId") ?? textMember(block, "tool_call_id"), result: { value }, ...(textMember(block, "status") === "error" ? { error: textMember(block, "output") ?? "" } : {}), providerExecuted: true }, path);
      return true;
    }
    // A piece of a call that the message's own `tool_calls` hold whole.
    case "tool_call_chunk":
    case "server_tool_call_chunk":
      return true;
    default:
      return false;
  }
}

/** A call whose arguments could not be parsed: LangChain does not run it. */
function readInvalidCall(call: unknown, journal: Journal): void {
  const refused = textMember(call, "error") ?? "its arguments could not be parsed";
  journal.call({ id: textMember(call, "id"), name: textMember(call, "name") ?? "", args: argumentsOf(call), refused });
}

/** The members `tool_calls` and `invalid_tool_calls` of a message, in LangChain's form. */
export function readCallLists(message: unknown, journal: Journal): void {
  for (const call of listMember(message, "tool_calls") ?? []) journal.call({ id: textMember(call, "id"), name: textMember(call, "name") ?? "", args: argumentsOf(call) });
  for (const call of listMember(message, "invalid_tool_calls") ?? []) readInvalidCall(call, journal);
}

function argumentsOf(call: unknown): { readonly text: string } | { readonly value: unknown } {
  const args = member(call, "args");
  return typeof args === "string" ? { text: args } : { value: args };
}
