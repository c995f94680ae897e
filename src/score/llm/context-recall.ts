// Owns the context recall scorer: which statements of the ground truth the context holds.

import { notScorable } from "../not-scorable.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { numbered } from "./untrusted.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption, worst } from "./llm-scorer.ts";
import { contextOf, type ContextOptions, groundTruthOf, requireContext, saidBy } from "./material.ts";
import { claimsOn, countOf, statementsOf, told, verdictsOn } from "./statement.ts";

export interface ContextRecallOptions extends ScaleOption, ContextOptions {}

/** Statements of the ground truth that the context establishes, over all of them. No context scores 0, an empty answer too; without ground truth there is nothing to score. */
export function createContextRecallScorer(config: LlmScorerConfig & { readonly options: ContextRecallOptions }): ScorerBuilder {
  const options = config.options ?? {};
  requireContext("context-recall-scorer", options);
  return llmScorer({
    base: "context-recall-scorer",
    name: "Context Recall Scorer",
    description: "Which statements of the ground truth the context holds.",
    type: "agent",
    config,
    scale: options.scale,
    async prepare(run, ask) {
      const groundTruth = groundTruthOf(run);
      if (groundTruth === undefined) return notScorable("the item has no ground truth");
      const output = saidBy(run);
      if (typeof output !== "string") return output;
      const context = await contextOf(run, options);
      if (context.length === 0) return worst("no context was found");
      const { groundTruth: claims } = await statementsOf(ask, { groundTruth }, "the statements of fact");
      return claims.length === 0 ? notScorable("the ground truth states nothing") : { claims, context };
    },
    async decide({ claims, context }, ask) {
      const judged = await ask.labels({ context, statements: numbered(claims) }, claimsOn(claims, "statement", (number) => `By what "context" says alone, the statement number ${number} of "statements" is true.`));
      return { verdicts: verdictsOn(claims, judged) };
    },
    score: (_, { verdicts }) => countOf(verdicts, "entailed") / verdicts.length,
    reason: (_, { verdicts }) => `${countOf(verdicts, "entailed")} of ${verdicts.length} statements are in the context${told("not there", verdicts.filter(({ label }) => label !== "entailed"))}`,
  });
}
