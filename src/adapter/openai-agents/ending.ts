// Owns how a run ended: the phase that its stream and its result amount to, or that it never came to an end.

import type { RunFailure, TerminalPhase } from "../../core/evidence.ts";
import { endOfThrown } from "./failure.ts";
import type { RunState } from "./run-state.ts";

export interface SeenEnd {
  /** Set where the run, or its stream, threw. */
  readonly thrown?: { readonly error: unknown } | undefined;
  /** True where somebody is asked and has not answered. */
  readonly waits: boolean;
  /** True where a call of the application's own tools has no end. */
  readonly open: boolean;
  /** True where the last thing said was a message of the model. */
  readonly spoken: boolean;
  /** Why the model's last response stopped; `broken` where its stream ended without saying so; `undefined` where it was not seen. */
  readonly reason: string | undefined;
}

export interface Ending {
  readonly phase: TerminalPhase;
  readonly failure?: RunFailure | undefined;
  readonly reason?: string | undefined;
}

function stoppedFor(kind: string, message: string, code: string): Ending {
  return { phase: "failed", failure: { message, kind, code } };
}

/**
 * The phase of a run, or `undefined` where nobody saw its end. An abort closes the SDK's stream as an end does: only its result tells them apart, so
 * a bare stream has ended only with a message of the model after the last of its calls.
 */
export function endingOf({ thrown, waits, open, spoken, reason }: SeenEnd, state: RunState): Ending | undefined {
  if (thrown !== undefined) return endOfThrown(thrown.error);
  if (state.cancelled) return { phase: "cancelled" };
  if (waits) return { phase: "suspended" };
  switch (reason) {
    case "broken":
      return undefined;
    case "length":
    case "max_output_tokens":
      return stoppedFor("length", "the last answer was cut off at its token limit", reason);
    case "content_filter":
    case "content-filter":
      return stoppedFor("content_filter", "the last answer was stopped by a content filter", reason);
    case "error":
    case "incomplete":
      return stoppedFor("error", "the model stopped because of an error", reason);
    case undefined:
    default:
      return state.known || (spoken && !open) ? { phase: "completed" } : undefined;
  }
}
