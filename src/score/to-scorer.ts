// Owns the making of a scorer from what other libraries call one: Mastra's objects are scorers by shape; `autoevals` and plain functions answer one call.

import { thrownMessage } from "../core/thrown.ts";
import { isError, member, recordOf, textMember } from "../core/member.ts";
import type { Scorer, ScorerResult, ScorerRun, ScorerRunOptions } from "../core/scorer.ts";
import { agentTextOf, userTextOf } from "./observed.ts";
import { isNotScorable, type NotScorable } from "./not-scorable.ts";
import { scorerInvalid } from "./scorer-error.ts";

/**
 * A function that measures, of `autoevals` or an application's own. It is called with the run, whose `input` and `output` are texts where the run
 * is an agent's, and `expected` is the run's ground truth; `run` is the run as it is. It gives a number, `{ score }` with `name`, `metadata` or
 * `reason`, or `notScorable()`.
 */
export type ForeignScorer = ((args: any) => ForeignAnswer | Promise<ForeignAnswer>) & { readonly id?: string };
// `any`: the answers of `autoevals` differ by scorer; what comes is read by shape.
export type ForeignAnswer = number | boolean | null | undefined | NotScorable | { readonly score: any; readonly name?: string; readonly metadata?: any; readonly reason?: any };

/** Throws `scorer_invalid` for what is no scorer. `place` says which one it is. */
export function toScorer(value: unknown, place: string): Scorer {
  if (typeof value === "function") return functionScorer(value as ForeignScorer, place);
  if (recordOf(value) === undefined || typeof member(value, "run") !== "function") {
    throw scorerInvalid(`${place} is no scorer: it must have run(), be a function, or be { scorer, threshold }`);
  }
  const id = textMember(value, "id");
  if (id === undefined || id === "") throw scorerInvalid(`${place} is a scorer without an id`, "MASTR_SCORER_FAILED_TO_CREATE_MISSING_ID");
  return value as Scorer;
}

function functionScorer(measure: ForeignScorer, place: string): Scorer {
  const id = nameOf(measure);
  if (id === "") throw scorerInvalid(`${place} is a function without a name; give it a name, or use createScorer`);
  return {
    id,
    name: id,
    description: `The function ${id}.`,
    async run(run: ScorerRun, options: ScorerRunOptions = {}): Promise<ScorerResult> {
      const answer: unknown = await measure({ ...argumentsOf(run), run, options });
      return readAnswer(answer, run);
    },
  };
}

function nameOf(measure: ForeignScorer): string {
  const { id, name }: { readonly id?: unknown; readonly name: unknown } = measure;
  return typeof id === "string" && id !== "" ? id : typeof name === "string" ? name : "";
}

function argumentsOf(run: ScorerRun): Record<string, unknown> {
  return { ...run, input: userTextOf(run) ?? run.input, output: agentTextOf(run) ?? run.output, expected: run.groundTruth };
}

function readAnswer(answer: unknown, run: ScorerRun): ScorerResult {
  if (isNotScorable(answer)) return { ...run, notScorable: answer.reason === undefined ? {} : { reason: answer.reason } };
  if (typeof answer === "number") return { ...run, score: answer };
  const error = member(answer, "error");
  if (recordOf(answer) === undefined || (error !== undefined && error !== null)) {
    throw isError(error) ? error : new TypeError(error === undefined || error === null ? `it gave ${answer === null ? "null" : `a value of the type ${typeof answer}`}, which is no score` : thrownMessage(error));
  }
  const score = member(answer, "score");
  const metadata = member(answer, "metadata");
  const reason = textMember(answer, "reason") ?? textMember(metadata, "rationale");
  // How `autoevals` says that there was nothing to score.
  if (score === null) return { ...run, notScorable: { reason: reason ?? "it gave no score" } };
  return { ...run, score: score as number, ...(reason === undefined ? {} : { reason }), ...(metadata === undefined ? {} : { metadata }) };
}
