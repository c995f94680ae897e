// Owns a conversation's own copy of a request context: Mastra's memory writes thread and resource into the one that it is given.

import { member } from "../core/member.ts";

/** A copy where it is one of Mastra's, else the value itself. */
export async function ownContext(context: unknown): Promise<unknown> {
  if (context === undefined || typeof member(context, "entries") !== "function" || typeof member(context, "set") !== "function") return context;
  const { copyRequestContext } = await import("../adapter/mastra/request-context.ts");
  return copyRequestContext(context);
}
