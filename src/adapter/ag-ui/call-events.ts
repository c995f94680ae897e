// Owns the events of a call, each said once: the confirmation asked for it, the decision, its start and its end.

import type { Bounds, FailureKind, ToolFailure } from "../../core/evidence.ts";
import type { StreamEvent } from "../../core/event.ts";
import { listOf, textMember } from "../../core/member.ts";
import { thrownCause, thrownKind } from "../../core/thrown.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { textResult } from "../../message/result-text.ts";
import type { CallEnd, SeenCall } from "./call-book.ts";
import type { Interrupt } from "./event.ts";
import { contentText } from "./message.ts";

export interface EventBase {
  readonly runId: string;
  readonly sessionId?: string | undefined;
}

export interface CallEventsOptions {
  /** The members of every event that a subagent's run has; those of the root's for an empty one. */
  readonly of: (subagent: string) => EventBase;
  /** The call whose subagent made this one. */
  readonly parentOf: (call: SeenCall) => SeenCall | undefined;
  readonly bounds?: ((toolName: string, result: unknown) => Bounds | undefined) | undefined;
  readonly failureKind?: ((toolName: string, content: string) => FailureKind | undefined) | undefined;
}

export interface CallEvents {
  start(call: SeenCall): StreamEvent[];
  /** Nothing where no end was seen, or the start was not said. */
  end(call: SeenCall): StreamEvent[];
  confirmation(call: SeenCall, interrupt: Interrupt): StreamEvent;
  decision(call: SeenCall, approved: boolean): StreamEvent;
}

const SILENT = "it failed without saying why";

export function callEvents({ of, parentOf, bounds, failureKind }: CallEventsOptions): CallEvents {
  const argsMember = ({ text }: SeenCall): { readonly argsJson?: string } => (text === "" ? {} : { argsJson: text });

  const failureOf = ({ toolName }: SeenCall, end: CallEnd): ToolFailure | undefined => {
    const text = contentText(end.content);
    const kind = failureKind?.(toolName, text);
    if (end.kind === "result") return kind === undefined ? undefined : { kind, error: { message: text === "" ? SILENT : text } };
    if (end.error !== undefined) return { kind: kind ?? thrownKind(end.error), error: thrownCause(end.error) };
    return { kind: end.invalid === true ? "invalid_call" : (kind ?? "unknown"), error: { message: end.message === "" ? SILENT : end.message } };
  };

  return {
    start(call) {
      if (call.said.start) return [];
      call.said.start = true;
      const parent = parentOf(call);
      return [{ ...of(call.subagent), type: "tool_start", toolCallId: call.id, toolName: call.toolName, ...argsMember(call), ...(parent === undefined ? {} : { parentToolCallId: parent.id }) }];
    },
    end(call) {
      if (call.end === undefined || call.said.end || !call.said.start) return [];
      call.said.end = true;
      const about = { ...of(call.subagent), type: "tool_end", toolCallId: call.id, toolName: call.toolName } as const;
      const failure = failureOf(call, call.end);
      if (failure !== undefined) return [{ ...about, failure }];
      const { content } = call.end;
      const plain = typeof content === "string" || listOf(content)?.every((part) => textMember(part, "type") === "text") === true;
      const result = plain ? textResult(contentText(content)) : content === undefined ? {} : { result: wireSafe(content) };
      const read = bounds?.(call.toolName, "resultJson" in result && result.resultJson !== undefined ? JSON.parse(result.resultJson) : result.result);
      return [{ ...about, ...result, ...(read === undefined ? {} : { bounds: read }) }];
    },
    confirmation: (call, { id, message }) => ({
      ...of(call.subagent), type: "await_confirmation", toolCallId: call.id, toolName: call.toolName,
      prompt: message ?? `${call.toolName} needs approval`, ...(id === "" ? {} : { id }), ...argsMember(call),
    }),
    decision: ({ id, toolName, subagent }, approved) => ({ ...of(subagent), type: "tool_authorization", toolCallId: id, toolName, approved }),
  };
}
