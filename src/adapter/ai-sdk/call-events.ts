// Owns the events of a call, each said once: its start, the confirmation asked for it, the decision, and its end.

import type { Bounds, FailureKind } from "../../core/evidence.ts";
import type { AwaitConfirmationEvent, StreamEvent, ToolEndEvent } from "../../core/event.ts";
import { heldSince } from "../../core/held-event.ts";
import { resultMembers } from "../../message/event-payload.ts";
import type { SeenCall } from "./call-ledger.ts";
import { invalidCall, toolFailure } from "./failure.ts";
import { nestedCalls } from "./nested.ts";
import type { EndPart } from "./part.ts";

export interface EventBase {
  readonly runId: string;
  readonly sessionId?: string | undefined;
}

export interface CallEvents {
  start(call: SeenCall): StreamEvent[];
  confirmation(call: SeenCall): StreamEvent[];
  decision(call: SeenCall, approved: boolean, reason: string | undefined): StreamEvent[];
  end(call: SeenCall, end: EndPart): StreamEvent[];
  /** The end of a call that the SDK refused and never ended itself; nothing where it was ended. */
  invalid(call: SeenCall): StreamEvent[];
}

interface CallEventsOptions {
  readonly base: EventBase;
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
}

export function callEvents({ base, bounds, failureKind }: CallEventsOptions): CallEvents {
  const nestedIds = new Set<string>();

  const nested = (parent: SeenCall, output: unknown): StreamEvent[] =>
    nestedCalls(output).flatMap(({ rawId, toolName, input, end, denied }) => {
      let toolCallId = `${parent.id}/${rawId}`;
      while (nestedIds.has(toolCallId)) toolCallId += "+";
      nestedIds.add(toolCallId);
      // A run of its own, so that nothing of it counts as the root's.
      const of = { ...base, runId: `${base.runId}/${parent.id}`, toolCallId, toolName, parentToolCallId: parent.id };
      const events: StreamEvent[] = [{ ...of, type: "tool_start", args: input ?? {} }];
      if (denied) events.push({ ...base, runId: of.runId, type: "tool_authorization", toolCallId, toolName, approved: false });
      if (end?.kind === "result") events.push({ ...of, type: "tool_end", ...resultMembers(end.value), ...bounded(toolName, end.value) });
      else if (end !== undefined) events.push({ ...of, type: "tool_end", failure: end.kind === "invalid" ? invalidCall(end.value) : toolFailure(end.value, failureKind?.(toolName, end.value)) });
      return events;
    });

  const bounded = (toolName: string, output: unknown): Pick<ToolEndEvent, "bounds"> => {
    const read = bounds?.(toolName, output);
    return read === undefined ? {} : { bounds: read };
  };

  return {
    start(call) {
      if (call.said.start) return [];
      call.said.start = true;
      const event: StreamEvent = { ...base, type: "tool_start", toolCallId: call.id, toolName: call.toolName, ...call.arguments };
      return [call.approval === undefined || call.approval.late || call.approval.automatic ? heldSince(event, call.at) : event];
    },
    confirmation(call) {
      const event: AwaitConfirmationEvent = {
        ...base,
        type: "await_confirmation",
        toolCallId: call.id,
        toolName: call.toolName,
        prompt: call.approval?.reason ?? `${call.toolName} needs approval`,
        ...(call.approval === undefined || call.approval.approvalId === "" ? {} : { id: call.approval.approvalId }),
        ...call.arguments,
      };
      return [event];
    },
    decision(call, approved, reason) {
      if (call.said.decision) return [];
      call.said.decision = true;
      return [{
        ...base,
        type: "tool_authorization",
        toolCallId: call.id,
        toolName: call.toolName,
        approved,
        ...(call.approval?.automatic === true ? { approvedBy: "policy" } : {}),
        ...(reason === undefined ? {} : { summary: reason }),
      }];
    },
    end(call, end) {
      const toolName = end.toolName ?? call.toolName;
      const of = { ...base, type: "tool_end", toolCallId: call.id, toolName } as const;
      if (end.kind === "error") {
        const failure = call.invalid === undefined ? toolFailure(end.value, failureKind?.(toolName, end.value)) : invalidCall(call.invalid.error ?? end.value);
        return [{ ...of, failure }];
      }
      return [...nested(call, end.value), { ...of, ...resultMembers(end.value), ...bounded(toolName, end.value) }];
    },
    invalid(call) {
      if (call.ended !== undefined || call.invalid === undefined) return [];
      call.ended = { kind: "error", value: call.invalid.error };
      return [{ ...base, type: "tool_end", toolCallId: call.id, toolName: call.toolName, failure: invalidCall(call.invalid.error) }];
    },
  };
}
