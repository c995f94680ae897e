// Owns the parts of an AI SDK stream, in both of its dialects: the parts of `streamText` and `ToolLoopAgent.stream`, and the chunks of a
// UI message stream. Each is read once, by shape, into one union.

import { flagMember, member, textMember } from "../../core/member.ts";

export interface CallPart {
  readonly kind: "call";
  readonly rawId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Set where the call broke its contract: unreadable or invalid input, or a tool that does not exist. */
  readonly invalid?: { readonly error: unknown } | undefined;
  readonly providerExecuted: boolean;
}

/** The end of a call. `toolName` and `input` are those of the call, where the dialect repeats them. */
export interface EndPart {
  readonly kind: "result" | "error";
  readonly rawId: string;
  readonly toolName?: string | undefined;
  readonly input?: unknown;
  /** The output, or what was thrown. */
  readonly value: unknown;
  readonly preliminary: boolean;
  readonly providerExecuted: boolean;
}

export interface RequestPart {
  readonly kind: "approval_request";
  readonly approvalId: string;
  readonly rawId: string;
  readonly toolName?: string | undefined;
  readonly input?: unknown;
  readonly reason?: string | undefined;
  /** Decided by policy in the same breath. */
  readonly automatic: boolean;
}

export type StreamPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "input_start"; readonly rawId: string }
  | { readonly kind: "input_delta"; readonly rawId: string; readonly delta: string }
  | CallPart
  | EndPart
  | RequestPart
  | { readonly kind: "approval_response"; readonly approvalId: string; readonly rawId?: string | undefined; readonly approved: boolean; readonly reason?: string | undefined }
  | { readonly kind: "denied"; readonly rawId: string; readonly toolName?: string | undefined }
  | { readonly kind: "step_start" }
  | { readonly kind: "step_end"; readonly usage: unknown }
  | { readonly kind: "step_reset" }
  | { readonly kind: "finish"; readonly reason?: string | undefined; readonly rawReason?: string | undefined; readonly usage: unknown }
  | { readonly kind: "abort"; readonly reason?: string | undefined }
  | { readonly kind: "failure"; readonly error: unknown }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly type: string };

/** Known, and of no weight as evidence. */
const WEIGHTLESS: ReadonlySet<string> = new Set([
  "start", "text-start", "text-end", "tool-input-end", "reasoning-start", "reasoning-delta", "reasoning-end", "reasoning-file",
  "custom", "source", "source-url", "source-document", "file", "raw", "ping", "steering-message", "message-metadata",
]);

const NONE: StreamPart = { kind: "none" };

function endPart(kind: "result" | "error", part: unknown, value: unknown): EndPart {
  return {
    kind,
    rawId: textMember(part, "toolCallId") ?? "",
    toolName: textMember(part, "toolName"),
    input: member(part, "input"),
    value,
    preliminary: flagMember(part, "preliminary"),
    providerExecuted: flagMember(part, "providerExecuted"),
  };
}

function callPart(part: unknown, invalid: { readonly error: unknown } | undefined): CallPart {
  return {
    kind: "call",
    rawId: textMember(part, "toolCallId") ?? "",
    toolName: textMember(part, "toolName") ?? "",
    input: member(part, "input"),
    invalid,
    providerExecuted: flagMember(part, "providerExecuted"),
  };
}

/** Never throws: what cannot be read is an unknown part. */
export function readPart(part: unknown): StreamPart {
  const type = textMember(part, "type");
  switch (type) {
    case undefined:
      return { kind: "unknown", type: part === null ? "null" : typeof part };
    case "text-delta":
      return { kind: "text", text: textMember(part, "text") ?? textMember(part, "delta") ?? "" };
    case "tool-input-start":
      return { kind: "input_start", rawId: textMember(part, "id") ?? textMember(part, "toolCallId") ?? "" };
    case "tool-input-delta":
      return {
        kind: "input_delta",
        rawId: textMember(part, "id") ?? textMember(part, "toolCallId") ?? "",
        delta: textMember(part, "delta") ?? textMember(part, "inputTextDelta") ?? "",
      };
    case "tool-call":
      return callPart(part, flagMember(part, "invalid") ? { error: member(part, "error") } : undefined);
    case "tool-input-available":
      return callPart(part, undefined);
    case "tool-input-error":
      return callPart(part, { error: textMember(part, "errorText") });
    case "tool-result":
    case "tool-output-available":
      return endPart("result", part, member(part, "output"));
    case "tool-error":
      return endPart("error", part, member(part, "error"));
    case "tool-output-error":
      return endPart("error", part, textMember(part, "errorText"));
    case "tool-output-denied":
      return { kind: "denied", rawId: textMember(part, "toolCallId") ?? "", toolName: textMember(part, "toolName") };
    case "tool-approval-request": {
      const call = member(part, "toolCall");
      return {
        kind: "approval_request",
        approvalId: textMember(part, "approvalId") ?? "",
        rawId: textMember(call, "toolCallId") ?? textMember(part, "toolCallId") ?? "",
        toolName: textMember(call, "toolName"),
        input: member(call, "input"),
        reason: textMember(part, "reason"),
        automatic: flagMember(part, "isAutomatic"),
      };
    }
    case "tool-approval-response":
      return {
        kind: "approval_response",
        approvalId: textMember(part, "approvalId") ?? "",
        rawId: textMember(member(part, "toolCall"), "toolCallId"),
        approved: flagMember(part, "approved"),
        reason: textMember(part, "reason"),
      };
    case "start-step":
      return { kind: "step_start" };
    case "finish-step":
      return { kind: "step_end", usage: member(part, "usage") };
    case "reset-step":
      return { kind: "step_reset" };
    case "finish":
      return { kind: "finish", reason: textMember(part, "finishReason"), rawReason: textMember(part, "rawFinishReason"), usage: member(part, "totalUsage") };
    case "abort":
      return { kind: "abort", reason: textMember(part, "reason") };
    case "error":
      return { kind: "failure", error: member(part, "error") ?? textMember(part, "errorText") };
    default:
      return WEIGHTLESS.has(type) || type.startsWith("data-") ? NONE : { kind: "unknown", type };
  }
}
