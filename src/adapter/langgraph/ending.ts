// Owns how a run of a graph ended: the phase that its stream amounts to, or that it never came to an end.

import type { RunFailure, TerminalPhase } from "../../core/evidence.ts";
import { isAbort, isBrokenConnection, thrownMessage, thrownRunFailure } from "../../core/thrown.ts";
import { textMember } from "../../core/member.ts";

export interface Ending {
  readonly phase: TerminalPhase;
  readonly failure?: RunFailure | undefined;
  readonly reason?: string | undefined;
}

/** How a stream ended that threw nothing. */
export interface Finish {
  /** The graph stopped to ask, or because it was told to stop there. */
  readonly interrupted: boolean;
  /** The answer's own calls that nobody has run. */
  readonly waiting: boolean;
  /** Why the model stopped that wrote the answer, where that is known. */
  readonly finishReason: string | undefined;
}

function stoppedFor(kind: string, message: string, code: string): Ending {
  return { phase: "failed", failure: { message, kind, code } };
}

const CUT: ReadonlySet<string> = new Set(["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length", "model_context_window_exceeded"]);
const FILTERED: ReadonlySet<string> = new Set(["content_filter", "refusal", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "guardrail_intervened", "content_filtered"]);
const BROKEN: ReadonlySet<string> = new Set(["error", "MALFORMED_FUNCTION_CALL", "OTHER"]);

export function endingOf({ interrupted, waiting, finishReason }: Finish): Ending {
  if (interrupted) return { phase: "suspended" };
  if (finishReason !== undefined && CUT.has(finishReason)) return stoppedFor("length", "the last answer was cut off at its token limit", finishReason);
  if (finishReason !== undefined && FILTERED.has(finishReason)) return stoppedFor("content_filter", "the last answer was stopped by a content filter, or the model refused it", finishReason);
  if (finishReason !== undefined && BROKEN.has(finishReason)) return stoppedFor("error", "the model stopped because of an error", finishReason);
  return { phase: waiting ? "suspended" : "completed" };
}

/**
 * How a run ended whose stream threw; `undefined` where the error says only that a connection broke, so that nobody knows what was still to
 * come. `aborted` says that the run was stopped from outside, whatever it then threw.
 */
export function endingOfThrown(thrown: unknown, aborted: boolean): Ending | undefined {
  if (aborted || isAbort(thrown)) return { phase: "cancelled", reason: thrownMessage(thrown) };
  if (textMember(thrown, "name") === "GraphDrained") return { phase: "cancelled", reason: textMember(thrown, "reason") ?? thrownMessage(thrown) };
  if (isBrokenConnection(thrown)) return undefined;
  const failure = thrownRunFailure(thrown);
  const code = textMember(thrown, "lc_error_code");
  // The rest of the message is an address.
  const [message = failure.message] = failure.message.split("\n\nTroubleshooting URL:");
  return { phase: "failed", failure: { ...failure, message, ...(failure.code === undefined && code !== undefined ? { code } : {}) } };
}
