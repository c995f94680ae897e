// Owns the comparison of two runs: what goes in, what comes out, and its four verdicts.

import type { ComparisonVerdict } from "../core/comparison.ts";
import type { ClusterId } from "./cluster.ts";
import type { Interval } from "./interval.ts";

export { COMPARISON_VERDICTS, type ComparisonVerdict } from "../core/comparison.ts";

/** The trials of one scenario in one run, counted. `scored` leaves out what could not be measured: an error is never a fail. */
export interface TrialsOfRun {
  readonly passed: number;
  readonly scored: number;
}

/** One scenario that both runs hold. */
export interface ScenarioPair {
  readonly id: string;
  readonly before: TrialsOfRun;
  readonly after: TrialsOfRun;
  /** The family whose scenarios share something (a template, a fixture, a persona); a scenario without one stands alone. */
  readonly cluster?: ClusterId | undefined;
}

export interface ComparisonOptions {
  /** The confidence of the interval; 0.95 when absent. Two equal agents are then called `regressed` in at most 5 % of comparisons. */
  readonly level?: number;
  /** The drop of the pass rate that is put up with, from 0 to below 1; 0 when absent. */
  readonly margin?: number;
  /** The chance with which `smallestDrop` is found; 0.8 when absent. */
  readonly power?: number;
  /** More trials a scenario than this settle nothing in practice; 1,000 when absent. */
  readonly maxTrials?: number;
}

/** What the interval took as independent. */
export type ComparisonUnit = "cluster" | "scenario" | "trial";

export interface Comparison {
  readonly verdict: ComparisonVerdict;
  /**
   * The mean over scenarios of the change of their pass rate, after less before, from -1 to 1: below 0 is worse. `null` where no scenario could be
   * compared.
   */
  readonly difference: number | null;
  readonly standardError: number | null;
  /** Of `difference`, at `level`, from -1 to 1. */
  readonly interval: Interval | null;
  /** Two-sided, of no difference in any scenario; for a correction over several comparisons. */
  readonly p: number | null;
  readonly unit: ComparisonUnit | null;
  /** How many of that unit there are. */
  readonly units: number;
  readonly method: "tango" | "t" | "clustered t" | "stratified" | null;
  /** The mean over scenarios of the pass rate in either run. */
  readonly before: number | null;
  readonly after: number | null;
  /** Scenarios compared, and those whose pass rate fell, rose and stayed. */
  readonly scenarios: number;
  readonly worse: number;
  readonly better: number;
  readonly same: number;
  /** Scenarios that changed for themselves, more than their trials would by chance, after the correction for many comparisons. */
  readonly certainlyWorse: readonly string[];
  readonly certainlyBetter: readonly string[];
  /** Scenarios that one of the runs has no scored trial of. They are left out, and must be shown. */
  readonly unscored: readonly string[];
  /** The smallest drop of the pass rate that this comparison would have found with the given power; `null` where not even a drop to 0 would be. */
  readonly smallestDrop: number | null;
  /**
   * With `too few`: how many trials of each scenario, in each run, would settle a difference like this one; `null` where only more scenarios would.
   */
  readonly trialsNeeded: number | null;
  readonly level: number;
  readonly margin: number;
}
