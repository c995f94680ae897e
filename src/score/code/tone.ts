// Owns the tone scorer: how near the agent's tone is to a reference, or how steady it is.

import { createScorer } from "../create-scorer.ts";
import { notScorable } from "../not-scorable.ts";
import { meanOf } from "../mean.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { outputText } from "./agent-texts.ts";
import { sentimentOf } from "./sentiment.ts";

export interface ToneOptions {
  /** The text whose tone is the measure; where absent, the sentences of the output are compared with one another. */
  readonly referenceTone?: string | undefined;
  readonly id?: string | undefined;
}

/**
 * With a reference: 1 less the difference of the sentiments. Without: 1 less the variance of the sentiment over the sentences. At least 0. The sentiment is
 * that of a small list of English words, where Mastra has a larger one. Where nothing was said the score is 0; a single sentence has no variance to score.
 */
export function createToneScorer({ referenceTone, id = "tone-scorer" }: ToneOptions = {}): ScorerBuilder {
  return createScorer({ id, base: "tone-scorer", name: "Tone Scorer", description: "How near the agent's tone is to a reference, or how steady it is.", type: "agent" })
    .preprocess(({ run }) => {
      const output = outputText(run);
      if (output.trim() === "") return { score: 0, reason: "the assistant said nothing" };
      if (referenceTone !== undefined) {
        const [said, wanted] = [sentimentOf(output), sentimentOf(referenceTone)];
        return { score: Math.max(0, 1 - Math.abs(said - wanted)), reason: `the sentiment is ${round(said)}, that of the reference ${round(wanted)}`, responseSentiment: said, referenceSentiment: wanted };
      }
      const sentences = output.match(/[^.!?]+[.!?]*/g)?.filter((sentence) => /\p{L}/u.test(sentence)) ?? [];
      if (sentences.length < 2) return notScorable("steadiness needs at least two sentences");
      const sentiments = sentences.map(sentimentOf);
      const mean = meanOf(sentiments) ?? 0;
      const variance = meanOf(sentiments.map((each) => (each - mean) ** 2)) ?? 0;
      return { score: Math.max(0, 1 - variance), reason: `the sentiment of ${sentences.length} sentences varies by ${round(variance)}`, avgSentiment: mean, sentimentVariance: variance };
    })
    .generateScore(({ results }) => results.preprocessStepResult.score)
    .generateReason(({ results }) => results.preprocessStepResult.reason) as ScorerBuilder;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
