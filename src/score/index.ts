// The door "entail/score": quick checks, scorers and their making, thresholds, and the verdict that they come to.

export { SCORER_STEPS } from "../core/scorer.ts";
export type {
  AgentInput,
  NotScorableOutcome,
  ResolvedModel,
  Scorer,
  ScorerExecution,
  ScorerModel,
  ScorerResult,
  ScorerRun,
  ScorerRunOptions,
  ScorerStepName,
  ScorerTurn,
  ScorerWithThreshold,
  ThresholdConfig,
} from "../core/scorer.ts";
export { aggregate, type AggregateOptions, requirementsOf, type ScoreAggregate } from "./aggregate.ts";
export { type Answer, askModel, type AskError, executionOf, type Question, type ScorerJudge, type StepJudge } from "./ask-model.ts";
export { checks } from "./checks.ts";
export { createScorer, type ScorerConfig } from "./create-scorer.ts";
export { jsonPath, matchesSchema } from "./data-check.ts";
export { distinctIds, type NamedScorer, scoreKeys } from "./distinct-ids.ts";
export { filterRun, type FilterRunOptions } from "./filter-run.ts";
export { maxCost, maxLatency, maxTokens } from "./limit-check.ts";
export { matchWithin, PATTERN_TIMEOUT_MS } from "./match-within.ts";
export { medianOf, type MedianOptions } from "./median-of.ts";
export { not } from "./not.ts";
export { isNotScorable, type NotScorable, notScorable } from "./not-scorable.ts";
export { agentTextOf, userTextOf } from "./observed.ts";
export { matches, type MatchesOptions } from "./pattern-check.ts";
export type { CheckOptions, QuickCheck } from "./quick-check.ts";
export { gateCheck, meetsThresholds, recordOutcome, type RecordPlace, runScorer, type ScorerOutcome } from "./run-scorer.ts";
export { type AnyScorer, readEntry, type ReadEntry, readThreshold, type ScorerEntry } from "./scorer-entry.ts";
export { isScorerRunError, type ScorerRunError } from "./scorer-error.ts";
export type { PlainPromptStep, PromptStep, ReasonContext, RunOf, ScorerBuilder, StepContext, StepFunction } from "./scorer-step.ts";
export { bestWindow, dice, editDistance, levenshtein, rougeL } from "./similarity.ts";
export { similarity, type SimilarityOptions } from "./similarity-check.ts";
export { equals, excludes, includes, type IncludesOptions, numberEquals, oneOf, type TextOptions } from "./text-check.ts";
export { type ForeignScorer, toScorer } from "./to-scorer.ts";
export { calledTool, type CalledToolOptions, calledToolWith, didNotCall, maxToolCalls, noToolErrors, toolOrder, toolSucceeded, usedNoTools } from "./tool-check.ts";
export { type Requirement, type Requirements, verdictOf } from "./verdict.ts";
export { type CompletenessOptions, createCompletenessScorer } from "./code/completeness.ts";
export { type ContentSimilarityOptions, createContentSimilarityScorer } from "./code/content-similarity.ts";
export { createKeywordCoverageScorer } from "./code/keyword-coverage.ts";
export { createTextualDifferenceScorer } from "./code/textual-difference.ts";
export { createToneScorer, type ToneOptions } from "./code/tone.ts";
export { createToolCallAccuracyScorerCode, type ToolCallAccuracyOptions } from "./code/tool-call-accuracy.ts";
export { type ExpectedStep, type Trajectory, type TrajectoryExpectation, trajectoryOf, type TrajectoryStep } from "./code/trajectory.ts";
export { createTrajectoryAccuracyScorerCode, type TrajectoryAccuracyOptions } from "./code/trajectory-accuracy.ts";
export { createTrajectoryScorerCode, type TrajectoryScorerOptions } from "./code/trajectory-scorer.ts";
export type { LlmScorerJudge } from "./llm/ask.ts";
export type { LlmScorerConfig, ScaleOption } from "./llm/llm-scorer.ts";
export type { ContextOptions } from "./llm/material.ts";
export { type AnswerRelevancyOptions, createAnswerRelevancyScorer } from "./llm/answer-relevancy.ts";
export { type AnswerSimilarityOptions, createAnswerSimilarityScorer } from "./llm/answer-similarity.ts";
export { type BiasOptions, createBiasScorer } from "./llm/bias.ts";
export { type ContextPrecisionOptions, createContextPrecisionScorer } from "./llm/context-precision.ts";
export { type ContextRecallOptions, createContextRecallScorer } from "./llm/context-recall.ts";
export { type ContextRelevanceOptions, createContextRelevanceScorerLLM } from "./llm/context-relevance.ts";
export { createFaithfulnessScorer, type FaithfulnessOptions } from "./llm/faithfulness.ts";
export { createHallucinationScorer, type HallucinationOptions } from "./llm/hallucination.ts";
export { createMultiTurnJudgeScorer, type MultiTurnJudgeConfig } from "./llm/multi-turn-judge.ts";
export { createNoiseSensitivityScorerLLM, type NoiseSensitivityOptions } from "./llm/noise-sensitivity.ts";
export { createPromptAlignmentScorerLLM, type PromptAlignmentOptions } from "./llm/prompt-alignment.ts";
export { createRubricScorer, type RubricCriterion, type RubricInput } from "./llm/rubric.ts";
export { createSummarizationScorer, type SummarizationOptions } from "./llm/summarization.ts";
export { type AvailableTool, createToolCallAccuracyScorerLLM, type ToolCallAccuracyLlmConfig } from "./llm/tool-call-accuracy.ts";
export { createToxicityScorer, type ToxicityOptions } from "./llm/toxicity.ts";
export { createTrajectoryAccuracyScorerLLM, type TrajectoryAccuracyLlmConfig } from "./llm/trajectory-accuracy.ts";
