// Owns the usage that a message tells of itself: Anthropic's and LangChain's; both count what was read from a cache and what was reasoned apart.

import { countMember, member } from "../core/member.ts";
import type { Usage } from "../core/usage.ts";

/** What is known; `undefined` where nothing is. A missing count stays unknown. */
export function readUsage(usage: unknown): Usage | undefined {
  const known = {
    inputTokens: countMember(usage, "input_tokens"),
    outputTokens: countMember(usage, "output_tokens"),
    reasoningTokens: countMember(member(usage, "output_token_details"), "reasoning") ?? countMember(member(usage, "output_tokens_details"), "reasoning_tokens"),
    cachedInputTokens: countMember(usage, "cache_read_input_tokens") ?? countMember(member(usage, "input_token_details"), "cache_read") ?? countMember(member(usage, "input_tokens_details"), "cached_tokens"),
  };
  if (known.inputTokens === undefined && known.outputTokens === undefined) return undefined;
  return { ...Object.fromEntries(Object.entries(known).filter(([, count]) => count !== undefined)), requests: 1 };
}
