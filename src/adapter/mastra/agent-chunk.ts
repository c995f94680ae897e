// Owns the chunks of an agent's stream as parts. Each is read once, by shape.

import { flagMember, listMember, member, textMember } from "../../core/member.ts";
import type { CallPart, EndPart, Part, RequestPart, SeenEnd } from "./part.ts";

/** Known, and of no weight as evidence. */
const WEIGHTLESS: ReadonlySet<string> = new Set([
  "start", "response-metadata", "text-start", "text-end", "reasoning-start", "reasoning-delta", "reasoning-end", "reasoning-signature", "reasoning-file",
  "redacted-reasoning", "source", "file", "custom", "raw", "object", "object-result", "watch", "step-output", "tool-call-input-streaming-end",
  "is-task-complete", "goal", "background-task-running", "background-task-progress", "background-task-output", "background-task-suspended", "background-task-resumed",
]);

const id = (payload: unknown): string => textMember(payload, "toolCallId") ?? "";
const name = (payload: unknown): string => textMember(payload, "toolName") ?? "";

function callPart(payload: unknown): CallPart {
  return { kind: "call", rawId: id(payload), toolName: name(payload), args: member(payload, "args"), providerExecuted: flagMember(payload, "providerExecuted"), step: false };
}

function endPart(payload: unknown, end: EndPart["end"]): EndPart {
  return { kind: "end", rawId: id(payload), toolName: textMember(payload, "toolName"), args: member(payload, "args"), end };
}

export function requestPart(payload: unknown, by: RequestPart["by"]): RequestPart {
  return { kind: "request", rawId: id(payload), toolName: name(payload), args: member(payload, "args"), by, payload: member(payload, "suspendPayload") };
}

/** The end that a finish reason of Mastra's stands for. `steps` are the run's, with what a processor said of each. */
export function finishOf(reason: string | undefined, rawReason: string | undefined, steps: readonly unknown[] | undefined): SeenEnd {
  switch (reason) {
    case "tripwire":
    case "retry": {
      const tripwire = member(steps?.at(-1), "tripwire");
      return { kind: "tripwire", reason: textMember(tripwire, "reason"), processor: textMember(tripwire, "processorId") };
    }
    case "aborted":
      return { kind: "aborted" };
    case "suspended":
      return { kind: "suspended" };
    case undefined:
    default:
      return { kind: "finished", reason, rawReason };
  }
}

function stepEnd(payload: unknown): Part {
  const reason = textMember(member(payload, "stepResult"), "reason");
  return { kind: "step_end", usage: member(member(payload, "output"), "usage"), retracted: reason === "retry" || reason === "tripwire" };
}

function runEnd(payload: unknown): Part {
  const result = member(payload, "stepResult");
  const end = finishOf(textMember(result, "reason"), textMember(result, "rawReason"), listMember(member(payload, "output"), "steps"));
  return { kind: "end_of_run", end };
}

/** The part that a chunk of `type` is: `null` for one of no weight, `undefined` for one that is no agent's. */
export function readAgentChunk(type: string, payload: unknown): Part | null | undefined {
  switch (type) {
    case "text-delta":
      return { kind: "text", text: textMember(payload, "text") ?? "" };
    case "tool-call-input-streaming-start":
      return { kind: "input_start", rawId: id(payload) };
    case "tool-call-delta":
      return { kind: "input_delta", rawId: id(payload), delta: textMember(payload, "argsTextDelta") ?? "" };
    case "tool-call":
      return callPart(payload);
    case "tool-result":
      return endPart(payload, { kind: "result", value: member(payload, "result"), flagged: flagMember(payload, "isError") });
    case "tool-error":
      return endPart(payload, { kind: "error", value: member(payload, "error") });
    case "tool-output":
      return { kind: "output", rawId: id(payload), toolName: textMember(payload, "toolName"), output: member(payload, "output") };
    case "tool-output-denied":
      return {
        kind: "decision",
        rawId: id(payload),
        toolName: textMember(payload, "toolName"),
        args: member(payload, "args"),
        approved: false,
        reason: textMember(member(payload, "approval"), "reason"),
      };
    case "tool-call-approval":
      return requestPart(payload, "approval");
    case "tool-call-suspended":
      return requestPart(payload, "suspension");
    case "background-task-started":
      return { kind: "background", rawId: id(payload) };
    case "background-task-completed":
      return endPart(payload, { kind: "result", value: member(payload, "result"), flagged: flagMember(payload, "isError") });
    case "background-task-failed":
      return endPart(payload, { kind: "error", value: member(payload, "error") });
    case "background-task-cancelled":
      return endPart(payload, { kind: "error", value: { name: "AbortError", message: "the background task was cancelled" } });
    case "step-start":
      return { kind: "step_start" };
    case "step-finish":
      return stepEnd(payload);
    case "finish":
      return runEnd(payload);
    case "abort":
      return { kind: "end_of_run", end: { kind: "aborted", reason: textMember(payload, "reason") } };
    case "error":
      return { kind: "end_of_run", end: { kind: "failed", error: member(payload, "error") } };
    case "tripwire":
      return { kind: "end_of_run", end: { kind: "tripwire", reason: textMember(payload, "reason"), processor: textMember(payload, "processorId") } };
    default:
      return WEIGHTLESS.has(type) || type.startsWith("data-") ? null : undefined;
  }
}
