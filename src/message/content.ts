// Owns the content of a message: a text, or parts of any dialect. Each part is read by its type, so that one message may mix dialects.

import { listOf, recordOf, textMember } from "../core/member.ts";
import { readAnthropicBlock } from "./anthropic.ts";
import { readUiPart } from "./ai-sdk-ui.ts";
import { readModelPart } from "./ai-sdk-model.ts";
import type { Journal } from "./journal.ts";
import { readLangChainBlock } from "./langchain-block.ts";
import type { MessageRole } from "./message.ts";
import { readResponsesItem } from "./openai-item.ts";
import { reasoningOfPart, textOfPart } from "./text-part.ts";

/** Known, and neither text, nor a call, nor its end. */
const WEIGHTLESS: ReadonlySet<string> = new Set([
  "image", "image_url", "input_image", "output_image", "file", "input_file", "document", "audio", "input_audio", "output_audio", "video", "media", "computer_screenshot",
  "source", "source-url", "source-document", "citation", "search_result", "step-start", "step_start", "container_upload", "compaction", "custom", "steering-message", "redacted_thinking",
  "redacted-reasoning", "reasoning-file", "input_json_delta", "cache_point", "cachePoint", "guard_content", "tool_reference", "mcp_tool_listing", "fallback",
]);

/** Reads `content`: a text, a list of parts, or nothing. Says false for anything else. */
export function readContent(content: unknown, role: MessageRole, path: string, journal: Journal): boolean {
  if (content === undefined || content === null) return true;
  if (typeof content === "string") {
    journal.text(role, content);
    return true;
  }
  const parts = listOf(content);
  if (parts === undefined) return false;
  parts.forEach((part, at) => readPart(part, role, `${path}[${at}]`, journal));
  return true;
}

export function readPart(part: unknown, role: MessageRole, path: string, journal: Journal): void {
  const text = textOfPart(part);
  if (text !== undefined) return journal.text(role, text);
  const type = textMember(part, "type");
  if (recordOf(part) === undefined || type === undefined) return journal.unread(path, recordOf(part) === undefined ? "something that is no part" : "a part without a type");
  const reasoning = reasoningOfPart(part);
  if (reasoning !== undefined) return journal.reasoning(reasoning);
  if (WEIGHTLESS.has(type) || type.startsWith("data-")) return;
  // A UI part first: a tool named `result` makes one of the type `tool-result`, with a state that no model's part has.
  const read = readUiPart(type, part, path, journal) || readModelPart(type, part, path, journal) || readAnthropicBlock(type, part, path, journal) || readLangChainBlock(type, part, path, journal) || readResponsesItem(type, part, path, journal);
  if (!read) journal.unread(path, `a part of the type ${JSON.stringify(type)}`);
}
