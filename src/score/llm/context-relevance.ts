// Owns the context relevance scorer: how relevant each piece of the context is, whether what is relevant was used, and what is missing.

import { meanOf } from "../mean.ts";
import { notScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { numbered } from "./untrusted.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption } from "./llm-scorer.ts";
import { askedOf, contextOf, type ContextOptions, requireContext, saidBy } from "./material.ts";
import { blanks, brief, formOf, TEXTS } from "./statement.ts";

export interface ContextRelevanceOptions extends ScaleOption, ContextOptions {
  readonly penalties?:
    | {
        /** For each piece of high relevance that was not used; 0.1. */
        readonly unusedHighRelevanceContext?: number | undefined;
        /** For each thing that is missing; 0.15. */
        readonly missingContextPerItem?: number | undefined;
        /** For all that is missing, at most; 0.5. */
        readonly maxMissingContextPenalty?: number | undefined;
      }
    | undefined;
}

const WEIGHTS = { high: 1, medium: 0.7, low: 0.3, none: 0 } as const;

interface Piece {
  readonly relevanceLevel: keyof typeof WEIGHTS;
  readonly wasUsed: boolean;
  readonly reasoning: string;
}

/** The mean of the levels (high 1, medium 0.7, low 0.3, none 0) less the penalties, at least 0. An empty answer scores 0; without context there is nothing to score. */
export function createContextRelevanceScorerLLM(config: LlmScorerConfig & { readonly options: ContextRelevanceOptions }): ScorerBuilder {
  const options = config.options ?? {};
  requireContext("context-relevance-scorer", options);
  const { unusedHighRelevanceContext: unused = 0.1, missingContextPerItem: missing = 0.15, maxMissingContextPenalty: most = 0.5 } = options.penalties ?? {};
  if (![unused, missing, most].every((penalty) => penalty >= 0 && Number.isFinite(penalty))) throw scorerInvalid("context-relevance-scorer: penalties must be numbers, 0 or more");
  return llmScorer({
    base: "context-relevance-scorer",
    name: "Context Relevance (LLM)",
    description: "How relevant the context is to what the user asked, and whether it was used.",
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
      const piece = formOf({ relevanceLevel: { type: "string", enum: Object.keys(WEIGHTS) }, wasUsed: { type: "boolean" }, reasoning: { type: "string", minLength: 1 } });
      const value = await ask.form({
        task: `"input" is what a user asked, "output" an assistant's answer, and "context" the numbered pieces that the assistant was given. Say of each piece, under its own member (piece_1 for the number 1), how relevant it is to what the user asked (relevanceLevel), whether the answer makes use of it (wasUsed), and why. In missingContext list what a full answer would need and no piece holds; an empty list where nothing is missing.`,
        data: { input, output, context: numbered(context) },
        schema: formOf({ ...Object.fromEntries(context.map((_, at) => [`piece_${at + 1}`, piece])), missingContext: TEXTS }),
        faults: blanks,
      });
      const read = value as { readonly missingContext: readonly string[] } & Readonly<Record<string, Piece>>;
      return { evaluations: context.map((_, at) => read[`piece_${at + 1}`] as Piece), missingContext: read.missingContext };
    },
    score(_, { evaluations, missingContext }) {
      const relevance = meanOf(evaluations.map(({ relevanceLevel }) => WEIGHTS[relevanceLevel])) ?? 0;
      const wasted = evaluations.filter(({ relevanceLevel, wasUsed }) => relevanceLevel === "high" && !wasUsed).length;
      return Math.max(0, relevance - wasted * unused - Math.min(missingContext.length * missing, most));
    },
    reason: (_, { evaluations, missingContext }) =>
      `${evaluations.map(({ relevanceLevel, wasUsed }, at) => `piece ${at + 1} ${relevanceLevel}${wasUsed ? "" : ", unused"}`).join("; ")}${missingContext.length === 0 ? "" : `; missing: ${missingContext.slice(0, 5).map(brief).join(", ")}`}`,
  });
}
