// Owns the words of a conversation: what a turn is sent with, what is known of it afterwards, and who may play the user.

import type { Evidence } from "./evidence.ts";
import type { Scope } from "./scope.ts";
import type { Usage } from "./usage.ts";

/**
 * What a turn sends: a text, several texts of one turn, messages, or whatever else the target takes. A function makes it of the conversation so far.
 */
export type TurnInput = string | number | boolean | object | null | undefined;
export type TurnInputFunction = (conversation: ConversationSoFar) => TurnInput | Promise<TurnInput>;

/** `approve` and `reject` answer every request of the turn's run; `expect` is a gate: the run must stop at one, and stays there. */
export const APPROVALS = ["approve", "reject", "expect"] as const;
export type ApprovalPolicy = (typeof APPROVALS)[number];

/** A turn that was spoken. */
export interface ConversationTurn {
  /** As it was sent. */
  readonly input: TurnInput;
  /** The text of the answer. */
  readonly output: string;
  /** What the target's adapter saw; absent where it sees nothing. */
  readonly evidence?: Evidence;
  /** Of a turn that was to stop for approval: whether it did. */
  readonly stopped?: boolean;
}

export interface ConversationSoFar {
  readonly turns: readonly ConversationTurn[];
  /** The text of the last answer; empty before the first. */
  readonly output: string;
  /** The memory that the turns share, where the target keeps one. */
  readonly threadId?: string;
}

/**
 * What the player does: says something, and ends the conversation after the answer where `end` says why; or ends it at once. `usage` is what it
 * took to find that out.
 */
export type PlayedTurn = { readonly message: string; readonly end?: string | undefined; readonly usage?: Usage | undefined } | { readonly message?: undefined; readonly end: string; readonly usage?: Usage | undefined };

export interface PlayerContext {
  readonly signal: AbortSignal;
  /** For the player's model calls. */
  readonly scope: Scope;
}

/** Plays the user. It is called for one conversation after another, also at once, so what it knows of one must come from its argument. */
export interface TurnPlayer {
  /** The most turns of the user, an opening line of the item's included. */
  readonly maxTurns: number;
  /** A word that ends the conversation. It is never sent; what stands before it is. */
  readonly stopWord?: string | undefined;
  next(conversation: ConversationSoFar, context: PlayerContext): PlayedTurn | Promise<PlayedTurn>;
}
