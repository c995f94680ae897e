// Owns the comparison of two runs: what each of them must tell, its four verdicts, and the record that terminal, page and pull request show.

import type { Label } from "./label.ts";
import type { Outcome } from "./outcome.ts";
import type { Warning } from "./report.ts";

export const COMPARISON_VERDICTS = ["regressed", "improved", "no evidence", "too few"] as const;
/**
 * `regressed`: the interval of the difference lies below 0 (below minus the margin). `improved`: it lies above 0. `too few`: the estimate is worse than
 * the margin and more trials could settle it, or nothing could be compared. Else `no evidence`.
 */
export type ComparisonVerdict = (typeof COMPARISON_VERDICTS)[number];

/** How often something held, over the scored trials that have it. */
export interface HeldCount {
  readonly held: number;
  readonly of: number;
}

export interface ComparableClaim extends HeldCount {
  readonly id: string;
  /** From 0; absent for a claim on the whole. */
  readonly turn?: number | undefined;
  /** The labels it was given, counted. */
  readonly labels: Readonly<Partial<Record<Label, number>>>;
}

export interface ComparableCheck extends HeldCount {
  readonly name: string;
}

export interface ComparableScore extends HeldCount {
  readonly id: string;
  readonly base: string;
  readonly kind: "gate" | "scorer";
  readonly turn?: number | undefined;
  /** The mean over the trials that could be scored. */
  readonly score?: number | undefined;
  readonly threshold?: number | undefined;
  readonly thresholdMax?: number | undefined;
}

export interface ComparableTurn extends HeldCount {
  readonly turn: number;
  readonly id?: string | undefined;
}

/** The trials of a scenario by their outcome. Only the first three are scored. */
export interface TrialOutcomes {
  readonly passed: number;
  readonly scored: number;
  readonly failed: number;
  readonly errored: number;
  readonly cancelled: number;
}

/** What a comparison and a baseline keep of a scenario: nothing that a second look at the same run would give otherwise. */
export interface ComparableScenario {
  readonly id: string;
  /** Digest of id, description, input schema and the author's mark. */
  readonly revision?: string | undefined;
  /** The same without the id, and with the input: what a renamed scenario keeps. */
  readonly content?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly outcome: Outcome;
  readonly trials: TrialOutcomes;
  /** Why it could not be measured or was not run. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Its author's reason for not running it. */
  readonly skip?: string | undefined;
  readonly claims?: readonly ComparableClaim[] | undefined;
  readonly checks?: readonly ComparableCheck[] | undefined;
  readonly scores?: readonly ComparableScore[] | undefined;
  readonly turns?: readonly ComparableTurn[] | undefined;
  /** Means over the scored trials; absent where unknown, which is never zero. */
  readonly durationMs?: number | undefined;
  /** US dollars, subject and judge together. */
  readonly cost?: number | undefined;
  /** Of the subject, in and out together. */
  readonly tokens?: number | undefined;
  readonly toolCalls?: number | undefined;
  /** Fewer trials ran than were asked for, by a stopping rule. */
  readonly stoppedEarly?: boolean | undefined;
}

/** The judge of a run, as far as it tells whether two runs had the same one. */
export interface ComparableJudge {
  readonly model?: string | undefined;
  readonly modelClass?: string | undefined;
  readonly fingerprint?: string | undefined;
}

/** What a comparison needs of one run. */
export interface ComparableRun {
  readonly suiteId: string;
  readonly runId?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly subject?: string | undefined;
  readonly variant?: string | undefined;
  readonly judge?: ComparableJudge | undefined;
  /** Why the run did not come to its end. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** In the order of the design. */
  readonly scenarios: readonly ComparableScenario[];
}

/** A run that somebody accepted, as a file of the repository keeps it. */
export interface Baseline extends Omit<ComparableRun, "runId" | "startedAt" | "error"> {
  /** Set where it was accepted against what speaks against it. */
  readonly accepted?: { readonly over: readonly string[]; readonly reason?: string | undefined } | undefined;
}

export interface ScenarioRef {
  readonly suite: string;
  readonly id: string;
}

/** What one side shows of something that flipped. */
export interface FlipSide extends HeldCount {
  /** In one or two words: `entailed`, `holds`, `fails`, `0.82`. */
  readonly text: string;
  readonly score?: number | undefined;
}

/** Something within a scenario that is not as it was. A side is absent where the run did not have it. */
export interface Flip {
  readonly kind: "claim" | "check" | "gate" | "score" | "turn";
  readonly id: string;
  readonly turn?: number | undefined;
  readonly direction: "worse" | "better" | "changed" | "added" | "removed";
  readonly before?: FlipSide | undefined;
  readonly after?: FlipSide | undefined;
}

/** A scenario that both runs scored and that is not in all as it was. */
export interface ScenarioChange extends ScenarioRef {
  /** Its id in the first run, where it was renamed. */
  readonly from?: string | undefined;
  readonly before: { readonly outcome: Outcome; readonly passed: number; readonly scored: number };
  readonly after: { readonly outcome: Outcome; readonly passed: number; readonly scored: number };
  /** It changed for itself, more than its trials would by chance, after the correction for many comparisons. */
  readonly certain: boolean;
  readonly flips: readonly Flip[];
}

export interface NotCompared extends ScenarioRef {
  readonly from?: string | undefined;
  /** Absent where the run does not have it. */
  readonly before?: Outcome | undefined;
  readonly after?: Outcome | undefined;
  /** In words, without a full stop. */
  readonly reason: string;
}

/** The estimate of one set of scenarios, in shares from -1 to 1: below 0 is worse. */
export interface ComparisonEstimate {
  readonly verdict: ComparisonVerdict;
  /** After less before: the mean over scenarios of the change of their pass rate; `null` where nothing could be compared. */
  readonly difference: number | null;
  readonly interval: readonly [lower: number, upper: number] | null;
  /** The chance of as much between two equal agents, two-sided. */
  readonly p: number | null;
  /** Scenarios compared, and those whose pass rate fell, rose and stayed. */
  readonly scenarios: number;
  readonly worse: number;
  readonly better: number;
  readonly same: number;
}

/** A tag, or a suite where there are several. Its interval holds together with those of all other groups. */
export interface ComparisonGroup extends ComparisonEstimate {
  readonly kind: "tag" | "suite";
  readonly name: string;
}

export const MEASURES = ["cost", "duration", "tokens", "tool_calls", "score"] as const;
export type Measure = (typeof MEASURES)[number];

/** What else changed: means over the scenarios in which both runs know it. */
export interface MeasureChange {
  readonly measure: Measure;
  /** Of a `score`: the scorer. */
  readonly name?: string | undefined;
  /** US dollars, milliseconds, tokens, calls; of a score from 0 to 1. Each for one scenario. */
  readonly before: number;
  readonly after: number;
  /** Of a score after less before; of all others the change as a share of `before`, `null` where that is 0. */
  readonly change: number | null;
  /** Of `change`; absent for fewer than five scenarios, which say nothing of the spread. */
  readonly interval?: readonly [lower: number, upper: number] | undefined;
  readonly scenarios: number;
}

export interface ComparisonSide {
  /** What to call it: `baseline`, `#412`, a file. */
  readonly name: string;
  readonly suites: readonly string[];
  readonly runIds: readonly string[];
  readonly startedAt?: string | undefined;
  readonly subject?: string | undefined;
  readonly variant?: string | undefined;
  readonly judge?: ComparableJudge | undefined;
  /** Scenarios it holds, compared or not. */
  readonly scenarios: number;
  /** Scored trials of the compared scenarios: the least and the most that one has. */
  readonly trials?: readonly [least: number, most: number] | undefined;
  /** Over the compared scenarios. */
  readonly rate?: { readonly rate: number; readonly interval: readonly [lower: number, upper: number]; readonly trials: number } | undefined;
}

/** Two runs held against each other, paired by scenario. JSON through and through. */
export interface Comparison extends ComparisonEstimate {
  /** The verdict first, then what supports it, a sentence each. */
  readonly words: readonly string[];
  readonly before: ComparisonSide;
  readonly after: ComparisonSide;
  /** Confidence of every interval, from 0 to 1. */
  readonly level: number;
  /** The drop that is put up with, as a share. */
  readonly margin: number;
  readonly method: "tango" | "t" | "clustered t" | "stratified" | null;
  readonly unit: "cluster" | "scenario" | "trial" | null;
  readonly units: number;
  /** The smallest drop that this comparison would have found 4 times in 5; `null` where not even a drop to 0 would be. */
  readonly smallestDrop: number | null;
  /** With `too few`: trials of each scenario in each run that would settle it; `null` where only more scenarios would. */
  readonly trialsNeeded: number | null;
  /** What a gate says of it: 0, 1 or 3, and why it is not 0. */
  readonly gate: { readonly exitCode: 0 | 1 | 3; readonly reasons: readonly string[] };
  readonly gotWorse: readonly ScenarioChange[];
  readonly gotBetter: readonly ScenarioChange[];
  /** Their pass rate stayed, and something in them did not. */
  readonly alsoChanged: readonly ScenarioChange[];
  readonly unchanged: readonly ScenarioRef[];
  /** Those of the compared that do not pass now and did not then. */
  readonly stillNotPassing: readonly ScenarioRef[];
  readonly renamed: readonly { readonly suite: string; readonly from: string; readonly to: string }[];
  readonly missing: readonly (ScenarioRef & { readonly outcome: Outcome })[];
  readonly new: readonly (ScenarioRef & { readonly outcome: Outcome })[];
  /** Compared all the same. */
  readonly revised: readonly ScenarioRef[];
  readonly notCompared: readonly NotCompared[];
  readonly groups: readonly ComparisonGroup[];
  readonly measures: readonly MeasureChange[];
  readonly warnings: readonly Warning[];
}

/** One variant of a matrix. */
export interface VariantResult {
  readonly variant: string;
  readonly runId?: string | undefined;
  readonly scenarios: number;
  readonly rate: { readonly rate: number; readonly interval: readonly [lower: number, upper: number]; readonly trials: number } | null;
  readonly notMeasured: number;
  /** Means of one scenario: US dollars, milliseconds; absent where unknown. */
  readonly cost?: number | undefined;
  readonly durationMs?: number | undefined;
}

/** Two variants of a matrix. `verdict` stands after the correction for all pairs; `p` is the least `1 - level` at which the pair by itself is decided. */
export interface VariantPair extends ComparisonEstimate {
  readonly before: string;
  readonly after: string;
  /** Holm's, over all pairs. */
  readonly adjustedP: number | null;
}

/** The variants of one suite, each against each. */
export interface Matrix {
  readonly suite: string;
  readonly level: number;
  readonly margin: number;
  readonly variants: readonly VariantResult[];
  readonly pairs: readonly VariantPair[];
}
