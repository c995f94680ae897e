// Owns the rubric scorer: 1 where the answer satisfies every required criterion, else 0.

import { listOf, member, recordOf, textMember } from "../../core/member.ts";
import type { ScorerRun } from "../../core/scorer.ts";
import { notScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption } from "./llm-scorer.ts";
import { askedOf, saidBy } from "./material.ts";
import { brief, told, verdictsOn } from "./statement.ts";

export interface RubricCriterion {
  readonly id?: string | undefined;
  /** What the answer must satisfy, as its author says it. */
  readonly description: string;
  /** True when absent. One that is not required is judged and told, and does not count. */
  readonly required?: boolean | undefined;
}

/** A text is a list of required criteria, one a line; marks of lists are left out. */
export type RubricInput = readonly RubricCriterion[] | string;

/**
 * Each criterion is one claim. Where none is required, all are. The criteria are those given, else the member `rubric` of the run's request
 * context, additional context or input; without any there is nothing to score. An empty answer scores 0.
 */
export function createRubricScorer(config: LlmScorerConfig & { readonly criteria?: RubricInput | undefined; readonly options?: ScaleOption | undefined }): ScorerBuilder {
  const own = config.criteria === undefined ? [] : readRubric(config.criteria);
  return llmScorer({
    base: "rubric-scorer",
    name: "Rubric (LLM)",
    description: "Whether the answer satisfies every required criterion.",
    config,
    scale: config.options?.scale,
    prepare(run) {
      const criteria = own.length > 0 ? own : rubricOf(run);
      if (criteria.length === 0) return notScorable("there is no rubric");
      const output = answerOf(run);
      return typeof output === "string" ? { criteria, task: textMember(run.input, "originalTask") ?? askedOf(run), output } : output;
    },
    async decide({ criteria, task, output }, ask) {
      const judged = await ask.labels(
        { task, answer: output },
        criteria.map(({ description }, at) => ({ id: `criterion_${at + 1}`, text: `The text in "answer", given for what "task" asks, satisfies this criterion: ${description}` })),
      );
      const verdicts = verdictsOn(criteria.map(({ description }) => description), judged);
      const gating = criteria.some(isRequired) ? isRequired : () => true;
      return { criteria: verdicts.map((verdict, at) => ({ ...verdict, satisfied: verdict.label === "entailed", required: gating(criteria[at] as RubricCriterion) })) };
    },
    score: (_, { criteria }) => (criteria.every(({ satisfied, required }) => satisfied || !required) ? 1 : 0),
    reason(_, { criteria }) {
      const required = criteria.filter((criterion) => criterion.required);
      const unmet = criteria.filter(({ satisfied }) => !satisfied);
      return `${required.filter(({ satisfied }) => satisfied).length} of ${required.length} required criteria are satisfied${told("unmet", unmet.filter((criterion) => criterion.required))}${told("unmet, not required", unmet.filter((criterion) => !criterion.required))}`;
    },
  });
}

function isRequired({ required }: RubricCriterion): boolean {
  return required !== false;
}

/** In Mastra's `isTaskComplete` the answer so far is a member of the input. */
function answerOf(run: ScorerRun): ReturnType<typeof saidBy> {
  const current = textMember(run.input, "currentText");
  return current !== undefined && (run.output === undefined || run.output === null) ? saidBy({ ...run, output: current }) : saidBy(run);
}

function rubricOf(run: ScorerRun): readonly RubricCriterion[] {
  for (const source of [run.requestContext, run.additionalContext, run.input]) {
    const get = member(source, "get");
    const found: unknown = typeof get === "function" ? get.call(source, "rubric") : member(source, "rubric");
    if (typeof found === "string" || listOf(found) !== undefined) return readRubric(found as RubricInput);
  }
  return [];
}

function readRubric(given: RubricInput): readonly RubricCriterion[] {
  if (typeof given === "string") {
    const lines = given.split(/\r\n|\r|\n/).map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim());
    return lines.filter((line) => line !== "").map((description) => ({ description }));
  }
  for (const [at, criterion] of (listOf(given) ?? [undefined]).entries()) {
    const description = textMember(criterion, "description");
    if (recordOf(criterion) === undefined || description === undefined || description.trim() === "") throw scorerInvalid(`rubric-scorer: criterion ${at + 1} needs description, a text that is not empty, not ${brief(JSON.stringify(description) ?? String(description))}`);
  }
  return given;
}
