// Owns the completeness scorer: how much of what the user named the agent takes up.

import { createScorer } from "../create-scorer.ts";
import { isNotScorable, notScorable } from "../not-scorable.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { agentTexts } from "./agent-texts.ts";
import { contentWords } from "./content-words.ts";

export interface CompletenessOptions {
  readonly id?: string | undefined;
}

/**
 * The share of the input's content words that are in the output: the same word, or, from four letters on, one that holds the other and is not much
 * longer (the shorter more than 60% of it, so that plural and singular meet). Mastra takes nouns, verbs and topics by a grammar of English; here every
 * word counts that is not of English grammar.
 */
export function createCompletenessScorer({ id = "completeness-scorer" }: CompletenessOptions = {}): ScorerBuilder {
  return createScorer({ id, base: "completeness-scorer", name: "Completeness Scorer", description: "How much of what the user named the agent takes up.", type: "agent" })
    .preprocess(({ run }) => {
      const texts = agentTexts(run);
      if (isNotScorable(texts)) return texts;
      const inputElements = contentWords(texts.input);
      if (inputElements.length === 0) return notScorable("the user's words are of grammar alone");
      const outputElements = contentWords(texts.output);
      const missingElements = inputElements.filter((word) => !outputElements.some((other) => covers(word, other)));
      return { inputElements, outputElements, missingElements };
    })
    .generateScore(({ results }) => 1 - results.preprocessStepResult.missingElements.length / results.preprocessStepResult.inputElements.length)
    .generateReason(({ results: { preprocessStepResult: { inputElements, missingElements } } }) =>
      missingElements.length === 0 ? `all ${inputElements.length} words of the input are taken up` : `${missingElements.length} of ${inputElements.length} words are missing: ${missingElements.slice(0, 10).join(", ")}`,
    ) as ScorerBuilder;
}

function covers(word: string, other: string): boolean {
  if (word === other) return true;
  const [longer, shorter] = word.length >= other.length ? [word, other] : [other, word];
  return word.length > 3 && longer.includes(shorter) && shorter.length / longer.length > 0.6;
}
