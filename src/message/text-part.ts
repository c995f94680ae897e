// Owns the parts of a message that are text: what was said, in the words of each dialect, and what was only thought.

import { listOf, member, textMember } from "../core/member.ts";

/** The text of a part that is one; `undefined` for any other. */
export function textOfPart(part: unknown): string | undefined {
  if (typeof part === "string") return part;
  switch (member(part, "type")) {
    case "text":
    case "input_text":
    case "output_text":
    case "text-plain":
      return textMember(part, "text");
    case "refusal":
      return textMember(part, "refusal");
    default:
      return undefined;
  }
}

/** The text of a part that is reasoning; `undefined` for any other. */
export function reasoningOfPart(part: unknown): string | undefined {
  switch (member(part, "type")) {
    case "reasoning":
    case "reasoning_content":
      return textMember(part, "text") ?? textMember(part, "reasoning") ?? reasoningText(part);
    case "thinking":
      return textMember(part, "thinking") ?? "";
    default:
      return undefined;
  }
}

/** The reasoning in an item of OpenAI's or a part of an older SDK: lists of texts. */
export function reasoningText(item: unknown): string {
  return ["summary", "content", "details"].flatMap((name) => listOf(member(item, name)) ?? []).map((piece) => textMember(piece, "text") ?? "").join("");
}

/** The texts of what a tool gave back, joined, where it is text alone; `undefined` where it is more. */
export function plainText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  const parts = listOf(content);
  const texts = parts?.map(textOfPart);
  return texts === undefined || texts.includes(undefined) ? undefined : texts.join("");
}
