// Owns the faithfulness scorer: which statements of the answer the context supports.

import { notScorable } from "../not-scorable.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { numbered } from "./untrusted.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption, worst } from "./llm-scorer.ts";
import { readContext, saidBy, toolResultsOf } from "./material.ts";
import { claimsOn, countOf, statementsOf, told, verdictsOn } from "./statement.ts";

export interface FaithfulnessOptions extends ScaleOption {
  /** What the answer must rest on; what the tools gave back when absent. */
  readonly context?: readonly string[] | undefined;
}

/**
 * Supported statements over statements. Only what the context establishes is supported. An empty answer, or one that rests on no context at
 * all, scores 0; an answer that states nothing is not scorable.
 */
export function createFaithfulnessScorer(config: LlmScorerConfig & { readonly options?: FaithfulnessOptions | undefined }): ScorerBuilder {
  const { scale, context: given } = config.options ?? {};
  return llmScorer({
    base: "faithfulness-scorer",
    name: "Faithfulness Scorer",
    description: "Which statements of the answer the context supports.",
    type: "agent",
    config,
    scale,
    async prepare(run, ask) {
      const output = saidBy(run);
      if (typeof output !== "string") return output;
      const context = given === undefined ? toolResultsOf(run) : readContext(given, "options.context");
      const { output: claims } = await statementsOf(ask, { output }, "the statements of fact");
      if (claims.length === 0) return notScorable("the answer states nothing");
      return context.length === 0 ? worst(`the answer states ${claims.length} things and there is no context that could support them`) : { claims, context };
    },
    async decide({ claims, context }, ask) {
      const judged = await ask.labels({ context, statements: numbered(claims) }, claimsOn(claims, "statement", (number) => `By what "context" says alone, the statement number ${number} of "statements" is true.`));
      return { verdicts: verdictsOn(claims, judged) };
    },
    score: (_, { verdicts }) => countOf(verdicts, "entailed") / verdicts.length,
    reason: (_, { verdicts }) => `${countOf(verdicts, "entailed")} of ${verdicts.length} statements are supported${told("not supported", verdicts.filter(({ label }) => label !== "entailed"))}`,
  });
}
