// Owns the textual difference scorer: how much of two texts stands in both in the same order.

import { createScorer } from "../create-scorer.ts";
import { graphemes } from "../fold.ts";
import { isNotScorable } from "../not-scorable.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { commonLength } from "../similarity.ts";
import { agentTexts } from "./agent-texts.ts";

/** Twice the longest common subsequence of characters over the length of both. Mastra joins matching blocks instead, which gives the same or less. */
export function createTextualDifferenceScorer({ id = "textual-difference-scorer" }: { readonly id?: string | undefined } = {}): ScorerBuilder {
  return createScorer({ id, base: "textual-difference-scorer", name: "Textual Difference Scorer", description: "How much of input and output stands in both in the same order.", type: "agent" })
    .preprocess(({ run }) => {
      const texts = agentTexts(run);
      if (isNotScorable(texts)) return texts;
      const [input, output] = [graphemes(texts.input.normalize("NFC")), graphemes(texts.output.normalize("NFC"))];
      const common = commonLength(input, output);
      return { ratio: (2 * common) / (input.length + output.length), common, lengthDiff: Math.abs(input.length - output.length) / Math.max(input.length, output.length) };
    })
    .generateScore(({ results }) => results.preprocessStepResult.ratio)
    .generateReason(({ results: { preprocessStepResult: { common } } }) => `${common} characters stand in both in the same order`) as ScorerBuilder;
}
