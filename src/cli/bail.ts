// Owns `--bail` over several suites: after so many scenarios failed or errored in all of them nothing starts, and what runs ends by itself.

import { EntailError } from "../core/error.ts";
import type { ScenarioReport } from "../core/report.ts";
import type { Slots } from "../run/plan.ts";

export interface Bail {
  /** Shared by the suites; it gives out no place once the limit is reached. */
  readonly slots: Slots;
  /** Aborted when the limit is reached and the last running scenario has ended. */
  readonly signal: AbortSignal;
  /** Counts a scenario, but for one that is known to fail. */
  count(report: ScenarioReport): void;
}

export function createBail(slots: Slots, limit: number): Bail {
  const controller = new AbortController();
  let unexpected = 0;
  let running = 0;
  const reached = (): boolean => unexpected >= limit;
  const endWhenIdle = (): void => {
    if (reached() && running === 0) controller.abort(new EntailError("bail_reached", `stopped after ${limit} ${limit === 1 ? "scenario that did not pass" : "scenarios that did not pass"}`));
  };
  const never = (signal: AbortSignal): Promise<false> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve(false);
      else signal.addEventListener("abort", () => resolve(false), { once: true });
    });
  return {
    signal: controller.signal,
    count({ outcome, knownFailure }) {
      if ((outcome === "failed" || outcome === "errored") && knownFailure === undefined) unexpected += 1;
    },
    slots: {
      tryTake() {
        if (reached() || !slots.tryTake()) return false;
        running += 1;
        return true;
      },
      async take(signal) {
        if (!reached() && (await slots.take(signal))) {
          if (!reached()) {
            running += 1;
            return true;
          }
          slots.release();
        }
        endWhenIdle();
        return never(signal);
      },
      release() {
        slots.release();
        running -= 1;
        endWhenIdle();
      },
    },
  };
}
