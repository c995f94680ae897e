// Owns the reading of AI SDK usage, in its three shapes: a model's own (v3, v4: nested totals; v2: flat) and that of a stream's parts.

import type { Usage } from "../core/usage.ts";
import { countMember, member } from "../core/member.ts";

/** What is known of the usage of one model call; `undefined` where nothing is. A missing count stays unknown. */
export function readUsage(usage: unknown): Usage | undefined {
  const input = member(usage, "inputTokens");
  const output = member(usage, "outputTokens");
  const flat = typeof input === "number" || typeof output === "number";
  const inputTokens = flat ? countMember(usage, "inputTokens") : countMember(input, "total");
  const outputTokens = flat ? countMember(usage, "outputTokens") : countMember(output, "total");
  const reasoningTokens = flat
    ? (countMember(member(usage, "outputTokenDetails"), "reasoningTokens") ?? countMember(usage, "reasoningTokens"))
    : countMember(output, "reasoning");
  const cachedInputTokens = flat
    ? (countMember(member(usage, "inputTokenDetails"), "cacheReadTokens") ?? countMember(usage, "cachedInputTokens"))
    : countMember(input, "cacheRead");
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
  };
}
