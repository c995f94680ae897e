// Owns the parts of a run that talks to the Messages API: the events of streamed messages, whole messages, the application's own tool results, and
// what an application says of its loop in Entail's words. Each is read once, by shape.

import { flagMember, listMember, member, textMember } from "../../core/member.ts";

export interface ResultPart {
  readonly kind: "tool_result";
  readonly rawId: string;
  readonly content: unknown;
  readonly isError: boolean;
}

export type Part =
  | { readonly kind: "message_start"; readonly usage: unknown }
  | { readonly kind: "block_start"; readonly index: number; readonly block: unknown }
  | { readonly kind: "block_piece"; readonly index: number; readonly delta: unknown }
  | { readonly kind: "block_stop"; readonly index: number }
  | { readonly kind: "message_delta"; readonly stopReason: string | undefined; readonly detail: string | undefined; readonly usage: unknown }
  | { readonly kind: "message_stop" }
  /** A message that was not streamed. */
  | { readonly kind: "message"; readonly content: readonly unknown[]; readonly stopReason: string | undefined; readonly detail: string | undefined; readonly usage: unknown }
  /** A block that stands by itself: a call of an earlier run. */
  | { readonly kind: "block"; readonly block: unknown }
  | { readonly kind: "tool_results"; readonly results: readonly ResultPart[] }
  | { readonly kind: "failure"; readonly error: unknown }
  /** The application's own word, an event of Entail's. */
  | { readonly kind: "said"; readonly event: object }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly type: string };

/** What an application may say of its loop: the API knows neither approvals nor the end of a run. */
export const SAID = ["await_confirmation", "tool_authorization", "workflow"] as const;

function resultPart(block: unknown): ResultPart {
  return { kind: "tool_result", rawId: textMember(block, "tool_use_id") ?? "", content: member(block, "content"), isError: flagMember(block, "is_error") };
}

function indexOf(event: unknown): number {
  const index = member(event, "index");
  return typeof index === "number" ? index : -1;
}

/** Never throws: what cannot be read is an unknown part. */
export function readPart(part: unknown): Part {
  const type = textMember(part, "type");
  switch (type) {
    case "message_start":
      // Its content is empty on the wire. The SDK's helper fills it in the meantime, and what fills it comes as events too.
      return { kind: "message_start", usage: member(member(part, "message"), "usage") };
    case "content_block_start":
      return { kind: "block_start", index: indexOf(part), block: member(part, "content_block") };
    case "content_block_delta":
      return { kind: "block_piece", index: indexOf(part), delta: member(part, "delta") };
    case "content_block_stop":
      return { kind: "block_stop", index: indexOf(part) };
    case "message_delta": {
      const delta = member(part, "delta");
      return { kind: "message_delta", stopReason: textMember(delta, "stop_reason"), detail: refusal(delta), usage: member(part, "usage") };
    }
    case "message_stop":
      return { kind: "message_stop" };
    case "message":
      if (textMember(part, "role") !== "assistant") return messageParam(part);
      return { kind: "message", content: listMember(part, "content") ?? [], stopReason: textMember(part, "stop_reason"), detail: refusal(part), usage: member(part, "usage") };
    case "tool_use":
      return { kind: "block", block: part };
    case "tool_result":
      return { kind: "tool_results", results: [resultPart(part)] };
    case "error":
      return { kind: "failure", error: part };
    case "ping":
      return { kind: "none" };
    case undefined:
      return messageParam(part);
    default:
      return (SAID as readonly string[]).includes(type) && typeof part === "object" && part !== null ? { kind: "said", event: part } : { kind: "unknown", type };
  }
}

/** What the API says of a refusal. */
function refusal(message: unknown): string | undefined {
  const details = member(message, "stop_details");
  return textMember(details, "explanation") ?? textMember(details, "category");
}

/** A message of the application's: its tool results count, the rest is what it asks. One of the assistant's repeats what was said before. */
function messageParam(part: unknown): Part {
  const role = textMember(part, "role");
  if (role === "user") return { kind: "tool_results", results: (listMember(part, "content") ?? []).filter((block) => textMember(block, "type") === "tool_result").map(resultPart) };
  return { kind: "unknown", type: role === undefined ? (part === null ? "null" : typeof part) : `a message of the role ${role}` };
}
