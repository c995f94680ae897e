// Owns how a run of the AI SDK ended: the phase that its stream amounts to, or that it never came to an end.

import type { RunFailure, TerminalPhase } from "../../core/evidence.ts";
import { thrownRunFailure } from "../../core/thrown.ts";
import type { SeenCall } from "./call-ledger.ts";

export interface Finish {
  readonly reason?: string | undefined;
  readonly rawReason?: string | undefined;
}

/** What was seen of the end, whichever came first. */
export type SeenEnd =
  | { readonly kind: "aborted"; readonly reason?: string | undefined }
  | { readonly kind: "failed"; readonly error: unknown }
  | ({ readonly kind: "finished" } & Finish);

export interface Ending {
  readonly phase: TerminalPhase;
  readonly failure?: RunFailure | undefined;
  readonly reason?: string | undefined;
}

function stoppedFor(kind: string, message: string, rawReason: string | undefined): Ending {
  return { phase: "failed", failure: { message, kind, ...(rawReason === undefined ? {} : { code: rawReason }) } };
}

/** True for a call that the application has still to answer: asked for approval, or without an `execute` of its own. */
function waits(call: SeenCall): boolean {
  if (call.ended !== undefined || call.approval?.state === "denied") return false;
  return call.approval?.state === "pending" || !call.providerExecuted;
}

/**
 * The phase of a run, or `undefined` where its stream stopped without an end: an abort or an error ends it whatever comes later; a
 * finish completes it, unless a call still waits for somebody, or the last answer was cut, filtered or broken. The SDK also writes a
 * finish where the model's connection broke; it then knows no reason of the provider's.
 */
export function endingOf(end: SeenEnd | undefined, calls: readonly SeenCall[]): Ending | undefined {
  if (end === undefined) return undefined;
  if (end.kind === "aborted") return { phase: "cancelled", reason: end.reason };
  if (end.kind === "failed") return { phase: "failed", failure: thrownRunFailure(end.error) };
  const { reason, rawReason } = end;
  switch (reason) {
    case "length":
      return stoppedFor("length", "the last answer was cut off at its token limit", rawReason);
    case "content-filter":
      return stoppedFor("content_filter", "the last answer was stopped by a content filter, or the model refused it", rawReason);
    case "error":
      return stoppedFor("error", "the model stopped because of an error", rawReason);
    case "interrupted":
      return undefined;
    case "stop":
    case "tool-calls":
    // A UI message stream may leave the reason out.
    case undefined:
      return { phase: calls.some(waits) ? "suspended" : "completed" };
    default:
      // `other` and `unknown`, and whatever a later version adds: never taken for an end that went well.
      return rawReason === undefined ? undefined : stoppedFor("other", `the model stopped for a reason that the AI SDK does not know: ${rawReason}`, rawReason);
  }
}
