// Owns the keyword coverage scorer: which of the input's keywords the agent says.

import { createScorer } from "../create-scorer.ts";
import { isNotScorable, notScorable } from "../not-scorable.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { agentTexts } from "./agent-texts.ts";
import { contentWords } from "./content-words.ts";

/** The share of the input's keywords (content words, digits left out) that the output has, word for word. Mastra takes them by a list of English of its own. */
export function createKeywordCoverageScorer({ id = "keyword-coverage-scorer" }: { readonly id?: string | undefined } = {}): ScorerBuilder {
  return createScorer({ id, base: "keyword-coverage-scorer", name: "Keyword Coverage Scorer", description: "Which of the input's keywords the agent says.", type: "agent" })
    .preprocess(({ run }) => {
      const texts = agentTexts(run);
      if (isNotScorable(texts)) return texts;
      const referenceKeywords = contentWords(texts.input);
      if (referenceKeywords.length === 0) return notScorable("the input has no keyword");
      const said = new Set(contentWords(texts.output));
      return { referenceKeywords, matchedKeywords: referenceKeywords.filter((word) => said.has(word)) };
    })
    .generateScore(({ results: { preprocessStepResult: { referenceKeywords, matchedKeywords } } }) => matchedKeywords.length / referenceKeywords.length)
    .generateReason(({ results: { preprocessStepResult: { referenceKeywords, matchedKeywords } } }) => {
      const missing = referenceKeywords.filter((word) => !matchedKeywords.includes(word));
      return `${matchedKeywords.length} of ${referenceKeywords.length} keywords are said${missing.length === 0 ? "" : `; missing: ${missing.slice(0, 10).join(", ")}`}`;
    }) as ScorerBuilder;
}
