// Owns the frame of the prebuilt scorers that ask a model: prepare what is measured, have it decided, count, and say why.

import type { ScorerModel, ScorerRun } from "../../core/scorer.ts";
import { createScorer } from "../create-scorer.ts";
import type { NotScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { type Ask, type AskContext, createAsk, type LlmScorerJudge } from "./ask.ts";

/** What each of these factories takes. */
export interface LlmScorerConfig {
  /** A provider, a client, an AI SDK model, or a name that the run's `resolveModel` knows. */
  readonly model: ScorerModel;
  readonly judge?: LlmScorerJudge | undefined;
  readonly id?: string | undefined;
}

export interface ScaleOption {
  /** The score is multiplied by it: above 0 and at most 1, so that it stays a score. 1 when absent. */
  readonly scale?: number | undefined;
}

/** Ends the measuring with the score 0: the output shows already that it earned no more. */
export interface Worst {
  readonly worst: string;
}

export function worst(reason: string): Worst {
  return { worst: reason };
}

interface Definition<Prepared extends object, Decided extends object> {
  readonly base: string;
  readonly name: string;
  readonly description: string;
  readonly type?: "agent" | "trajectory" | undefined;
  readonly config: LlmScorerConfig;
  readonly scale?: number | undefined;
  prepare(run: ScorerRun, ask: Ask): Promise<Prepared | Worst | NotScorable> | Prepared | Worst | NotScorable;
  decide(prepared: Prepared, ask: Ask, run: ScorerRun): Promise<Decided | Worst | NotScorable>;
  score(prepared: Prepared, decided: Decided): number;
  reason(prepared: Prepared, decided: Decided): string;
}

/** `prepare` is the step preprocess and `decide` the step analyze; the reason is made of what was decided, without a request. */
export function llmScorer<Prepared extends object, Decided extends object>(definition: Definition<Prepared, Decided>): ScorerBuilder {
  const { base, name, description, type, config, scale = 1 } = definition;
  const given = config as Partial<LlmScorerConfig> | null | undefined;
  if (given?.model === undefined || given.model === null) throw scorerInvalid(`${base} needs model: a provider, a client, an AI SDK model, or a model's name`);
  if (!(typeof scale === "number" && scale > 0 && scale <= 1)) throw scorerInvalid(`${base}: scale must be above 0 and at most 1, not ${String(scale)}: a score is a number from 0 to 1`);
  const ended = (value: object): value is Worst => typeof (value as Partial<Worst>).worst === "string";
  const asking = ({ options, record }: AskContext): Ask => createAsk(config.model, config.judge ?? {}, { options, record });
  return createScorer({ id: config.id ?? base, base, name, description, ...(type === undefined ? {} : { type }) })
    .preprocess((context) => definition.prepare(context.run, asking(context)))
    .analyze((context) => {
      const prepared = context.results.preprocessStepResult as Prepared | Worst;
      return ended(prepared) ? prepared : definition.decide(prepared, asking(context), context.run);
    })
    .generateScore(({ results }) => {
      const { preprocessStepResult: prepared, analyzeStepResult: decided } = results as Results<Prepared, Decided>;
      return ended(decided) ? 0 : Math.max(0, definition.score(prepared, decided)) * scale;
    })
    .generateReason(({ results }) => {
      const { preprocessStepResult: prepared, analyzeStepResult: decided } = results as Results<Prepared, Decided>;
      return ended(decided) ? decided.worst : definition.reason(prepared, decided);
    }) as ScorerBuilder;
}

/** What the later steps see. Where the measuring ended early, `analyzeStepResult` says so. */
interface Results<Prepared, Decided> {
  readonly preprocessStepResult: Prepared;
  readonly analyzeStepResult: Decided | Worst;
}
