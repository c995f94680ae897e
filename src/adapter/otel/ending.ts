// Owns how a traced run ended: the phase that its spans amount to, or why they do not tell.

import type { RunFailure, TerminalPhase } from "../../core/evidence.ts";
import { failureKindOf, type Operation, type OperationError } from "./operation.ts";
import type { RunNode } from "./tree.ts";

export type Ending = { readonly phase: TerminalPhase; readonly failure?: RunFailure; readonly reason?: string } | { readonly unknown: string };

type Meaning = "stop" | "length" | "content_filter" | "calls" | "error";

const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...["stop", "end_turn", "stop_sequence", "completed", "complete", "finished", "end", "eos"].map((reason) => [reason, "stop"] as const),
  ...["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded", "incomplete"].map((reason) => [reason, "length"] as const),
  ...["content_filter", "content_filtered", "safety", "refusal", "recitation", "blocklist", "prohibited_content", "spii", "guardrail_intervened"].map((reason) => [reason, "content_filter"] as const),
  ...["tool_call", "tool_calls", "tool_use", "function_call"].map((reason) => [reason, "calls"] as const),
  ...["error", "malformed_function_call"].map((reason) => [reason, "error"] as const),
]);

const MESSAGES: Readonly<Record<"length" | "content_filter" | "error", string>> = {
  length: "the last answer was cut off at its token limit",
  content_filter: "the last answer was stopped by a content filter, or the model refused it",
  error: "the model stopped because of an error",
};

interface LastWord {
  readonly reason: string | undefined;
  readonly spoke: boolean;
}

/** What the run's last model call, or the last agent that it handed its work to, says of its end. */
function lastWord({ models, agents }: RunNode): LastWord {
  const model = models.at(-1);
  const agent = agents.at(-1);
  const agentStart = agent?.agent?.span.start;
  const modelStart = model?.span.start;
  if (agent !== undefined && (model === undefined || (agentStart !== undefined && modelStart !== undefined && agentStart > modelStart))) {
    const own = lastWord(agent);
    return { reason: agent.agent?.finishReason ?? own.reason, spoke: agent.agent?.spoken !== undefined || own.spoke };
  }
  return { reason: model?.finishReason, spoke: model?.spoken !== undefined && model.spoken.text !== "" };
}

function failed(error: OperationError, root: Operation): Ending {
  if (failureKindOf(error) === "cancelled") return { phase: "cancelled", reason: error.message };
  const status = root.span.attributes.get("http.response.status_code");
  return {
    phase: "failed",
    failure: {
      message: error.message,
      ...(error.type === "" ? {} : { kind: error.type }),
      ...(typeof status === "number" && Number.isSafeInteger(status) ? { httpStatus: status } : {}),
    },
  };
}

/**
 * An error of the root fails the run, or cancels it where the class of the error says so. Otherwise the root's own finish reason decides, else the one
 * of its last model call. A run that has said nothing of its end, neither by a reason, nor by its status, nor by an answer, is not known to have
 * completed: an aborted one looks the same. `waits` is true where a call was issued that nobody has answered.
 */
export function endingOf(root: Operation | undefined, node: RunNode, waits: boolean): Ending {
  if (root === undefined) return { unknown: "the span that stands for the whole run is not in the trace" };
  if (!root.span.ended) return { unknown: "the span that stands for the whole run has no end" };
  if (root.error !== undefined) return failed(root.error, root);
  const own = node.agent?.finishReason;
  const last = lastWord(node);
  const reason = own ?? last.reason;
  if (reason === undefined) {
    const spoke = root.span.status === "ok" || node.agent?.spoken !== undefined || last.spoke;
    return spoke ? { phase: "completed" } : { unknown: "no finish reason, no status and no answer says how the run ended" };
  }
  const meaning = MEANINGS.get(reason.toLowerCase().replaceAll("-", "_"));
  switch (meaning) {
    case "stop":
      return { phase: "completed" };
    case "calls":
      if (own === undefined) return { unknown: "its last model call asked for tools, and nothing says what came of it" };
      return { phase: waits ? "suspended" : "completed" };
    case "length":
    case "content_filter":
    case "error":
      return { phase: "failed", failure: { message: MESSAGES[meaning], kind: meaning, ...(reason === meaning ? {} : { code: reason }) } };
    case undefined:
      return { unknown: `its finish reason ${JSON.stringify(reason)} is not known` };
    default:
      return meaning satisfies never;
  }
}
