// Owns the reading of usage from a span's attributes, and its sum over a run.

import { addUsage, type Usage } from "../../core/usage.ts";

const NAMES = {
  inputTokens: ["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "ai.usage.inputTokens", "ai.usage.promptTokens"],
  outputTokens: ["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "ai.usage.outputTokens", "ai.usage.completionTokens"],
  reasoningTokens: ["gen_ai.usage.reasoning.output_tokens", "ai.usage.reasoningTokens"],
  cachedInputTokens: ["gen_ai.usage.cache_read.input_tokens", "ai.usage.cachedInputTokens"],
} as const satisfies Partial<Record<keyof Usage, readonly string[]>>;

function count(attributes: ReadonlyMap<string, unknown>, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
  }
  return undefined;
}

/** What one span says of its usage; `undefined` where it says nothing. A missing count stays unknown. */
export function readUsage(attributes: ReadonlyMap<string, unknown>): Usage | undefined {
  const read = Object.fromEntries(
    Object.entries(NAMES).flatMap(([member, names]) => {
      const number = count(attributes, names);
      return number === undefined ? [] : [[member, number]];
    }),
  ) as Usage;
  return read.inputTokens === undefined && read.outputTokens === undefined ? undefined : read;
}

/** The usage of a run from that of its model calls; where they say nothing, what its agent says of them all. Each token is counted once. */
export function usageOf(models: readonly { readonly usage: Usage | undefined }[], agent: Usage | undefined): Usage | undefined {
  const sum = addUsage(...models.map(({ usage }) => usage));
  const tokens = sum ?? agent;
  if (tokens === undefined || models.length === 0) return tokens;
  const unknown = sum === undefined ? 0 : models.filter(({ usage }) => usage === undefined).length;
  return { ...tokens, requests: models.length, ...(unknown === 0 ? {} : { unknownRequests: unknown }) };
}
