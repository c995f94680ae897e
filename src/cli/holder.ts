// Owns who may write the runs of an invocation: this process while it lives, and another once it does not.

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Holder, Store } from "../core/store.ts";

/** How often a holder says that it is there. */
const BEAT_MS = 10_000;
/** Of one on another machine nothing else is known than when it was last heard of. */
const SILENCE_MS = 60_000;
/** A process that is there may be blocked for a while; its number may also be another's by now. */
const LONG_SILENCE_MS = 180_000;

export function newHolder(now: number): Holder {
  return { token: randomUUID(), pid: process.pid, host: hostname(), seenAt: new Date(now).toISOString() };
}

/** Whether a holder has ended, or has to be taken for ended. */
export function isGone({ pid, host, seenAt }: Holder, now: number): boolean {
  const silentFor = now - Date.parse(seenAt);
  if (host !== hostname()) return !(silentFor < SILENCE_MS);
  // A process of our own number that is not us was there before us.
  return pid === process.pid || !isAlive(pid) || !(silentFor < LONG_SILENCE_MS);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It is there and belongs to somebody else.
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

export interface Beat {
  readonly stop: () => void;
  /** Whether another process has taken the invocation meanwhile. */
  readonly lost: () => boolean;
}

/** Says again and again that `holder` is there. `onLost` is called once another one has taken its place. It keeps no process alive. */
export function beat(store: Store, invocationId: string, holder: Holder, now: () => number, onLost: (by: Holder) => void): Beat {
  let lost = false;
  const timer = setInterval(() => {
    store.holdInvocation(invocationId, { ...holder, seenAt: new Date(now()).toISOString() }, () => false).then(
      (by) => {
        if (by === undefined || lost) return;
        lost = true;
        clearInterval(timer);
        onLost(by);
      },
      // What the store cannot do, it tells elsewhere.
      () => {},
    );
  }, BEAT_MS).unref();
  return { stop: () => clearInterval(timer), lost: () => lost };
}
