// Owns the stopping of a run: no further start, or the end of what is going on too, and why.

import { messageOf } from "../core/error.ts";
import { codeOf } from "./describe-error.ts";

export interface Stop {
  readonly code: (typeof CODES)[number];
  readonly message: string;
  /** What signals are aborted with. */
  readonly reason: unknown;
}

/** Something in flight that a cancelled run ends. */
export interface Cancellable {
  cancel(stop: Stop): void;
}

export interface Cancellation {
  /** Set once nothing may start any more. The first reason stays, but for a halt that an abort comes after. */
  readonly stop: () => Stop | undefined;
  /** Set once what is in flight was cancelled too. */
  readonly aborted: () => boolean;
  /** Aborted when nothing may start any more. */
  readonly halted: AbortSignal;
  /** Lets what is in flight end by itself. */
  halt(stop: Stop): void;
  /** Ends what is in flight. */
  abort(stop: Stop): void;
  join(member: Cancellable): void;
  leave(member: Cancellable): void;
  /** Lets go of the caller's signal. */
  close(): void;
}

const CODES = ["cancelled", "bail_reached", "max_time_reached", "budget_reached"] as const;

/** An `EntailError` among the reasons says itself what stopped the run: a limit over several runs, for one. */
function cancelledBy(signal: AbortSignal): Stop {
  const reason: unknown = signal.reason;
  const own = CODES.find((code) => code === codeOf(reason));
  if (own !== undefined) return { code: own, message: messageOf(reason), reason };
  // The plain reason of `abort()` says nothing that the code does not say.
  const plain = reason === undefined || (reason instanceof DOMException && reason.name === "AbortError");
  return { code: "cancelled", message: plain ? "the run was cancelled" : `the run was cancelled: ${messageOf(reason)}`, reason };
}

/** Follows the caller's signal; an aborted one is seen at once. */
export function createCancellation(signal: AbortSignal | undefined): Cancellation {
  const members = new Set<Cancellable>();
  const halted = new AbortController();
  let stop: Stop | undefined;
  let aborted = false;

  const halt = (why: Stop): void => {
    stop ??= why;
    halted.abort(why.reason);
  };
  const abort = (why: Stop): void => {
    if (aborted) return;
    aborted = true;
    stop = why;
    halted.abort(why.reason);
    for (const member of members) member.cancel(why);
  };
  const onAbort = (): void => {
    if (signal !== undefined) abort(cancelledBy(signal));
  };
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });

  return {
    stop: () => stop,
    aborted: () => aborted,
    halted: halted.signal,
    halt,
    abort,
    join(member) {
      members.add(member);
      if (aborted && stop !== undefined) member.cancel(stop);
    },
    leave: (member) => void members.delete(member),
    close: () => signal?.removeEventListener("abort", onAbort),
  };
}
