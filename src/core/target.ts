// Owns the target port: the agent under test, behind one small interface.

import type { EventStream, StreamEvent } from "./event.ts";
import type { Confirmation, Evidence, Observes } from "./evidence.ts";

export interface TargetOptions {
  readonly signal: AbortSignal;
  /** The memory that the turns of one conversation share. */
  readonly threadId?: string | undefined;
  /** Who owns the memory. */
  readonly resourceId?: string | undefined;
  /** Counts from 0. */
  readonly turn?: number | undefined;
  /** What was said before, for a target that keeps no thread of its own. */
  readonly history?: readonly { readonly role: "user" | "assistant"; readonly content: string }[] | undefined;
}

/** What somebody decided about the confirmation that a run stopped at. */
export interface Decision {
  readonly confirmation: Confirmation;
  readonly approved: boolean;
  /** Of the run that stopped. */
  readonly evidence: Evidence;
}

export interface Target<Input = unknown> {
  readonly observes: Observes;
  /** Whether the target keeps a thread by itself. */
  readonly memory: boolean;
  /** Sends one turn and gives the events of the run that it starts. */
  send(input: Input, options: TargetOptions): EventStream | AsyncIterable<StreamEvent>;
  /**
   * Goes on with a run of the same turn that stopped at a confirmation, and gives the events from there. Where several calls of the run wait, they
   * may all be decided alike: a framework may take no answer to one alone. Absent where the target cannot.
   */
  resume?(decision: Decision, options: TargetOptions): EventStream | AsyncIterable<StreamEvent>;
}
