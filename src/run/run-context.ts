// Owns what every part of one run shares.

import type { Clock } from "../core/clock.ts";
import type { Alarm } from "./alarm.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Plan } from "./plan.ts";
import type { Warnings } from "./warnings.ts";

export interface RunContext {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly cancellation: Cancellation;
  readonly warnings: Warnings;
  /** Counts abandoned calls that still run. */
  readonly onRunning: (change: 1 | -1) => void;
}

/** The clock's time as RFC 3339 text. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
