// Owns the chunks of a workflow's stream as parts: each step is a call under the step's id, and the workflow's result is what it says.

import { member, textMember } from "../../core/member.ts";
import type { CallPart, End, EndPart, Part, SeenEnd } from "./part.ts";

const WEIGHTLESS: ReadonlySet<string> = new Set(["workflow-start", "workflow-step-finish", "workflow-step-waiting", "workflow-step-progress"]);

const stepId = (payload: unknown): string => textMember(payload, "id") ?? textMember(payload, "stepName") ?? "";
/** Some steps, as those of `foreach`, have no id of their own. */
const callId = (payload: unknown): string => textMember(payload, "stepCallId") ?? "";

export function stepCall(rawId: string, toolName: string, payload: unknown): CallPart {
  return { kind: "call", rawId, toolName, args: payload, providerExecuted: false, step: true };
}

/** The end of a step that has one: `undefined` for one that is suspended, waits or runs. */
export function stepEnd(step: unknown): End | undefined {
  switch (textMember(step, "status")) {
    case "success":
    case "bailed":
    case "skipped":
      return { kind: "result", value: member(step, "output"), flagged: false };
    case "failed":
      return { kind: "error", value: member(step, "error") ?? member(step, "tripwire") };
    case "tripwire":
      return { kind: "error", value: { name: "TripWire", message: textMember(member(step, "tripwire"), "reason") ?? "a processor refused the step" } };
    case "canceled":
      return { kind: "error", value: { name: "AbortError", message: "the step was cancelled" } };
    case undefined:
    default:
      return undefined;
  }
}

/** The end that a workflow's status stands for; a status that is none leaves the run without one. */
export function workflowEnd(status: string | undefined, error: unknown, tripwire: unknown): SeenEnd | undefined {
  switch (status) {
    case "success":
    case "bailed":
    case "skipped":
      return { kind: "finished", reason: "stop" };
    case "failed":
      return { kind: "failed", error };
    case "tripwire":
      return { kind: "tripwire", reason: textMember(tripwire, "reason"), processor: textMember(tripwire, "processorId") };
    case "suspended":
    case "paused":
    case "waiting":
      return { kind: "suspended" };
    case "canceled":
      return { kind: "aborted" };
    case undefined:
    default:
      return undefined;
  }
}

function finishParts(payload: unknown, say: (result: unknown) => string): readonly Part[] {
  const metadata = member(payload, "metadata");
  const error = member(metadata, "error") ?? textMember(metadata, "errorMessage");
  const end = workflowEnd(textMember(payload, "workflowStatus"), error, member(payload, "tripwire"));
  const text = end?.kind === "finished" ? say(member(payload, "finalWorkflowResult")) : "";
  return [{ kind: "text", text }, ...(end === undefined ? [] : [{ kind: "end_of_run", end } as const])];
}

/** The parts of a chunk of `type`, none for one of no weight; `undefined` for one that is no workflow's. `say` puts a result into words. */
export function readWorkflowChunk(type: string, payload: unknown, say: (result: unknown) => string): readonly Part[] | undefined {
  switch (type) {
    case "workflow-step-start":
      return [stepCall(callId(payload), stepId(payload), member(payload, "payload"))];
    case "workflow-step-output":
      return [{ kind: "output", rawId: "", toolName: textMember(payload, "stepName"), output: member(payload, "output") }];
    case "workflow-step-result": {
      const end = stepEnd(payload);
      return end === undefined ? [] : [{ kind: "end", rawId: callId(payload), toolName: stepId(payload), end } satisfies EndPart];
    }
    case "workflow-step-suspended":
      return [{ kind: "request", rawId: callId(payload), toolName: stepId(payload), args: member(payload, "payload"), by: "suspension", payload: member(payload, "suspendPayload") }];
    case "workflow-canceled":
      return [{ kind: "end_of_run", end: { kind: "aborted" } }];
    case "workflow-paused":
      return [{ kind: "end_of_run", end: { kind: "suspended" } }];
    case "workflow-finish":
      return finishParts(payload, say);
    default:
      return WEIGHTLESS.has(type) ? [] : undefined;
  }
}
