// Owns how long an event was held: an adapter that must first hear more of a call gives its start later than it saw it.

import { systemClock } from "./clock.ts";

/** By identity: it is nothing that the event itself tells. */
const held = new WeakMap<object, number>();

/** For `heldSince`: the moment of the process's own clock. */
export const thisMoment = (): number => systemClock.elapsed();

/** Gives `event` back, noting that it was seen at `since`. */
export function heldSince<Event extends object>(event: Event, since: number): Event {
  held.set(event, since);
  return event;
}

/** Milliseconds since `event` was seen; 0 where it came at once. */
export function heldFor(event: object): number {
  const since = held.get(event);
  return since === undefined ? 0 : Math.max(0, thisMoment() - since);
}
