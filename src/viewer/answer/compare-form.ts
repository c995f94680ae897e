// Owns the shapes of the answers of the page that compares.

import type { Comparison, ScenarioChange } from "../../core/comparison.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { RunState, Words } from "./form.ts";

export interface ComparedRun {
  readonly id: string;
  readonly n: number;
  readonly suite: string;
  readonly branch?: string | undefined;
  readonly note?: string | undefined;
  readonly at: string;
  readonly state: RunState;
}

export interface ChangeForm extends ScenarioChange {
  /** Outcomes of the trials before and after, one letter each. */
  readonly strips: readonly [string, string];
}

export interface CompareAnswer extends Omit<Comparison, "gotWorse" | "gotBetter" | "alsoChanged"> {
  readonly runs: readonly [ComparedRun, ComparedRun];
  /** Whether the first of them is the accepted baseline of the suite. */
  readonly baseline: boolean;
  readonly gotWorse: readonly ChangeForm[];
  readonly gotBetter: readonly ChangeForm[];
  readonly alsoChanged: readonly ChangeForm[];
  /** How long each list is as a whole. */
  readonly counts: Readonly<Record<"gotWorse" | "gotBetter" | "alsoChanged" | "unchanged" | "notCompared" | "missing" | "new", number>>;
}

export interface ComparedOutput {
  readonly run: string;
  readonly n: number;
  readonly trial: number;
  readonly turn?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly said?: Words | undefined;
}

export interface OutputsAnswer {
  readonly scenario: string;
  readonly before: ComparedOutput;
  readonly after: ComparedOutput;
}
