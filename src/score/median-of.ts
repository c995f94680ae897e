// Owns a scorer that is asked several times: its score is the median of the votes, and all of them are kept.

import { EntailError } from "../core/error.ts";
import { meetsThreshold } from "../core/score.ts";
import type { Scorer, ScorerResult } from "../core/scorer.ts";
import { runScorer } from "./run-scorer.ts";
import { scorerInvalid } from "./scorer-error.ts";

export interface MedianOptions {
  /** How often the scorer is asked: an odd number, so that one vote is the median. */
  readonly votes: number;
  /** The bar that votes are held against, to say whether they agree. */
  readonly threshold?: number | undefined;
}

/**
 * Asks `scorer` several times of the same run, one after another. The result's `preprocessStepResult` holds `votes`, their `spread` (the greatest less
 * the least) and `unstable`, true where some votes reach the threshold and others do not. One vote that errors is an error of the whole; where
 * one is not scorable, so is the whole.
 */
export function medianOf(scorer: Scorer, { votes: count, threshold }: MedianOptions): Scorer {
  if (!Number.isSafeInteger(count) || count < 1 || count % 2 === 0) throw scorerInvalid(`medianOf needs votes as an odd whole number, not ${String(count)}`);
  return {
    id: scorer.id,
    ...(scorer.base === undefined ? {} : { base: scorer.base }),
    ...(scorer.name === undefined ? {} : { name: scorer.name }),
    ...(scorer.description === undefined ? {} : { description: scorer.description }),
    type: scorer.type,
    async run(run, options = {}): Promise<ScorerResult> {
      const votes: number[] = [];
      const reasons: string[] = [];
      for (let vote = 0; vote < count; vote++) {
        const scope = options.scope === undefined ? undefined : { ...options.scope, ordinal: options.scope.ordinal + vote };
        const outcome = await runScorer(scorer, run, scope === undefined ? options : { ...options, scope });
        if (outcome.kind === "errored") throw new EntailError(outcome.error.code, `vote ${vote + 1}: ${outcome.error.message}`, { stage: "score", cause: outcome.error });
        if (outcome.kind === "not_scorable") return { ...run, notScorable: { reason: outcome.reason } };
        votes.push(outcome.score);
        reasons.push(outcome.reason ?? "");
      }
      const sorted = votes.toSorted((a, b) => a - b);
      const score = sorted[(count - 1) / 2] as number;
      const reaching = threshold === undefined ? 0 : votes.filter((vote) => meetsThreshold(vote, threshold)).length;
      const unstable = reaching > 0 && reaching < count;
      const spread = (sorted.at(-1) as number) - (sorted[0] as number);
      const own = reasons[votes.indexOf(score)];
      return {
        ...run,
        score,
        reason: `median of ${votes.join(", ")}${unstable ? `, unstable: ${reaching} of ${count} reach ${threshold}` : ""}${own === undefined || own === "" ? "" : `; ${own}`}`,
        preprocessStepResult: { votes, spread, unstable },
      };
    },
  };
}
