// Owns the events that a call of one run gives, each said once: its start, the confirmation asked for it, the decision, and its end.

import type { StreamEvent, ToolEndEvent } from "../../core/event.ts";
import { heldSince } from "../../core/held-event.ts";
import { flagMember, listMember, member, textMember } from "../../core/member.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { canonicalJson } from "../../json/write-json.ts";
import { argumentMembers, resultMembers } from "../../message/event-payload.ts";
import { endFailure } from "./failure.ts";
import type { Call } from "./call-ledger.ts";
import type { End, RequestPart } from "./part.ts";
import type { Tree } from "./tree.ts";

/** The base of the events of one run: its own id, the session of the tree. */
export interface EventBase {
  readonly runId: string;
  readonly sessionId?: string | undefined;
}

export interface CallEvents {
  start(call: Call): StreamEvent[];
  confirmation(call: Call, request: RequestPart): StreamEvent[];
  decision(call: Call, approved: boolean, reason: string | undefined): StreamEvent[];
  /** `toolName` is the name that the end itself gives: the collector refuses one that contradicts the call's. */
  end(call: Call, end: End, toolName: string | undefined): StreamEvent[];
  /** A value that a call gave out before its end. */
  progress(call: Call, output: unknown): StreamEvent[];
}

const parent = (parentToolCallId: string | undefined): { readonly parentToolCallId?: string } => (parentToolCallId === undefined ? {} : { parentToolCallId });

function promptOf({ toolName, by, payload }: RequestPart): string {
  if (by === "approval") return `${toolName} needs approval`;
  if (payload === undefined) return `${toolName} waits for an answer`;
  const said = typeof payload === "string" ? payload : canonicalJson(wireSafe(payload) ?? null);
  return `${toolName} waits for an answer: ${said}`;
}

export function callEvents(tree: Tree, base: EventBase): CallEvents {
  const bounded = (toolName: string, value: unknown): Pick<ToolEndEvent, "bounds"> => {
    const bounds = tree.bounds?.(toolName, value);
    return bounds === undefined ? {} : { bounds };
  };

  const ended = (toolName: string, end: End): Pick<ToolEndEvent, "failure" | "bounds" | "result" | "resultJson" | "resultOmitted"> => {
    const failure = endFailure(toolName, end, tree.failureKind);
    return failure === undefined ? { ...resultMembers(end.value), ...bounded(toolName, end.value) } : { failure };
  };

  /** The calls of an agent that Mastra ran without streaming it, as far as its result lists them: those that came back. */
  const unseen = (call: Call, value: unknown): StreamEvent[] =>
    (call.runs.size > 0 ? [] : (listMember(value, "subAgentToolResults") ?? [])).flatMap((listed) => {
      const toolName = textMember(listed, "toolName") ?? "";
      const toolCallId = tree.freshId(`${call.id}/${textMember(listed, "toolCallId") ?? ""}`);
      const of = { ...base, runId: `${tree.runId}/${call.id}`, toolCallId, toolName, parentToolCallId: call.id };
      const end = ended(toolName, { kind: "result", value: member(listed, "result"), flagged: flagMember(listed, "isError") });
      return [{ ...of, type: "tool_start", ...argumentMembers(undefined, member(listed, "args"), false) }, { ...of, type: "tool_end", ...end }];
    });

  return {
    start(call) {
      if (call.said.start) return [];
      call.said.start = true;
      const event: StreamEvent = { ...base, type: "tool_start", toolCallId: call.id, toolName: call.toolName, ...call.arguments, ...parent(call.parentId) };
      return [call.asked === undefined ? heldSince(event, call.at) : event];
    },
    confirmation(call, request) {
      // A request for what runs within a call, which was not seen itself, has arguments of its own.
      const args = request.toolName === call.toolName || request.toolName === "" ? call.arguments : argumentMembers(undefined, request.args, false);
      return [{ ...base, type: "await_confirmation", toolCallId: call.id, toolName: call.toolName, prompt: promptOf(request), ...args }];
    },
    decision(call, approved, reason) {
      if (call.said.decision) return [];
      call.said.decision = true;
      return [{ ...base, type: "tool_authorization", toolCallId: call.id, toolName: call.toolName, approved, ...(reason === undefined ? {} : { summary: reason }) }];
    },
    end: (call, end, toolName) => [...unseen(call, end.value), { ...base, type: "tool_end", toolCallId: call.id, toolName: toolName ?? call.toolName, ...ended(call.toolName, end) }],
    progress: (call, output) => [{ ...base, type: "tool_output_delta", toolCallId: call.id, toolName: call.toolName, output }],
  };
}
