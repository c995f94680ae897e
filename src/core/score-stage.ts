// Owns the stage `score`: what measures an attempt between its hook and its judge, and what it leaves for the runner to judge and to grade.

import type { Check } from "./check.ts";
import type { Claim } from "./claim.ts";
import type { HookContext } from "./context.ts";
import type { Evidence } from "./evidence.ts";
import type { ReportError, ReportResult, ScenarioReport, TurnConfirmation } from "./report.ts";
import type { Verdict } from "./outcome.ts";
import type { ScoreRecord } from "./score.ts";
import type { Usage } from "./usage.ts";

/** How the hook ended. */
export type Hooked =
  | { readonly kind: "returned"; readonly result: ReportResult; readonly evidence?: Evidence }
  | { readonly kind: "threw"; readonly error: ReportError; readonly thrown: unknown };

/** A turn as the stage leaves it. Its outcome follows from its scores, from what the judge says to its claims, and from its error. */
export interface ScoredTurn {
  /** From 0. */
  readonly turn: number;
  readonly id?: string;
  /** False where the conversation ended before it. */
  readonly reached: boolean;
  readonly durationMs?: number;
  readonly input?: unknown;
  readonly played?: boolean;
  readonly output?: string;
  readonly scores?: readonly ScoreRecord[];
  /** Judged on this turn's output alone. */
  readonly claims?: readonly Claim[];
  readonly reference?: string;
  /** How many tool calls it made, where its source could see them: those of the evidence, turn after turn. */
  readonly toolCalls?: number;
  readonly startedMs?: number;
  readonly confirmation?: TurnConfirmation;
  readonly usage?: Usage;
  readonly error?: ReportError;
}

export interface Scoring {
  /** Added to those of the result. */
  readonly checks?: readonly Check[];
  /** Of the whole; those of a turn stand with it. */
  readonly scores: readonly ScoreRecord[];
  readonly turns?: readonly ScoredTurn[];
  /** What the scorers' models consumed. */
  readonly usage?: Usage | undefined;
  /** What broke first while it was scored: the attempt is then errored at this stage. */
  readonly fault?: { readonly thrown: unknown };
}

export interface ScoreStage {
  /**
   * Called once the hook has returned or thrown, with the hook's own context and in what it left of the deadline; again where something broke that
   * may pass. After a hook that threw, what can be said of the turns before is still wanted.
   */
  score(ctx: HookContext, hooked: Hooked): Scoring | Promise<Scoring>;
  /** What is known of the turns where the attempt was cut short. It is not waited for. */
  turns?(ctx: HookContext): readonly ScoredTurn[];
}

/** Comes to a run's verdict as its scenarios finish, in whatever order. */
export interface VerdictTally {
  /** `position` counts the selected scenarios from 0, in the order of their declaration. */
  add(position: number, report: ScenarioReport): void;
  /** Of those that were added; `undefined` where nothing was required. */
  verdict(): Verdict | undefined;
}
