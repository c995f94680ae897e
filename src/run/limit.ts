// Owns the limit on one attempt: its budget clock, the signal that hands it on, and how long what ignores the signal is waited for.

import type { Clock } from "../core/clock.ts";
import { EntailError } from "../core/error.ts";
import type { Alarm } from "./alarm.ts";
import type { Cancellable, Stop } from "./cancellation.ts";

/** What a call came to. `abandoned`: it ignored its signal, and nobody waits for it any longer. */
export type Settled<Value> = { readonly kind: "returned"; readonly value: Value } | { readonly kind: "threw"; readonly thrown: unknown } | { readonly kind: "abandoned" };

/** Why an attempt was ended from outside. */
export type Cut = { readonly kind: "deadline" } | { readonly kind: "cancelled"; readonly stop: Stop };

export interface Limit extends Cancellable {
  /** Aborted at the deadline and when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Why it was ended, if it was. It looks at the clock too, for the sake of code that let no timer fire. */
  cut(): Cut | undefined;
  /** Calls `call` and waits for it: until the deadline, and for 5 s after a cancellation. It never rejects. */
  within<Value>(call: () => Value | PromiseLike<Value>): Promise<Settled<Value>>;
  /** Stops the budget clock until what it returns is called. Pauses overlap: the clock goes on after the last. */
  readonly pause: () => () => void;
  /** Calls that were abandoned and have not come back since. */
  readonly running: () => number;
  /** Ends the budget. Its signal stays as it is. */
  close(): void;
}

export interface LimitOptions {
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly ms: number;
  /** What signals are aborted with at the deadline. */
  readonly message: string;
  /** Told when a call is abandoned (+1) and when it comes back after all (-1). */
  readonly onRunning: (change: 1 | -1) => void;
}

/** How long a hook is waited for that was asked to stop. */
export const GRACE_MS = 5_000;
/** Turns of the microtask queue that a hook gets to answer an aborted signal, before it counts as one that ignores it. */
const TURNS_TO_ANSWER = 50;

export function createLimit({ clock, alarm, ms, message, onRunning }: LimitOptions): Limit {
  const controller = new AbortController();
  let cutBy: Cut | undefined;
  let closed = false;
  let pauses = 0;
  let remaining = ms;
  let deadline = clock.elapsed() + ms;
  let giveUp: (() => void) | undefined;
  let abandoned = 0;
  let disarm = alarm.set(deadline, expire);
  let disarmGrace: (() => void) | undefined;

  function expire(): void {
    if (closed) return;
    disarm();
    if (cutBy === undefined) {
      cutBy = { kind: "deadline" };
      controller.abort(new EntailError("deadline_exceeded", message));
    }
    letAnswer(TURNS_TO_ANSWER);
  }

  function letAnswer(turns: number): void {
    if (turns === 0) giveUp?.();
    else if (giveUp !== undefined) void Promise.resolve().then(() => letAnswer(turns - 1));
  }

  function pause(): () => void {
    if (pauses++ === 0 && !closed && cutBy?.kind !== "deadline") {
      remaining = deadline - clock.elapsed();
      disarm();
    }
    let paused = true;
    return () => {
      if (!paused) return;
      paused = false;
      if (--pauses > 0 || closed || cutBy?.kind === "deadline") return;
      deadline = clock.elapsed() + remaining;
      disarm = alarm.set(deadline, expire);
    };
  }

  return {
    signal: controller.signal,
    cut() {
      if (cutBy === undefined && !closed && pauses === 0 && clock.elapsed() >= deadline) expire();
      return cutBy;
    },
    cancel(stop) {
      if (closed || cutBy !== undefined) return;
      cutBy = { kind: "cancelled", stop };
      disarmGrace = alarm.set(clock.elapsed() + GRACE_MS, () => giveUp?.());
      controller.abort(stop.reason);
    },
    within<Value>(call: () => Value | PromiseLike<Value>) {
      return new Promise<Settled<Value>>((resolve) => {
        let open = true;
        const settle = (settled: Settled<Value>): void => {
          if (open) {
            open = false;
            giveUp = undefined;
            resolve(settled);
          } else {
            abandoned -= 1;
            onRunning(-1);
          }
        };
        giveUp = () => {
          if (!open) return;
          open = false;
          giveUp = undefined;
          abandoned += 1;
          onRunning(1);
          resolve({ kind: "abandoned" });
        };
        try {
          // Whatever becomes of an abandoned call is seen here, so it never ends as an unhandled rejection.
          Promise.resolve(call()).then(
            (value) => settle({ kind: "returned", value }),
            (thrown: unknown) => settle({ kind: "threw", thrown }),
          );
        } catch (thrown) {
          settle({ kind: "threw", thrown });
        }
      });
    },
    pause,
    running: () => abandoned,
    close() {
      closed = true;
      disarm();
      disarmGrace?.();
    },
  };
}
