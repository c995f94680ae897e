// Owns the blocks of Anthropic's messages: the application's tools, the provider's own, and those of MCP servers.

import { flagMember, member, recordMember, textMember } from "../core/member.ts";
import type { EndedCall, Journal } from "./journal.ts";
import { plainText } from "./text-part.ts";

/** Reads one block; says whether it is one of this dialect. */
export function readAnthropicBlock(type: string, block: unknown, path: string, journal: Journal): boolean {
  if (type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use") {
    const input = member(block, "input");
    journal.call({ id: textMember(block, "id"), name: textMember(block, "name") ?? "", args: { value: input }, providerExecuted: type !== "tool_use" });
    return true;
  }
  const id = textMember(block, "tool_use_id");
  if (id === undefined || !/(?:^|_)tool_result$/.test(type)) return false;
  journal.end({ id, ...endOf(block), providerExecuted: type !== "tool_result" }, path);
  return true;
}

function endOf(block: unknown): Pick<EndedCall, "result" | "error"> {
  const content = member(block, "content");
  const text = plainText(content);
  // A provider's tool tells its failure by a content of an error's type.
  const failed = recordMember(block, "content");
  if (textMember(failed, "type")?.endsWith("_error") === true) return { error: textMember(failed, "error_message") ?? textMember(failed, "error_code") ?? "" };
  const result = text === undefined ? { value: content } : { text };
  return flagMember(block, "is_error") ? { error: text ?? "", result } : { result };
}
