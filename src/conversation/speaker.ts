// Owns the port between a conversation and whatever answers it: an agent or a workflow of Mastra's, a target, a function.

import type { Clock } from "../core/clock.ts";
import type { HookContext } from "../core/context.ts";
import type { Evidence } from "../core/evidence.ts";
import type { TargetOptions } from "../core/target.ts";
import type { Usage } from "../core/usage.ts";

/** What a target gave for one turn. */
export interface Answer {
  /** What was sent, shaped for scorers. */
  readonly input: unknown;
  /** The messages of the assistant, of whatever dialect; a workflow's result. */
  readonly output: unknown;
  readonly text: string;
  readonly evidence?: Evidence | undefined;
  readonly usage?: Usage | undefined;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  /** What the target gave, as it is. */
  readonly raw: unknown;
  /** Set where the run stopped for somebody to allow a call. */
  readonly suspension?: Suspension | undefined;
}

export interface Suspension {
  readonly toolName: string;
  /** Goes on with the run. Absent where the target cannot. The answer is that of the whole turn. */
  readonly decide?: ((approved: boolean) => Promise<Answer>) | undefined;
}

export interface LineOptions {
  /** Several turns may follow, so they need a thread. */
  readonly conversation: boolean;
  /** The options of each call, in the target's own words. */
  readonly targetOptions: Readonly<Record<string, unknown>>;
  readonly threadId?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly requestContext?: unknown;
  /** Further members of each call that are not for the user to set, such as a tracing context. */
  readonly further?: Readonly<Record<string, unknown>> | undefined;
}

export interface SendOptions {
  /** From 0. */
  readonly turn: number;
  readonly signal: AbortSignal;
  readonly history: NonNullable<TargetOptions["history"]>;
  readonly attach?: HookContext["attach"] | undefined;
  /** That of the conversation, for the times in evidence. */
  readonly clock: Pick<Clock, "elapsed">;
}

/** One conversation with a target. */
export interface Line {
  readonly threadId?: string | undefined;
  readonly resourceId?: string | undefined;
  /** The conversation's own copy. */
  readonly requestContext?: unknown;
  /** Set where turns do not see each other: why. */
  readonly isolated?: string | undefined;
  send(input: unknown, options: SendOptions): Promise<Answer>;
}

export interface Speaker {
  readonly kind: "agent" | "workflow";
  /** Mastra's word for it. */
  readonly entityType: "agent" | "workflow_run";
  /** Whoever keeps the application's own stores: a target of Mastra's. */
  readonly owner?: object | undefined;
  open(options: LineOptions): Line | Promise<Line>;
}
