// Owns the scorer port: who measures an agent's output, what it is given, and what it answers. Mastra's own scorer objects have this shape.

import type { Clock } from "./clock.ts";
import type { Evidence } from "./evidence.ts";
import type { Client, Provider } from "./model.ts";
import type { Scope } from "./scope.ts";
import type { Usage } from "./usage.ts";

/** What an agent was sent, as Mastra tells it. */
export interface AgentInput {
  readonly inputMessages: readonly unknown[];
  readonly rememberedMessages: readonly unknown[];
  readonly systemMessages: readonly unknown[];
  readonly taggedSystemMessages: Readonly<Record<string, readonly unknown[]>>;
}

/** One turn of a conversation, as a scorer of the whole sees it. */
export interface ScorerTurn {
  /** From 0. */
  readonly turn: number;
  readonly id?: string | undefined;
  /** Shaped as `ScorerRun.input`. */
  readonly input: unknown;
  /** The messages of the assistant in this turn. */
  readonly output: unknown;
  readonly evidence?: Evidence | undefined;
  readonly usage?: Usage | undefined;
  readonly durationMs?: number | undefined;
  readonly threadId?: string | undefined;
}

/** What a scorer measures. `output` is the one member that is always there. */
export interface ScorerRun {
  /** `AgentInput` for an agent, whatever was started for a workflow. In a conversation it is the first turn's, within a turn its own. */
  readonly input?: unknown;
  /** The assistant's messages, of whatever dialect: this turn's, or those of the whole conversation. A `Trajectory` for a scorer of the type `trajectory`. */
  readonly output: unknown;
  readonly groundTruth?: unknown;
  readonly requestContext?: unknown;
  readonly runId?: string | undefined;
  readonly expectedTrajectory?: unknown;
  readonly additionalContext?: unknown;
  /** The turns one by one; absent for a single input and within a turn. */
  readonly turns?: readonly ScorerTurn[] | undefined;
  /** What the target's adapter saw. */
  readonly evidence?: Evidence | undefined;
  readonly usage?: Usage | undefined;
  /** How long the target took. */
  readonly durationMs?: number | undefined;
  readonly threadId?: string | undefined;
  readonly resourceId?: string | undefined;
  /** Mastra's words for where the run comes from. */
  readonly scoreSource?: string | undefined;
  readonly targetScope?: string | undefined;
  readonly targetEntityType?: string | undefined;
  readonly targetTraceId?: string | undefined;
  readonly targetSpanId?: string | undefined;
}

/** An AI SDK model, by shape. */
export interface LanguageModelShape {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  // `any`: each specification has its own options, and Entail's own call fits them all.
  doGenerate(options: any): PromiseLike<unknown>;
  doStream(options: any): PromiseLike<unknown>;
}

/** A model that can be asked as it is. */
export type ResolvedModel = Provider | Client | LanguageModelShape;

/** A model as a scorer takes one: one that can be asked, or a name that `resolveModel` knows. */
export type ScorerModel = ResolvedModel | string;

/** What a scorer is lent for one run. Mastra's own scorers leave it alone. */
export interface ScorerRunOptions {
  readonly signal?: AbortSignal | undefined;
  /** For the scorer's model calls; the purpose becomes the scorer's id. */
  readonly scope?: Scope | undefined;
  readonly clock?: Clock | undefined;
  /** Finds the model of a name (`openai/gpt-…`). Without it a name is `model_unresolved`. */
  readonly resolveModel?: ((name: string) => ResolvedModel | Promise<ResolvedModel>) | undefined;
  /** `mastra`: checks look at the last text of each message alone, as Mastra's do. */
  readonly compat?: "mastra" | undefined;
}

export const SCORER_STEPS = ["preprocess", "analyze", "generateScore", "generateReason"] as const;
export type ScorerStepName = (typeof SCORER_STEPS)[number];

/** One request of a step to a model, with all its attempts. The words are Mastra's. */
export interface ScorerExecution {
  readonly status: "success" | "failed";
  readonly prompt: string;
  readonly output?: unknown;
  readonly rawOutput?: string | undefined;
  readonly judgeModelId: string;
  readonly judgeProvider?: string | undefined;
  readonly usage?: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined; readonly totalTokens?: number | undefined; readonly reasoningTokens?: number | undefined; readonly cachedInputTokens?: number | undefined } | undefined;
  /** Answers that were asked for: 1, and one more for each correction. */
  readonly attemptCount: number;
  readonly modelCallCount: number;
  readonly durationMs: number;
  readonly finishReason?: string | undefined;
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string | undefined } | undefined;
}

/** Why there is no score, which is no error: the run is left out of means, gates and thresholds. */
export interface NotScorableOutcome {
  readonly step?: string | undefined;
  readonly reason?: string | undefined;
}

/** What a run of a scorer gives: the run's own members, and Mastra's. Exactly one of `score` and `notScorable` is set. */
export interface ScorerResult {
  readonly runId?: string | undefined;
  readonly score?: number | undefined;
  readonly notScorable?: NotScorableOutcome | undefined;
  readonly reason?: unknown;
  readonly preprocessStepResult?: unknown;
  readonly analyzeStepResult?: unknown;
  readonly preprocessPrompt?: string | undefined;
  readonly analyzePrompt?: string | undefined;
  readonly generateScorePrompt?: string | undefined;
  readonly generateReasonPrompt?: string | undefined;
  /** By step. */
  readonly judge?: Readonly<Partial<Record<ScorerStepName, { readonly executions: readonly ScorerExecution[] }>>> | undefined;
  readonly metadata?: unknown;
}

/** Measures a run from 0 to 1. It must stand concurrent runs. */
export interface Scorer {
  /** Distinct by what it asks (`check-includes:brooklyn`). */
  readonly id: string;
  /** The id of its kind (`check-includes`); its own id where absent. */
  readonly base?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** `agent`, `trajectory`, or the schemas of input and output. */
  readonly type?: unknown;
  run(run: ScorerRun, options?: ScorerRunOptions): Promise<ScorerResult>;
}

/** The bar: the least that the mean should be, or bounds, both inclusive. */
export type ThresholdConfig = number | { readonly min?: number | undefined; readonly max?: number | undefined };

export interface ScorerWithThreshold<One = Scorer> {
  readonly scorer: One;
  readonly threshold: ThresholdConfig;
}
