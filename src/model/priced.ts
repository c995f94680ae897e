// Owns the priced provider: each response says what it cost, where that is known.

import type { ModelResponse, ModelStreamPart, Provider } from "../core/model.ts";
import { checkPriceTable, costOf, type PriceTable } from "./price.ts";
import { factsOf } from "./provider-facts.ts";
import { readResponse } from "./read-response.ts";

/**
 * `provider` with `usage.cost` in each response, by `table` or by published prices. A cost that the provider tells itself stays; where a
 * price or a count of tokens is unknown there is none, so that `--max-cost` can say what it could not count.
 */
export function priced(provider: Provider, table?: PriceTable): Provider {
  if (table !== undefined) checkPriceTable(table);

  async function withCost(given: ModelResponse, asked: string | undefined): Promise<ModelResponse> {
    const response = readResponse(given);
    const { usage, model } = response;
    if (usage === undefined || usage.cost !== undefined) return response;
    // The name that was asked for is in the table where the answer's own, a dated one, is not.
    const cost = (await costOf(usage, model, table)) ?? (await costOf(usage, asked, table));
    return cost === undefined ? response : { ...response, usage: { ...usage, cost } };
  }

  const stream = provider.stream?.bind(provider);
  const countTokens = provider.countTokens?.bind(provider);
  return {
    async complete(request, options) {
      return withCost(await provider.complete(request, options), provider.modelName?.(request.modelClass));
    },
    ...(stream !== undefined && {
      async *stream(request, options): AsyncGenerator<ModelStreamPart, void> {
        for await (const part of stream(request, options)) {
          yield part.type === "response" ? { type: "response", response: await withCost(part.response, provider.modelName?.(request.modelClass)) } : part;
        }
      },
    }),
    ...(countTokens !== undefined && { countTokens: (request, options) => countTokens(request, options) }),
    ...factsOf(provider),
  };
}
