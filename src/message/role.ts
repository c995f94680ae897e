// Owns the roles of messages: the words of each dialect, and what they mean.

import type { MessageRole } from "./message.ts";

const ROLES: ReadonlyMap<unknown, MessageRole | "tool"> = new Map([
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["system", "system"],
  ["developer", "system"],
  // Mastra's words of the framework itself, and the AI SDK's old ones of the application.
  ["signal", "system"],
  ["data", "system"],
  ["tool", "tool"],
  ["function", "tool"],
]);

/** `tool` is for messages that hold nothing but ends of calls. */
export function readRole(role: unknown): MessageRole | "tool" | undefined {
  return ROLES.get(role);
}
