// Owns the noise sensitivity scorer: how little an answer suffers where the question holds noise. Higher is sturdier.

import { meanOf } from "../mean.ts";
import { notScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { llmScorer, type LlmScorerConfig } from "./llm-scorer.ts";
import { askedOf, saidBy } from "./material.ts";
import { blanks, brief, formOf, TEXTS } from "./statement.ts";

const IMPACTS = { none: 1, minimal: 0.85, moderate: 0.6, significant: 0.3, severe: 0.1 } as const;
type Impact = keyof typeof IMPACTS;
const DIMENSIONS = ["accuracy", "completeness", "relevance", "consistency", "invention"] as const;

export interface NoiseSensitivityOptions {
  /** The answer to the question without noise. */
  readonly baselineResponse: string;
  /** The question with noise, which the run's output answers. */
  readonly noisyQuery: string;
  /** What kind of noise it is, in a word. */
  readonly noiseType?: string | undefined;
  readonly scoring?:
    | {
        readonly impactWeights?: { readonly [K in Impact]?: number | undefined } | undefined;
        readonly penalties?: { readonly majorIssuePerItem?: number | undefined; readonly maxMajorIssuePenalty?: number | undefined } | undefined;
        /** 0.2 when absent. */
        readonly discrepancyThreshold?: number | undefined;
      }
    | undefined;
}

interface Analysis {
  readonly robustnessScore: number;
  readonly majorIssues: readonly string[];
  readonly dimensions: Readonly<Record<(typeof DIMENSIONS)[number], { readonly impactLevel: Impact; readonly specificChanges: string }>>;
}

/**
 * The model's own mark, or, where that differs by more than 0.2 from the mean over five dimensions (none 1, minimal 0.85, moderate 0.6, significant 0.3,
 * severe 0.1), the lesser of both; less 0.1 for each major issue, at most 0.3; at least 0. An empty answer scores 0.
 */
export function createNoiseSensitivityScorerLLM(config: LlmScorerConfig & { readonly options: NoiseSensitivityOptions }): ScorerBuilder {
  const { baselineResponse, noisyQuery, noiseType, scoring = {} } = (config.options ?? {}) as Partial<NoiseSensitivityOptions>;
  if (baselineResponse === undefined || baselineResponse === "" || noisyQuery === undefined || noisyQuery === "") throw scorerInvalid("noise-sensitivity-scorer needs options.baselineResponse and options.noisyQuery");
  const given = Object.entries(scoring.impactWeights ?? {}).filter(([, weight]) => weight !== undefined);
  const weights: Readonly<Record<Impact, number>> = { ...IMPACTS, ...Object.fromEntries(given) };
  const { majorIssuePerItem: each = 0.1, maxMajorIssuePenalty: most = 0.3 } = scoring.penalties ?? {};
  const { discrepancyThreshold = 0.2 } = scoring;
  if (!Object.values(weights).every((weight) => weight >= 0 && weight <= 1) || ![each, most, discrepancyThreshold].every((value) => value >= 0 && Number.isFinite(value))) throw scorerInvalid("noise-sensitivity-scorer: impact weights must be from 0 to 1, penalties and discrepancyThreshold 0 or more");
  return llmScorer({
    base: "noise-sensitivity-scorer",
    name: "Noise Sensitivity (LLM)",
    description: "How little the answer suffers where the question holds noise.",
    type: "agent",
    config,
    prepare(run) {
      const noisyResponse = saidBy(run);
      if (typeof noisyResponse !== "string") return noisyResponse;
      const userQuery = askedOf(run);
      return userQuery === "" ? notScorable("the user asked nothing") : { userQuery, noisyResponse };
    },
    async decide({ userQuery, noisyResponse }, ask) {
      const dimension = formOf({ impactLevel: { type: "string", enum: Object.keys(IMPACTS) }, specificChanges: { type: "string", minLength: 1 } });
      const value = await ask.form({
        task: `"baselineResponse" answers "userQuery". "noisyResponse" answers "noisyQuery", the same question with noise in it that an assistant should look past. Compare the two answers. For each of the dimensions ${DIMENSIONS.join(", ")} (invention: things made up because of the noise) say how much worse the noise has made the answer, and what has changed. A difference in words alone is no impact. In majorIssues list what is seriously wrong in noisyResponse because of the noise; an empty list where nothing is. robustnessScore is from 0 (the noise has ruined the answer) to 1 (it has done no harm).`,
        data: { userQuery, baselineResponse, noisyQuery, ...(noiseType === undefined ? {} : { noiseType }), noisyResponse },
        schema: formOf({ dimensions: formOf(Object.fromEntries(DIMENSIONS.map((name) => [name, dimension]))), majorIssues: TEXTS, robustnessScore: { type: "number" } }),
        faults: (answer) => {
          const { robustnessScore } = answer as Analysis;
          return [...blanks(answer), ...(robustnessScore >= 0 && robustnessScore <= 1 ? [] : [`robustnessScore must be from 0 to 1, not ${robustnessScore}`])];
        },
      });
      return value as Analysis;
    },
    score(_, { robustnessScore, dimensions, majorIssues }) {
      const mean = meanOf(DIMENSIONS.map((name) => weights[dimensions[name].impactLevel])) ?? 0;
      const judged = Math.abs(robustnessScore - mean) > discrepancyThreshold + 1e-9 ? Math.min(robustnessScore, mean) : robustnessScore;
      return Math.max(0, judged - Math.min(majorIssues.length * each, most));
    },
    reason: (_, { robustnessScore, dimensions, majorIssues }) =>
      `${DIMENSIONS.map((name) => `${name} ${dimensions[name].impactLevel}`).join(", ")}; the model's own mark ${robustnessScore}${majorIssues.length === 0 ? "" : `; major issues: ${majorIssues.slice(0, 5).map(brief).join("; ")}`}`,
  });
}
