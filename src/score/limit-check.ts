// Owns the checks of what a run took: tokens, time, money. What is not known is an error, never a pass.

import { EntailError } from "../core/error.ts";
import type { ScorerRun } from "../core/scorer.ts";
import type { Usage } from "../core/usage.ts";
import { readMessages } from "../message/read-messages.ts";
import { type CheckOptions, quickCheck, type QuickCheck } from "./quick-check.ts";
import { scorerInvalid } from "./scorer-error.ts";

function requireLimit(kind: string, limit: unknown): void {
  if (typeof limit !== "number" || !Number.isFinite(limit) || limit < 0) throw scorerInvalid(`checks.${kind} needs a finite number, 0 or more, not ${String(limit)}`);
}

/** Nothing takes less than nothing: a count below 0 is wrong, and no limit would stop it. */
function isAmount(taken: unknown): taken is number {
  return typeof taken === "number" && Number.isFinite(taken) && taken >= 0;
}

function usageOf(run: ScorerRun): Usage | undefined {
  return run.usage ?? run.evidence?.usage ?? (typeof run.output === "object" && run.output !== null ? readMessages(run.output).usage : undefined);
}

function limitCheck(base: string, limit: number, unit: string, what: string, read: (run: ScorerRun) => number | undefined, options: CheckOptions): QuickCheck {
  return quickCheck(
    {
      base,
      detail: String(limit),
      description: `The run takes at most ${limit} ${unit}.`,
      find(run) {
        const taken = read(run);
        if (taken === undefined || !isAmount(taken)) throw new EntailError("not_observable", `the run does not say ${what}, so it cannot be held against ${limit} ${unit}`, { stage: "score" });
        const passed = taken <= limit;
        return { score: passed ? 1 : 0, reason: `${passed ? "" : `expected at most ${limit} ${unit}, `}${passed ? "took" : "found"} ${taken}${passed ? ` of at most ${limit} ${unit}` : ""}`, evidence: { limit, taken, passed } };
      },
    },
    options,
  );
}

/** Passes where the model's input and output together have at most so many tokens. */
export function maxTokens(limit: number, options: CheckOptions = {}): QuickCheck {
  requireLimit("maxTokens", limit);
  return limitCheck("check-max-tokens", limit, "tokens", "how many tokens it took", (run) => {
    const usage = usageOf(run);
    if (usage?.inputTokens === undefined || usage.outputTokens === undefined || (usage.unknownRequests ?? 0) > 0) return undefined;
    return isAmount(usage.inputTokens) && isAmount(usage.outputTokens) ? usage.inputTokens + usage.outputTokens : undefined;
  }, options);
}

/** Passes where the target answered within so many milliseconds. */
export function maxLatency(limitMs: number, options: CheckOptions = {}): QuickCheck {
  requireLimit("maxLatency", limitMs);
  return limitCheck("check-max-latency", limitMs, "ms", "how long it took", (run) => run.durationMs, options);
}

/** Passes where the run cost at most so many US dollars. */
export function maxCost(limit: number, options: CheckOptions = {}): QuickCheck {
  requireLimit("maxCost", limit);
  return limitCheck("check-max-cost", limit, "US dollars", "what it cost", (run) => {
    const usage = usageOf(run);
    return (usage?.unknownRequests ?? 0) > 0 ? undefined : usage?.cost;
  }, options);
}
