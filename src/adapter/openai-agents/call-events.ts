// Owns the events of a call, each said once: its start, the confirmation asked for it, the decision, and its end.

import type { Bounds } from "../../core/evidence.ts";
import type { StreamEvent, ToolEndEvent } from "../../core/event.ts";
import { heldSince } from "../../core/held-event.ts";
import { argumentMembers, type ArgumentMembers, resultMembers } from "../../message/event-payload.ts";
import { textResult } from "../../message/result-text.ts";
import type { SeenCall } from "./call-ledger.ts";
import type { CallOutcome } from "./failure.ts";
import type { HostedEnd } from "./hosted.ts";
import type { ApprovalItem, CallItem } from "./item.ts";

export interface EventBase {
  readonly runId: string;
  readonly sessionId?: string | undefined;
}

export interface CallEventsOptions {
  readonly base: EventBase;
  /** The call whose agent this run is. */
  readonly parent?: string | undefined;
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  /** Takes the id of each call that is started. */
  readonly told: Set<string>;
}

export interface CallEvents {
  start(call: SeenCall): StreamEvent[];
  /** `id` is that of the call in evidence. */
  confirmation(id: string, asked: Pick<ApprovalItem, "toolName" | "rawId">, args: ArgumentMembers): StreamEvent[];
  decision(call: SeenCall, approved: boolean, reason?: string, by?: string): StreamEvent[];
  /** The end of a call; a call that was refused has none. */
  end(call: Pick<SeenCall, "id" | "toolName">, outcome: CallOutcome): StreamEvent[];
}

export function argumentsOf(item: Pick<CallItem | ApprovalItem, "arguments">): ArgumentMembers {
  return "text" in item.arguments ? { argsJson: item.arguments.text } : argumentMembers(undefined, item.arguments.value, false);
}

/** How a hosted call ended; an end without an output is one that the provider does not show. */
export function hostedOutcome(end: HostedEnd): CallOutcome {
  if (end.kind === "failure") return { kind: "failure", failure: { kind: "unknown", error: end.error } };
  if (!end.given) return { kind: "omitted" };
  return typeof end.value === "string" ? { kind: "text", text: end.value } : { kind: "result", value: end.value };
}

export function callEvents({ base, parent, bounds, told }: CallEventsOptions): CallEvents {
  const bounded = (toolName: string, output: unknown): Pick<ToolEndEvent, "bounds"> => {
    const read = bounds?.(toolName, output);
    return read === undefined ? {} : { bounds: read };
  };

  return {
    start(call) {
      if (call.said.start) return [];
      call.said.start = true;
      told.add(call.id);
      const above = call.parent ?? parent;
      const event: StreamEvent = { ...base, type: "tool_start", toolCallId: call.id, toolName: call.toolName, ...call.arguments, ...(above === undefined ? {} : { parentToolCallId: above }) };
      return [call.approval === undefined || call.approval.late ? heldSince(event, call.at) : event];
    },
    confirmation: (id, asked, args) => [
      { ...base, type: "await_confirmation", toolCallId: id, toolName: asked.toolName, prompt: `${asked.toolName} needs approval`, ...(asked.rawId === "" ? {} : { id: asked.rawId }), ...args },
    ],
    decision(call, approved, reason, by) {
      if (call.said.decision) return [];
      call.said.decision = true;
      return [{ ...base, type: "tool_authorization", toolCallId: call.id, toolName: call.toolName, approved, ...(by === undefined ? {} : { approvedBy: by }), ...(reason === undefined ? {} : { summary: reason }) }];
    },
    end({ id, toolName }, outcome) {
      const of = { ...base, type: "tool_end", toolCallId: id, toolName } as const;
      switch (outcome.kind) {
        case "failure":
          return [{ ...of, failure: outcome.failure }];
        case "result":
          return [{ ...of, ...resultMembers(outcome.value), ...bounded(toolName, outcome.value) }];
        case "text": {
          const read = textResult(outcome.text);
          return [{ ...of, ...read, ...bounded(toolName, read.resultJson === undefined ? outcome.text : JSON.parse(read.resultJson)) }];
        }
        case "omitted":
          return [{ ...of, resultOmitted: { reason: "the provider does not show what its tool gave back" } }];
        case "denied":
          return [];
        default:
          return outcome satisfies never;
      }
    },
  };
}
