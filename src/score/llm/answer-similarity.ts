// Owns the answer similarity scorer: how much of the ground truth the answer says, and what it says against it or beside it.

import { EntailError } from "../../core/error.ts";
import { fold } from "../fold.ts";
import { notScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { numbered } from "./untrusted.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption } from "./llm-scorer.ts";
import { groundTruthOf, saidBy } from "./material.ts";
import { claimsOn, statementsOf, told, type Verdict, verdictsOn } from "./statement.ts";

/** What each counts, per fact of the ground truth. */
export interface AnswerSimilarityOptions extends ScaleOption {
  /** True when absent: a run without ground truth is an error; else it is not scorable. */
  readonly requireGroundTruth?: boolean | undefined;
  /** A fact in other words; 0.8. */
  readonly semanticThreshold?: number | undefined;
  /** A fact in its own words counts 1 and this; 0.2. */
  readonly exactMatchBonus?: number | undefined;
  /** A fact left out; 0.15. */
  readonly missingPenalty?: number | undefined;
  /** A fact contradicted; 1. */
  readonly contradictionPenalty?: number | undefined;
  /** A fact of the answer's that the ground truth does not hold; 0.05, all of them at most 0.2. */
  readonly extraInfoPenalty?: number | undefined;
}

const DEFAULTS = { semanticThreshold: 0.8, exactMatchBonus: 0.2, missingPenalty: 0.15, contradictionPenalty: 1, extraInfoPenalty: 0.05 } as const;

/**
 * The mean over the facts of the ground truth (in its own words 1 + bonus, in other words 0.8, undecided half of that, left out −0.15),
 * over 1 + bonus, less the penalties for each fact that is contradicted and for what is beside them; from 0 to 1. An empty answer scores 0.
 */
export function createAnswerSimilarityScorer(config: LlmScorerConfig & { readonly options?: AnswerSimilarityOptions | undefined }): ScorerBuilder {
  const { scale, requireGroundTruth = true, ...weights } = config.options ?? {};
  const given = Object.fromEntries(Object.entries(weights).filter(([, weight]) => weight !== undefined));
  const { semanticThreshold, exactMatchBonus, missingPenalty, contradictionPenalty, extraInfoPenalty } = { ...DEFAULTS, ...given };
  for (const [name, weight] of Object.entries(given)) if (!(typeof weight === "number" && weight >= 0 && Number.isFinite(weight))) throw scorerInvalid(`answer-similarity-scorer: ${name} must be a number, 0 or more, not ${String(weight)}`);
  return llmScorer({
    base: "answer-similarity-scorer",
    name: "Answer Similarity Scorer",
    description: "How much of the ground truth the answer says.",
    type: "agent",
    config,
    scale,
    async prepare(run, ask) {
      const groundTruth = groundTruthOf(run);
      if (groundTruth === undefined) {
        if (requireGroundTruth) throw new EntailError("scorer_failed", "the answer similarity scorer needs the item's groundTruth; give one, or set options.requireGroundTruth to false", { stage: "score" });
        return notScorable("the item has no ground truth");
      }
      const output = saidBy(run);
      if (typeof output !== "string") return output;
      const { output: outputUnits, groundTruth: groundTruthUnits } = await statementsOf(ask, { output, groundTruth }, "the facts");
      return groundTruthUnits.length === 0 ? notScorable("the ground truth states nothing") : { output, groundTruth, outputUnits, groundTruthUnits };
    },
    async decide({ output, groundTruth, outputUnits, groundTruthUnits }, ask) {
      const wanted = claimsOn(groundTruthUnits, "said", (number) => `The text in "answer" says the fact number ${number} of "expectedFacts", in whatever words.`);
      const against = claimsOn(groundTruthUnits, "contradicted", (number) => `The text in "answer" contradicts the fact number ${number} of "expectedFacts": the two cannot both be true.`);
      const held = claimsOn(outputUnits, "held", (number) => `The text in "expected" says the fact number ${number} of "answerFacts", in whatever words.`);
      const judged = await ask.labels({ answer: output, expected: groundTruth, expectedFacts: numbered(groundTruthUnits), answerFacts: numbered(outputUnits) }, [...wanted, ...against, ...held]);
      const count = wanted.length;
      const said = new Set(outputUnits.map(plain));
      const matches = verdictsOn(groundTruthUnits, judged).map((verdict) => ({ ...verdict, matchType: matchOf(verdict, said.has(plain(verdict.statement))) }));
      return {
        matches,
        contradictions: verdictsOn(groundTruthUnits, judged.slice(count)).filter(({ label }) => label === "entailed"),
        extraInOutput: verdictsOn(outputUnits, judged.slice(2 * count)).filter(({ label }) => label !== "entailed"),
      };
    },
    score(_, { matches, contradictions, extraInOutput }) {
      const counts = { exact: 1 + exactMatchBonus, semantic: semanticThreshold, partial: semanticThreshold * 0.5, missing: -missingPenalty };
      const found = matches.reduce((sum, { matchType }) => sum + counts[matchType], 0) / (matches.length * (1 + exactMatchBonus));
      return Math.min(1, Math.max(0, found - contradictions.length * contradictionPenalty - Math.min(extraInOutput.length * extraInfoPenalty, 0.2)));
    },
    reason(_, { matches, contradictions, extraInOutput }) {
      const stated = matches.filter(({ label }) => label === "entailed").length;
      return `${stated} of ${matches.length} facts are said, ${contradictions.length} contradicted, ${extraInOutput.length} said beside them${told("not said", matches.filter(({ label }) => label !== "entailed"))}${told("contradicted", contradictions)}`;
    },
  });
}

type Match = "exact" | "semantic" | "partial" | "missing";

function matchOf({ label }: Verdict, literal: boolean): Match {
  if (label === "entailed") return literal ? "exact" : "semantic";
  return label === "indeterminate" ? "partial" : "missing";
}

function plain(text: string): string {
  return fold(text, true).replaceAll(/[\p{P}\s]+/gu, " ").trim();
}
