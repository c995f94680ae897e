// Owns the chunks of a network's stream as parts: what its router hands out is a call, under the name that an agent delegates by
// (`agent-<id>`, `workflow-<id>`, a tool's own), and what runs within is nested.

import { member, textMember } from "../../core/member.ts";
import { requestPart } from "./agent-chunk.ts";
import { workflowEnd } from "./workflow-chunk.ts";
import type { CallPart, End, Part } from "./part.ts";

const WEIGHTLESS: ReadonlySet<string> = new Set([
  "routing-agent-start", "routing-agent-text-start", "routing-agent-text-delta", "network-execution-event-step-finish", "network-validation-start",
  "network-validation-end", "network-object", "network-object-result",
]);

const runId = (payload: unknown): string => textMember(payload, "runId") ?? "";

/** A router names what a primitive is to do in words, or in JSON. */
function delegated(kind: "agent" | "workflow", payload: unknown): CallPart {
  const args = member(payload, "args");
  const prompt = textMember(args, "prompt") ?? "";
  const toolName = `${kind}-${textMember(args, "primitiveId") ?? textMember(payload, `${kind}Id`) ?? ""}`;
  const call = { kind: "call", rawId: runId(payload), toolName, providerExecuted: false, step: false } as const;
  return kind === "agent" ? { ...call, args: { prompt } } : { ...call, args: undefined, argsJson: prompt };
}

/** A tool goes by its key in the agent's tools, as the model knows it, not by its own id. */
function tool(payload: unknown): CallPart {
  const args = member(payload, "args");
  return {
    kind: "call",
    rawId: textMember(args, "toolCallId") ?? "",
    toolName: textMember(args, "primitiveId") ?? textMember(args, "toolName") ?? "",
    args: member(args, "args"),
    providerExecuted: false,
    step: false,
  };
}

/** A workflow's result is told whole, with its status. */
function workflowResult(payload: unknown): End {
  const result = member(payload, "result");
  const failed = workflowEnd(textMember(result, "status"), undefined, undefined)?.kind === "failed";
  return failed ? { kind: "error", value: member(result, "error") } : { kind: "result", value: result, flagged: false };
}

const ABORTED: readonly Part[] = [{ kind: "end_of_run", end: { kind: "aborted" } }];

/** The parts of a chunk of `type`, none for one of no weight; `undefined` for one that is no network's. */
export function readNetworkChunk(type: string, payload: unknown): readonly Part[] | undefined {
  switch (type) {
    case "routing-agent-end":
      return [{ kind: "usage", usage: member(payload, "usage") }];
    case "agent-execution-start":
      return [delegated("agent", payload)];
    case "workflow-execution-start":
      return [delegated("workflow", payload)];
    case "tool-execution-start":
      return [tool(payload)];
    case "agent-execution-end":
      return [{ kind: "end", rawId: runId(payload), end: { kind: "result", value: member(payload, "result"), flagged: false } }];
    case "workflow-execution-end":
      return [{ kind: "end", rawId: runId(payload), end: workflowResult(payload) }];
    case "tool-execution-end":
      return [{ kind: "end", rawId: textMember(payload, "toolCallId") ?? "", end: { kind: "result", value: member(payload, "result"), flagged: false } }];
    case "agent-execution-approval":
    case "workflow-execution-suspended":
    case "agent-execution-suspended":
      return [{ ...requestPart(payload, "suspension"), rawId: runId(payload) }];
    case "tool-execution-approval":
      return [requestPart(payload, "approval")];
    case "tool-execution-suspended":
      return [requestPart(payload, "suspension")];
    case "routing-agent-abort":
    case "agent-execution-abort":
    case "workflow-execution-abort":
    case "tool-execution-abort":
      return ABORTED;
    case "network-execution-event-finish":
      return [
        { kind: "text", text: textMember(payload, "result") ?? "" },
        { kind: "end_of_run", end: { kind: "finished", reason: "stop" } },
      ];
    default:
      if (WEIGHTLESS.has(type)) return [];
      // What runs within a primitive: a chunk of its own in the payload.
      if (/^(agent|workflow)-execution-event-/.test(type)) return [{ kind: "output", rawId: runId(payload), output: payload }];
      return undefined;
  }
}
