// Owns prices: what a model's tokens cost, by a table of the user's or by the published prices that come with the package.

import { EntailError } from "../core/error.ts";
import type { Usage } from "../core/usage.ts";

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input that the provider had in its cache; as `input` when absent. */
  readonly cachedInput?: number | undefined;
}

/** Prices by the model's name, as its provider writes it. What is not in it is unknown. */
export type PriceTable = Readonly<Record<string, ModelPrice>>;

const MILLION = 1_000_000;

/** Throws `option_invalid` for a table that is none. */
export function checkPriceTable(table: PriceTable): void {
  if (typeof table !== "object" || table === null) throw new EntailError("option_invalid", "a table of prices must be an object: { model: { input, output } }");
  for (const [model, price] of Object.entries(table) as readonly [string, Partial<ModelPrice> | null][]) {
    for (const name of ["input", "output", "cachedInput"] as const) {
      const value = price?.[name];
      if (value === undefined && name === "cachedInput") continue;
      if (!(typeof value === "number" && Number.isFinite(value) && value >= 0)) throw new EntailError("option_invalid", `the price of ${JSON.stringify(model)} needs ${name}, US dollars for a million tokens: 0 or more`);
    }
  }
}

/**
 * What `usage` of `model` costs, in US dollars; `undefined` where the model, its price or one of the two counts of tokens is unknown, and
 * never 0 for unknown. Without a table the prices are those of `@pydantic/genai-prices` at the time of this version.
 */
export async function costOf(usage: Usage | undefined, model: string | undefined, table?: PriceTable): Promise<number | undefined> {
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage ?? {};
  if (model === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  const cached = Math.min(cachedInputTokens, inputTokens);
  if (table !== undefined) {
    const price = Object.hasOwn(table, model) ? table[model] : undefined;
    if (price === undefined) return undefined;
    return ((inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input) + outputTokens * price.output) / MILLION;
  }
  const { calcPrice } = await import("@pydantic/genai-prices");
  try {
    return calcPrice({ input_tokens: inputTokens, output_tokens: outputTokens, ...(cached > 0 && { cache_read_tokens: cached }) }, model)?.total_price;
  } catch {
    // Counts that do not fit the model's prices.
    return undefined;
  }
}
