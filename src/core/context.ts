// Owns what a hook receives beside its input.

import type { Result } from "./result.ts";
import type { Scope } from "./scope.ts";
import type { Variant } from "./variant.ts";

export interface HookContext {
  /** Aborted at the deadline and when the run is cancelled. A hook that ignores it is abandoned. */
  readonly signal: AbortSignal;
  readonly suite: string;
  readonly scenario: string;
  /** Counts from 1. */
  readonly trial: number;
  /** Counts from 1; grows only when an errored trial is tried again. */
  readonly attempt: number;
  /** For the model calls of the agent under test. */
  readonly scope: Scope;
  /** What the eval file's `variants` come to in this run; absent where it names none. */
  readonly variant?: Variant | undefined;
  /**
   * Keeps what is known so far, for when the hook does not get to its end: lists are added to, single members replaced.
   * When the hook returns, its own result wins; attached artifacts and evidence are added to it.
   */
  readonly attach: (partial: Partial<Result>) => void;
}
