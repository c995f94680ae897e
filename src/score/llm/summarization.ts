// Owns the summarization scorer: whether a summary says only what its source says, and what matters of it.

import type { ScorerRun } from "../../core/scorer.ts";
import { notScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { numbered } from "./untrusted.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption, worst } from "./llm-scorer.ts";
import { askedOf, saidBy, textOf } from "./material.ts";
import { blanks, claimsOn, countOf, formOf, TEXTS, told, verdictsOn } from "./statement.ts";

export interface SummarizationOptions extends ScaleOption {
  /** What is summarized; what the user said when absent. */
  readonly source?: string | undefined;
  /** Finds what is summarized, for each run. Wins over `source`. */
  readonly sourceExtractor?: ((input: any, output: any) => string | Promise<string>) | undefined;
  /** Questions that are drawn from the source, at most: 10 when absent. */
  readonly maxQuestions?: number | undefined;
}

/**
 * The lesser of alignment (statements of the summary that the source supports, over all of them) and coverage (questions drawn from the source that the
 * summary answers, over all of them). Coverage is judged without the source, so that nothing can be answered from there. A summary that is empty
 * or states nothing scores 0; without a source there is nothing to score.
 */
export function createSummarizationScorer(config: LlmScorerConfig & { readonly options?: SummarizationOptions | undefined }): ScorerBuilder {
  const { scale, source, sourceExtractor, maxQuestions = 10 } = config.options ?? {};
  if (!Number.isSafeInteger(maxQuestions) || maxQuestions < 1) throw scorerInvalid(`summarization-scorer: maxQuestions must be a whole number, 1 or more, not ${String(maxQuestions)}`);
  const sourceOf = async (run: ScorerRun): Promise<string> => (sourceExtractor !== undefined ? textOf(await sourceExtractor(run.input, run.output)) : (source ?? askedOf(run)));
  return llmScorer({
    base: "summarization-scorer",
    name: "Summarization Scorer",
    description: "Whether a summary says only what its source says, and what matters of it.",
    type: "agent",
    config,
    scale,
    async prepare(run, ask) {
      const summary = saidBy(run);
      if (typeof summary !== "string") return summary;
      const text = await sourceOf(run);
      if (text.trim() === "") return notScorable("there is no source that was summarized");
      const value = await ask.form({
        task: `"summary" is said to sum up "source". In claims list every statement of fact that the summary makes, each as one full sentence that stands for itself, nothing added, false ones like true ones. In questions give the most important questions that the source answers with yes, at most ${maxQuestions}, drawn from the source alone, whatever the summary says.`,
        data: { source: text, summary },
        schema: formOf({ claims: TEXTS, questions: { ...TEXTS, maxItems: maxQuestions } }),
        faults: blanks,
      });
      const { claims, questions } = value as { readonly claims: readonly string[]; readonly questions: readonly string[] };
      if (questions.length === 0) return notScorable("the source answers no question");
      return claims.length === 0 ? worst("the summary states nothing") : { source: text, summary, claims, questions };
    },
    async decide({ source: text, summary, claims, questions }, ask) {
      const aligned = await ask.labels({ source: text, claims: numbered(claims) }, claimsOn(claims, "claim", (number) => `By what "source" says alone, the statement number ${number} of "claims" is true.`));
      const covered = await ask.labels({ summary, questions: numbered(questions) }, claimsOn(questions, "question", (number) => `By what "summary" says alone, the answer to the question number ${number} of "questions" is yes.`));
      return { alignment: verdictsOn(claims, aligned), coverage: verdictsOn(questions, covered) };
    },
    score: (_, { alignment, coverage }) => Math.min(countOf(alignment, "entailed") / alignment.length, countOf(coverage, "entailed") / coverage.length),
    reason: (_, { alignment, coverage }) =>
      `${countOf(alignment, "entailed")} of ${alignment.length} statements are in the source, ${countOf(coverage, "entailed")} of ${coverage.length} questions are answered${told("not in the source", alignment.filter(({ label }) => label !== "entailed"))}${told("not answered", coverage.filter(({ label }) => label !== "entailed"))}`,
  });
}
