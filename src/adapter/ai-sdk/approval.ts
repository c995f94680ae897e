// Owns how a run of the SDK goes on that stopped for approval: which of its calls wait, and the message that answers for them.

import { EntailError } from "../../core/error.ts";
import { flagMember, listMember, listOf, member, textMember } from "../../core/member.ts";
import type { SeenCall } from "./call-ledger.ts";
import type { DecidedCall } from "./translator.ts";

export interface Approvals {
  /** In the order in which they were asked for. */
  readonly decided: readonly DecidedCall[];
  /** A message of the SDK that holds the answer to each of them. */
  readonly answer: object;
}

/** The messages that a run has made. Throws `option_invalid` where its source does not hold them. */
export async function messagesOf(source: unknown): Promise<readonly object[]> {
  const made = listOf(await member(source, "responseMessages")) ?? listMember(await member(source, "response"), "messages");
  if (made === undefined) {
    throw new EntailError("option_invalid", "resume() needs the messages of the run that stopped, and its stream alone does not hold them: let target() call what gives the whole result, (call) => streamText({ …, ...call })");
  }
  return made as readonly object[];
}

/** `seen` are the calls of the run as evidence has them. Throws `option_invalid` where nothing among `messages` waits for somebody's approval. */
export function approvalsOf(messages: readonly object[], seen: readonly SeenCall[], approved: boolean): Approvals {
  const parts = messages.flatMap((message) => listMember(message, "content") ?? []);
  const ofType = (type: string): readonly unknown[] => parts.filter((part) => textMember(part, "type") === type);
  const answered = new Set(ofType("tool-approval-response").map((part) => textMember(part, "approvalId")));
  const calls = new Map(ofType("tool-call").map((part) => [textMember(part, "toolCallId"), part]));
  const decided = ofType("tool-approval-request").flatMap((part): DecidedCall[] => {
    const [approvalId = "", rawId = ""] = [textMember(part, "approvalId"), textMember(part, "toolCallId")];
    if (answered.has(approvalId) || flagMember(part, "isAutomatic")) return [];
    const call = calls.get(rawId);
    const id = seen.find(({ approval }) => approval?.approvalId === approvalId)?.id ?? rawId;
    return [{ id, rawId, approvalId, toolName: textMember(call, "toolName") ?? "", input: member(call, "input"), providerExecuted: flagMember(call, "providerExecuted"), approved }];
  });
  if (decided.length === 0) throw new EntailError("option_invalid", "resume() found no call of the run that waits for approval; a call that the application executes itself is answered by the next turn");
  const content = decided.map(({ approvalId, providerExecuted }) => ({ type: "tool-approval-response", approvalId, approved, ...(providerExecuted ? { providerExecuted } : {}) }));
  return { decided, answer: { role: "tool", content } };
}
