// Owns the report: the record of a run, exactly what its wire form can hold. Durations are whole nanoseconds, empty lists and texts
// are left out, and no member is `undefined`, so that encoding and decoding give the same value back.

import type { Artifact } from "./artifact.ts";
import type { Check } from "./check.ts";
import type { Claim } from "./claim.ts";
import type { ApprovalPolicy } from "./conversation.ts";
import type { Stage } from "./error.ts";
import type { Approval } from "./evidence.ts";
import type { JudgeAttempt, JudgeIdentity } from "./judge.ts";
import type { Judgment } from "./judgment.ts";
import type { Label } from "./label.ts";
import type { Outcome, Verdict } from "./outcome.ts";
import type { HookScore, ScoreRecord } from "./score.ts";
import type { Usage } from "./usage.ts";

export interface ReportError {
  /** Why: an Entail error code, or another system's. */
  readonly code: string;
  /** Where. */
  readonly stage: Stage;
  readonly message: string;
}

/** A hook's result as a report keeps it: without its evidence, which is in the store. */
export interface ReportResult {
  readonly checks?: readonly Check[];
  readonly claims?: readonly Claim[];
  readonly output?: string;
  readonly reference?: string;
  readonly artifacts?: readonly Artifact[];
  readonly scores?: readonly HookScore[];
  readonly usage?: Usage;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ReportJudgment extends Judgment {
  readonly passed: boolean;
  /** The label that passes, where it is not `entailed`. */
  readonly expect?: Label;
}

/** A confirmation that a turn asked for. */
export interface TurnConfirmation {
  readonly toolCallId?: string;
  readonly toolName: string;
  readonly title?: string;
  readonly prompt?: string;
  readonly state: Approval;
  /** What the turn was to do about it; absent where it says nothing, so that the run stopped there. */
  readonly policy?: ApprovalPolicy;
}

export interface TurnReport {
  readonly turn: number;
  readonly id?: string;
  readonly outcome: Outcome | "not_reached";
  readonly durationMs?: number;
  readonly input?: unknown;
  /** True where a player of the user said it, not the item's script. */
  readonly played?: boolean;
  readonly output?: string;
  readonly scores?: readonly ScoreRecord[];
  readonly claims?: readonly Claim[];
  /** What the judge was shown beside the output; with claims alone. */
  readonly reference?: string;
  readonly judgments?: readonly ReportJudgment[];
  /** How many of the evidence's tool calls are its own; they stand there turn after turn. Absent where its source could not see them. */
  readonly toolCalls?: number;
  /** Where its own calls begin on the clock of the evidence, in milliseconds; absent where the evidence of this turn has no times. */
  readonly startedMs?: number;
  /** What its run stopped at last, for somebody to allow it. */
  readonly confirmation?: TurnConfirmation;
  readonly usage?: Usage;
  readonly error?: ReportError;
}

/** An earlier, errored try of a trial. */
export interface AttemptReport {
  readonly attempt: number;
  readonly startedAt?: string;
  readonly durationMs: number;
  readonly error: ReportError;
}

interface TrialCommon {
  readonly durationMs: number;
  readonly judging?: readonly JudgeAttempt[];
  readonly scores?: readonly ScoreRecord[];
  readonly turns?: readonly TurnReport[];
  readonly usage?: SplitUsage;
  readonly attempts?: readonly AttemptReport[];
  /** What the hook wrote to standard output, capped. */
  readonly stdout?: string;
}

interface Completed {
  readonly outcome: "passed" | "scored" | "failed";
  readonly startedAt: string;
  readonly result: ReportResult;
  readonly judgments?: readonly ReportJudgment[];
  readonly error?: never;
}

interface Broken {
  readonly outcome: "errored" | "cancelled";
  readonly startedAt?: string;
  readonly result?: ReportResult;
  readonly judgments?: never;
  readonly error: ReportError;
}

interface Skipped {
  readonly outcome: "skipped";
  readonly startedAt?: never;
  readonly result?: never;
  readonly judgments?: never;
  readonly error: ReportError;
}

/** One execution of a scenario; `trial` counts from 1. */
export type TrialReport = { readonly trial: number } & TrialCommon & (Completed | Broken | Skipped);

/** What the trials of a scenario came to. */
export interface TrialCounts {
  readonly passed: number;
  readonly scored: number;
  readonly failed: number;
  readonly errored: number;
  readonly cancelled: number;
  /** The share of scored trials that passed; absent where none was scored. */
  readonly passRate?: number;
  /** What its scored trials say of it. */
  readonly stability?: Stability;
  /** Why fewer trials ran than were asked for. */
  readonly stopped?: TrialStop;
}

export const STABILITIES = ["stable_pass", "flaky", "stable_fail", "unscored"] as const;
export type Stability = (typeof STABILITIES)[number];

/** A stopping rule that had its answer: nothing else ends trials early. */
export interface TrialStop {
  readonly rule: "sprt" | "e_value";
  /** How many trials were asked for. */
  readonly asked: number;
  /** Where the pass rate lies by the rule: of `sprt` at `p1` rather than `p0` or the other way, of `e_value` on either side of `p0`. */
  readonly decision: "above" | "below";
  readonly p0: number;
  readonly p1?: number;
  /** The chance to stop with the wrong decision. */
  readonly alpha: number;
  readonly beta?: number;
}

/** What the trials of a run come to, over its scenarios. */
export interface TrialSummary {
  readonly stablePass: number;
  readonly flaky: number;
  readonly stableFail: number;
  readonly unscored: number;
  /** The mean over scenarios of their pass rate, its interval of 95 %, and how many scored trials are behind it. */
  readonly passRate?: RateEstimate & { readonly trials: number };
  /** The chance that at least one of `k` trials passes, and that all do; for each `k` that every scored scenario has trials for. */
  readonly passAt?: readonly PassAt[];
}

export interface PassAt {
  readonly k: number;
  readonly passAtK: number;
  readonly passHatK: number;
  /** Over scenarios; absent with one. */
  readonly passAtKError?: number;
  readonly passHatKError?: number;
}

interface ScenarioCommon extends TrialCommon {
  readonly id: string;
  readonly tags?: readonly string[];
  readonly passed: boolean;
  /** Only where more than one trial was asked for. */
  readonly trials?: readonly TrialReport[];
  readonly trialCounts?: TrialCounts;
  /** The author's reason for not running it. */
  readonly skip?: string;
  /** The author's reason for its failing. */
  readonly knownFailure?: string;
}

/** It ran to its end: `passed`, `scored` or `failed`. */
export type CompletedScenario = ScenarioCommon & Completed;
/** It could not be measured, or was stopped. `startedAt` is absent where it never began. */
export type BrokenScenario = ScenarioCommon & Broken & { readonly passed: false };
/** It was not to run. */
export type SkippedScenario = ScenarioCommon & Skipped & { readonly passed: false };

/** A scenario's members are those of its deciding trial: the first that did not pass, else the first. */
export type ScenarioReport = CompletedScenario | BrokenScenario | SkippedScenario;

export interface SplitUsage {
  readonly subject?: Usage;
  readonly judge?: Usage;
}

export interface Totals {
  readonly scenarios: number;
  readonly passed: number;
  readonly scored: number;
  readonly failed: number;
  readonly errored: number;
  readonly cancelled: number;
  readonly skipped: number;
  /** Errored scenarios by the stage they broke at. */
  readonly errors: Readonly<Record<Stage, number>>;
}

/** The judge of a run and the proof that it can tell the four labels apart. */
export interface JudgeReport extends JudgeIdentity {
  readonly calibration?: CalibrationReport;
  /** What is known of its quality; absent where it was asked for nothing. */
  readonly measurement?: MeasurementReport;
  /** What its judgments of this run come to: one record for each label that claims expect. */
  readonly rates?: readonly JudgedRate[];
  /** Answers that were void because their control claim was labelled wrongly. */
  readonly compromised?: number;
}

/** A judge's quality against human labels, in short; or why nothing is known of it. */
export type MeasurementReport =
  | { readonly measured: false; readonly reason: string }
  | {
      readonly measured: true;
      readonly at: string;
      /** Human labels behind it. */
      readonly labels: number;
      readonly accuracy: RateEstimate;
      readonly kappa?: number;
      readonly ac1?: number;
      /** Agreement of people with each other on the same rows. */
      readonly humanKappa?: number;
      /** The share of rows that it labelled differently when asked again. */
      readonly flipRate?: number;
    };

/** A share from 0 to 1 with its interval of 95 %. */
export interface RateEstimate {
  readonly rate: number;
  readonly interval: readonly [lower: number, upper: number];
}

/** What the judged claims of a run come to. An output that was empty was not judged, and is not here. */
export interface JudgedRate {
  /** The label that passes these claims. */
  readonly expect: Label;
  /** How often the judge gave each label. */
  readonly labels: Readonly<Record<Label, number>>;
  readonly judged: number;
  readonly passed: number;
  /** So many independent judgments they are worth: claims and trials of one scenario resemble each other. */
  readonly effective: number;
  /** `passed` of `judged`. */
  readonly raw: RateEstimate;
  /** The rate if every `indeterminate` were a failure, and if every one were a pass. */
  readonly bounds: readonly [lower: number, upper: number];
  /** Corrected for the judge's errors; absent where nothing is known of them. */
  readonly corrected?: readonly CorrectedRateReport[];
}

export const CORRECTIONS = ["rogan_gladen", "multi_class", "ppi", "verdict_audit"] as const;

export interface CorrectedRateReport extends RateEstimate {
  readonly method: (typeof CORRECTIONS)[number];
  /** Human labels behind it. */
  readonly labels: number;
  readonly warnings?: readonly string[];
}

export interface CalibrationReport {
  readonly passed: boolean;
  readonly durationMs: number;
  readonly judgments?: readonly Judgment[];
  readonly attempts?: readonly JudgeAttempt[];
  readonly error?: ReportError;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly scenario?: string;
}

/** A report without its scenarios: what is known once the last one is done. */
export interface ReportHead {
  readonly runId?: string;
  readonly suiteId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** A failure of the suite itself: selection, calibration, cancellation. */
  readonly error?: ReportError;
  readonly passed: boolean;
  readonly verdict?: Verdict;
  /** A missed threshold made it not passed. */
  readonly strict?: true;
  /** Which combination of the values that the eval file names this was. */
  readonly variant?: string;
  /** The run whose stored results were judged again. */
  readonly rejudgedFrom?: string;
  readonly totals: Totals;
  /** Only where a scenario was to have more than one trial. */
  readonly trials?: TrialSummary;
  readonly judge?: JudgeReport;
  readonly usage?: SplitUsage;
  readonly warnings?: readonly Warning[];
  /** Hooks that ignored their signal and were still running when the run ended. */
  readonly hooksRunning?: number;
}

export interface Report extends ReportHead {
  /** In the order of the design, whatever order they ran in. */
  readonly scenarios: readonly ScenarioReport[];
}
