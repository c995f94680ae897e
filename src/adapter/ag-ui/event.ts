// Owns the events of AG-UI, each read once, by shape, into one union.

import type { Usage } from "../../core/usage.ts";
import { addUsage } from "../../core/usage.ts";
import { countMember, listMember, member, recordOf, textMember } from "../../core/member.ts";
import { readMessage, type ReadMessage } from "./message.ts";

/** Something that the run needs from outside before it can go on. */
export interface Interrupt {
  /** Empty where the source gives none. */
  readonly id: string;
  readonly reason: string;
  readonly message?: string | undefined;
  /** The call that it is about; empty where it is about none. */
  readonly toolCallId: string;
  /** What else the source says of it, where that is all that it says. */
  readonly value?: unknown;
}

interface Of {
  /** The run of a subagent that it belongs to; empty for the root's own. */
  readonly subagent: string;
}

export type AgUiEvent =
  | { readonly kind: "run_started"; readonly runId: string | undefined; readonly threadId: string | undefined; readonly sent: readonly ReadMessage[] | undefined }
  | { readonly kind: "run_finished"; readonly outcome: string; readonly interrupts: readonly Interrupt[]; readonly pending: readonly string[]; readonly usage: Usage | undefined }
  | { readonly kind: "run_error"; readonly message: string; readonly code: string | undefined; readonly usage: Usage | undefined }
  | ({ readonly kind: "text_start"; readonly messageId: string; readonly role: string } & Of)
  | ({ readonly kind: "text"; readonly messageId: string; readonly delta: string } & Of)
  | ({ readonly kind: "text_end"; readonly messageId: string } & Of)
  | ({ readonly kind: "text_chunk"; readonly messageId: string | undefined; readonly role: string; readonly delta: string } & Of)
  | ({ readonly kind: "call_start"; readonly rawId: string; readonly toolName: string; readonly messageId: string | undefined } & Of)
  | ({ readonly kind: "call_args"; readonly rawId: string; readonly delta: string } & Of)
  | ({ readonly kind: "call_end"; readonly rawId: string } & Of)
  | ({ readonly kind: "call_chunk"; readonly rawId: string | undefined; readonly toolName: string; readonly messageId: string | undefined; readonly delta: string } & Of)
  | ({ readonly kind: "call_result"; readonly rawId: string; readonly messageId: string; readonly content: unknown } & Of)
  | { readonly kind: "snapshot"; readonly messages: readonly ReadMessage[]; readonly raw: readonly unknown[] }
  | ({ readonly kind: "reasoning"; readonly delta: string } & Of)
  | { readonly kind: "subagent_started"; readonly id: string; readonly name: string; readonly parentSubagent: string; readonly parentCall: string }
  | { readonly kind: "interrupt"; readonly interrupt: Interrupt }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly type: string };

/** Known, and of no weight as evidence. */
const WEIGHTLESS: ReadonlySet<string> = new Set([
  "STATE_SNAPSHOT", "STATE_DELTA", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "RAW", "CUSTOM", "STEP_STARTED", "STEP_FINISHED", "SUBAGENT_FINISHED", "SUBAGENT_ERROR", "REASONING_START",
  "REASONING_MESSAGE_START", "REASONING_MESSAGE_END", "REASONING_END", "REASONING_ENCRYPTED_VALUE", "THINKING_START", "THINKING_END", "THINKING_TEXT_MESSAGE_START", "THINKING_TEXT_MESSAGE_END",
]);

function readUsage(event: unknown): Usage | undefined {
  return addUsage(
    ...(listMember(event, "usage") ?? []).map((entry) => {
      const usage: { -readonly [K in keyof Usage]: number } = {};
      for (const name of ["inputTokens", "outputTokens", "reasoningTokens", "cachedInputTokens"] as const) {
        const count = countMember(entry, name);
        if (count !== undefined) usage[name] = count;
      }
      return Object.keys(usage).length === 0 ? undefined : usage;
    }),
  );
}

function readInterrupt(interrupt: unknown): Interrupt {
  const message = textMember(interrupt, "message");
  return { id: textMember(interrupt, "id") ?? "", reason: textMember(interrupt, "reason") ?? "", ...(message === undefined ? {} : { message }), toolCallId: textMember(interrupt, "toolCallId") ?? "" };
}

/** What some producers say in place of an outcome: LangGraph's, before AG-UI had interrupts. */
function customInterrupt(event: unknown): AgUiEvent {
  if (textMember(event, "name") !== "on_interrupt") return { kind: "none" };
  const value = member(event, "value");
  return { kind: "interrupt", interrupt: { id: "", reason: "on_interrupt", ...(typeof value === "string" ? { message: value } : {}), toolCallId: "", value } };
}

/** Never throws: what cannot be read is an unknown event. */
export function readEvent(event: unknown): AgUiEvent {
  const type = textMember(event, "type");
  if (type === undefined) return { kind: "unknown", type: event === null ? "null" : recordOf(event) === undefined ? typeof event : "object" };
  const subagent = textMember(event, "subagentRunId") ?? "";
  const messageId = textMember(event, "messageId");
  const rawId = textMember(event, "toolCallId");
  const delta = textMember(event, "delta") ?? "";
  switch (type) {
    case "RUN_STARTED": {
      const sent = listMember(member(event, "input"), "messages");
      return { kind: "run_started", runId: textMember(event, "runId"), threadId: textMember(event, "threadId"), sent: sent?.map(readMessage) };
    }
    case "RUN_FINISHED": {
      const outcome = member(event, "outcome");
      return {
        kind: "run_finished",
        // Without an outcome a run has gone well; before 1.0 none had one.
        outcome: outcome === undefined || outcome === null ? "success" : (textMember(outcome, "type") ?? "unknown"),
        interrupts: (listMember(outcome, "interrupts") ?? []).map(readInterrupt),
        pending: (listMember(outcome, "pendingToolCallIds") ?? []).filter((id): id is string => typeof id === "string"),
        usage: readUsage(event),
      };
    }
    case "RUN_ERROR":
      return { kind: "run_error", message: textMember(event, "message") ?? "", code: textMember(event, "code"), usage: readUsage(event) };
    case "TEXT_MESSAGE_START":
      return { kind: "text_start", messageId: messageId ?? "", role: textMember(event, "role") ?? "assistant", subagent };
    case "TEXT_MESSAGE_CONTENT":
      return { kind: "text", messageId: messageId ?? "", delta, subagent };
    case "TEXT_MESSAGE_END":
      return { kind: "text_end", messageId: messageId ?? "", subagent };
    case "TEXT_MESSAGE_CHUNK":
      return { kind: "text_chunk", messageId, role: textMember(event, "role") ?? "assistant", delta, subagent };
    case "TOOL_CALL_START":
      return { kind: "call_start", rawId: rawId ?? "", toolName: textMember(event, "toolCallName") ?? "", messageId: textMember(event, "parentMessageId"), subagent };
    case "TOOL_CALL_ARGS":
      return { kind: "call_args", rawId: rawId ?? "", delta, subagent };
    case "TOOL_CALL_END":
      return { kind: "call_end", rawId: rawId ?? "", subagent };
    case "TOOL_CALL_CHUNK":
      return { kind: "call_chunk", rawId, toolName: textMember(event, "toolCallName") ?? "", messageId: textMember(event, "parentMessageId"), delta, subagent };
    case "TOOL_CALL_RESULT":
      return { kind: "call_result", rawId: rawId ?? "", messageId: messageId ?? "", content: member(event, "content"), subagent };
    case "MESSAGES_SNAPSHOT":
      return { kind: "snapshot", messages: (listMember(event, "messages") ?? []).map(readMessage), raw: listMember(event, "messages") ?? [] };
    case "REASONING_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_CHUNK":
    case "THINKING_TEXT_MESSAGE_CONTENT":
      return { kind: "reasoning", delta, subagent };
    case "SUBAGENT_STARTED":
      return { kind: "subagent_started", id: subagent, name: textMember(event, "name") ?? "", parentSubagent: textMember(event, "parentSubagentRunId") ?? "", parentCall: textMember(event, "parentToolCallId") ?? "" };
    case "CUSTOM":
      return customInterrupt(event);
    default:
      return WEIGHTLESS.has(type) ? { kind: "none" } : { kind: "unknown", type };
  }
}
