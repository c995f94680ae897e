// Owns what checks and scorers ask of messages that were read: the calls, and what the assistant said.

import type { MessageCall, ReadMessages } from "./message.ts";

/** The calls in the order in which they were issued. */
export function toolCallsOf({ items }: ReadMessages): readonly MessageCall[] {
  return items.filter((item) => item.kind === "call");
}

/** `all`: every text that the assistant said. `final`: of each turn (what follows a user's message) the last one. */
export type TextScope = "all" | "final";

/** The assistant's texts in order, reasoning left out. */
export function assistantTextsOf({ items }: ReadMessages, scope: TextScope): readonly string[] {
  const turns: string[][] = [[]];
  for (const item of items) {
    if (item.kind !== "text") continue;
    if (item.role === "user") turns.push([]);
    else if (item.role === "assistant") turns.at(-1)?.push(item.text);
  }
  return turns.flatMap((texts) => (scope === "all" ? texts : texts.slice(-1)));
}

/** The same texts, joined. */
export function assistantTextOf(read: ReadMessages, scope: TextScope, separator = ""): string {
  return assistantTextsOf(read, scope).join(separator);
}
