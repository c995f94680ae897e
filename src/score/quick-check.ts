// Owns the making of quick checks: scorers without a model, each with the id of its kind, an id of its own, and one line that says why.

import type { Scorer, ScorerResult, ScorerRun, ScorerRunOptions } from "../core/scorer.ts";
import { fold } from "./fold.ts";
import { readScore } from "./read-score.ts";
import { scorerRunError } from "./scorer-error.ts";

/** What a check found. */
export interface Finding {
  /** From 0 to 1. */
  readonly score: number;
  readonly reason: string;
  /** What the check looked at, under Mastra's names; it is the result's `preprocessStepResult`. */
  readonly evidence?: Readonly<Record<string, unknown>> | undefined;
  /** The assistant said and did nothing: neither the check nor its negation passes. */
  readonly nothing?: boolean | undefined;
}

export interface QuickCheckSpec {
  /** The id of its kind: `check-includes`. */
  readonly base: string;
  /** What tells it from others of its kind: `brooklyn`. */
  readonly detail?: string | undefined;
  readonly description: string;
  readonly find: (run: ScorerRun, options: ScorerRunOptions) => Finding;
}

/** Marks a scorer that only reads what it is given. */
const READER = Symbol.for("entail.reader");

export interface QuickCheck extends Scorer {
  readonly id: string;
  readonly base: string;
  readonly name: string;
  readonly description: string;
  readonly type: "agent";
  readonly find: QuickCheckSpec["find"];
}

/** The options that every check takes. */
export interface CheckOptions {
  /** Instead of the id made of its arguments. */
  readonly id?: string | undefined;
}

export function isReader(scorer: Scorer): boolean {
  return (scorer as { readonly [READER]?: unknown })[READER] === true;
}

export function quickCheck(spec: QuickCheckSpec, options: CheckOptions = {}): QuickCheck {
  const id = options.id ?? (spec.detail === undefined ? spec.base : `${spec.base}:${slug(spec.detail)}`);
  const check: QuickCheck = {
    id,
    base: spec.base,
    name: id,
    description: spec.description,
    type: "agent",
    find: spec.find,
    // oxlint-disable-next-line typescript/require-await -- what throws must be a rejection
    async run(run, runOptions = {}): Promise<ScorerResult> {
      let finding: Finding;
      try {
        finding = spec.find(run, runOptions);
        return { ...run, score: readScore(finding.score), reason: finding.reason, ...(finding.evidence === undefined ? {} : { preprocessStepResult: finding.evidence }) };
      } catch (cause) {
        throw scorerRunError({ scorerId: id, cause });
      }
    },
  };
  return Object.freeze(Object.defineProperty(check, READER, { value: true }));
}

const LONGEST_SLUG = 60;

/** An argument as part of an id: as it is where it is short and plain, else cut, with a digest of the whole so that two stay apart. */
function slug(detail: string): string {
  const plain = Array.from(fold(detail, false).replace(/\p{C}|\n/gu, " ").trim()).slice(0, LONGEST_SLUG).join("");
  return plain === detail ? plain : `${plain}~${digest(detail)}`;
}

/** FNV-1a, 32 bits: ids must be the same on every machine. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
