// Owns usage: what model calls consumed. What is unknown stays unknown; it is never zero.

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  /** US dollars. */
  readonly cost?: number;
  readonly requests?: number;
  /** How many of `requests` came back without a usage; the sums leave them out. */
  readonly unknownRequests?: number;
}

export const USAGE_MEMBERS = ["inputTokens", "outputTokens", "reasoningTokens", "cachedInputTokens", "cost", "requests", "unknownRequests"] as const;

/** The sum of those usages that are known; `undefined` where none is. */
export function addUsage(...usages: readonly (Usage | undefined)[]): Usage | undefined {
  const sum: { -readonly [K in keyof Usage]: number } = {};
  let known = false;
  for (const usage of usages) {
    if (usage === undefined) continue;
    for (const member of USAGE_MEMBERS) {
      const value = usage[member];
      if (value === undefined) continue;
      known = true;
      sum[member] = (sum[member] ?? 0) + value;
    }
  }
  return known ? sum : undefined;
}
