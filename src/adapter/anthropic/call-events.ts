// Owns the events of a call, each said once: its start, the confirmation asked for it, the decision, and its end.

import type { Bounds, ToolFailure } from "../../core/evidence.ts";
import type { StreamEvent, ToolEndEvent } from "../../core/event.ts";
import { heldSince } from "../../core/held-event.ts";
import { listOf, textMember } from "../../core/member.ts";
import { resultMembers } from "../../message/event-payload.ts";
import { textResult } from "../../message/result-text.ts";
import type { SeenCall } from "./call-ledger.ts";

export interface EventBase {
  readonly runId: string;
  readonly sessionId?: string | undefined;
}

/** How a call ended: with what its tool gave back, with what the model was shown of that, or in failure. */
export type CallOutcome = { readonly kind: "result"; readonly value: unknown } | { readonly kind: "shown"; readonly content: unknown } | { readonly kind: "failure"; readonly failure: ToolFailure };

export interface CallEvents {
  start(call: SeenCall): StreamEvent[];
  confirmation(call: SeenCall, prompt: string | undefined): StreamEvent[];
  decision(call: SeenCall, approved: boolean, summary: string | undefined, by: string | undefined): StreamEvent[];
  end(call: Pick<SeenCall, "id" | "toolName">, outcome: CallOutcome): StreamEvent[];
}

/** What the model was shown: one text is read as what it says, anything else stands as it is. */
function shownResult(content: unknown): Pick<ToolEndEvent, "result" | "resultJson" | "resultOmitted"> {
  if (typeof content === "string") return textResult(content);
  const blocks = listOf(content);
  const [only] = blocks ?? [];
  if (blocks?.length === 1 && textMember(only, "type") === "text") return textResult(textMember(only, "text") ?? "");
  return resultMembers(content);
}

export function callEvents(base: EventBase, bounds: ((toolName: string, output: unknown) => Bounds | undefined) | undefined): CallEvents {
  return {
    start(call) {
      if (call.said.start) return [];
      call.said.start = true;
      const event: StreamEvent = { ...base, type: "tool_start", toolCallId: call.id, toolName: call.toolName, ...call.arguments, ...(call.parent === undefined ? {} : { parentToolCallId: call.parent }) };
      return [call.approval === undefined || call.approval.late ? heldSince(event, call.at) : event];
    },
    confirmation: (call, prompt) => [{ ...base, type: "await_confirmation", toolCallId: call.id, toolName: call.toolName, prompt: prompt ?? `${call.toolName} needs approval`, ...call.arguments }],
    decision(call, approved, summary, by) {
      if (call.said.decision) return [];
      call.said.decision = true;
      return [{ ...base, type: "tool_authorization", toolCallId: call.id, toolName: call.toolName, approved, ...(by === undefined ? {} : { approvedBy: by }), ...(summary === undefined ? {} : { summary }) }];
    },
    end({ id, toolName }, outcome) {
      const of = { ...base, type: "tool_end", toolCallId: id, toolName } as const;
      if (outcome.kind === "failure") return [{ ...of, failure: outcome.failure }];
      const members = outcome.kind === "shown" ? shownResult(outcome.content) : resultMembers(outcome.value);
      const value: unknown = outcome.kind === "result" ? outcome.value : members.resultJson === undefined ? members.result : JSON.parse(members.resultJson);
      const read = bounds?.(toolName, value);
      return [{ ...of, ...members, ...(read === undefined ? {} : { bounds: read }) }];
    },
  };
}
