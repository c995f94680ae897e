// Owns the judge port: who labels claims, what it is asked, and the record of how it came to its answer.

import type { Claim } from "./claim.ts";
import type { Judgment } from "./judgment.ts";
import type { ModelRequest, ModelResponse } from "./model.ts";
import type { Scope } from "./scope.ts";
import type { Usage } from "./usage.ts";

/** One request to the judge's model, and what came of it. */
export interface JudgeAttempt {
  readonly durationMs: number;
  readonly request?: ModelRequest;
  readonly response?: ModelResponse;
  /** Why the answer was refused; absent for the answer that was taken. */
  readonly cause?: string;
  readonly usage?: Usage;
  readonly model?: string;
  /** Which judge of a panel asked, counted from 1. */
  readonly member?: number;
}

export interface JudgeRequest {
  /** What is judged, verbatim. */
  readonly output: string;
  readonly claims: readonly Claim[];
  /** Facts that help to verify; they never supply what the output omits. `""` for none. */
  readonly reference: string;
  /**
   * The tool calls of the agent's run, as `renderEvidence` writes them; only for a judge with `judgeEvidence`. Like the reference they help to
   * verify and never supply what the output omits.
   */
  readonly evidence?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly scope?: Scope | undefined;
  /** Called once a request to the model. A custom judge may leave it alone. */
  readonly record?: ((attempt: JudgeAttempt) => void) | undefined;
}

/** What a judge says of itself, for the report. */
export interface JudgeIdentity {
  readonly modelClass?: string;
  readonly model?: string;
  readonly maxOutputTokens?: number;
  readonly maxCorrections?: number;
  /** False where duplicated members of an answer could not be seen. */
  readonly rawArguments?: boolean;
  /** It is shown the tool calls of the evidence. */
  readonly judgeEvidence?: boolean;
  /** Each request carries a control claim. */
  readonly controls?: boolean;
  /** Digest of all that shapes an answer: model, parameters, request texts, labels, rendering. */
  readonly fingerprint?: string;
  /** Of a panel, in its order. */
  readonly members?: readonly Omit<JudgeIdentity, "members">[];
}

/** Labels claims. It must stand concurrent calls. A custom judge implements `judge` alone. */
export interface Judge {
  judge(request: JudgeRequest): Promise<readonly Judgment[]>;
  readonly identity?: JudgeIdentity | undefined;
  /** True where its requests are to carry the evidence. */
  readonly judgeEvidence?: boolean | undefined;
}
