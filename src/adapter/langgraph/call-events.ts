// Owns the events of a call, each said once: the confirmation asked for it, the decision, its start and its end.

import type { Bounds, FailureKind, ToolFailure } from "../../core/evidence.ts";
import type { StreamEvent } from "../../core/event.ts";
import { heldSince } from "../../core/held-event.ts";
import { thrownCause, thrownKind } from "../../core/thrown.ts";
import { pathKey, type Path } from "./chunk.ts";
import { promptOf } from "./interrupt.ts";
import type { SeenCall } from "./ledger.ts";
import type { ReadMessage } from "./message.ts";
import { failureText, resultMembers, resultValue } from "./payload.ts";
import type { WaitingCall } from "./waiting.ts";

export interface EventBase {
  readonly runId: string;
  readonly sessionId?: string | undefined;
}

export interface CallEventsOptions {
  readonly base: EventBase;
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
}

export interface CallEvents {
  /** The members of every event that happens in the graph at `path`: each graph within the run is a run of its own. */
  of(path: Path): EventBase;
  confirmation(waiting: WaitingCall): StreamEvent;
  decision(call: Pick<SeenCall, "id" | "toolName">, approved: boolean): StreamEvent;
  start(call: SeenCall): StreamEvent[];
  /** The end of a call that an earlier run has begun. */
  laterEnd(path: Path, id: string, toolName: string, message: Pick<ReadMessage, "content" | "failed">): StreamEvent;
  /** Nothing where no end was seen, or the start was not said. */
  end(call: SeenCall): StreamEvent[];
}

/** Names of LangChain's errors for calls that break their contract, and of LangGraph's for time that ran out. */
const KIND_BY_NAME: ReadonlyMap<string, FailureKind> = new Map([
  ["ToolInputParsingException", "invalid_call"],
  ["NodeTimeoutError", "timeout"],
  ["GraphRecursionError", "internal"],
]);

export function callEvents({ base, bounds, failureKind }: CallEventsOptions): CallEvents {
  const of = (path: Path): EventBase => (path.length === 0 ? base : { ...base, runId: `${base.runId}/${pathKey(path)}` });
  const failureOf = ({ toolName, end }: SeenCall): ToolFailure | undefined => {
    if (end === undefined || end.kind === "result") return undefined;
    if (end.kind === "error") return { kind: failureKind?.(toolName, end.error) ?? thrownKind(end.error, KIND_BY_NAME), error: thrownCause(end.error) };
    return { kind: end.refused ? "invalid_call" : (failureKind?.(toolName, end.text) ?? "unknown"), error: { message: end.text } };
  };
  const parentOf = ({ parent }: SeenCall): { readonly parentToolCallId?: string } => (parent === undefined ? {} : { parentToolCallId: parent.id });

  return {
    of,
    confirmation({ call, interrupt, prompt }) {
      const id = interrupt?.id;
      return {
        ...of(call.path), type: "await_confirmation", toolCallId: call.id, toolName: call.toolName,
        prompt: prompt ?? promptOf(interrupt?.value, call.toolName), ...(id === undefined ? {} : { id }), ...call.arguments,
      };
    },
    decision: ({ id, toolName }, approved) => ({ ...base, type: "tool_authorization", toolCallId: id, toolName, approved }),
    start(call) {
      if (call.said.start) return [];
      call.said.start = true;
      const event: StreamEvent = { ...of(call.path), type: "tool_start", toolCallId: call.id, toolName: call.toolName, ...call.arguments, ...parentOf(call) };
      return [call.approval === undefined ? heldSince(event, call.at) : event];
    },
    laterEnd: (path, id, toolName, { content, failed }) => ({
      ...of(path), type: "tool_end", toolCallId: id, toolName,
      ...(failed ? { failure: { kind: failureKind?.(toolName, failureText(content)) ?? ("unknown" as const), error: { message: failureText(content) } } } : resultMembers(content)),
    }),
    end(call) {
      if (call.end === undefined || call.said.end || !call.said.start) return [];
      call.said.end = true;
      const about = { ...of(call.path), type: "tool_end", toolCallId: call.id, toolName: call.toolName, ...parentOf(call) } as const;
      const failure = failureOf(call);
      if (failure !== undefined || call.end.kind !== "result") return failure === undefined ? [] : [{ ...about, failure }];
      const read = bounds?.(call.toolName, resultValue(call.end.content));
      return [{ ...about, ...resultMembers(call.end.content), ...(read === undefined ? {} : { bounds: read }) }];
    },
  };
}
