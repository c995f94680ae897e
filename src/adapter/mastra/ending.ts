// Owns how a run of Mastra's ended: the phase that it amounts to, or that it never came to an end.

import { messageOf } from "../../core/error.ts";
import type { RunFailure, TerminalPhase } from "../../core/evidence.ts";
import { countMember } from "../../core/member.ts";
import { isAbort, isBrokenConnection, thrownRunFailure } from "../../core/thrown.ts";
import type { Call } from "./call-ledger.ts";
import type { Run } from "./run.ts";

export interface Ending {
  readonly phase: TerminalPhase;
  readonly failure?: RunFailure | undefined;
  readonly reason?: string | undefined;
}

function stoppedFor(kind: string, message: string, code: string | undefined): Ending {
  return { phase: "failed", failure: { message, kind, ...(code === undefined ? {} : { code }) } };
}

/** True for a call that somebody has still to answer: asked for, or without an `execute` of its own. */
function waits(call: Call): boolean {
  if (call.ended !== undefined || call.asked?.state === "denied") return false;
  return call.asked?.state === "pending" || !(call.providerExecuted || call.background);
}

/** True where an error says that the model's answer broke off while it was being read: Mastra reports it as an error like any other. */
export function isCutOff(error: unknown): boolean {
  const status = countMember(error, "statusCode");
  return isBrokenConnection(error) || (status !== undefined && status >= 200 && status < 300);
}

/**
 * The phase of a run, or `undefined` where it came to no end: an abort or an error ends it whatever comes later; a finish completes it,
 * unless a call still waits for somebody, or the last answer was cut, filtered or broken. A run that stops without a finish is suspended
 * where a call waits for an answer. Mastra finishes a run that is aborted inside a tool as if it waited: only `signal` tells the two apart.
 */
export function endingOf({ end, calls, waits: asked }: Pick<Run, "end" | "calls" | "waits">, signal: AbortSignal | undefined): Ending | undefined {
  const waiting = calls.some(waits);
  if (end?.kind === "failed") {
    if (isAbort(end.error)) return { phase: "cancelled", reason: signal?.aborted === true ? messageOf(signal.reason) : undefined };
    return isCutOff(end.error) ? undefined : { phase: "failed", failure: thrownRunFailure(end.error) };
  }
  const wholeAnswer = end?.kind === "finished" && end.reason === "stop" && !waiting;
  if (end?.kind === "aborted" || (signal?.aborted === true && !wholeAnswer && end?.kind !== "tripwire")) {
    return { phase: "cancelled", reason: (end?.kind === "aborted" ? end.reason : undefined) ?? (signal?.aborted === true ? messageOf(signal.reason) : undefined) };
  }
  if (end === undefined) return asked ? { phase: "suspended" } : undefined;
  if (end.kind === "tripwire") return stoppedFor("tripwire", end.reason ?? "a processor stopped the run", end.processor);
  if (end.kind === "suspended") return { phase: "suspended" };
  const { reason, rawReason } = end;
  switch (reason) {
    case "stop":
    case "tool-calls":
      return { phase: waiting ? "suspended" : "completed" };
    case "length":
      return stoppedFor("length", "the last answer was cut off at its token limit", rawReason);
    case "content-filter":
      return stoppedFor("content_filter", "the last answer was stopped by a content filter, or the model refused it", rawReason);
    case "error":
      return stoppedFor("error", "the model stopped because of an error", rawReason);
    case undefined:
    default:
      // `interrupted`, `unknown`, `other`, none, and whatever a later version adds: never taken for an end that went well.
      return rawReason === undefined || reason === "interrupted" ? undefined : stoppedFor("other", `the model stopped for a reason that Mastra does not know: ${rawReason}`, rawReason);
  }
}
