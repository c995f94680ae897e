// Owns the shapes of the viewer's answers: what the server sends and the page reads. A list's rows are short on purpose; each member says what it holds.

import type { FailureKind, ToolCall } from "../../core/evidence.ts";
import type { Label } from "../../core/label.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { ReportError, TurnConfirmation } from "../../core/report.ts";

/** How a run stands: its verdict; `errored` where nothing failed but something could not be measured; or that it goes on, or stopped before its end. */
export type RunState = Outcome | "running" | "incomplete";

/** Passed of judged, with its 95% interval; never one without the other. Rates are from 0 to 1. */
export interface Rate {
  readonly passed: number;
  readonly judged: number;
  readonly rate: number;
  readonly interval: readonly [number, number];
}

/** One run held against another, in short. */
export interface Against {
  readonly id: string;
  readonly n: number;
  /** False where it is only the run before, because no baseline was accepted. */
  readonly baseline: boolean;
  readonly verdict: "regressed" | "improved" | "no evidence" | "too few";
  readonly worse: number;
  readonly better: number;
  /** From -1 to 1, below 0 is worse; absent where nothing could be compared. */
  readonly difference?: number | undefined;
  readonly interval?: readonly [number, number] | undefined;
  /** The pass rate of the other run. */
  readonly rate?: number | undefined;
}

/** A run in one line. */
export interface RunRow {
  readonly id: string;
  readonly n: number;
  readonly suite: string;
  readonly state: RunState;
  readonly at: string;
  readonly planned: number;
  readonly stored: number;
  /** Absent where the run is not whole, or nothing was judged. */
  readonly rate?: Rate | undefined;
  readonly against?: Against | undefined;
  readonly isBaseline?: boolean | undefined;
  readonly branch?: string | undefined;
  readonly dirty?: boolean | undefined;
  readonly note?: string | undefined;
  /** US dollars, agent and judge; absent where unknown. */
  readonly cost?: number | undefined;
  readonly ms: number;
  /** Milliseconds that are left, estimated from the pace so far; of a run that goes on. */
  readonly left?: number | undefined;
  readonly error?: string | undefined;
}

export interface RunsAnswer {
  readonly runs: readonly RunRow[];
  /** Ask with this as `before` for the next page; absent on the last. */
  readonly next?: number | undefined;
  readonly url: string;
}

export interface SuiteRow {
  readonly suite: string;
  readonly latest: RunRow;
  /** What changed, in words; empty where there is nothing to say. */
  readonly said: string;
  /** The last finished runs, oldest first: rate, lower, upper; `null` where nothing was judged. */
  readonly past: readonly (readonly [number, number, number] | null)[];
}

export interface SuitesAnswer {
  readonly suites: readonly SuiteRow[];
  readonly running: number;
  readonly url: string;
}

export type Counts = Readonly<Record<Outcome | "missing", number>>;

export interface RunAnswer extends Omit<RunRow, "error"> {
  readonly scenarios: number;
  readonly counts: Counts;
  /** Trials of each scenario where all have as many. */
  readonly trials?: number | undefined;
  readonly file?: string | undefined;
  readonly subject?: string | undefined;
  readonly commit?: string | undefined;
  readonly selected: boolean;
  readonly strict: boolean;
  readonly command: readonly string[];
  readonly error?: ReportError | undefined;
  readonly warnings: readonly string[];
  readonly moreWarnings: number;
  readonly judge?: JudgeFact | undefined;
  readonly agentCost?: number | undefined;
  readonly judgeCost?: number | undefined;
  readonly tokens?: number | undefined;
  readonly touchedAt: string;
  /** What it is to be held against: known even where the run is too large to be compared in passing. */
  readonly reference?: { readonly id: string; readonly n: number; readonly baseline: boolean } | undefined;
}

export interface JudgeFact {
  readonly fingerprint?: string | undefined;
  readonly model?: string | undefined;
  /** Absent where no calibration was kept. */
  readonly calibrated?: boolean | undefined;
  readonly probes: readonly { readonly expected: Label; readonly said?: Label | undefined }[];
  readonly ms?: number | undefined;
  readonly error?: ReportError | undefined;
  readonly measured: boolean;
}

/** What takes a pass over all rows of a run: asked for after the first paint. */
export interface RunFacts {
  readonly claims?: { readonly held: number; readonly of: number; readonly interval: readonly [number, number]; readonly corrected?: { readonly rate: number; readonly interval: readonly [number, number]; readonly labels: number } | undefined } | undefined;
  /** Milliseconds a scenario. */
  readonly median?: number | undefined;
  readonly tags: readonly string[];
}

/** A scenario in one line of at most 300 bytes. */
export interface ScenarioRowForm {
  /** Position. */
  readonly p: number;
  /** Its id. */
  readonly i: string;
  /** Outcome; absent where it has not finished. */
  readonly o?: Outcome | undefined;
  /** Milliseconds. */
  readonly d?: number | undefined;
  /** US dollars. */
  readonly c?: number | undefined;
  /** Outcomes of its trials, one letter each (see `outcome-letter.ts`), at most 12. */
  readonly t: string;
  /** How many trials there are, where that is more than `t` shows. */
  readonly m?: number | undefined;
  /** The first reason, cut to what the row may weigh. */
  readonly w?: string | undefined;
  /** Claims that held, of how many. */
  readonly k?: readonly [number, number] | undefined;
  /** Turns that held, of how many. */
  readonly u?: readonly [number, number] | undefined;
  /** Its outcome in the baseline. */
  readonly b?: Outcome | undefined;
}

export interface ScenariosAnswer {
  readonly rows: readonly ScenarioRowForm[];
  readonly from: number;
  readonly total: number;
  readonly counts: Counts;
}

/** A text of others. `text` is its beginning where `of` says how many characters there are; the rest is read from `path`. */
export interface Words {
  readonly text: string;
  readonly of?: number | undefined;
  readonly path?: string | undefined;
}

export interface ScenarioAnswer {
  readonly run: { readonly id: string; readonly n: number; readonly suite: string; readonly state: RunState };
  readonly position: number;
  readonly id: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly outcome?: Outcome | undefined;
  readonly skip?: string | undefined;
  readonly knownFailure?: string | undefined;
  readonly trials: readonly { readonly trial: number; readonly outcome: Outcome }[];
  /** The trial to show first: the one that decided. */
  readonly deciding: number;
  readonly was?: { readonly id: string; readonly n: number; readonly outcome: Outcome; readonly baseline: boolean } | undefined;
  readonly error?: ReportError | undefined;
}

/** Where a scenario stands in the list that it was opened from. */
export interface NearAnswer {
  readonly index: number;
  readonly total: number;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

export interface ClaimForm {
  readonly id: string;
  readonly text?: string | undefined;
  readonly label: Label;
  readonly expect: Label;
  readonly passed: boolean;
  readonly rationale: string;
  readonly quote?: string | undefined;
  /** What each judge of a panel said. */
  readonly votes?: readonly { readonly judge: string; readonly label: Label; readonly rationale: string }[] | undefined;
}

/** A check or a gate. */
export interface GateForm {
  readonly id: string;
  readonly kind: "check" | "gate";
  readonly passed: boolean;
  readonly diagnostic?: Words | undefined;
  readonly error?: string | undefined;
}

export interface ScoreForm {
  readonly id: string;
  readonly score?: number | undefined;
  readonly threshold?: number | undefined;
  readonly thresholdMax?: number | undefined;
  readonly passed?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly notScorable?: string | undefined;
  readonly error?: string | undefined;
}

/** One tool call, its long parts cut: `bytes` says what the whole weighs. */
export interface CallForm extends Pick<ToolCall, "toolCallId" | "toolName" | "completed" | "endedLate" | "approval" | "bounds" | "resultOmitted" | "argsRaw" | "startedMs" | "endedMs" | "askedMs" | "decidedMs"> {
  /** Its place among all calls of the trial. */
  readonly at: number;
  /** How deep below the root agent. */
  readonly depth: number;
  readonly args: Words;
  readonly result?: Words | undefined;
  readonly failure?: { readonly kind: FailureKind; readonly message: string; readonly causes: readonly string[]; readonly recovery?: Words | undefined } | undefined;
}

export interface CallsAnswer {
  readonly calls: readonly CallForm[];
  readonly from: number;
  readonly total: number;
}

/** What a run stopped at, for somebody to allow it. */
export interface ConfirmationForm extends Pick<TurnConfirmation, "toolName" | "state"> {
  readonly policy?: TurnConfirmation["policy"] | undefined;
  readonly toolCallId?: string | undefined;
  /** What was asked. */
  readonly says?: string | undefined;
}

export interface TurnForm {
  /** Counts from 0. */
  readonly turn: number;
  readonly id?: string | undefined;
  readonly outcome: Outcome | "not_reached";
  readonly ms?: number | undefined;
  readonly tokens?: number | undefined;
  readonly input?: Words | undefined;
  /** Whether a player of the user said it. */
  readonly played?: boolean | undefined;
  readonly output?: Words | undefined;
  readonly claims: readonly ClaimForm[];
  readonly gates: readonly GateForm[];
  readonly scores: readonly ScoreForm[];
  readonly error?: ReportError | undefined;
  /** The first of its calls and the one after its last, where they are known. */
  readonly calls?: readonly [number, number] | undefined;
  /** Where it begins on the clock of the calls, and how long it takes there, in milliseconds; only where that is known. */
  readonly clock?: readonly [from: number, ms: number] | undefined;
  /** Requests to the model under test. */
  readonly requests?: number | undefined;
  readonly confirmation?: ConfirmationForm | undefined;
}

/** One line of why a trial did not pass. */
export interface WhyLine {
  /** Absent for the whole conversation. */
  readonly turn?: number | undefined;
  readonly kind: "claim" | "gate" | "check" | "score" | "error";
  readonly label?: Label | undefined;
  readonly id: string;
  readonly words: string;
}

export interface TrialAnswer {
  readonly trial: number;
  readonly outcome: Outcome;
  readonly at?: string | undefined;
  readonly ms: number;
  readonly tokens?: number | undefined;
  readonly cost?: number | undefined;
  readonly session?: string | undefined;
  readonly why: readonly WhyLine[];
  readonly moreWhy: number;
  readonly turns: readonly TurnForm[];
  readonly calls: CallsAnswer;
  /** Of all calls: see `TurnForm`. */
  readonly clock?: TurnForm["clock"];
  /** The one that was asked for last in all of it. */
  readonly confirmation?: ConfirmationForm | undefined;
  /** Of the whole conversation. */
  readonly whole: Pick<TurnForm, "claims" | "gates" | "scores">;
  readonly reference?: Words | undefined;
  readonly artifacts: readonly { readonly name: string; readonly uri: string }[];
  readonly ended?: string | undefined;
  readonly unseen: readonly string[];
  readonly failure?: string | undefined;
  readonly stdout?: Words | undefined;
  readonly error?: ReportError | undefined;
  readonly attempts: readonly { readonly attempt: number; readonly ms: number; readonly error: ReportError }[];
  readonly judging?: { readonly requests: number; readonly corrections: readonly string[]; readonly tokens?: number | undefined; readonly cost?: number | undefined } | undefined;
}

/** A piece of a long text. Offsets count UTF-16 units. */
export interface TextAnswer {
  readonly text: string;
  readonly at: number;
  readonly of: number;
}

export interface FoundAnswer {
  /** Where the words begin, at most 1,000. */
  readonly at: readonly number[];
  readonly more: boolean;
}

export interface Problem {
  readonly error: { readonly code: string; readonly message: string };
}
