// Owns calls that are one part with a state: those of the AI SDK's UI messages (`tool-<name>`, `dynamic-tool`, and v4's `tool-invocation`),
// which Mastra keeps in its store.

import { flagMember, member, recordMember, textMember } from "../core/member.ts";
import { errorText } from "./ai-sdk-model.ts";
import type { EndedCall, IssuedCall, Journal } from "./journal.ts";
import type { Payload } from "./payload.ts";

/** Reads one part; says whether it is one of this dialect. */
export function readUiPart(type: string, part: unknown, path: string, journal: Journal): boolean {
  const invocation = type === "tool-invocation" ? recordMember(part, "toolInvocation") : undefined;
  if (invocation !== undefined) {
    readInvocation(invocation, part, path, journal, (call) => journal.call(call));
    return true;
  }
  if (type === "error" && recordMember(part, "error") !== undefined) {
    journal.error(errorText(member(part, "error")));
    return true;
  }
  const name = type === "dynamic-tool" ? textMember(part, "toolName") : type.startsWith("tool-") ? type.slice("tool-".length) : undefined;
  if (name === undefined || name === "" || textMember(part, "state") === undefined) return false;
  readState({
    id: textMember(part, "toolCallId") ?? "",
    name,
    args: { value: member(part, "input") ?? member(part, "rawInput") },
    result: { value: member(part, "output") },
    errorText: textMember(part, "errorText"),
    failed: false,
  }, part, part, path, journal, (call) => journal.call(call));
  return true;
}

/** v4's form, and Mastra's: the call in a member of its own, `args` and `result` instead of `input` and `output`. */
export function readInvocation(invocation: object, part: unknown, path: string, journal: Journal, issue: (call: IssuedCall) => string): void {
  const result = member(invocation, "result");
  readState({
    id: textMember(invocation, "toolCallId") ?? "",
    name: textMember(invocation, "toolName") ?? "",
    args: { value: member(invocation, "args") ?? member(invocation, "rawInput") },
    result: { value: result },
    errorText: textMember(invocation, "errorText"),
    // Mastra tells a call that broke the tool's schema by an `error` in its result.
    failed: flagMember(invocation, "isError") || Boolean(member(result, "error")),
  }, invocation, part, path, journal, issue);
}

interface StatedCall {
  readonly id: string;
  readonly name: string;
  readonly args: Payload;
  readonly result: { readonly value: unknown };
  readonly errorText: string | undefined;
  /** The end says that it failed, although its state is that of a result. */
  readonly failed: boolean;
}

function readState(call: StatedCall, stated: unknown, part: unknown, path: string, journal: Journal, issue: (call: IssuedCall) => string): void {
  const state = textMember(stated, "state");
  // Its arguments were still being written: it was never issued.
  if (state === "input-streaming" || state === "partial-call") return;
  const { name } = call;
  const approval = recordMember(stated, "approval");
  const approvalId = textMember(approval, "id");
  const reason = textMember(approval, "reason");
  const id = issue({ id: call.id, name, args: call.args, providerExecuted: flagMember(part, "providerExecuted") });
  const end = (ending: EndedCall): void => {
    if (flagMember(approval, "approved")) journal.decide({ approved: true, approvalId, callId: id, reason }, path);
    journal.end({ id, name, ...ending }, path);
  };
  switch (state) {
    case "call":
    case "input-available":
      return;
    case "result":
    case "output-available":
      if (flagMember(part, "preliminary")) return;
      return end(call.failed ? { result: call.result, error: call.errorText ?? errorOf(call.result.value) } : { result: call.result });
    case "output-error":
      return end({ error: call.errorText ?? "" });
    case "output-denied":
      return journal.decide({ approved: false, approvalId, callId: id, reason }, path);
    case "approval-requested":
      return journal.ask(id, { id: approvalId, reason: textMember(approval, "requestReason") ?? reason });
    case "approval-responded":
      return journal.decide({ approved: flagMember(approval, "approved"), approvalId, callId: id, reason }, path);
    case undefined:
    default:
      return journal.unread(path, `a call of ${JSON.stringify(name)} in the unknown state ${JSON.stringify(state)}`);
  }
}

/** Why a result that is none says that the call failed: the text itself, or its `error` or `message`. */
function errorOf(result: unknown): string {
  if (typeof result === "string") return result;
  return textMember(result, "error") ?? textMember(result, "message") ?? errorText(member(result, "error"));
}
