// Owns the calls of a nested agent, as far as its answer shows them: the SDK's pattern lets a tool give back the UI message that a
// sub-agent built, and the parts of that message are what the sub-agent did.

import { flagMember, member, textMember } from "../../core/member.ts";

export interface NestedCall {
  readonly rawId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly end?: { readonly kind: "result" | "error" | "invalid"; readonly value: unknown } | undefined;
  readonly denied: boolean;
}

const MAX_PARTS = 10_000;

function readCall(part: unknown): NestedCall | undefined {
  const type = textMember(part, "type") ?? "";
  const toolName = type === "dynamic-tool" ? textMember(part, "toolName") : type.startsWith("tool-") ? type.slice("tool-".length) : undefined;
  const rawId = textMember(part, "toolCallId");
  const state = textMember(part, "state");
  // A part whose input is still streaming, or that waits for approval, is no issued call.
  if (toolName === undefined || toolName === "" || rawId === undefined || state === undefined || state === "input-streaming" || state === "approval-requested") return undefined;
  const call = { rawId, toolName, input: member(part, "input") ?? member(part, "rawInput"), denied: state === "output-denied" };
  if (state === "output-available" && !flagMember(part, "preliminary")) return { ...call, end: { kind: "result", value: member(part, "output") } };
  if (state === "output-error") {
    const invalid = member(part, "input") === undefined && member(part, "rawInput") !== undefined;
    return { ...call, end: { kind: invalid ? "invalid" : "error", value: textMember(part, "errorText") } };
  }
  return call;
}

/** The calls in `output` where it is a UI message of an assistant, in their order; none for any other value. */
export function nestedCalls(output: unknown): readonly NestedCall[] {
  const parts = member(output, "parts");
  if (textMember(output, "role") !== "assistant" || textMember(output, "id") === undefined || !Array.isArray(parts)) return [];
  return (parts as unknown[]).slice(0, MAX_PARTS).flatMap((part) => readCall(part) ?? []);
}
