// Owns the usage of a run: the sum over the responses of its models.

import { countMember, listMember, member } from "../../core/member.ts";
import { addUsage, type Usage } from "../../core/usage.ts";

/** A count of the details, which the SDK gives as one record or as a list of one. */
function detail(usage: unknown, name: string, count: string): number | undefined {
  const details = member(usage, name);
  return countMember(listMember(usage, name)?.[0] ?? details, count);
}

/** What is known of one response's usage. The SDK writes zero for what it was not told, and no response costs nothing. */
export function readUsage(usage: unknown): Usage | undefined {
  const inputTokens = countMember(usage, "inputTokens");
  const outputTokens = countMember(usage, "outputTokens");
  if ((inputTokens ?? 0) === 0 && (outputTokens ?? 0) === 0) return undefined;
  const cachedInputTokens = detail(usage, "inputTokensDetails", "cached_tokens");
  const reasoningTokens = detail(usage, "outputTokensDetails", "reasoning_tokens");
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
  };
}

export interface RunUsage {
  response(usage: unknown): void;
  sum(): Usage | undefined;
}

export function runUsage(): RunUsage {
  let tokens: Usage | undefined;
  let requests = 0;
  let unknownRequests = 0;
  return {
    response(usage) {
      const read = readUsage(usage);
      requests += 1;
      if (read === undefined) unknownRequests += 1;
      tokens = addUsage(tokens, read);
    },
    sum: () => (tokens === undefined ? undefined : { ...tokens, requests, ...(unknownRequests === 0 ? {} : { unknownRequests }) }),
  };
}
