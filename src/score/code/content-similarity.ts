// Owns the content similarity scorer: how alike the agent's words are to the user's.

import { createScorer } from "../create-scorer.ts";
import { fold } from "../fold.ts";
import { isNotScorable } from "../not-scorable.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { dice } from "../similarity.ts";
import { agentTexts } from "./agent-texts.ts";

export interface ContentSimilarityOptions {
  /** True when absent. */
  readonly ignoreCase?: boolean | undefined;
  /** True when absent. The measure leaves white space out in any case; where this is false, texts that differ in it alone are not equal to 1 but to Dice over words and blanks. */
  readonly ignoreWhitespace?: boolean | undefined;
  readonly id?: string | undefined;
}

/** Dice over pairs of characters of input and output. */
export function createContentSimilarityScorer({ ignoreCase = true, ignoreWhitespace = true, id = "content-similarity-scorer" }: ContentSimilarityOptions = {}): ScorerBuilder {
  return createScorer({ id, base: "content-similarity-scorer", name: "Content Similarity Scorer", description: "How alike the agent's words are to the user's.", type: "agent" })
    .preprocess(({ run }) => {
      const texts = agentTexts(run);
      if (isNotScorable(texts)) return texts;
      const plain = (text: string): string => (ignoreWhitespace ? fold(text, ignoreCase) : fold(text, ignoreCase).replace(/\s/gu, "\u2423"));
      return { processedInput: plain(texts.input), processedOutput: plain(texts.output) };
    })
    .generateScore(({ results: { preprocessStepResult: { processedInput, processedOutput } } }) => dice(processedInput, processedOutput))
    .generateReason(({ score }) => `the Dice value of input and output is ${Math.round(score * 1000) / 1000}`) as ScorerBuilder;
}
