// Owns the shapes of the answers of the page of judges: measured quality, and the queue of judgments to label.

import type { Label } from "../../core/label.ts";
import type { JudgeFact, Words } from "./form.ts";

export interface Share {
  readonly count: number;
  readonly of: number;
  readonly rate?: number | undefined;
  readonly interval?: readonly [number, number] | undefined;
}

/** What labels of people say of a judge. */
export interface Quality {
  /** By `entail judge test`, on labels that no prompt has seen; or by the labels of this store. */
  readonly from: "measurement" | "labels";
  readonly at?: string | undefined;
  /** A row for each label of a person, a column for each of the judge, in the order of the four labels. */
  readonly table: readonly (readonly number[])[];
  readonly labels: number;
  readonly same: Share;
  readonly kappa?: { readonly value: number; readonly interval: readonly [number, number] } | undefined;
  readonly ac1?: number | undefined;
  /** How two people agree with each other on the same rows: the ceiling. */
  readonly people?: { readonly kappa: number; readonly labels: number } | undefined;
  /** Rows that did not get the same label each time. */
  readonly flips?: (Share & { readonly repeats: number }) | undefined;
  /** US dollars a row. */
  readonly cost?: number | undefined;
  readonly indeterminate: Share;
  /** In the order of the four labels. */
  readonly byLabel: readonly { readonly label: Label; readonly precision: Share; readonly recall: Share }[];
}

/** What a rate of claims becomes with the judge's errors known. */
export interface RateOfClaims {
  readonly run: { readonly id: string; readonly n: number; readonly suite: string };
  readonly raw: Share;
  /** Absent where too few labels stand behind it, or the judge is no better than a coin. */
  readonly corrected?: { readonly rate: number; readonly interval: readonly [number, number]; readonly labels: number } | undefined;
  readonly bounds?: readonly [number, number] | undefined;
  readonly indeterminate: number;
}

export interface JudgeChoice {
  readonly fingerprint: string;
  readonly model?: string | undefined;
  readonly at: string;
  readonly n: number;
}

export interface JudgeAnswer {
  readonly judges: readonly JudgeChoice[];
  readonly fingerprint?: string | undefined;
  readonly fact?: JudgeFact | undefined;
  readonly calibratedIn?: { readonly id: string; readonly n: number; readonly suite: string } | undefined;
  readonly probes: readonly { readonly text: string; readonly expected: Label; readonly said?: Label | undefined }[];
  readonly identity: readonly (readonly [string, string])[];
  readonly quality?: Quality | undefined;
  readonly rate?: RateOfClaims | undefined;
  readonly waiting: number;
}

export interface QueueItem {
  readonly key: string;
  readonly run: string;
  readonly n: number;
  readonly suite: string;
  readonly scenario: string;
  readonly position: number;
  readonly trial: number;
  readonly turn?: number | undefined;
  readonly claim: { readonly id: string; readonly text: string };
  readonly output: Words;
  readonly reference?: Words | undefined;
  readonly drawn: "random" | "by_label";
}

/** A label that was given; the judge's own stands beside it only now. */
export interface LabelRow {
  readonly id: string;
  readonly scenario: string;
  readonly run?: string | undefined;
  readonly claim: string;
  readonly text: string;
  readonly label: Label;
  readonly judged?: Label | undefined;
  readonly note?: string | undefined;
}

export interface QueueAnswer {
  readonly items: readonly QueueItem[];
  readonly waiting: number;
  readonly labelled: number;
  readonly agree: number;
  readonly drawnFrom?: { readonly id: string; readonly n: number; readonly suite: string } | undefined;
  readonly byLabel: number;
  readonly atRandom: number;
  readonly done: readonly LabelRow[];
}

export interface LabelledAnswer {
  readonly id: string;
  readonly judged?: { readonly label: Label; readonly rationale: string } | undefined;
}
