// Owns whole results as parts: what `generate` gives back, read from its messages and steps, and what a workflow's run gives back.

import { EntailError } from "../../core/error.ts";
import { listMember, member, namesOf, recordMember, textMember } from "../../core/member.ts";
import type { MessageCall } from "../../message/message.ts";
import { readMessages } from "../../message/read-messages.ts";
import { finishOf, requestPart } from "./agent-chunk.ts";
import type { End, Part, RequestPart, SeenEnd } from "./part.ts";
import { stepCall, stepEnd, workflowEnd } from "./workflow-chunk.ts";

export function isWorkflowResult(value: unknown): boolean {
  return textMember(value, "status") !== undefined && recordMember(value, "steps") !== undefined;
}

export function isAgentResult(value: unknown): boolean {
  return textMember(value, "finishReason") !== undefined && textMember(value, "text") !== undefined;
}

/** The calls of the run's own messages. Throws `event_invalid` where one of them is not understood: nothing could be said of what it may hold. */
function callsOf(result: unknown): readonly MessageCall[] {
  const response = member(result, "response");
  const messages = listMember(response, "dbMessages") ?? listMember(response, "messages");
  if (messages === undefined) return [];
  const { items, unread } = readMessages(messages);
  const first = unread[0];
  if (first !== undefined) {
    const place = `message ${first.index + 1}${first.path === "" ? "" : `, ${first.path}`}`;
    throw new EntailError("event_invalid", `the result holds something that is not understood (${place}: ${first.what}), so nothing can be said of the calls in it; read the agent's stream instead`);
  }
  return items.filter((item) => item.kind === "call");
}

function endOf({ state, result, error }: MessageCall): End | undefined {
  if (state === "succeeded") return { kind: "result", value: result, flagged: false };
  if (state !== "failed") return undefined;
  // A result with an `error` of its own is what the tool gave back, unless it is one of Mastra's own making.
  return result === undefined ? { kind: "error", value: { message: error } } : { kind: "result", value: result, flagged: !member(result, "error") };
}

function callParts(call: MessageCall, asked: RequestPart | undefined): readonly Part[] {
  const { toolCallId: rawId, toolName, args, argsJson, providerExecuted = false, approval } = call;
  const end = endOf(call);
  return [
    { kind: "call", rawId, toolName, args, argsJson, providerExecuted, step: false },
    ...(asked?.rawId === rawId ? [asked] : []),
    ...(approval === undefined || approval.state === "pending" ? [] : [{ kind: "decision", rawId, toolName, approved: approval.state === "approved", reason: approval.reason } as const]),
    ...(end === undefined ? [] : [{ kind: "end", rawId, toolName, end } as const]),
  ];
}

/** Calls that the result lists and its messages do not hold: a processor may have changed those. */
function listedParts(result: unknown, known: ReadonlySet<string>): readonly Part[] {
  const payloads = (name: string): readonly unknown[] => (listMember(result, name) ?? []).map((item) => member(item, "payload") ?? item);
  const results = payloads("toolResults");
  return payloads("toolCalls").flatMap((payload): readonly Part[] => {
    const rawId = textMember(payload, "toolCallId") ?? "";
    if (known.has(rawId)) return [];
    const ended = results.find((other) => textMember(other, "toolCallId") === rawId);
    const toolName = textMember(payload, "toolName") ?? "";
    return [
      { kind: "call", rawId, toolName, args: member(payload, "args"), providerExecuted: member(payload, "providerExecuted") === true, step: false },
      ...(ended === undefined ? [] : [{ kind: "end", rawId, toolName, end: { kind: "result", value: member(ended, "result"), flagged: member(ended, "isError") === true } } as const]),
    ];
  });
}

function agentEnd(result: unknown): SeenEnd {
  const error = member(result, "error");
  if (error !== undefined && error !== null) return { kind: "failed", error };
  const tripwire = recordMember(result, "tripwire");
  if (tripwire !== undefined) return { kind: "tripwire", reason: textMember(tripwire, "reason"), processor: textMember(tripwire, "processorId") };
  return finishOf(textMember(result, "finishReason"), undefined, listMember(result, "steps"));
}

/** The parts of what `generate` gave back. Throws `event_invalid`. */
export function agentResultParts(result: unknown): readonly Part[] {
  const suspended = recordMember(result, "suspendPayload");
  const asked = suspended === undefined ? undefined : requestPart(suspended, member(suspended, "suspendPayload") === undefined ? "approval" : "suspension");
  const seen = new Set<string>();
  // A run that was resumed keeps its calls in two messages.
  const calls = callsOf(result).filter(({ toolCallId, toolName, argsJson, state, resultJson }) => {
    const told = JSON.stringify([toolCallId, toolName, argsJson, state, resultJson]);
    return !seen.has(told) && seen.add(told);
  });
  const steps = listMember(result, "steps") ?? [];
  return [
    { kind: "step_start" },
    ...calls.flatMap((call) => callParts(call, asked)),
    ...listedParts(result, new Set(calls.map(({ toolCallId }) => toolCallId))),
    ...(asked === undefined || calls.some(({ toolCallId }) => toolCallId === asked.rawId) ? [] : [asked]),
    ...(steps.length === 0
      ? [{ kind: "text", text: textMember(result, "text") ?? "" } as const]
      : steps.flatMap((step) => [{ kind: "text", text: textMember(step, "text") ?? "" } as const, { kind: "step_end", usage: member(step, "usage"), retracted: false } as const])),
    { kind: "end_of_run", end: agentEnd(result) },
  ];
}

/** The parts of what a workflow's run gave back: its steps in the order in which they began. `say` puts its result into words. */
export function workflowResultParts(result: unknown, say: (result: unknown) => string): readonly Part[] {
  const steps = recordMember(result, "steps");
  const begun = (id: string): number => {
    const at = member(member(steps, id), "startedAt");
    return typeof at === "number" ? at : 0;
  };
  const ids = namesOf(steps).filter((id) => id !== "input" && member(member(steps, id), "status") !== undefined);
  const end = workflowEnd(textMember(result, "status"), member(result, "error"), member(result, "tripwire"));
  return [
    ...ids.sort((one, other) => begun(one) - begun(other)).flatMap((id): readonly Part[] => {
      const step = member(steps, id);
      const call = stepCall(id, id, member(step, "payload"));
      const ended = stepEnd(step);
      if (ended !== undefined) return [call, { kind: "end", rawId: id, toolName: id, end: ended }];
      const payload = member(step, "suspendPayload");
      return textMember(step, "status") === "suspended" ? [call, { kind: "request", rawId: id, toolName: id, args: call.args, by: "suspension", payload }] : [call];
    }),
    ...(end?.kind === "finished" ? [{ kind: "text", text: say(member(result, "result")) } as const] : []),
    ...(end === undefined ? [] : [{ kind: "end_of_run", end } as const]),
  ];
}
