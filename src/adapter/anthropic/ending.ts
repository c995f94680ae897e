// Owns how a run ended: the phase that its last message amounts to, or that it never came to an end.

import type { RunFailure, TerminalPhase } from "../../core/evidence.ts";
import { endOfThrown } from "./failure.ts";

/** What an application says of its loop's end. */
export interface SaidEnd {
  readonly phase: TerminalPhase;
  readonly failure?: unknown;
}

export interface SeenEnd {
  /** Set where the API told an error, or the source threw. */
  readonly failed?: { readonly error: unknown } | undefined;
  readonly said?: SaidEnd | undefined;
  /** True where somebody is asked and has not answered. */
  readonly waits: boolean;
  /** True where a call that the application has to execute has no result. */
  readonly open: boolean;
  /** Why the last message stopped; `undefined` where it was cut off before it said so, or where there was none. */
  readonly stopReason: string | undefined;
  /** What the API says of a refusal. */
  readonly detail: string | undefined;
}

export interface Ending {
  /** `undefined` where the loop stopped after its tools had answered: whether that was its end, only the application can say. */
  readonly phase: TerminalPhase | undefined;
  readonly failure?: RunFailure | undefined;
  readonly said?: unknown;
  readonly reason?: string | undefined;
}

function stoppedFor(kind: string, message: string, code: string): Ending {
  return { phase: "failed", failure: { message, kind, code } };
}

/** How a run ended, or `undefined` where nobody saw its end. An error is not overruled by what comes after it. */
export function endingOf({ failed, said, waits, open, stopReason, detail }: SeenEnd): Ending | undefined {
  if (failed !== undefined) return endOfThrown(failed.error);
  if (said !== undefined) return { phase: said.phase, said: said.failure };
  if (waits) return { phase: "suspended" };
  switch (stopReason) {
    case undefined:
      return undefined;
    case "end_turn":
    case "stop_sequence":
      return { phase: "completed" };
    case "tool_use":
      return { phase: open ? "suspended" : undefined };
    case "pause_turn":
      return { phase: "suspended" };
    case "max_tokens":
    case "model_context_window_exceeded":
      return stoppedFor("length", "the last answer was cut off at its token limit", stopReason);
    case "refusal":
      return stoppedFor("refusal", `the model refused to answer${detail === undefined ? "" : `: ${detail}`}`, stopReason);
    default:
      return stoppedFor("other", `the model stopped for a reason that Entail does not know: ${stopReason}`, stopReason);
  }
}
