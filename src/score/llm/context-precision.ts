// Owns the context precision scorer: whether the useful pieces of the context stand before the useless ones.

import { notScorable } from "../not-scorable.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { numbered } from "./untrusted.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption } from "./llm-scorer.ts";
import { askedOf, contextOf, type ContextOptions, requireContext, saidBy } from "./material.ts";
import { claimsOn, countOf, told, verdictsOn } from "./statement.ts";

export interface ContextPrecisionOptions extends ScaleOption, ContextOptions {}

/**
 * The mean, over the useful pieces, of the share of useful ones up to there (mean average precision); 0 where none is useful. An empty answer
 * scores 0; where no context was found there is nothing to score.
 */
export function createContextPrecisionScorer(config: LlmScorerConfig & { readonly options: ContextPrecisionOptions }): ScorerBuilder {
  const options = config.options ?? {};
  requireContext("context-precision-scorer", options);
  return llmScorer({
    base: "context-precision-scorer",
    name: "Context Precision Scorer",
    description: "Whether the useful pieces of the context stand before the useless ones.",
    type: "agent",
    config,
    scale: options.scale,
    async prepare(run) {
      const output = saidBy(run);
      if (typeof output !== "string") return output;
      const context = await contextOf(run, options);
      return context.length === 0 ? notScorable("no context was found") : { context, input: askedOf(run), output };
    },
    async decide({ context, input, output }, ask) {
      const judged = await ask.labels({ input, output, context: numbered(context) }, claimsOn(context, "piece", (number) => `The piece number ${number} of "context" is of use for the answer in "output" to what "input" asks.`));
      return { verdicts: verdictsOn(context, judged) };
    },
    score(_, { verdicts }) {
      let useful = 0;
      let sum = 0;
      for (const [at, { label }] of verdicts.entries()) if (label === "entailed") sum += ++useful / (at + 1);
      return useful === 0 ? 0 : sum / useful;
    },
    reason: (_, { verdicts }) => `${countOf(verdicts, "entailed")} of ${verdicts.length} pieces are of use, at the places ${verdicts.flatMap(({ label }, at) => (label === "entailed" ? [at + 1] : [])).join(", ") || "none"}${told("of no use", verdicts.filter(({ label }) => label !== "entailed"))}`,
  });
}
