// Owns the answer relevancy scorer: which statements of the answer have to do with what the user asked.

import { notScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { numbered } from "./untrusted.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption, worst } from "./llm-scorer.ts";
import { askedOf, saidBy } from "./material.ts";
import { claimsOn, countOf, statementsOf, told, verdictsOn } from "./statement.ts";

export interface AnswerRelevancyOptions extends ScaleOption {
  /** What a statement counts of which it cannot be told; from 0 to 1, 0.3 when absent. */
  readonly uncertaintyWeight?: number | undefined;
}

/** (Relevant statements + `uncertaintyWeight` · undecided ones) over statements. An answer that is empty or states nothing scores 0. */
export function createAnswerRelevancyScorer(config: LlmScorerConfig & { readonly options?: AnswerRelevancyOptions | undefined }): ScorerBuilder {
  const { scale, uncertaintyWeight = 0.3 } = config.options ?? {};
  if (!(uncertaintyWeight >= 0 && uncertaintyWeight <= 1)) throw scorerInvalid(`answer-relevancy-scorer: uncertaintyWeight must be from 0 to 1, not ${String(uncertaintyWeight)}`);
  return llmScorer({
    base: "answer-relevancy-scorer",
    name: "Answer Relevancy Scorer",
    description: "Which statements of the answer have to do with what the user asked.",
    type: "agent",
    config,
    scale,
    async prepare(run, ask) {
      const output = saidBy(run);
      if (typeof output !== "string") return output;
      const input = askedOf(run);
      if (input === "") return notScorable("the user asked nothing");
      const { output: statements } = await statementsOf(ask, { output }, "the statements");
      return statements.length === 0 ? worst("the answer states nothing") : { statements, input };
    },
    async decide({ statements, input }, ask) {
      const judged = await ask.labels({ input, statements: numbered(statements) }, claimsOn(statements, "statement", (number) => `The statement number ${number} of "statements", be it true or false, answers what "input" asks or helps to answer it.`));
      return { verdicts: verdictsOn(statements, judged) };
    },
    score: (_, { verdicts }) => (countOf(verdicts, "entailed") + uncertaintyWeight * countOf(verdicts, "indeterminate")) / verdicts.length,
    reason: (_, { verdicts }) => `${countOf(verdicts, "entailed")} of ${verdicts.length} statements are relevant, ${countOf(verdicts, "indeterminate")} undecided${told("not relevant", verdicts.filter(({ label }) => label !== "entailed"))}`,
  });
}
