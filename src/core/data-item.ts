// Owns the items of data as an author writes them: an input, several inputs, turns with what must hold of each, or a user who is played. `Entry` is what may stand for a scorer.

import type { Claim } from "./claim.ts";
import type { ApprovalPolicy, TurnInput, TurnInputFunction, TurnPlayer } from "./conversation.ts";
import type { TrialRequirement } from "./suite.ts";

/** One turn, with what must hold of it alone. */
export interface EvalTurn<Entry> {
  /** For people, beside the turn's number. */
  readonly id?: string | undefined;
  readonly input: TurnInput | TurnInputFunction;
  /** Must score 1; with a threshold, must meet that. */
  readonly gates?: readonly Entry[] | undefined;
  readonly scorers?: readonly Entry[] | undefined;
  /** Judged on what this turn answered. */
  readonly claims?: readonly Claim[] | undefined;
  /** Facts for the judge; the item's when absent. */
  readonly reference?: string | undefined;
  /** The item's when absent. */
  readonly groundTruth?: unknown;
  /** What becomes of a run of this turn that stops for approval; the item's when absent. Without one it stays there. */
  readonly approvals?: ApprovalPolicy | undefined;
}

export interface ItemCommon {
  /** Text of 1 to 200 characters; a digest of the input when absent. */
  readonly id?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly groundTruth?: unknown;
  /** For scorers of trajectories. */
  readonly expectedTrajectory?: unknown;
  /** Copied for each conversation. */
  readonly requestContext?: unknown;
  /** Judged on all that the target said. */
  readonly claims?: readonly Claim[] | undefined;
  /** Facts for the judge. */
  readonly reference?: string | undefined;
  /** Over those of the whole call, member by member; `memory` likewise. */
  readonly targetOptions?: Readonly<Record<string, any>> | undefined;
  /** Of a workflow: over `targetOptions`. */
  readonly startOptions?: Readonly<Record<string, any>> | undefined;
  /** For Mastra's own observability, as are the three that follow. */
  readonly tracingContext?: unknown;
  readonly tracing?: unknown;
  readonly loggerVNext?: unknown;
  readonly metrics?: unknown;
  readonly approvals?: ApprovalPolicy | undefined;
  /** Beats that of the whole call. */
  readonly timeoutMs?: number | undefined;
  readonly trials?: number | undefined;
  readonly require?: TrialRequirement | undefined;
  readonly skip?: string | undefined;
  readonly knownFailure?: string | undefined;
}

/** One turn. */
export interface InputItem extends ItemCommon {
  readonly input: TurnInput;
  readonly inputs?: never;
  readonly turns?: never;
  readonly user?: never;
}

/** Several turns that are scored as a whole. An `input` beside them is left aside, as Mastra does. */
export interface InputsItem extends ItemCommon {
  readonly input?: TurnInput;
  readonly inputs: readonly (TurnInput | TurnInputFunction)[];
  readonly turns?: never;
  readonly user?: never;
}

export interface TurnsItem<Entry> extends ItemCommon {
  readonly input?: never;
  readonly inputs?: never;
  readonly turns: readonly EvalTurn<Entry>[];
  readonly user?: never;
}

/** A user who is played; `input` is the opening line, where the player is not to find one. */
export interface PlayedItem extends ItemCommon {
  readonly input?: TurnInput;
  readonly inputs?: never;
  readonly turns?: never;
  readonly user: TurnPlayer;
}

export type DataItem<Entry> = InputItem | InputsItem | TurnsItem<Entry> | PlayedItem;

/** Scorers of an agent, by what they see. */
export interface AgentScorers<Entry> {
  readonly agent?: readonly Entry[] | undefined;
  readonly trajectory?: readonly Entry[] | undefined;
}

/** Scorers of a workflow: of its input and result, of its steps by their ids, of the order of its steps. */
export interface WorkflowScorers<Entry> {
  readonly workflow?: readonly Entry[] | undefined;
  readonly steps?: Readonly<Record<string, readonly Entry[]>> | undefined;
  readonly trajectory?: readonly Entry[] | undefined;
}

export type Scorers<Entry> = readonly Entry[] | AgentScorers<Entry> | WorkflowScorers<Entry>;
