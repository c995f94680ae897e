// Owns the budget of a run, or of all runs of an invocation: what was spent of it, the end it makes, and what could not be counted.

import { EntailError } from "../core/error.ts";
import type { JudgeAttempt } from "../core/judge.ts";
import type { SplitUsage } from "../core/report.ts";
import type { Usage } from "../core/usage.ts";

export interface BudgetLimits {
  /** US dollars. */
  readonly maxCost?: number | undefined;
  /** Input and output together. */
  readonly maxTokens?: number | undefined;
}

/** What one trial, or one calibration, spent. */
export interface Spent {
  readonly usage?: SplitUsage | undefined;
  readonly judging?: readonly JudgeAttempt[] | undefined;
  /** Whether the agent under test ran. */
  readonly subject: boolean;
}

/** Counts what reports say, so that a replay stops where the run that was recorded stopped. */
export interface Budget {
  spend(spent: Spent): void;
  /** Calls `reached` with a sentence once all is spent; at once where it is already. Returns how to forget it. */
  onReached(reached: (message: string) => void): () => void;
  /** What could not be counted, in a sentence; `undefined` where everything could. */
  uncounted(): string | undefined;
}

/** Sums of prices carry the errors of their last digits. */
const ROUNDING = 1e-9;

/** `undefined` where there is no limit. Throws `option_invalid`. */
export function createBudget({ maxCost, maxTokens }: BudgetLimits): Budget | undefined {
  if (maxCost !== undefined && !(typeof maxCost === "number" && Number.isFinite(maxCost) && maxCost > 0)) throw new EntailError("option_invalid", `maxCost must be a positive number of US dollars, not ${String(maxCost)}`);
  if (maxTokens !== undefined && !(Number.isSafeInteger(maxTokens) && maxTokens > 0)) throw new EntailError("option_invalid", `maxTokens must be a positive whole number, not ${String(maxTokens)}`);
  if (maxCost === undefined && maxTokens === undefined) return undefined;

  const listeners = new Set<(message: string) => void>();
  const uncounted = { subject: 0, judge: 0 };
  let cost = 0;
  let tokens = 0;
  let reached: string | undefined;

  const isKnown = (usage: Usage | undefined): boolean =>
    (maxCost === undefined || usage?.cost !== undefined) && (maxTokens === undefined || (usage?.inputTokens !== undefined && usage.outputTokens !== undefined));

  function sentence(): string | undefined {
    if (maxCost !== undefined && cost >= maxCost - ROUNDING) return `the run spent ${dollars(cost)} of the ${dollars(maxCost)} that it may cost`;
    if (maxTokens !== undefined && tokens >= maxTokens) return `the run used ${tokens} of the ${maxTokens} tokens that it may use`;
    return undefined;
  }

  return {
    spend({ usage, judging = [], subject }) {
      for (const each of [usage?.subject, usage?.judge]) {
        cost += each?.cost ?? 0;
        tokens += (each?.inputTokens ?? 0) + (each?.outputTokens ?? 0);
      }
      if (subject && !isKnown(usage?.subject)) uncounted.subject += 1;
      uncounted.judge += judging.filter((attempt) => !isKnown(attempt.usage)).length;
      if (reached !== undefined) return;
      reached = sentence();
      if (reached !== undefined) for (const tell of listeners) tell(reached);
    },
    onReached(tell) {
      if (reached !== undefined) tell(reached);
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    uncounted() {
      const what = maxCost === undefined ? "tokens" : maxTokens === undefined ? "cost" : "cost and tokens";
      const parts = [
        ...(uncounted.subject > 0 ? [`${uncounted.subject} ${uncounted.subject === 1 ? "trial" : "trials"} of the agent`] : []),
        ...(uncounted.judge > 0 ? [`${uncounted.judge} ${uncounted.judge === 1 ? "request" : "requests"} of the judge`] : []),
      ];
      return parts.length === 0 ? undefined : `the ${what} of ${parts.join(" and of ")} ${maxCost !== undefined && maxTokens === undefined ? "is" : "are"} unknown and not counted against the budget`;
    },
  };
}

function dollars(amount: number): string {
  return `$${amount < 0.01 ? Number(amount.toPrecision(2)) : amount.toFixed(2)}`;
}
