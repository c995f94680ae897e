// Owns the multi-turn judge: 1 where a whole conversation satisfies one criterion, else 0.

import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { NOTHING_SAID } from "../text-check.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption, worst } from "./llm-scorer.ts";
import { transcriptOf } from "./material.ts";
import { brief } from "./statement.ts";

export interface MultiTurnJudgeConfig extends LlmScorerConfig {
  /** What the conversation must satisfy, in the author's words. */
  readonly criterion: string;
  readonly options?: ScaleOption | undefined;
}

/** The criterion is one claim on the conversation: what the user said, what the agent said, which tools it called and what came back. A conversation in which the agent did nothing scores 0. */
export function createMultiTurnJudgeScorer(config: MultiTurnJudgeConfig): ScorerBuilder {
  const criterion: unknown = config.criterion;
  if (typeof criterion !== "string" || criterion.trim() === "") throw scorerInvalid("multi-turn-judge-scorer needs criterion, a text that is not empty");
  return llmScorer({
    base: "multi-turn-judge-scorer",
    name: "Multi-turn Judge (LLM)",
    description: `Whether the conversation satisfies: ${brief(criterion)}`,
    config,
    scale: config.options?.scale,
    prepare(run) {
      const conversation = transcriptOf(run);
      return conversation.some(({ role }) => role === "assistant") ? { conversation } : worst(NOTHING_SAID);
    },
    async decide({ conversation }, ask) {
      const [judgment] = await ask.labels({ conversation }, [{ id: "criterion", text: `The conversation in "conversation", in which "assistant" and its tools are what is judged and "user" is whom it served, satisfies this criterion: ${criterion}` }]);
      return { label: judgment?.label, satisfied: judgment?.label === "entailed", reasoning: judgment?.rationale ?? "" };
    },
    score: (_, { satisfied }) => (satisfied ? 1 : 0),
    reason: (_, { satisfied, reasoning }) => `${satisfied ? "satisfied" : "not satisfied"}: ${reasoning}`,
  });
}
