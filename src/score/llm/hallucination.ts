// Owns the hallucination scorer: which statements of the answer the context contradicts. Lower is better.

import type { ScorerRun } from "../../core/scorer.ts";
import { notScorable } from "../not-scorable.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { NOTHING_SAID } from "../text-check.ts";
import { numbered } from "./untrusted.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption } from "./llm-scorer.ts";
import { readContext, saidBy, toolResultsOf } from "./material.ts";
import { claimsOn, countOf, statementsOf, told, verdictsOn } from "./statement.ts";

export interface HallucinationOptions extends ScaleOption {
  /** What is true; what the tools gave back when absent. */
  readonly context?: readonly string[] | undefined;
  /** Finds what is true for a run. Wins over `context`. */
  readonly getContext?: ((given: { readonly run: ScorerRun; readonly results: Readonly<Record<string, any>>; readonly step: "analyze" }) => readonly string[] | Promise<readonly string[]>) | undefined;
}

/**
 * Contradicted statements over statements; one about which the context contradicts itself counts too. What the context says nothing of is not
 * counted: that is `createFaithfulnessScorer`'s. Not scorable where nothing was said or stated, or there is no context to contradict.
 */
export function createHallucinationScorer(config: LlmScorerConfig & { readonly options?: HallucinationOptions | undefined }): ScorerBuilder {
  const { scale, context: given, getContext } = config.options ?? {};
  return llmScorer({
    base: "hallucination-scorer",
    name: "Hallucination Scorer",
    description: "Which statements of the answer the context contradicts; lower is better.",
    type: "agent",
    config,
    scale,
    async prepare(run, ask) {
      const output = saidBy(run);
      if (typeof output !== "string") return notScorable(NOTHING_SAID);
      const { output: claims } = await statementsOf(ask, { output }, "the statements of fact");
      return claims.length === 0 ? notScorable("the answer states nothing") : { claims };
    },
    async decide({ claims }, ask, run) {
      const context = getContext !== undefined ? readContext(await getContext({ run, results: { preprocessStepResult: { claims } }, step: "analyze" }), "getContext") : given === undefined ? toolResultsOf(run) : readContext(given, "options.context");
      if (context.length === 0) return notScorable("there is no context that the answer could contradict");
      const judged = await ask.labels({ context, statements: numbered(claims) }, claimsOn(claims, "statement", (number) => `What "context" says contradicts the statement number ${number} of "statements": the two cannot both be true.`));
      return { verdicts: verdictsOn(claims, judged) };
    },
    score: (_, { verdicts }) => countOf(verdicts, "entailed", "indeterminate") / verdicts.length,
    reason: (_, { verdicts }) =>
      `${countOf(verdicts, "entailed", "indeterminate")} of ${verdicts.length} statements are contradicted${told("contradicted", verdicts.filter(({ label }) => label === "entailed" || label === "indeterminate"))}`,
  });
}
